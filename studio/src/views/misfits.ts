// Changes of a shared link that do not fit the texts of this page: shown next to the text, and kept until the user is done with them.

import { button, h, type Child } from '../dom';
import type { Model } from '../model';
import type { Misfit } from '../share';

const KEY = 'grognard-misfits';

export function keepMisfits(all: Misfit[]): void {
  if (all.length) localStorage.setItem(KEY, JSON.stringify(all));
  else localStorage.removeItem(KEY);
}

/** Returns the changes of a saved link that did not fit. */
export function keptMisfits(): Misfit[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Misfit[];
  } catch {
    return [];
  }
}

export function misfitBlock(all: Misfit[], model: Model): Child {
  const one = ({ path, line, before, after }: Misfit): Child => {
    const at = { line, character: 0 };
    return h(
      'li',
      { class: 'misfit-change' },
      button(`${path} near line ${line + 1}`, () => (model.look.value = { path, range: { start: at, end: at }, focus: false }), { class: 'link' }),
      before.length > 0 && h('del', null, before.join('\n')),
      after.length > 0 && h('ins', null, after.join('\n')),
    );
  };
  return all.length > 0 && [h('p', { class: 'bad' }, 'These changes do not fit, because the lines around them are different. Write them yourself where you want them:'), h('ul', { class: 'plain differences misfits' }, all.map(one))];
}
