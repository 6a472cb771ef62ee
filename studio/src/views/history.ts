// The list of versions: the user names one, compares one with the current texts, or goes back to one.

import { button, h } from '../dom';
import { type Kept, titleOf } from '../files/versions';
import type { Model } from '../model';
import { count } from '../numbers';
import { ask, dialogue } from '../widgets';

export async function showHistory(model: Model, compare: (version: Kept) => void): Promise<void> {
  const { versions } = model;
  const close = (): void => document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  const back = async (version: Kept): Promise<void> => {
    close();
    await versions.back(version);
    const [before] = versions.value;
    model.notice.value = `Back at ${titleOf(version)}. To undo this, go back to “${titleOf(before!)}” under History.`;
  };
  const row = (version: Kept) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, version.name || h('span', { class: 'soft' }, 'kept by itself')),
      h('td', null, h('time', { datetime: new Date(version.at).toISOString() }, new Date(version.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }))),
      h('td', { class: 'number' }, count(version.lines, version.lines === 1 ? 'line' : 'lines')),
      h('td', null, button('Compare with now', () => (close(), compare(version)), { 'aria-label': `Compare ${titleOf(version)} with now` }), ' ', button('Go back', () => void back(version), { 'aria-label': `Go back to ${titleOf(version)}` })),
    );
  const all = versions.here;
  const table = h('table', { class: 'versions' }, h('thead', null, h('tr', null, ['name', 'time', 'changed', ''].map((head) => h('th', { scope: 'col' }, head)))), h('tbody', null, all.map(row)));
  const body = all.length ? h('div', { class: 'scroll', tabindex: 0 }, table) : h('p', { class: 'soft' }, 'No version yet. One is kept after every ten minutes of work, and when you name one.');
  const answer = await dialogue('History', body, [{ name: 'Name this version …', value: 'name', main: true }, { name: 'Close', value: '' }]);
  if (answer !== 'name') return;
  const name = await ask('Name this version', 'A name for the current texts, to compare them or to go back to them later.', '');
  if (name) await versions.keep(name);
  return showHistory(model, compare);
}
