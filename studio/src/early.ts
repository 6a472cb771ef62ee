// Begins with the engine before the page's own script is read: it is compiled, and works on the odds that the page will ask for first.

import { type Early, fetched, type FromWorker, NOT_STARTED, worker } from './engine/compile';
import { type Remembered, FIRST, VIEW } from './first';

const module = fetched();
const made = worker('worker.js', module);
const early: Early = (window.early = { module, worker: made, asked: null, heard: [], failed: null });
// what is said before the page listens is kept for it
made.onmessage = ({ data }: MessageEvent<FromWorker>) => {
  if ('messages' in data) early.heard.push(...data.messages);
  else if ('failed' in data) early.failed = data.failed;
};
made.onerror = ({ message }) => (early.failed = message || NOT_STARTED);

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
