// Selects the engine of a page: the program of `grognard studio`, or WebAssembly next to the page or inside it.

import type { Engine } from './engine';
import { HostEngine, hostToken } from './host';
import { WasmEngine } from './wasm';

export async function start(fatal: (why: string) => void): Promise<{ engine: Engine; restarts: (heard: () => void) => void }> {
  const token = hostToken();
  if (token) {
    const engine = new HostEngine(token, fatal);
    await engine.ready;
    return { engine, restarts: () => undefined };
  }
  const early = window.early!;
  const engine = new WasmEngine(early.make, early);
  return { engine, restarts: (heard) => (engine.onrestart = heard) };
}
