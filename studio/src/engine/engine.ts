// A client of JSON-RPC 2.0 with cancellation and progress. How messages travel is up to those who extend it.

import type { Methods, Progress } from '../protocol';

/** Of an answer that never came. */
const LOST = -32097;
/** So often a question is asked of another engine: one of several that were at work ended the one before, and nobody knows which. */
const LOSSES = 2;

/** An error that the engine answered with. */
export class EngineError extends Error {
  constructor(message: string, readonly code: number) {
    super(message);
  }
  /** The text was edited since, or the page took the question back: nothing to tell anybody. */
  get outdated(): boolean {
    return this.code === -32800 || this.code === -32801;
  }
}

interface Waiting {
  message: Message;
  /** How many engines ended before they answered. */
  losses: number;
  /** Nobody works on it. */
  idle: boolean;
  resolve(value: unknown): void;
  reject(why: Error): void;
  progress?: (part: unknown) => void;
}

export interface Ask {
  signal?: AbortSignal;
  progress?: (part: unknown) => void;
}

export type Message = { jsonrpc: '2.0'; id?: number; method?: string; params?: unknown; result?: unknown; error?: { code: number; message: string } };

/** The texts of the page, for an engine that takes over. */
export interface Texts {
  /** The paths of texts that are not as they came with the program. */
  written(): Iterable<string>;
  /** A text as it stands; nothing if there is none. */
  now(path: string): string | null | undefined;
}

export abstract class Engine {
  texts: Texts | null = null;
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly handlers = new Map<string, Set<(params: any) => void>>();

  /** Whether it is there already, and what it calls itself. */
  abstract readonly ready: Promise<void>;
  protected abstract post(message: Message): void;

  /** A request of the studio. */
  ask<M extends keyof Methods>(method: M, params: Methods[M][0] & { revision?: number }, how: Ask = {}): Promise<Methods[M][1]> {
    return this.request(method, params, how) as Promise<Methods[M][1]>;
  }

  /** Any request, those of the LSP among them. */
  request(method: string, params: unknown, how: Ask = {}): Promise<any> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      if (how.signal?.aborted) return reject(new EngineError('canceled', -32800));
      const message: Message = { jsonrpc: '2.0', id, method, params };
      this.waiting.set(id, { message, losses: 0, idle: false, resolve, reject, progress: how.progress });
      how.signal?.addEventListener('abort', () => {
        if (!this.waiting.has(id)) return;
        this.notify('$/cancelRequest', { id });
        this.settle(id, (waiting) => waiting.reject(new EngineError('canceled', -32800)));
      });
      this.post(message);
    });
  }

  notify(method: string, params: unknown): void {
    this.post({ jsonrpc: '2.0', method, params });
  }

  /** Listens to notifications of one method. */
  on(method: string, handler: (params: any) => void): () => void {
    const all = this.handlers.get(method) ?? new Set();
    this.handlers.set(method, all.add(handler));
    return () => all.delete(handler);
  }

  /** The ids of requests of some sort that wait for an answer. */
  protected unanswered(which: (message: Message) => boolean): number[] {
    return [...this.waiting].filter(([, { message }]) => which(message)).map(([id]) => id);
  }

  protected receive(message: Message): void {
    if (message.method !== undefined) {
      if (message.id !== undefined) return this.post({ jsonrpc: '2.0', id: message.id, result: null });
      if (message.method === 'grognard/progress') {
        const { id, part } = message.params as Progress;
        this.waiting.get(id)?.progress?.(part);
      }
      for (const handler of this.handlers.get(message.method) ?? []) handler(message.params);
      return;
    }
    if (message.id === undefined) return;
    const { error } = message;
    this.settle(message.id, (waiting) => (error ? waiting.reject(new EngineError(error.message, error.code)) : waiting.resolve(message.result)));
  }

  private settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting) how(waiting);
  }

  /** The other side is gone: what waits for an answer waits for the next one, if one comes and it was not asked too often. */
  protected lost(why: string, next: boolean, which = (_: Message): boolean => true): void {
    for (const id of this.unanswered(which)) {
      const waiting = this.waiting.get(id)!;
      waiting.idle = true;
      if (!next || ++waiting.losses > LOSSES) this.settle(id, () => waiting.reject(new EngineError(why, LOST)));
    }
  }

  /** Asks another engine what the one before did not answer. Requests of the method `told` are done: the page has told it their effect anew. */
  resume(told: keyof Methods): void {
    for (const [id, waiting] of [...this.waiting]) {
      if (!waiting.idle) continue;
      waiting.idle = false;
      if (waiting.message.method === told) this.settle(id, () => waiting.resolve(null));
      else this.post(waiting.message);
    }
  }
}
