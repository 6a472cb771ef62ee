// Decides who answers in a run, and keeps the script of answers that the engine plays. If another player decides or rolls from now on,
// the run so far is kept.

import type { Answer, Played, Waiting } from '../protocol';

/** Whether the user rolls the dice, and the players that the user decides for. */
export interface Who { byHand: boolean; mine: ReadonlySet<string> }

/** Answers that the page gives for others: random dice, and the decisions of a player's decision source. */
const FALL: Answer = { roll: [] };
const OWN: Answer = { auto: false };
/** Number of rolls that one request leaves to the engine, which reports where they end. */
const MANY = 64;
/** Maximum number of repairs of a script in a row. After these, it is reported that the script does not fit. */
const MOST_MENDED = 500;

export const isMade = (answer: Answer): boolean => ('roll' in answer && !answer.roll.length) || ('auto' in answer && !answer.auto);

export class Hand {
  /** The answers that are kept. */
  script: Answer[] = [];
  /** Answers that the page adds to reach the next question of the user. */
  private rest: Answer[] = [];
  /** The user's part of the decisions from now on. */
  who: Who = { byHand: false, mine: new Set() };
  /** Whose questions the engine returns: those of the user, and those that the user answered before. */
  waits: Who = this.who;
  /** A script that is rebuilt for an engine that returns more questions, up to this number of events. */
  private laid: { answers: Answer[]; who: Who; events: number } | null = null;
  private mended = 0;
  /** Answers that are given again to the same question about the same unit, until the phase ends in which they were given. */
  private readonly same = new Map<string, { own: Answer; choose: string; depth: number; from: number }>();
  /** Answers that the page gave for the user. */
  private readonly given = new WeakSet<Answer>();
  /** Returns the group of a unit, or the unit itself. */
  group = (unit: string): string => unit;

  get params(): { script: Answer[]; byHand: boolean; as: string[] } {
    return { script: [...this.script, ...this.rest], byHand: this.waits.byHand, as: [...this.waits.mine] };
  }

  /** Whether the user has answered a question. */
  get answered(): boolean {
    return this.script.some((answer) => !isMade(answer));
  }

  /** Starts a new run. */
  begin(script: Answer[] = [], who = this.who, waits = who): void {
    [this.script, this.rest, this.who, this.waits, this.laid, this.mended] = [script, [], who, waits, null, 0];
    this.same.clear();
  }

  /** Changes who answers from now on; `events` events of the run are kept. */
  change(who: Who, events: number): void {
    const waits = { byHand: who.byHand || this.waits.byHand, mine: new Set([...this.waits.mine, ...who.mine]) };
    const more = waits.byHand !== this.waits.byHand || waits.mine.size > this.waits.mine.size;
    if (more) {
      this.laid = { answers: [...this.script, ...this.rest], who: this.waits, events };
      this.script = [];
    }
    [this.rest, this.who, this.waits] = [[], who, waits];
  }

  /** Adds an answer of the user, which is also given to the same later questions if `again` is set. Answers that no longer fit after an edit are dropped. */
  answer(answer: Answer, played: Played | null, again = false): void {
    const fits = played?.misfit?.at;
    const own = { ...answer, asked: played?.waits?.asked };
    if (again && 'choose' in answer && played?.waits) this.same.set(this.about(played.waits), { own, choose: answer.choose, ...this.phase(played) });
    this.script = [...this.script.slice(0, fits), ...(fits === undefined ? this.rest : []), own];
    this.rest = [];
  }

  /** Removes the last answer of the user. */
  takeBack(played: Played | null): void {
    if (played?.ended) this.script.length = Math.min(this.script.length, played.marks.length - 1);
    let last: Answer | undefined;
    do last = this.script.pop();
    while (last && (isMade(last) || this.given.has(last)));
    for (const [about, { own }] of this.same) if (own === last) this.same.delete(about);
    this.rest = [];
  }

  /** Processes the run of a script. Returns true if the page answers the question itself and must send another request. */
  goesOn(played: Played): boolean {
    const { waits, marks } = played;
    if (this.laid) return this.lay(played);
    const { script, rest } = this;
    if (played.misfit && played.misfit.at >= script.length) {
      rest.length = played.misfit.at - script.length;
      delete played.misfit;
    }
    // if the run ends early, the remaining answers are kept for a run that asks for them
    if (played.ended) delete played.misfit;
    const { misfit } = played;
    if (misfit) {
      // after an edit, other dice are rolled or other players are asked: the answers of the page are adapted
      if (++this.mended > MOST_MENDED) return false;
      if (isMade(script[misfit.at]!)) script.splice(misfit.at, 1);
      else if (waits && !this.asks(waits, this.who)) script.splice(misfit.at, 0, this.others(waits)[0]!);
      else {
        // answers to questions that no longer occur are dropped in favor of the answer to this one
        const next = waits ? script.findIndex(({ asked }, at) => at > misfit.at && asked === waits.asked) : -1;
        if (next < 0 || script[misfit.at]!.asked === waits!.asked) return false;
        script.splice(misfit.at, next - misfit.at);
      }
      return true;
    }
    this.mended = 0;
    // a player without a decision source leaves the question to the user
    const own = waits && this.asks(waits, this.who) ? this.forUser(played, waits) : null;
    if (own) {
      this.given.add(own);
      this.script = [...script, ...rest, own];
      this.rest = [];
      return true;
    }
    if (!waits || this.asks(waits, this.who) || (rest.length > 0 && marks.at(-1) === 0)) return false;
    rest.push(...this.others(waits));
    return true;
  }

  /** The question and the unit that it is about. */
  private about({ asked, of }: Waiting): string {
    return `${asked.split(' of ')[0]} of ${this.group(of ?? '')}`;
  }

  /** Returns the depth of the phase that asks, which is the outermost open one that names the unit, and the number of events so far. */
  private phase({ events, waits }: Played): { depth: number; from: number } {
    const named = new RegExp(`\\b${this.group(waits?.of ?? '')}\\b`);
    let [inner, depth] = [Infinity, 0];
    for (const each of [...events].reverse()) {
      if (each.event !== 'enter' || each.depth >= inner) continue;
      inner = each.depth;
      if (named.test(each.text)) depth = inner;
    }
    return { depth, from: events.length };
  }

  /** Returns the answer to a question that the user need not answer: one with a single option, or one that was answered for the rest. */
  private forUser({ events }: Played, waits: Waiting): Answer | null {
    const { sort, options = [], several, point, asked } = waits;
    if (sort !== 'choose' || several || point) return null;
    const same = this.same.size ? this.same.get(this.about(waits)) : undefined;
    if (same && events.slice(same.from).some(({ event, depth }) => event === 'enter' && depth <= same.depth)) this.same.delete(this.about(waits));
    else if (same && options.some(({ line }) => line === same.choose)) return { choose: same.choose, asked };
    return options.length === 1 ? { choose: options[0]!.line, asked } : null;
  }

  private asks({ sort, who }: Waiting, of: Who): boolean {
    return sort === 'roll' ? of.byHand : of.mine.has(who ?? '');
  }

  /** Returns the answers of the page. For dice, it returns many, and the engine reports where they end. */
  private others({ sort }: Waiting): Answer[] {
    return sort === 'roll' ? Array<Answer>(MANY).fill(FALL) : [OWN];
  }

  /** Adds one answer to a script that is rebuilt: an earlier answer, or one for a question that was not returned before. */
  private lay(played: Played): boolean {
    const { waits, marks, misfit } = played;
    const { answers, who, events } = this.laid!;
    if (misfit) this.script.length = misfit.at;
    let [sum, at] = [0, 0];
    while (at < marks.length && sum < events) sum += marks[at++]!;
    const own = waits && this.asks(waits, who);
    if (sum >= events || !waits || (own && !answers.length)) {
      this.laid = null;
      const more = this.script.length;
      this.script.length = Math.min(more, Math.max(0, at - 1));
      delete played.misfit;
      return this.script.length < more || this.goesOn(played);
    }
    this.script.push(...(own ? [answers.shift()!] : this.others(waits)));
    return true;
  }
}
