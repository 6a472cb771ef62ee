import { h } from '../dom';
import type { Model } from '../model';
export class CompareView {
  readonly element = h('div', { class: 'view compare' });
  constructor(readonly model: Model) {}
  show(_awake: boolean): void {}
}
