// Distributions of one measure, up to four over each other: the current version, the original, a kept version, or another scenario.

import { h, put, draw, type Child } from '../dom';
import { type Kept, titleOf } from '../files/versions';
import { plusAll } from '../fractions';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import { certainty, named } from '../numbers';
import type { Bar, Measure } from '../protocol';
import { status } from '../widgets';
import { Chart, type Spot, spotText } from './chart';

const SLOTS = [0, 1, 2, 3];
type Mode = 'each' | 'at least' | 'at most';
const MODES: Mode[] = ['each', 'at least', 'at most'];

export class Overlay {
  readonly element: HTMLDetailsElement;
  private awake = false;
  private readonly chart = new Chart();
  private readonly measure = h('select', { 'aria-label': 'Measure of the distribution' });
  private readonly modes = h('span', { class: 'group', role: 'radiogroup', 'aria-label': 'Chances' });
  private readonly picks: HTMLSelectElement[];
  private readonly lives: Live<'grognard/outlook'>[];
  private readonly states = SLOTS.map(() => h('p', { class: 'status', role: 'status' }));
  private readonly none = h('p', { class: 'soft', hidden: true }, 'This scenario reports no number with a distribution. To report one, add it to `mean` of the block `[report]`.');
  private mode: Mode = 'each';

  constructor(private readonly model: Model) {
    this.lives = SLOTS.map((n) => model.live('grognard/outlook', () => this.asks(n)));
    this.picks = SLOTS.map((n) => {
      const pick = h('select', { 'aria-label': `Curve ${n + 1}` });
      pick.onchange = () => {
        this.lives[n]!.clear();
        this.lives[n]!.refresh();
        this.options();
      };
      this.lives[n]!.on(() => this.draw());
      return pick;
    });
    const mode = (each: Mode): HTMLElement => {
      const radio = h('input', { type: 'radio', name: 'mode', checked: each === this.mode });
      radio.onchange = () => {
        this.mode = each;
        this.draw();
      };
      return h('label', null, radio, ` ${each} `);
    };
    put(this.modes, MODES.map(mode));
    this.measure.onchange = () => this.draw();
    this.element = h('details', { class: 'overlay' }, h('summary', null, h('h2', null, 'Distribution: at least, at most, several curves')), h('div', { class: 'tools' }, this.measure, this.modes), h('div', { class: 'tools' }, this.picks), this.states, this.none, this.chart.element);
    // a closed part asks nothing
    this.element.ontoggle = () => this.show(this.awake);
    for (const signal of [model.scene, model.shelf, model.versions, model.changed] as { on(listener: () => void): void }[]) signal.on(() => this.options());
    this.options();
  }

  show(awake: boolean): void {
    this.awake = awake;
    for (const live of this.lives) live.show(awake && this.element.open);
  }

  private version(n: number): Kept | undefined {
    return this.model.versions.value.find((each) => `version ${each.at}` === this.picks[n]!.value);
  }

  private asks(n: number): { path: string; settings: ReturnType<typeof noSettings>; texts?: Record<string, string> } | null {
    const { model } = this;
    const path = model.scene.value;
    const choice = this.picks[n]!.value;
    if (!path || !choice) return null;
    if (choice === 'now') return { path, settings: model.settings.value };
    if (choice === 'original') return { path, settings: noSettings(), texts: model.before() };
    const version = this.version(n);
    return version ? { path, settings: noSettings(), texts: model.versions.texts(version) } : { path: choice, settings: noSettings() };
  }

  private options(): void {
    const { model, picks } = this;
    const games = model.books.books.filter((book) => book.scenarios.length);
    picks.forEach((pick, n) => {
      const now = pick.value || (n ? '' : 'now');
      draw(pick, [model.versions.value, model.books, model.scene.value], () => [
        n > 0 && h('option', { value: '' }, 'add a curve …'),
        h('option', { value: 'now' }, 'now'),
        h('option', { value: 'original' }, 'original'),
        model.versions.value.length > 0 && h('optgroup', { label: 'Versions' }, model.versions.value.map((each) => h('option', { value: `version ${each.at}` }, titleOf(each)))),
        games.map((book) => h('optgroup', { label: book.title || book.name }, book.scenarios.map(({ path, title }) => path !== model.scene.value && h('option', { value: path }, title || path)))),
      ]);
      pick.value = now;
      if (pick.selectedIndex < 0) pick.value = n ? '' : 'now';
    });
    // one more than is used
    const used = Math.max(...SLOTS.filter((n) => picks[n]!.value !== ''));
    picks.forEach((pick, n) => (pick.hidden = n > used + 1));
    this.draw();
  }

  private draw(): void {
    const { model, lives, picks } = this;
    lives.forEach((live, n) => status(this.states[n]!, live.value, model, `computing ${picks[n]!.selectedOptions[0]?.text ?? ''}`, live));
    const answers = lives.map((live, n) => (picks[n]!.value ? live.value.value : undefined));
    const measures = (answers[0]?.measures ?? []).filter((measure) => measure.sort !== 'chance' && (measure.bars?.length ?? 0) > 1);
    draw(this.measure, [measures.map(({ measure }) => measure).join('\n')], (): Child => measures.map((measure) => h('option', { value: measure.measure }, named(measure))));
    const chosen = measures.find(({ measure }) => measure === this.measure.value) ?? measures[0];
    this.none.hidden = !answers[0] || measures.length > 0;
    this.chart.element.hidden = this.measure.hidden = this.modes.hidden = !chosen;
    if (!chosen) return;
    this.measure.value = chosen.measure;
    const found = answers.map((answer) => answer?.measures.find((each) => each.measure === chosen.measure) ?? answer?.measures.find((each) => named(each) === named(chosen)));
    const labels = [...new Set(found.flatMap((measure) => measure?.bars?.map(({ value }) => value) ?? []))];
    const numbers = labels.every((label) => Number.isFinite(Number.parseFloat(label)));
    if (numbers) labels.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b));
    this.modes.hidden = !numbers;
    const mode = numbers ? this.mode : 'each';
    // the original is blue and the current version orange, as A and B under Compare
    const colour = (n: number): number => ({ original: 0, now: 1 })[picks[n]!.value] ?? n + 1;
    const curves = found.flatMap((measure, n) => (measure ? [{ name: picks[n]!.selectedOptions[0]?.text ?? '', colour: colour(n), spots: spotsOf(measure, labels, mode) }] : []));
    const most = Math.max(...curves.flatMap(({ spots }) => spots.map((spot) => spot?.y ?? 0)));
    this.chart.show({ title: `${named(chosen)}${mode === 'each' ? '' : `, ${mode}`}`, across: named(chosen), labels, curves, bars: mode === 'each', top: mode === 'each' ? Math.min(1, most * 1.15) : 1, share: true });
  }
}

/** Returns the chance of each value, or of at least or at most that value. Exact chances are added exactly. */
export function spotsOf(measure: Measure, labels: string[], mode: Mode): Spot[] {
  const bars = new Map((measure.bars ?? []).map((bar) => [bar.value, bar.chance]));
  return labels.map((label, n) => {
    const part = mode === 'each' ? [label] : mode === 'at least' ? labels.slice(n) : labels.slice(0, n + 1);
    const chances: Bar['chance'][] = part.flatMap((value) => bars.get(value) ?? []);
    const y = Math.min(1, chances.reduce((sum, chance) => sum + chance.estimate, 0));
    const exact = chances.every((chance) => chance.fraction !== undefined);
    const fraction = exact ? plusAll(chances.map((chance) => chance.fraction!)) : undefined;
    const [only] = chances;
    const ends = mode === 'each' && only && !exact ? { low: only.low, high: only.high, more: certainty({ sort: 'chance' }, only) } : {};
    return { y, ...ends, fraction, text: spotText(true, y), label: only?.label };
  });
}
