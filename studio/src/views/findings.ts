// The problems in the open text: errors, warnings and remarks, each with its place, its help and the page of its code.

import { button, h, put, type Child } from '../dom';
import { inline, markdown } from '../editor/markdown';
import { type Diagnostic, type Model, pathOf } from '../model';
import { dialogue } from '../widgets';

const WORDS = ['error', 'error', 'warning', 'remark', 'remark'] as const;
const MOST = 100;
const word = (found: Diagnostic): (typeof WORDS)[number] => WORDS[found.severity ?? 1] ?? 'error';
const many = (n: number, what: string): string | 0 => n && `${n} ${what}${n === 1 ? '' : 's'}`;

export class Findings {
  /** Shows the number of problems, and opens the list. */
  readonly button = button('', () => this.turn(), { class: 'link problems', 'aria-expanded': 'false', 'aria-controls': 'findings' });
  readonly element = h('section', { class: 'findings', id: 'findings', hidden: true, tabindex: -1, 'aria-label': 'Problems' });

  constructor(private readonly model: Model) {
    model.path.on(() => this.draw());
    model.diagnostics.on(() => this.draw());
    this.element.addEventListener('keydown', (event) => event.key === 'Escape' && this.turn());
  }

  private turn(): void {
    this.element.hidden = !this.element.hidden;
    this.button.setAttribute('aria-expanded', String(!this.element.hidden));
    this.draw();
    if (this.element.hidden) this.button.focus();
    else this.element.focus();
  }

  private draw(): void {
    const { model } = this;
    const path = model.path.value;
    const here = model.diagnostics.value.get(path) ?? [];
    const count = (what: string) => here.filter((found) => word(found) === what).length;
    const errors = count('error');
    const elsewhere = [...model.diagnostics.value].flatMap(([other, all]) => (other === path ? [] : all.filter((found) => word(found) === 'error').map((found) => ({ path: other, found }))));
    this.button.textContent = [many(errors, 'error'), many(count('warning'), 'warning'), many(count('remark'), 'remark'), many(elsewhere.length, 'error') && `${many(elsewhere.length, 'error')} in other files`].filter(Boolean).join(', ');
    this.button.classList.toggle('bad', errors + elsewhere.length > 0);
    this.button.hidden = !here.length && !elsewhere.length;
    if (this.button.hidden) this.element.hidden = true;
    if (this.element.hidden) return put(this.element);
    const calm = !errors && !model.changed.value.has(path);
    const sorted = [...here].sort((a, b) => (a.severity ?? 1) - (b.severity ?? 1) || a.range.start.line - b.range.start.line);
    put(
      this.element,
      h('div', { class: 'head' }, h('h2', null, 'Problems'), button('×', () => this.turn(), { class: 'close', 'aria-label': 'Close' })),
      calm && h('p', { class: 'soft' }, 'These are remarks on the original text. They need no action.'),
      h('ul', { class: 'plain' }, sorted.slice(0, MOST).map((found) => this.one(path, found)), elsewhere.slice(0, MOST).map(({ path, found }) => this.one(path, found))),
      sorted.length > MOST && h('p', { class: 'soft' }, `and ${sorted.length - MOST} more`),
    );
  }

  private one(path: string, found: Diagnostic): Child {
    const { model } = this;
    const [message, ...help] = found.message.split('\n');
    const go = (path: string, range: Diagnostic['range']) => () => (model.look.value = { path, range, focus: true });
    const where = `${path === model.path.value ? '' : `${path}, `}line ${found.range.start.line + 1}`;
    return h(
      'li',
      { class: word(found) },
      h('p', null, h('span', { class: `how ${word(found)}` }, word(found)), ' ', button(where, go(path, found.range), { class: 'link', 'data-key': `found ${path} ${found.range.start.line} ${found.code}` }), ': ', inline(message ?? '')),
      help.map((line) => h('p', { class: 'soft' }, inline(line))),
      (found.relatedInformation ?? []).slice(0, 5).map(({ location, message }) => h('p', { class: 'soft' }, button(`${pathOf(location.uri)}, line ${location.range.start.line + 1}`, go(pathOf(location.uri), location.range), { class: 'link' }), ': ', inline(message))),
      found.code !== undefined && h('p', null, button(`Explain ${found.code}`, () => void this.page(String(found.code)), { class: 'link', 'data-key': `page ${found.code} ${found.range.start.line}` })),
    );
  }

  private async page(code: string): Promise<void> {
    try {
      const { text } = await this.model.engine.ask('grognard/explain', { code });
      const title = /^# (.*)/.exec(text)?.[1] ?? code;
      await dialogue(title, h('div', { class: 'hover page' }, markdown(text.replace(/^# .*\n/, ''))), [{ name: 'Close', value: '', main: true }]);
    } catch (why) {
      this.model.notice.value = (why as Error).message;
    }
  }
}
