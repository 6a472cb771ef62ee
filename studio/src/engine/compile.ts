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

/**
 * The engines of a page, which start before its own script is read: the question `grognard/outlook` with id 0 that one of them received, its
 * params, the messages so far, and the reason of a failure.
 */
export interface Early {
  module: Promise<WebAssembly.Module>;
  make(): Worker;
  quick: Worker;
  long: Worker;
  asked: string | null;
  heard: string[];
  failed: string | null;
  /** Resolves when the work place opens: with a choice of the start page, or `null`. */
  entered: Promise<Entry | null>;
  /** Opens the work place. The page replaces it when it is open. */
  enter(entry: Entry | null): void;
  /** Returns to the start page. */
  leave(): void;
  /** Downloads texts as a zip; part of the page's own script. */
  zip?(name: string, texts: Record<string, string>): void;
}

/** A choice of the start page: texts of a new game, and the view of it. */
export interface Entry { texts?: Record<string, string>; path?: string; scene?: string; tab?: string; file?: File; open?: 'tour' | 'language' | 'number' }

/** Returns a part embedded in the page as one file: the worker as text, or the engine as gzip in base64. */
const embedded = (id: string): string | null => document.getElementById(id)?.textContent?.trim() || null;

/** Returns the address of the script of a worker. */
export function workerUrl(): string {
  const text = embedded('engine-worker');
  return text ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : 'worker.js';
}

/** Fetches and compiles the engine next to the page or inside it. */
export async function fetched(): Promise<WebAssembly.Module> {
  const packed = embedded('engine-wasm');
  if (packed) {
    const bytes = new Blob([Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))]);
    return WebAssembly.compile(await new Response(bytes.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  }
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
