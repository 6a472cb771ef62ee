// The page's engine without a page: WebAssembly in node, called as a worker calls it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, initSync } from '../engine/engine.js';
import { site } from '../paths.mjs';

/** Starts the engine of the site, or another module. */
export function engine(file = join(site, 'engine.wasm')) {
  initSync({ module: new WebAssembly.Module(readFileSync(file)) });
  let told = [];
  const engine = new Engine({ tell: (text) => told.push(text) });
  let id = 0;
  return {
    /** Returns the raw answer, and the parts before it. */
    ask(method, params) {
      const own = ++id;
      told = [];
      engine.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }));
      const messages = told.map((text) => JSON.parse(text));
      const at = messages.findIndex((message) => message.id === own);
      if (at < 0) throw new Error(`no answer to ${method}`);
      const parts = messages.filter((message) => message.method === 'grognard/progress' && message.params.id === own).map((message) => message.params.part);
      return { message: messages[at], text: told[at], parts };
    },
  };
}
