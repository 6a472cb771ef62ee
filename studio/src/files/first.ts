// The texts of a folder when its program was started, stored by the browser, so that a reloaded page still shows all changes since.
// Accepting a change under Review replaces the stored text.

import { sha256, type Kept } from './files';

const STORE = 'first';

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser stored nothing'));
  });

export class First {
  private base: IDBDatabase | null = null;

  /** Returns the texts of this session: those that its first page stored, else the current ones. */
  async texts(token: string, now: Kept[]): Promise<Map<string, string>> {
    const texts = new Map(now.map(({ path, text }) => [path, text]));
    try {
      const request = indexedDB.open('grognard-studio-first', 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'path' });
      this.base = await done(request);
      const session = (await sha256(token)).slice(0, 16);
      // read and write in one transaction, so that no other tab comes between
      const store = this.base.transaction(STORE, 'readwrite').objectStore(STORE);
      const kept = (await done(store.getAll())) as { path: string; text: string }[];
      // the empty path, which no file has, stores the session
      if (kept.find((each) => each.path === '')?.text === session) return new Map(kept.filter((each) => each.path).map(({ path, text }) => [path, text]));
      await done(store.clear());
      await done(store.put({ path: '', text: session }));
      for (const [path, text] of texts) await done(store.put({ path, text }));
    } catch {
      // without storage, the texts of this page are used
    }
    return texts;
  }

  async accept(path: string, text: string | null): Promise<void> {
    const store = this.base?.transaction(STORE, 'readwrite').objectStore(STORE);
    await (store && (text === null ? done(store.delete(path)) : done(store.put({ path, text }))));
  }
}
