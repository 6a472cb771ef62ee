// Examples that hold are folded into one line, until one of them fails or the reader opens them.

import { codeFolding, foldEffect, foldedRanges, foldKeymap, unfoldEffect } from '@codemirror/language';
import type { EditorState, Extension, StateEffect } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { h } from '../dom';
import type { Lens } from '../protocol';
import { offset } from './lsp';

interface Span { from: number; to: number }

const count = (state: EditorState, { from, to }: Span): number => state.sliceDoc(from, to).match(/^example\b/gm)?.length ?? 0;

export const folding = (): Extension => [
  codeFolding({
    preparePlaceholder: count,
    placeholderDOM: (_, onclick, examples: number) => h('span', { class: 'examples-ok', title: 'Show the examples', onclick: onclick as never }, examples === 1 ? '1 example ok' : `${examples} examples ok`),
  }),
  keymap.of(foldKeymap),
];

/** Returns the groups of examples that follow each other, with at most blank lines between them. */
export function groups(text: string): Span[] {
  const found: Span[] = [];
  let group: Span | null = null;
  let [at, depth] = [0, 0];
  for (const line of text.split('\n')) {
    if (depth > 0 || /^example\b/.test(line)) {
      if (!group) found.push((group = { from: at, to: at }));
      group.to = at + line.length;
      const code = line.replace(/"[^"]*"|#.*/g, '');
      depth = Math.max(0, depth + code.split('{').length - code.split('}').length);
    } else if (line.trim()) {
      group = null;
    }
    at += line.length + 1;
  }
  return found;
}

const folded = (view: EditorView): Span[] => {
  const all: Span[] = [];
  foldedRanges(view.state).between(0, view.state.doc.length, (from, to) => void all.push({ from, to }));
  return all;
};
const send = (view: EditorView, effects: StateEffect<Span>[]): void => void (effects.length && view.dispatch({ effects }));

/** Opens the folds that contain a place. */
export const unfoldAt = (view: EditorView, at: number): void => send(view, folded(view).filter(({ from, to }) => from <= at && at <= to).map((each) => unfoldEffect.of(each)));

/** Folds the groups whose examples all hold, except the one with the cursor. */
export function fold(view: EditorView, lenses: Lens[]): void {
  const holds = new Set(lenses.filter((lens) => lens.sort === 'example' && lens.holds).map((lens) => view.state.doc.lineAt(offset(view.state.doc, lens.range.start)).from));
  const { head } = view.state.selection.main;
  const all = groups(view.state.doc.toString()).filter((group) => (head < group.from || head > group.to) && count(view.state, group) === [...holds].filter((at) => group.from <= at && at <= group.to).length);
  send(view, all.map((each) => foldEffect.of(each)));
}

/** Opens the folds with an example that fails. */
export function unfold(view: EditorView, lenses: Lens[]): void {
  for (const lens of lenses) if (lens.holds === false) unfoldAt(view, offset(view.state.doc, lens.range.start));
}
