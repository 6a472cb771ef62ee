// A client of JSON-RPC 2.0 with cancellation and progress. Subclasses define the transport.

import type { Methods, Progress } from '../protocol';

/** Error code of a lost answer. */
const LOST = -32097;
/** Maximum number of other engines that get a question again. When an engine ends, it is unknown which of its questions was the cause. */
const LOSSES = 2;

/** An error answer of the engine. */
export class EngineError extends Error {
  constructor(message: string, readonly code: number) {
    super(message);
  }
  /** Whether the text was edited or the page canceled the question: no error to show. */
  get outdated(): boolean {
    return this.code === -32800 || this.code === -32801;
  }
}

interface Waiting {
  message: Message;
  /** Number of engines that ended before they answered. */
  losses: number;
  /** Whether no engine works on it. */
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
  /** Returns the paths of texts that differ from the originals of the program. */
  written(): Iterable<string>;
  /** Returns a current text, or `null` if it does not exist. */
  now(path: string): string | null | undefined;
}

export abstract class Engine {
  texts: Texts | null = null;
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly handlers = new Map<string, Set<(params: any) => void>>();

  /** Resolves when the engine is ready. */
  abstract readonly ready: Promise<void>;
  protected abstract post(message: Message): void;

  /** Sends a request of the studio. */
  ask<M extends keyof Methods>(method: M, params: Methods[M][0] & { revision?: number }, how: Ask = {}): Promise<Methods[M][1]> {
    return this.request(method, params, how) as Promise<Methods[M][1]>;
  }

  /** Sends any request, including those of the LSP. */
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

  /** Adds a handler for the notifications of one method. Returns a function that removes it. */
  on(method: string, handler: (params: any) => void): () => void {
    const all = this.handlers.get(method) ?? new Set();
    this.handlers.set(method, all.add(handler));
    return () => all.delete(handler);
  }

  /** Returns the ids of matching requests without an answer. */
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

  /** Handles the loss of an engine: open requests wait for the next engine, if there is one and they have not been lost too often. */
  protected lost(why: string, next: boolean, which = (_: Message): boolean => true): void {
    for (const id of this.unanswered(which)) {
      const waiting = this.waiting.get(id)!;
      waiting.idle = true;
      if (!next || ++waiting.losses > LOSSES) this.settle(id, () => waiting.reject(new EngineError(why, LOST)));
    }
  }

  /** Sends the open requests to another engine. Requests of the method `done` are complete: the page has sent their effect again. */
  resume(done: keyof Methods): void {
    for (const [id, waiting] of [...this.waiting]) {
      if (!waiting.idle) continue;
      waiting.idle = false;
      if (waiting.message.method === done) this.settle(id, () => waiting.resolve(null));
      else this.post(waiting.message);
    }
  }
}
