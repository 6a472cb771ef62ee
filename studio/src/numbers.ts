// Formats numbers: shares as percentages, exact ones with their fraction.

import type { Chance, Measure } from './protocol';

export function percent(share: number, digits = 1): string {
  const of = share * 100;
  // a share above 0 or below 1 must not be rounded to 0 % or 100 %
  if (share > 0 && of < 0.05) return '< 0.1 %';
  if (share < 1 && of > 99.95) return '> 99.9 %';
  return of.toFixed(digits) + ' %';
}

export function decimal(value: number): string {
  return Number.isInteger(value) ? String(value) : Number(value.toPrecision(4)).toString();
}

export function shown(measure: Pick<Measure, 'sort'>, chance: Chance): string {
  // there is no estimate if every run ended in an error
  if (typeof chance.estimate !== 'number') return '–';
  return measure.sort === 'mean' ? decimal(chance.estimate) : percent(chance.estimate);
}

/** Returns the title of a measure, else its formula as words: `size(laans.present)` is `laans present`. */
export function named(of: { measure: string; title?: string }): string {
  if (of.title) return of.title;
  const path = /^(?:size\()?(\w+(?:\.\w+)*)\)?$/.exec(of.measure)?.[1];
  return path ? path.replaceAll('.', ' ').replaceAll('_', ' ') : of.measure;
}

/** Returns a name of the rules as words: `look_first` is `Look first`, `GetDown(unit: laans)` is `Get down: unit laans`. */
export function inWords(name: string): string {
  const words = name.replace(/\((.+)\)$/, (_, picks: string) => `: ${picks.replaceAll(': ', ' ')}`).replaceAll('_', ' ').replace(/([a-z])([A-Z])(?=[a-z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a value without its unit. */
export const plain = (value: string): string => value.replace(/["°%]$/, '');

/**
 * Returns the position of a value among stops: the index of the stop, or a fraction between two. A value outside the stops gets the nearest
 * end. Returns `null` for a word that is not a stop.
 */
export function among(stops: string[], value: string): number | null {
  const at = stops.findIndex((stop) => plain(stop) === plain(value));
  if (at >= 0) return at;
  const number = (text: string): number => plain(text).split('/').map(Number).reduce((above, below) => above / below);
  const [xs, x] = [stops.map(number), number(value)];
  const next = xs.findIndex((stop) => stop > x);
  if (![x, ...xs].every(Number.isFinite) || xs.some((stop, n) => n > 0 && stop <= xs[n - 1]!)) return null;
  return next < 0 ? xs.length - 1 : next && next - 1 + (x - xs[next - 1]!) / (xs[next]! - xs[next - 1]!);
}

/** Maximum number of decimal places. */
const DIGITS = 6;

/**
 * Formats the ends of an interval, rounded outward as the program does; shares are in percent. Half the width has two significant digits,
 * or more if 0 would otherwise appear to be inside.
 */
export function outward(least: number, most: number, share: boolean): [string, string] {
  const [low, high] = share ? [least * 100, most * 100] : [least, most];
  const end = (of: number, digits: number, up: boolean): string => {
    const near = Number(of.toFixed(digits));
    const text = (up ? near < of : near > of) ? (near + (up ? 1 : -1) / 10 ** digits).toFixed(digits) : of.toFixed(digits);
    return Number(text) === 0 ? text.replace('-', '') : text;
  };
  const half = (high - low) / 2;
  const hides = (digits: number): boolean => half * 10 ** digits < 9.5 || (low > 0 && !(Number(end(low, digits, false)) > 0)) || (high < 0 && !(Number(end(high, digits, true)) < 0));
  let digits = 0;
  while (digits < DIGITS && hides(digits)) digits++;
  return half > 0 ? [end(low, digits, false), end(high, digits, true)] : [decimal(low), decimal(high)];
}

/** Returns the text next to a number: its fraction, or its interval. */
export function certainty(measure: Pick<Measure, 'sort'>, chance: Chance): string {
  if (chance.label === 'exact') return chance.fraction && chance.fraction.length <= 24 && !chance.fraction.endsWith('/1') ? chance.fraction : '';
  if (chance.label === 'proven' || chance.low === undefined || chance.high === undefined) return '';
  const share = measure.sort !== 'mean';
  return outward(chance.low, chance.high, share).map((end) => end + (share ? ' %' : '')).join(' to ');
}

/**
 * Splits the text of a measure ahead into its number, with a fixed precision, and its interval or fraction.
 * `10.7%, 95% 7.6% to 14.7%` becomes `10.7 %` and `7.6–14.7`.
 */
export function ahead(text: string): [string, string] {
  const even = (word: string): string => {
    const [, number, unit] = /^[<>]?(-?\d+(?:\.\d+)?)(\D?)$/.exec(word) ?? [];
    return number === undefined ? word : unit === '%' ? percent(Number(number) / 100) : Number(number).toFixed(2) + unit;
  };
  const [of = '', ends] = text.replace(/^about /, '').split(', 95% ');
  const [, low, high] = /^≥ (\S+), ≤ (\S+)$/.exec(of) ?? [];
  // bounds that were rounded again would not be bounds
  if (low && high) return [`${low} to ${high}`, ''];
  const [, fraction, number = of] = /^(\S+) = (\S+)$/.exec(of) ?? [];
  return [even(number), ends?.replace(/^(\S+)% to (\S+)%$/, '$1–$2') ?? fraction ?? ''];
}

/** Formats a sample size: `10,000 runs`. */
export function count(runs: number, of = 'runs'): string {
  return `${runs.toLocaleString('en')} ${of}`;
}

/** The relation between two numbers. */
export type Seen = 'same' | 'moved' | 'undecided';

/**
 * Returns whether a number has changed. Sampled numbers count as changed only if their difference is larger than their intervals explain.
 * The wider half of each interval counts, because intervals are not symmetric.
 */
export function seen(now: Chance, before: Chance): Seen {
  const by = Math.abs(now.estimate - before.estimate);
  if (!(by > 1e-12)) return 'same';
  const half = (of: Chance): number => (of.label === 'exact' || of.low === undefined || of.high === undefined ? 0 : Math.max(of.estimate - of.low, of.high - of.estimate));
  if (now.label !== before.label && (now.low === undefined && now.label !== 'exact')) return 'undecided';
  return by > Math.hypot(half(now), half(before)) ? 'moved' : 'undecided';
}

/** Meanings of the verdicts. */
const VERDICTS: Record<string, string> = {
  same: 'Same: the difference is zero or too small to matter here.',
  equal: 'Same: both values are exact and equal.',
  undecided: 'Undecided: chance by itself explains the difference in these runs. More runs could decide it.',
  more: 'More: the difference is larger than chance explains.',
  less: 'Less: the difference is larger than chance explains.',
};

/** Returns a verdict as one of five words, with its meaning. */
export function verdict(word: string): { word: string; says: string } {
  const plain = word === 'not enough runs' || word === 'not shown' ? 'undecided' : word;
  return { word: plain === 'equal' ? 'same' : plain, says: VERDICTS[plain] ?? '' };
}

export const LABELS: Record<Chance['label'], string> = {
  exact: 'exact: computed from all outcomes of the dice',
  proven: 'proven: a proof shows that the printed digits are those of the true value',
  bounded: 'bounded: the true value lies between these bounds',
  sampled: 'sampled: estimated from random runs; the 95 % confidence interval is next to it',
};

/** Returns running sums of bars with numeric values: the chances of at least and at most each value. */
export function cumulative(bars: { chance: Chance }[]): { least: number; most: number }[] {
  const sums: { least: number; most: number }[] = [];
  let before = 0;
  // a sum of chances that is 1 is shown as 1
  const whole = (sum: number): number => Math.round(sum * 1e12) / 1e12;
  const total = bars.reduce((sum, bar) => sum + bar.chance.estimate, 0);
  for (const bar of bars) {
    const here = before + bar.chance.estimate;
    sums.push({ least: Math.max(0, whole(total - before)), most: whole(here) });
    before = here;
  }
  return sums;
}
