// The engine in this page: web workers around WebAssembly, one for quick requests and others for long questions. A worker
// receives no message while it computes, so a worker with an unwanted question is ended, and another replaces it.

import { type Early, type FromWorker, NOT_STARTED, type ToWorker } from './compile';
import { Engine, type Message } from './engine';

/** The quick worker is ended when it is silent for this long, in milliseconds. */
const PATIENCE = 30_000;
/** First limit after an edit of a text, in milliseconds. Each restart doubles it up to `PATIENCE`, so that a slow machine is not restarted forever. */
const EDITED = 4_000;
/** Grace period of an unwanted question, in milliseconds. If it finishes, the worker can reuse its checked rules. */
const GRACE = 100;
/** Delays in milliseconds until a reserve worker is created: after the previous one took over, and after the page has started. */
const LATER = 500;
const CALM = 4_000;
/** Maximum number of long questions at the same time: the margin, and one view. */
const MOST = 2;
/** The id of messages without a question of the page. */
const NOBODY = -1;

/** Requests that can take long. */
const LONG = new Set(['odds', 'distribution', 'outlook', 'sweep', 'compare', 'readings', 'test', 'sight', 'play/odds'].map((name) => `grognard/${name}`));
const isLong = ({ method }: Message): boolean => LONG.has(method ?? '');

const ENDED = 'this took too long and was ended';

/** A worker with a queue for messages that arrive before its engine has started. */
class Seat {
  private queue: ToWorker[] | null = [];
  /** The id of the current question. */
  question: number | null = null;
  /** Timer that ends a worker whose answer is unwanted. */
  ending: ReturnType<typeof setTimeout> | undefined;
  /** Texts that the worker has received. */
  readonly sent = new Map<string, string | null>();

  constructor(private readonly worker: Worker, hear: (message: string) => void, fails: (why: string) => void, begins = () => undefined as void, alive = () => undefined as void) {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('message' in data) {
        hear(data.message);
      } else if ('ready' in data) {
        for (const message of this.queue ?? []) worker.postMessage(message);
        this.queue = null;
        begins();
      } else if ('failed' in data) {
        fails(data.failed);
      } else {
        alive();
      }
    };
    worker.onerror = (event) => fails(event.message || NOT_STARTED);
    // a worker that was ready before anyone listened reports it again
    worker.postMessage({ ready: true });
  }

  get started(): boolean {
    return this.queue === null;
  }

  post(message: ToWorker): void {
    if (this.queue) this.queue.push(message);
    else this.worker.postMessage(message);
  }

  end(): void {
    clearTimeout(this.ending);
    this.worker.terminate();
  }
}

export class WasmEngine extends Engine {
  readonly ready: Promise<void>;
  private quick!: Seat;
  private readonly long: Seat[] = [];
  /** Long questions that wait for a worker. */
  private asked: Message[] = [];
  private spare: Worker | null = null;
  private beat = 0;
  private limit = EDITED;
  private silent: ReturnType<typeof setTimeout> | undefined;
  private edited: ReturnType<typeof setTimeout> | undefined;
  /** Called after a restart, to send the state of the page to the new worker. */
  onrestart: (() => void) | null = null;
  /** The request that receives the answers to the early question, which has id 0. */
  private adopted: number | undefined;

  constructor(private readonly make: () => Worker, private early: Early | null) {
    super();
    this.ready = new Promise((resolve, reject) => {
      const begins = () => {
        resolve();
        this.prepare(CALM);
      };
      this.begin(early?.quick ?? make(), begins, reject);
      // the early worker may have failed before this page listened
      if (early?.failed) reject(new Error(early.failed));
    });
    // callers that await `ready` receive the reason
    this.ready.catch(() => undefined);
    if (early) this.seat(early.long).question = early.asked === null ? null : 0;
    setInterval(() => this.check(), 1000);
  }

  private begin(worker: Worker, begins: () => void, reject: (why: Error) => void): void {
    const fails = (why: string) => {
      reject(new Error(why));
      if (this.quick.started) this.restart('the engine failed: ' + why);
    };
    this.quick = new Seat(worker, (text) => this.receive(JSON.parse(text) as Message), fails, begins, () => this.heard());
  }

  protected post(message: Message): void {
    const { method } = message;
    if (isLong(message)) return this.question(message);
    if (method === '$/cancelRequest' && this.takeBack((message.params as { id: number }).id)) return;
    if (method === 'textDocument/didChange' || method === 'grognard/put') this.outdate();
    this.quick.post(JSON.stringify(message));
    if (method === 'textDocument/didChange') this.wait();
  }

  /** Creates the seat of a worker for long questions. */
  private seat(worker: Worker): Seat {
    const seat: Seat = new Seat(worker, (text) => this.hear(seat, text), (why) => {
      const id = seat.question;
      this.end(seat);
      if (id !== null && seat.ending === undefined) this.receive({ jsonrpc: '2.0', id: id || this.adopted, error: { code: -32603, message: 'the engine failed: ' + why } });
    });
    this.long.push(seat);
    return seat;
  }

  private question(message: Message): void {
    if (this.early && message.method === 'grognard/outlook' && this.adopt(message)) return;
    this.asked.push(message);
    this.handOut();
  }

  /** Adopts the early question for this request if both are the same. After this, the early question is no longer available. */
  private adopt(message: Message | null): boolean {
    const { asked, heard } = this.early!;
    const { revision: _, ...params } = (message?.params ?? {}) as Record<string, unknown>;
    const same = asked !== null && JSON.stringify(params) === asked;
    this.early = null;
    if (same) this.adopted = message!.id;
    else this.drop(0);
    const seat = this.long[0]!;
    // the caller must be able to listen first
    queueMicrotask(() => heard.forEach((text) => this.hear(seat, text)));
    return same;
  }

  /** Assigns waiting questions to workers. */
  private handOut(): void {
    while (this.asked.length) {
      let seat = this.long.find(({ question }) => question === null);
      if (!seat && this.long.length < MOST) seat = this.seat(this.another());
      if (!seat) {
        const unwanted = this.long.find(({ ending }) => ending !== undefined);
        if (!unwanted) return;
        this.end(unwanted);
        continue;
      }
      const message = this.asked.shift()!;
      this.tell(seat);
      seat.question = message.id!;
      seat.post({ only: JSON.stringify(message) });
    }
  }

  /** Sends a worker the texts that differ from those it has. */
  private tell(seat: Seat): void {
    const { texts } = this;
    if (!texts) return;
    for (const path of new Set([...seat.sent.keys(), ...texts.written()])) {
      const text = texts.now(path) ?? null;
      if (seat.sent.get(path) === text) continue;
      seat.sent.set(path, text);
      seat.post({ only: JSON.stringify({ jsonrpc: '2.0', id: NOBODY, method: 'grognard/put', params: { path, text } }) });
    }
  }

  private hear(seat: Seat, text: string): void {
    const message = JSON.parse(text) as Message;
    // a part of an answer names the question too
    const subject = message.method === 'grognard/progress' ? (message.params as { id?: number }) : message;
    const done = message.method === undefined && message.id === seat.question;
    if (subject.id === 0) {
      if (this.early) this.early.heard.push(text);
      subject.id = this.adopted ?? NOBODY;
    }
    if (done) {
      seat.question = null;
      clearTimeout(seat.ending);
      seat.ending = undefined;
    }
    this.receive(message);
    if (done) this.handOut();
  }

  /** Cancels a long question. Returns false if no long question has this id. */
  private takeBack(id: number): boolean {
    const waiting = this.asked.length;
    this.asked = this.asked.filter((message) => message.id !== id);
    return this.drop(id === this.adopted ? 0 : id) || this.asked.length < waiting;
  }

  private drop(id: number): boolean {
    const seat = this.long.find(({ question }) => question === id);
    if (seat) seat.ending ??= setTimeout(() => this.end(seat), GRACE);
    return seat !== undefined;
  }

  /** Cancels all long questions after an edit. */
  private outdate(): void {
    if (this.early) this.adopt(null);
    for (const id of this.unanswered(isLong)) {
      this.takeBack(id);
      this.receive({ jsonrpc: '2.0', id, error: { code: -32801, message: 'the text has been edited' } });
    }
  }

  private end(seat: Seat): void {
    seat.end();
    this.long.splice(this.long.indexOf(seat), 1);
    this.handOut();
  }

  /** Returns a worker that takes over. */
  private another(): Worker {
    const worker = this.spare ?? this.make();
    this.spare = null;
    this.prepare(LATER);
    return worker;
  }

  private prepare(after: number): void {
    setTimeout(() => (this.spare ??= this.make()), after);
  }

  /** Ends the quick worker unless it answers within the limit after an edit. */
  private wait(): void {
    if (!this.quick.started || this.edited !== undefined) return;
    this.quick.post({ beat: ++this.beat });
    this.edited = setTimeout(() => this.restart(ENDED), this.limit);
  }

  private heard(): void {
    clearTimeout(this.silent);
    clearTimeout(this.edited);
    this.silent = this.edited = undefined;
  }

  private check(): void {
    if (!this.quick.started || this.silent !== undefined || !this.unanswered((message) => !isLong(message)).length) return;
    this.quick.post({ beat: ++this.beat });
    this.silent = setTimeout(() => this.restart(ENDED), PATIENCE);
  }

  /** Ends the quick worker and continues with another one. */
  private restart(why: string): void {
    this.heard();
    this.limit = Math.min(PATIENCE, 2 * this.limit);
    this.quick.end();
    this.lost(why, true, (message) => !isLong(message));
    this.begin(this.another(), () => undefined, () => undefined);
    this.onrestart?.();
  }
}
