import { h } from '../dom';
import type { Model } from '../model';
export class CurvesView {
  readonly element = h('div', { class: 'view curves' });
  constructor(readonly model: Model) {}
  show(_awake: boolean): void {}
}
