//! Fixes for diagnostics, derived from their messages and help lines, and the canonical layout.

use super::{Place, Problem, Workspace};
use grognard_base::{Code, Diagnostic, Source};
use grognard_syntax as syntax;

/// A replacement of a range by a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The range that is replaced.
    pub place: Place,
    /// The new text.
    pub text: String,
}

/// A change that fixes a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title, for menus.
    pub title: String,
    /// The diagnostic that is fixed.
    pub of: Problem,
    /// The edits to apply.
    pub edits: Vec<Edit>,
}

impl Workspace {
    /// Returns the file in its canonical layout, or `None` if it does not parse.
    pub fn format(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        if path.ends_with(".toml") {
            return grognard_scenario::format(Default::default(), &text).ok();
        }
        syntax::format(Default::default(), &Source::new(path, text)).ok()
    }

    /// Returns the fixes for diagnostics that overlap a byte range. Only fixes that reduce the number of diagnostics are
    /// returned.
    pub fn fixes(&self, path: &str, start: usize, end: usize) -> Vec<Fix> {
        let touched = self.problems(path, []).into_iter().filter(|p| p.place.start <= end && start <= p.place.end);
        touched.flat_map(|problem| self.fixes_of(&problem)).collect()
    }

    fn fixes_of(&self, problem: &Problem) -> Vec<Fix> {
        let Some(text) = self.text(&problem.place.file) else { return Vec::new() };
        let at = &problem.place;
        let here = text.get(at.start..at.end).unwrap_or("");
        let fix = |title: String, edits: Vec<Edit>| Fix { title, of: problem.clone(), edits };
        let put = |start: usize, end: usize, new: &str| Edit {
            place: Place { file: at.file.clone(), start, end },
            text: new.to_string(),
        };
        let mut all = Vec::new();
        let Diagnostic { message, help, code, .. } = &problem.found;
        if let Some(name) = meant(message) {
            // The name is the range of the diagnostic, or a part of it.
            let wrong = quoted(message);
            let inside = wrong.iter().find_map(|w| here.find(w.as_str()).map(|n| (at.start + n, w.len())));
            if let Some((start, len)) =
                inside.or_else(|| (!here.contains(char::is_whitespace)).then_some((at.start, here.len())))
            {
                all.push(fix(format!("write `{name}`"), vec![put(start, start + len, name)]));
            }
        }
        let line = text.get(..at.start).and_then(|head| head.rfind('\n')).map_or(0, |n| n + 1);
        if *code == Code::MissingOverride {
            let indent = text[line..].len() - text[line..].trim_start().len();
            all.push(fix("write `override` in front".into(), vec![put(line + indent, line + indent, "override ")]));
        }
        for rendered in [message, help] {
            for after in rendered.split("write `").skip(1).chain(rendered.split("; say `").skip(1)) {
                let Some((new, _)) = after.split_once('`') else { continue };
                let whole = !new.contains("..") && !new.contains('X') && !new.is_empty();
                if whole
                    && !here.is_empty()
                    && new != here
                    && !all.iter().any(|f| f.edits.iter().any(|e| e.text == new))
                {
                    all.push(fix(format!("write `{new}`"), vec![put(at.start, at.end, new)]));
                }
            }
        }
        all.retain(|fix| self.mends(fix));
        all
    }

    /// Returns whether the change reduces the number of errors, or the number of diagnostics at an equal number of errors.
    fn mends(&self, fix: &Fix) -> bool {
        let Some(edit) = fix.edits.first() else { return false };
        let path = &edit.place.file;
        let Some(mut text) = self.text(path) else { return false };
        if text.get(edit.place.start..edit.place.end).is_none() {
            return false;
        }
        text.replace_range(edit.place.start..edit.place.end, &edit.text);
        let errors = |problems: &[Problem]| problems.iter().filter(|p| p.found.is_error()).count();
        let before = self.problems(path, []);
        let after = self.supposing(path, &text).problems(path, []);
        errors(&after) < errors(&before) || (errors(&after) == errors(&before) && after.len() < before.len())
    }
}

/// Returns the name that a message suggests.
fn meant(message: &str) -> Option<&str> {
    let (_, after) = message.split_once("did you mean `")?;
    after.split_once('`').map(|(name, _)| name)
}

/// Returns the quoted names before the suggestion.
fn quoted(message: &str) -> Vec<String> {
    let head = message.split("did you mean").next().unwrap_or("");
    head.split('`').skip(1).step_by(2).map(str::to_string).collect()
}
