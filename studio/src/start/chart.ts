// The chart of a distribution, as a tree that the build writes into the page and that the page draws again.

import { cumulative, decimal, percent } from '../numbers';
import type { Bar, Measure } from '../protocol';

export type Tree = [tag: string, props: Record<string, string | number>, ...children: (Tree | string)[]];
/** The values that a bar includes: one value, or all values from or up to it. */
export type Mode = 'each' | 'at least' | 'at most';
export const MODES: Mode[] = ['each', 'at least', 'at most'];

const [WIDE, HIGH, FOOT] = [320, 110, 16];
/** Maximum number of bars. */
const MOST = 120;

/** Returns the bars of a measure; a chance has the bars `yes` and `no`. */
function barsOf(measure: Measure): Bar[] {
  if (measure.bars) return measure.bars.slice(0, MOST);
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
  return (of.sort === 'mean' ? `mean ${decimal(estimate)}` : percent(estimate, 2)) + (fraction.includes('/') && fraction.length <= 24 ? ` = ${fraction}` : '');
}

/** Draws one or two distributions over the same values. */
export function chart(lines: Measure[], mode: Mode, name: string): Tree {
  const both = lines.map(barsOf);
  const number = (value: string) => Number(value);
  const values = [...new Set(both.flatMap((bars) => bars.map((bar) => bar.value)))];
  if (values.every((value) => Number.isFinite(number(value)))) values.sort((a, b) => number(a) - number(b));
  const step = WIDE / Math.max(1, values.length);
  const tall = both.map((bars) => heights(bars, mode));
  const most = Math.max(...tall.flat(), 1e-9);
  const drawn = both.flatMap((bars, line) =>
    bars.map((bar, n): Tree => {
      const high = (tall[line]![n]! / most) * (HIGH - 4);
      const [left, wide] = both.length > 1 ? [line * 0.42 + 0.08, 0.42] : [0.1, 0.8];
      const at = values.indexOf(bar.value) * step;
      const shown = mode === 'each' && bar.chance.fraction ? `, ${bar.chance.fraction}` : '';
      return ['rect', { class: `line${line}`, x: (at + left * step).toFixed(1), y: (HIGH - high).toFixed(1), width: (wide * step).toFixed(1), height: high.toFixed(1) }, ['title', {}, `${mode === 'each' ? '' : `${mode} `}${bar.value}: ${percent(tall[line]![n]!, 2)}${shown}`]];
    }),
  );
  const every = Math.ceil(values.length / 12);
  const feet = values.flatMap((value, n): Tree[] => (n % every ? [] : [['text', { x: ((n + 0.5) * step).toFixed(1), y: HIGH + FOOT - 4 }, value]]));
  return ['svg', { viewBox: `0 0 ${WIDE} ${HIGH + FOOT}`, role: 'img', 'aria-label': name }, ...drawn, ...feet];
}

/** Returns a tree as HTML. */
export function written([tag, props, ...children]: Tree): string {
  const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<${tag}${Object.entries(props).map(([name, value]) => ` ${name}="${safe(String(value))}"`).join('')}>${children.map((child) => (typeof child === 'string' ? safe(child) : written(child))).join('')}</${tag}>`;
}
