// How numbers are told: shares as percentages, exact ones with their fraction.

import type { Chance, Measure } from './protocol';

export function percent(share: number, digits = 1): string {
  const of = share * 100;
  // what is not none and not all must not look like it
  if (share > 0 && of < 0.05) return '< 0.1 %';
  if (share < 1 && of > 99.95) return '> 99.9 %';
  return of.toFixed(digits) + ' %';
}

export function decimal(value: number): string {
  return Number.isInteger(value) ? String(value) : Number(value.toPrecision(4)).toString();
}

export function shown(measure: Pick<Measure, 'sort'>, chance: Chance): string {
  // where every run ended in an error nothing is known
  if (typeof chance.estimate !== 'number') return '–';
  return measure.sort === 'mean' ? decimal(chance.estimate) : percent(chance.estimate);
}

/** A measure by its title, else its formula in words: `size(laans.present)` is how many `laans present` there are. */
export function named(of: { measure: string; title?: string }): string {
  if (of.title) return of.title;
  const path = /^(?:size\()?(\w+(?:\.\w+)+)\)?$/.exec(of.measure)?.[1];
  return path ? path.replaceAll('.', ' ').replaceAll('_', ' ') : of.measure;
}

/** The part beside the number: its fraction, or between what it lies. */
export function certainty(measure: Pick<Measure, 'sort'>, chance: Chance): string {
  const number = (value: number) => (measure.sort === 'mean' ? decimal(value) : percent(value));
  if (chance.label === 'exact') return chance.fraction && chance.fraction.length <= 24 ? chance.fraction : '';
  if (chance.low === undefined || chance.high === undefined) return '';
  return `${number(chance.low)} to ${number(chance.high)}`;
}

export const LABELS: Record<Chance['label'], string> = {
  exact: 'worked out: the true odds',
  bounded: 'worked out in part: the true value lies between these',
  sampled: 'counted in many runs: the true value lies between these in 95 of 100 cases',
};

/** At least and at most: running sums of bars whose values are numbers. */
export function cumulative(bars: { chance: Chance }[]): { least: number; most: number }[] {
  const sums: { least: number; most: number }[] = [];
  let before = 0;
  const total = bars.reduce((sum, bar) => sum + bar.chance.estimate, 0);
  for (const bar of bars) {
    const here = before + bar.chance.estimate;
    sums.push({ least: Math.max(0, total - before), most: here });
    before = here;
  }
  return sums;
}
