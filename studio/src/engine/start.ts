// Selects the engine of a page: the program of `grognard studio`, or WebAssembly next to the page or inside it.

import { gunzipSync } from 'fflate';
import { fetched, worker } from './compile';
import type { Engine } from './engine';
import { HostEngine, hostToken } from './host';
import { WasmEngine } from './wasm';

/** Returns a part embedded in `studio.html`: the worker as text, or the engine as gzip in base64. */
function inside(id: string): string | null {
  return document.getElementById(id)?.textContent?.trim() || null;
}

export async function start(fatal: (why: string) => void): Promise<{ engine: Engine; restarts: (heard: () => void) => void }> {
  const token = hostToken();
  if (token) {
    const engine = new HostEngine(token, fatal);
    await engine.ready;
    return { engine, restarts: () => undefined };
  }
  const [text, packed] = [inside('engine-worker'), inside('engine-wasm')];
  const url = text ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : 'worker.js';
  const unpacked = packed && WebAssembly.compile(gunzipSync(Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))) as BufferSource);
  const module = unpacked || window.early?.module || fetched();
  const engine = new WasmEngine(() => worker(url, module), window.early ?? null);
  return { engine, restarts: (heard) => (engine.onrestart = heard) };
}
