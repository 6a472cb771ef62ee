// A against B: the rule changes between two versions, the effects on the scenario, and the first run in which they diverge.

import { button, h, put, type Child } from '../dom';
import { Alone, all, comparing, linesParted, type One } from '../edits';
import { type Kept, titleOf } from '../files/versions';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import { count, decimal, named, outward, percent, verdict } from '../numbers';
import type { Chance, Compared, Effect, TraceLine, Version } from '../protocol';
import { badge, clauses, judged, status } from '../widgets';

/** Number of differences shown before the fold. */
const MANY = 8;

type Choice = 'came' | 'now' | 'dials' | `rules:${string}` | `version:${number}`;

export class CompareView {
  readonly element: HTMLElement;
  private readonly live: Live<'grognard/compare'>;
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly result = h('div');
  private readonly causes = h('section', { class: 'causes' });
  private readonly alone: Alone;
  /** Number of pairs of runs that the user requested. */
  private runs: number | undefined;
  /** Number of pairs that are shown already. */
  private known: number | undefined;
  /** Number of the current drawing of the causes; outdated drawings are discarded. */
  private turn = 0;
  private readonly sides: Record<'a' | 'b', HTMLSelectElement>;
  private choice: Record<'a' | 'b', Choice> = { a: 'came', b: 'dials' };

  constructor(private readonly model: Model) {
    this.live = model.live('grognard/compare', () => (model.scene.value ? { path: model.scene.value, a: this.version('a'), b: this.version('b'), runs: this.runs, every: this.runs !== undefined, known: this.known } : null));
    const select = (side: 'a' | 'b'): HTMLSelectElement => {
      const each = h('select', { 'aria-label': `Version ${side.toUpperCase()}` });
      each.onchange = () => {
        this.choice[side] = each.value as Choice;
        this.model.look.value = null;
        this.again();
      };
      return each;
    };
    this.sides = { a: select('a'), b: select('b') };
    const { a, b } = this.sides;
    this.element = h('div', { class: 'view compare' }, h('div', { class: 'sides' }, h('label', null, h('b', { class: 'side-a' }, 'A'), a), h('label', null, h('b', { class: 'side-b' }, 'B'), b)), this.state, this.result);
    this.alone = new Alone(model, () => void this.drawCauses());
    this.live.on(() => this.draw());
    model.scene.on(() => this.options());
    // a request for more pairs applies only to the same rules
    model.revision.on(() => (this.runs = this.known = undefined));
    model.shelf.on(() => this.options());
    model.changed.on(() => this.options());
    model.versions.on(() => this.options());
  }

  /** Compares a kept version with the current one. */
  with(version: Kept): void {
    this.choice = { a: `version:${version.at}`, b: 'dials' };
    this.options();
    this.again();
  }

  /** Starts the comparison again. */
  private again(): void {
    this.runs = this.known = undefined;
    this.live.clear();
    this.live.refresh();
  }

  /** Continues the comparison up to `runs` pairs. */
  private goOn(runs: number): void {
    this.runs = runs;
    this.known = this.live.value.value?.finding?.pairs;
    this.live.refresh(true);
  }

  private more = (asked: number): Child => [button('Continue', () => this.goOn(asked), { class: 'link', 'data-key': 'go-on' }), ` until all are decided, with at most ${count(asked, 'pairs')}.`];

  show(awake: boolean): void {
    if (awake) this.options();
    this.live.show(awake);
    if (!awake) this.alone.stop();
  }

  private options(): void {
    const { model } = this;
    const book = model.book(model.scene.value);
    const rules = (book?.files ?? []).filter((path) => path.endsWith('.rules')).map((path) => path.replace(/\.rules$/, ''));
    const all: [Choice, string][] = [
      ['came', model.came],
      ['now', 'current texts, without changed parameters'],
      ['dials', 'current'],
      ...model.versions.here.map((each): [Choice, string] => [`version:${each.at}`, titleOf(each)]),
      ...rules.map((name): [Choice, string] => [`rules:${name}`, `with ${name}`]),
    ];
    for (const side of ['a', 'b'] as const) {
      if (!all.some(([value]) => value === this.choice[side])) this.choice[side] = side === 'a' ? 'came' : 'dials';
      put(this.sides[side], all.map(([value, title]) => h('option', { value, selected: value === this.choice[side] }, title)));
      this.sides[side].value = this.choice[side];
    }
  }

  private version(side: 'a' | 'b'): Version {
    const { model } = this;
    const choice = this.choice[side];
    const title = this.sides[side].selectedOptions[0]?.textContent ?? side;
    if (choice === 'dials') return { title, settings: model.settings.value };
    const version = model.versions.value.find(({ at }) => choice === `version:${at}`);
    if (version) return { title, settings: noSettings(), texts: model.versions.texts(version) };
    if (choice === 'came') return { title, settings: noSettings(), texts: model.before() };
    return choice === 'now' ? { title, settings: noSettings() } : { title, settings: noSettings(), rules: choice.slice(6) };
  }

  private draw(): void {
    const shown = this.live.value;
    const { value } = shown;
    status(this.state, shown, this.model, comparing(shown.part || (this.runs && !shown.older) ? value : undefined), this.live);
    if (!value) return put(this.result);
    this.result.className = shown.older ? 'stale' : '';
    void this.drawCauses();
    const nothing = value.differences.length > 0 && value.differences.every((each) => each.held !== undefined);
    const [first, same] = [this.differences(value), nothing || !value.differences.length];
    put(this.result, same && first, h('h2', null, 'Effects'), value.effects.some((effect) => effect.difference.label !== 'exact') && h('p', { class: 'soft' }, `Both versions play the same runs with the same dice, until ${this.runs ? 'every' : 'the first'} measure is decided. The first measure is tested at 95 %. The others share one error rate, so each of them is tested more strictly. The tab Odds uses more and other runs, so its numbers differ slightly.`), value.effects.length ? effectsBlock(value, shown.running ? null : this.more) : h('p', { class: 'soft' }, nothing ? 'Nothing to compare: no edit has an effect on this table.' : 'The report of this scenario is empty, so there is nothing to compare.'), this.causes, !same && first, partingBlock(value, this.model));
  }

  /** Draws the causes: the effect of each edit by itself next to that of all edits together. */
  private async drawCauses(): Promise<void> {
    const { model } = this;
    const turn = ++this.turn;
    const together = this.live.value.value;
    const explained = this.choice.a === 'came' && this.choice.b === 'dials' && together && together.differences.length > 0;
    const edits = explained ? await all(model, true) : [];
    if (turn !== this.turn) return;
    if (!explained || !edits.length) return put(this.causes);
    const head = h('h2', null, 'Causes');
    // a new or deleted file has effects too, and no text to compare each edit with
    const whole = !this.newFiles.length && !model.deleted.value.size;
    if (edits.length === 1 && whole) return put(this.causes, head, h('p', null, 'There is only one edit, which causes the whole difference.'), h('ul', { class: 'plain' }, h('li', null, this.describe(edits[0]!))));
    const measures = together.effects.map((effect) => ({ measure: effect.measure, title: named(effect) }));
    const { alone } = this;
    const row = (name: Child, found: Compared | string | undefined, state: string | null): Child =>
      h(
        'tr',
        null,
        h('th', { scope: 'row' }, name, typeof found === 'object' && found.finding?.pairs ? h('small', { class: 'soft' }, count(found.finding.pairs, 'pairs of runs')) : null, found && state && h('small', { class: 'soft' }, state)),
        typeof found === 'object' ? measures.map(({ measure }) => h('td', null, differenceOf(found.effects.find((effect) => effect.measure === measure), found))) : h('td', { colspan: measures.length, class: 'soft' }, found ?? state ?? 'not computed'),
      );
    put(
      this.causes,
      head,
      h('p', { class: 'soft' }, 'Each edit by itself, compared with A. The effects of two edits together can differ from the sum of their effects.'),
      h('p', { class: 'buttons' }, alone.working ? button('Stop', () => (alone.stop(), void this.drawCauses()), { 'data-key': 'causes' }) : edits.some((one) => alone.unasked(one)) && button(`Compute each of the ${edits.length} edits`, () => void alone.ask(edits), { class: 'main', 'data-key': 'causes' })),
      h('div', { class: 'scroll' }, h('table', { class: 'caused' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'edit'), measures.map(({ title }) => h('th', { scope: 'col' }, title)))), h('tbody', null, edits.map((one) => row(this.describe(one), alone.of(one), alone.state(one))), row('all together', together, null)))),
    );
  }

  private describe(one: One): Child {
    const { model } = this;
    if (one.dial) return [h('b', null, one.dial.name), ` set to ${one.dial.value}`];
    const { path = '', hunk } = one;
    const at = { line: hunk?.at ?? 0, character: 0 };
    const brief = hunk && inWords(hunk.before, hunk.after);
    const cut = (lines: string[] = []) => (lines[0] ?? '').trim().slice(0, 90) + (lines.length > 1 ? ' …' : '');
    return [
      h('button', { type: 'button', class: 'link', onclick: () => (model.look.value = { path, range: { start: at, end: at }, focus: false }) }, `${path.split('/').pop()} line ${at.line + 1}`),
      brief ? h('p', null, brief) : h('span', { class: 'differences' }, hunk?.before.length ? h('del', null, cut(hunk.before)) : null, hunk?.after.length ? h('ins', null, cut(hunk.after)) : null),
    ];
  }

  /** The user's own rules of this game that have no original. */
  private get newFiles(): string[] {
    const { model } = this;
    return [...model.changed.value].filter((path) => model.base(path) === null && path.endsWith('.rules') && model.concerns(path));
  }

  private differences(value: Compared): Child {
    const { model } = this;
    // a param that follows the text against the scenario is not a separate difference
    const differences = value.differences.filter((each) => each.after === undefined || model.followed.get(each.title) !== each.after || value.differences.length === 1);
    const own = this.newFiles;
    if (!differences.length && own.length) return h('p', { class: 'soft' }, `A and B are the same. New files without an original: ${own.join(', ')}. Accept a file under Review to compare later changes with it.`);
    if (!differences.length) return h('p', { class: 'soft' }, 'A and B have the same rules and parameters. Change a text or a parameter, or select another version.');
    const one = (each: Compared['differences'][number]): Child => {
      const heading = each.title.replaceAll(' -> ', ' → ');
      const title = each.place ? button(heading, () => (model.look.value = { ...each.place!, focus: false }), { class: 'link' }) : h('span', null, heading);
      return h('li', null, title, clauses(each.clauses, (clause) => (model.notice.value = `${clause.id}: ${clause.says}`)), each.before !== undefined && h('del', null, each.before), each.after !== undefined && h('ins', null, each.after), each.held !== undefined && h('p', { class: 'soft' }, each.held));
    };
    const list = (some: typeof differences): Child => h('ul', { class: 'plain differences' }, some.map(one));
    return [h('h2', null, 'Rule changes'), list(differences.slice(0, MANY)), differences.length > MANY && h('details', { 'data-key': 'differences' }, h('summary', null, `${differences.length - MANY} more`), list(differences.slice(MANY)))];
  }
}

/** Summarizes the change of one line: its name, and the words that changed. Returns `null` if that is not possible. */
function inWords(before: string[], after: string[]): string | null {
  if (before.length !== 1 || after.length !== 1) return null;
  const [a, b] = [before[0]!.trim().split(/\s+/), after[0]!.trim().split(/\s+/)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const words = (of: string[]): string => of.slice(head, of.length - tail).join(' ') || '–';
  const summary = `${a.slice(0, Math.min(head, 2)).join(' ')}: ${words(a)} → ${words(b)}`;
  return head > 0 && summary.length <= 90 ? summary : null;
}

/** Returns whether an effect is undecided although its interval excludes 0: it has too few runs for an interim analysis. */
const isUnseen = (effect: Effect): boolean => verdict(effect.verdict).word === 'undecided' && ((effect.difference.low ?? 0) > 0 || (effect.difference.high ?? 0) < 0);
const toldOf = (effect: Effect): HTMLElement => (isUnseen(effect) ? h('span', { class: 'soft' }, 'not tested yet') : judged(effect.verdict));
/** Returns the equivalence margin of the first measure, if its verdict depends on it. */
function margin(effect: Effect, of: Compared): string {
  const within = of.finding?.within;
  const { word } = verdict(effect.verdict);
  if (effect !== of.effects[0] || typeof within !== 'number' || isUnseen(effect)) return '';
  // a measure that cannot vary has no margin
  if (within < 1e-12) return '';
  const size = isShare(effect) ? percent(within).replace(' %', ' points') : decimal(within);
  return word === 'same' ? ` within ${size}` : word === 'undecided' ? ` (the equivalence margin is ${size})` : '';
}
const isShare = (effect: Effect): boolean => effect.bars.length > 0 && effect.bars.every((bar) => bar.value === 'yes' || bar.value === 'no');
const numberOf = (effect: Effect, of: number): string => (isShare(effect) ? percent(of) : decimal(of));
/** Formats a difference with its sign. */
const signed = (effect: Effect, of: number): string => `${of < 0 ? '−' : of > 0 ? '+' : ''}${isShare(effect) ? percent(Math.abs(of)).replace(' %', ' points') : decimal(Math.abs(of))}`;

/** Shows a difference with its verdict. */
function differenceOf(effect: Effect | undefined, of: Compared): Child {
  if (!effect) return '–';
  const same = effect.a.estimate === effect.b.estimate && effect.difference.label === 'exact';
  if (same) return 'the same';
  return [signed(effect, effect.difference.estimate), ' ', toldOf(effect), effect.difference.label === 'exact' ? null : h('small', { class: 'soft' }, ` ${between(effect, of)}`)];
}

/** Returns the confidence interval of a sampled difference. */
function between(effect: Effect, of: Compared): string {
  const { low, high, label } = effect.difference;
  if (label === 'exact' || low === undefined || high === undefined) return '';
  const level = of.finding?.effects?.[of.effects.indexOf(effect)]?.level;
  const share = isShare(effect);
  const ends = outward(low, high, share).map((end) => (end.startsWith('-') ? `−${end.slice(1)}` : Number(end) ? `+${end}` : end));
  return `${ends.join(' to ')}${share ? ' points' : ''}${level ? ` at ${level} %` : ''}`;
}

/** Shows all effects. `more` offers to continue with undecided measures, up to the planned number of pairs. */
export function effectsBlock(value: Compared, more: ((asked: number) => Child) | null): Child {
  const { asked = 0, finding } = value;
  const undecided = value.effects.filter((effect) => verdict(effect.verdict).word === 'undecided');
  const left = undecided.length > 0 && asked > (finding?.pairs ?? asked);
  return [
    value.effects.map((effect) => effectBlock(effect, value)),
    left && more && h('p', { class: 'soft' }, `Undecided after ${count(finding!.pairs!, 'pairs of runs')}: ${undecided.map(named).join(', ')}. `, more(asked)),
  ];
}

/** Shows the effect on one measure: both values, the difference with its interval, and both distributions. */
export function effectBlock(effect: Effect, of: Compared): HTMLElement {
  const share = isShare(effect);
  const number = (chance: Chance): string => numberOf(effect, chance.estimate);
  const exact = effect.difference.label === 'exact';
  const same = effect.a.estimate === effect.b.estimate && exact;
  const pairs = of.finding?.effects?.[of.effects.indexOf(effect)]?.n ?? effect.difference.runs ?? of.finding?.pairs;
  const most = Math.max(...effect.bars.flatMap((bar) => [bar.a, bar.b]), 1e-9);
  const rows = share
    ? []
    : effect.bars.map((bar) =>
        h(
          'tr',
          null,
          h('th', { scope: 'row' }, bar.value),
          h('td', { class: 'wide', 'aria-hidden': 'true' }, h('span', { class: 'track pair' }, h('i', { class: 'a', style: `width:${((bar.a / most) * 100).toFixed(2)}%` }), h('i', { class: 'b', style: `width:${((bar.b / most) * 100).toFixed(2)}%` }))),
          h('td', { class: 'number' }, percent(bar.a)),
          h('td', { class: 'number' }, percent(bar.b)),
        ),
      );
  const gauge = (side: 'a' | 'b', chance: Chance) => h('div', { class: `gauge wide ${side}`, 'aria-hidden': 'true' }, h('i', { style: `width:${(chance.estimate * 100).toFixed(2)}%` }));
  return h(
    'section',
    { class: 'measure' },
    h('p', { class: 'line' }, h('span', { class: 'what' }, named(effect)), h('span', { class: 'value' }, h('span', { class: 'side-a' }, number(effect.a)), ' → ', h('span', { class: 'side-b' }, number(effect.b))), badge(effect.difference, pairs, 'pairs of runs')),
    share && [gauge('a', effect.a), gauge('b', effect.b)],
    h('p', { class: 'soft' }, same ? 'the same, exactly' : [toldOf(effect), margin(effect, of), `: ${signed(effect, effect.difference.estimate)}`, exact ? null : `, ${between(effect, of)}`, effect.sentence ? `. ${effect.sentence}` : null]),
    rows.length > 0 && h('details', { open: rows.length <= 12 || undefined, 'data-key': `bars ${effect.measure}` }, h('summary', null, 'Both distributions'), h('table', { class: 'distribution' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'value'), h('th', { scope: 'col', class: 'wide' }, h('span', { class: 'hidden' }, 'bars')), h('th', { scope: 'col' }, 'A'), h('th', { scope: 'col' }, 'B'))), h('tbody', null, rows))),
  );
}

/** Shows the first run in which two versions diverge, with both traces. */
export function partingBlock(value: Compared, model: Model): Child {
  const { parting } = value;
  if (!parting) return null;
  // a line that recurs after the divergence is not a difference
  const parted = linesParted(parting.a, parting.b);
  const [inA, inB] = [new Set(parted.flatMap(({ from, before }) => before.map((_, n) => from + n))), new Set(parted.flatMap(({ at, after }) => after.map((_, n) => at + n)))];
  const trace = (name: string, lines: TraceLine[], others: ReadonlySet<number>) => {
    const list = h('ol', { class: 'trace', tabindex: 0 }, lines.map((line, n) => {
      const each = h('li', { class: others.has(n) ? 'changed' : '', style: `--depth:${Math.min(line.depth, 12)}` }, h('span', { class: 'told' }, line.text), clauses(line.clauses));
      each.onclick = () => line.place && (model.look.value = { ...line.place, focus: false });
      return each;
    }));
    // scroll each trace to the divergence
    requestAnimationFrame(() => (list.scrollTop = (list.querySelector<HTMLElement>('.changed')?.offsetTop ?? 0) - 60));
    return h('div', null, h('h3', null, name), list);
  };
  return [h('h2', null, `First divergence: run ${parting.run}, the earliest among the first runs that differ`), h('div', { class: 'two' }, trace('A', parting.a, inA), trace('B', parting.b, inB))];
}
