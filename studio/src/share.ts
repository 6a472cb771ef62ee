// Shared links: the differences from a named version of the shipped books and the current view, compressed in the fragment of the address.
// Input is untrusted: lengths, paths and types are checked, and everything is shown as text only.

import diff from 'fast-diff';
import { deflateSync, Inflate } from 'fflate';
import { goodPath, sha256 } from './files/files';
import { isSet, type Model, noSettings } from './model';
import type { Answer, Settings } from './protocol';

/** Many programs cut longer addresses. */
export const LONGEST = 2000;
const MOST_TEXT = 1_000_000;
const MOST_FILES = 40;

/** Pieces of a text: a positive number copies that many characters of the shipped text, a negative number skips them, a string is inserted. */
type Pieces = (number | string)[];
export interface View { path: string; scene: string; tab: string; line?: number; settings: Settings; seed?: number; script?: Answer[] }
interface Link { v: 1; version: string; files: Record<string, { base: string | null; pieces: Pieces }>; view: View }

/** The result of reading a link. */
export type Opened = { view: View; texts: Record<string, string>; notes: string[] } | { refused: string };

export function pieces(before: string, after: string): Pieces {
  return diff(before, after).map(([sort, text]) => (sort === 0 ? text.length : sort < 0 ? -text.length : text));
}

export function joined(before: string, all: Pieces): string | null {
  let at = 0;
  let text = '';
  for (const piece of all) {
    if (typeof piece === 'string') text += piece;
    else if (!Number.isInteger(piece) || at + Math.abs(piece) > before.length) return null;
    else {
      if (piece > 0) text += before.slice(at, at + piece);
      at += Math.abs(piece);
    }
    if (text.length > MOST_TEXT) return null;
  }
  return at === before.length ? text : null;
}

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

/** Size of the DEFLATE window: the end of a shipped text serves as a dictionary, because a variant repeats much of it. */
const WINDOW = 32_768;
/** Minimum saving in characters. A link with a dictionary can be read only with the same version of that text. */
const WORTH = 150;

function beside(text: string): Uint8Array {
  return new TextEncoder().encode(text).slice(-WINDOW);
}

function inflate(bytes: Uint8Array, dictionary?: Uint8Array): string | null {
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    const stream = new Inflate({ dictionary }, (part) => {
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

export async function makeLink(model: Model, view: View): Promise<string> {
  const files: Link['files'] = {};
  for (const path of model.changed.value) {
    const text = model.now(path);
    if (text === undefined) continue;
    await model.text(path);
    const shipped = model.shipped.get(path) ?? null;
    files[path] = { base: shipped === null ? null : (await sha256(shipped)).slice(0, 12), pieces: pieces(shipped ?? '', text) };
  }
  const link: Link = { v: 1, version: model.books.version, files, view: isSet(view.settings) ? view : { ...view, settings: noSettings() } };
  const bytes = new TextEncoder().encode(JSON.stringify(link));
  const whole = (head: string, dictionary?: Uint8Array): string => {
    const payload = encode(deflateSync(bytes, { level: 9, dictionary }));
    return `${head}.${payload.length}.${sum(payload)}.${payload}`;
  };
  const plain = whole('#s1');
  // an own text mostly changes the rules of the scenario, and repeats what it changes
  const rules = model.rulesOf(view.scene) ?? model.paths().find((path) => path.endsWith('.rules') && model.shipped.get(path) !== null && Object.keys(files).some((own) => model.now(own)?.includes(path.replace(/\.rules$/, ''))));
  if (!rules || Object.values(files).every((file) => file.base !== null)) return plain;
  await model.text(rules);
  const text = model.shipped.get(rules);
  if (typeof text !== 'string') return plain;
  const shorter = whole(`#s2.${rules}.${(await sha256(text)).slice(0, 12)}`, beside(text));
  return shorter.length + WORTH <= plain.length ? shorter : plain;
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

function script(found: unknown): Answer[] | undefined {
  if (!Array.isArray(found)) return undefined;
  const answers: Answer[] = [];
  for (const each of found.slice(0, 500)) {
    if (!isRecord(each)) return undefined;
    if (isText(each.choose, 500)) answers.push({ choose: each.choose });
    else if (Array.isArray(each.roll) && each.roll.length <= 500 && each.roll.every((face) => isText(face, 40))) answers.push({ roll: each.roll as string[] });
    else if (each.auto === true) answers.push({ auto: true });
    else return undefined;
  }
  return answers;
}

/** Reads a fragment. Returns `null` if it is not a link of this kind. */
export async function readLink(hash: string, model: Model): Promise<Opened | null> {
  const found = /^#(?:s1|s2\.([\w/-]+\.rules)\.(\w{1,64}))\.(\d{1,7})\.(\w{1,12})\.([\w-]*)/.exec(hash);
  if (!found) return hash.startsWith('#s') ? { refused: 'This link is incomplete, or was created by another version of the studio.' } : null;
  const [, rules, mark, length, check, payload = ''] = found;
  if (payload.length < Number(length)) return { refused: `This link is incomplete: ${payload.length} of ${length} characters arrived. Ask for it again, or for a file.` };
  if (payload.length > Number(length) || sum(payload) !== check) return { refused: 'This link is damaged, so it was not opened.' };
  let dictionary: Uint8Array | undefined;
  if (rules) {
    const text = goodPath(rules) ? (await model.engine.ask('grognard/text', { path: rules })).shipped : undefined;
    if (text === undefined || (await sha256(text)).slice(0, 12) !== mark) return { refused: `This link requires another version of ${rules} than this page contains (${model.books.version}), so it cannot be opened here. Ask for a file.` };
    dictionary = beside(text);
  }
  let link: unknown;
  try {
    link = JSON.parse(inflate(decode(payload), dictionary) ?? 'null');
  } catch {
    link = null;
  }
  if (!isRecord(link) || link.v !== 1 || !isRecord(link.files) || !isRecord(link.view)) return { refused: 'This link contains nothing to open.' };
  return open(link, model);
}

async function open(link: Record<string, unknown>, model: Model): Promise<Opened> {
  const texts: Record<string, string> = {};
  const notes: string[] = [];
  const files = Object.entries(link.files as Record<string, unknown>);
  if (files.length > MOST_FILES) return { refused: 'This link contains more files than a link can have.' };
  for (const [path, file] of files) {
    if (!goodPath(path) || !isRecord(file) || !Array.isArray(file.pieces)) return { refused: 'This link contains a file with an invalid path, so it was not opened.' };
    const shipped = (await model.engine.ask('grognard/text', { path })).shipped ?? null;
    const base = shipped === null ? null : (await sha256(shipped)).slice(0, 12);
    const text = base === (file.base ?? null) ? joined(shipped ?? '', file.pieces as Pieces) : null;
    if (text === null) notes.push(`${path} was changed in version ${isText(link.version, 40) ? link.version : 'unknown'} of the books; this page contains ${model.books.version}, so its changes are skipped`);
    else texts[path] = text;
  }
  const view = link.view as Record<string, unknown>;
  const path = (value: unknown): string => (isText(value) && goodPath(value) ? value : '');
  const line = typeof view.line === 'number' && Number.isInteger(view.line) && view.line >= 0 ? view.line : undefined;
  const seed = typeof view.seed === 'number' && Number.isInteger(view.seed) && view.seed >= 0 ? view.seed : undefined;
  return { view: { path: path(view.path), scene: path(view.scene), tab: isText(view.tab, 20) ? view.tab : '', line, settings: settings(view.settings), seed, script: script(view.script) }, texts, notes };
}
