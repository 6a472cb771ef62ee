// Texts in IndexedDB. Tabs share them: a write based on an older version is a conflict, as in a folder.

import { Conflict, sha256, type Files, type Kept } from './files';

const STORE = 'texts';

export function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser stored nothing'));
  });
}

export class BrowserFiles implements Files {
  readonly where = 'saved in this browser';
  readonly layered = true;
  readonly came = 'original';
  private readonly channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('grognard-studio');
  private constructor(private readonly base: IDBDatabase) {}

  static async open(): Promise<BrowserFiles> {
    const request = indexedDB.open('grognard-studio', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'path' });
    return new BrowserFiles(await asked(request));
  }

  private store(mode: IDBTransactionMode): IDBObjectStore {
    return this.base.transaction(STORE, mode).objectStore(STORE);
  }

  async list(): Promise<string[]> {
    return (await asked(this.store('readonly').getAllKeys())) as string[];
  }

  async all(): Promise<Kept[]> {
    return (await asked(this.store('readonly').getAll())) as Kept[];
  }

  async read(path: string): Promise<Kept | null> {
    return ((await asked(this.store('readonly').get(path))) as Kept | undefined) ?? null;
  }

  async write(path: string, text: string, mark: string | null): Promise<Kept> {
    const kept = { path, text, mark: await sha256(text), time: Date.now() };
    // read and write in one transaction, so that no other tab comes between
    const store = this.store('readwrite');
    const before = ((await asked(store.get(path))) as Kept | undefined) ?? null;
    if ((before?.mark ?? null) !== mark && before?.mark !== kept.mark) throw new Conflict(path, before);
    await asked(store.put({ ...before, ...kept }));
    this.channel?.postMessage(path);
    return kept;
  }

  async accept(path: string, base: string | null): Promise<void> {
    const store = this.store('readwrite');
    const before = (await asked(store.get(path))) as Kept | undefined;
    if (before && base !== null) await asked(store.put({ ...before, base }));
  }

  async remove(path: string, mark: string | null): Promise<void> {
    const store = this.store('readwrite');
    const before = ((await asked(store.get(path))) as Kept | undefined) ?? null;
    if (before && before.mark !== mark) throw new Conflict(path, before);
    await asked(store.delete(path));
    this.channel?.postMessage(path);
  }

  watch(changed: (path: string) => void): void {
    if (this.channel) this.channel.onmessage = ({ data }) => changed(String(data));
  }
}

/** Files of a page without storage, such as some pages opened from a disk. */
export class NoFiles implements Files {
  readonly where = 'not saved: this tab only';
  readonly layered = true;
  readonly came = 'original';
  private readonly texts = new Map<string, Kept>();
  async list(): Promise<string[]> {
    return [...this.texts.keys()];
  }
  async all(): Promise<Kept[]> {
    return [...this.texts.values()];
  }
  async read(path: string): Promise<Kept | null> {
    return this.texts.get(path) ?? null;
  }
  async write(path: string, text: string): Promise<Kept> {
    const kept = { path, text, mark: await sha256(text) };
    this.texts.set(path, kept);
    return kept;
  }
  async accept(): Promise<void> {
    // the model keeps it while the page is open
  }
  async remove(path: string): Promise<void> {
    this.texts.delete(path);
  }
  watch(): void {
    // no other page has these texts
  }
}
