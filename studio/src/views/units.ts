// Adding a unit: the kinds of the rules, and the fields of each as a form.

import { h, put, type Child } from '../dom';
import type { KindInfo, Table } from '../protocol';
import { dialogue } from '../widgets';

const INCH = 1000;
/** Minimum distance from other units, and the distance between a unit and its copy. */
const APART = 2 * INCH;

/** Returns the first name of the form `unit_2` that no unit has. */
function freeName(table: Table, kind: string): string {
  const taken = new Set(table.units.map(({ id }) => id));
  const stem = kind.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  for (let n = 1; ; n++) if (!taken.has(`${stem}_${n}`)) return `${stem}_${n}`;
}

/** Returns a free place near the middle of the table. */
function freePlace({ width, height, units }: Table): [number, number] {
  const free = (x: number, y: number): boolean => units.every((unit) => unit.x === undefined || Math.hypot(unit.x - x, unit.y! - y) >= APART);
  const [x, y] = [Math.round(width / 2 / INCH) * INCH, Math.round(height / 2 / INCH) * INCH];
  for (let n = 0; n < 400; n++) {
    // a spiral around the middle
    const [at, round] = [n * 0.9, (Math.sqrt(n) * APART) / 1.5];
    const [px, py] = [x + Math.round((Math.cos(at) * round) / INCH) * INCH, y + Math.round((Math.sin(at) * round) / INCH) * INCH];
    if (px >= 0 && py >= 0 && px <= width && py <= height && free(px, py)) return [px, py];
  }
  return [x, y];
}

/** Asks for a kind, a name and the fields of a new unit. Returns `null` if the user cancels. */
export async function askUnit(table: Table): Promise<{ kind: string; name: string; fields: [string, string][] } | null> {
  const kinds = [...(table.kinds ?? [])].sort((a, b) => Number(b.board) - Number(a.board));
  const options = (board: boolean): Child => kinds.some((kind) => kind.board === board) && h('optgroup', { label: board ? 'On the board' : 'Not on the board' }, kinds.filter((kind) => kind.board === board).map(({ name }) => h('option', { value: name }, name)));
  const pick = h('select', { 'data-key': 'kind' }, options(true), options(false));
  const name = h('input', { type: 'text', pattern: '[a-z][a-z0-9_]*', required: true, maxlength: 64 });
  const place = h('div', { class: 'figures' });
  let form: { name: string; value(): string }[] = [];
  const labeled = (title: string, field: HTMLElement): HTMLElement => h('label', { class: 'figure' }, h('span', null, title), field);
  const kindOf = (): KindInfo => kinds.find((kind) => kind.name === pick.value)!;
  const fields = (): void => {
    const kind = kindOf();
    name.value = freeName(table, kind.name);
    form = [];
    const rows = kind.fields.map((field) => {
      // an empty value leaves the field to the rules
      const input = field.choices
        ? h('select', null, !field.needed && h('option', { value: '' }, 'as in the rules'), field.choices.map((choice) => h('option', { value: choice }, choice)))
        : h('input', { type: 'text', size: 6, value: field.needed ? (field.low ?? 0) : '', placeholder: field.needed ? undefined : 'as in the rules' });
      input.dataset.key = `field-${field.name}`;
      form.push({ name: field.name, value: () => input.value.trim() });
      return labeled(field.title, input);
    });
    if (kind.board) {
      const [x, y] = freePlace(table).map((each) => h('input', { type: 'number', step: 'any', value: each / INCH })) as [HTMLInputElement, HTMLInputElement];
      form.push({ name: 'at', value: () => `[${Number(x.value) || 0}, ${Number(y.value) || 0}]` });
      rows.push(labeled('Inches from the left', x), labeled('Inches from the bottom', y));
    }
    put(place, rows);
  };
  pick.onchange = fields;
  fields();
  const answer = await dialogue('Add a unit', [labeled('Kind', pick), labeled('Name', name), place], [{ name: 'Add', value: 'add', main: true }, { name: 'Cancel', value: '' }]);
  if (answer !== 'add') return null;
  return { kind: pick.value, name: name.value, fields: form.map(({ name, value }): [string, string] => [name, value()]).filter(([, value]) => value) };
}

/** Returns the members of a group. */
export const membersOf = (table: Table, unit: string): string[] => table.units.filter((each) => each.of === unit).map(({ id }) => id);

/** Returns the way from a unit to its copy, in inches: below it, or above it at the edge of the table. */
export function wayOf(table: Table, unit: string): [number, number] {
  const members = membersOf(table, unit);
  const ys = table.units.filter((each) => each.y !== undefined && (each.id === unit || members.includes(each.id))).map((each) => each.y!);
  return [0, (Math.min(...ys) >= APART ? -APART : APART) / INCH];
}
