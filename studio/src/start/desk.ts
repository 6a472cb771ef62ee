// The engine of the start page: one worker, which is replaced if a question takes too long.

import type { FromWorker } from '../engine/compile';

/** Odds that are out of date end after this time, in milliseconds. */
const PATIENCE = 600;
const FIGURES = new Set(['dice', 'outlook']);

interface Waiting { method: string; message: string; /** When a worker received it. */ sent: number | null; resolve(value: unknown): void; reject(why: Error): void }

export class Desk {
  private worker: Worker | null = null;
  private started = false;
  private next = 0;
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly make: () => Worker) {}

  /** Starts the engine. */
  begin(): void {
    if (this.worker) return;
    const worker = (this.worker = this.make());
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('message' in data) this.hear(data.message);
      else if ('ready' in data) {
        this.started = true;
        for (const each of this.waiting.values()) this.send(each);
      } else if ('failed' in data) this.end(data.failed, () => true);
    };
    worker.onerror = ({ message }) => this.end(message, () => true);
  }

  private send(each: Waiting): void {
    each.sent = performance.now();
    this.worker!.postMessage({ only: each.message });
  }

  private hear(text: string): void {
    const { id = '', result, error } = JSON.parse(text) as { id?: string; result?: unknown; error?: { message: string } };
    const asked = this.waiting.get(id);
    if (!asked) return;
    this.waiting.delete(id);
    if (error) asked.reject(new Error(error.message));
    else asked.resolve(result);
  }

  /** Ends the worker and its outdated questions. The next worker receives the others. */
  private end(why: string, which: (each: Waiting) => boolean): void {
    this.worker?.terminate();
    this.worker = null;
    this.started = false;
    for (const [id, each] of this.waiting) {
      if (!which(each)) continue;
      this.waiting.delete(id);
      each.reject(new Error(why));
    }
  }

  ask(method: string, params: object): Promise<any> {
    const late = ({ method, sent }: Waiting): boolean => FIGURES.has(method) && sent !== null && performance.now() - sent > PATIENCE;
    if (method !== 'outlook' && [...this.waiting.values()].some(late)) this.end('', ({ method }) => FIGURES.has(method));
    this.begin();
    const id = `start-${++this.next}`;
    return new Promise((resolve, reject) => {
      const message = JSON.stringify({ jsonrpc: '2.0', id, method: `grognard/${method}`, params });
      const asked: Waiting = { method, message, sent: null, resolve, reject };
      this.waiting.set(id, asked);
      if (this.started) this.send(asked);
    });
  }
}
