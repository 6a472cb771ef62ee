// Distributions of a measure as a chart: the chance of each value, of at least or of at most each value.

import { h, put } from '../dom';
import { plusAll } from '../fractions';
import { certainty, named } from '../numbers';
import type { Bar, Measure, Outlook, Valued } from '../protocol';
import { Chart, type Spot, spotText } from './chart';

type Mode = 'each' | 'at least' | 'at most';
const MODES: Mode[] = ['each', 'at least', 'at most'];
/** The choice of the user, for all charts. */
let chosen: Mode = 'each';
let groups = 0;

/** The measures of each report, with the distribution of each mean. */
const drawn = new WeakMap<Measure[], Measure[]>();

/** Returns the measures of a report, with the distribution of each mean. */
export function shaped({ measures, finding }: Pick<Outlook, 'measures' | 'finding'>): Measure[] {
  const known = drawn.get(measures);
  if (known) return known;
  const bar = (label: 'exact' | 'sampled', { value, estimate, fraction, low, high }: Valued): Bar => ({ value: String(value ?? 'error'), chance: label === 'exact' ? { label, estimate, fraction: fraction?.replace(/\/1$/, '') } : { label, estimate, low, high } });
  const all = measures.map((measure) => {
    if (measure.sort !== 'mean' || measure.bars) return measure;
    const outcomes = finding?.answers?.find((each) => each.measure === measure.measure)?.outcomes?.map((each) => bar('exact', each));
    return { ...measure, bars: outcomes ?? finding?.figures?.find((each) => each.measure === measure.measure)?.values?.map((each) => bar('sampled', each)) };
  });
  drawn.set(measures, all);
  return all;
}

export interface Shape { name: string; colour: number; measure: Measure }

export class Distribution {
  private readonly chart = new Chart();
  private readonly modes = h('p', { class: 'modes', role: 'radiogroup', 'aria-label': 'Chances' });
  readonly element = h('div', { class: 'shape' }, this.modes, this.chart.element);
  private shapes: Shape[] = [];

  constructor() {
    const name = `mode${groups++}`;
    const mode = (each: Mode): HTMLElement => {
      const radio = h('input', { type: 'radio', name, value: each, checked: each === chosen });
      radio.onchange = () => {
        chosen = each;
        this.draw();
      };
      return h('label', null, radio, ` ${each} `);
    };
    put(this.modes, MODES.map(mode));
  }

  show(shapes: Shape[]): void {
    this.shapes = shapes;
    this.draw();
  }

  private draw(): void {
    const [first] = this.shapes;
    if (!first) return;
    const labels = [...new Set(this.shapes.flatMap(({ measure }) => measure.bars?.map(({ value }) => value) ?? []))];
    const numbers = labels.every((label) => Number.isFinite(Number.parseFloat(label)));
    if (numbers) labels.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b));
    this.modes.hidden = !numbers;
    const mode = numbers ? chosen : 'each';
    const curves = this.shapes.map(({ name, colour, measure }) => ({ name, colour, spots: spotsOf(measure, labels, mode) }));
    const most = Math.max(...curves.flatMap(({ spots }) => spots.map(({ y }) => y)));
    const across = named(first.measure);
    this.chart.show({ title: mode === 'each' ? across : `${across}, ${mode}`, across, labels, curves, bars: mode === 'each', top: mode === 'each' ? Math.min(1, most * 1.15) : 1, share: true });
  }
}

/** Returns the chance of each value, or of at least or at most that value. Exact chances are added exactly. */
function spotsOf(measure: Measure, labels: string[], mode: Mode): Spot[] {
  const bars = new Map((measure.bars ?? []).map((bar) => [bar.value, bar.chance]));
  return labels.map((label, n) => {
    const part = mode === 'each' ? [label] : mode === 'at least' ? labels.slice(n) : labels.slice(0, n + 1);
    const chances: Bar['chance'][] = part.flatMap((value) => bars.get(value) ?? []);
    const [only] = chances;
    const y = Math.min(1, chances.reduce((sum, chance) => sum + chance.estimate, 0));
    const exact = chances.every((chance) => chance.fraction !== undefined);
    const ends = mode === 'each' && only && !exact ? { low: only.low, high: only.high, more: certainty({ sort: 'chance' }, only) } : {};
    return { y, ...ends, fraction: exact ? plusAll(chances.map((chance) => chance.fraction!)) : undefined, text: spotText(true, y), label: only?.label };
  });
}
