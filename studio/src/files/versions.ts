// Versions of the user's texts: the start of each game, one after every ten minutes of work, and one for each name that the user gives. The
// browser stores them.

import { hunks } from '../edits';
import { equal, Signal } from '../dom';
import { folderOf, titleOf as titled } from '../games';
import type { Model } from '../model';
import { asked } from './browser';

/** The texts that differed from the shipped ones at a time. */
export interface Kept { id?: number; name: string; at: number; /** Lines that differ from the version before. */ lines: number; texts: Record<string, string>; /** The folder of the only game that it contains. */ of?: string }

const STORE = 'versions';
/** Time between the first edit after a version and the next version, in milliseconds. */
const EVERY = 600_000;
const MOST = 200;

/** All versions, newest first. */
export class Versions extends Signal<Kept[]> {
  private base: IDBDatabase | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly model: Model) {
    super([]);
  }

  private opened: Promise<void> = Promise.resolve();

  /** Reads the stored versions, and keeps one after each ten minutes of work. */
  open(): void {
    this.opened = this.read();
    this.model.typed.on(() => {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        void this.keep('');
      }, EVERY);
    });
  }

  private async read(): Promise<void> {
    try {
      const request = indexedDB.open('grognard-studio-versions', 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id', autoIncrement: true });
      this.base = await asked(request);
      this.value = ((await asked(this.store('readonly').getAll())) as Kept[]).reverse();
    } catch {
      // without storage, the versions last as long as the page
    }
  }

  private store(mode: IDBTransactionMode): IDBObjectStore {
    return this.base!.transaction(STORE, mode).objectStore(STORE);
  }

  /** The versions that concern the game in view. */
  get here(): Kept[] {
    return this.value.filter(({ of }) => !of || of === folderOf(this.model.scene.value || this.model.path.value));
  }

  /** Keeps the first version of a new game. */
  async begin(of: string, texts: Record<string, string>): Promise<void> {
    await this.opened;
    await this.add({ name: `${titled(of)} as it began`, at: Date.now(), lines: 0, texts, of });
  }

  /** Keeps the current texts as a version. Without a name, it is kept only if a text has changed since the last one. */
  async keep(name: string): Promise<void> {
    const { model } = this;
    const texts = Object.fromEntries([...model.changed.value].map((path) => [path, model.now(path) ?? '']));
    const last = this.value.find(({ of }) => !of);
    if (!name && equal(last?.texts ?? {}, texts)) return;
    const before = last ? this.texts(last) : {};
    const paths = new Set([...Object.keys(texts), ...Object.keys(before)]);
    const changed = (path: string): number => hunks(before[path] ?? model.base(path) ?? '', texts[path] ?? model.base(path) ?? '').reduce((sum, hunk) => sum + Math.max(hunk.before.length, hunk.after.length), 0);
    await this.add({ name, at: Date.now(), lines: [...paths].reduce((sum, path) => sum + changed(path), 0), texts });
  }

  private async add(kept: Kept): Promise<void> {
    if (this.base) kept.id = (await asked(this.store('readwrite').add(kept))) as number;
    const all = [kept, ...this.value];
    // the oldest version without a name goes first
    const old = all.length > MOST ? ([...all].reverse().find((each) => !each.name) ?? all.at(-1)) : undefined;
    if (old?.id !== undefined) await asked(this.store('readwrite').delete(old.id));
    this.value = all.filter((each) => each !== old);
  }

  /** Returns the texts of a version, with the original of each file that has changed since. */
  texts(version: Kept): Record<string, string> {
    const { model } = this;
    const all = { ...version.texts };
    for (const path of this.reached(version)) all[path] ??= model.base(path) ?? '';
    return all;
  }

  /** Returns the changed files that a version replaces. */
  private reached({ of }: Kept): string[] {
    return [...this.model.changed.value].filter((path) => !of || folderOf(path) === of);
  }

  /** Makes a version the current texts. The texts before are kept as a version too. */
  async back(version: Kept): Promise<void> {
    const { model } = this;
    await this.keep(`before going back to ${titleOf(version)}`);
    for (const path of this.reached(version)) if (!(path in version.texts)) await model.restore(path);
    for (const [path, text] of Object.entries(version.texts)) await model.write(path, text);
  }
}

export const titleOf = ({ name, at }: Kept): string => name || `the version of ${new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`;
