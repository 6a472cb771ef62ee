// Answers that follow the text: a queue of one (one question runs, one waits), stale-while-revalidate for what is shown.

import { Signal } from './dom';
import { EngineError, type Engine } from './engine/engine';
import type { Methods } from './protocol';

/** What a view shows of an answer. */
export interface Shown<T> {
  value?: T;
  /** The revision that the value is of. */
  revision: number;
  /** The value is not the last word: of an older text, or a part of an answer. */
  stale: boolean;
  /** The value is of texts or settings that are others by now. */
  older?: boolean;
  running: boolean;
  /** Why there is no newer value. */
  why?: string;
  /** The value is what the question at hand came to so far. */
  part?: boolean;
  /** Somebody stopped it. */
  stopped?: boolean;
}

/** So many answers are kept. */
const KNOWN = 6;
/** A question that has run for so long is ended by an edit; a shorter one is let finish, or none would while a dial is dragged. */
const ENOUGH = 250;

export class Live<M extends keyof Methods> extends Signal<Shown<Methods[M][1]>> {
  private running: AbortController | null = null;
  /** When the question at hand was asked. */
  since = 0;
  private again = false;
  /** Answers that were worked out to their end, the newest last: of texts and settings that come again nothing is asked. */
  private readonly known = new Map<string, Methods[M][1]>();
  /** Views that nobody sees ask nothing. */
  private awake = false;
  private due = false;

  constructor(
    private readonly engine: () => Engine,
    private readonly method: M,
    private readonly params: () => (Methods[M][0] & { revision: number }) | null,
    /** Nothing is asked before. */
    private readonly first: Promise<void>,
    /** What a part of an answer makes of the parts before it; without it a part is a whole answer, only not the last one. */
    private readonly merge?: (before: Methods[M][1] | undefined, part: any) => Methods[M][1],
    /** What the texts say, where answers are kept. */
    private readonly texts?: () => string,
  ) {
    super({ revision: -1, stale: false, running: false });
  }

  /** Begins or ends that somebody looks at it. */
  show(awake: boolean): void {
    this.awake = awake;
    if (awake) {
      if (this.due || (!this.running && this.value.revision < 0)) this.refresh();
    } else if (this.running) {
      // nobody waits for it any longer
      this.due = true;
      this.running.abort();
    }
  }

  /** Asks anew. Mostly the text or the settings are others now; `same`: they are not, and what is shown is still true. */
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

  /** Somebody waits no longer: what is known stays, and nothing is asked before there is another text or setting. */
  stop(): void {
    if (!this.running) return;
    this.again = false;
    this.running.abort();
    this.change({ stopped: true });
  }

  /** Throws away what is shown: it is of something else. */
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
    // what is asked is of now, and whoever asked before waited for it
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
      // the engine let it go for a text that came in, this page did not
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
