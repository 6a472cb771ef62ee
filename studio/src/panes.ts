// The panes: a splitter between the text and the views, and a wide mode of single views, which the browser remembers.

import { button, h, type Signal } from './dom';

const KEY = 'grognard-panes';
/** Views that can take the whole page. */
const WIDE = new Set(['run', 'table', 'curves']);
/** Share of a view next to the text: the limits, and the step of a key. */
const [LEAST, MOST, STEP] = [0.25, 0.75, 0.02];

interface Kept { share?: number; wide?: Record<string, boolean>; folded?: boolean }

export class Panes {
  readonly splitter = h('div', { class: 'splitter', role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-label': 'Width of the views', 'aria-valuemin': LEAST * 100, 'aria-valuemax': MOST * 100 });
  readonly button = button('Wide', () => this.toggle(), { class: 'wide-button', 'aria-pressed': 'false' });
  /** Folds the list of files, next to the text. */
  readonly files = button('Files', () => ((this.kept.folded = !this.kept.folded), this.show()), { class: 'files-button', 'aria-controls': 'files' });
  private kept: Kept = {};
  /** Whether the last press asked for a place in the text. */
  private asked = false;

  constructor(private readonly panes: () => HTMLElement, private readonly tab: Signal<string>) {
    try {
      this.kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Kept;
    } catch {
      // the usual widths
    }
    const { splitter } = this;
    splitter.addEventListener('pointerdown', (event) => splitter.setPointerCapture(event.pointerId));
    splitter.addEventListener('pointermove', (event) => {
      if (!splitter.hasPointerCapture(event.pointerId)) return;
      const [from, to] = this.ends();
      this.set((to - event.clientX) / (to - from));
    });
    splitter.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowLeft' ? STEP : event.key === 'ArrowRight' ? -STEP : 0;
      if (!by && event.key !== 'Home' && event.key !== 'End') return;
      event.preventDefault();
      this.set(by ? this.share + by : event.key === 'Home' ? MOST : LEAST);
    });
    splitter.addEventListener('dblclick', () => this.set(undefined));
    // the text is shown when the user asks for a place, not at each step of a run
    const asks = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.trace, .clause, .link') !== null;
    addEventListener('pointerdown', ({ target }) => {
      this.asked = asks(target);
      if (!(target as Element).closest?.('.text')) this.hide();
    }, true);
    addEventListener('keydown', ({ key, target }) => {
      this.asked = key === 'Enter' && asks(target);
      if (key === 'Escape') this.hide();
    }, true);
    tab.on(() => this.show());
    queueMicrotask(() => this.show());
  }

  /** The left end of the text and the right end of the views. */
  private ends(): [number, number] {
    const panes = this.panes();
    return [panes.querySelector('.text')!.getBoundingClientRect().left, panes.getBoundingClientRect().right];
  }

  private get share(): number {
    return this.kept.share ?? 0.5;
  }

  private get isWide(): boolean {
    return WIDE.has(this.tab.value) && this.kept.wide?.[this.tab.value] === true;
  }

  private set(share: number | undefined): void {
    this.kept.share = share === undefined ? undefined : Math.max(LEAST, Math.min(MOST, share));
    this.show();
  }

  private toggle(): void {
    this.kept.wide = { ...this.kept.wide, [this.tab.value]: !this.isWide };
    this.show();
  }

  /** Shows the text over a wide view, if the user asked for a place in it. */
  peek(): void {
    if (this.isWide && this.asked) this.panes().classList.add('peek');
  }

  private hide(): void {
    this.panes().classList.remove('peek');
  }

  private show(): void {
    const panes = this.panes();
    this.hide();
    panes.classList.toggle('wide', this.isWide);
    panes.classList.toggle('folded', this.kept.folded === true);
    this.files.setAttribute('aria-expanded', String(!this.kept.folded));
    panes.style.setProperty('--text', `${1 - this.share}fr`);
    panes.style.setProperty('--views', `${this.share}fr`);
    this.splitter.setAttribute('aria-valuenow', String(Math.round(this.share * 100)));
    this.button.hidden = !WIDE.has(this.tab.value);
    this.button.setAttribute('aria-pressed', String(this.isWide));
    // drawings measure their place
    dispatchEvent(new Event('resize'));
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // the widths last as long as the page
    }
  }
}
