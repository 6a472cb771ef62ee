import initialize, { Engine } from './engine.js';

/** An error that the engine reports, such as a path that does not exist. */
export class EngineError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

let started;

/** Loads the module once, in Node.js and in a browser. */
async function load() {
  const address = new URL('./engine_bg.wasm', import.meta.url);
  if (address.protocol !== 'file:') return initialize({ module_or_path: address });
  const { readFile } = await import('node:fs/promises');
  return initialize({ module_or_path: await readFile(address) });
}

/** Starts an engine with the shipped rulebooks and these texts by path. */
export async function open(texts = {}) {
  await (started ??= load());
  const session = new Session();
  for (const [path, text] of Object.entries(texts)) session.put(path, text);
  return session;
}

class Session {
  #engine;
  #heard = [];
  #last = 0;

  constructor() {
    this.#engine = new Engine({ tell: (text) => this.#heard.push(JSON.parse(text)) });
  }

  put(path, text) {
    this.ask('grognard/put', { path, text });
  }

  ask(method, params = {}, progress = undefined) {
    const id = ++this.#last;
    this.#heard = [];
    this.#engine.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    for (const message of this.#heard) {
      if (message.method === 'grognard/progress' && message.params.id === id) progress?.(message.params.part);
    }
    const answer = this.#heard.find((message) => message.id === id);
    if (!answer) throw new EngineError(-32603, `no answer to ${method}`);
    if (answer.error) throw new EngineError(answer.error.code, answer.error.message);
    return answer.result;
  }

  close() {
    this.#engine.free();
  }
}
