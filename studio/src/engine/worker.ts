// A worker: answers one message after the other, and does background work while there is none.

import { initSync, Engine } from '../../engine/engine.js';
import type { FromWorker, ToWorker } from './compile';

/** Length of a turn of background work, in milliseconds. A message waits no longer than a turn and one part of the work. */
const TURN = 10;

const tell = (message: FromWorker): void => (self as unknown as Worker).postMessage(message);

let engine: Engine | null = null;
let working = false;
const next = new MessageChannel();
next.port1.onmessage = work;

function work(): void {
  working = false;
  if (!engine) return;
  try {
    const end = performance.now() + TURN;
    let more: boolean;
    do more = engine.work();
    while (more && performance.now() < end);
    if (more) begin();
  } catch (why) {
    tell({ failed: String(why) });
  }
}

function begin(): void {
  if (working) return;
  working = true;
  next.port2.postMessage(null);
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (typeof data === 'string') {
      engine?.send(data);
      begin();
    } else if ('only' in data) {
      engine?.send(data.only);
    } else if ('start' in data) {
      initSync({ module: data.start });
      engine = new Engine({ tell: (message: string) => tell({ message }) });
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
