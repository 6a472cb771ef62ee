// Which engine a page has: the program behind `grognard studio`, or WebAssembly beside or inside the page.

import { gunzipSync } from 'fflate';
import { fetched, worker } from './compile';
import type { Engine } from './engine';
import { HostEngine, hostToken } from './host';
import { WasmEngine } from './wasm';

/** What stands inside `studio.html`: the worker as text, the engine as gzip in base64. */
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
