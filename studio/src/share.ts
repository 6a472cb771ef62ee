// Shared links: the changes of the texts, each with the lines around it, and the current view, compressed in the fragment of the address.
// A change fits every edition of a text that still contains these lines. Input is untrusted: lengths, paths and types are checked, and
// everything is shown as text only.

import { deflateSync, Inflate } from 'fflate';
import { hunks, type Hunk } from './edits';
import { goodPath, sha256 } from './files/files';
import { isSet, type Model, noSettings } from './model';
import { count } from './numbers';
import type { Answer, Settings } from './protocol';

/** Many programs cut longer addresses. */
export const LONGEST = 2000;
const MOST_TEXT = 1_000_000;
const MOST_FILES = 40;
const MOST_HUNKS = 5000;
const MOST_ANSWERS = 2000;
/** Number of lines before and after a change that it is found by. */
const AROUND = 3;

/** The part of the user in a run: the dice, and the players that the user decides for. */
export interface Told { byHand: boolean; mine: string[] }
/** A run with the answers given so far, and the line at which it is shown. */
export interface Left { scene: string; seed: number | null; at: number; /** Whether every event is shown instead of the story. */ full?: boolean; script: Answer[]; who: Told; waits: Told }
export interface View { path: string; scene: string; tab: string; line?: number; settings: Settings; run?: Left }
/** A change: the line of the base text where it begins, the lines before it, the old and the new lines, and the lines after it. */
type Part = [at: number, lead: string[], old: string[], now: string[], tail: string[]];
/** An own text as a whole with the changes that lead back to its original, or the changes of a text that came with the program. */
type Shared = { text: string; back?: Part[] } | { base: string; edition: string; parts: Part[] };
interface Link { version: string; files: Record<string, Shared>; view: View }
/** A change that does not fit the text of this page. `line` is near its place. */
export interface Misfit { path: string; line: number; before: string[]; after: string[] }

/** The result of reading a link. */
export type Opened = { view: View; texts: Record<string, string>; /** The originals of own texts. */ bases: Record<string, string>; notes: string[]; misfits: Misfit[] } | { refused: string };

/** Returns the changes of a text, each with the lines around it. */
export function parts(before: string, after: string): Part[] {
  const lines = before.split('\n');
  return hunks(before, after).map(({ from, before: old, after: now }) => [from, lines.slice(Math.max(0, from - AROUND), from), old, now, lines.slice(from + old.length, from + old.length + AROUND)]);
}

/** Applies the changes whose lines a text contains, each at the place nearest to its old one. */
export function fitted(text: string, all: Part[]): { text: string; left: { line: number; part: Part }[] } {
  const lines = text.split('\n');
  const left: { line: number; part: Part }[] = [];
  const fits: (Hunk & { line: number })[] = [];
  // lines that were added or removed above move the next change
  let moved = 0;
  for (const part of all) {
    const [from, lead, before, after, tail] = part;
    const whole = [...lead, ...before, ...tail];
    const wanted = from - lead.length + moved;
    let best = -1;
    for (let at = 0; at + whole.length <= lines.length; at++) if (Math.abs(at - wanted) < Math.abs(best - wanted) || best < 0) if (whole.every((line, n) => lines[at + n] === line)) best = at;
    const line = best + lead.length;
    const last = fits.at(-1);
    if (best < 0 || (last && line < last.line + last.before.length)) left.push({ line: Math.max(0, Math.min(from + moved, lines.length - 1)), part });
    else {
      moved = line - from;
      fits.push({ from, at: line, line, before, after });
    }
  }
  for (const { line, before, after } of fits.reverse()) lines.splice(line, before.length, ...after);
  return { text: lines.join('\n'), left };
}

/** Returns the edition that a text declares. */
const editionOf = (text: string, version: string): string => /^ruleset \S+ .*?version "([^"\n]*)"/m.exec(text)?.[1] ?? version;

function encode(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

/** Adler-32: detects a link that was cut or mistyped. */
function sum(text: string): string {
  let a = 1;
  let b = 0;
  for (let n = 0; n < text.length; n++) {
    a = (a + text.charCodeAt(n)) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a).toString(16).replace('-', 'm');
}

function inflate(bytes: Uint8Array): string | null {
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    const stream = new Inflate((part) => {
      total += part.length;
      if (total > 2 * MOST_TEXT) throw new Error('too long');
      parts.push(part);
    });
    // in small steps, so that a few bytes cannot expand to gigabytes
    for (let at = 0; at < bytes.length; at += 512) stream.push(bytes.subarray(at, at + 512), at + 512 >= bytes.length);
  } catch {
    return null;
  }
  const all = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(all);
}

/** Returns the fragment of a link with the changes of some texts. */
export async function makeLink(model: Model, view: View, paths: string[]): Promise<string> {
  const files: Link['files'] = {};
  const { version } = model.books;
  for (const path of paths) {
    const text = model.now(path);
    if (text === undefined) continue;
    await model.text(path);
    const shipped = model.shipped.get(path);
    const base = model.base(path);
    files[path] = typeof shipped === 'string' ? { base: (await sha256(shipped)).slice(0, 12), edition: editionOf(shipped, version), parts: parts(shipped, text) } : { text, ...(base === null ? {} : { back: parts(text, base) }) };
  }
  const link: Link = { version, files, view: isSet(view.settings) ? view : { ...view, settings: noSettings() } };
  const payload = encode(deflateSync(new TextEncoder().encode(JSON.stringify(link)), { level: 9 }));
  return `#g=${payload.length}.${sum(payload)}.${payload}`;
}

const isText = (value: unknown, most = 300): value is string => typeof value === 'string' && value.length <= most;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function settings(found: unknown): Settings {
  const clean = (part: unknown): Record<string, string> => {
    const entries = isRecord(part) ? Object.entries(part).filter(([name, value]) => /^[A-Za-z_][\w]{0,80}$/.test(name) && isText(value, 200)) : [];
    return Object.fromEntries(entries.slice(0, 200)) as Record<string, string>;
  };
  return isRecord(found) ? { params: clean(found.params), readings: clean(found.readings) } : noSettings();
}

function answers(found: unknown): Answer[] | undefined {
  if (!Array.isArray(found)) return undefined;
  const all: Answer[] = [];
  for (const each of found.slice(0, MOST_ANSWERS)) {
    if (!isRecord(each)) return undefined;
    const asked = isText(each.asked, 500) ? { asked: each.asked } : {};
    if (isText(each.choose, 500)) all.push({ choose: each.choose, ...asked });
    else if (Array.isArray(each.roll) && each.roll.length <= 500 && each.roll.every((face) => isText(face, 40))) all.push({ roll: each.roll as string[], ...asked });
    else if (typeof each.auto === 'boolean') all.push({ auto: each.auto, ...asked });
    else return undefined;
  }
  return all;
}

const whole = (value: unknown): number | undefined => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined);

function run(found: unknown, scene: string): Left | undefined {
  const script = isRecord(found) ? answers(found.script) : undefined;
  if (!script || !isRecord(found)) return undefined;
  const told = (of: unknown): Told => (isRecord(of) ? { byHand: of.byHand === true, mine: Array.isArray(of.mine) ? of.mine.filter((each) => isText(each, 80)).slice(0, 20) : [] } : { byHand: false, mine: [] });
  return { scene, seed: whole(found.seed) ?? null, at: whole(found.at) ?? 0, full: found.full === true, script, who: told(found.who), waits: told(found.waits) };
}

/** Reads a fragment. Returns `null` if it is not a link of this kind. */
export async function readLink(hash: string, model: Model): Promise<Opened | null> {
  const found = /^#g=(\d{1,7})\.(\w{1,12})\.([\w-]*)/.exec(hash);
  if (!found) return /^#(?:g=|s[12]\.)/.test(hash) ? { refused: 'This link is incomplete, or was created by another version of the studio.' } : null;
  const [, length, check, payload = ''] = found;
  if (payload.length < Number(length)) return { refused: `This link is incomplete: ${payload.length} of ${length} characters arrived. Ask for it again, or for a file.` };
  if (payload.length > Number(length) || sum(payload) !== check) return { refused: 'This link is damaged, so it was not opened.' };
  let link: unknown;
  try {
    link = JSON.parse(inflate(decode(payload)) ?? 'null');
  } catch {
    link = null;
  }
  if (!isRecord(link) || !isRecord(link.files) || !isRecord(link.view)) return { refused: 'This link contains nothing to open.' };
  return open(link, model);
}

const areLines = (found: unknown): found is string[] => Array.isArray(found) && found.every((line) => isText(line, MOST_TEXT));
const isPart = (found: unknown): found is Part => Array.isArray(found) && found.length === 5 && whole(found[0]) !== undefined && found.slice(1).every(areLines);
const areParts = (found: unknown): found is Part[] => Array.isArray(found) && found.length <= MOST_HUNKS && found.every(isPart);

async function open(link: Record<string, unknown>, model: Model): Promise<Opened> {
  const texts: Record<string, string> = {};
  const bases: Record<string, string> = {};
  const notes: string[] = [];
  const misfits: Misfit[] = [];
  const files = Object.entries(link.files as Record<string, unknown>);
  if (files.length > MOST_FILES) return { refused: 'This link contains more files than a link can have.' };
  for (const [path, file] of files) {
    if (!goodPath(path) || !isRecord(file)) return { refused: 'This link contains a file with an invalid path, so it was not opened.' };
    const shipped = (await model.engine.ask('grognard/text', { path })).shipped;
    if (isText(file.text, MOST_TEXT)) {
      texts[path] = file.text;
      if (areParts(file.back) && shipped === undefined) bases[path] = fitted(file.text, file.back).text;
      continue;
    }
    const all = file.parts;
    if (!areParts(all)) return { refused: 'This link contains changes that cannot be read, so it was not opened.' };
    const { text, left } = fitted(shipped ?? '', all);
    if (text !== shipped) texts[path] = text;
    const same = shipped !== undefined && (await sha256(shipped)).slice(0, 12) === file.base;
    if (!same) notes.push(`${path}: ${all.length - left.length} of ${count(all.length, all.length === 1 ? 'change' : 'changes')} ${left.length === all.length - 1 ? 'fits' : 'fit'} edition ${editionOf(shipped ?? '', model.books.version)}. The link was created with ${isText(file.edition, 40) ? `edition ${file.edition}` : 'another edition'}.`);
    for (const { line, part } of left) misfits.push({ path, line, before: part[2], after: part[3] });
  }
  const view = link.view as Record<string, unknown>;
  const path = (value: unknown): string => (isText(value) && goodPath(value) ? value : '');
  const scene = path(view.scene);
  return { view: { path: path(view.path), scene, tab: isText(view.tab, 20) ? view.tab : '', line: whole(view.line), settings: settings(view.settings), run: run(view.run, scene) }, texts, bases, notes, misfits };
}
