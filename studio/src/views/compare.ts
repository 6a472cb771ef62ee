// A against B: what differs between two versions, what becomes of the scenario in each, and the first run that parts them.

import { h, put, type Child } from '../dom';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import { decimal, named, percent } from '../numbers';
import type { Chance, Compared, Effect, TraceLine, Version } from '../protocol';
import { badge, clauses, status } from '../widgets';

type Choice = 'came' | 'now' | 'dials' | `rules:${string}`;

export class CompareView {
  readonly element: HTMLElement;
  private readonly live: Live<'grognard/compare'>;
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly result = h('div');
  private readonly sides: Record<'a' | 'b', HTMLSelectElement>;
  private choice: Record<'a' | 'b', Choice> = { a: 'came', b: 'dials' };

  constructor(private readonly model: Model) {
    this.live = model.live('grognard/compare', () => (model.scene.value ? { path: model.scene.value, a: this.version('a'), b: this.version('b') } : null));
    const select = (side: 'a' | 'b'): HTMLSelectElement => {
      const each = h('select', { 'aria-label': `Version ${side.toUpperCase()}` });
      each.onchange = () => {
        this.choice[side] = each.value as Choice;
        this.live.clear();
        this.live.refresh();
      };
      return each;
    };
    this.sides = { a: select('a'), b: select('b') };
    const { a, b } = this.sides;
    this.element = h('div', { class: 'view compare' }, h('div', { class: 'sides' }, h('label', null, h('b', { class: 'side-a' }, 'A'), a), h('label', null, h('b', { class: 'side-b' }, 'B'), b)), this.state, this.result);
    this.live.on(() => this.draw());
    model.scene.on(() => this.options());
    model.shelf.on(() => this.options());
    model.changed.on(() => this.options());
  }

  show(awake: boolean): void {
    if (awake) this.options();
    this.live.show(awake);
  }

  private options(): void {
    const { model } = this;
    const book = model.book(model.scene.value);
    const rules = (book?.files ?? []).filter((path) => path.endsWith('.rules')).map((path) => path.replace(/\.rules$/, ''));
    const all: [Choice, string][] = [
      ['came', 'as it came with the program'],
      ['now', 'as the texts stand now'],
      ['dials', 'as the texts and the dials stand now'],
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
    if (choice === 'came') return { title, settings: noSettings(), texts: cameTexts(model) };
    return choice === 'now' ? { title, settings: noSettings() } : { title, settings: noSettings(), rules: choice.slice(6) };
  }

  private draw(): void {
    const shown = this.live.value;
    status(this.state, shown);
    const { value, stale } = shown;
    if (!value) return put(this.result);
    this.result.className = stale ? 'stale' : '';
    put(this.result, this.differences(value), h('h2', null, 'What it does'), value.effects.length ? value.effects.map((effect) => effectBlock(effect)) : h('p', { class: 'soft' }, 'This scenario reports nothing that could differ.'), partingBlock(value, this.model));
  }

  private differences(value: Compared): Child {
    const { model } = this;
    if (!value.differences.length) return h('p', { class: 'soft' }, 'A and B are the same rules with the same numbers. Change a text, turn a dial, or choose another version.');
    return [
      h('h2', null, 'What differs'),
      value.differences.length > 1 && h('p', { class: 'soft' }, 'Under Review each change of a text can be asked what it does by itself.'),
      h(
        'ul',
        { class: 'plain differences' },
        value.differences.map((each) => {
          const title = h('button', { type: 'button', class: 'link', disabled: !each.place }, each.title);
          title.onclick = () => each.place && (model.look.value = { ...each.place, focus: false });
          return h('li', null, title, clauses(each.clauses, (clause) => (model.notice.value = `${clause.id}: ${clause.says}`)), each.before !== undefined && h('del', null, each.before), each.after !== undefined && h('ins', null, each.after));
        }),
      ),
    ];
  }
}

/** The texts that were changed, as they came with the program. */
export function cameTexts(model: Model): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const path of model.changed.value) {
    const shipped = model.shipped.get(path);
    if (typeof shipped === 'string') texts[path] = shipped;
  }
  return texts;
}

/** What becomes of one measure: both numbers, the difference with its interval, and both distributions. */
export function effectBlock(effect: Effect): HTMLElement {
  const share = effect.bars.length > 0 && effect.bars.every((bar) => bar.value === 'yes' || bar.value === 'no');
  const number = (chance: Chance): string => (share ? percent(chance.estimate) : decimal(chance.estimate));
  const most = Math.max(...effect.bars.flatMap((bar) => [bar.a, bar.b]), 1e-9);
  const between = effect.difference.low !== undefined && effect.difference.label !== 'exact' ? ` (${share ? percent(effect.difference.low) : decimal(effect.difference.low)} to ${share ? percent(effect.difference.high ?? 0) : decimal(effect.difference.high ?? 0)})` : '';
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
    h('p', { class: 'line' }, h('span', { class: 'what' }, named(effect)), h('span', { class: 'value' }, h('span', { class: 'side-a' }, number(effect.a)), ' → ', h('span', { class: 'side-b' }, number(effect.b))), badge(effect.difference.label)),
    share && [gauge('a', effect.a), gauge('b', effect.b)],
    h('p', { class: 'soft' }, effect.sentence ?? `${effect.verdict}: ${share ? percent(effect.difference.estimate) : decimal(effect.difference.estimate)}${between}`),
    rows.length > 0 && h('details', { open: rows.length <= 12 || undefined }, h('summary', null, 'Both distributions'), h('table', { class: 'distribution' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'value'), h('th', { class: 'wide' }), h('th', { scope: 'col' }, 'A'), h('th', { scope: 'col' }, 'B'))), h('tbody', null, rows))),
  );
}

/** The first run that parts two versions, as both tell it. */
export function partingBlock(value: Compared, model: Model): Child {
  const { parting } = value;
  if (!parting) return null;
  const trace = (name: string, lines: TraceLine[]) =>
    h('div', null, h('h3', null, name), h('ol', { class: 'trace', tabindex: 0 }, lines.map((line, n) => {
      const each = h('li', { class: n >= parting.at ? 'changed' : '', style: `--depth:${Math.min(line.depth, 12)}` }, h('span', { class: 'told' }, line.text), clauses(line.clauses));
      each.onclick = () => line.place && (model.look.value = { ...line.place, focus: false });
      return each;
    })));
  return [h('h2', null, `The first run that parts them (run ${parting.run})`), h('div', { class: 'two' }, trace('A', parting.a), trace('B', parting.b))];
}
