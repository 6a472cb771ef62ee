// The chart of one or two distributions, as a tree that the build writes into the page and that the page draws again.

import { cumulative, decimal, percent } from '../numbers';
import type { Bar, Measure } from '../protocol';

export type Tree = [tag: string, props: Record<string, string | number>, ...children: (Tree | string)[]];
/** The values that a bar includes: one value, or all values from or up to it. */
export type Mode = 'each' | 'at least' | 'at most';
export const MODES: Mode[] = ['each', 'at least', 'at most'];
/** A distribution with its line of the dice box. */
export interface Line { name: string; measure: Measure }

const [WIDE, HIGH, HEAD, FOOT, SIDE] = [320, 110, 12, 16, 14];
/** A longer axis leaves out values at its ends that together are less likely than `RARE`. */
const LONG = 30;
const RARE = 0.001;
/** Maximum number of bars. */
const MOST = 120;

/** Returns the bars of a measure; a chance has the bars `yes` and `no`. */
function barsOf(measure: Measure): Bar[] {
  if (measure.bars) return measure.bars;
  const yes = measure.value?.estimate ?? 0;
  return [{ value: 'yes', chance: { ...measure.value!, estimate: yes } }, { value: 'no', chance: { label: measure.value?.label ?? 'exact', estimate: 1 - yes } }];
}

/** Returns the height of each bar. */
function heights(bars: Bar[], mode: Mode): number[] {
  if (mode === 'each') return bars.map((bar) => bar.chance.estimate);
  return cumulative(bars).map(({ least, most }) => (mode === 'at least' ? least : most));
}

/** Returns the distribution among the measures, else the chance. */
export const main = (measures: Measure[]): Measure | undefined => measures.find((each) => each.bars?.length) ?? measures.find((each) => each.sort === 'chance');

/** Returns the line below the chart: the mean or the chance, and how it was found. */
export function summary(measures: Measure[]): string {
  const of = measures.find(({ sort, value }) => sort !== 'outcome' && value);
  if (!of?.value) return '';
  const { estimate, fraction = '' } = of.value;
  return (of.sort === 'mean' ? `mean ${decimal(estimate)}` : percent(estimate, 2)) + (fraction.includes('/') && !fraction.endsWith('/1') && fraction.length <= 24 ? ` = ${fraction}` : '');
}

/** A chance of a line: its height and its text. */
interface Spot { height: number; text: string }
/** The values of an axis, and the chance of each in each line. */
export class Axis {
  readonly values: string[];
  /** The values that are not shown, and their chance. */
  readonly left: string;
  private readonly spots: Map<string, Spot>[];

  constructor(readonly lines: Line[], readonly mode: Mode) {
    const both = lines.map(({ measure }) => barsOf(measure));
    const all = [...new Set(both.flatMap((bars) => bars.map((bar) => bar.value)))];
    if (all.every((value) => Number.isFinite(Number(value)))) all.sort((a, b) => Number(a) - Number(b));
    const whole = all.every((value) => Number.isSafeInteger(Number(value)));
    /** The length of the axis: whole numbers that cannot occur keep their places. */
    const long = (from: number, to: number): number => (whole ? Number(all[to - 1]) - Number(all[from]) + 1 : to - from);
    const chances = both.map((bars) => new Map(bars.map((bar) => [bar.value, bar.chance.estimate])));
    const chance = (value: string): number => Math.max(...chances.map((of) => of.get(value) ?? 0));
    let [from, to, gone] = [0, all.length, 0];
    while (to - from > 1 && long(from, to) > LONG) {
      const [first, last] = [chance(all[from]!), chance(all[to - 1]!)];
      const least = Math.min(first, last);
      if (gone + least > RARE && to - from <= MOST) break;
      gone += least;
      if (first < last) from++;
      else to--;
    }
    const size = long(from, to);
    this.values = whole && size <= MOST && to > from ? Array.from({ length: size }, (_, n) => String(Number(all[from]) + n)) : all.slice(from, to);
    const range = (some: string[]): string[] => (some.length > 1 ? [`${some[0]} to ${some.at(-1)}`] : some);
    const out = [...range(all.slice(0, from)), ...range(all.slice(to))];
    this.left = out.length ? `Not shown: ${out.join(' and ')}, together ${gone < 0.0001 ? 'less than 0.01 %' : `${(gone * 100).toFixed(2)} %`}.` : '';
    this.spots = both.map((bars) => {
      const tall = heights(bars, mode);
      const texts = bars.map(({ chance }, n) => percent(tall[n]!, 2) + (mode === 'each' && chance.fraction ? `, ${chance.fraction}` : ''));
      const found = new Map(bars.map(({ value }, n) => [value, { height: tall[n]!, text: texts[n]! }]));
      if (!whole || mode === 'each') return found;
      // at least a value that cannot occur is at least the next one
      for (const value of this.values) {
        const next = mode === 'at least' ? bars.findIndex((bar) => Number(bar.value) >= Number(value)) : bars.filter((bar) => Number(bar.value) <= Number(value)).length - 1;
        if (!found.has(value) && next >= 0) found.set(value, { height: tall[next]!, text: texts[next]! });
      }
      return found;
    });
  }

  spot(line: number, value: string): Spot {
    return this.spots[line]!.get(value) ?? { height: 0, text: '0 %' };
  }

  /** Returns the values with the highest bar of each line as text. */
  get highest(): string {
    let several = false;
    const of = this.lines.map(({ name }, line) => {
      const most = Math.max(...this.values.map((value) => this.spot(line, value).height));
      const top = this.values.flatMap((value, n) => (this.spot(line, value).height === most ? [n] : []));
      // neighbours are one range
      const ranges = top.filter((n) => !top.includes(n - 1)).map((from) => [from, top.find((n) => n >= from && !top.includes(n + 1))!] as const);
      const texts = ranges.flatMap(([from, to]) => (to - from > 1 ? [`${this.values[from]} to ${this.values[to]}`] : this.values.slice(from, to + 1)));
      several ||= top.length > 1;
      const shown = texts.length > 4 ? [...texts.slice(0, 3), `${texts.length - 3} more`] : texts;
      return `${this.lines.length > 1 ? `${name}, ` : ''}${this.mode === 'each' ? '' : `${this.mode} `}${[shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ')}: ${this.spot(line, this.values[top[0]!] ?? '').text}`;
    });
    return `Highest bar${several || of.length > 1 ? 's' : ''}: ${of.join('; ')}`;
  }

  /** Returns the chances of a value as text. */
  label(value: string): string {
    const of = this.lines.map(({ name }, n) => (this.lines.length > 1 ? `${name} ` : '') + this.spot(n, value).text);
    return `${this.mode === 'each' ? '' : `${this.mode} `}${value}: ${of.join('; ')}`;
  }
}

/** Draws the distributions of an axis, with a scale and a table of the same numbers. `name` is the text of the picture. */
export function chart(axis: Axis, name: string): Tree[] {
  const { lines, values, mode, left } = axis;
  const step = WIDE / Math.max(1, values.length);
  const heightOf = (line: number, value: string): number => axis.spot(line, value).height;
  const most = Math.max(...values.flatMap((value) => lines.map((_, n) => heightOf(n, value))), 1e-9);
  const drawn = lines.flatMap((_, line) =>
    values.flatMap((value, n): Tree[] => {
      const spot = axis.spot(line, value);
      if (!spot.height) return [];
      const high = (spot.height / most) * HIGH;
      const [from, wide] = lines.length > 1 ? [line * 0.42 + 0.08, 0.42] : [0.1, 0.8];
      return [['rect', { class: `line${line}`, x: ((n + from) * step).toFixed(1), y: (HIGH - high).toFixed(1), width: (wide * step).toFixed(1), height: high.toFixed(1) }]];
    }),
  );
  const every = Math.ceil(values.length / 12);
  const feet = values.flatMap((value, n): Tree[] => (n % every ? [] : [['text', { x: ((n + 0.5) * step).toFixed(1), y: HIGH + FOOT - 4 }, value]]));
  const scale: Tree[] = [['line', { x1: 0, x2: WIDE, y1: 0, y2: 0, class: 'scale' }], ['text', { x: 0, y: -3, class: 'scale' }, percent(most)]];
  const cells = (value: string): Tree[] => lines.map((_, n): Tree => ['td', {}, axis.spot(n, value).text]);
  const head = mode === 'each' ? 'value' : mode;
  return [
    ['svg', { viewBox: `${-SIDE} ${-HEAD} ${WIDE + 2 * SIDE} ${HIGH + HEAD + FOOT}`, role: 'img', tabindex: 0, 'aria-label': `${name}. ${axis.highest}` }, ...scale, ...drawn, ...feet],
    ...(lines.length > 1 ? [['p', { class: 'legend' }, ...lines.map(({ name }, n): Tree => ['span', {}, ['svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, ['circle', { class: `line${n}`, cx: 5, cy: 5, r: 4.5 }]], name])] as Tree] : []),
    ['p', { class: 'spot soft' }, axis.highest],
    ...(left ? [['p', { class: 'left-out soft' }, left] as Tree] : []),
    ['details', { 'data-key': 'dice-table' }, ['summary', {}, 'As a table'], ['table', { class: 'distribution' }, ['thead', {}, ['tr', {}, ['th', { scope: 'col' }, head], ...lines.map(({ name }): Tree => ['th', { scope: 'col' }, name])]], ['tbody', {}, ...values.map((value): Tree => ['tr', {}, ['th', { scope: 'row' }, value], ...cells(value)])]]],
  ];
}

/** Returns the value of the bars at a place of the picture, as a share of its width. */
export function valueAt({ values }: Axis, share: number): number {
  const x = share * (WIDE + 2 * SIDE) - SIDE;
  return Math.max(0, Math.min(values.length - 1, Math.floor((x / WIDE) * values.length)));
}

/** Returns a tree as HTML. */
export function written([tag, props, ...children]: Tree): string {
  const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<${tag}${Object.entries(props).map(([name, value]) => ` ${name}="${safe(String(value))}"`).join('')}>${children.map((child) => (typeof child === 'string' ? safe(child) : written(child))).join('')}</${tag}>`;
}
