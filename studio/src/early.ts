// Starts the engines before the page's own script is read: compiles the module, and lets one engine compute the odds that the page requests first.

import { type Early, fetched, type FromWorker, NOT_STARTED, worker } from './engine/compile';
import { type Remembered, FIRST, VIEW } from './first';

const module = fetched();
const [quick, long] = [worker('worker.js', module), worker('worker.js', module)];
const early: Early = (window.early = { module, quick, long, asked: null, heard: [], failed: null });
// messages that arrive before the page listens are stored for it
long.onmessage = ({ data }: MessageEvent<FromWorker>) => {
  if ('message' in data) early.heard.push(data.message);
};
quick.onmessage = ({ data }: MessageEvent<FromWorker>) => {
  if ('failed' in data) early.failed = data.failed;
};
quick.onerror = ({ message }) => (early.failed = message || NOT_STARTED);

function view(): Partial<Remembered> {
  try {
    return JSON.parse(localStorage.getItem(VIEW) ?? '{}') as Partial<Remembered>;
  } catch {
    return {};
  }
}

const { scene = FIRST.scene, tab = 'odds', settings = { params: {}, readings: {} } } = view();
// a link contains its own texts
if (scene && tab === 'odds' && location.hash.length < 2) {
  early.asked = JSON.stringify({ path: scene, settings });
  const question = { jsonrpc: '2.0', id: 0, method: 'grognard/outlook', params: { path: scene, settings, revision: 0 } };
  module.then(() => long.postMessage({ only: JSON.stringify(question) }), () => undefined);
}
