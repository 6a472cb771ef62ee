//! The engine as a page holds it: a class of JavaScript.

use super::Engine;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Whoever holds an engine, an object of JavaScript.
    pub type Holder;

    /// Hears a message of the engine, as soon as there is one.
    #[wasm_bindgen(method, structural)]
    fn tell(this: &Holder, message: &str);
}

/// An engine with the books that are shipped.
#[wasm_bindgen(js_name = Engine)]
pub struct Exported(Engine, Holder);

#[wasm_bindgen(js_class = Engine)]
impl Exported {
    /// A new one.
    #[wasm_bindgen(constructor)]
    pub fn new(holder: Holder) -> Exported {
        // a page ends the worker of an answer that nobody wants any more
        Exported(Engine::new(crate::shipped::SHIPPED, None), holder)
    }

    /// Takes a message in and answers it.
    pub fn send(&mut self, message: &str) {
        self.0.send(message, &mut |message| self.1.tell(&message));
    }

    /// Does a part of what nobody waits for. True while more of it is left.
    pub fn work(&mut self) -> bool {
        self.0.work(&mut |message| self.1.tell(&message))
    }
}
