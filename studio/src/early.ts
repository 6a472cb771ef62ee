// Begins with the engine before the page's own script is read.

import { fetched, worker } from './engine/compile';

const module = fetched();
window.early = { module, worker: worker('worker.js', module) };
