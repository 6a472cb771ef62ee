// The worker: hears messages, answers what is quick at once, and works on long questions in slices between which it hears more.

import { initSync, Engine } from '../../engine/engine.js';
import type { FromWorker } from './compile';

/** No slice begins after so many milliseconds of a turn: an edit waits no longer than that and one slice. */
const TURN = 10;

const tell = (message: FromWorker): void => (self as unknown as Worker).postMessage(message);

let engine: Engine | null = null;
let working = false;
const next = new MessageChannel();
next.port1.onmessage = work;

function answer(messages: string[]): void {
  if (messages.length) tell({ messages });
}

function work(): void {
  working = false;
  if (!engine) return;
  try {
    const end = performance.now() + TURN;
    do answer(engine.work(1));
    while (engine.busy() && performance.now() < end);
    if (engine.busy()) begin();
  } catch (why) {
    tell({ failed: String(why) });
  }
}

function begin(): void {
  if (working) return;
  working = true;
  next.port2.postMessage(null);
}

self.onmessage = ({ data }: MessageEvent<string | { start: WebAssembly.Module } | { beat: number } | { ready: true }>) => {
  try {
    if (typeof data === 'string') {
      if (!engine) return;
      answer(engine.send(data));
      begin();
    } else if ('start' in data) {
      initSync({ module: data.start });
      engine = new Engine();
      tell({ ready: true });
    } else if ('beat' in data) {
      tell({ alive: data.beat });
    } else if (engine) {
      tell({ ready: true });
    }
  } catch (why) {
    tell({ failed: String(why) });
  }
};
