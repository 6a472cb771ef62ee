// Begins with the engine before the page's own script is read: it is compiled, and works on the odds that the page will ask for first.

import { fetched, worker } from './engine/compile';
import { type Remembered, FIRST, VIEW } from './first';

const module = fetched();
const made = worker('worker.js', module);
const early = (window.early = { module, worker: made, asked: null as string | null, heard: [] as string[] });
// what is said before the page listens is kept for it
made.onmessage = ({ data }) => 'messages' in data && early.heard.push(...data.messages);

function view(): Partial<Remembered> {
  try {
    return JSON.parse(localStorage.getItem(VIEW) ?? '{}') as Partial<Remembered>;
  } catch {
    return {};
  }
}

const { scene = FIRST.scene, tab = 'odds', settings = { params: {}, readings: {} } } = view();
// a link brings texts of its own
if (scene && tab === 'odds' && location.hash.length < 2) {
  early.asked = JSON.stringify({ path: scene, settings });
  const question = { jsonrpc: '2.0', id: 0, method: 'grognard/outlook', params: { path: scene, settings, revision: 0 } };
  module.then(() => made.postMessage(JSON.stringify(question)), () => undefined);
}
