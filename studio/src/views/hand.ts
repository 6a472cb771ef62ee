// Who answers in a run, and what was answered: the script that the engine plays. Where somebody else decides or throws from now on,
// what was played stays.

import type { Answer, Played, Waiting } from '../protocol';

/** Who throws the dice, and the players that the person decides for. */
export interface Who { byHand: boolean; mine: ReadonlySet<string> }

/** What the page answers for others: dice by chance, and what a player's own sources decide. */
const FALL: Answer = { roll: [] };
const OWN: Answer = { auto: false };
/** So many dice are let fall by one question; the engine says where there are no more. */
const MANY = 64;
/** So often in a row a script is mended: then it is told that it does not fit. */
const MOST_MENDED = 500;

export const isMade = (answer: Answer): boolean => ('roll' in answer && !answer.roll.length) || ('auto' in answer && !answer.auto);

export class Hand {
  /** What is kept of the run. */
  script: Answer[] = [];
  /** Behind it: what the page answers to come to what the person is asked next. */
  private rest: Answer[] = [];
  /** Who answers from now on. */
  who: Who = { byHand: false, mine: new Set() };
  /** For whom the engine waits: for the person, and for all for whom the person answered before. */
  waits: Who = this.who;
  /** A script that is laid anew for an engine that waits more often, up to so many events of the run. */
  private laid: { answers: Answer[]; who: Who; events: number } | null = null;
  private mended = 0;

  get params(): { script: Answer[]; byHand: boolean; as: string[] } {
    return { script: [...this.script, ...this.rest], byHand: this.waits.byHand, as: [...this.waits.mine] };
  }

  /** Somebody answered something. */
  get answered(): boolean {
    return this.script.some((answer) => !isMade(answer));
  }

  /** A run of its own. */
  begin(script: Answer[] = [], who = this.who, waits = who): void {
    [this.script, this.rest, this.who, this.waits, this.laid, this.mended] = [script, [], who, waits, null, 0];
  }

  /** Others answer from now on. `events`: so many of the run stay. */
  change(who: Who, events: number): void {
    const waits = { byHand: who.byHand || this.waits.byHand, mine: new Set([...this.waits.mine, ...who.mine]) };
    const more = waits.byHand !== this.waits.byHand || waits.mine.size > this.waits.mine.size;
    if (more) {
      this.laid = { answers: [...this.script, ...this.rest], who: this.waits, events };
      this.script = [];
    }
    [this.rest, this.who, this.waits] = [[], who, waits];
  }

  /** The person answers; what no longer fits after an edit makes way for the answer that does. */
  answer(answer: Answer, played: Played | null): void {
    const fits = played?.misfit?.at;
    this.script = [...this.script.slice(0, fits), ...(fits === undefined ? this.rest : []), { ...answer, asked: played?.waits?.asked }];
    this.rest = [];
  }

  /** Back to before the last answer of the person. */
  takeBack(played: Played | null): void {
    if (played?.ended) this.script.length = Math.min(this.script.length, played.marks.length - 1);
    while (this.script.length && isMade(this.script.pop()!));
    this.rest = [];
  }

  /** Takes what the engine made of the script. True if the page itself answers what is asked, and there is more to ask. */
  goesOn(played: Played): boolean {
    const { waits, marks } = played;
    if (this.laid) return this.lay(played);
    const { script, rest } = this;
    if (played.misfit && played.misfit.at >= script.length) {
      rest.length = played.misfit.at - script.length;
      delete played.misfit;
    }
    // answers to what a run that ends sooner does not ask wait for one that does
    if (played.ended) delete played.misfit;
    const { misfit } = played;
    if (misfit) {
      // after an edit other dice fall, or others are asked: what the page answered follows
      if (++this.mended > MOST_MENDED) return false;
      if (isMade(script[misfit.at]!)) script.splice(misfit.at, 1);
      else if (waits && !this.asks(waits, this.who)) script.splice(misfit.at, 0, this.others(waits)[0]!);
      else {
        // what was answered to questions that are not asked any more makes way for the answer to this one
        const next = waits ? script.findIndex(({ asked }, at) => at > misfit.at && asked === waits.asked) : -1;
        if (next < 0 || script[misfit.at]!.asked === waits!.asked) return false;
        script.splice(misfit.at, next - misfit.at);
      }
      return true;
    }
    this.mended = 0;
    // who cannot answer by themselves leave it to the person
    if (!waits || this.asks(waits, this.who) || (rest.length > 0 && marks.at(-1) === 0)) return false;
    rest.push(...this.others(waits));
    return true;
  }

  private asks({ sort, who }: Waiting, of: Who): boolean {
    return sort === 'roll' ? of.byHand : of.mine.has(who ?? '');
  }

  /** What the page answers: of dice as many as there may be, as the engine says where they end. */
  private others({ sort }: Waiting): Answer[] {
    return sort === 'roll' ? Array<Answer>(MANY).fill(FALL) : [OWN];
  }

  /** One answer more of a script that is laid anew: what was answered, and what nobody was asked before. */
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
