// The engine in this page: a Web Worker around WebAssembly. A worker that no longer answers is ended and another takes over.

import { type Early, type FromWorker, NOT_STARTED } from './compile';
import { Engine, type Message } from './engine';

/** A worker hears nothing while it computes; one that is silent for so long is given up, in milliseconds. */
const PATIENCE = 30_000;
/** The same once a text was edited: nobody wants the answers any more that it works on. */
const EDITED = 4_000;
/** The same once somebody stopped a question. */
const STOPPED = 700;

/** What may be said before the first odds are asked, if they are to be those that were worked out early: it changes no text. */
const HARMLESS = new Set(['initialize', 'initialized', 'grognard/books', 'grognard/text']);

const ENDED = 'this took too long, so it was ended';

export class WasmEngine extends Engine {
  readonly ready: Promise<void>;
  private worker!: Worker;
  private spare: Worker | null = null;
  private queue: Message[] | null = [];
  private beat = 0;
  private silent: ReturnType<typeof setTimeout> | undefined;
  private edited: ReturnType<typeof setTimeout> | undefined;
  /** Has another worker told what the page knows. */
  onrestart: (() => void) | null = null;

  /** The question that takes the answers to the early one, which has the id 0. */
  private adopted: number | undefined;

  constructor(private readonly make: () => Worker, private early: Early | null) {
    super();
    this.ready = new Promise((resolve, reject) => this.begin(early?.worker ?? make(), resolve, reject));
    // whoever waits for it hears why
    this.ready.catch(() => undefined);
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
        data.messages.forEach((text) => this.hear(text));
      } else if ('failed' in data) {
        reject(new Error(data.failed));
        if (this.queue === null) this.restart('the engine failed: ' + data.failed);
      } else {
        this.heard();
      }
    };
    worker.onerror = (event) => reject(new Error(event.message || NOT_STARTED));
    // one that was ready before anybody listened says so again
    worker.postMessage({ ready: true });
    // and one that failed by then has failed
    if (this.early?.failed) reject(new Error(this.early.failed));
  }

  protected post(message: Message): void {
    if (this.queue) {
      this.queue.push(message);
      return;
    }
    const { method } = message;
    if (this.early && method === 'grognard/outlook') {
      if (this.adopt(message)) return;
    } else if (this.early && !HARMLESS.has(method ?? '')) {
      this.adopt(null);
    }
    if (method === '$/cancelRequest' && (message.params as { id: number }).id === this.adopted) message.params = { id: 0 };
    this.worker.postMessage(JSON.stringify(message));
    if (message.method === 'textDocument/didChange') this.wait(EDITED);
  }

  /** Takes the early question for this one if it asks the same; from here on nothing waits any more for whoever asks. */
  private adopt(message: Message | null): boolean {
    const { asked, heard } = this.early!;
    const { revision: _, ...params } = (message?.params ?? {}) as Record<string, unknown>;
    const same = asked !== null && JSON.stringify(params) === asked;
    this.early = null;
    if (same) this.adopted = message!.id;
    else if (asked !== null) this.worker.postMessage(JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 0 } }));
    // whoever asked has to listen first
    queueMicrotask(() => heard.forEach((text) => this.hear(text)));
    return same;
  }

  private hear(text: string): void {
    const message = JSON.parse(text) as Message;
    // a part of an answer names the question too
    const told = message.method === 'grognard/progress' ? (message.params as { id?: number }) : message;
    if (told.id !== 0) return this.receive(message);
    if (this.early) this.early.heard.push(text);
    if (this.adopted === undefined) return;
    told.id = this.adopted;
    this.receive(message);
  }

  override hurry(): void {
    this.wait(STOPPED);
  }

  /** Ends the worker unless it answers soon. */
  private wait(most: number): void {
    if (this.queue || (this.edited !== undefined && most >= EDITED)) return;
    clearTimeout(this.edited);
    this.worker.postMessage({ beat: ++this.beat });
    this.edited = setTimeout(() => this.restart(ENDED), most);
  }

  private heard(): void {
    clearTimeout(this.silent);
    clearTimeout(this.edited);
    this.silent = this.edited = undefined;
  }

  private check(): void {
    if (this.queue || this.silent !== undefined || !this.busy) return;
    this.worker.postMessage({ beat: ++this.beat });
    this.silent = setTimeout(() => this.restart(ENDED), PATIENCE);
  }

  /** Ends the worker; the spare one goes on. */
  restart(why: string): void {
    this.heard();
    this.worker.terminate();
    this.early = null;
    this.adopted = undefined;
    this.lost(why, true);
    this.queue = [];
    const next = this.spare ?? this.make();
    this.spare = null;
    this.begin(next, () => undefined, () => undefined);
    this.onrestart?.();
  }
}
