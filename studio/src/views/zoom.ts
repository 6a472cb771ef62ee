// The visible part of a table: the wheel or two fingers zoom to the pointer, a drag on empty ground moves it, and the keys + - 0 do the same.

import { button, h } from '../dom';

/** Left, top, width and height in the units of the drawing. */
export type Frame = [number, number, number, number];

const [FACTOR, CLOSEST] = [1.25, 24];
/** A pointer that moved less has not dragged, in pixels. */
const STILL = 3;

export class Zoom {
  /** The part that the user chose, or `null` if all is shown. */
  frame: Frame | null = null;
  readonly tools: HTMLElement;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private far = false;
  private last: { x: number; y: number } | null = null;

  /** `shown` is the visible part, `fit` the one that shows all, and `size` that of the table; `hold` ends the drag of a unit. */
  constructor(private readonly drawing: SVGSVGElement, private readonly hooks: { shown(): Frame | null; fit(): Frame | null; size(): [number, number]; draw(): void; hold(): void }) {
    const tool = (name: string, label: string, does: () => void): HTMLButtonElement => button(name, does, { 'aria-label': label, title: label });
    this.tools = h('span', { class: 'zoom', role: 'group', 'aria-label': 'Zoom' }, tool('−', 'Zoom out', () => this.by(1 / FACTOR)), tool('+', 'Zoom in', () => this.by(FACTOR)), tool('Fit', 'Fit the whole scene', () => this.fit()));
    drawing.addEventListener('wheel', (event) => {
      event.preventDefault();
      // a wheel event has whole coordinates, which four times the size makes visible
      const { x, y } = this.last && Math.hypot(this.last.x - event.clientX, this.last.y - event.clientY) < 1.5 ? this.last : event;
      this.by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), this.point(x, y));
    }, { passive: false });
    drawing.addEventListener('pointerdown', (event) => {
      const { pointers } = this;
      if (event.button !== 0 || (!pointers.size && (event.target as Element).closest('[data-unit]'))) {
        // a second finger turns the drag of a unit into a pinch
        if (event.pointerType === 'touch') pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        return;
      }
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pointers.size > 1) hooks.hold();
      else this.far = false;
      drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) drawing.addEventListener(end, ({ pointerId }) => this.pointers.delete(pointerId));
    // a drag is not a click
    drawing.addEventListener('click', (event) => this.far && (event.stopImmediatePropagation(), (this.far = false)), true);
  }

  fit(): void {
    this.frame = null;
    this.hooks.draw();
  }

  /** Handles a key. Returns whether it belongs to the zoom. */
  key(key: string): boolean {
    if (key === '0') this.fit();
    else if (key === '+' || key === '=') this.by(FACTOR);
    else if (key === '-') this.by(1 / FACTOR);
    else return false;
    return true;
  }

  private point(x: number, y: number): [number, number] {
    const { x: px, y: py } = new DOMPoint(x, y).matrixTransform(this.drawing.getScreenCTM()!.inverse());
    return [px, py];
  }

  /** Zooms by a factor. The point stays where it is on the screen. */
  private by(factor: number, at?: [number, number]): void {
    const [shown, fit] = [this.hooks.shown(), this.hooks.fit()];
    if (!shown || !fit) return;
    const [left, top, wide, high] = shown;
    const by = Math.max(wide / (fit[2] * 1.5), Math.min(factor, (wide * CLOSEST) / fit[2]));
    const [x, y] = at ?? [left + wide / 2, top + high / 2];
    this.set([x - (x - left) / by, y - (y - top) / by, wide / by, high / by]);
  }

  /** Shows a part, whose middle stays on the table. */
  private set([left, top, wide, high]: Frame): void {
    const [width, height] = this.hooks.size();
    const inside = (from: number, size: number, all: number): number => Math.max(-size / 2, Math.min(all - size / 2, from));
    this.frame = [inside(left, wide, width), inside(top, high, height), wide, high];
    this.hooks.draw();
  }

  private move(event: PointerEvent): void {
    this.last = { x: event.clientX, y: event.clientY };
    const was = this.pointers.get(event.pointerId);
    const shown = this.hooks.shown();
    if (!was || !shown) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const gap = (one: { x: number; y: number }): number => Math.hypot(one.x - other.x, one.y - other.y);
      this.pointers.set(event.pointerId, now);
      this.by(gap(now) / (gap(was) || 1), this.point((now.x + other.x) / 2, (now.y + other.y) / 2));
      return;
    }
    if (!this.drawing.hasPointerCapture(event.pointerId) || (event.target as Element).closest('[data-unit]')) return;
    if (!this.far && Math.hypot(now.x - was.x, now.y - was.y) < STILL) return;
    this.far = true;
    this.pointers.set(event.pointerId, now);
    const scale = this.drawing.getScreenCTM()!.a;
    const [left, top, wide, high] = shown;
    this.set([left - (now.x - was.x) / scale, top - (now.y - was.y) / scale, wide, high]);
  }
}
