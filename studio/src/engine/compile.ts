// The engine as WebAssembly, and workers that run it.

declare global {
  interface Window {
    /** The work that `early.js` started while the page's own script was read. */
    early?: Early;
  }
}

/** Messages from a worker: a message of the engine, or one about the worker itself. */
export type FromWorker = { ready: true } | { message: string } | { failed: string } | { alive: number };
/** Messages to a worker: a message for the engine, after which background work starts, or one without background work (`only`). */
export type ToWorker = string | { only: string } | { start: WebAssembly.Module } | { beat: number } | { ready: true };

export const NOT_STARTED = 'the engine could not be started';

/** The early engines, and the question `grognard/outlook` with id 0 that one of them received: its params, the messages so far, and the reason of a failure. */
export interface Early { module: Promise<WebAssembly.Module>; quick: Worker; long: Worker; asked: string | null; heard: string[]; failed: string | null }

/** Fetches and compiles the engine next to the page. */
export async function fetched(): Promise<WebAssembly.Module> {
  const answer = await fetch('engine.wasm');
  if (!answer.ok) throw new Error(`engine.wasm: ${answer.status}`);
  // some hosts do not know the media type of wasm files
  return answer.headers.get('content-type')?.startsWith('application/wasm') ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** Creates a worker, which starts while the engine is fetched and compiled. */
export function worker(url: string, module: Promise<WebAssembly.Module>): Worker {
  const worker = new Worker(url);
  module.then((module) => worker.postMessage({ start: module }), (why: Error) => worker.dispatchEvent(new ErrorEvent('error', { message: why.message })));
  return worker;
}
