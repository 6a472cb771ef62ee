// The engine of the start page: one worker, which is replaced if a question takes too long.

import type { FromWorker } from '../engine/compile';

/** An unwanted question is ended after this time, in milliseconds. */
const PATIENCE = 600;

export class Desk {
  private worker: Worker | null = null;
  private queue: string[] | null = [];
  private next = 0;
  private readonly waiting = new Map<string, { since: number; resolve(value: unknown): void; reject(why: Error): void }>();

  constructor(private readonly make: () => Worker) {}

  /** Starts the engine. */
  begin(): void {
    if (this.worker) return;
    const worker = (this.worker = this.make());
    this.queue = [];
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('message' in data) this.hear(data.message);
      else if ('ready' in data) {
        for (const message of this.queue ?? []) worker.postMessage({ only: message });
        this.queue = null;
      } else if ('failed' in data) this.end(data.failed);
    };
    worker.onerror = ({ message }) => this.end(message);
  }

  private hear(text: string): void {
    const { id, result, error } = JSON.parse(text) as { id?: string; result?: unknown; error?: { message: string } };
    const asked = this.waiting.get(id ?? '');
    if (!asked) return;
    this.waiting.delete(id!);
    if (error) asked.reject(new Error(error.message));
    else asked.resolve(result);
  }

  private end(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    for (const each of this.waiting.values()) each.reject(new Error(why));
    this.waiting.clear();
  }

  ask(method: string, params: object): Promise<any> {
    const now = performance.now();
    if (this.queue === null && [...this.waiting.values()].some(({ since }) => now - since > PATIENCE)) this.end('');
    this.begin();
    const id = `start-${++this.next}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { since: now, resolve, reject });
      const message = JSON.stringify({ jsonrpc: '2.0', id, method: `grognard/${method}`, params });
      if (this.queue) this.queue.push(message);
      else this.worker!.postMessage({ only: message });
    });
  }
}
