// The sheet that the browser prints: the rules without their examples, with the paragraphs of the book, and the odds of the scenario.

import { h, put, type Child } from '../dom';
import type { Model } from '../model';
import { titleOf } from './words';

/** Lines that belong to an item with this keyword are not printed. */
const LEFT_OUT = /^(?:override )?example\b/;
const CLAUSE = /^([A-Z][A-Z\d]*-[A-Z]?\d+)(?: \(\w+\))?\s+(\S.*)/;
const SECTION = /^section "(.*)"/;

/** Returns the rules as headings, paragraphs and code. */
export function sheet(text: string): Child[] {
  const parts: Child[] = [];
  let code: string[] = [];
  let says: string[] | null = null;
  let left = false;
  const flush = (): void => {
    const lines = code.join('\n').trim();
    if (lines) parts.push(h('pre', null, lines));
    code = [];
  };
  for (const line of text.split('\n').slice(1)) {
    const inside = /^[\s})]/.test(line);
    if (says && inside && line.trim()) {
      says.push(line.trim());
      continue;
    }
    if (says) {
      parts.push(h('p', null, h('b', null, says[0]), ` ${says.slice(1).join(' ')}`));
      says = null;
    }
    if (!inside && line) left = LEFT_OUT.test(line);
    if (left || line.startsWith('#')) continue;
    const [, id, first] = CLAUSE.exec(line) ?? [];
    const [, title] = SECTION.exec(line) ?? [];
    if (id || title) flush();
    if (id) says = [id, first!];
    else if (title) parts.push(h('h2', null, title));
    else code.push(line);
  }
  flush();
  return parts;
}

/** Fills the sheet before the browser prints. */
export function printed(model: Model): void {
  const place = document.body.appendChild(h('article', { id: 'sheet' }));
  addEventListener('beforeprint', () => {
    const path = model.path.value.endsWith('.rules') ? model.path.value : (model.rulesOf(model.scene.value) ?? '');
    const odds = document.querySelector('.becomes')?.cloneNode(true) as HTMLElement | undefined;
    odds?.querySelectorAll('button, .status').forEach((each) => each.remove());
    put(place, h('h1', null, titleOf(path.split('/')[0] ?? '')), sheet(model.now(path) ?? ''), odds && [h('h2', null, model.title(model.scene.value)), odds]);
  });
  addEventListener('afterprint', () => put(place));
}
