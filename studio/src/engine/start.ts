// Which engine a page has: the program behind `grognard studio`, or WebAssembly beside or inside the page.

import { gunzipSync } from 'fflate';
import type { Engine } from './engine';
import { HostEngine, hostToken } from './host';
import { WasmEngine } from './wasm';

/** What stands inside `studio.html`: the worker as text, the engine as gzip in base64. */
function inside(id: string): string | null {
  return document.getElementById(id)?.textContent?.trim() || null;
}

async function compiled(): Promise<WebAssembly.Module> {
  const packed = inside('engine-wasm');
  if (packed) return WebAssembly.compile(gunzipSync(Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))) as BufferSource);
  const answer = await fetch('engine.wasm');
  if (!answer.ok) throw new Error(`engine.wasm: ${answer.status}`);
  // some hosts do not know the type of wasm files
  return answer.headers.get('content-type')?.startsWith('application/wasm') ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

export async function start(fatal: (why: string) => void): Promise<{ engine: Engine; restarts: (heard: () => void) => void }> {
  const token = hostToken();
  if (token) {
    const engine = new HostEngine(token, fatal);
    await engine.ready;
    return { engine, restarts: () => undefined };
  }
  const text = inside('engine-worker');
  const url = text ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : 'worker.js';
  // the worker starts while the engine is fetched and compiled
  const module = compiled();
  const engine = new WasmEngine(() => {
    const worker = new Worker(url);
    module.then((module) => worker.postMessage({ start: module }), (why: Error) => worker.dispatchEvent(new ErrorEvent('error', { message: why.message })));
    return worker;
  });
  return { engine, restarts: (heard) => (engine.onrestart = heard) };
}
