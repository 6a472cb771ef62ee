//! Consequential diagnostics. Several diagnostics that follow from one cause are replaced by a single line with their
//! number.

use super::{Diagnostic, FileId, Severity, Sources, order};

/// Up to this number, diagnostics with the same cause are reported individually.
const FEW: usize = 2;

/// The cause that a diagnostic follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Follows {
    /// A scenario was not checked, because this rules file that it uses has errors.
    Rules(FileId),
    /// A clause of this register is also in another register.
    Copied(FileId, FileId),
    /// The rules of a file cite clauses that the register does not have.
    Cites(FileId),
    /// The rules cite no clause of this register.
    Uncited(FileId),
    /// A line that replaces several diagnostics.
    Reported,
}

/// Moves consequential diagnostics to the end, and replaces those with the same cause by one line.
pub fn fold(found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let (own, mut after): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| one.follows.is_none());
    let mut folded = own;
    order::sort_by_key(&mut after, |one| (one.follows, one.span));
    let mut rest = after.as_slice();
    while let Some(first) = rest.first() {
        let (same, others) = rest.split_at(rest.iter().take_while(|one| one.follows == first.follows).count());
        rest = others;
        match first.follows.and_then(|cause| cause.line(same, sources)) {
            Some(line) => folded.push(line),
            None => folded.extend_from_slice(same),
        }
    }
    folded
}

impl Follows {
    /// Returns the sentence for the scenarios of rules with errors.
    pub fn unread(rules: &str, scenarios: usize) -> String {
        match scenarios {
            1 => format!("{rules} has errors: 1 scenario that uses it was not checked"),
            n => format!("{rules} has errors: {n} scenarios that use it were not checked"),
        }
    }

    /// Returns the line for all diagnostics that follow from this cause, or `None` if they are reported individually.
    fn line(self, same: &[Diagnostic], sources: &Sources) -> Option<Diagnostic> {
        let [first, _, ..] = same else { return None };
        let name = |file: FileId| sources.get(file).map_or("the file", |source| source.shown.as_str());
        let n = same.len();
        let line = Diagnostic { follows: Some(Follows::Reported), others: Vec::new(), ..first.clone() };
        Some(match self {
            Follows::Rules(rules) => Diagnostic {
                span: None,
                message: Follows::unread(rules_name(rules, sources), n),
                label: String::new(),
                ..line
            },
            Follows::Reported => return None,
            _ if n <= FEW => return None,
            Follows::Copied(_, other) => {
                let message = format!("{n} clauses of this register are in {} too", name(other));
                let help = "a copied folder still names the rules it was copied from: write the name of the new folder \
                            after `ruleset` and `extends`";
                Diagnostic { message, ..line }.help(help)
            }
            Follows::Cites(file) => {
                let message = format!("the register has none of the clauses that {} cites: {n} cites", name(file));
                Diagnostic { message, ..line }
            }
            Follows::Uncited(_) => {
                let message = format!("the rules cite no clause of this register: {n} clauses are marked modelled");
                let help = "cite them where they are carried out; rules that need no register have no `clauses.toml`";
                Diagnostic { message, ..line }.help(help)
            }
        })
    }
}

/// Returns the name of a rules file, such as `game/core`.
pub fn rules_name(file: FileId, sources: &Sources) -> &str {
    sources.get(file).map_or("the rules", |source| source.name.trim_end_matches(".rules"))
}

/// Returns the numbers of errors and warnings. Unchecked scenarios of rules with errors do not count.
pub fn counts(folded: &[Diagnostic]) -> (usize, usize) {
    let of = |severity: Severity| folded.iter().filter(|one| one.severity == severity && !one.is_unread()).count();
    (of(Severity::Error), of(Severity::Warning))
}

impl Diagnostic {
    /// Sets the cause that it follows from.
    pub fn following(mut self, cause: Follows) -> Self {
        self.follows = Some(cause);
        self
    }

    /// Returns whether it only repeats that rules have errors, which are reported separately.
    fn is_unread(&self) -> bool {
        self.code == super::Code::ReadRules && self.follows.is_some()
    }
}
