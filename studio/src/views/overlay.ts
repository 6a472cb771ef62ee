// Distributions of one measure, up to four over each other: the current version, the original, a kept version, or another scenario.

import { draw, h, type Child } from '../dom';
import { type Kept, titleOf } from '../files/versions';
import { gameOf } from '../games';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import { named } from '../numbers';
import { status } from '../widgets';
import { Distribution, shaped } from './distribution';

const SLOTS = [0, 1, 2, 3];

export class Overlay {
  readonly element: HTMLDetailsElement;
  private awake = false;
  private readonly chart = new Distribution();
  private readonly measure = h('select', { 'aria-label': 'Measure of the distribution' });
  private readonly picks: HTMLSelectElement[];
  private readonly lives: Live<'grognard/outlook'>[];
  private readonly states = SLOTS.map(() => h('p', { class: 'status', role: 'status' }));
  private readonly none = h('p', { class: 'soft', hidden: true }, 'This scenario reports no number with a distribution. To report one, add it to `mean` of the block `[report]`.');

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
    this.measure.onchange = () => this.draw();
    this.element = h('details', { class: 'overlay' }, h('summary', null, h('h2', null, 'Distribution: at least, at most, several curves')), h('div', { class: 'tools' }, this.measure, this.picks), this.states, this.none, this.chart.element);
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
    const own = model.scenarios().filter((path) => path !== model.scene.value && gameOf(model, path) === gameOf(model, model.scene.value));
    picks.forEach((pick, n) => {
      const now = pick.value || (n ? '' : 'now');
      draw(pick, [model.versions.value, model.books, model.scene.value], () => [
        n > 0 && h('option', { value: '' }, 'add a curve …'),
        h('option', { value: 'now' }, 'now'),
        h('option', { value: 'original' }, 'original'),
        model.versions.here.length > 0 && h('optgroup', { label: 'Versions' }, model.versions.here.map((each) => h('option', { value: `version ${each.at}` }, titleOf(each)))),
        own.length > 0 && h('optgroup', { label: 'Scenarios of this game' }, own.map((path) => h('option', { value: path }, model.title(path)))),
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
    const measures = (answers[0] ? shaped(answers[0]) : []).filter((measure) => measure.sort !== 'chance' && (measure.bars?.length ?? 0) > 1);
    draw(this.measure, [measures.map(({ measure }) => measure).join('\n')], (): Child => measures.map((measure) => h('option', { value: measure.measure }, named(measure))));
    const chosen = measures.find(({ measure }) => measure === this.measure.value) ?? measures[0];
    this.none.hidden = !answers[0] || measures.length > 0;
    this.chart.element.hidden = this.measure.hidden = !chosen;
    if (!chosen) return;
    this.measure.value = chosen.measure;
    const found = answers.map((answer) => {
      const all = answer ? shaped(answer) : [];
      return all.find((each) => each.measure === chosen.measure) ?? all.find((each) => named(each) === named(chosen));
    });
    // the original is blue and the current version orange, as A and B under Compare
    const colour = (n: number): number => ({ original: 0, now: 1 })[picks[n]!.value] ?? n + 1;
    this.chart.show(found.flatMap((measure, n) => (measure ? [{ name: picks[n]!.selectedOptions[0]?.text ?? '', colour: colour(n), measure }] : [])));
  }
}
