// A chart as SVG: bars or lines over the values of a dial or of a result, for up to four curves. The values at one place are shown as text
// above it: at the pointer, or with the arrow keys. It is exported as a picture and as a table of the same numbers.

import { announce, button, h, put, s, type Child } from '../dom';
import { asPicture, csv, forumTable } from '../export';
import { LABELS, percent, decimal } from '../numbers';
import type { Chance } from '../protocol';

/** A value of a curve, with the text that the user reads. */
export interface Spot { y: number; low?: number; high?: number; fraction?: string; text: string; more?: string; label?: Chance['label'] }
export interface Curve { name: string; colour: number; spots: (Spot | null)[] }
export interface Plot {
  title: string;
  /** The name of the horizontal axis. */
  across: string;
  labels: string[];
  /** Places of the values, if they are numbers. */
  xs?: number[];
  curves: Curve[];
  bars?: boolean;
  /** The end of the axis; shares are written in percent. */
  top: number;
  /** The start of the axis, if it is below 0. */
  foot?: number;
  share: boolean;
  /** Whether to show the line at which neither side is favored. */
  even?: boolean;
  /** The current value: its place among the labels, which can be between two. */
  now?: number | null;
}

const [HIGH, LEFT, RIGHT, TOP, FOOT] = [250, 54, 14, 16, 44];
const DASHES = ['', '6 4', '2 3', '10 4'];
/** Width of a character, the minimum width of a labeled bar, and the approximate number of lines across. */
const [LETTER, LABELED, STEPS] = [7, 34, 5];

/** Returns a round step of an axis. */
function step(top: number): number {
  const rough = top / STEPS;
  const ten = 10 ** Math.floor(Math.log10(rough || 1));
  return ten * ([1, 2, 5].find((each) => each * ten >= rough) ?? 10);
}

export class Chart {
  private readonly key = h('p', { class: 'key' });
  private readonly drawing = s('svg', { class: 'plot', role: 'img', tabindex: 0 });
  private readonly tools = h('p', { class: 'buttons exports' });
  readonly element = h('figure', { class: 'chart' }, this.key, this.drawing, this.tools);
  private plot: Plot | null = null;
  private at: number | null = null;
  /** Place of each value in pixels. */
  private places: number[] = [];
  private wide = 0;

  constructor() {
    new ResizeObserver(() => this.element.clientWidth !== this.wide && this.draw()).observe(this.element);
    this.drawing.addEventListener('pointermove', ({ offsetX }) => this.tell(this.places.reduce((best, each, n) => (Math.abs(each - offsetX) < Math.abs(this.places[best]! - offsetX) ? n : best), 0)));
    this.drawing.addEventListener('pointerleave', () => this.tell(null));
    this.drawing.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (!by) return;
      event.preventDefault();
      this.tell(Math.max(0, Math.min(this.places.length - 1, (this.at ?? (by > 0 ? -1 : this.places.length)) + by)));
      announce(this.key.textContent ?? '');
    });
    const { tools } = this;
    const picture = (type: 'svg' | 'png'): void => void asPicture(this.drawing, this.plot?.title ?? '', type);
    const copied = async (): Promise<void> => {
      await navigator.clipboard.writeText(forumTable(this.plot!));
      announce('Table copied');
    };
    put(tools, button('PNG', () => picture('png')), button('SVG', () => picture('svg')), button('CSV', () => csv(this.plot!)), button('Copy as forum table', () => void copied()));
  }

  show(plot: Plot): void {
    this.plot = plot;
    this.draw();
  }

  /** Shows the numbers at one value, else at the current one. */
  private tell(at: number | null): void {
    const { plot } = this;
    if (!plot) return;
    this.at = at;
    const now = plot.now ?? null;
    const n = at ?? (now !== null && Number.isInteger(now) ? now : null);
    for (const each of this.drawing.querySelectorAll('[data-at]')) each.classList.toggle('at', each.getAttribute('data-at') === String(at));
    put(
      this.key,
      h('b', null, n === null ? plot.title : `${plot.across} ${plot.labels[n]}${n === now ? ' (current)' : ''}${plot.curves.some(({ spots }) => spots[n]) ? '' : ': not computed yet'}`),
      plot.curves.map(({ name, colour, spots }, c) => {
        const spot = n === null ? null : spots[n];
        return h('span', { title: spot?.label ? LABELS[spot.label] : undefined }, h('i', { style: `border-top:3px ${plot.bars ? 'solid' : ['solid', 'dashed', 'dotted', 'dashed'][c % 4]} var(--c${colour})` }), name, spot && h('b', null, ` ${spot.text}`), spot && h('span', { class: 'soft' }, ` ${spot.more ?? spot.fraction ?? ''}`));
      }),
    );
  }

  private draw(): void {
    const { plot, drawing } = this;
    if (!plot) return;
    this.wide = this.element.clientWidth;
    const wide = Math.max(280, this.wide || 520);
    const { labels, curves, top, share, bars, foot = 0 } = plot;
    const room = wide - LEFT - RIGHT;
    const slot = room / (labels.length || 1);
    const xs = plot.xs ?? labels.map((_, n) => n);
    const inset = bars ? slot / 2 : Math.min(slot / 2, 24);
    const x = (of: number): number => LEFT + inset + ((of - xs[0]!) / (xs.at(-1)! - xs[0]! || 1)) * (room - 2 * inset);
    const y = (of: number): number => HIGH - FOOT - ((Math.max(foot, Math.min(of, top)) - foot) / (top - foot || 1)) * (HIGH - FOOT - TOP);
    this.places = xs.map(x);
    drawing.setAttribute('viewBox', `0 0 ${wide} ${HIGH}`);
    drawing.setAttribute('aria-label', `${plot.title}. ${curves.map(({ name }) => name).join(', ')}. The arrow keys tell the numbers at each value.`);
    const parts: Child[] = [s('title', null, plot.title)];
    for (let by = step(top - foot), at = Math.ceil(foot / by) * by; at <= top + by / 1000; at += by) parts.push(s('line', { class: 'rule', x1: LEFT, x2: wide - RIGHT, y1: y(at), y2: y(at) }), s('text', { class: 'axis end', x: LEFT - 7, y: y(at) + 4 }, share ? `${decimal(at * 100)} %` : decimal(at)));
    if (plot.even && top >= 0.5) parts.push(s('line', { class: 'even', x1: LEFT, x2: wide - RIGHT, y1: y(0.5), y2: y(0.5) }));
    const every = Math.ceil((Math.max(...labels.map((each) => each.length)) * LETTER + 10) / slot) || 1;
    labels.forEach((label, n) => n % every === 0 && parts.push(s('text', { class: 'axis', x: this.places[n], y: HIGH - FOOT + 18 }, label)));
    parts.push(s('text', { class: 'axis', x: LEFT + room / 2, y: HIGH - 8 }, plot.across));
    const told = (n: number, name: string, spot: Spot): string => `${name}, ${labels[n]}: ${[spot.text, spot.fraction].filter(Boolean).join(', ')}`;
    curves.forEach(({ name, colour, spots }, c) => {
      const each: Child[] = [];
      const known = spots.flatMap((spot, n) => (spot ? [{ spot, n, x: this.places[n]! }] : []));
      if (bars) {
        const width = (slot * 0.8) / curves.length;
        for (const { spot, n, x } of known) {
          const left = x - slot * 0.4 + c * width;
          each.push(s('rect', { class: 'bar', 'data-at': n, x: left, y: y(spot.y), width: Math.max(1, width - 1), height: Math.max(0, y(0) - y(spot.y)) }, s('title', null, told(n, name, spot))));
          if (width >= LABELED) each.push(s('text', { class: 'axis', x: left + width / 2, y: y(spot.y) - 4 }, spot.text));
        }
      } else {
        if (known.some(({ spot }) => spot.low !== undefined)) each.push(s('polygon', { class: 'band', points: [...known.map(({ spot, x }) => `${x},${y(spot.high ?? spot.y)}`), ...known.map(({ spot, x }) => `${x},${y(spot.low ?? spot.y)}`).reverse()].join(' ') }));
        each.push(s('polyline', { class: 'line', 'stroke-dasharray': DASHES[c % 4] || null, points: known.map(({ spot, x }) => `${x},${y(spot.y)}`).join(' ') }));
        for (const { spot, n, x } of known) each.push(s('circle', { class: 'dot', 'data-at': n, cx: x, cy: y(spot.y), r: 3.5 }, s('title', null, told(n, name, spot))));
      }
      parts.push(s('g', { style: `--c:var(--c${colour})` }, each));
    });
    if (plot.now !== null && plot.now !== undefined) {
      const below = Math.floor(plot.now);
      const at = x(xs[below]! + (plot.now - below) * ((xs[below + 1] ?? xs[below]!) - xs[below]!));
      const right = at > wide * 0.8;
      parts.push(s('line', { class: 'now', x1: at, x2: at, y1: TOP, y2: y(foot) }), s('text', { class: `axis now ${right ? 'end' : 'start'}`, x: at + (right ? -5 : 5), y: TOP + 10 }, 'current'));
    }
    put(drawing, parts);
    this.tell(this.at);
  }
}

/** Returns the text of a chance or a mean on an axis. */
export const spotText = (share: boolean, of: number): string => (share ? percent(of) : decimal(of));
