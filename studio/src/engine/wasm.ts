// The engine in this page: Web Workers around WebAssembly, one for what is quick and others for questions that may take long. A
// worker hears nothing while it computes, so one whose answer nobody wants any more is ended, and another takes its place.

import { type Early, type FromWorker, NOT_STARTED, type ToWorker } from './compile';
import { Engine, type Message } from './engine';

/** The worker of what is quick is given up when it is silent for so long, in milliseconds. */
const PATIENCE = 30_000;
/** The same once a text was edited. */
const EDITED = 4_000;
/** So long a worker goes on with what nobody wants any more: if it comes to an end, it knows the rules already for the next question. */
const GRACE = 100;
/** A worker that waits to take over is made so long after the last one did, and so long after the page has started. */
const LATER = 500;
const CALM = 4_000;
/** So many long questions are worked on at once: what stands in a margin, and what a view shows. */
const MOST = 2;
/** The id of what a page has no question for. */
const NOBODY = -1;

/** Requests that may take long. */
const LONG = new Set(['odds', 'distribution', 'outlook', 'sweep', 'compare', 'readings', 'test', 'sight', 'play/odds'].map((name) => `grognard/${name}`));
const isLong = ({ method }: Message): boolean => LONG.has(method ?? '');

const ENDED = 'this took too long and was ended';

/** A worker. What is sent to it before its engine has started waits. */
class Seat {
  private queue: ToWorker[] | null = [];
  /** The question that it works on. */
  question: number | null = null;
  /** Nobody wants the answer, and it is ended soon. */
  ending: ReturnType<typeof setTimeout> | undefined;
  /** Texts that it was told. */
  readonly told = new Map<string, string | null>();

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
    // one that was ready before anybody listened says so again
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
  private silent: ReturnType<typeof setTimeout> | undefined;
  private edited: ReturnType<typeof setTimeout> | undefined;
  /** Has another worker told what the page knows. */
  onrestart: (() => void) | null = null;
  /** The question that takes the answers to the early one, which has the id 0. */
  private adopted: number | undefined;

  constructor(private readonly make: () => Worker, private early: Early | null) {
    super();
    this.ready = new Promise((resolve, reject) => {
      const begins = () => {
        resolve();
        this.prepare(CALM);
      };
      this.begin(early?.quick ?? make(), begins, reject);
      // one that failed before anybody listened has failed
      if (early?.failed) reject(new Error(early.failed));
    });
    // whoever waits for it hears why
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
    if (method === 'textDocument/didChange') this.wait(EDITED);
  }

  /** A worker for long questions. */
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

  /** Takes the early question for this one if it asks the same; from here on nothing waits any more for whoever asks. */
  private adopt(message: Message | null): boolean {
    const { asked, heard } = this.early!;
    const { revision: _, ...params } = (message?.params ?? {}) as Record<string, unknown>;
    const same = asked !== null && JSON.stringify(params) === asked;
    this.early = null;
    if (same) this.adopted = message!.id;
    else this.drop(0);
    const seat = this.long[0]!;
    // whoever asked has to listen first
    queueMicrotask(() => heard.forEach((text) => this.hear(seat, text)));
    return same;
  }

  /** Gives questions that wait to workers. */
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

  /** Tells a worker which texts are other ones than it knows. */
  private tell(seat: Seat): void {
    const { texts } = this;
    if (!texts) return;
    for (const path of new Set([...seat.told.keys(), ...texts.written()])) {
      const text = texts.now(path) ?? null;
      if (seat.told.get(path) === text) continue;
      seat.told.set(path, text);
      seat.post({ only: JSON.stringify({ jsonrpc: '2.0', id: NOBODY, method: 'grognard/put', params: { path, text } }) });
    }
  }

  private hear(seat: Seat, text: string): void {
    const message = JSON.parse(text) as Message;
    // a part of an answer names the question too
    const told = message.method === 'grognard/progress' ? (message.params as { id?: number }) : message;
    const done = message.method === undefined && message.id === seat.question;
    if (told.id === 0) {
      if (this.early) this.early.heard.push(text);
      told.id = this.adopted ?? NOBODY;
    }
    if (done) {
      seat.question = null;
      clearTimeout(seat.ending);
      seat.ending = undefined;
    }
    this.receive(message);
    if (done) this.handOut();
  }

  /** Nobody wants the answer to a question any more. False if no long one has this id. */
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

  /** A text is another one: what was asked of the one before is not worked on any more. */
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

  /** A worker that takes over. */
  private another(): Worker {
    const worker = this.spare ?? this.make();
    this.spare = null;
    this.prepare(LATER);
    return worker;
  }

  private prepare(after: number): void {
    setTimeout(() => (this.spare ??= this.make()), after);
  }

  /** Ends the worker of what is quick unless it answers soon. */
  private wait(most: number): void {
    if (!this.quick.started || this.edited !== undefined) return;
    this.quick.post({ beat: ++this.beat });
    this.edited = setTimeout(() => this.restart(ENDED), most);
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

  /** Ends the worker of what is quick; another one goes on. */
  private restart(why: string): void {
    this.heard();
    this.quick.end();
    this.lost(why, true, (message) => !isLong(message));
    this.begin(this.another(), () => undefined, () => undefined);
    this.onrestart?.();
  }
}
