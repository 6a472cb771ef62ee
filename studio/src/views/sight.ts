// The units in the line of sight of the picked unit, and the blocked ones: lines on the table, and the same as text.

import { h, s, type Child } from '../dom';
import type { Looked, Seen, Table, Unit } from '../protocol';

/** One unit of the table as another sees it, with the number of its models that are visible. */
interface View { unit: Unit; seen: Seen; models: number; of: number }

/** Returns the other units. Models are counted with their unit, and the models of the picked unit's own group are skipped. */
export function views(table: Table, looked: Looked): View[] {
  const own = table.units.find((unit) => unit.id === looked.unit);
  const whole = own?.of ?? looked.unit;
  const found = new Map(looked.seen.map((seen) => [seen.to, seen]));
  return table.units.flatMap((unit) => {
    const seen = found.get(unit.id);
    // skip single models, and the unit's own group
    if (!seen || unit.of !== undefined || unit.id === whole || unit.id === looked.unit) return [];
    const models = table.units.filter((each) => each.of === unit.id && found.has(each.id));
    return [{ unit, seen, models: models.filter((each) => found.get(each.id)!.sees).length, of: models.length }];
  });
}

/** Draws a line to each unit. A clear line is solid. A blocked line is dashed, with a cross where it ends, and dotted after the cross. */
export function lines(all: View[], y: (at: number) => number, pixel: number): Child {
  return all.map(({ unit, seen }) => {
    const [[fx, fy], [tx, ty]] = seen.line;
    const title = s('title', null, sentence(unit, seen));
    const line = (kind: string, [ax, ay]: [number, number], [bx, by]: [number, number]) => s('line', { class: kind, x1: ax, y1: y(ay), x2: bx, y2: y(by) });
    if (seen.sees) return s('g', { class: 'sight clear', 'data-to': unit.id }, line('way', [fx, fy], [tx, ty]), title);
    const [sx, sy] = seen.stop ?? seen.line[0];
    const arm = 4 * pixel;
    const cross = s('path', { class: 'stop', d: `M${sx - arm} ${y(sy) - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}` });
    return s('g', { class: 'sight blocked', 'data-to': unit.id }, line('way', [fx, fy], [sx, sy]), line('beyond', [sx, sy], [tx, ty]), cross, title);
  });
}

const name = (unit: Unit): string => unit.title || unit.id;
const list = (words: string[]): string => (words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? ''));

function sentence(unit: Unit, seen: Seen): string {
  if (seen.sees) return `${name(unit)}: in line of sight`;
  return `${name(unit)}: blocked${seen.by?.length ? ` by ${list(seen.by)}` : ''}`;
}

/** Returns everything as one sentence for screen readers. */
export function spoken(picked: Unit, all: View[]): string {
  const [seen, hidden] = [all.filter((each) => each.seen.sees), all.filter((each) => !each.seen.sees)];
  const parts = [seen.length && `sees ${list(seen.map(({ unit }) => name(unit)))}`, hidden.length && `does not see ${list(hidden.map(({ unit }) => name(unit)))}`].filter(Boolean);
  return `${name(picked)} ${parts.join(', and ') || 'is alone'}`;
}

/** Shows the same as text below the table, unit by unit. */
export function words(all: View[]): Child {
  const side = (unit: Unit): Child => unit.side && h('small', null, ` of ${unit.side}`);
  const [seen, hidden] = [all.filter((each) => each.seen.sees), all.filter((each) => !each.seen.sees)];
  const some = ({ models, of }: View): Child => of > 1 && models < of && h('span', { class: 'soft' }, ` ${models} of ${of} models`);
  return [
    h('h3', null, 'In line of sight'),
    seen.length ? h('ul', { class: 'plain sees' }, seen.map((each) => h('li', { 'data-to': each.unit.id }, h('span', { class: 'sign', 'aria-hidden': 'true' }, '— '), name(each.unit), side(each.unit), some(each)))) : h('p', { class: 'soft' }, 'No other unit.'),
    hidden.length > 0 && [
      h('h3', null, 'Blocked'),
      h('ul', { class: 'plain hides' }, hidden.map(({ unit, seen: { by } }) => h('li', { 'data-to': unit.id }, h('span', { class: 'sign', 'aria-hidden': 'true' }, '╌× '), name(unit), side(unit), by?.length ? h('span', { class: 'soft' }, ` (by ${list(by)})`) : null))),
    ],
  ];
}
