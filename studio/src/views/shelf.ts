// The shelf: books with their files and scenarios, markers of changes, and the outline of the open text.

import { button, draw, equal, h, type Child } from '../dom';
import type { Editor } from '../editor/editor';
import { folderOf, gameOf, needed } from '../games';
import type { Model } from '../model';
import type { Range } from '../protocol';
import { confirm } from '../widgets';

/** Returns the first words of a line. */
const brief = (line: string): string => /^.{0,40}(?=\s|$)/.exec(line.trim().replace(/\s+/g, ' '))![0] + (line.trim().length > 40 ? ' …' : '');

interface Symbol { name: string; detail?: string; range: Range; selectionRange: Range; children?: Symbol[] }

export class Shelf {
  readonly element: HTMLElement;
  private readonly list = h('div', { class: 'files' });
  private readonly outline = h('div', { class: 'outline' });
  private filter = '';
  /** The text that was last scrolled into view. */
  private shown = '';
  private open = new Set<string>();
  private due = false;
  /** The books of the last drawing. */
  private known = new Set<string>();
  private symbols: Symbol[] = [];
  /** Mark each listed file that has changed. */
  private marks: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  onopen: (() => void) | null = null;

  constructor(private readonly model: Model, private readonly editor: Editor) {
    const find = h('input', { type: 'search', placeholder: 'Find a file', 'aria-label': 'Find a file' });
    find.oninput = () => {
      this.filter = find.value.toLowerCase();
      this.draw();
    };
    this.element = h('nav', { class: 'shelf', id: 'files', 'aria-label': 'Files and outline' }, h('div', { class: 'shelf-part' }, h('h2', null, 'Books'), find, this.list), h('div', { class: 'shelf-part' }, h('h2', null, 'Outline'), this.outline));
    model.path.on((path) => {
      const book = model.book(path);
      if (book) this.open.add(book.name);
      this.draw();
    });
    editor.onopen = () => this.readOutline(50);
    model.scene.on(() => this.draw());
    model.shelf.on(() => this.draw());
    model.changed.on(() => this.draw());
    model.accepted.on(() => this.draw());
    model.typed.on(() => {
      this.draw();
      this.readOutline(600);
    });
  }

  private readOutline(after: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const symbols = await this.editor.lsp.symbols();
      if (!equal(symbols, this.symbols)) this.symbols = symbols;
      this.drawOutline();
    }, after);
  }

  private mark(path: string): string {
    const { model } = this;
    const base = model.base(path);
    // an accepted file is no longer new
    const kept = !model.shipped.get(path) && base !== null;
    return !model.changed.value.has(path) || (kept && base === model.now(path)) ? '' : base === null ? 'new' : 'changed';
  }

  private file(path: string, title: string, scenario: boolean): HTMLElement {
    const { model } = this;
    const here = model.path.value === path;
    const mark = h('span', { class: 'mark' });
    const name = path.split('/').pop() ?? path;
    const each = button(
      [h('span', null, title || name), mark, scenario && model.scene.value === path && h('span', { class: 'mark' }, 'in the views')],
      () => {
        model.path.value = path;
        if (scenario) model.scene.value = path;
        else void this.follow(path);
        this.onopen?.();
      },
      { class: `file ${here ? 'here' : ''}`, title: path, 'aria-current': here ? 'page' : undefined, 'data-key': path },
    );
    const restore = button('', () => void this.restore(path), { class: 'link restore', 'data-key': `restore ${path}` });
    this.marks.push(() => {
      const [now, own] = [this.mark(path), !model.shipped.get(path)];
      if (mark.textContent !== now) mark.textContent = now;
      mark.hidden = !now;
      mark.title = now && `${now === 'new' ? 'created' : 'changed'} by you`;
      restore.hidden = !model.changed.value.has(path);
      if (restore.hidden || restore.textContent) return;
      restore.textContent = own ? '×' : '↺';
      restore.title = own ? 'Delete' : 'Reset';
      restore.setAttribute('aria-label', own ? `Delete ${path}` : `Reset ${path} to the baseline`);
    });
    return h('li', null, each, restore);
  }

  /** Shows a scenario of the game of a text in the views, unless the game in view uses this text. */
  private async follow(path: string): Promise<void> {
    const { model } = this;
    const scene = model.scene.value;
    const game = gameOf(model, path);
    if (scene && (gameOf(model, scene) === game || (await needed(model, scene)).has(game))) return;
    if (model.path.value !== path || model.scene.value !== scene) return;
    // those in the folder of the text come first
    const apart = (each: string): number => Number(folderOf(each) !== folderOf(path));
    const scenes = model.scenarios().filter((each) => gameOf(model, each) === game).sort((a, b) => apart(a) - apart(b));
    model.scene.value = scenes.find((each) => model.rulesOf(each) === path) ?? scenes[0] ?? '';
  }

  private async restore(path: string): Promise<void> {
    const own = !this.model.shipped.get(path);
    if (await confirm(own ? 'Delete your file?' : 'Reset the file?', own ? `${path} is deleted. You can restore it under Review until you close this page.` : `${path} is reset to the baseline: ${this.model.came}.`, own ? 'Delete' : 'Reset')) await this.model.restore(path);
  }

  /** Draws once for all changes of the same task. */
  draw(): void {
    if (this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      this.redraw();
    });
  }

  private redraw(): void {
    const { model } = this;
    draw(this.list, [model.books, this.filter, model.path.value, model.scene.value, model.paths().length], () => this.books());
    for (const mark of this.marks) mark();
    // a text that was opened elsewhere or just created is scrolled into view once
    const shown = this.list.querySelector('.file.here');
    if (shown && model.path.value !== this.shown) {
      this.shown = model.path.value;
      shown.scrollIntoView({ block: 'nearest' });
    }
  }

  private books(): Child {
    const { model } = this;
    this.marks = [];
    const fits = (path: string, title: string) => !this.filter || `${path} ${title}`.toLowerCase().includes(this.filter);
    const listed = new Set<string>();
    // a new or imported book is opened, and so is that of the open text
    const names = model.books.books.map((book) => book.name);
    const here = model.book(model.path.value)?.name;
    names.filter((name) => !this.known.has(name) && (this.known.size || name === here)).forEach((name) => this.open.add(name));
    this.known = new Set(names);
    const books = model.books.books.map((book) => {
      const played = new Set(book.scenarios.map((scenario) => scenario.path));
      const files = book.files.filter((path) => !played.has(path) && fits(path, ''));
      const scenarios = book.scenarios.filter((scenario) => fits(scenario.path, scenario.title));
      [...book.files, ...book.scenarios.map((scenario) => scenario.path)].forEach((path) => listed.add(path));
      if (!files.length && !scenarios.length) return null;
      const details = h('details', null, h('summary', { 'data-key': `book ${book.name}` }, h('b', null, book.title || book.name)));
      // a closed book has no lists
      const fill = (): void =>
        details.append(
          h('ul', null, files.map((path) => this.file(path, '', false))),
          ...(scenarios.length ? [h('h3', null, `Scenarios (${scenarios.length})`)] : []),
          h('ul', null, scenarios.map((scenario) => this.file(scenario.path, scenario.title, true))),
        );
      details.open = this.open.has(book.name) || this.filter !== '';
      if (details.open) fill();
      details.ontoggle = () => {
        if (details.open && details.childElementCount === 1) {
          fill();
          for (const mark of this.marks) mark();
        }
        if (details.open) this.open.add(book.name);
        else if (!this.filter) this.open.delete(book.name);
      };
      return details;
    });
    const others = model.paths().filter((path) => !listed.has(path) && fits(path, ''));
    return [books, others.length > 0 && h('details', { open: true }, h('summary', null, h('b', null, 'Your own')), h('ul', null, others.map((path) => this.file(path, path, path.includes('/scenarios/')))))];
  }

  private drawOutline(): void {
    const { model } = this;
    const lines = (model.now(model.path.value) ?? '').split('\n');
    const entry = (symbol: Symbol, depth: number): Child => {
      const word = (symbol.detail ?? '').split(' "')[0];
      const section = word === 'section';
      // a clause has no name, so its first words are shown
      const nameless = symbol.name === word;
      const title = nameless ? brief(lines[symbol.range.start.line] ?? word) : /"(.*)"/.exec(symbol.detail ?? '')?.[1];
      return h(
        'li',
        null,
        button([h('span', { class: section ? 'section' : '' }, title || symbol.name), !section && h('code', null, nameless ? word : `${word} ${symbol.name}`)], () => {
          model.look.value = { path: model.path.value, range: symbol.selectionRange, focus: true };
          this.onopen?.();
        }, { class: 'symbol', 'data-key': `symbol ${symbol.name} ${symbol.range.start.line}` }),
        symbol.children?.length && (section || depth < 0) ? h('ul', null, symbol.children.map((child) => entry(child, depth + 1))) : null,
      );
    };
    draw(this.outline, [this.symbols, model.path.value], () => this.symbols.length ? h('ul', null, this.symbols.map((symbol) => entry(symbol, 0))) : h('p', { class: 'soft' }, model.path.value.endsWith('.rules') ? 'No outline yet.' : 'Scenarios have no outline.'));
  }
}
