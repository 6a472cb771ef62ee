// The edits of a session one by one: each changed place of a text, each changed dial, and the effect of each edit by itself
// (one-at-a-time comparison with the original texts).

import diff from 'fast-diff';
import { EngineError } from './engine/engine';
import { type Model, noSettings } from './model';
import { count } from './numbers';
import type { Compared, Settings, TraceLine } from './protocol';

/** Lines deleted and inserted at one place. */
export interface Hunk { from: number; before: string[]; after: string[]; at: number }

/** Returns the places where two texts differ, line by line (Myers' difference over lines). */
export function hunks(before: string, after: string): Hunk[] {
  const names = new Map<string, string>();
  const encode = (text: string): string =>
    text
      .split('\n')
      .map((line) => {
        // one character for each distinct line, never half of a surrogate pair
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
    const part = [...text].map((c) => lines[c.charCodeAt(0) < 0xd001 ? c.charCodeAt(0) - 1 : c.charCodeAt(0) - 0x1000] ?? '');
    if (sort < 0) {
      open.before.push(...part);
      from += text.length;
    } else {
      open.after.push(...part);
      at += text.length;
    }
  }
  return found.flatMap(parted);
}

/** Splits a hunk of consecutive lines that each change the same statement, such as two params, into one hunk for each line. */
function parted(hunk: Hunk): Hunk[] {
  const head = (line: string | undefined): string => /^(\S+ \S+) /.exec(line ?? '')?.[1] ?? '';
  const { before, after, from, at } = hunk;
  if (before.length < 2 || before.length !== after.length || !before.every((line, n) => head(line) && head(line) === head(after[n]))) return [hunk];
  return before.map((line, n) => ({ from: from + n, at: at + n, before: [line], after: [after[n]!] }));
}

/** Returns the places where the texts of two traces differ. */
export const linesParted = (before: TraceLine[], after: TraceLine[]): Hunk[] => {
  const text = (lines: TraceLine[]): string => lines.map((line) => line.text).join('\n');
  return hunks(text(before), text(after));
};

/** Returns the text without one of its changes. */
export function without(after: string, hunk: Hunk): string {
  const lines = after.split('\n');
  lines.splice(hunk.at, hunk.after.length, ...hunk.before);
  return lines.join('\n');
}

/** Returns the original text with only one of its changes. */
export function only(before: string, hunk: Hunk): string {
  const lines = before.split('\n');
  lines.splice(hunk.from, hunk.before.length, ...hunk.after);
  return lines.join('\n');
}

/** One edit: a place of a text, or a dial. */
export interface One {
  key: string;
  path?: string;
  hunk?: Hunk;
  /** For a place: the original text with only this edit. */
  text?: string;
  dial?: { sort: keyof Settings; name: string; value: string };
}

/** Returns all edits, or only those that concern the current scenario: places first, then dials that do not follow a place of a text. */
export async function all(model: Model, concerned = false): Promise<One[]> {
  const found: One[] = [];
  for (const path of [...model.changed.value].sort()) {
    const after = await model.text(path);
    const before = model.base(path);
    if (after === null || before === null || (concerned && !model.concerns(path))) continue;
    for (const hunk of hunks(before, after)) found.push({ key: keyOf(path, hunk), path, hunk, text: only(before, hunk) });
  }
  const { settings, followed } = model;
  for (const sort of ['params', 'readings'] as const)
    for (const [name, value] of Object.entries(settings.value[sort])) if (followed.get(name) !== value) found.push({ key: `dial ${name} ${value}`, dial: { sort, name, value } });
  return found;
}

export const keyOf = (path: string, hunk: Hunk): string => `${path}\n${hunk.from}\n${hunk.before.join('\n')}\n${hunk.after.join('\n')}`;

/** Describes the progress of a comparison; `part` is the result so far. */
export function comparing(part: Compared | string | undefined): string {
  const pairs = typeof part === 'object' && part.finding?.pairs;
  return pairs ? `computing: ${count(pairs, 'pairs of runs')} so far` : 'computing both versions: exactly if that is cheap, else from pairs of runs';
}

/** Effects of single edits that were requested, for one state of the texts. */
export class Alone {
  private effects = new Map<string, Compared | string>();
  /** The key of the running edit, followed by the queued ones. */
  private open: string[] = [];
  /** Edits that were stopped before their comparison ended. */
  private readonly halted = new Set<string>();
  private asked: AbortController | null = null;

  /** `changed` is called when there is more to show. */
  constructor(private readonly model: Model, private readonly changed: () => void) {
    model.revision.on(() => this.forget());
    model.scene.on(() => this.forget());
  }

  /** Returns the effect of an edit, which can be partial. */
  of(one: One): Compared | string | undefined {
    return this.effects.get(one.key);
  }

  /** Returns the state of an edit, or `null` if it was not requested or its effect is complete. */
  state({ key }: One): string | null {
    const at = this.open.indexOf(key);
    return at > 0 ? 'queued' : at === 0 ? comparing(this.effects.get(key)) : this.halted.has(key) ? 'stopped' : null;
  }

  /** Returns whether an edit was not requested or was stopped. */
  unasked({ key }: One): boolean {
    return !this.open.includes(key) && (!this.effects.has(key) || this.halted.has(key));
  }

  get working(): boolean {
    return this.open.length > 0;
  }

  private forget(): void {
    this.stop();
    this.effects.clear();
    this.halted.clear();
  }

  /** Stops all comparisons. Results so far are kept. */
  stop(): void {
    this.asked?.abort();
    this.asked = null;
    for (const key of this.open) if (this.effects.has(key)) this.halted.add(key);
    this.open = [];
  }

  /** Compares the edits one after the other. */
  async ask(edits: One[]): Promise<void> {
    this.stop();
    const { signal } = (this.asked = new AbortController());
    const open = edits.filter((one) => this.unasked(one));
    this.open = open.map((one) => one.key);
    this.changed();
    for (const one of open) {
      let effect: Compared | string;
      try {
        effect = await this.compare(one, signal);
      } catch (why) {
        if (signal.aborted) return;
        if (why instanceof EngineError && why.outdated) return this.stop();
        effect = (why as Error).message;
      }
      if (signal.aborted) return;
      this.halted.delete(one.key);
      this.effects.set(one.key, effect);
      this.open.shift();
      this.changed();
    }
  }

  private compare(one: One, signal: AbortSignal): Promise<Compared> {
    const { model } = this;
    const texts = model.before();
    const settings = noSettings();
    if (one.dial) settings[one.dial.sort][one.dial.name] = one.dial.value;
    // a number in the text that the scenario also sets is played as in the text, as under Odds
    const words = one.hunk?.after.join('\n') ?? '';
    for (const sort of ['params', 'readings'] as const)
      for (const [name, value] of Object.entries(model.settings.value[sort])) if (model.followed.get(name) === value && new RegExp(`\\b${name}\\b`).test(words)) settings[sort][name] = value;
    const b = one.path !== undefined && one.text !== undefined ? { ...texts, [one.path]: one.text } : texts;
    return model.engine.ask('grognard/compare', { path: model.scene.value, a: { settings: noSettings(), texts }, b: { settings, texts: b } }, {
      signal,
      progress: (part) => {
        if (signal.aborted) return;
        this.effects.set(one.key, part as Compared);
        this.changed();
      },
    });
  }
}
