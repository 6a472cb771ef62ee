// Curves and heat maps: the report of the scenario over every value of one or two dials, and the readings ranked by their effect.

import { button, draw, h, put, type Child } from '../dom';
import { FIRST } from '../first';
import type { Live } from '../live';
import type { Model } from '../model';
import { among, certainty, count, decimal, named, percent, plain, shown as formatted } from '../numbers';
import type { Measure, Readings, Sweep, Table } from '../protocol';
import { judged, readAs, status, titled } from '../widgets';
import { sidesOf } from './board';
import { Chart, type Spot } from './chart';
import { Overlay } from './overlay';

/** Pairs of runs of the first ranking. */
const FEW = 40;

/** The chance at which neither side is favored. */
const EVEN = 0.5;

export class CurvesView {
  readonly element: HTMLElement;
  private readonly dials: Live<'grognard/dials'>;
  private readonly sweep: Live<'grognard/sweep'>;
  private readonly readings: Live<'grognard/readings'>;
  /** For the colors: a measure has the color of the side that owns its unit. */
  private readonly table: Live<'grognard/table'>;
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly rank = h('p', { class: 'status', role: 'status' });
  private readonly first = h('select', { 'aria-label': 'Vary' });
  private readonly second = h('select', { 'aria-label': 'and vary' });
  private readonly chosen = h('select', { 'aria-label': 'Measure in the heat map' });
  private readonly place = h('div', { class: 'plots' });
  private readonly ranked = h('div');
  private readonly stop: HTMLElement;
  private readonly charts = { chance: new Chart(), mean: new Chart() };
  private readonly overlay: Overlay;
  private measure = '';
  /** Whether the readings are ranked, first from a few runs and then from all, until the user stops it. */
  private ranking = false;
  private few = true;
  /** The revision that the ranking belongs to. */
  private of = 0;

  constructor(private readonly model: Model) {
    const scenario = () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value } : null);
    this.dials = model.live('grognard/dials', scenario);
    this.sweep = model.live('grognard/sweep', () => {
      const dials = [this.first.value, this.second.value].filter(Boolean);
      const given = scenario();
      return given && dials.length ? { ...given, dials: [...new Set(dials)] } : null;
    }, (before, part: { points: Sweep['points'] | Sweep['points'][number]; open: number }) => ({ points: [...(before?.points ?? []), ...(Array.isArray(part.points) ? part.points : [part.points])], open: part.open }));
    this.readings = model.live('grognard/readings', () => {
      const given = scenario();
      return given && { ...given, ...(this.few && { runs: FEW }) };
    });
    this.table = model.live('grognard/table', scenario);
    const again = () => {
      this.sweep.clear();
      this.sweep.refresh();
    };
    this.first.onchange = again;
    this.second.onchange = again;
    this.chosen.onchange = () => {
      this.measure = this.chosen.value;
      this.draw();
    };
    this.overlay = new Overlay(model);
    const rank = button('Which readings matter?', () => this.rankThem(true), { 'data-key': 'rank' });
    const stop = (this.stop = button('Stop', () => this.rankThem(false), { hidden: true, 'data-key': 'stop' }));
    this.element = h('div', { class: 'view curves' }, h('div', { class: 'tools' }, h('label', null, 'Vary ', this.first), h('label', null, ' and ', this.second), this.chosen), this.state, this.place, this.overlay.element, h('h2', null, 'Readings'), h('p', { class: 'buttons' }, rank, stop), this.rank, this.ranked);
    this.dials.on(() => {
      this.options();
      this.draw();
    });
    this.sweep.on(() => this.draw());
    this.table.on(() => this.draw());
    this.readings.on((shown) => {
      this.drawRanked();
      if (!this.few || !shown.value || shown.running || shown.stale) return;
      this.few = false;
      this.readings.refresh();
    });
    model.scene.on(() => this.rankThem(false));
    // a ranking is expensive: an edit stops it, and only the user starts it again
    model.revision.on(() => (this.ranking ? this.rankThem(false) : this.drawRanked()));
  }

  show(awake: boolean): void {
    this.dials.show(awake);
    this.sweep.show(awake);
    this.overlay.show(awake);
    this.table.show(awake);
    this.readings.show(awake && this.ranking);
  }

  private rankThem(ranking: boolean): void {
    if (ranking) this.readings.clear();
    this.ranking = ranking;
    this.few = true;
    this.readings.show(ranking);
    if (ranking) {
      this.of = this.model.revision.value;
      this.readings.refresh();
    }
    this.drawRanked();
  }

  private options(): void {
    const { value } = this.dials.value;
    if (!value) return;
    const params = value.params.filter((dial) => dial.sweep.length > 1);
    const list = (none: string | null, now: string) => [
      none !== null && h('option', { value: '' }, none),
      h('optgroup', { label: 'Params' }, params.map((dial) => h('option', { value: dial.name, selected: dial.name === now }, titled(dial)))),
      h('optgroup', { label: 'Readings' }, value.readings.map((dial) => h('option', { value: dial.name, selected: dial.name === now }, titled(dial)))),
    ];
    const first = this.first.value || (params.find((dial) => dial.name === FIRST.dial) ?? params.find((dial) => dial.scenario !== undefined) ?? params[0])?.name || '';
    const before = this.first.value;
    const second = this.second.value;
    put(this.first, list(null, first));
    this.first.value = first;
    put(this.second, list('nothing else', second));
    this.second.value = second;
    if (first !== before) this.sweep.refresh();
  }

  private draw(): void {
    const shown = this.sweep.value;
    const { value } = shown;
    const done = value?.points.length ?? 0;
    status(this.state, shown, this.model, value?.open ? `computing: ${done} of ${done + value.open} values` : 'computing the report at each value', this.sweep);
    if (!value?.points.length) {
      this.chosen.hidden = true;
      return put(this.place);
    }
    this.place.className = `plots ${shown.older ? 'stale' : ''}`;
    const names = Object.keys(value.points[0]!.at);
    this.chosen.hidden = names.length < 2;
    draw(this.place, [value, this.dials.value.value, this.table.value.value, this.measure], () => (names.length > 1 ? this.heat(value, names[0]!, names[1]!) : this.curves(value, names[0] ?? '')));
  }

  private title(name: string): string {
    const dials = this.dials.value.value;
    const found = [...(dials?.params ?? []), ...(dials?.readings ?? [])].find((dial) => dial.name === name);
    return found ? titled(found) : name;
  }

  /** Returns the current value of a dial, in the form of the points. */
  private now(name: string): string {
    const dials = this.dials.value.value;
    return plain([...(dials?.params ?? []), ...(dials?.readings ?? [])].find((dial) => dial.name === name)?.value ?? '');
  }

  /** Returns all values that a sweep has or will have, so that an axis covers them from the start. */
  private stops(name: string, points: Sweep['points']): string[] {
    const dials = this.dials.value.value;
    const known = dials?.params.find((dial) => dial.name === name)?.sweep ?? dials?.readings.find((dial) => dial.name === name)?.alternatives.map((each) => each.name) ?? [];
    const found = [...new Set(points.map((point) => point.at[name] ?? ''))];
    return found.every((each) => known.includes(each)) ? known : found;
  }

  /** Describes how the numbers were found, with their sample size. */
  private how(value: Sweep): Child {
    const all = value.points.flatMap((point) => point.measures.flatMap((measure) => measure.value ?? []));
    const sampled = all.filter((each) => each.label !== 'exact');
    const runs = Math.max(0, ...sampled.map((each) => each.runs ?? 0));
    const each = runs ? `${count(runs)} per point` : 'runs';
    return h('p', { class: 'soft' }, !sampled.length ? 'All points are exact.' : `${sampled.length < all.length ? 'Some points are exact, the others are' : 'All points are'} sampled, ${each}: the band around a line is its 95 % confidence interval.`);
  }

  /** Draws chances in one plot and means in another, each with a common scale. */
  private curves(value: Sweep, name: string): Child {
    const { points } = value;
    const plots = (['chance', 'mean'] as const).map((sort) => {
      const measures = (points[0]?.measures ?? []).filter((measure) => measure.sort === sort && measure.value);
      if (measures.length) this.plot(this.stops(name, points), points, measures, name, sort);
      return measures.length > 0 && this.charts[sort].element;
    });
    return [plots, this.how(value), this.inWords(value, name)];
  }

  private plot(labels: string[], found: Sweep['points'], measures: Measure[], name: string, sort: 'chance' | 'mean'): void {
    const colours = coloursOf(measures, this.table.value.value);
    const points = labels.map((label) => found.find((point) => point.at[name] === label));
    const numbers = labels.map((label) => Number.parseFloat(label));
    const spot = (measure: Measure, value = measure.value): Spot | null => value ? { y: value.estimate, ...(value.label !== 'exact' && { low: value.low, high: value.high }), fraction: value.fraction, text: formatted(measure, value), more: certainty(measure, value), label: value.label } : null;
    const curves = measures.map((measure, n) => ({ name: named(measure), colour: colours[n]!, spots: points.map((point) => { const own = point?.measures.find((each) => each.measure === measure.measure); return own ? spot(own) : null; }) }));
    const ends = curves.flatMap(({ spots }) => spots.flatMap((each) => (each ? [each.low ?? each.y, each.high ?? each.y] : [])));
    const share = sort === 'chance';
    const rise = numbers.every((x, n) => Number.isFinite(x) && (n === 0 || x > numbers[n - 1]!));
    this.charts[sort].show({ title: `${measures.map(named).join(', ')} by ${this.title(name)}`, across: this.title(name), labels, xs: rise ? numbers : undefined, curves, top: share ? 1 : Math.max(0, ...ends) * 1.05 || 1, foot: share ? 0 : Math.min(0, ...ends), share, even: share, now: among(labels, this.now(name)) });
  }

  /** Shows the same as a table, for users who cannot see the curves. */
  private inWords(value: Sweep, name: string): HTMLElement {
    const measures = value.points[0]?.measures ?? [];
    return h(
      'details',
      { class: 'plain-text' },
      h('summary', null, 'Show as table'),
      h('div', { class: 'scroll' }, h('table', null, h('thead', null, h('tr', null, h('th', { scope: 'col' }, this.title(name)), measures.map((measure) => h('th', { scope: 'col' }, named(measure))))), h('tbody', null, value.points.map((point) => h('tr', null, h('th', { scope: 'row' }, point.at[name]), point.measures.map((measure) => h('td', null, measure.value ? [formatted(measure, measure.value), ' ', h('small', { class: 'soft' }, certainty(measure, measure.value))] : '–'))))))),
    );
  }

  private heat(value: Sweep, across: string, down: string): Child {
    const measures = value.points[0]?.measures.filter((measure) => measure.value) ?? [];
    if (!measures.some((measure) => measure.measure === this.measure)) this.measure = (measures.find((measure) => measure.sort === 'chance') ?? measures[0])?.measure ?? '';
    put(this.chosen, measures.map((measure) => h('option', { value: measure.measure, selected: measure.measure === this.measure }, named(measure))));
    const [columns, rows] = [this.stops(across, value.points), this.stops(down, value.points)];
    const of = (column: string, row: string) => value.points.find((point) => point.at[across] === column && point.at[down] === row)?.measures.find((measure) => measure.measure === this.measure);
    const all = value.points.flatMap((point) => point.measures.filter((measure) => measure.measure === this.measure).map((measure) => measure.value?.estimate ?? 0));
    const chance = measures.find((measure) => measure.measure === this.measure)?.sort === 'chance';
    const [least, most] = chance ? [0, 1] : [Math.min(...all), Math.max(...all)];
    // a line runs between cells where a chance crosses one half
    const parts = (one: Measure | undefined, other: Measure | undefined) => chance && one?.value && other?.value && one.value.estimate >= EVEN !== other.value.estimate >= EVEN;
    const cell = (column: string, row: string): Child => {
      const measure = of(column, row);
      if (!measure?.value) return h('td', { class: 'open' }, '…');
      const shade = Math.round(((measure.value.estimate - least) / (most - least || 1)) * 100);
      const left = of(columns[columns.indexOf(column) - 1] ?? '', row);
      const above = of(column, rows[rows.indexOf(row) - 1] ?? '');
      return h('td', { style: `--shade:${shade}%`, class: `${shade > 55 ? 'dark' : ''} ${parts(measure, left) ? 'even-left' : ''} ${parts(measure, above) ? 'even-above' : ''} ${plain(column) === this.now(across) && plain(row) === this.now(down) ? 'now' : ''}`, title: `${certainty(measure, measure.value)} (${measure.value.label}${measure.value.runs ? `, ${count(measure.value.runs)}` : ''})` }, formatted(measure, measure.value));
    };
    const number = (of: number) => (chance ? percent(of, 0) : decimal(of));
    const legend = h('div', { class: 'soft' }, this.how(value), h('p', { class: 'legend' }, number(least), h('span', { class: 'ramp', 'aria-hidden': 'true' }), number(most), chance && h('span', null, ' – the thick line runs where the chance crosses 50 %'), columns.some((each) => plain(each) === this.now(across)) && rows.some((each) => plain(each) === this.now(down)) && h('span', null, ' – the frame marks the current values')));
    return [
      h('div', { class: 'scroll' }, h('table', { class: 'heat' }, h('caption', null, `${this.title(across)} across, ${this.title(down)} down`), h('thead', null, h('tr', null, h('td'), columns.map((column) => h('th', { scope: 'col' }, column)))), h('tbody', null, rows.map((row) => h('tr', null, h('th', { scope: 'row' }, row), columns.map((column) => cell(column, row))))))),
      legend,
    ];
  }

  private drawRanked(): void {
    const shown = this.readings.value;
    status(this.rank, shown, this.model);
    const { value } = shown;
    const going = this.ranking && shown.running;
    this.stop.hidden = !going;
    const pairs = value?.finding?.pairs;
    // exact numbers have no runs
    if (value && pairs && !shown.why) put(this.rank, going ? `computing: ranked from ${pairs} of ${count(value.all, 'pairs of runs so far')}` : `Ranked from ${count(pairs, 'pairs of runs')}${pairs < value.all ? ', then stopped' : ''}${this.of === this.model.revision.value ? '' : '. This is an older result: texts or parameters have changed since'}.`);
    this.ranked.className = value && this.of !== this.model.revision.value ? 'stale' : '';
    if (!value) return put(this.ranked);
    // the sweep above has the same measures and distinguishes chances from means
    const measures = this.sweep.value.value?.points[0]?.measures ?? [];
    const isChance = (name: string) => measures.find((measure) => measure.measure === name)?.sort === 'chance';
    const signed = (measure: string, of: number) => `${of < 0 ? '−' : '+'}${isChance(measure) ? percent(Math.abs(of)).replace(' %', ' points') : decimal(Math.abs(of))}`;
    const moves = (reading: Readings['readings'][number]) => reading.effects.some((effect) => effect.difference.estimate !== 0);
    const one = (reading: Readings['readings'][number]) =>
      h(
        'li',
        null,
        h('span', { class: 'what' }, reading.title || reading.name),
        h('span', { class: 'soft' }, ` read as “${readAs(this.dials.value.value, reading.name, reading.alternative)}”`),
        h('ul', { class: 'plain' }, reading.effects.filter((effect) => effect.difference.estimate !== 0).map((effect) => h('li', { class: 'soft' }, `${named(effect)}: ${signed(effect.measure, effect.difference.estimate)}, `, judged(effect.verdict)))),
      );
    const still = value.readings.filter((reading) => !moves(reading));
    put(
      this.ranked,
      h('ol', { class: 'ranked' }, value.readings.filter(moves).map(one)),
      still.length > 0 && h('details', null, h('summary', null, `${still.length} more without an effect in these runs`), h('ul', { class: 'ranked' }, still.map(one))),
      !value.readings.length && !shown.running && h('p', { class: 'soft' }, 'No reading makes a difference here.'),
    );
  }
}

const COLOURS = 6;

/** Returns a color for each measure: that of the side whose unit it names, unless another measure has it, else a free one. */
function coloursOf(measures: Measure[], table: Table | undefined): number[] {
  const sides = sidesOf(table?.units ?? []);
  const used = new Set<number>();
  const own = measures.map((measure) => {
    const words = measure.measure.split(/\W+/);
    const side = sides.indexOf(table?.units.find((unit) => words.includes(unit.id))?.side ?? words.find((word) => sides.includes(word)) ?? '');
    if (side < 0 || used.has(side)) return -1;
    used.add(side);
    return side;
  });
  return own.map((side) => {
    if (side >= 0) return side;
    let next = 0;
    while (used.has(next) && next < COLOURS) next++;
    used.add(next);
    return next % COLOURS;
  });
}
