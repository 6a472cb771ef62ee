//! The scenario of the engine, for the environments of the Python package. It is not part of the API.

use crate::{Error, ErrorKind, Scenario};
use grognard_base::Diagnostic;
use std::sync::Arc;

#[doc(hidden)]
impl Scenario {
    /// Returns the scenario that the engine plays. Copies share its analyses.
    pub fn engine(&self) -> &Arc<grognard_scenario::Scenario> {
        self.shared()
    }

    /// Returns the error of a finding of the engine.
    pub fn fault(&self, found: &Diagnostic) -> Error {
        Error::found(ErrorKind::Run, std::slice::from_ref(found), &self.plain().sources)
    }
}
