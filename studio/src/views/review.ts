// Review: every change of a text beside what came with the program, to be kept or taken back one by one.

import diff from 'fast-diff';
import { announce, button, h, put, type Child } from '../dom';
import type { Model } from '../model';
import { sha256 } from '../files/files';

/** Lines that went and lines that came in one place. */
export interface Hunk { from: number; before: string[]; after: string[]; at: number }

/** Where two texts part, line by line (Myers' difference over lines). */
export function hunks(before: string, after: string): Hunk[] {
  const names = new Map<string, string>();
  const encode = (text: string): string =>
    text
      .split('\n')
      .map((line) => {
        // a character of its own for each line, none of them half of a pair
        let name = names.get(line);
        if (!name) names.set(line, (name = String.fromCharCode(names.size < 0xd000 ? names.size + 1 : names.size + 0x1000)));
        return name;
      })
      .join('');
  const [a, b] = [encode(before), encode(after)];
  if (names.size > 60_000) return [{ from: 0, at: 0, before: before.split('\n'), after: after.split('\n') }];
  const lines = [...names.keys()];
  const found: Hunk[] = [];
  let [from, at] = [0, 0];
  let open: Hunk | null = null;
  for (const [sort, text] of diff(a, b)) {
    if (sort === 0) {
      open = null;
      from += text.length;
      at += text.length;
      continue;
    }
    if (!open) found.push((open = { from, at, before: [], after: [] }));
    const told = [...text].map((c) => lines[c.charCodeAt(0) < 0xd001 ? c.charCodeAt(0) - 1 : c.charCodeAt(0) - 0x1000] ?? '');
    if (sort < 0) {
      open.before.push(...told);
      from += text.length;
    } else {
      open.after.push(...told);
      at += text.length;
    }
  }
  return found;
}

/** The text without one of its changes. */
export function without(after: string, hunk: Hunk): string {
  const lines = after.split('\n');
  lines.splice(hunk.at, hunk.after.length, ...hunk.before);
  return lines.join('\n');
}

export class ReviewView {
  readonly element: HTMLElement;
  private readonly list = h('div');
  private awake = false;
  /** What was looked at and kept. */
  private readonly kept = new Set<string>();

  constructor(private readonly model: Model) {
    this.element = h('div', { class: 'view review' }, h('h2', null, 'What you changed'), this.list);
    model.changed.on(() => this.draw());
    model.revision.on(() => this.draw());
    model.diagnostics.on(() => this.draw());
  }

  show(awake: boolean): void {
    this.awake = awake;
    this.draw();
  }

  private draw(): void {
    if (this.awake) void this.fill();
  }

  private async fill(): Promise<void> {
    const { model } = this;
    const parts: Child[] = [];
    for (const path of [...model.changed.value].sort()) {
      const after = await model.text(path);
      const before = model.shipped.get(path) ?? null;
      if (after === null) continue;
      const errors = (model.diagnostics.value.get(path) ?? []).filter((each) => (each.severity ?? 1) === 1);
      const rows: Child[] = [];
      if (before === null) rows.push(h('p', { class: 'soft' }, `A file of your own, ${after.split('\n').length} lines.`, button('Show it', () => (model.path.value = path), { class: 'link' })));
      else for (const hunk of hunks(before, after)) rows.push(await this.hunk(path, after, hunk));
      parts.push(h('section', { class: 'changed-file' }, h('h3', null, path), errors.length > 0 && h('ul', { class: 'plain bad' }, errors.slice(0, 20).map((error) => h('li', null, button(error.message.split('\n')[0] ?? '', () => (model.look.value = { path, range: error.range, focus: true }), { class: 'link bad' })))), rows));
    }
    put(this.list, parts.length ? parts : h('p', { class: 'soft' }, 'Nothing yet. What you write is shown here beside what came with the program, and can be taken back piece by piece. What it does to the scenario stands under Compare.'));
  }

  private async hunk(path: string, after: string, hunk: Hunk): Promise<Child> {
    const { model } = this;
    const key = await sha256(`${path}\n${hunk.from}\n${hunk.before.join('\n')}\n${hunk.after.join('\n')}`);
    const kept = this.kept.has(key);
    const line = { line: hunk.at, character: 0 };
    return h(
      'div',
      { class: `hunk ${kept ? 'kept' : ''}` },
      h('p', { class: 'line' }, button(`line ${hunk.at + 1}`, () => (model.look.value = { path, range: { start: line, end: line }, focus: true }), { class: 'link', 'data-key': `at ${key}` }), kept && h('span', { class: 'soft' }, 'kept')),
      h('div', { class: 'differences' }, hunk.before.length > 0 && h('del', null, hunk.before.join('\n')), hunk.after.length > 0 && h('ins', null, hunk.after.join('\n'))),
      !kept &&
        h(
          'p',
          { class: 'buttons' },
          button('Keep', () => (this.kept.add(key), announce('Kept'), this.draw()), { 'data-key': `keep ${key}` }),
          button('Take back', () => void model.write(path, without(after, hunk)).then(() => announce('Taken back')), { 'data-key': `back ${key}` }),
        ),
    );
  }
}
