//! Queues code lenses. The host computes them one at a time, each within a budget. After a lens of a document reaches a limit, the
//! lenses of the document are suspended until its text changes, and their titles report this.

use super::convert::Lines;
use super::protocol::{CodeLens, Command, LspRange};
use super::state::{Host, Server};
use crate::query::{LensAnswer, LensQuestion, LensSort};
use grognard_base::{Budget, Effort, OrdSet};
use lsp_server::{ErrorCode, RequestId, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The command of a lens.
pub const RUN: &str = "grognard.run";
/// The data that the editor stores in a lens until it requests the result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Data {
    /// The URI of the document.
    pub uri: String,
    /// The kind of lens: `odds` or `example`.
    pub sort: String,
    /// The name of the test, or the title of the example.
    pub name: String,
}

/// A response that is ready, with a message for the designer.
pub struct Done {
    /// The response to the request.
    pub response: Response,
    /// A message that is shown to the designer, or `None`.
    pub shown: Option<String>,
}

/// A request that waits for the result of a lens.
struct LensJob {
    id: RequestId,
    data: Data,
    /// The range of the lens, or `None` for a command.
    range: Option<LspRange>,
}

/// The lenses that wait, and the one that is being computed.
#[derive(Default)]
pub struct Queue {
    jobs: Vec<(LensJob, LensQuestion)>,
    now: Option<LensJob>,
    /// Requests that were canceled and have no response yet.
    refused: Vec<RequestId>,
    /// The suspended documents.
    resting: OrdSet<String>,
}

/// Returns the budget of a lens. `patient` is set if the user ran the command and waits for the result.
pub fn budget(patient: bool) -> Budget {
    if patient { Effort::Thorough.budget() } else { Effort::Usual.budget() }
}

impl Queue {
    /// Returns whether any lens is being computed, waits, or has an unsent response.
    pub fn is_working(&self) -> bool {
        self.now.is_some() || !self.jobs.is_empty() || !self.refused.is_empty()
    }

    /// Cancels the lenses of an edited document, because their results are outdated.
    pub fn edited(&mut self, uri: &str, host: &mut dyn Host) {
        self.resting.remove(uri);
        self.drop_where(host, |job| job.data.uri == uri);
    }

    /// Cancels a request at the editor's demand.
    pub fn cancel(&mut self, id: &RequestId, host: &mut dyn Host) {
        self.drop_where(host, |job| job.id == *id);
    }

    fn drop_where(&mut self, host: &mut dyn Host, which: impl Fn(&LensJob) -> bool) {
        let refused = &mut self.refused;
        self.jobs.retain(|(job, _)| {
            let gone = which(job);
            if gone {
                refused.push(job.id.clone());
            }
            !gone
        });
        if let Some(job) = self.now.take_if(|job| which(job)) {
            host.stop();
            self.refused.push(job.id);
        }
    }

    /// Returns the responses that are ready, and starts the next lens.
    pub fn finished(&mut self, host: &mut dyn Host) -> Vec<Done> {
        let mut done: Vec<Done> = Vec::new();
        for id in self.refused.drain(..) {
            let response = Response::new_err(id, ErrorCode::ContentModified as i32, "the text was edited since".into());
            done.push(Done { response, shown: None });
        }
        if let Some(job) = &self.now
            && let Some(answer) = host.finished()
        {
            if answer.limit && job.range.is_some() {
                self.resting.insert(job.data.uri.clone());
            }
            done.push(rendered(job, &answer));
            self.now = None;
        }
        if self.now.is_none() && !self.jobs.is_empty() {
            let (job, question) = self.jobs.remove(0);
            host.begin(question, job.range.is_none());
            self.now = Some(job);
        }
        done
    }
}

fn rendered(job: &LensJob, answer: &LensAnswer) -> Done {
    match job.range {
        Some(range) => {
            let lens = lens(range, &job.data, &answer.title);
            Done { response: Response::new_ok(job.id.clone(), lens), shown: None }
        }
        None => {
            let response = Response::new_ok(job.id.clone(), json!(answer.whole));
            Done { response, shown: Some(answer.whole.clone()) }
        }
    }
}

fn lens(range: LspRange, data: &Data, title: &str) -> CodeLens {
    let data = serde_json::to_value(data).ok();
    let command = Command { title: title.to_string(), command: RUN, arguments: data.iter().cloned().collect() };
    CodeLens { range, command: Some(command), data }
}

impl Server {
    /// Returns the lenses of a document. The title `run` is set immediately, and the editor resolves the results one at a time.
    pub fn lenses(&self, uri: &str) -> Vec<CodeLens> {
        let Some((space, path, _)) = self.rules_document(uri) else { return Vec::new() };
        let text = space.text(path).unwrap_or_default();
        let lines = Lines::of(&text);
        let mut all = Vec::new();
        for found in space.lenses(path) {
            let sort = if found.sort == LensSort::Odds { "odds" } else { "example" };
            let data = Data { uri: uri.to_string(), sort: sort.into(), name: found.name.clone() };
            let range = lines.range(found.at.0, found.at.1);
            all.push(CodeLens { range, command: None, data: serde_json::to_value(&data).ok() });
            all.push(lens(range, &data, "run"));
        }
        all
    }

    /// Queues a lens for computation. Returns a response immediately if nothing must be computed.
    pub fn resolve(&mut self, id: RequestId, found: &CodeLens) -> Option<Response> {
        let data = found.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
        let Some(data) = data else {
            return Some(Response::new_err(
                id,
                ErrorCode::InvalidParams as i32,
                "this lens does not belong to grognard".into(),
            ));
        };
        if self.queue.resting.contains(&data.uri) {
            let title = "rests until the text changes: this takes more than a second";
            return Some(Response::new_ok(id, lens(found.range, &data, title)));
        }
        match self.question(&data) {
            Err(answer) => Some(Response::new_ok(id, lens(found.range, &data, &answer.title))),
            Ok(question) => {
                self.queue.jobs.push((LensJob { id, data, range: Some(found.range) }, question));
                None
            }
        }
    }

    /// Runs the command of a lens, which shows the complete result.
    pub fn run(&mut self, id: RequestId, arguments: &[Value]) -> Option<Response> {
        let data = arguments.first().and_then(|data| serde_json::from_value::<Data>(data.clone()).ok());
        let Some(data) = data else {
            let why = format!("`{RUN}` needs a document and the name of a test or an example");
            return Some(Response::new_err(id, ErrorCode::InvalidParams as i32, why));
        };
        match self.question(&data) {
            Err(answer) => {
                self.show(3, &answer.whole);
                Some(Response::new_ok(id, json!(answer.whole)))
            }
            Ok(question) => {
                self.queue.jobs.insert(0, (LensJob { id, data, range: None }, question));
                None
            }
        }
    }

    fn question(&self, data: &Data) -> Result<LensQuestion, LensAnswer> {
        let sort = if data.sort == "odds" { LensSort::Odds } else { LensSort::Example };
        let none = || {
            let title = "this text is not open".to_string();
            LensAnswer { title: title.clone(), whole: title, limit: false }
        };
        let (space, path, _) = self.rules_document(&data.uri).ok_or_else(none)?;
        space.lens_question(path, sort, &data.name)
    }
}
