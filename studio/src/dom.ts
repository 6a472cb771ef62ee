// Elements by function call (hyperscript). Texts become text nodes and never markup, so that no name can inject any.

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

/** An HTML element; `onclick` and the like are listeners, all else attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props | null = null, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, props: Props | null = null, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, props, children);
  return element;
}

/** Notes which field is being written in: from its first letter until what stands there is taken. */
addEventListener('input', ({ target }) => ((target as HTMLElement).dataset.typed = 'yes'));
// before whoever takes it draws the field anew
addEventListener('change', ({ target }) => delete (target as HTMLElement).dataset.typed, true);

/** What is half written in a field that was drawn anew stays, and is taken as if it had been written there. */
function carry(was: HTMLInputElement, next: HTMLInputElement): void {
  next.value = was.value;
  next.dispatchEvent(new Event('input', { bubbles: true }));
  const take = (): unknown => next.dataset.typed && next.dispatchEvent(new Event('change', { bubbles: true }));
  next.addEventListener('keydown', (event) => event.key === 'Enter' && take());
  next.addEventListener('blur', take);
}

/** What is pressed, or what was drawn in its place since: a browser clicks nothing where what was pressed is gone at the release. */
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

/** Puts other children into an element; the focus stays on what has the same `data-key`, and what was unfolded stays so. */
export function put(element: Element, ...children: Child[]): void {
  const open = new Map(folds(element).map((each) => [each.dataset.key, each.open]));
  const was = element.contains(document.activeElement) ? (document.activeElement as HTMLInputElement) : null;
  const focused = was?.getAttribute('data-key');
  // what is selected in a field stays so, to its end if it was: what is written next takes its place
  const selected = was?.type === 'text' ? { from: was.selectionStart!, to: was.selectionEnd!, length: was.value.length } : null;
  const typed = selected && was!.dataset.typed;
  delete was?.dataset.typed;
  const under = pressed && element.contains(pressed) ? pressed : null;
  element.replaceChildren();
  add(element, children);
  if (under && !under.isConnected) {
    // one that says something else is another one
    const next = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(under.dataset.key!)}"]`);
    [pressed, replaced] = [next && next.textContent === under.textContent ? next : null, true];
  }
  for (const each of open.size ? folds(element) : []) each.open = open.get(each.dataset.key) ?? each.open;
  const next = focused ? element.querySelector<HTMLInputElement>(`[data-key="${CSS.escape(focused)}"]`) : null;
  // what can be pressed no longer hands the focus on to its neighbour
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

/** Says something to screen readers. */
export function announce(text: string): void {
  const place = document.getElementById('announce');
  if (place) place.textContent = text;
}

/** A value that tells who listens when it changes. */
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
  /** Listens; the function that comes back ends it. */
  on(listener: (value: T) => void, now = false): () => void {
    this.listeners.add(listener);
    if (now) listener(this.current);
    return () => this.listeners.delete(listener);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
