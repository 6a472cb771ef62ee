// The history of the open texts, which this tab keeps when the page is left or loaded again.

import { historyField, undoDepth } from '@codemirror/commands';
import { EditorState, type EditorStateConfig } from '@codemirror/state';

const KEY = 'grognard-undo';
const MOST = 1_000_000;
const FIELDS = { history: historyField };

/** Stores the texts that have a change to undo. */
export function keepHistories(states: Iterable<[string, EditorState]>): void {
  const all = [...states].filter(([, state]) => undoDepth(state) > 0).map(([path, state]) => [path, state.toJSON(FIELDS)] as const);
  const text = JSON.stringify(Object.fromEntries(all));
  try {
    if (text.length <= MOST) sessionStorage.setItem(KEY, text);
  } catch {
    // without storage, a page begins without a history
  }
}

/** Creates the state of a text, with its history if the text is the same as when the page was left. */
export function restored(path: string, doc: string, config: EditorStateConfig): EditorState {
  try {
    const found = (JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, { doc: string }>)[path];
    if (found?.doc === doc) return EditorState.fromJSON(found, config, FIELDS);
  } catch {
    // another version of the page wrote it
  }
  return EditorState.create({ ...config, doc });
}
