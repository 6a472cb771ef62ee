// Where texts are kept: in this browser (IndexedDB), in a folder behind `grognard studio`, or nowhere.

/** A text with the mark of the version that was read; who writes says which version the change is based on. */
export interface Kept { path: string; text: string; mark: string; /** Of a file of one's own: what later changes are told against. */ base?: string }

/** The text was changed by somebody else since it was read. */
export class Conflict extends Error {
  constructor(readonly path: string, readonly theirs: Kept | null) {
    super(`${path} was changed elsewhere after this page read it`);
  }
}

export interface Files {
  /** What it is called on the page. */
  readonly where: string;
  /** It keeps only what differs from the shipped books; a folder keeps all. */
  readonly layered: boolean;
  /** What changes are told against, in words. */
  readonly came: string;
  /** Of a folder: what its texts were when its program was started. */
  first?(now: Kept[]): Promise<Map<string, string>>;
  /** Later changes of a text are told against this one, or against none. */
  accept(path: string, text: string | null): Promise<void>;
  list(): Promise<string[]>;
  all(): Promise<Kept[]>;
  read(path: string): Promise<Kept | null>;
  /** Writes over the version that `mark` names; none for a text that is new. */
  write(path: string, text: string, mark: string | null): Promise<Kept>;
  remove(path: string, mark: string | null): Promise<void>;
  /** Calls when a text was changed by others, where that can be known. */
  watch(changed: (path: string) => void): void;
}

/** Paths that a book may have: no way out of the folder, nothing hidden. */
export function goodPath(path: string): boolean {
  return /^(?:[a-z0-9_-][a-z0-9._-]*\/)*[a-z0-9_-][a-z0-9._-]*\.(?:rules|toml)$/.test(path) && path.length <= 200 && !path.includes('..');
}

export async function sha256(text: string): Promise<string> {
  // not there on plain http pages of other machines
  if (!globalThis.crypto?.subtle) return `${text.length}:${[...text].reduce((sum, c) => (Math.imul(sum, 31) + c.codePointAt(0)!) | 0, 7)}`;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
