// Adds, copies and deletes units in the text of a scenario. All other text stays as it is.

import type { Entry, Node } from './protocol';

type Place = [from: number, to: number];
type Change = [at: Place, text: string];

/** A scenario: its text as bytes, and its entries with their places. */
export class Scene {
  private readonly bytes: Uint8Array;
  constructor(text: string, private readonly tree: Entry[]) {
    this.bytes = new TextEncoder().encode(text);
  }

  private slice([from, to]: Place): string {
    return new TextDecoder().decode(this.bytes.subarray(from, to));
  }

  /** Returns the text with changes at some places. */
  private changed(changes: Change[], [from, to]: Place = [0, this.bytes.length]): string {
    let at = from;
    let text = '';
    for (const [place, now] of [...changes].sort(([a], [b]) => a[0] - b[0])) {
      text += this.slice([at, place[0]]) + now;
      at = place[1];
    }
    return text + this.slice([at, to]);
  }

  /** Returns the entry of a unit, with its kind. */
  private own(unit: string): { kind: string; entry: Entry } | undefined {
    for (const { key, node } of this.tree) if (/^[A-Z]/.test(key)) for (const entry of node.table ?? []) if (entry.key === unit) return { kind: key, entry };
    return undefined;
  }

  private get rows(): Entry[][] {
    return get(this.tree, 'line')?.list?.flatMap(({ table }) => (table ? [table] : [])) ?? [];
  }

  private get names(): Set<string> {
    const own = this.tree.filter(({ key }) => /^[A-Z]/.test(key)).flatMap(({ node }) => node.table?.map(({ key }) => key) ?? []);
    return new Set([...own, ...this.rows.flatMap((row) => idsOf(row))]);
  }

  /** Returns a name that no unit has: the next number of its row. */
  private fresh(taken: Set<string>, of: string): string {
    const stem = of.replace(/\d+$/, '') === of ? `${of}_` : of.replace(/\d+$/, '');
    for (let n = 2; ; n++) {
      if (taken.has(stem + n)) continue;
      taken.add(stem + n);
      return stem + n;
    }
  }

  /** Returns the lines of an entry or a header: up to the next header, without the blank lines and comments above that. */
  private lines([from, to]: Place): Place {
    const text = this.slice([0, this.bytes.length]);
    // the places are in bytes
    const at = this.slice([0, from]).length;
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const size = (until: number): number => new TextEncoder().encode(text.slice(0, until)).length;
    if (text[start] !== '[') {
      const end = text.indexOf('\n', this.slice([0, to]).length);
      return [size(start), end < 0 ? this.bytes.length : size(end + 1)];
    }
    const next = /\n(?=\[)/.exec(text.slice(start));
    const block = text.slice(start, next ? start + next.index + 1 : undefined);
    const all = block.split('\n');
    while (all.length > 1 && /^\s*(#|$)/.test(all.at(-1)!)) all.pop();
    return [size(start), size(Math.min(text.length, start + all.join('\n').length + 1))];
  }

  private entryLines({ at, node }: Entry): Place {
    return this.lines([at![0], Math.max(at![1], node.at?.[1] ?? 0)]);
  }

  /** Returns the lines of the row with these names. */
  private row(ids: Node): Place {
    return this.lines([this.slice([0, ids.at![0]]).lastIndexOf('[[line]]'), 0].map((n) => new TextEncoder().encode(this.slice([0, this.bytes.length]).slice(0, n)).length) as Place);
  }

  /** Adds a unit: below the last one of its kind, or else above the lists and the report. */
  added(kind: string, unit: string, fields: [string, string][]): string {
    const given = fields.map(([name, value]) => `${name} = ${name === 'at' ? value : toml(value)}`);
    const inline = `${unit} = { ${given.join(', ')} }`.replace('{  }', '{ }');
    const last = get(this.tree, kind)?.table?.filter(({ at }) => at).at(-1);
    if (last) {
      const lines = this.entryLines(last);
      return this.inserted([[lines[1], this.slice(lines).startsWith('[') ? `[${kind}.${unit}]\n${given.join('\n')}\n` : `${inline}\n`]]);
    }
    const text = this.slice([0, this.bytes.length]);
    const end = [text.indexOf('\n[['), text.indexOf('\n[report]')].find((at) => at >= 0) ?? -1;
    return end < 0 ? `${text.trimEnd()}\n\n[${kind}]\n${inline}\n` : `${text.slice(0, end + 1)}[${kind}]\n${inline}\n\n${text.slice(end + 1)}`;
  }

  /** Inserts lines, with an empty line before a block. */
  private inserted(all: [at: number, lines: string][]): string {
    return this.changed(all.map(([at, lines]) => {
      const gap = this.slice([0, at]).endsWith('\n') ? '' : '\n';
      return [[at, at], `${gap}${lines.startsWith('[') ? '\n' : ''}${lines.replace(/\n?$/, '\n')}`];
    }));
  }

  /** Deletes units. The others of their rows keep their places. */
  deleted(units: string[]): string {
    const own = units.flatMap((unit): Change[] => {
      const entry = this.own(unit)?.entry;
      if (!entry) return [];
      if (!entry.at) throw foreign(unit);
      return [this.gone(this.entryLines(entry))];
    });
    const rows = this.rows.flatMap((row): Change[] => {
      const [ids, names] = [get(row, 'ids'), idsOf(row)];
      const left = names.map((name, n) => ({ name, n })).filter(({ name }) => !units.includes(name));
      if (left.length === names.length) return [];
      if (!ids?.at) throw foreign(names[0]!);
      const lines = this.row(ids);
      const [at, step] = [get(row, 'at'), get(row, 'step')];
      // a gap ends a row: the units after it form another row
      const parts = left.reduce<{ name: string; n: number }[][]>((parts, each) => (parts.at(-1)?.at(-1)?.n === each.n - 1 ? parts.at(-1)!.push(each) : parts.push([each]), parts), []);
      const texts = parts.map((part) => this.changed([[ids.at!, listed(part.map(({ name }) => name))], ...(at?.at && step ? [[at.at, place(this.point(at), this.point(step), part[0]!.n)] as Change] : [])], lines));
      return [texts.length ? [lines, texts.join('\n')] : this.gone(lines)];
    });
    return this.changed([...own, ...rows]);
  }

  /** Removes lines, with the empty line above a block. */
  private gone([from, to]: Place): Change {
    const gap = this.slice([from, from + 1]) === '[' && this.slice([0, from]).endsWith('\n\n') ? 1 : 0;
    return [[from - gap, to], ''];
  }

  private point(node: Node): [number, number] {
    const [x = 0, y = 0] = (node.list ?? []).map(({ at }) => Number(at && this.slice(at)));
    return [x, y];
  }

  /** Copies a unit, moved by some inches, and for a group also its members. A unit of a row is added to the end of the row. */
  copied(unit: string, members: string[], by: [number, number]): { text: string; made: string } {
    const taken = this.names;
    const made = this.fresh(taken, unit);
    if (!this.own(unit)) {
      const row = this.rows.find((row) => idsOf(row).includes(unit));
      const last = row && get(row, 'ids')?.list?.at(-1)?.at;
      if (!last) throw foreign(unit);
      return { text: this.changed([[[last[1], last[1]], `, "${made}"`]]), made };
    }
    // the link to the group, and the place
    const changes = (keys: Entry[]): Change[] => {
      const at = get(keys, 'at');
      const links = keys.filter(({ node }) => node.text === unit && node.at).map(({ node }): Change => [node.at!, `"${made}"`]);
      return at?.at ? [...links, [at.at, place(this.point(at), by, 1)]] : links;
    };
    const copies = [unit, ...members].flatMap((name): [number, string][] => {
      const entry = this.own(name)?.entry;
      if (!entry) return [];
      if (!entry.at) throw foreign(name);
      const lines = this.entryLines(entry);
      return [[lines[1], this.changed([...changes(entry.node.table ?? []), [entry.at, name === unit ? made : this.fresh(taken, name)]], lines)]];
    });
    const rows = this.rows.flatMap((row): [number, string][] => {
      const [ids, names] = [get(row, 'ids'), idsOf(row)];
      if (!ids?.at || !names.some((name) => members.includes(name))) return [];
      const lines = this.row(ids);
      return [[lines[1], this.changed([...changes(row), [ids.at, listed(names.map((name) => this.fresh(taken, name)))]], lines)]];
    });
    return { text: this.inserted([...copies, ...rows]), made };
  }
}

const get = (entries: Entry[], key: string): Node | undefined => entries.find((entry) => entry.key === key)?.node;
const idsOf = (row: Entry[]): string[] => get(row, 'ids')?.list?.flatMap(({ text }) => text ?? []) ?? [];
const listed = (names: string[]): string => `[${names.map((name) => `"${name}"`).join(', ')}]`;
const place = ([x, y]: [number, number], [dx, dy]: [number, number], times: number): string => `[${[x + dx * times, y + dy * times].map((n) => Number(n.toFixed(3))).join(', ')}]`;
const foreign = (unit: string): Error => new Error(`${unit} is in the scenario below; change it there`);

/** Returns a value in the form of a scenario. */
function toml(value: string): string {
  const plain = value.replace(/["°]$/, '');
  return value === 'yes' ? 'true' : value === 'no' ? 'false' : /^-?\d+(\.\d+)?$/.test(plain) ? plain : JSON.stringify(value);
}
