//! The engine as a page holds it: a class of JavaScript.

use super::Engine;
use wasm_bindgen::prelude::wasm_bindgen;

/// An engine with the books that are shipped.
#[wasm_bindgen(js_name = Engine)]
pub struct Exported(Engine);

#[wasm_bindgen(js_class = Engine)]
impl Exported {
    /// A new one.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)] // a constructor of JavaScript
    pub fn new() -> Exported {
        Exported(Engine::new(crate::shipped::SHIPPED))
    }

    /// Takes a message in, and gives those that come back at once.
    pub fn send(&mut self, message: &str) -> Vec<String> {
        self.0.send(message)
    }

    /// Works so many slices of what is asked; gives messages that came of it.
    pub fn work(&mut self, slices: u32) -> Vec<String> {
        self.0.work(slices)
    }

    /// True while there is work.
    pub fn busy(&self) -> bool {
        self.0.busy()
    }
}
