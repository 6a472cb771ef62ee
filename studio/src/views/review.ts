import { h } from '../dom';
import type { Model } from '../model';
export class ReviewView {
  readonly element = h('div', { class: 'view review' });
  constructor(readonly model: Model) {}
  show(_awake: boolean): void {}
}
