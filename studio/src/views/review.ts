// Review: every change of a text beside what came with the program, what it moves, and which change moves what; each is kept or
// taken back.

import diff from 'fast-diff';
import { announce, button, h, put, type Child } from '../dom';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import type { Compared } from '../protocol';
import { status } from '../widgets';
import { cameTexts, effectBlock, partingBlock } from './compare';
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

/** The text as it came, with one of its changes alone. */
export function only(before: string, hunk: Hunk): string {
  const lines = before.split('\n');
  lines.splice(hunk.from, hunk.before.length, ...hunk.after);
  return lines.join('\n');
}

export class ReviewView {
  readonly element: HTMLElement;
  private readonly list = h('div');
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly moves = h('div', { class: 'moves' });
  private readonly whole: Live<'grognard/compare'>;
  private awake = false;
  /** What was looked at and kept. */
  private readonly kept = new Set<string>();
  /** What a change does by itself, as far as somebody asked; of texts of one time. */
  private alone = new Map<string, Compared | string>();

  constructor(private readonly model: Model) {
    this.whole = model.live('grognard/compare', () => (model.scene.value && model.changed.value.size ? { path: model.scene.value, a: { settings: noSettings(), texts: cameTexts(model) }, b: { settings: model.settings.value } } : null));
    this.element = h('div', { class: 'view review' }, h('h2', null, 'What you changed'), this.list, this.state, this.moves);
    this.whole.on(() => this.drawMoves());
    model.changed.on(() => this.draw());
    model.revision.on(() => {
      this.alone.clear();
      this.draw();
    });
    model.scene.on(() => this.alone.clear());
    model.diagnostics.on(() => this.draw());
  }

  show(awake: boolean): void {
    this.awake = awake;
    this.whole.show(awake);
    this.draw();
  }

  /** Odds and the first run that are others than with the rules as they came. */
  private drawMoves(): void {
    const { model } = this;
    if (!model.changed.value.size) return put(this.moves), put(this.state);
    const shown = this.whole.value;
    status(this.state, shown);
    const { value, stale } = shown;
    if (!value) return put(this.moves);
    this.moves.className = `moves ${stale && !shown.running ? 'stale' : ''}`;
    const moved = value.effects.filter((effect) => effect.a.estimate !== effect.b.estimate);
    put(
      this.moves,
      h('h2', null, `What it moves in “${model.title(model.scene.value)}”`),
      moved.length ? moved.map((effect) => effectBlock(effect)) : h('p', { class: 'soft' }, 'No number of its report is another one than before.'),
      partingBlock(value, model),
    );
  }

  /** What one change does without the others: which of them caused what moved. */
  private async byItself(key: string, path: string, before: string, hunk: Hunk): Promise<void> {
    const { model } = this;
    this.alone.set(key, 'working …');
    this.draw();
    const texts = cameTexts(model);
    // a number of the text that the scenario sets too is played as the text says, as it is under Odds
    const { params, readings } = model.settings.value;
    const named = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`\\b${name}\\b`).test(hunk.after.join('\n'))));
    const settings = { params: named(params), readings: named(readings) };
    try {
      this.alone.set(key, await model.engine.ask('grognard/compare', { path: model.scene.value, a: { settings: noSettings(), texts }, b: { settings, texts: { ...texts, [path]: only(before, hunk) } } }));
    } catch (why) {
      this.alone.set(key, (why as Error).message);
    }
    this.draw();
  }

  private toldAlone(key: string): Child {
    const found = this.alone.get(key);
    if (found === undefined) return null;
    if (typeof found === 'string') return h('p', { class: 'soft' }, found);
    const moved = found.effects.filter((effect) => effect.a.estimate !== effect.b.estimate);
    return h('div', { class: 'alone' }, h('p', { class: 'soft' }, moved.length ? 'By itself it moves this:' : 'By itself it moves nothing in this scenario.'), moved.map((effect) => effectBlock(effect)));
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
      else for (const hunk of hunks(before, after)) rows.push(await this.hunk(path, before, after, hunk));
      parts.push(h('section', { class: 'changed-file' }, h('h3', null, path), errors.length > 0 && h('ul', { class: 'plain bad' }, errors.slice(0, 20).map((error) => h('li', null, button(error.message.split('\n')[0] ?? '', () => (model.look.value = { path, range: error.range, focus: true }), { class: 'link bad' })))), rows));
    }
    put(this.list, parts.length ? parts : h('p', { class: 'soft' }, 'Nothing yet. What you write is shown here beside what came with the program, and can be taken back piece by piece. What it moves in the scenario stands below it then.'));
  }

  private async hunk(path: string, before: string, after: string, hunk: Hunk): Promise<Child> {
    const { model } = this;
    const key = await sha256(`${path}\n${hunk.from}\n${hunk.before.join('\n')}\n${hunk.after.join('\n')}`);
    const kept = this.kept.has(key);
    const line = { line: hunk.at, character: 0 };
    return h(
      'div',
      { class: `hunk ${kept ? 'kept' : ''}` },
      h('p', { class: 'line' }, button(`line ${hunk.at + 1}`, () => (model.look.value = { path, range: { start: line, end: line }, focus: true }), { class: 'link', 'data-key': `at ${key}` }), kept && h('span', { class: 'soft' }, 'kept')),
      h('div', { class: 'differences' }, hunk.before.length > 0 && h('del', null, hunk.before.join('\n')), hunk.after.length > 0 && h('ins', null, hunk.after.join('\n'))),
      this.toldAlone(key),
      !kept &&
        h(
          'p',
          { class: 'buttons' },
          model.scene.value !== '' && !this.alone.has(key) && button('What does it do by itself?', () => void this.byItself(key, path, before, hunk), { 'data-key': `alone ${key}` }),
          button('Keep', () => (this.kept.add(key), announce('Kept'), this.draw()), { 'data-key': `keep ${key}` }),
          button('Take back', () => void model.write(path, without(after, hunk)).then(() => announce('Taken back')), { 'data-key': `back ${key}` }),
        ),
    );
  }
}
