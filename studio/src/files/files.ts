// Storage of texts: in this browser (IndexedDB), in the folder of `grognard studio`, or none.

/** A text with the mark of its version. A write names the version that it is based on. */
export interface Kept { path: string; text: string; mark: string; /** For an own file: the baseline of later changes. */ base?: string; /** When it was saved in a browser. */ time?: number }

/** The text has changed elsewhere since it was read. */
export class Conflict extends Error {
  constructor(readonly path: string, readonly theirs: Kept | null) {
    super(`${path} was changed elsewhere after this page read it`);
  }
}

export interface Files {
  /** Describes on the page where texts are saved. */
  readonly where: string;
  /** Whether only differences from the shipped books are stored. A folder stores everything. */
  readonly layered: boolean;
  /** Describes the baseline of changes. */
  readonly came: string;
  /** For a folder: the texts when its program was started. */
  first?(now: Kept[]): Promise<Map<string, string>>;
  /** Makes a text the baseline of later changes; `null` accepts a deletion. */
  accept(path: string, text: string | null): Promise<void>;
  list(): Promise<string[]>;
  all(): Promise<Kept[]>;
  read(path: string): Promise<Kept | null>;
  /** Replaces the version `mark`, which is `null` for a new text. */
  write(path: string, text: string, mark: string | null): Promise<Kept>;
  remove(path: string, mark: string | null): Promise<void>;
  /** Calls `changed` when a text was changed elsewhere, if the storage can detect that. */
  watch(changed: (path: string) => void): void;
}

/** Returns whether a book can have a path: inside the folder and not hidden. */
export function goodPath(path: string): boolean {
  return /^(?:[a-z0-9_-][a-z0-9._-]*\/)*[a-z0-9_-][a-z0-9._-]*\.(?:rules|toml)$/.test(path) && path.length <= 200 && !path.includes('..');
}

export async function sha256(text: string): Promise<string> {
  // not available on plain http pages of other machines
  if (!globalThis.crypto?.subtle) return `${text.length}:${[...text].reduce((sum, c) => (Math.imul(sum, 31) + c.codePointAt(0)!) | 0, 7)}`;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
