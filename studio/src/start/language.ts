// The panel of the language: a card for each form, with a snippet to insert. The cards are those of completion and of the cheat sheet.

import { snippet } from '@codemirror/autocomplete';
import { announce, button, h, put } from '../dom';
import type { Editor } from '../editor/editor';
import type { Model } from '../model';
import type { Card } from '../protocol';
import { dialogue } from '../widgets';

/** The number of cards that a first game needs. */
const FIRST_CARDS = 10;
/** The lines around a snippet that belongs in a proc or a kind, at the end of the file. */
const AROUND: Record<string, [head: string, tail: string]> = { proc: ['proc tried(squad: Squad) {', '}'], kind: ['extend kind Squad {', '}'] };

export class Language {
  private readonly list = h('div', { class: 'cards' });
  private readonly search = h('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search the language' });
  private readonly element = h('div', { class: 'language', role: 'dialog', 'aria-label': 'Language', hidden: true }, h('div', { class: 'head' }, h('h2', null, 'Language'), button('×', () => this.close(), { class: 'close', 'aria-label': 'Close' })), this.search, this.list);
  private cards: Card[] = [];

  constructor(private readonly model: Model, private readonly editor: Editor) {
    document.getElementById('app')!.append(this.element);
    this.search.oninput = () => this.draw();
    this.element.addEventListener('keydown', (event) => event.key === 'Escape' && (event.stopPropagation(), this.close()));
  }

  /** Opens the panel on the card of the word at the cursor, else on all cards. */
  async open(): Promise<void> {
    await this.read();
    const { state } = this.editor.view;
    const at = state.wordAt(state.selection.main.head);
    const word = at ? state.sliceDoc(at.from, at.to) : '';
    this.search.value = this.cards.some((card) => card.word === word) ? word : '';
    this.element.hidden = false;
    this.draw();
    this.search.focus();
  }

  private async read(): Promise<void> {
    if (!this.cards.length) this.cards = (await this.model.engine.ask('grognard/cards', {})).cards;
  }

  /** Shows all cards as one table. */
  async sheet(): Promise<void> {
    await this.read();
    const rows = this.cards.map((card) => h('tr', null, h('th', { scope: 'row' }, h('code', null, card.form ?? card.word)), h('td', null, card.says), h('td', null, card.snippet && h('pre', null, plain(card.snippet)))));
    await dialogue('Cheat sheet', h('div', { class: 'sheet-box', tabindex: 0, role: 'region', 'aria-label': 'Forms of the language' }, h('table', { class: 'sheet' }, h('tbody', null, rows))), [{ name: 'Close', value: '', main: true }]);
  }

  private close(): void {
    this.element.hidden = true;
    this.editor.view.focus();
  }

  private draw(): void {
    const wanted = this.search.value.trim().toLowerCase();
    // the card of the word comes first, then the cards that name it, then those with it in their snippet
    const rank = ({ word, form = '', says, snippet = '' }: Card): number => [word === wanted, `${word} ${form} ${says}`.toLowerCase().includes(wanted), snippet.toLowerCase().includes(wanted)].indexOf(true);
    const found = this.cards.filter((each) => rank(each) >= 0).sort((a, b) => rank(a) - rank(b));
    const card = (of: Card) =>
      h(
        'section',
        { 'data-card': of.word },
        h('h3', null, h('code', null, of.form ?? of.word)),
        h('p', null, of.says),
        of.snippet && h('pre', null, plain(of.snippet)),
        h('p', { class: 'buttons' }, of.snippet && button('Insert', () => this.insert(of), { 'aria-label': `Insert ${of.word}` }), h('details', null, h('summary', { 'aria-label': `More on ${of.word}` }, 'More'), h('span', { class: 'soft' }, `Reference: docs/language/${of.more}`))),
      );
    const first = wanted ? found : found.slice(0, FIRST_CARDS);
    put(this.list, first.map(card), !found.length && h('p', { class: 'soft' }, 'Nothing found.'), !wanted && h('details', { 'data-key': 'rest' }, h('summary', null, `${found.length - first.length} more`), found.slice(FIRST_CARDS).map(card)));
  }

  /** Inserts a snippet: at the cursor if it belongs there, else at the end of the file. */
  private insert({ word, snippet: text = '', in: place }: Card): void {
    const { view } = this.editor;
    const { doc, selection } = view.state;
    const before = doc.sliceString(0, selection.main.head).replace(/#.*|"[^"\n]*"/g, '');
    const inside = before.split('{').length > before.split('}').length;
    const line = doc.lineAt(selection.main.head);
    let [from, to, body] = [doc.length, doc.length, text.trim()];
    if (place && inside && !line.text.trim()) [from, to] = [line.from, line.to];
    else {
      const [head, tail] = AROUND[place ?? ''] ?? [];
      if (head) body = `${head}\n${body.replace(/^/gm, '  ')}\n${tail}`;
      body = `${doc.toString().endsWith('\n') || !doc.length ? '' : '\n'}\n${body}\n`;
    }
    view.dispatch({ selection: { anchor: from } });
    snippet(body)(view, null, from, to);
    this.element.hidden = innerWidth < 760;
    view.focus();
    announce(`${word} inserted`);
  }
}

const plain = (text: string): string => text.trim().replace(/\$\{\d+:([^}]*)\}/g, '$1');
