// Answers that follow the text. At most one question runs and one waits; the old value is shown in the meantime (stale-while-revalidate).

import { equal, Signal } from './dom';
import { EngineError, type Engine } from './engine/engine';
import type { Methods } from './protocol';

/** The state of an answer that a view shows. */
export interface Shown<T> {
  value?: T;
  /** The revision that the value belongs to. */
  revision: number;
  /** Whether the value is not final: it belongs to an older text, or is part of an answer. */
  stale: boolean;
  /** Whether the value belongs to texts or settings that have changed since. */
  older?: boolean;
  running: boolean;
  /** The reason why there is no newer value. */
  why?: string;
  /** Whether the value is a partial answer to the current question. */
  part?: boolean;
  /** Whether the user stopped the question. */
  stopped?: boolean;
}

/** Number of cached answers. */
const KNOWN = 6;
/** An edit ends a question that has run longer than this, in milliseconds. A shorter one finishes, or none would finish while a dial is dragged. */
const ENOUGH = 250;

export class Live<M extends keyof Methods> extends Signal<Shown<Methods[M][1]>> {
  private running: AbortController | null = null;
  /** The time when the current question was asked. */
  since = 0;
  private again = false;
  /** Cache of complete answers, newest last. If texts and settings recur, the answer comes from here. */
  private readonly known = new Map<string, Methods[M][1]>();
  /** Whether the view is visible. A hidden view asks no questions. */
  private awake = false;
  private due = false;

  constructor(
    private readonly engine: () => Engine,
    private readonly method: M,
    private readonly params: () => (Methods[M][0] & { revision: number }) | null,
    /** Resolves when questions may start. */
    private readonly first: Promise<void>,
    /** Merges a part of an answer with the parts before it. Without it, each part is a complete answer so far. */
    private readonly merge?: (before: Methods[M][1] | undefined, part: any) => Methods[M][1],
    /** Returns the state of the texts as part of the cache key. */
    private readonly texts?: () => string,
  ) {
    super({ revision: -1, stale: false, running: false });
  }

  /** Sets whether the view of this answer is visible. */
  show(awake: boolean): void {
    this.awake = awake;
    if (awake) {
      if (this.due || (!this.running && this.value.revision < 0)) this.refresh();
    } else if (this.running) {
      // a hidden view does not need the answer
      this.due = true;
      this.running.abort();
    }
  }

  /** Asks the question again. By default the text or the settings have changed; with `same` they have not, and the value shown is still true. */
  refresh(same = false): void {
    this.due = true;
    const { value, stale, older } = this.value;
    if (value !== undefined && !(stale && (same || older))) this.change({ stale: true, older: !same });
    if (!this.awake) return;
    if (this.running) {
      this.again = true;
      if (performance.now() - this.since > ENOUGH) this.running.abort();
      return;
    }
    void this.run();
  }

  /** Stops the question at the user's request. The value so far stays, and nothing is asked until a text or setting changes. */
  stop(): void {
    if (!this.running) return;
    this.again = false;
    this.running.abort();
    this.change({ stopped: true });
  }

  /** Discards the value, which belongs to something else. */
  clear(): void {
    this.running?.abort();
    this.value = { revision: -1, stale: false, running: this.running !== null };
    this.due = true;
  }

  private keep(key: string, value: Methods[M][1]): void {
    this.known.set(key, value);
    for (const oldest of this.known.keys()) if (this.known.size > KNOWN) this.known.delete(oldest);
  }

  private change(part: Partial<Shown<Methods[M][1]>>): void {
    const { value } = this.value;
    // views redraw another object; the tab Run takes each answer, even an equal one
    if (part.value !== undefined && this.method !== 'grognard/play' && equal(part.value, value)) part.value = value;
    this.value = { ...this.value, ...part };
  }

  private async run(): Promise<void> {
    if (!this.params()) {
      this.due = false;
      return;
    }
    this.running = new AbortController();
    await this.first;
    const running = (this.running = new AbortController());
    // the current params count, not those of the time of the request
    const params = this.params();
    this.again = false;
    if (!params || !this.awake) {
      this.running = null;
      return;
    }
    this.due = false;
    const key = this.texts && JSON.stringify({ ...params, revision: 0 }) + this.texts();
    const known = key === undefined ? undefined : this.known.get(key);
    if (known !== undefined) {
      this.running = null;
      return this.change({ value: known, revision: params.revision, stale: false, older: false, part: false, running: false, stopped: false, why: undefined });
    }
    this.since = performance.now();
    this.change({ running: true, part: false, stopped: false });
    let parts: Methods[M][1] | undefined;
    try {
      const value = await this.engine().ask(this.method, params, {
        signal: running.signal,
        progress: (part) => this.change({ value: (parts = this.merge ? this.merge(parts, part) : (part as Methods[M][1])), stale: true, older: this.again, part: true }),
      });
      if (key !== undefined) this.keep(key, value);
      this.change({ value, revision: params.revision, stale: this.again, older: this.again, why: undefined });
    } catch (why) {
      const outdated = why instanceof EngineError && why.outdated;
      // the engine dropped the question because of an edit, this page did not
      if (outdated && !running.signal.aborted) this.again = true;
      if (!outdated) this.change({ why: why instanceof Error ? why.message : String(why), stale: true, revision: params.revision });
    }
    this.running = null;
    this.change({ running: false, part: false });
    if (this.again) {
      this.again = false;
      if (this.awake) void this.run();
      else this.due = true;
    }
  }
}
