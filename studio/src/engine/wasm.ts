// The engine in this page: a Web Worker around WebAssembly. A worker that no longer answers is ended and another takes over.

import { Engine, type Message } from './engine';

/** What a worker says beside messages of the engine. */
export type FromWorker = { ready: true } | { messages: string[] } | { failed: string } | { alive: number };

/** A worker hears nothing while it computes; one that is silent for so long is given up. */
const PATIENCE = 30_000;

export class WasmEngine extends Engine {
  readonly ready: Promise<void>;
  private worker!: Worker;
  private spare: Worker | null = null;
  private queue: Message[] | null = [];
  private beat = 0;
  private silent: ReturnType<typeof setTimeout> | undefined;
  /** Has another worker told what the page knows. */
  onrestart: (() => void) | null = null;

  constructor(private readonly make: () => Worker) {
    super();
    this.ready = new Promise((resolve, reject) => this.begin(make(), resolve, reject));
    setInterval(() => this.check(), 1000);
  }

  private begin(worker: Worker, resolve: () => void, reject: (why: Error) => void): void {
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('ready' in data) {
        const queue = this.queue ?? [];
        this.queue = null;
        for (const message of queue) this.post(message);
        resolve();
        // a second one waits in case this one hangs
        setTimeout(() => (this.spare ??= this.make()), 4000);
      } else if ('messages' in data) {
        for (const message of data.messages) this.receive(JSON.parse(message) as Message);
      } else if ('failed' in data) {
        reject(new Error(data.failed));
        if (this.queue === null) this.restart('the engine failed: ' + data.failed);
      } else {
        clearTimeout(this.silent);
        this.silent = undefined;
      }
    };
    worker.onerror = (event) => reject(new Error(event.message || 'the engine could not be started'));
  }

  protected post(message: Message): void {
    if (this.queue) this.queue.push(message);
    else this.worker.postMessage(JSON.stringify(message));
  }

  private check(): void {
    if (this.queue || this.silent !== undefined || !this.busy) return;
    this.worker.postMessage({ beat: ++this.beat });
    this.silent = setTimeout(() => this.restart('this took too long without a word, so it was ended'), PATIENCE);
  }

  /** Ends the worker; the spare one goes on. */
  restart(why: string): void {
    clearTimeout(this.silent);
    this.silent = undefined;
    this.worker.terminate();
    this.lost(why);
    this.queue = [];
    const next = this.spare ?? this.make();
    this.spare = null;
    this.begin(next, () => undefined, () => undefined);
    // one that was ready before anybody listened says so again
    next.postMessage({ ready: true });
    this.onrestart?.();
  }
}
