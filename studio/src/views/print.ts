// A reference sheet for printing: the rules without comments, examples and stand-in notes, their clauses, and the odds of each test.

import { h, put, type Child } from '../dom';
import type { Model } from '../model';
import { certainty, named, percent, shown } from '../numbers';
import type { Lens, Measure } from '../protocol';

/** Maximum number of values of a distribution. */
const MOST = 12;
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

function sheet(title: string, text: string, lenses: Lens[], results: { title: string; measures: Measure[] }): Child {
  const odds = lenses.filter((lens) => lens.sort !== 'example' && lens.measures.some((measure) => measure.value || measure.bars));
  const rendered = (measure: Measure): string => (measure.value ? shown(measure, measure.value) : (measure.bars ?? []).slice(0, MOST).map((bar) => (measure.bars!.length > 1 ? `${bar.value}: ${percent(bar.chance.estimate)}` : bar.value)).join(', ') + ((measure.bars?.length ?? 0) > MOST ? ' …' : ''));
  return [
    h('h1', null, title),
    blocks(text).map(({ id, text }) => {
      const section = heading.exec(text)?.[1];
      return section !== undefined ? h('h2', null, section) : id ? h('p', null, h('b', null, id), ` ${text}`) : h('pre', null, text);
    }),
    (odds.length > 0 || results.measures.length > 0) && [
      h('h2', null, 'Odds'),
      h('table', null, h('tbody', null, [...odds, results].map((lens: { title: string; at?: string; measures: Measure[] }) => lens.measures.length > 0 && h('tr', null, h('th', { scope: 'row' }, lens.title, lens.at && h('small', null, ` ${lens.at}`)), h('td', null, lens.measures.filter(({ value }) => !value || typeof value.estimate === 'number').map((measure) => h('p', null, h('i', null, named(measure)), ` ${rendered(measure)} `, measure.value && h('small', null, certainty(measure, measure.value), ` ${measure.value.label}`)))))))),
    ],
  ];
}

/** Prints the open rules, or those of the scenario. */
export async function printSheet(model: Model): Promise<void> {
  const path = model.path.value.endsWith('.rules') ? model.path.value : (model.rulesOf(model.scene.value) ?? model.path.value);
  const text = (await model.text(path)) ?? '';
  const { settings } = model;
  const { lenses } = await model.engine.ask('grognard/odds', { path, settings: settings.value }).catch(() => ({ lenses: [] }));
  const scene = [model.scene.value, ...model.scenarios()].find((each) => model.rulesOf(each) === path);
  const measures = scene ? (await model.engine.ask('grognard/outlook', { path: scene, settings: settings.value }).catch(() => ({ measures: [] }))).measures : [];
  const place = h('div', { class: 'print' });
  const title = /^ruleset (\S+)(?:.*?version "(.*?)")?/m.exec(text);
  put(place, sheet(title ? `${title[1]}${title[2] ? `, version ${title[2]}` : ''}` : path, text, lenses, { title: scene ? model.title(scene) : '', measures }));
  document.body.append(place);
  addEventListener('afterprint', () => place.remove(), { once: true });
  print();
}
