// A run, line by line: trace, table and text side by side; decisions and dice by hand; back, forth, and replayed after each edit.

import { announce, button, h, put, Signal, type Child } from '../dom';
import { inline } from '../editor/markdown';
import type { Live } from '../live';
import { goodPath } from '../files/files';
import type { Model } from '../model';
import { inWords, named } from '../numbers';
import type { Answer, Option, Played, Table, TraceLine, Waiting } from '../protocol';
import { ask, clauses, confirm, status, titled, worded } from '../widgets';
import { Board } from './board';
import { Lines, type Line } from './lines';
import { refusal } from './table';

/** Milliseconds between lines while it plays by itself. */
const PACE = 700;
/** Lines of a trace that are drawn at once. */
const MOST = 600;

export class RunView {
  readonly element: HTMLElement;
  private readonly played: Live<'grognard/play'>;
  private readonly ahead: Live<'grognard/play/odds'>;
  private readonly start: Live<'grognard/table'>;
  private readonly board: Board;
  private readonly script = new Signal<Answer[]>([]);
  private seed = 1;
  private byHand = false;
  /** Players that the person decides for. */
  private mine = new Set<string>();
  /** So many lines of the trace have been shown. */
  private at = 0;
  /** The trace before the last edit, to say what changed. */
  private before: TraceLine[] | null = null;
  /** How many changes had been made when that one was told. */
  private edits = 0;
  private seen: Played | null = null;
  private picked: number | null = null;
  /** What a line of this run lit in the text, and that line. */
  private lit: { look: Model['look']['value']; text: string } | null = null;
  /** Where a run that begins again stands, where nothing is asked. */
  private stand = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly tried: Lines;
  /** Where the run was left when the page was closed. */
  private left: Left | null = recall();
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly tools = h('div', { class: 'tools' });
  private readonly more = h('div', { class: 'tools more' });
  private readonly trace = h('ol', { class: 'trace', 'aria-label': 'What happened so far' });
  private readonly waits = h('section', { class: 'waits', 'aria-label': 'What it waits for' });
  private readonly foot = h('section', { class: 'run-foot' });
  private readonly hint = h('p', { class: 'note', hidden: true });

  constructor(private readonly model: Model) {
    this.board = new Board({ onpick: (unit) => this.about(unit) });
    this.board.movable = false;
    const params = () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value, seed: this.seed, script: this.script.value, byHand: this.byHand, as: [...this.mine] } : null);
    this.played = model.live('grognard/play', params);
    this.ahead = model.live('grognard/play/odds', () => (this.played.value.value?.waits?.options?.length ? params() : null));
    this.start = model.live('grognard/table', () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value } : null));
    this.tried = new Lines(model, (line) => this.replay(line));
    this.element = h('div', { class: 'view run' }, this.tools, this.state, h('div', { class: 'run-body' }, h('div', { class: 'run-board' }, this.board.element), h('div', { class: 'run-trace' }, this.hint, this.trace, this.waits, this.more)), this.foot, this.tried.element);
    this.played.on((shown) => {
      status(this.state, shown, this.model);
      if (shown.value && shown.value !== this.seen && !shown.stale) this.arrived(shown.value);
      this.element.classList.toggle('stale', shown.stale && !shown.running);
    });
    this.ahead.on(() => this.drawWaits());
    this.start.on(() => {
      this.drawBoard();
      this.drawTools();
    });
    model.scene.on((scene) => {
      this.board.reset();
      this.mine.clear();
      const left = this.left?.scene === scene ? this.left : null;
      if (left) {
        this.mine = new Set(left.mine);
        this.byHand = left.byHand;
      }
      this.restart(left?.seed ?? this.seed);
      if (left) this.script.value = left.script;
    });
    addEventListener('pagehide', () => this.keep());
    this.trace.addEventListener('keydown', (event) => this.keys(event));
    this.drawTools();
  }

  show(awake: boolean): void {
    this.played.show(awake);
    this.start.show(awake);
    this.ahead.show(awake);
    if (!awake) this.pause();
  }

  /** The lines of a trace that say something. */
  private static told(played: Played | null): TraceLine[] {
    return (played?.events ?? []).filter((line) => line.text !== '');
  }

  private get all(): TraceLine[] {
    return this.lines;
  }
  private lines: TraceLine[] = [];

  private arrived(played: Played): void {
    const first = this.seen === null;
    const old = this.seen;
    const before = this.lines;
    const atEnd = old !== null && this.at >= before.length;
    this.seen = played;
    this.lines = RunView.told(played);
    const now = this.lines;
    // what somebody decides for goes on to the first decision; else a run is gone through from its start
    if (first) {
      const { left } = this;
      this.left = null;
      const kept = left?.scene === this.model.scene.value ? left.at : null;
      this.at = Math.min(kept ?? (this.mine.size || this.byHand || this.script.value.length ? Infinity : this.stand), now.length);
      this.stand = 0;
    } else if (this.grown) {
      // an answer was given: on to the next thing that is asked
      this.fresh = Math.min(this.at, now.length);
      this.at = now.length;
      this.grown = false;
      const last = now[this.at - 1];
      if (last) this.lightUp(last, false);
    } else {
      // "stay here": the same place after an edit, with what changed since before it; a dial that follows the text, and runs it
      // again, belongs to the edit
      if (this.edits !== this.model.edits) this.before = old ? before : null;
      this.at = atEnd ? now.length : Math.min(this.at, now.length);
      const changed = this.changes();
      if (changed > 0) announce(`${changed} lines of the run changed`);
    }
    if (this.lit && (played.misfit || now[this.picked ?? this.at - 1]?.text !== this.lit.text)) this.dark();
    this.edits = this.model.edits;
    this.ahead.clear();
    this.ahead.refresh();
    this.draw();
  }
  private grown = false;
  /** Lines from here on came of the last answer. */
  private fresh = Infinity;

  private changes(): number {
    if (!this.before) return 0;
    return this.all.filter((line, n) => this.before![n]?.text !== line.text).length + Math.max(0, this.before.length - this.all.length);
  }

  restart(seed = this.seed): void {
    this.pause();
    this.dark();
    this.seed = seed;
    this.seen = null;
    this.lines = [];
    this.before = null;
    this.at = 0;
    this.fresh = Infinity;
    this.picked = null;
    this.script.value = [];
    this.played.clear();
    this.played.refresh();
    this.draw();
  }

  /**
   * Somebody else decides or throws from now on: the run begins again, and what was answered is kept among the lines that were tried.
   * It stands at what is asked next, else where the person was.
   */
  private anew(change: () => void): void {
    if (this.script.value.length) {
      this.note();
      this.model.notice.value = 'The run begins again. What you answered so far is kept below, under Lines tried.';
    }
    change();
    const { at } = this;
    this.restart();
    this.stand = at;
  }

  private note(): void {
    this.tried.note({ seed: this.seed, script: this.script.value, byHand: this.byHand, mine: [...this.mine] });
  }

  private replay(line: Line): void {
    this.restart(line.seed);
    // the answers fit only who gave them
    if (line.mine) this.mine = new Set(line.mine);
    this.byHand = line.byHand ?? this.byHand;
    this.script.value = line.script;
    this.played.refresh();
  }

  private answer(answer: Answer): void {
    this.note();
    this.ahead.clear();
    this.grown = true;
    this.before = null;
    this.at = this.all.length;
    // what no longer fits after an edit makes way for the answer that does
    this.script.value = [...this.script.value.slice(0, this.seen?.misfit?.at), answer];
    this.played.refresh();
  }

  /** Back to before an answer: a shorter script. */
  private takeBack(): void {
    this.note();
    this.dark();
    this.before = null;
    this.script.value = this.script.value.slice(0, -1);
    this.seen = null;
    this.played.clear();
    this.played.refresh();
    const upTo = this.at;
    const end = this.played.on((shown) => {
      if (!shown.value || shown.running) return;
      end();
      this.at = Math.min(upTo, this.all.length);
      this.draw();
    });
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

  /** To the next line on the outermost level, or to what waits. */
  private next(): void {
    const depth = this.all[this.at]?.depth ?? 0;
    let at = this.at + 1;
    while (at < this.all.length && (this.all[at]?.depth ?? 0) > depth) at++;
    this.to(at);
  }

  private play(): void {
    if (this.timer) return this.pause();
    if (this.at >= this.all.length) this.to(0);
    this.timer = setInterval(() => {
      if (this.at >= this.all.length) return this.pause();
      this.to(this.at + 1);
    }, PACE);
    this.drawTools();
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.drawTools();
  }

  /** Keeps where the run stands. */
  private keep(): void {
    if (!this.seen) return;
    const left: Left = { scene: this.model.scene.value, seed: this.seed, script: this.script.value, at: this.at, byHand: this.byHand, mine: [...this.mine] };
    try {
      localStorage.setItem(LEFT, JSON.stringify(left));
    } catch {
      // then it begins at its start
    }
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
    const dice = h('input', { type: 'checkbox', checked: this.byHand, 'data-key': 'by-hand' });
    dice.onchange = () => {
      this.anew(() => (this.byHand = dice.checked));
    };
    const seed = h('input', { type: 'number', min: 0, max: 999999999, value: this.seed, 'aria-label': 'Seed of the dice', 'data-key': 'seed' });
    seed.onchange = () => this.restart(Math.max(0, Math.round(Number(seed.value)) || 0));
    put(
      this.tools,
      h(
        'div',
        { class: 'group', role: 'group', 'aria-label': 'Go through the run' },
        button('|◀', () => this.to(0), { disabled: none || this.at === 0, 'aria-label': 'To the start', title: 'To the start', 'data-key': 'first' }),
        button('◀', () => this.to(this.at - 1), { disabled: none || this.at === 0, 'aria-label': 'A line back', title: 'A line back', 'data-key': 'back' }),
        button(this.timer ? 'Pause' : '▶ Play', () => this.play(), { class: 'main', disabled: none, 'aria-label': this.timer ? 'Pause' : 'Play', title: this.timer ? 'Pause' : 'Play, a line at a time', 'data-key': 'play' }),
        button('Step', () => this.to(this.at + 1), { disabled: none || this.at >= this.all.length, 'data-key': 'step' }),
        button('Next', () => this.next(), { disabled: none || this.at >= this.all.length, title: 'Over what lies inside', 'data-key': 'next' }),
        button('To the end', () => this.to(this.all.length), { disabled: none || this.at >= this.all.length, 'data-key': 'last' }),
      ),
      h('span', { class: 'soft count' }, none ? '' : this.picked !== null ? `line ${this.picked + 1} of ${this.all.length}` : `line ${this.at} of ${this.all.length}`),
      this.players(),
      h('label', null, dice, ' I throw the dice'),
    );
    put(
      this.more,
      button('Take back', () => this.takeBack(), { disabled: this.script.value.length === 0, title: 'The last decision or throw', 'data-key': 'take-back' }),
      button('Other dice', () => this.restart(this.seed + 1), { 'data-key': 'other' }),
      h('label', null, 'seed ', seed),
      button('Save as a test …', () => void this.save(), { disabled: none, 'data-key': 'save' }),
    );
  }

  /** Who the person decides for. */
  private players(): Child {
    const players = this.seen?.players ?? [...new Set((this.start.value.value?.units ?? []).map((unit) => unit.side).filter(Boolean))];
    if (!players.length) return null;
    const box = (player: string): Child => {
      const each = h('input', { type: 'checkbox', checked: this.mine.has(player), 'data-key': `as-${player}` });
      each.onchange = () => {
        this.anew(() => (each.checked ? this.mine.add(player) : this.mine.delete(player)));
      };
      return h('label', null, each, ` ${player}`);
    };
    return h('span', { class: 'group', role: 'group', 'aria-label': 'I decide for' }, 'I decide for ', players.map(box));
  }

  private drawTrace(): void {
    const from = Math.max(0, this.at - MOST);
    const upTo = this.all.slice(from, this.at);
    const line = (event: TraceLine, n: number): HTMLElement => {
      const at = from + n;
      const old = this.before?.[at];
      const other = this.before !== null && old?.text !== event.text;
      const each = h(
        'li',
        { class: `ev-${event.event.replace(/[^a-z]/g, '')} ${other ? 'changed' : ''} ${at >= this.fresh ? 'fresh' : ''} ${this.picked === at || (this.picked === null && at === this.at - 1) ? 'now' : ''}`, style: `--depth:${Math.min(event.depth, 8)}`, tabindex: at === (this.picked ?? this.at - 1) ? 0 : -1, 'data-line': at, 'data-key': `line-${at}` },
        h('span', { class: 'told' }, event.gap && h('b', { class: 'gap', title: 'A gap in the book decided something' }, '! '), event.text, event.title && !event.text.includes(event.title) && h('i', null, ` ${event.title}`)),
        clauses(event.clauses, this.clause),
        other && old && h('span', { class: 'was' }, `was: ${old.text}`),
      );
      each.onclick = () => {
        this.picked = at;
        this.lightUp(event, true);
        this.drawTools();
        this.drawTrace();
      };
      return each;
    };
    this.hint.hidden = !this.seen || this.at > 0 || this.all.length === 0;
    this.hint.textContent = `${this.all.length} lines wait to be told. Play goes through them one by one, Step takes the next; table and text follow.`;
    put(this.trace, from > 0 && h('li', { class: 'soft' }, `${from} lines before`), upTo.map(line));
    const { misfit, fault } = this.seen ?? {};
    if (misfit) this.trace.append(h('li', { class: 'misfit' }, h('span', null, 'From here your answers no longer fit: ', inline(misfit.why), ' Answer anew below, or ', button('go on from here', () => ((this.script.value = this.script.value.slice(0, misfit.at)), this.played.refresh()), { class: 'link' }), '.')));
    if (fault && this.at >= this.all.length) this.trace.append(h('li', { class: 'misfit' }, fault));
    // inside the trace alone, so that nothing else moves
    const now = this.trace.querySelector<HTMLElement>('.now');
    if (misfit) this.trace.scrollTop = this.trace.scrollHeight;
    else if (now && (now.offsetTop < this.trace.scrollTop || now.offsetTop + now.offsetHeight > this.trace.scrollTop + this.trace.clientHeight)) this.trace.scrollTop = now.offsetTop - this.trace.clientHeight + now.offsetHeight + 24;
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

  /** What lit the text is gone, and so is the light, if nothing else lit it since. */
  dark(units = false): void {
    if (!units) this.board.light([]);
    if (this.lit && this.model.look.value === this.lit.look) this.model.look.value = null;
    this.lit = null;
  }

  /** The trace lines of a rule that somebody looks at in the text. */
  online(path: string, line: number): void {
    for (const each of this.trace.querySelectorAll('[data-line]')) {
      const place = this.all[Number(each.getAttribute('data-line'))]?.place;
      each.classList.toggle('here', place?.path === path && place.range.start.line <= line && place.range.end.line >= line);
    }
  }

  /** Trace lines that touched a unit. */
  private about(unit: string | null): void {
    for (const each of this.trace.querySelectorAll('[data-line]')) each.classList.toggle('touched', unit !== null && (this.all[Number(each.getAttribute('data-line'))]?.touches?.includes(unit) ?? false));
  }

  private clause = (clause: { id: string; says: string; place?: any }): void => {
    if (clause.place) this.model.look.value = { ...clause.place, focus: false };
    this.model.notice.value = `${clause.id}: ${clause.says}`;
  };

  private drawWaits(): void {
    const { seen } = this;
    // the question is seen without scrolling: the trace gives way
    this.element.classList.toggle('asks', !!seen?.waits && this.at >= this.all.length);
    if (!seen) return put(this.waits);
    if (this.at < this.all.length) return put(this.waits, this.at > 0 && h('p', { class: 'soft' }, `${this.all.length - this.at} lines more until ${seen.ended ? 'the end' : 'something is asked'}.`));
    if (!seen.waits) return put(this.waits, seen.ended && h('p', { class: 'soft' }, 'The run has ended.'));
    const { waits } = seen;
    const head = this.asked(waits);
    if (waits.sort === 'roll' && waits.dice) return put(this.waits, head, this.diceForm(waits.dice));
    if (waits.point) return put(this.waits, head, this.pointForm());
    if (waits.several) return put(this.waits, head, this.severalForm(waits.options ?? [], waits.several));
    const ahead = this.ahead.value;
    const odds = new Map((ahead.value?.options ?? []).map((option) => [option.line, option.measures]));
    const options = (waits.options ?? []).map((option) => {
      const measures = odds.get(option.line) ?? [];
      const each = button([this.option(option), option.preferred && h('small', null, ' preferred')], () => this.answer({ choose: option.line }), { 'data-key': `option-${option.line}` });
      const show = () => this.board.light(option.touches ?? []);
      each.addEventListener('pointerenter', show);
      each.addEventListener('focus', show);
      return h('li', null, each, clauses(option.clauses, this.clause), measures.slice(0, 3).map((measure) => h('span', { class: 'from-here', title: `${measure.title}, ${measure.label}` }, `${named({ measure: measure.measure })} ${measure.text}`)));
    });
    put(
      this.waits,
      head,
      h('ul', { class: 'plain options' }, options),
      h('p', { class: 'buttons' }, button('As the rules prefer', () => this.answer({ auto: true }), { 'data-key': 'auto' }), ahead.running && h('span', { class: 'soft' }, 'odds of each option: working …')),
      waits.refused?.length ? h('details', null, h('summary', null, `${waits.refused.length} more are refused`), h('ul', { class: 'plain refused' }, waits.refused.map((each) => refusal(each, this.model, this.clause)))) : null,
    );
  }

  /** What is asked, in words: of what rule, whom it is asked, and for whom. */
  private asked({ title, who, of, sort, options }: Waiting): Child {
    const [name = '', roll] = title.split('.').reverse() as [string, string?];
    let depth = Infinity;
    // the innermost rule with a title that the run is still in
    const inside = [...(this.seen?.events ?? [])].reverse().find((event) => event.depth < depth && ((depth = event.depth), event.event === 'enter' && event.title));
    const rule = inside?.title && titled({ title: inside.title, name: '' });
    const asks = sort === 'choose' && options?.length === 2 && options.every(({ line }) => line === 'yes' || line === 'no') ? '?' : '';
    const whom = [who, of !== who && of].filter(Boolean).map((each) => this.called(each as string));
    return [
      h('h3', null, worded(title, inWords(name) + asks), ' ', h('small', null, whom.join(', for '))),
      (rule || roll) && h('p', { class: 'soft' }, sort === 'roll' ? 'a roll of ' : 'asked in ', `“${rule || inWords(roll!)}”`),
    ];
  }

  /** A unit by its title, anything else in words. */
  private called(id: string): string {
    const unit = this.start.value.value?.units.find((each) => each.id === id);
    return unit ? unit.title || id : inWords(id);
  }

  /** An option in words; where the rules have a title for it, it is one already. */
  private option({ line, title }: Pick<Option, 'line' | 'title'>): Child {
    if (title && title !== line) return title;
    return /^\w/.test(line) ? worded(line, this.called(line)) : line;
  }

  private pointForm(): HTMLElement {
    const input = h('input', { type: 'text', placeholder: '12.5 20', 'aria-label': 'A place on the table, in inches: across and up', size: 10, 'data-key': 'point' });
    const give = () => input.value.trim() && this.answer({ choose: input.value.trim() });
    input.addEventListener('keydown', (event) => event.key === 'Enter' && give());
    return h('div', null, h('p', { class: 'buttons' }, input, button('There', give, { class: 'main' }), button('As the rules prefer', () => this.answer({ auto: true }), { 'data-key': 'auto' })));
  }

  private severalForm(options: { line: string; title: string }[], [least, most]: [number, number]): HTMLElement {
    const boxes = options.map((option) => h('input', { type: 'checkbox', value: option.line, 'data-key': `several-${option.line}` }));
    const give = button('These', () => this.answer({ choose: boxes.filter((box) => box.checked).map((box) => box.value).join(', ') }), { class: 'main', 'data-key': 'these' });
    const count = () => {
      const n = boxes.filter((box) => box.checked).length;
      give.disabled = n < least || n > most;
    };
    boxes.forEach((box) => (box.onchange = count));
    count();
    return h('div', null, h('p', { class: 'soft' }, least === most ? `${least} of these` : `${least} to ${most} of these`), h('div', { class: 'choices' }, options.map((option, n) => h('label', null, boxes[n], h('span', null, this.option(option))))), h('p', { class: 'buttons' }, give, button('As the rules prefer', () => this.answer({ auto: true }), { 'data-key': 'auto' })));
  }

  private diceForm(dice: { name: string; die: string; count: number; faces: string[] }): HTMLElement {
    const chosen: string[] = [];
    const line = h('span', { class: 'thrown' }, '–');
    const give = button('These', () => this.answer({ roll: chosen }), { class: 'main', disabled: true, 'data-key': 'give' });
    const change = (): void => {
      line.textContent = chosen.length ? chosen.join(' ') : '–';
      give.disabled = chosen.length !== dice.count;
    };
    const faces = dice.faces.map((face) =>
      button(face, () => {
        if (chosen.length < dice.count) chosen.push(face);
        change();
      }, { class: 'face', 'data-key': `face-${face}` }),
    );
    // many dice are quicker written than clicked; faces of one sign need nothing between them
    const input = h('input', { type: 'text', size: 18, 'aria-label': `The faces of ${dice.count} dice, with spaces between`, placeholder: '6 5 3 1', 'data-key': `written ${this.script.value.length}` });
    input.oninput = () => {
      const apart = dice.faces.every((face) => face.length === 1) ? '' : /[\s,;]+/;
      const words = input.value.split(apart).filter((word) => !/^[\s,;]*$/.test(word));
      const wrong = words.find((word) => !dice.faces.includes(word));
      input.setCustomValidity(wrong !== undefined ? `There is no face ${wrong}` : words.length > dice.count ? `There are ${dice.count} dice` : '');
      input.reportValidity();
      if (input.validity.valid) chosen.splice(0, chosen.length, ...words);
      change();
    };
    input.addEventListener('keydown', (event) => event.key === 'Enter' && !give.disabled && give.click());
    return h(
      'div',
      null,
      h('p', null, dice.die ? dice.name.replaceAll(' of ', ' ') : `${dice.count} drawn`, ': ', line),
      h('p', { class: 'faces' }, faces, dice.count > 1 && h('label', null, 'or ', input)),
      h('p', { class: 'buttons' }, give, button('One less', () => (chosen.pop(), change())), button('Throw them for me', () => this.answer({ auto: true }), { 'data-key': 'throw' })),
    );
  }

  /** The table after so many lines: the start with all moves and changes since. */
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
    this.board.show(this.tableAt(this.at));
  }

  private drawFoot(): void {
    const changed = this.before ? this.changes() : 0;
    const parts: Child[] = [];
    if (this.before && !this.seen?.misfit) parts.push(h('p', { class: changed ? 'note' : 'soft' }, changed ? `After your edit ${changed} ${changed === 1 ? 'line is' : 'lines are'} different, with the same dice and decisions. ` : 'After your edit the same happens. ', changed > 0 && button('Make it a test …', () => void this.save(), { class: 'link' })));
    if (this.seen?.report?.length && this.at >= this.all.length) parts.push(h('p', { class: 'soft' }, this.seen.report.map((each) => `${named(each)}: ${each.value}`).join(' · ')));
    put(this.foot, parts);
  }

  private keys(event: KeyboardEvent): void {
    const at = this.picked ?? this.at - 1;
    const to = event.key === 'ArrowUp' ? at - 1 : event.key === 'ArrowDown' ? at + 1 : event.key === 'Home' ? 0 : event.key === 'End' ? this.at - 1 : null;
    if (to === null) return;
    event.preventDefault();
    this.picked = Math.max(0, Math.min(this.at - 1, to));
    const line = this.all[this.picked];
    if (line) this.lightUp(line, true);
    this.drawTools();
    this.drawTrace();
    this.trace.querySelector<HTMLElement>('.now')?.focus();
  }

  private async save(): Promise<void> {
    const { model } = this;
    const folder = model.scene.value.replace(/[^/]*$/, '');
    const path = await ask('Save as a test', `A scenario with these dice and decisions, which says what came of them, if the run is over. It stands in ${folder} under the name:`, 'by-hand');
    const name = path?.split('/').pop()?.replace(/\.toml$/, '').trim().toLowerCase().replace(/\s+/g, '-');
    if (!name) return;
    if (!goodPath(`${folder}${name}.toml`)) {
      model.notice.value = 'Such names have small letters, digits, - and _.';
      return;
    }
    if (model.paths().includes(`${folder}${name}.toml`) && !(await confirm('Write over it?', `There is a ${folder}${name}.toml already.`, 'Replace it'))) return;
    // nothing else is worked on meanwhile
    this.ahead.clear();
    try {
      const { path, text, notes } = await model.engine.ask('grognard/save', { path: model.scene.value, settings: model.settings.value, seed: this.seed, script: this.script.value, byHand: this.byHand, as: [...this.mine], name });
      await model.write(path, text);
      await model.readShelf();
      model.notice.value = [`${path} was written`, ...notes].join('; ');
    } catch (why) {
      model.notice.value = (why as Error).message;
    }
  }
}

/** A run as it was left. */
interface Left { scene: string; seed: number; script: Answer[]; at: number; byHand: boolean; mine: string[] }
const LEFT = 'grognard-run';

function recall(): Left | null {
  try {
    const left = JSON.parse(localStorage.getItem(LEFT) ?? 'null') as Left | null;
    return left && typeof left.scene === 'string' && Array.isArray(left.script) && Array.isArray(left.mine) && Number.isInteger(left.at) && Number.isInteger(left.seed) ? left : null;
  } catch {
    return null;
  }
}
