// The page's engine without a page: WebAssembly in node, asked as a worker asks it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, initSync } from '../engine/engine.js';
import { site } from '../paths.mjs';

/** Starts the engine of the site, or another module. */
export function engine(file = join(site, 'engine.wasm')) {
  initSync({ module: new WebAssembly.Module(readFileSync(file)) });
  const engine = new Engine();
  let id = 0;
  return {
    tell(method, params) {
      return engine.send(JSON.stringify({ jsonrpc: '2.0', method, params })).map((text) => JSON.parse(text));
    },
    /** The answer as it came, and the parts before it; `slice` hears how long each slice took. */
    ask(method, params, slice = () => undefined) {
      const own = ++id;
      const parts = [];
      let told = engine.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }));
      for (;;) {
        for (const text of told) {
          const message = JSON.parse(text);
          if (message.id === own) return { message, text, parts };
          if (message.method === 'grognard/progress' && message.params.id === own) parts.push(message.params.part);
        }
        if (!engine.busy()) throw new Error(`no answer to ${method}`);
        const began = performance.now();
        told = engine.work(1);
        slice(performance.now() - began, parts.length);
      }
    },
  };
}
