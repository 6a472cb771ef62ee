// The engine as WebAssembly, and a worker that has it.

declare global {
  interface Window {
    /** What `early.js` began while the page's own script was still read. */
    early?: Early;
  }
}

/** What a worker says: a message of the engine, or what is beside those. */
export type FromWorker = { ready: true } | { message: string } | { failed: string } | { alive: number };
/** What a worker hears: a message for the engine, after which it does what nobody waits for, or a message that it only answers. */
export type ToWorker = string | { only: string } | { start: WebAssembly.Module } | { beat: number } | { ready: true };

export const NOT_STARTED = 'the engine could not be started';

/** Engines on their way, and the question `grognard/outlook` with the id 0 that one was asked: its params, what came back, and why nothing will. */
export interface Early { module: Promise<WebAssembly.Module>; quick: Worker; long: Worker; asked: string | null; heard: string[]; failed: string | null }

/** Fetches and compiles what stands beside the page. */
export async function fetched(): Promise<WebAssembly.Module> {
  const answer = await fetch('engine.wasm');
  if (!answer.ok) throw new Error(`engine.wasm: ${answer.status}`);
  // some hosts do not know the type of wasm files
  return answer.headers.get('content-type')?.startsWith('application/wasm') ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** A worker that starts while the engine is fetched and compiled for it. */
export function worker(url: string, module: Promise<WebAssembly.Module>): Worker {
  const worker = new Worker(url);
  module.then((module) => worker.postMessage({ start: module }), (why: Error) => worker.dispatchEvent(new ErrorEvent('error', { message: why.message })));
  return worker;
}
