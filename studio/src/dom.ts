// Creates elements by function calls (hyperscript). Strings become text nodes and never markup, so a name cannot inject markup.

type Handler = (event: never) => void;
export type Child = Node | string | number | null | undefined | false | Child[];
export type Props = Record<string, string | number | boolean | Handler | undefined | null>;

const SVG = 'http://www.w3.org/2000/svg';

function fill(element: Element, props: Props | null, children: Child[]): void {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value as EventListener);
    else if (name === 'value' && element instanceof HTMLInputElement) element.value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  add(element, children);
}

function add(element: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) add(element, child);
    else if (child === null || child === undefined || child === false) continue;
    else element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Creates an HTML element. Functions such as `onclick` become listeners, all other properties become attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props | null = null, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

/** Creates an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, props: Props | null = null, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, props, children);
  return element;
}

/** Marks the field that the user is typing in, from the first letter until the value is committed. */
addEventListener('input', ({ target }) => ((target as HTMLElement).dataset.typed = 'yes'));
// in the capture phase, before a listener redraws the field
addEventListener('change', ({ target }) => delete (target as HTMLElement).dataset.typed, true);

/** Moves unfinished input into the redrawn field, where it is committed as if it had been typed there. */
function carry(was: HTMLInputElement, next: HTMLInputElement): void {
  next.value = was.value;
  next.dispatchEvent(new Event('input', { bubbles: true }));
  const take = (): unknown => next.dataset.typed && next.dispatchEvent(new Event('change', { bubbles: true }));
  next.addEventListener('keydown', (event) => event.key === 'Enter' && take());
  next.addEventListener('blur', take);
}

/** The pressed element, or the one that replaced it. A browser sends no click if the pressed element is gone at the release. */
let pressed: HTMLElement | null = null;
let replaced = false;
const press = (target: EventTarget | null): void => {
  const near = (target as Element | null)?.closest?.<HTMLElement>('[data-key], label');
  [pressed, replaced] = [near?.matches('label') ? near.querySelector<HTMLElement>('[data-key]') : (near ?? null), false];
};
const release = (target: EventTarget | null): void => {
  const [on, lost] = [pressed, replaced];
  pressed = null;
  if (lost && on && target instanceof Node && (on.closest('label') ?? on).contains(target)) on.click();
};
const space = (then: (target: EventTarget | null) => void) => (event: KeyboardEvent) => event.key === ' ' && !event.repeat && then(event.target);
addEventListener('pointerdown', ({ button, target }) => press(button === 0 ? target : null), true);
addEventListener('pointerup', ({ target }) => release(target), true);
addEventListener('pointercancel', () => press(null), true);
addEventListener('keydown', space(press), true);
addEventListener('keyup', space(release), true);

const folds = (element: Element): HTMLDetailsElement[] => [...element.querySelectorAll<HTMLDetailsElement>('details[data-key]')];

/** The values that the children of an element were drawn from. */
const drawn = new WeakMap<Element, unknown[]>();

/** Draws the children of an element if one of the values that they depend on is another one: an answer that did not change draws nothing. */
export function draw(element: Element, from: unknown[], children: () => Child): void {
  const was = drawn.get(element);
  if (was?.length === from.length && from.every((each, n) => Object.is(each, was[n]))) return;
  put(element, children());
  drawn.set(element, from);
}

/** Returns whether two answers have the same content. */
export function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return Object.is(a, b);
  const [of, other] = [Object.entries(a), b as Record<string, unknown>];
  return Array.isArray(a) === Array.isArray(b) && of.length === Object.keys(b).length && of.every(([name, value]) => name in b && equal(value, other[name]));
}

/** Replaces the children of an element. The focus stays on the element with the same `data-key`, and open details stay open. */
export function put(element: Element, ...children: Child[]): void {
  const open = new Map(folds(element).map((each) => [each.dataset.key, each.open]));
  const was = element.contains(document.activeElement) ? (document.activeElement as HTMLInputElement) : null;
  const focused = was?.getAttribute('data-key');
  // a selection in a field is kept; if it reached the end, it covers the whole new value, so that typing replaces it
  const selected = was?.type === 'text' ? { from: was.selectionStart!, to: was.selectionEnd!, length: was.value.length } : null;
  const typed = selected && was!.dataset.typed;
  delete was?.dataset.typed;
  const under = pressed && element.contains(pressed) ? pressed : null;
  drawn.delete(element);
  element.replaceChildren();
  add(element, children);
  if (under && !under.isConnected) {
    // an element with another text is a different one
    const next = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(under.dataset.key!)}"]`);
    [pressed, replaced] = [next && next.textContent === under.textContent ? next : null, true];
  }
  for (const each of open.size ? folds(element) : []) each.open = open.get(each.dataset.key) ?? each.open;
  const next = focused ? element.querySelector<HTMLInputElement>(`[data-key="${CSS.escape(focused)}"]`) : null;
  // a disabled element passes the focus to the first enabled button
  (next?.disabled ? element.querySelector<HTMLElement>('button:not(:disabled)') : next)?.focus({ preventScroll: true });
  if (next && typed) carry(was!, next);
  if (next && selected) {
    const { from, to, length } = selected;
    next.setSelectionRange(from, to > from && to === length ? next.value.length : to);
  }
}

export function button(text: Child, onclick: (event: MouseEvent) => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', onclick: onclick as Handler, ...props }, text);
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const place = document.getElementById('announce');
  if (place) place.textContent = text;
}

/** A value that notifies its listeners when it changes. */
export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();
  constructor(private current: T) {}
  get value(): T {
    return this.current;
  }
  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    this.tell();
  }
  tell(): void {
    for (const listener of [...this.listeners]) listener(this.current);
  }
  /** Adds a listener. Returns a function that removes it. */
  on(listener: (value: T) => void, now = false): () => void {
    this.listeners.add(listener);
    if (now) listener(this.current);
    return () => this.listeners.delete(listener);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
