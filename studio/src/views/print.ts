// A reference sheet for printing: the rules without comments, examples and stand-in notes, their clauses, and the odds of each test.

import { h, put, type Child } from '../dom';
import type { Model } from '../model';
import { certainty, named, shown } from '../numbers';
import type { Lens } from '../protocol';

/** A paragraph of the book: its id, a mark such as `(hole)`, and its text. */
const PARAGRAPH = /^([^\s#]*[A-Z\d][^\s]*) +(.*)$/;

/** Splits rules into paragraphs of the book and blocks of code, and leaves out comments, citations and examples. */
function blocks(text: string): { id?: string; text: string }[] {
  const found: { id?: string; text: string }[] = [];
  let left = false;
  for (const line of text.split('\n')) {
    const inside = /^[\s}]/.test(line);
    if (!inside) left = /^(#|cite |example )/.test(line) || /^ruleset /.test(line);
    if (!line.trim() || (left && (inside || /^(#|cite |example |ruleset )/.test(line)))) {
      if (!line.trim()) found.push({ text: '' });
      continue;
    }
    const last = found.at(-1);
    const paragraph = !inside ? PARAGRAPH.exec(line) : null;
    if (paragraph) found.push({ id: paragraph[1], text: paragraph[2]! });
    else if (last?.id && inside) last.text += ` ${line.trim()}`;
    else if (last && !last.id && last.text) last.text += `\n${line.replace(/\s+# .*$/, '')}`;
    else found.push({ text: line.replace(/\s+# .*$/, '') });
  }
  return found.filter((each) => each.text);
}

const heading = /^section "(.*)"$/;

function sheet(title: string, text: string, lenses: Lens[]): Child {
  const odds = lenses.filter((lens) => lens.sort !== 'example' && lens.measures.some((measure) => measure.value));
  return [
    h('h1', null, title),
    blocks(text).map(({ id, text }) => {
      const section = heading.exec(text)?.[1];
      return section !== undefined ? h('h2', null, section) : id ? h('p', null, h('b', null, id), ` ${text}`) : h('pre', null, text);
    }),
    odds.length > 0 && [
      h('h2', null, 'Odds'),
      h('table', null, h('tbody', null, odds.map((lens) => h('tr', null, h('th', { scope: 'row' }, lens.title, lens.at && h('small', null, ` ${lens.at}`)), h('td', null, lens.measures.filter((measure) => measure.value).map((measure) => h('p', null, `${named(measure)} ${shown(measure, measure.value!)} `, h('small', null, certainty(measure, measure.value!), ` ${measure.value!.label}`)))))))),
    ],
  ];
}

/** Prints the open rules, or those of the scenario. */
export async function printSheet(model: Model): Promise<void> {
  const path = model.path.value.endsWith('.rules') ? model.path.value : (model.rulesOf(model.scene.value) ?? model.path.value);
  const text = (await model.text(path)) ?? '';
  const { lenses } = await model.engine.ask('grognard/odds', { path, settings: model.settings.value }).catch(() => ({ lenses: [] }));
  const place = h('div', { class: 'print' });
  const title = /^ruleset (\S+)(?:.*?version "(.*?)")?/m.exec(text);
  put(place, sheet(title ? `${title[1]}${title[2] ? `, version ${title[2]}` : ''}` : path, text, lenses));
  document.body.append(place);
  addEventListener('afterprint', () => place.remove(), { once: true });
  print();
}
