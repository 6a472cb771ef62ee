// The table as SVG: areas, barriers, and units with bases and facings. Units can be dragged with a mouse, touch or keys.

import { announce, button, h, put, s, Signal, type Child } from '../dom';
import { asPicture } from '../export';
import type { Area, Looked, Table, Unit } from '../protocol';
import { lines, views } from './sight';
import { type Frame, Zoom } from './zoom';

/** Thousandths of an inch per inch. */
const INCH = 1000;
/** Width of the ruler, and of the margin on the other side for half a number, in pixels. */
const RULER = 22;
const EDGE = 10;
/** Half the size of an area that can be touched, in pixels. */
const TOUCH = 12.5;

export interface BoardHooks {
  /** Called when a unit was picked, or with `null` when none is picked. */
  onpick(unit: string | null): void;
  /** Called when a unit was moved. Without it nothing can be dragged. */
  onmove?: (moved: Move[], what: string) => void;
}

/** A text on the table: `spots` are possible centers of its line, best first; `from` is the origin of its own coordinates. */
interface Label { element: SVGTextElement; text: string; size: number; spots: [number, number][]; from: [number, number]; /** Whether it is omitted if there is no space. */ spare: boolean; /** The area that can be pressed. */ reach?: SVGRectElement }

/** Width of a character relative to the line height, and the maximum distance of a text from its place, in lines. */
const WIDE = 0.58;
const FAR = 4;

/** Maximum number of ranges shown for a unit. */
const RANGES = 4;
/** Number of boards so far: each one needs its own mask ids. */
let masks = 0;

export interface Move { unit: string; x: number; y: number }

const inch = (n: number): string => `${Number((n / INCH).toFixed(2))}`;

export class Board {
  readonly element: HTMLElement;
  /** Below the table: options for the view. */
  readonly foot: HTMLElement;
  readonly picked = new Signal<string | null>(null);
  private readonly drawing: SVGSVGElement;
  private readonly words = h('div', { class: 'words' });
  /** The option to show the whole table, hidden if it is shown already. */
  private readonly choice: HTMLElement;
  private table: Table | null = null;
  private lit: ReadonlySet<string> = new Set();
  private trails: { unit: string; from: [number, number]; to: [number, number] }[] = [];
  private dragged: { what: Unit; units: Unit[]; from: [number, number]; by: [number, number]; pointer: number } | null = null;
  movable = true;
  /** The lines of sight of the picked unit, if they are shown. */
  private looked: Looked | null = null;
  private labels: Label[] = [];
  private readonly mask = `range${masks++}-`;
  private readonly zoom: Zoom;
  /** The visible part of the last drawing. */
  private shown: Frame | null = null;
  private readonly exports = h('span', { class: 'zoom' }, (['png', 'svg'] as const).map((type) => button(type.toUpperCase(), () => void asPicture(this.drawing, 'table', type), { title: 'Save the table as a picture' })));

  constructor(private readonly hooks: BoardHooks) {
    this.drawing = s('svg', { class: 'board', role: 'application', 'aria-label': 'Table. Reach the units with Tab and move them with the arrow keys.', preserveAspectRatio: 'xMidYMid meet' });
    const zoom = h('input', { type: 'checkbox', 'data-key': 'whole' });
    zoom.onchange = () => {
      this.whole = zoom.checked;
      this.draw();
    };
    this.zoom = new Zoom(this.drawing, {
      shown: () => this.shown,
      fit: () => this.table && this.wider(this.table, this.frame(this.table)),
      size: () => [this.table?.width ?? 0, this.table?.height ?? 0],
      draw: () => this.draw(),
      hold: () => (this.dragged = null),
    });
    new ResizeObserver(() => this.draw()).observe(this.drawing);
    this.choice = h('label', { class: 'soft' }, zoom, ' whole table');
    this.foot = h('div', { class: 'board-foot' }, h('details', { class: 'plain-text' }, h('summary', null, 'Table as text'), this.words), this.zoom.tools, this.exports, this.choice);
    this.element = h('div', { class: 'board-box' }, this.drawing, this.foot);
    this.drawing.addEventListener('pointermove', (event) => this.drag(event));
    this.drawing.addEventListener('pointerup', (event) => this.drop(event));
    this.drawing.addEventListener('pointercancel', () => {
      this.dragged = null;
      this.draw();
    });
    // after a pointer capture, the target of a click is the drawing, whatever was pressed
    let ground = false;
    this.drawing.addEventListener('pointerdown', (event) => (ground = !(event.target as Element).closest('[data-unit]')));
    this.drawing.addEventListener('click', () => ground && this.pick(null));
    this.drawing.addEventListener('keydown', (event) => !event.ctrlKey && !event.metaKey && this.zoom.key(event.key) && event.preventDefault());
  }

  show(table: Table | null): void {
    this.table = table;
    this.draw();
  }

  /** Highlights the units that a trace line affects. */
  light(units: readonly string[], trails: { unit: string; from: [number, number]; to: [number, number] }[] = []): void {
    this.lit = new Set(units);
    this.trails = trails;
    this.draw();
  }

  /** Draws the lines of sight of the picked unit, or removes them. */
  look(looked: Looked | null): void {
    if (this.looked === looked) return;
    this.looked = looked;
    this.draw();
  }

  pick(unit: string | null): void {
    this.picked.value = unit;
    this.hooks.onpick(unit);
    this.draw();
  }

  private draw(): void {
    const { table, drawing } = this;
    if (!table) return put(drawing);
    // a game without positions shows only the list of its values
    const bare = !table.areas.length && !table.barriers.length && table.units.every((unit) => unit.x === undefined);
    if (bare !== this.element.classList.contains('bare')) this.foot.querySelector('details')!.open = bare;
    this.element.classList.toggle('bare', bare);
    if (bare) return this.tellAll(table, bare);
    const focused = document.activeElement?.getAttribute('data-unit');
    const y = (at: number) => table.height - at;
    const [left, top, wide, high] = (this.shown = this.zoom.frame ?? this.wider(table, this.frame(table)));
    this.choice.hidden = !this.whole && !this.zoom.frame && wide >= table.width && high >= table.height;
    // texts and strokes keep their size on the screen; the ruler is outside the visible part of the table
    const shown = drawing.clientWidth || 500;
    const pixel = Math.max(wide / (shown - RULER), high / (Math.max(120, drawing.clientHeight || shown * 0.75) - RULER));
    const ruler = RULER * pixel;
    drawing.setAttribute('viewBox', `${left - ruler} ${top} ${wide + ruler + EDGE * pixel} ${high + ruler}`);
    drawing.style.setProperty('--px', `${pixel}px`);
    this.labels = [];
    const parts: Child[] = [s('rect', { class: 'felt', x: 0, y: 0, width: table.width, height: table.height })];
    for (let at = 0; at <= table.width; at += INCH) parts.push(s('line', { class: at % (6 * INCH) ? 'grid' : 'grid six', x1: at, x2: at, y1: 0, y2: table.height }));
    for (let at = 0; at <= table.height; at += INCH) parts.push(s('line', { class: at % (6 * INCH) ? 'grid' : 'grid six', y1: y(at), y2: y(at), x1: 0, x2: table.width }));
    const sides = sidesOf(table.units);
    parts.push(table.areas.map((area, n) => this.area(area, n, y, pixel)));
    for (const barrier of table.barriers) {
      parts.push(s('polyline', { class: 'barrier', points: barrier.points.map(([px, py]) => `${px},${y(py)}`).join(' ') }, s('title', null, barrier.title || barrier.id)));
      const [px, py] = barrier.points[0] ?? [0, 0];
      parts.push(this.label('feature', barrier.title || barrier.id, [px, y(py) - 6 * pixel], pixel));
    }
    parts.push(this.ranges(table, y, pixel));
    // while the unit is dragged, its lines of sight are outdated
    if (this.looked?.unit === this.picked.value && this.looked && !this.dragged?.by.some((by) => by)) parts.push(lines(views(table, this.looked), y, pixel));
    for (const { from, to } of this.trails) parts.push(s('line', { class: 'trail', x1: from[0], y1: y(from[1]), x2: to[0], y2: y(to[1]) }));
    for (const unit of table.units) if (unit.x !== undefined && unit.y !== undefined) parts.push(this.unit(unit, sides.indexOf(unit.side), y, pixel));
    // the name of a group is above the center of its models
    for (const group of table.units.filter((unit) => table.units.some((other) => other.of === unit.id))) {
      const models = table.units.filter((unit) => unit.of === group.id && unit.x !== undefined && unit.alive);
      if (!models.length) continue;
      const by = this.dragged?.units.some((unit) => models.includes(unit)) ? this.dragged.by : [0, 0];
      const x = models.reduce((sum, unit) => sum + unit.x!, 0) / models.length + by[0]!;
      const highest = Math.max(...models.map((unit) => unit.y!)) + by[1]!;
      const classes = `group side${sides.indexOf(group.side)} ${this.lit.has(group.id) ? 'lit' : ''} ${this.picked.value === group.id ? 'picked' : ''}`;
      const reach = s('rect', { class: 'reach' });
      const name = s('g', { class: 'named', role: 'button', tabindex: 0, 'data-unit': group.id, 'aria-label': this.tell(group) }, reach, this.label(classes, group.title || group.id, [x, y(highest) - 0.6 * INCH - 6 * pixel], pixel, { size: 13, reach }));
      name.addEventListener('pointerdown', (event) => this.grab(event, group));
      name.addEventListener('keydown', (event) => this.key(event, group));
      parts.push(name);
    }
    const [foot, side] = [top + high, left];
    // this path covers everything outside the frame, whatever the shape of the drawing
    const far = 100 * INCH;
    parts.push(s('path', { class: 'ruler', 'fill-rule': 'evenodd', d: `M${left - far} ${top - far}h${wide + 2 * far}v${high + 2 * far}h${-wide - 2 * far}zM${left} ${top}h${wide}v${high}h${-wide}z` }));
    for (let at = 0; at <= table.width; at += 6 * INCH) if (at >= left - 1 && at <= left + wide) parts.push(s('text', { class: 'tick', x: at, y: foot + 14 * pixel }, inch(at)));
    for (let at = 0; at <= table.height; at += 6 * INCH) if (y(at) >= top + 6 * pixel && y(at) <= foot + 1) parts.push(s('text', { class: 'tick', x: side - 10 * pixel, y: y(at) + 4 * pixel }, inch(at)));
    this.place([left, top, left + wide, foot], pixel);
    put(drawing, parts);
    if (focused) drawing.querySelector<SVGElement>(`[data-unit="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    this.tellAll(table, bare);
  }

  /** Creates a text that is later placed near `at` so that it covers no other text. */
  private label(classes: string, text: string, at: [number, number], pixel: number, { size = 11, from = [0, 0] as [number, number], spots = [] as [number, number][], spare = false, reach = undefined as SVGRectElement | undefined } = {}): SVGTextElement {
    const element = s('text', { class: classes }, text);
    const step = size * 1.25 * pixel;
    const wide = (text.length * size * WIDE * pixel) / 2;
    const ring = (n: number): [number, number][] => [[at[0], at[1] - n * step], [at[0], at[1] + n * step], [at[0] + wide + n * step, at[1]], [at[0] - wide - n * step, at[1]]];
    this.labels.push({ element, text, size, from, spare, reach, spots: [at, ...spots, ...Array.from({ length: FAR }, (_, n) => ring(n + 1)).flat()] });
    return element;
  }

  /** Places each text at its first free spot (greedy placement). Names of units come first. */
  private place([left, top, right, foot]: [number, number, number, number], pixel: number): void {
    const taken: [number, number, number, number][] = [];
    const weight = ({ element, spare }: Label): number => (spare ? 3 : element.classList.contains('group') ? 0 : element.classList.contains('name') ? 1 : 2);
    for (const { element, text, size, spots, from, spare, reach } of this.labels.sort((a, b) => weight(a) - weight(b))) {
      const [half, high] = [(text.length * size * WIDE * pixel) / 2, size * pixel];
      const inside = ([x, y]: [number, number]): [number, number] => [Math.max(left + half, Math.min(right - half, x)), Math.max(top + high, Math.min(foot - high / 4, y))];
      const box = ([x, y]: [number, number]): [number, number, number, number] => [x - half, y - high * 0.85, x + half, y + high * 0.25];
      const covered = (at: [number, number]): number => {
        const [l, t, r, b] = box(at);
        return taken.reduce((sum, [ol, ot, or, ob]) => sum + Math.max(0, Math.min(r, or) - Math.max(l, ol)) * Math.max(0, Math.min(b, ob) - Math.max(t, ot)), 0);
      };
      const places = spots.map(inside);
      const at = places.find((each) => covered(each) === 0) ?? (spare ? null : places.reduce((best, each) => (covered(each) < covered(best) ? each : best)));
      if (!at) element.textContent = '';
      else taken.push(box(at));
      element.setAttribute('x', String((at?.[0] ?? 0) - from[0]));
      element.setAttribute('y', String((at?.[1] ?? 0) - from[1]));
      for (const [name, of] of Object.entries({ x: (at?.[0] ?? 0) - Math.max(half, TOUCH * pixel), y: (at?.[1] ?? 0) - high * 0.3 - TOUCH * pixel, width: 2 * Math.max(half, TOUCH * pixel), height: 2 * TOUCH * pixel })) reach?.setAttribute(name, String(of));
    }
  }

  /** Draws the ranges of the picked unit: for each of its lengths, an outline around all its models, measured from the edges of their bases. */
  private ranges(table: Table, y: (at: number) => number, pixel: number): Child {
    const picked = table.units.find((unit) => unit.id === this.picked.value);
    if (!picked) return null;
    const around = (picked.x !== undefined ? [picked] : table.units.filter((unit) => unit.of === picked.id && unit.alive)).filter((unit) => unit.x !== undefined);
    const by = this.dragged?.units.includes(around[0]!) ? this.dragged.by : [0, 0];
    const figures = [picked, table.units.find((unit) => unit.id === picked.of)].flatMap((unit) => unit?.figures ?? []);
    const lengths = figures.map((figure) => ({ title: figure.title || figure.name, value: figure.value, inches: Number(/^(\d+(?:\.\d+)?)"$/.exec(figure.value)?.[1] ?? 0) })).filter(({ inches }) => inches > 0);
    if (!around.length) return null;
    return lengths.slice(0, RANGES).map(({ title, value, inches }, n) => {
      const circles = (more = {}): SVGElement[] => around.map((unit) => s('circle', { cx: unit.x! + by[0]!, cy: y(unit.y! + by[1]!), r: inches * INCH + (unit.base.round ?? 0) / 2, ...more }));
      const [id, first] = [this.mask + n, around[0]!];
      const [x, at, far] = [first.x! + by[0]!, y(first.y! + by[1]!), inches * INCH + (first.base.round ?? 0) / 2];
      // the mask hides the line inside the union of the circles
      return [
        s('mask', { id, maskUnits: 'userSpaceOnUse', x: -table.width, y: -table.height, width: 3 * table.width, height: 3 * table.height }, s('rect', { x: -table.width, y: -table.height, width: 3 * table.width, height: 3 * table.height, fill: 'white' }), circles({ fill: 'black' })),
        s('g', { class: `range range${n}`, mask: `url(#${id})`, 'data-range': `${title} ${value}` }, circles()),
        this.label('feature', `${title} ${value}`, [x, at - far], pixel, { spots: [[x + far, at], [x, at + far], [x - far, at]] }),
      ];
    });
  }

  /** Returns the visible part of the table: the whole table, or its contents with some inches around them. */
  private frame(table: Table): [number, number, number, number] {
    const edge = INCH / 4;
    const whole: [number, number, number, number] = [-edge, -edge, table.width + 2 * edge, table.height + 2 * edge];
    const points = [...table.areas.flatMap((area) => area.points), ...table.barriers.flatMap((barrier) => barrier.points), ...table.units.filter((unit) => unit.x !== undefined).map((unit): [number, number] => [unit.x!, unit.y!])];
    if (this.whole || this.dragged || points.length === 0) return this.whole || !this.kept ? whole : this.kept;
    const around = 3 * INCH;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, each]) => table.height - each)];
    const left = Math.max(whole[0], Math.min(...xs) - around);
    const top = Math.max(whole[1], Math.min(...ys) - around);
    const right = Math.min(whole[0] + whole[2], Math.max(...xs) + around);
    const bottom = Math.min(whole[1] + whole[3], Math.max(...ys) + around);
    // keep the frame while the contents fit, so that it does not jump with each move
    const [l, t, w, b] = this.kept ?? [Infinity, Infinity, 0, 0];
    const fits = l <= left + 3 * INCH && t <= top + 3 * INCH && l + w >= right - 3 * INCH && t + b >= bottom - 3 * INCH;
    if (!fits) this.kept = [left, top, right - left, bottom - top];
    return this.kept!;
  }
  /** Extends the visible part to the shape of the drawing. */
  private wider(table: Table, [left, top, wide, high]: [number, number, number, number]): [number, number, number, number] {
    const most = Number.parseFloat(getComputedStyle(this.drawing).maxHeight) || innerHeight / 2;
    const room = (this.drawing.clientWidth || 500) / Math.max(120, most);
    const more = Math.min(table.width + INCH / 2, Math.max(wide, high * room));
    return [Math.max(-INCH / 4, Math.min(left - (more - wide) / 2, table.width + INCH / 4 - more)), top, more, high];
  }
  private kept: Frame | null = null;
  whole = false;

  /** Computes the frame again, for another table. */
  reset(): void {
    this.kept = this.zoom.frame = null;
  }

  private area(area: Area, n: number, y: (at: number) => number, pixel: number): Child {
    const points = area.points;
    const x = points.reduce((sum, [px]) => sum + px, 0) / (points.length || 1);
    const py = points.reduce((sum, [, each]) => sum + each, 0) / (points.length || 1);
    const title = area.title || area.id;
    if (points.length < 3) return [s('path', { class: 'spot', d: `M${x - 250} ${y(py)}h500M${x} ${y(py) - 250}v500` }), this.label('feature', title, [x, y(py) - 9 * pixel], pixel)];
    return [s('polygon', { class: `area area${n % 4}`, points: points.map(([px, each]) => `${px},${y(each)}`).join(' ') }, s('title', null, title)), this.label('feature', title, [x, y(py)], pixel)];
  }

  private unit(unit: Unit, side: number, y: (at: number) => number, pixel: number): Child {
    const dragged = this.dragged?.units.includes(unit) ? this.dragged : null;
    const x = unit.x! + (dragged?.by[0] ?? 0);
    const at = y(unit.y! + (dragged?.by[1] ?? 0));
    const round = unit.base.round ? unit.base.round / 2 : null;
    const size = round ?? 500;
    const reached = this.table?.units.some((other) => other.of === unit.id);
    const classes = ['unit', `side${side}`, unit.alive ? '' : 'gone', this.lit.has(unit.id) || (unit.of && this.lit.has(unit.of)) ? 'lit' : '', this.picked.value === unit.id || (unit.of && this.picked.value === unit.of) ? 'picked' : '', dragged ? 'dragged' : ''];
    const marker = !unit.base.round && !unit.base.points && !unit.side;
    const shape = marker ? s('path', { class: 'spot', d: `M${-7 * pixel} 0h${14 * pixel}M0 ${-7 * pixel}v${14 * pixel}` }) : unit.base.points && !round ? s('polygon', { class: 'base', points: unit.base.points.map(([px, py]) => `${px - unit.x!},${unit.y! - py}`).join(' ') }) : s('circle', { class: 'base', r: size });
    // the facing, if the kind has one: clockwise from the top in hundredths of a degree
    const nose = unit.facing === undefined || marker ? null : s('path', { class: 'nose', d: `M${-size * 0.42} ${-size * 0.86}L0 ${-size * 1.5}L${size * 0.42} ${-size * 0.86}z`, transform: `rotate(${unit.facing / 100})` });
    const each = s(
      'g',
      { class: classes.join(' '), transform: `translate(${x} ${at})`, tabindex: 0, role: 'button', 'data-unit': unit.id, 'aria-label': this.tell(unit), 'aria-pressed': this.picked.value === unit.id ? 'true' : 'false' },
      // small bases are hard to touch
      s('circle', { class: 'reach', r: Math.max(size * 1.25, (matchMedia('(pointer: coarse)').matches || innerWidth < 760 ? TOUCH : 9) * pixel) }),
      nose,
      shape,
      reached || (unit.of && pixel > 45) ? null : this.label(marker ? 'feature' : 'name', unit.title && unit.title.length <= 12 ? unit.title : unit.id, [x, at + (marker ? -10 * pixel : size + 12 * pixel)], pixel, { from: [x, at], spots: [[x, at - size - 4 * pixel]], spare: unit.of !== undefined }),
      s('title', null, this.tell(unit)),
    );
    each.addEventListener('pointerdown', (event) => this.grab(event, unit));
    each.addEventListener('keydown', (event) => this.key(event, unit));
    return each;
  }

  private tell(unit: Unit): string {
    const where = unit.x === undefined ? this.models(unit) || 'not on the table' : `at ${inch(unit.x)}, ${inch(unit.y ?? 0)} inches`;
    const figures = unit.figures.slice(0, 6).map((figure) => `${figure.title || figure.name} ${figure.value}`);
    return [unit.title || unit.id, unit.side && `of ${unit.side}`, where, ...(unit.alive ? [] : ['destroyed']), ...figures, ...unit.statuses].filter(Boolean).join(', ');
  }

  /** Returns the number of models of a unit on the table, as text. */
  private models(unit: Unit): string {
    const n = this.table?.units.filter((each) => each.of === unit.id && each.x !== undefined && each.alive).length;
    return n ? `${n} ${n === 1 ? 'model' : 'models'} on the table` : '';
  }

  private tellAll(table: Table, bare: boolean): void {
    const columns: [string, (unit: Unit) => string][] = [
      ['side', (unit) => unit.side],
      ['position', (unit) => (bare ? '' : unit.x === undefined ? this.models(unit) || '–' : `${inch(unit.x)}, ${inch(unit.y ?? 0)}`)],
      ['state', (unit) => [unit.alive ? '' : 'destroyed', ...unit.statuses].filter(Boolean).join(', ')],
      ['values', (unit) => unit.figures.map((figure) => `${figure.title || figure.name} ${figure.value}`).join(', ')],
    ];
    // a column without any entry is left out
    const used = columns.filter(([, of]) => table.units.some(of));
    const rows = table.units.map((unit) => h('tr', null, h('th', { scope: 'row' }, button(unit.title || unit.id, () => this.pick(unit.id), { class: 'link', 'data-key': `told-${unit.id}` })), used.map(([, of]) => h('td', null, of(unit)))));
    put(
      this.words,
      h('p', null, bare ? 'Nothing here has a position on a table.' : `A table of ${inch(table.width)} by ${inch(table.height)} inches. Positions are measured from the lower left corner.`),
      table.areas.length > 0 && h('p', null, `Areas: ${table.areas.map((area) => area.title || area.id).join(', ')}.`),
      table.barriers.length > 0 && h('p', null, `Barriers: ${table.barriers.map((barrier) => barrier.title || barrier.id).join(', ')}.`),
      h('div', { class: 'scroll' }, h('table', null, h('thead', null, h('tr', null, ['name', ...used.map(([head]) => head)].map((head) => h('th', { scope: 'col' }, head)))), h('tbody', null, rows))),
    );
  }

  private point(event: PointerEvent): [number, number] {
    const matrix = this.drawing.getScreenCTM();
    if (!matrix || !this.table) return [0, 0];
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [at.x, this.table.height - at.y];
  }

  /** Returns the units that move together: the unit itself, all units of its line, or its models. */
  private standing(unit: Unit): Unit[] {
    // units that one line of the scenario places move together
    if (unit.line !== undefined) return this.table?.units.filter((each) => each.line === unit.line && each.x !== undefined) ?? [];
    return unit.x !== undefined ? [unit] : (this.table?.units.filter((each) => each.of === unit.id && each.x !== undefined && each.alive) ?? []);
  }

  private grab(event: PointerEvent, unit: Unit): void {
    if (event.button !== 0) return;
    event.preventDefault();
    (event.currentTarget as SVGElement).focus({ preventScroll: true });
    this.dragged = { what: unit, units: this.standing(unit), from: this.point(event), by: [0, 0], pointer: event.pointerId };
    this.drawing.setPointerCapture(event.pointerId);
  }

  /** Limits a move so that all units stay on the table. */
  private within(units: Unit[], by: [number, number]): [number, number] {
    const { table } = this;
    if (!table || !units.length) return [0, 0];
    const clamp = (n: number, least: number, most: number) => Math.max(least, Math.min(most, n));
    const [xs, ys] = [units.map((unit) => unit.x!), units.map((unit) => unit.y!)];
    return [clamp(by[0], -Math.min(...xs), table.width - Math.max(...xs)), clamp(by[1], -Math.min(...ys), table.height - Math.max(...ys))];
  }

  private drag(event: PointerEvent): void {
    const { dragged } = this;
    if (!dragged || dragged.pointer !== event.pointerId || !this.movable || !this.hooks.onmove) return;
    const [x, y] = this.point(event);
    const snap = (by: number) => (event.shiftKey ? Math.round(by) : Math.round(by / 100) * 100);
    dragged.by = this.within(dragged.units, [snap(x - dragged.from[0]), snap(y - dragged.from[1])]);
    this.draw();
  }

  private drop(event: PointerEvent): void {
    const { dragged } = this;
    if (!dragged || dragged.pointer !== event.pointerId) return;
    this.dragged = null;
    this.pick(dragged.what.id);
    if (Math.hypot(...dragged.by) > 50) this.move(dragged.what, dragged.units, dragged.by);
  }

  private move(what: Unit, units: Unit[], by: [number, number]): void {
    if (!units.length || (by[0] === 0 && by[1] === 0)) return;
    // shown at once, until the engine's answer replaces it
    this.looked = null;
    for (const unit of units) [unit.x, unit.y] = [unit.x! + by[0], unit.y! + by[1]];
    this.draw();
    const { x, y } = units[0]!;
    const whole = units.length > 1 && what.of ? what.of : what.title || what.id;
    announce(`${whole} moved to ${inch(x!)}, ${inch(y!)}`);
    // the first unit of a line gives the position of the whole line
    const placed = units.filter((unit, n) => unit.line === undefined || units.findIndex((other) => other.line === unit.line) === n);
    this.hooks.onmove?.(placed.map((unit) => ({ unit: unit.id, x: unit.x!, y: unit.y! })), `${whole} moved`);
  }

  private key(event: KeyboardEvent, unit: Unit): void {
    const step = event.shiftKey ? 100 : INCH;
    const way: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const by = way[event.key];
    if (by && this.movable && this.hooks.onmove) {
      event.preventDefault();
      const units = this.standing(unit);
      this.move(unit, units, this.within(units, by));
      if (this.picked.value !== unit.id) this.pick(unit.id);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.pick(unit.id);
    }
  }
}

/** The order of the colors of sides. Sides that are named after a color get that color. */
const CALLED = ['blue', 'red', 'green', 'purple'];
export function sidesOf(units: Unit[]): string[] {
  const sides = [...new Set(units.map((unit) => unit.side).filter(Boolean))];
  return sides.every((side) => CALLED.includes(side)) ? CALLED : sides;
}
