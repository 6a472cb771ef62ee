// The parts of the start page that the build writes into its HTML, so that they can be read before any script runs.

import { percent } from '../numbers';
import type { Game, Measure, Rolled } from '../protocol';
import { Axis, chart, main, MODES, summary, type Tree, written } from './chart';

export interface Figures {
  dice: Rolled & { text: string };
  templates: { name: string; title: string; says: string; figure: Measure }[];
  examples: Pick<Game, 'name' | 'title' | 'question'>[];
}

const CHIPS = ['3d6', '4d6kh3', '5d6 hits 5+', '2d20kh1', 'd6!'];

const dot = (x: number, y: number, side: number): Tree => ['circle', { cx: x, cy: y, r: 3, class: `line${side}` }];
const card = (x: number, side: number): Tree => ['rect', { x, y: 5, width: 13, height: 20, rx: 2, class: `line${side}` }];
const row = (x: number, side: number): Tree[] => [6, 12, 18, 24].map((y) => dot(x, y, side));
/** The pictures of the templates, 40 by 30. */
const PICTURES: Record<string, Tree[]> = {
  duel: [['circle', { cx: 12, cy: 15, r: 7, class: 'line0' }], ['circle', { cx: 28, cy: 15, r: 7, class: 'line1' }]],
  squads: [...row(6, 0), ...row(13, 0), ...row(32, 1)],
  provinces: [['path', { d: 'M2 4h16v12l-16 8z', class: 'line0' }], ['path', { d: 'M20 4h18v10l-18 2z', class: 'line1' }], ['path', { d: 'M4 26l16-8 18-2v10z', class: 'line2' }]],
  cards: [card(4, 0), card(14, 2), card(24, 1)],
};

export function front({ dice, templates, examples }: Figures): Record<'dice' | 'templates' | 'examples', string> {
  const html = (...trees: Tree[]): string => trees.map(written).join('\n');
  const button = (text: string, data: Record<string, string>, more = '', label = ''): Tree => ['button', { type: 'button', class: more, ...(label && { 'aria-label': label }), ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value])) }, text];
  const field = (id: string, label: string, value: string, more: Record<string, string>): Tree => ['input', { id, value, 'aria-label': label, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 400, ...more }];
  const modes = MODES.map((mode, n): Tree => ['label', {}, ['input', { type: 'radio', name: 'mode', value: mode, ...(n ? {} : { checked: '' }) }], ` ${mode}`]);
  return {
    dice: html(
      field('line', 'Dice', dice.text, {}),
      ['div', { class: 'second', hidden: '' }, field('second', 'Dice of a second line', '', {}), button('×', { go: 'no-second' }, 'close', 'Remove the second line')],
      ['p', { id: 'said' }, dice.words, ' ', ['code', {}, dice.form]],
      ['div', { id: 'chart' }, ...chart(new Axis([{ name: dice.text, measure: main(dice.measures)! }], 'each'), summary(dice.measures))],
      ['p', { id: 'mean' }, summary(dice.measures), ' ', ['span', { class: 'how exact' }, 'exact']],
      ['div', { class: 'modes', role: 'radiogroup', 'aria-label': 'Bars' }, ...modes, button('Add a second line', { go: 'second' }, 'link')],
      ['div', { id: 'notes' }],
      ['p', { class: 'chips' }, ...CHIPS.map((chip) => button(chip, { chip }))],
      ['p', {}, button('Make it a rule', { go: 'rule' }, 'main')],
    ),
    templates: html(...templates.map(({ name, title, says, figure }): Tree => ['li', {}, ['button', { type: 'button', 'data-game': name }, ['svg', { viewBox: '0 0 40 30', 'aria-hidden': 'true' }, ...PICTURES[name]!], ['b', {}, title], ` ${says}`, ['span', { class: 'figure' }, `${figure.title ?? figure.measure}: ${percent(figure.value!.estimate, 2)}`]]])),
    examples: html(...examples.map(({ name, title, question }): Tree => ['li', {}, ['button', { type: 'button', 'data-example': name }, ['b', {}, title], ` ${question}`]])),
  };
}
