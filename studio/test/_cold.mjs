import { readFileSync } from 'node:fs';
import { initSync, Engine } from '../engine/engine.js';
const file = process.argv[2] ?? new URL('../dist/engine.wasm', import.meta.url).pathname;
const t0 = performance.now();
const module = new WebAssembly.Module(readFileSync(file));
const t1 = performance.now();
initSync({ module });
const engine = new Engine();
const t2 = performance.now();
console.log('compile', (t1-t0).toFixed(0), 'init', (t2-t1).toFixed(0));
let id = 0;
const send = (method, params) => { const s = performance.now(); const m = engine.send(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })); console.log(method, (performance.now()-s).toFixed(1), m.map(e=>e.slice(0,80))); };
send('initialize', { processId: null, rootUri: 'file:///', workspaceFolders: [], capabilities: {} });
send('grognard/books', {});
send('grognard/outlook', { path: 'warstrike/scenarios/firefight.toml', settings: { params: {}, readings: {} } });
let n = 0;
const begin = performance.now();
while (engine.busy() && n < 400) {
  const s = performance.now();
  const m = engine.work(1);
  const took = performance.now() - s;
  n++;
  if (took > 15 || m.length) console.log('slice', n, took.toFixed(1), 'at', (performance.now() - begin).toFixed(0), m.map(e=>e.slice(0,60)));
  if (m.some(e => e.includes('"part"') ) && n > 30) break;
}
