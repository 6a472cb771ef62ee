// The editor: CodeMirror with the language server, odds in the margin, and one state for each opened file.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, undo, undoDepth } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { announce, h, Signal } from '../dom';
import type { Live } from '../live';
import { EngineError } from '../engine/engine';
import { NoFiles } from '../files/browser';
import { type Model, noSettings, pathOf } from '../model';
import type { Lens, Range } from '../protocol';
import { ask } from '../widgets';
import { fold, folding, unfold, unfoldAt } from './fold';
import { keepHistories, restored } from './kept';
import { language } from './language';
import { contentChanges, Lsp, offset } from './lsp';
import { margin, says, short, showMargin } from './margin';

/** Marks a change from outside, which the model knows already. */
const outside = Annotation.define<boolean>();
const LONG = 400_000;

const light = StateEffect.define<{ from: number; to: number } | null>();
const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, change) {
    for (const effect of change.effects) {
      if (effect.is(light)) {
        if (!effect.value) return Decoration.none;
        const { from } = change.state.doc.lineAt(effect.value.from);
        return Decoration.set([Decoration.line({ class: 'lit-line' }).range(from), ...(effect.value.to > effect.value.from ? [Decoration.mark({ class: 'lit' }).range(effect.value.from, effect.value.to)] : [])], true);
      }
    }
    return shown.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  readonly view: EditorView;
  readonly lsp: Lsp;
  private path = '';
  private readonly states = new Map<string, EditorState>();
  private readonly tops = new Map<string, number>();
  private painting: ReturnType<typeof setTimeout> | undefined;
  /** Shows the dials that the margin uses if they differ from the text. */
  readonly apart = h('p', { class: 'apart-note', hidden: true });
  /** The short text of each lens for the original texts and dials. */
  private readonly first = new Map<string, Map<string, string>>();
  /** Texts whose examples were folded, which happens once. */
  private readonly folded = new Set<string>();
  /** Called when the cursor moves to another line. */
  online: ((path: string, line: number) => void) | null = null;
  onlens: ((lens: Lens) => void) | null = null;
  /** Called when another file is shown. */
  onopen: (() => void) | null = null;
  /** Whether the open text has a change that can be undone. */
  readonly undoable = new Signal(false);
  /** Number of changes of the open text that can be undone. */
  get depth(): number {
    return undoDepth(this.view.state);
  }
  /** The place where a text is shown when it is first opened. */
  start: { path: string; line: number; cursor?: number } | null = null;
  legend: string[] = ['keyword', 'variable', 'property', 'type', 'enumMember', 'function', 'event', 'class', 'string', 'number', 'comment', 'macro'];

  constructor(parent: HTMLElement, private readonly model: Model, private readonly odds: Live<'grognard/odds'>) {
    this.lsp = new Lsp(model, () => this.path);
    this.view = new EditorView({ parent });
    // for the tests, which edit through the view
    Object.assign(this.view.dom, { view: this.view });
    parent.addEventListener('keydown', (event) => this.leave(event), true);
    model.written.on((written) => written && this.overwrite(written.path, written.text));
    model.diagnostics.on(() => this.mark());
    model.failed.on(() => this.mark());
    model.look.on((look) => (look ? void this.look(look.path, look.range, look.focus) : this.view.dispatch({ effects: light.of(null) })));
    odds.on(() => this.margin());
    model.apart.on(() => this.margin());
    model.accepted.on(() => {
      this.first.clear();
      this.margin();
    });
    model.path.on(() => void this.open(model.path.value));
    // a shared link has no work to return to
    addEventListener('pagehide', () => !(model.files instanceof NoFiles) && keepHistories([...this.states, [this.path, this.view.state]]));
  }

  /** Tab indents. After Escape it leaves the text for the views, past the buttons in the margin. */
  private leave(event: KeyboardEvent): void {
    const leaves = this.escaped && event.key === 'Tab';
    this.escaped = event.key === 'Escape';
    const tab = leaves && document.getElementById('tabs')?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!tab || !this.view.hasFocus) return;
    event.preventDefault();
    event.stopPropagation();
    tab.focus();
  }
  private escaped = false;

  private state(path: string, text: string): EditorState {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.every((each) => each.annotation(outside))) {
        this.model.edit(this.path, update.state.doc.toString(), contentChanges(update.startState.doc, update.changes));
        this.repaint(120);
      }
      if (update.docChanged) this.undoable.value = undoDepth(update.state) > 0;
      if (update.selectionSet || update.docChanged) this.online?.(this.path, update.state.doc.lineAt(update.state.selection.main.head).number - 1);
    });
    return restored(path, text, {
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        lintGutter(),
        EditorView.lineWrapping,
        lit,
        path.endsWith('.rules') ? margin() : [],
        folding(),
        text.length < LONG ? [language(path), this.lsp.extensions()] : [],
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': `Text of ${path}`, spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
        keymap.of([
          { key: 'F12', run: (view) => (void this.lsp.definition(view, view.state.selection.main.head), true) },
          { key: 'F2', run: (view) => (void this.rename(view), true) },
          { key: 'Shift-Alt-f', run: (view) => (void this.lsp.format(view), true) },
          { key: 'Mod-s', run: () => (void this.model.flush(), announce('Saved'), true) },
          { key: 'Alt-o', run: (view) => this.lensHere(view) },
          indentWithTab,
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.domEventHandlers({
          mousedown: (event, view) => {
            if (!(event.ctrlKey || event.metaKey)) return false;
            const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
            if (at !== null) void this.lsp.definition(view, at);
            return at !== null;
          },
        }),
        changed,
      ],
    });
  }

  /** Whether a place of the text was shown since it was opened. */
  private aimed = false;

  /** Returns the first visible line and the cursor. */
  get place(): { line: number; cursor: number } {
    const { view } = this;
    return { line: view.state.doc.lineAt(view.lineBlockAtHeight(view.scrollDOM.scrollTop).from).number - 1, cursor: view.state.selection.main.head };
  }

  /** Shows a file, at its last position if it was open before. */
  private async open(path: string): Promise<void> {
    const text = await this.model.text(path);
    if (text === null || path !== this.model.path.value || path === this.path) return;
    if (this.path) {
      this.states.set(this.path, this.view.state);
      this.tops.set(this.path, this.view.scrollDOM.scrollTop);
    }
    this.path = path;
    this.aimed = false;
    void this.model.open(path);
    this.view.setState(this.states.get(path) ?? this.state(path, text));
    this.undoable.value = undoDepth(this.view.state) > 0;
    // remove a highlight that is no longer current
    if (this.model.look.value?.path !== path) this.view.dispatch({ effects: light.of(null) });
    const { start } = this;
    this.start = null;
    const { doc } = this.view.state;
    if (start?.path === path && start.line < doc.lines) {
      const from = doc.line(start.line + 1).from;
      this.view.dispatch({ selection: { anchor: Math.min(start.cursor ?? from, doc.length) }, effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 0 }) });
    } else {
      const top = this.tops.get(path) ?? 0;
      requestAnimationFrame(() => path === this.path && !this.aimed && (this.view.scrollDOM.scrollTop = top));
    }
    this.mark();
    this.odds.clear();
    this.odds.refresh();
    this.repaint(0);
    this.onopen?.();
    this.online?.(path, this.view.state.doc.lineAt(this.view.state.selection.main.head).number - 1);
  }

  /** Marks the problems of the text, and the expectations that fail. */
  private mark(): void {
    const { diagnostics, failed } = this.model;
    void this.lsp.show(this.view, [...(diagnostics.value.get(this.path) ?? []), ...(failed.value.path === this.path ? failed.value.found : [])]);
  }

  private repaint(after: number): void {
    clearTimeout(this.painting);
    this.painting = setTimeout(() => this.view.state.doc.length < LONG && void this.lsp.paint(this.view, this.legend), after);
  }

  /** Replaces a text from outside, as part of the history of its state. */
  private overwrite(path: string, text: string): void {
    const before = path === this.path ? this.view.state : this.states.get(path);
    if (!before) return;
    const old = before.doc.toString();
    let head = 0;
    while (head < old.length && head < text.length && old[head] === text[head]) head++;
    let tail = 0;
    while (tail < old.length - head && tail < text.length - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    const change = { changes: { from: head, to: old.length - tail, insert: text.slice(head, text.length - tail) }, annotations: outside.of(true) };
    if (path === this.path) {
      this.view.dispatch(change);
      this.repaint(120);
    } else {
      this.states.set(path, before.update(change).state);
    }
  }

  private margin(): void {
    // CodeMirror hides all gutters from screen readers, but this one has buttons
    const gutter = this.view.dom.querySelector('.cm-gutters-after');
    gutter?.removeAttribute('aria-hidden');
    gutter?.setAttribute('role', 'group');
    gutter?.setAttribute('aria-label', 'Odds by line');
    const { value, stale } = this.odds.value;
    const note = value?.lenses.length ? this.model.apartOf(this.path) : '';
    this.view.dom.classList.toggle('apart', note !== '');
    this.apart.hidden = !note;
    this.apart.textContent = this.apart.title = note && `The margin uses ${note}`;
    if (!value) return showMargin(this.view, { lenses: [], stale: false, note, before: new Map() }, () => undefined);
    if (!stale && this.model.asItCame) this.note(this.path, value.lenses);
    else if (!stale) void this.recall(this.path);
    showMargin(this.view, { lenses: value.lenses, stale, note, before: this.first.get(this.path) ?? new Map() }, (lens) => this.onlens?.(lens));
    unfold(this.view, value.lenses);
    // a file of examples is read for its examples
    if (stale || !value.lenses.length || this.folded.has(this.path) || /\.examples\.rules$/.test(this.path)) return;
    this.folded.add(this.path);
    fold(this.view, value.lenses);
  }

  private note(path: string, lenses: Lens[]): void {
    const comparable = lenses.filter((lens) => (lens.measures.length || lens.holds !== undefined) && says(lens));
    this.first.set(path, new Map(comparable.map((lens) => [lens.id, short(lens)])));
  }

  /** Requests the odds before any change, if the page has not shown them. */
  private async recall(path: string): Promise<void> {
    if (this.first.has(path)) return;
    this.first.set(path, new Map());
    try {
      this.note(path, (await this.model.engine.ask('grognard/odds', { path, settings: noSettings(), texts: this.model.before() })).lenses);
      if (path === this.path) this.margin();
    } catch (why) {
      // after an edit in between, the next draw asks again; texts with errors have no odds
      if (why instanceof EngineError && why.outdated) this.first.delete(path);
    }
  }

  /** Shows a place. A highlight is not a selection, so that a trace can step through a text. */
  async look(path: string, range: Range, focus: boolean): Promise<void> {
    if (path !== this.path) {
      const text = await this.model.text(path);
      if (text === null) return;
      this.model.path.value = path;
      for (let n = 0; n < 500 && this.path !== path; n++) await new Promise((resolve) => setTimeout(resolve, 10));
      if (this.path !== path) return;
    }
    this.aimed = true;
    const doc = this.view.state.doc;
    const from = offset(doc, range.start);
    unfoldAt(this.view, from);
    const to = Math.max(from, offset(doc, range.end));
    this.view.dispatch({ effects: [light.of({ from, to }), EditorView.scrollIntoView(from, { y: 'center' })], ...(focus ? { selection: { anchor: from } } : {}) });
    if (focus) this.view.focus();
  }

  /** Opens the odds of the item at the cursor. */
  private lensHere(view: EditorView): boolean {
    const line = view.state.doc.lineAt(view.state.selection.main.head).number - 1;
    const before = (this.odds.value.value?.lenses ?? []).filter((lens) => lens.range.start.line <= line);
    const lens = before.sort((a, b) => b.range.start.line - a.range.start.line)[0];
    if (lens) this.onlens?.(lens);
    else announce('No odds above this line');
    return true;
  }

  private async rename(view: EditorView): Promise<void> {
    const pos = view.state.selection.main.head;
    const found = await this.lsp.renameAt(view, pos);
    if (typeof found === 'string') {
      this.model.notice.value = found;
      return;
    }
    const name = await ask('Rename', `New name of “${found.name}” in all files of the rules`, found.name);
    if (!name || name === found.name) return view.focus();
    const why = await this.lsp.rename(view, pos, name);
    if (why) this.model.notice.value = why;
    view.focus();
  }

  undo(): void {
    if (undo(this.view)) announce('Undone');
  }

  format(): void {
    void this.lsp.format(this.view);
  }

  /** Returns the path of a URI, for views that name a place. */
  static path(uri: string): string {
    return pathOf(uri);
  }
}
