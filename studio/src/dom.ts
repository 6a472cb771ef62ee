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

const folds = (element: Element): HTMLDetailsElement[] => [...element.querySelectorAll<HTMLDetailsElement>('details[data-key]')];

/** Puts other children into an element; the focus stays on what has the same `data-key`, and what was unfolded stays so. */
export function put(element: Element, ...children: Child[]): void {
  const open = new Map(folds(element).map((each) => [each.dataset.key, each.open]));
  const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute('data-key') : null;
  element.replaceChildren();
  add(element, children);
  for (const each of open.size ? folds(element) : []) each.open = open.get(each.dataset.key) ?? each.open;
  if (focused) element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
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
