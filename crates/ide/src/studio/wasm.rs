//! The engine as a JavaScript class, for WebAssembly.

use super::Engine;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The owner of an engine, a JavaScript object.
    pub type Holder;

    /// Receives a message of the engine immediately.
    #[wasm_bindgen(method, structural)]
    fn tell(this: &Holder, message: &str);
}

/// An engine with the built-in books.
#[wasm_bindgen(js_name = Engine)]
pub struct Exported(Engine, Holder);

#[wasm_bindgen(js_class = Engine)]
impl Exported {
    /// Creates an engine that sends its messages to `holder`.
    #[wasm_bindgen(constructor)]
    pub fn new(holder: Holder) -> Exported {
        // A page interrupts a computation by terminating its worker.
        Exported(Engine::new(crate::shipped::SHIPPED, None), holder)
    }

    /// Handles a message and sends the responses.
    pub fn send(&mut self, message: &str) {
        self.0.send(message, &mut |message| self.1.tell(&message));
    }

    /// Does one step of background work. Returns whether any is left.
    pub fn work(&mut self) -> bool {
        self.0.work(&mut |message| self.1.tell(&message))
    }
}
