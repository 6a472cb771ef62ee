// A thin client of the Language Server Protocol for CodeMirror: hover, completion, definition, rename, format, fixes, colors.

import { autocompletion, type CompletionContext, type CompletionResult, snippet } from '@codemirror/autocomplete';
import { type Diagnostic as Finding, setDiagnostics } from '@codemirror/lint';
import { type ChangeSet, type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from '@codemirror/view';
import { h } from '../dom';
import { type Diagnostic, type Model, pathOf, uriOf } from '../model';
import type { Position, Range } from '../protocol';
import { markdown } from './markdown';

interface TextEdit { range: Range; newText: string }
interface WorkspaceEdit { changes?: Record<string, TextEdit[]>; documentChanges?: { textDocument: { uri: string }; edits: TextEdit[] }[] }
interface CodeAction { title: string; edit?: WorkspaceEdit; diagnostics?: Diagnostic[] }
interface Location { uri: string; range: Range }

export function offset(doc: Text, at: Position): number {
  if (at.line >= doc.lines) return doc.length;
  const line = doc.line(at.line + 1);
  return Math.min(line.from + at.character, line.to);
}

export function position(doc: Text, at: number): Position {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

/** Converts changes to protocol form. Each applies to the text after the earlier ones, so the list runs from the end to the start. */
export function contentChanges(before: Text, changes: ChangeSet): { range: Range; text: string }[] {
  const all: { range: Range; text: string }[] = [];
  changes.iterChanges((from, to, _a, _b, inserted) => {
    all.unshift({ range: { start: position(before, from), end: position(before, to) }, text: inserted.toString() });
  });
  return all;
}

export function apply(text: string, doc: Text, edits: TextEdit[]): string {
  const places = edits.map((edit) => ({ from: offset(doc, edit.range.start), to: offset(doc, edit.range.end), text: edit.newText }));
  places.sort((a, b) => b.from - a.from);
  return places.reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), text);
}

const SEVERITY = ['error', 'error', 'warning', 'info', 'hint'] as const;
const KINDS: Record<number, string> = { 3: 'function', 5: 'property', 6: 'variable', 7: 'class', 9: 'namespace', 14: 'keyword', 18: 'text', 20: 'enum', 21: 'constant' };

export class Lsp {
  private fixing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly model: Model, private readonly path: () => string) {}

  private at(view: { state: { doc: Text } }, pos: number): object {
    return { textDocument: { uri: uriOf(this.path()) }, position: position(view.state.doc, pos) };
  }

  private async ask(method: string, params: unknown): Promise<any> {
    await this.model.calm;
    return this.model.engine.request(method, params).catch(() => null);
  }

  get rules(): boolean {
    return this.path().endsWith('.rules');
  }

  extensions(): Extension {
    return [
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      hoverTooltip(async (view, pos) => {
        if (!this.rules) return null;
        const found = await this.ask('textDocument/hover', this.at(view, pos));
        if (!found?.contents?.value) return null;
        const doc = view.state.doc;
        const from = found.range ? offset(doc, found.range.start) : pos;
        return { pos: from, end: found.range ? offset(doc, found.range.end) : pos, above: true, create: () => ({ dom: h('div', { class: 'hover' }, markdown(found.contents.value)) }) };
      }, { hideOnChange: true, hoverTime: 350 }),
      colours,
    ];
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    if (!this.rules) return null;
    const word = context.matchBefore(/[\w-]*/);
    const dotted = context.state.sliceDoc(Math.max(0, (word?.from ?? context.pos) - 1), word?.from ?? context.pos) === '.';
    if (!context.explicit && !dotted && (!word || word.from === word.to)) return null;
    const found = await this.ask('textDocument/completion', this.at({ state: context.state }, context.pos));
    const items: any[] = Array.isArray(found) ? found : (found?.items ?? []);
    if (!items.length || context.aborted) return null;
    const range = items[0].textEdit?.range as Range | undefined;
    const from = range ? offset(context.state.doc, range.start) : (word?.from ?? context.pos);
    return {
      from,
      options: items.slice(0, 300).map((item, n) => ({
        label: String(item.label),
        detail: item.detail ? String(item.detail).slice(0, 80) : undefined,
        apply: item.insertTextFormat === 2 ? snippet(String(item.textEdit.newText)) : String(item.textEdit?.newText ?? item.label),
        type: KINDS[item.kind as number] ?? 'text',
        boost: -Math.min(99, n / 4),
      })),
      validFor: /^[\w-]*$/,
    };
  }

  /** Shows diagnostics with their fixes. */
  async show(view: EditorView, found: Diagnostic[]): Promise<void> {
    const doc = view.state.doc;
    const path = this.path();
    const shown = found.slice(0, 400);
    const of = (each: Diagnostic, actions: CodeAction[]): Finding => {
      const from = offset(doc, each.range.start);
      const to = Math.max(from, offset(doc, each.range.end));
      return {
        from,
        to,
        severity: SEVERITY[each.severity ?? 1] ?? 'error',
        source: each.code === undefined ? undefined : String(each.code),
        message: each.message,
        renderMessage: () => h('div', { class: 'finding' }, each.code !== undefined && h('b', null, String(each.code), ' '), h('span', null, each.message)),
        actions: actions.map((action) => ({ name: action.title.slice(0, 80), apply: () => action.edit && void this.carryOut(action.edit) })),
      };
    };
    view.dispatch(setDiagnostics(view.state, shown.map((each) => of(each, []))));
    clearTimeout(this.fixing);
    if (!this.rules || !shown.length) return;
    // fixes are requested when typing pauses
    await new Promise((resolve) => (this.fixing = setTimeout(resolve, 400)));
    if (view.state.doc !== doc || this.path() !== path) return;
    const fixes = await Promise.all(
      shown.slice(0, 12).map((each) =>
        this.ask('textDocument/codeAction', { textDocument: { uri: uriOf(path) }, range: each.range, context: { diagnostics: [each] } }).then((actions) => (actions ?? []) as CodeAction[]),
      ),
    );
    if (view.state.doc !== doc || this.path() !== path || !fixes.some((all) => all.length)) return;
    view.dispatch(setDiagnostics(view.state, shown.map((each, n) => of(each, fixes[n] ?? []))));
  }

  /** Applies edits to all texts. Returns the number of texts. */
  async carryOut(edit: WorkspaceEdit): Promise<number> {
    const all = new Map<string, TextEdit[]>();
    for (const { textDocument, edits } of edit.documentChanges ?? []) all.set(pathOf(textDocument.uri), [...(all.get(pathOf(textDocument.uri)) ?? []), ...edits]);
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) all.set(pathOf(uri), edits);
    const { Text: Lines } = await import('@codemirror/state');
    for (const [path, edits] of all) {
      const text = await this.model.text(path);
      if (text !== null) await this.model.write(path, apply(text, Lines.of(text.split('\n')), edits));
    }
    return all.size;
  }

  async format(view: EditorView): Promise<void> {
    if (!this.rules) return;
    const edits = (await this.ask('textDocument/formatting', { textDocument: { uri: uriOf(this.path()) }, options: { tabSize: 2, insertSpaces: true } })) as TextEdit[] | null;
    if (!edits?.length) return;
    const doc = view.state.doc;
    view.dispatch({ changes: edits.map((edit) => ({ from: offset(doc, edit.range.start), to: offset(doc, edit.range.end), insert: edit.newText })), userEvent: 'format' });
  }

  async definition(view: EditorView, pos: number): Promise<boolean> {
    const found = (await this.ask('textDocument/definition', this.at(view, pos))) as Location[] | Location | null;
    const first = Array.isArray(found) ? found[0] : found;
    if (!first) return false;
    this.model.look.value = { path: pathOf(first.uri), range: first.range, focus: true };
    return true;
  }

  async renameAt(view: EditorView, pos: number): Promise<{ range: Range; name: string } | string> {
    try {
      const found = await this.model.engine.request('textDocument/prepareRename', this.at(view, pos));
      const range = (found?.range ?? found) as Range | null;
      if (!range) return 'No name to rename here.';
      return { range, name: view.state.sliceDoc(offset(view.state.doc, range.start), offset(view.state.doc, range.end)) };
    } catch (why) {
      return (why as Error).message;
    }
  }

  /** Renames in all texts. Returns the reason if it fails, or `null`. */
  async rename(view: EditorView, pos: number, newName: string): Promise<string | null> {
    try {
      const edit = (await this.model.engine.request('textDocument/rename', { ...this.at(view, pos), newName })) as WorkspaceEdit | null;
      if (edit) await this.carryOut(edit);
      return null;
    } catch (why) {
      return (why as Error).message;
    }
  }

  async symbols(): Promise<any[]> {
    if (!this.rules) return [];
    return (await this.ask('textDocument/documentSymbol', { textDocument: { uri: uriOf(this.path()) } })) ?? [];
  }

  /** Colors the text by meaning. */
  async paint(view: EditorView, legend: string[]): Promise<void> {
    if (!this.rules) return view.dispatch({ effects: paint.of(Decoration.none) });
    const doc = view.state.doc;
    const path = this.path();
    const found = (await this.ask('textDocument/semanticTokens/full', { textDocument: { uri: uriOf(path) } })) as { data: number[] } | null;
    if (!found || view.state.doc !== doc || this.path() !== path) return;
    const builder = new RangeSetBuilder<Decoration>();
    let line = 0;
    let character = 0;
    for (let n = 0; n + 4 < found.data.length; n += 5) {
      const [lines = 0, start = 0, length = 0, type = 0] = found.data.slice(n, n + 4);
      line += lines;
      character = lines ? start : character + start;
      const from = offset(doc, { line, character });
      const to = Math.min(from + length, doc.length);
      const word = legend[type];
      if (word && to > from) builder.add(from, to, mark(word));
    }
    view.dispatch({ effects: paint.of(builder.finish()) });
  }
}

const marks = new Map<string, Decoration>();
function mark(word: string): Decoration {
  let found = marks.get(word);
  if (!found) marks.set(word, (found = Decoration.mark({ class: `sem-${word.replace(/[^a-zA-Z]/g, '')}` })));
  return found;
}

const paint = StateEffect.define<DecorationSet>();
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, change) {
    for (const effect of change.effects) if (effect.is(paint)) return effect.value;
    return shown.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
