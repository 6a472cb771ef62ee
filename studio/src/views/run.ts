// A run, line by line: trace, table and text side by side; decisions and dice by the user; back, forward, and replayed after each edit.

import { announce, button, h, put, type Child } from '../dom';
import { inline } from '../editor/markdown';
import type { Live } from '../live';
import { goodPath } from '../files/files';
import type { Model } from '../model';
import { inWords, named } from '../numbers';
import type { Answer, Played, Table, TraceLine } from '../protocol';
import { linesParted, type Hunk } from '../edits';
import type { Left, Told } from '../share';
import { ask, clauses, confirm, status } from '../widgets';
import { Asked } from './asked';
import { Board } from './board';
import { Hand, type Who } from './hand';
import { recall, store } from './left';
import { type Line, Lines, outcome } from './lines';
import { refusal } from './table';

/** Time between lines during playback, in milliseconds. */
const PACE = 700;
/** Maximum number of trace lines that are drawn, and of deleted lines shown at one place. */
const MOST = 600;
const MOST_GONE = 5;

export class RunView {
  readonly element: HTMLElement;
  private readonly played: Live<'grognard/play'>;
  private readonly ahead: Live<'grognard/play/odds'>;
  private readonly start: Live<'grognard/table'>;
  private readonly board: Board;
  /** The same run with a default answer to the current question: its next event belongs to the rule that asks. */
  private readonly after: Live<'grognard/play'>;
  private readonly hand = new Hand();
  private readonly asked: Asked;
  /** The seed that the user set, or `null` for that of the scenario. */
  private chosen: number | null = null;
  /** Number of trace lines shown so far. */
  private at = 0;
  /** The trace before the last edit, to mark the changes. */
  private before: TraceLine[] | null = null;
  /** Differences between that trace and the current one. */
  private parted: Hunk[] = [];
  /** Value of `model.edits` when the trace was shown. */
  private edits = 0;
  private saving = false;
  private seen: Played | null = null;
  /** Things that have decided in this scenario. */
  private readonly deciders = new Set<string>();
  /** An intermediate answer of the engine that is not shown. */
  private passed: Played | null = null;
  private picked: number | null = null;
  /** The highlight that a line of this run set in the text, and that line. */
  private lit: { look: Model['look']['value']; text: string } | null = null;
  /** Position of the next run: a line, or `Infinity` for the next question. If `null`, the position stays. */
  private goal: number | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly tried: Lines;
  /** The run when the page was closed. */
  private left: Left | null = recall();
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly tools = h('div', { class: 'tools' });
  private readonly more = h('div', { class: 'tools more' });
  private readonly trace = h('ol', { class: 'trace', 'aria-label': 'Trace' });
  private readonly foot = h('section', { class: 'run-foot' });
  private readonly hint = h('p', { class: 'note', hidden: true });

  constructor(private readonly model: Model) {
    this.board = new Board({ onpick: (unit) => this.about(unit) });
    this.board.movable = false;
    const { hand } = this;
    const params = () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value, seed: this.chosen ?? undefined, ...hand.params } : null);
    this.played = model.live('grognard/play', params);
    this.ahead = model.live('grognard/play/odds', () => (this.seen?.waits?.options?.length ? params() : null));
    this.after = model.live('grognard/play', () => {
      const given = this.seen?.waits ? params() : null;
      return given && { ...given, script: [...given.script.slice(0, this.seen!.misfit?.at), { auto: true }] };
    });
    this.asked = new Asked({
      answer: (answer, same) => this.answer(answer, same),
      rest: () => this.change({ ...hand.who, mine: new Set() }),
      light: (units) => this.board.light(units),
      called: (id) => this.called(id),
      clause: this.clause,
      go: (place) => (model.look.value = { ...place, focus: false }),
      refusal: (each) => refusal(each, model, this.clause),
    });
    hand.group = (id) => this.start.value.value?.units.find((unit) => unit.id === id)?.of ?? id;
    this.start = model.live('grognard/table', () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value } : null));
    this.tried = new Lines(model, (line) => this.replay(line));
    this.element = h('div', { class: 'view run' }, this.tools, this.state, this.hint, h('div', { class: 'run-board' }, this.board.element), this.trace, h('div', { class: 'run-below' }, this.asked.element, this.foot, this.tried.element), this.more);
    this.played.on((shown) => {
      status(this.state, shown, this.model, undefined, this.played);
      const { value } = shown;
      if (value && value !== this.seen && value !== this.passed && !shown.stale) {
        this.passed = value;
        // store the run before an edit changes its answers
        if (value.misfit && this.edits !== this.model.edits) this.note();
        if (hand.goesOn(value)) this.played.refresh();
        else this.arrived(value);
      }
      this.element.classList.toggle('stale', shown.stale && !shown.running);
    });
    this.ahead.on(() => this.drawWaits());
    this.after.on(() => this.drawWaits());
    this.start.on(() => {
      this.drawBoard();
      this.drawTools();
    });
    model.scene.on((scene) => {
      this.board.reset();
      this.deciders.clear();
      const left = this.left?.scene === scene ? this.left : null;
      const who = (of: Told | undefined): Who => ({ byHand: of?.byHand ?? false, mine: new Set(of?.mine) });
      this.full = left?.full ?? this.full;
      hand.begin(left?.script, who(left?.who), who(left?.waits));
      this.restart(left?.seed ?? null, left?.at ?? 0);
    });
    addEventListener('pagehide', () => this.keep());
    // a question below takes some of its height
    new ResizeObserver(() => this.reveal()).observe(this.trace);
    this.trace.addEventListener('keydown', (event) => this.keys(event));
    this.drawTools();
  }

  show(awake: boolean): void {
    this.played.show(awake);
    this.start.show(awake);
    this.ahead.show(awake);
    this.after.show(awake);
    if (!awake) this.pause();
  }

  /** Returns the lines that are shown: those of the story, or the events that have a text. */
  private visible({ story, events }: Played): TraceLine[] {
    if (!this.full) return story;
    // the answers of a person
    const { mine } = this.hand.waits;
    return events.filter((line) => line.text !== '').map((line) => ({ ...line, text: line.text.replace(/^(\? \S+ +(\S+))\/script\b/, (all, head: string, who: string) => (mine.has(who) ? `${head}/you` : all)) }));
  }
  /** Whether the trace shows every event instead of the story. */
  private full = false;
  /** The first events of the story lines that are unfolded. */
  private readonly open = new Set<number>();

  /** Returns the events that a line of the story stands for. */
  private behind(at: number): TraceLine[] {
    const { from } = this.all[at]!;
    if (from === undefined || this.all[at]!.event === 'heading') return [];
    const to = this.all[at + 1]?.from ?? Infinity;
    return this.seen!.events.filter(({ n, text }) => n >= from && n < to && text !== '');
  }

  /** Shows the story or every event, at the same point of the run. */
  private inFull(full: boolean): void {
    const last = this.at >= this.all.length ? Infinity : (this.all[this.at - 1]?.n ?? -1);
    this.full = full;
    this.lines = this.seen ? this.visible(this.seen) : [];
    this.before = null;
    this.fresh = Infinity;
    this.to(this.lines.filter(({ n }) => n <= last).length);
  }

  private get all(): TraceLine[] {
    return this.lines;
  }
  private lines: TraceLine[] = [];

  private arrived(played: Played): void {
    const old = this.seen;
    const before = this.lines;
    const atEnd = old !== null && this.at >= before.length;
    this.seen = played;
    this.lines = this.visible(played);
    for (const { event, text } of played.events) if (event === 'decision') this.deciders.add(/^\? \S+ +(\S+)\//.exec(text)?.[1] ?? '');
    const now = this.lines;
    const { goal } = this;
    const edited = !this.saving && this.edits !== this.model.edits;
    if (goal !== null) {
      // an answer can add to the line before it
      const parted = before.findIndex(({ text }, n) => text !== now[n]?.text);
      this.fresh = this.grown ? Math.min(parted < 0 ? before.length : parted, this.at, now.length) : Infinity;
      this.at = Math.min(goal, now.length);
      const last = now[this.at - 1];
      // after a reload the text stays where it was
      if (last && !this.left) this.lightUp(last, false);
      [this.goal, this.grown, this.left] = [null, false, null];
    } else {
      // after an edit the position stays, and the changes are marked; a dial that follows the text, and replays the run,
      // belongs to the edit
      if (edited) this.before = old ? before : null;
      this.parted = this.before ? linesParted(this.before, now) : [];
      this.at = atEnd ? now.length : Math.min(this.at, now.length);
      const changed = this.changes();
      if (changed > 0) announce(`${changed} lines of the run changed`);
    }
    if (this.lit && (played.misfit || now[this.picked ?? this.at - 1]?.text !== this.lit.text)) this.dark();
    this.edits = this.model.edits;
    for (const live of [this.ahead, this.after]) {
      live.clear();
      live.refresh();
    }
    this.draw();
  }
  /** Whether an answer was given whose new lines are to be marked. */
  private grown = false;
  /** Lines from this index on result from the last answer. */
  private fresh = Infinity;

  private changes(): number {
    return this.before ? this.parted.reduce((sum, { before, after }) => sum + Math.max(before.length, after.length), 0) : 0;
  }

  private get seed(): number {
    return this.chosen ?? this.played.value.value?.seed ?? 1;
  }

  /** Starts a run and moves to line `at`. */
  private restart(seed: number | null, at: number): void {
    this.pause();
    this.dark();
    this.chosen = seed;
    this.seen = this.passed = null;
    this.lines = [];
    this.before = null;
    this.at = 0;
    this.fresh = Infinity;
    this.picked = null;
    this.open.clear();
    this.goal = at;
    this.played.clear();
    this.played.refresh();
    this.draw();
  }

  /** Starts a run with other dice, without any answers. */
  private anew(seed: number): void {
    const { who } = this.hand;
    this.hand.begin([], who);
    this.restart(seed, who.mine.size || who.byHand ? Infinity : 0);
  }

  /** Changes who decides or rolls from the current position on. */
  private change(who: Who): void {
    const { hand, seen } = this;
    const more = who.byHand > hand.who.byHand || who.mine.size > hand.who.mine.size;
    // after the end of a run there are no more questions
    if (more && seen?.ended && this.at >= this.all.length) {
      this.note();
      if (hand.answered) this.model.notice.value = 'The run was finished, so it starts again. Your answers are listed under Previous runs.';
      hand.begin([], who);
      return this.restart(this.chosen, Infinity);
    }
    if (more) this.note();
    hand.change(who, this.at && this.all[this.at - 1]!.n + 1);
    // a user who answers something moves to the next question
    this.goal = more || (this.at >= this.all.length && (who.byHand || who.mine.size)) ? Infinity : this.at;
    this.passed = null;
    this.before = null;
    this.played.refresh();
    this.drawTools();
  }

  private note(): void {
    const { script, waits, answered } = this.hand;
    if (answered) this.tried.note({ seed: this.seed, script, byHand: waits.byHand, mine: [...waits.mine], came: this.seen && !this.seen.misfit ? outcome(this.seen) : undefined });
  }

  private replay(line: Line): void {
    const { who } = this.hand;
    // the answers fit only the players who gave them
    this.hand.begin(line.script, { byHand: line.byHand ?? who.byHand, mine: line.mine ? new Set(line.mine) : who.mine });
    this.restart(line.seed, Infinity);
  }

  private answer(answer: Answer, same = false): void {
    // another answer is in progress
    if (this.grown && this.played.value.running) return;
    this.note();
    this.grown = true;
    this.at = this.all.length;
    this.hand.answer(answer, this.seen, same);
    this.again(Infinity);
  }

  /** Removes the last answer: sends a shorter script. */
  private takeBack(): void {
    this.note();
    this.dark();
    this.hand.takeBack(this.seen);
    this.again(Infinity);
  }

  /** Requests the run of another script. */
  private again(goal: number): void {
    for (const live of [this.ahead, this.after]) live.clear();
    this.before = null;
    this.goal = goal;
    this.played.refresh();
  }

  private to(at: number): void {
    this.at = Math.max(0, Math.min(this.all.length, at));
    this.picked = null;
    this.fresh = Infinity;
    const line = this.all[this.at - 1];
    this.draw();
    if (!line) return this.dark();
    this.lightUp(line, false);
    announce(line.text);
  }

  /** The current line: the last one shown, or another one that the user selected. */
  private get place(): number {
    return this.picked === null ? this.at : this.picked + 1;
  }

  /** Selects a line that is shown already: the table and the text follow. */
  private pick(at: number): void {
    this.picked = at;
    const line = this.all[at];
    if (line) this.lightUp(line, true);
    this.draw();
  }

  /** Moves to the next line at the same depth or above, or to the question. */
  private next(): void {
    const depth = this.all[this.place]?.depth ?? 0;
    let at = this.place + 1;
    while (at < this.all.length && (this.all[at]?.depth ?? 0) > depth) at++;
    this.to(at);
  }

  private play(): void {
    if (this.timer) return this.pause();
    this.to(this.place >= this.all.length ? 0 : this.place);
    this.timer = setInterval(() => {
      if (this.place >= this.all.length) return this.pause();
      this.to(this.place + 1);
    }, PACE);
    this.drawTools();
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.drawTools();
  }

  /** The run as a link or a reloaded page shows it again. */
  get now(): Left {
    const told = ({ byHand, mine }: Who): Told => ({ byHand, mine: [...mine] });
    const { script, who, waits } = this.hand;
    return { scene: this.model.scene.value, seed: this.chosen, script, at: this.at, full: this.full, who: told(who), waits: told(waits) };
  }

  /** Shows a run when its scenario is opened; `null` begins each at its start. */
  resume(left: Left | null): void {
    this.left = left;
  }

  /** Stores the state of the run. */
  private keep(): void {
    if (!this.seen) return;
    store(this.now);
  }

  private draw(): void {
    this.drawTools();
    this.drawTrace();
    this.drawWaits();
    this.drawBoard();
    this.drawFoot();
  }

  private drawTools(): void {
    const none = !this.seen;
    const { place } = this;
    const atEnd = place >= this.all.length;
    const full = h('input', { type: 'checkbox', checked: this.full, 'data-key': 'full' });
    full.onchange = () => this.inFull(full.checked);
    const dice = h('input', { type: 'checkbox', checked: this.hand.who.byHand, 'data-key': 'by-hand' });
    dice.onchange = () => this.change({ ...this.hand.who, byHand: dice.checked });
    const seed = h('input', { type: 'number', min: 0, max: 999999999, value: this.seed, 'aria-label': 'Seed', 'data-key': 'seed' });
    seed.onchange = () => this.anew(Math.max(0, Math.round(Number(seed.value)) || 0));
    put(
      this.tools,
      h(
        'div',
        { class: 'group', role: 'group', 'aria-label': 'Playback' },
        button('|◀', () => this.to(0), { disabled: none || place === 0, 'aria-label': 'To the start', title: 'To the start', 'data-key': 'first' }),
        button('◀', () => this.to(place - 1), { disabled: none || place === 0, 'aria-label': 'One line back', title: 'One line back', 'data-key': 'back' }),
        button(this.timer ? 'Pause' : '▶ Play', () => this.play(), { class: 'main', disabled: none, 'aria-label': this.timer ? 'Pause' : 'Play', title: this.timer ? 'Pause' : 'Play, one line at a time', 'data-key': 'play' }),
        button('Step', () => this.to(place + 1), { disabled: none || atEnd, 'data-key': 'step' }),
        button('Next', () => this.next(), { disabled: none || atEnd, title: 'Skip nested lines', 'data-key': 'next' }),
        button('To the end', () => this.to(this.all.length), { disabled: none || atEnd, 'data-key': 'last' }),
      ),
      h('span', { class: 'soft count' }, none ? '' : `line ${place} of ${this.all.length}`),
      this.players(),
      h('label', null, dice, ' I roll the dice'),
    );
    put(
      this.more,
      button('Undo', () => this.takeBack(), { disabled: !this.hand.answered, title: 'Undo the last decision or roll', 'data-key': 'take-back' }),
      button('Roll again', () => this.anew(this.seed + 1), { 'data-key': 'other' }),
      h('label', null, 'seed ', seed),
      h('label', { title: 'Show every event instead of the story' }, full, ' every event'),
      button('Save …', () => void this.save(), { disabled: none, title: 'Save as test', 'data-key': 'save' }),
    );
  }

  /** Shows the players that the user can decide for. */
  private players(): Child {
    const units = this.start.value.value?.units ?? [];
    const { who } = this.hand;
    // a thing without an owner decides for itself
    const own = units.filter((unit) => !unit.side && (this.deciders.has(unit.id) || who.mine.has(unit.id))).map((unit) => unit.id);
    const players = [...new Set([...units.map((unit) => unit.side).filter(Boolean), ...own])];
    if (!players.length) return null;
    const box = (player: string): Child => {
      const each = h('input', { type: 'checkbox', checked: who.mine.has(player), 'data-key': `as-${player}` });
      each.onchange = () => this.change({ ...who, mine: new Set([...who.mine, player].filter((other) => other !== player || each.checked)) });
      return h('label', null, each, ` ${player}`);
    };
    return h('span', { class: 'group', role: 'group', 'aria-label': 'I decide for' }, 'I decide for ', players.map(box));
  }

  private drawTrace(): void {
    const from = Math.max(0, this.at - MOST);
    const upTo = this.all.slice(from, this.at);
    // an inserted line does not mark the lines below it as changed
    const parted = this.before ? this.parted : [];
    const gone = new Map(parted.map(({ at, before, after }) => [at + after.length, before.slice(after.length)]));
    const came = new Map(parted.flatMap(({ at, before, after }) => after.map((_, n): [number, string | undefined] => [at + n, before[n]])));
    const line = (event: TraceLine, n: number): HTMLElement => {
      const at = from + n;
      const [other, old] = [came.has(at), came.get(at)];
      const [open, unfolds] = [this.open.has(event.from ?? -1), !this.full && event.event !== 'heading'];
      const each = h(
        'li',
        { class: `ev-${event.event.replace(/[^a-z]/g, '')} ${other ? 'changed' : ''} ${at >= this.fresh ? 'fresh' : ''} ${this.picked === at || (this.picked === null && at === this.at - 1) ? 'now' : ''}`, style: `--depth:${Math.min(event.depth, 8)}`, tabindex: at === (this.picked ?? this.at - 1) ? 0 : -1, 'data-line': at, 'data-key': `line-${at}` },
        h('span', { class: 'told' }, event.gap && h('b', { class: 'gap', title: this.full ? 'A gap in the book decided something' : 'A reading decides this line' }, '! '), event.standIn && h('b', { class: 'gap', title: 'A stand-in: not of the book' }, '~ '), event.who && h('b', null, event.who), event.text.slice(event.who?.length ?? 0), event.title && !event.text.includes(event.title) && h('i', null, ` ${event.title}`)),
        clauses(event.clauses, this.clause),
        other && old && h('span', { class: 'was' }, `was: ${old}`),
        gone.get(at)?.slice(0, MOST_GONE).map((text) => h('span', { class: 'was' }, `deleted: ${text}`)),
        unfolds && open && h('ul', { class: 'behind' }, this.behind(at).map((inner) => h('li', { style: `--depth:${Math.min(inner.depth, 8)}` }, h('span', { class: 'told' }, inner.text), clauses(inner.clauses, this.clause)))),
      );
      each.onclick = () => {
        if (unfolds && event.from !== undefined && !this.open.delete(event.from)) this.open.add(event.from);
        this.pick(at);
      };
      return each;
    };
    const none = !this.model.scene.value;
    this.hint.hidden = !none && (!this.seen || this.at > 0 || this.all.length === 0);
    this.hint.textContent = none ? 'No scenario uses these rules yet. To create one, use the tab Odds.' : `${this.all.length} ${this.full ? 'events' : 'lines'}. Press Play to show them one by one, or Step for the next one. The table and the text follow.`;
    put(this.trace, from > 0 && h('li', { class: 'soft' }, `${from} earlier lines`), upTo.map(line));
    const { misfit, fault } = this.seen ?? {};
    if (misfit) this.trace.append(h('li', { class: 'misfit' }, h('span', null, 'From here on your answers no longer fit: ', inline(misfit.why.replace(/\.$/, '')), '. Answer again below, or ', button('continue from here', () => ((this.hand.script.length = misfit.at), this.again(Infinity)), { class: 'link' }), '.')));
    if (fault && this.at >= this.all.length) this.trace.append(h('li', { class: 'misfit' }, fault));
    this.reveal();
  }

  /** Scrolls the current line into view, inside the trace only. */
  private reveal(): void {
    const { trace } = this;
    const now = trace.querySelector<HTMLElement>('.now');
    if (this.seen?.misfit) trace.scrollTop = trace.scrollHeight;
    else if (now && (now.offsetTop < trace.scrollTop || now.offsetTop + now.offsetHeight > trace.scrollTop + trace.clientHeight)) trace.scrollTop = now.offsetTop - trace.clientHeight + now.offsetHeight + 24;
  }

  private lightUp(event: TraceLine, focus: boolean): void {
    const before = this.tableAt(Math.max(0, this.all.indexOf(event)));
    const trails = (event.moved ?? []).flatMap(({ unit, x, y }) => {
      const from = before?.units.find((each) => each.id === unit);
      return from?.x === undefined || from.y === undefined ? [] : [{ unit, from: [from.x, from.y] as [number, number], to: [x, y] as [number, number] }];
    });
    this.board.light(event.touches ?? [], trails);
    if (event.place) {
      this.lit = { look: { ...event.place, focus: false }, text: event.text };
      this.model.look.value = this.lit.look;
    } else this.dark(true);
    if (focus) announce(event.text);
  }

  /** Removes the highlight of this run, unless something else has replaced it. */
  dark(units = false): void {
    if (!units) this.board.light([]);
    if (this.lit && this.model.look.value === this.lit.look) this.model.look.value = null;
    this.lit = null;
  }

  /** Marks the trace lines of the rule at the cursor. */
  online(path: string, line: number): void {
    for (const each of this.trace.querySelectorAll('[data-line]')) {
      const place = this.all[Number(each.getAttribute('data-line'))]?.place;
      each.classList.toggle('here', place?.path === path && place.range.start.line <= line && place.range.end.line >= line);
    }
  }

  /** Marks the trace lines that affect a unit. */
  private about(unit: string | null): void {
    for (const each of this.trace.querySelectorAll('[data-line]')) each.classList.toggle('touched', unit !== null && (this.all[Number(each.getAttribute('data-line'))]?.touches?.includes(unit) ?? false));
  }

  private clause = (clause: { id: string; says: string; place?: any }): void => {
    if (clause.place) this.model.look.value = { ...clause.place, focus: false };
    this.model.notice.value = `${clause.id}: ${clause.says}`;
  };

  private drawWaits(): void {
    const { seen } = this;
    const left = this.all.length - this.place;
    // a question at the end stays while the user selects an earlier line
    if (!seen?.waits || this.at < this.all.length) return this.asked.clear(seen && left > 0 && this.place > 0 ? h('p', { class: 'soft' }, `${left} more lines until ${seen.ended ? 'the end' : 'the next question'}.`) : seen?.ended && left <= 0 && h('p', { class: 'soft' }, 'The run is finished.'));
    const { value, running } = this.ahead.value;
    this.asked.draw(seen, value, running, this.after.value.value, this.hand.script.length);
  }

  /** Returns the title of a unit, or another name as words. */
  private called(id: string): string {
    const unit = this.start.value.value?.units.find((each) => each.id === id);
    return unit ? unit.title || id : inWords(id);
  }

  /** Returns the table after `at` lines: the start with all moves and changes since. */
  private tableAt(at: number): Table | null {
    const start = this.start.value.value;
    if (at >= this.all.length && this.seen?.table) return this.seen.table;
    if (!start) return null;
    const units = new Map(start.units.map((unit) => [unit.id, { ...unit, figures: unit.figures.map((figure) => ({ ...figure })), statuses: [...unit.statuses] }]));
    const last = this.all[at - 1]?.n ?? -1;
    for (const event of this.seen?.events ?? []) {
      if (event.n > last) break;
      for (const { unit, x, y, facing } of event.moved ?? []) {
        const moved = units.get(unit);
        if (moved) [moved.x, moved.y, moved.facing] = [x, y, facing ?? moved.facing];
      }
      for (const { unit, figure, after } of event.wrote ?? []) {
        const wrote = units.get(unit ?? '')?.figures.find((each) => each.name === figure);
        if (wrote) wrote.value = after;
      }
      const gone = event.event === 'destroyed' ? units.get(event.touches?.[0] ?? '') : undefined;
      if (gone) gone.alive = false;
    }
    return { ...start, units: [...units.values()] };
  }

  private drawBoard(): void {
    this.board.show(this.tableAt(this.place));
  }

  private drawFoot(): void {
    const changed = this.before ? this.changes() : 0;
    const parts: Child[] = [];
    if (this.before && !this.seen?.misfit) parts.push(h('p', { class: changed ? 'note' : 'soft' }, changed ? `After your edit, ${changed} ${changed === 1 ? 'line is' : 'lines are'} different, with the same dice and decisions. ` : 'After your edit, the run is the same. ', changed > 0 && button('Save as test …', () => void this.save(), { class: 'link' })));
    if (this.seen?.report?.length && this.place >= this.all.length) parts.push(h('p', { class: 'soft' }, this.seen.report.map((each) => `${named(each)}: ${each.value}`).join(' · ')));
    put(this.foot, parts);
  }

  private keys(event: KeyboardEvent): void {
    const at = this.picked ?? this.at - 1;
    if (event.key === 'Enter' && event.target instanceof HTMLLIElement) {
      event.target.click();
      this.trace.querySelector<HTMLElement>('.now')?.focus();
    }
    const to = event.key === 'ArrowUp' ? at - 1 : event.key === 'ArrowDown' ? at + 1 : event.key === 'Home' ? 0 : event.key === 'End' ? this.at - 1 : null;
    if (to === null) return;
    event.preventDefault();
    this.pick(Math.max(0, Math.min(this.at - 1, to)));
    this.trace.querySelector<HTMLElement>('.now')?.focus();
  }

  private async save(): Promise<void> {
    const { model } = this;
    const folder = model.scene.value.replace(/[^/]*$/, '');
    const path = await ask('Save as test', `A scenario with these dice and decisions. If the run is finished, the scenario also expects its result. It is saved in ${folder}. Name:`, 'by-hand');
    const name = path?.split('/').pop()?.replace(/\.toml$/, '').trim().toLowerCase().replace(/\s+/g, '-');
    if (!name) return;
    if (!goodPath(`${folder}${name}.toml`)) {
      model.notice.value = 'A name consists of lower-case letters, digits, - and _.';
      return;
    }
    if (model.paths().includes(`${folder}${name}.toml`) && !(await confirm('Replace the file?', `${folder}${name}.toml already exists.`, 'Replace'))) return;
    // stop other computations in the meantime
    this.ahead.clear();
    try {
      const { path, text, notes } = await model.engine.ask('grognard/save', { path: model.scene.value, settings: model.settings.value, seed: this.chosen ?? undefined, ...this.hand.params, name });
      // the new file is not an edit of the current run
      this.saving = true;
      await model.write(path, text);
      await model.readShelf();
      model.notice.value = [`${path} was saved`, ...notes].join('; ');
    } catch (why) {
      model.notice.value = (why as Error).message;
    }
    this.saving = false;
    this.edits = model.edits;
  }
}
