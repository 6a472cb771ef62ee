//! Questions about texts that are being edited, for the language server and the studio.

pub mod query;
pub mod lsp;
pub mod studio;
#[cfg(target_arch = "wasm32")]
#[path = "../../../src/shipped.rs"]
mod shipped;
