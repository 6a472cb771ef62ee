// The model of the page (model-view): the texts with their revision, the open files, and the dials. Views listen to its signals.

import { equal, Signal } from './dom';
import type { Engine } from './engine/engine';
import { Conflict, type Files, type Kept } from './files/files';
import { Versions } from './files/versions';
import { Live } from './live';
import type { Book, Books, Methods, Range, Settings } from './protocol';

export interface Diagnostic {
  range: Range;
  severity?: 1 | 2 | 3 | 4;
  code?: string | number;
  message: string;
  relatedInformation?: { location: { uri: string; range: Range }; message: string }[];
  data?: unknown;
}

/** A dial that differs from the text: the file that declares it, and both values as text. */
export interface Apart { path: string; text: string }

export interface Theirs { path: string; theirs: Kept | null }

export const uriOf = (path: string): string => 'file:///' + path.split('/').map(encodeURIComponent).join('/');
export const pathOf = (uri: string): string => {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\/\//, ''));
  } catch {
    return uri;
  }
};
/** The changed dials of a book. */
export interface Turned { settings: Settings; followed?: [string, string][]; left?: string[] }

export const noSettings = (): Settings => ({ params: {}, readings: {} });
export const isSet = (settings: Settings): boolean => Object.keys(settings.params).length + Object.keys(settings.readings).length > 0;

/** Methods with expensive answers, which are cached for texts and settings that recur. */
const LONG: ReadonlySet<keyof Methods> = new Set(['grognard/outlook', 'grognard/compare', 'grognard/sweep']);

/** A line that begins a paragraph of the book. Indented lines below it belong to it, even if they look like comments. */
const PARAGRAPH = /^[^\s#]*[A-Z\d]/;

/** Returns whether two versions of a text differ only inside a comment on its own line, which has no effect on any answer. */
export function inComment(path: string, before: string, after: string): boolean {
  let [head, tail] = [0, 0];
  const least = Math.min(before.length, after.length);
  while (head < least && before[head] === after[head]) head++;
  while (tail < least - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  let from = head && before.lastIndexOf('\n', head - 1) + 1;
  const line = (text: string): string => text.slice(from, `${text}\n`.indexOf('\n', text.length - tail));
  if (![before, after].every((text) => /^[ \t]*#[^\n]*$/.test(line(text)))) return false;
  if (path.endsWith('.toml')) return !/\"{3}|'{3}/.test(after);
  if (after[from] === '#') return true;
  while (from > 0) {
    const end = from - 1;
    from = end && before.lastIndexOf('\n', end - 1) + 1;
    if (/[^\s#]/.test(before[from] ?? '')) return !PARAGRAPH.test(before.slice(from, end));
  }
  return true;
}

/** A text is saved this long after the last key, in milliseconds. */
const KEEP_AFTER = 500;

export class Model {
  /** Increases with every change of a text or a setting that can change an answer. */
  readonly revision = new Signal(0);
  /** Increases with every change of a text. */
  readonly typed = new Signal(0);
  /** Number of changes by the user. A dial that follows the text does not count as a change of its own. */
  edits = 0;
  /** Whether a dial is set because the text was edited. */
  following = false;
  /** Current texts that were read or changed. */
  private readonly texts = new Map<string, string>();
  /** Texts that have changed in this page, with their earlier content. */
  private readonly touched = new Map<string, string | undefined>();
  /** Original texts of the program; `null` for files that did not come with it. */
  readonly shipped = new Map<string, string | null>();
  /** The user's own files as they were last accepted under Review. */
  private readonly bases = new Map<string, string>();
  /** The version of each text that was last saved. */
  private readonly marks = new Map<string, string>();
  private readonly saving = new Map<string, ReturnType<typeof setTimeout>>();
  /** Pending writes of each text. */
  private readonly writing = new Map<string, Promise<void>>();
  private readonly opened = new Map<string, number>();
  readonly conflicts = new Signal<Theirs[]>([]);
  readonly unsaved = new Signal<ReadonlySet<string>>(new Set());
  readonly changed = new Signal<ReadonlySet<string>>(new Set());
  /** Counts how often the baseline of changes was replaced. */
  readonly accepted = new Signal(0);
  /** Deleted texts with their content, which can be restored. */
  readonly deleted = new Signal<ReadonlyMap<string, string>>(new Map());
  books: Books = { version: '', books: [] };
  readonly shelf = new Signal(0);
  /** The text in the editor. */
  readonly path = new Signal('');
  /** The scenario of the views on the right. */
  readonly scene = new Signal('');
  readonly settings = new Signal<Settings>(noSettings());
  /** Dials that are played as in the current text, whatever the scenario sets; and those that the user left to the scenario. */
  readonly followed = new Map<string, string>();
  readonly left = new Set<string>();
  /** The book of the scenario, and the dials that were changed in the other books: a dial belongs to its rules. */
  private turnedIn: string | null = null;
  private readonly turned = new Map<string, Turned>();
  /** Dials that differ from the texts. The odds in the margin use their values; examples use the text as written. */
  readonly apart = new Signal<Apart[]>([]);
  readonly diagnostics = new Signal<ReadonlyMap<string, Diagnostic[]>>(new Map());
  /** Expectations of the scenario that fail, as marks in its text. */
  readonly failed = new Signal<{ path: string; found: Diagnostic[] }>({ path: '', found: [] });
  /** A place in a text that a view asks the editor to show. */
  readonly look = new Signal<{ path: string; range: Range; focus: boolean } | null>(null);
  /** A message for the user. */
  readonly notice = new Signal<string>('');
  /** A text that a view has replaced. The editor adds the change to its history. */
  readonly written = new Signal<{ path: string; text: string } | null>(null);
  readonly versions = new Versions(this);
  readonly lives: Live<keyof Methods>[] = [];
  /** Resolves when the first odds are shown and the engine is free for less urgent questions. */
  readonly calm: Promise<void>;
  begun!: () => void;

  constructor(public engine: Engine, public files: Files) {
    this.calm = new Promise((resolve) => (this.begun = resolve));
    engine.texts = { written: () => this.differing(), now: (path) => this.texts.get(path) ?? this.shipped.get(path) };
    this.revision.on(() => {
      for (const live of this.lives) live.refresh();
    });
    this.settings.on(() => {
      if (!this.following) this.edits++;
      this.revision.value++;
    });
    this.scene.on(() => {
      this.look.value = null;
      this.changeBook();
      for (const live of this.lives) {
        live.clear();
        live.refresh();
      }
    });
    files.watch((path) => void this.theirs(path));
    if (!files.layered) {
      // another program may have written into the folder
      const look = () => document.visibilityState === 'visible' && new Set([this.path.value, this.scene.value]).forEach((path) => this.marks.has(path) && void this.theirs(path));
      addEventListener('focus', look);
      setInterval(look, 4000);
    }
  }

  private get dials(): Turned {
    return { settings: this.settings.value, followed: [...this.followed], left: [...this.left] };
  }

  /** The changed dials of all books, which a page restores after a reload. */
  get allDials(): [string, Turned][] {
    if (this.turnedIn !== null) this.turned.set(this.turnedIn, this.dials);
    return [...this.turned].filter(([, { settings, left }]) => isSet(settings) || left?.length);
  }
  set allDials(all: [string, Turned][]) {
    for (const [book, dials] of all) this.turned.set(book, dials);
  }

  /** Stores the changed dials of one book, and restores those of another. */
  private changeBook(): void {
    const rules = this.rulesOf(this.scene.value) ?? this.scene.value;
    const before = this.turnedIn;
    const book = rules.split('/')[0] ?? rules;
    this.turnedIn = book;
    // an own game opens with its stored dials, and a shipped one as it came
    const opens = this.shipped.get(this.scene.value) === null && !isSet(this.settings.value) && this.turned.has(book);
    if (before === book || (before === null && !opens)) return;
    if (before !== null) this.turned.set(before, this.dials);
    const { settings, followed = [], left = [] } = this.turned.get(book) ?? { settings: noSettings() };
    this.followed.clear();
    this.left.clear();
    for (const [name, value] of followed) this.followed.set(name, value);
    for (const each of left) this.left.add(each);
    this.settings.value = settings;
  }

  /** Sends the texts that differ from the shipped books to the engine, at the start and to an engine that takes over. */
  async begin(kept: Kept[]): Promise<void> {
    // the engine receives these messages in this order, so none has to wait for an earlier answer
    const greeted = this.greet();
    const first = await this.files.first?.(kept);
    await Promise.all(
      kept.map(async ({ path, text, mark, base }) => {
        this.texts.set(path, text);
        if (base !== undefined) this.bases.set(path, base);
        this.marks.set(path, mark);
        void this.engine.ask('grognard/put', { path, text });
        this.shipped.set(path, (first ? first.get(path) : (await this.engine.ask('grognard/text', { path })).shipped) ?? null);
      }),
    );
    // for a folder: files that existed when its program was started and have been deleted since
    for (const [path, text] of first ?? []) {
      if (this.texts.has(path)) continue;
      this.shipped.set(path, text);
      this.markDeleted(path, text);
      void this.engine.ask('grognard/put', { path, text: null });
    }
    const books = this.engine.ask('grognard/books', {});
    await greeted;
    this.books = await books;
    this.note();
  }

  private async greet(): Promise<void> {
    this.engine.on('textDocument/publishDiagnostics', (params: { uri: string; diagnostics: Diagnostic[] }) => {
      const all = new Map(this.diagnostics.value);
      all.set(pathOf(params.uri), params.diagnostics);
      this.diagnostics.value = all;
    });
    await this.hello();
  }

  private async hello(): Promise<void> {
    const capabilities = {
      general: { positionEncodings: ['utf-16'] },
      textDocument: { completion: { completionItem: { snippetSupport: false } }, hover: { contentFormat: ['markdown', 'plaintext'] }, semanticTokens: { formats: ['relative'] } },
    };
    const known = this.engine.request('initialize', { processId: null, rootUri: 'file:///', workspaceFolders: [{ uri: 'file:///', name: 'books' }], capabilities });
    this.engine.notify('initialized', {});
    await known;
  }

  /** Returns the paths of texts that differ from the originals. */
  private differing(): string[] {
    return [...this.texts].filter(([path, text]) => this.shipped.get(path) !== text).map(([path]) => path);
  }

  /** Sends everything again to a worker that took over. */
  async again(): Promise<void> {
    const opened = [...this.opened.keys()];
    this.opened.clear();
    await this.hello();
    for (const path of this.differing()) void this.engine.ask('grognard/put', { path, text: this.texts.get(path)! });
    for (const path of opened) void this.open(path);
    this.engine.resume('grognard/put');
  }

  book(path: string): Book | undefined {
    return this.books.books.find((book) => book.files.includes(path) || book.scenarios.some((scenario) => scenario.path === path));
  }

  /** Returns the paths of all scenarios. */
  scenarios(): string[] {
    return this.books.books.flatMap((book) => book.scenarios.map((scenario) => scenario.path));
  }

  /** Returns the path of the rules that a scenario names. */
  rulesOf(scene: string): string | null {
    const found = this.books.books.flatMap((book) => book.scenarios).find((scenario) => scenario.path === scene);
    return found?.rules ? `${found.rules}.rules` : null;
  }

  title(path: string): string {
    for (const book of this.books.books) for (const scenario of book.scenarios) if (scenario.path === path) return scenario.title || path;
    return path;
  }

  /** Returns all paths of the books and of files created here. */
  paths(): string[] {
    const all = new Set(this.books.books.flatMap((book) => [...book.files, ...book.scenarios.map((scenario) => scenario.path)]));
    for (const path of this.texts.keys()) all.add(path);
    return [...all];
  }

  /** Returns the current text if it was read already. */
  now(path: string): string | undefined {
    return this.texts.get(path);
  }

  async text(path: string): Promise<string | null> {
    const known = this.texts.get(path);
    if (known !== undefined && this.shipped.has(path)) return known;
    const { text, shipped } = await this.engine.ask('grognard/text', { path });
    if (!this.shipped.has(path)) this.shipped.set(path, shipped ?? null);
    if (known !== undefined) return known;
    if (text !== null && text !== undefined) this.texts.set(path, text);
    return text;
  }

  /** Describes the dials that the odds in a margin use, if dials of its book differ from the text. */
  apartOf(text: string): string {
    const apart = this.apart.value.filter(({ path }) => this.book(path) === this.book(text)).map(({ text }) => text);
    return apart.length ? `parameters that differ from the text: ${apart.join('; ')}` : '';
  }

  /** Opens a text for the language server. */
  async open(path: string): Promise<void> {
    await this.calm;
    const text = this.texts.get(path);
    if (text === undefined || this.opened.has(path)) return;
    this.opened.set(path, 1);
    const languageId = path.endsWith('.rules') ? 'grognard' : 'toml';
    this.engine.notify('textDocument/didOpen', { textDocument: { uri: uriOf(path), languageId, version: 1, text } });
  }

  /** Replaces a text; `changes` describes the edit in LSP terms, if known. */
  edit(path: string, text: string, changes?: { range?: Range; text: string }[]): void {
    const before = this.texts.get(path);
    if (before === text) return;
    this.begun();
    this.touch(path);
    this.texts.set(path, text);
    this.markDeleted(path);
    const version = this.opened.get(path);
    if (version === undefined) {
      void this.engine.ask('grognard/put', { path, text });
    } else {
      this.opened.set(path, version + 1);
      this.engine.notify('textDocument/didChange', { textDocument: { uri: uriOf(path), version: version + 1 }, contentChanges: changes ?? [{ text }] });
    }
    this.edits++;
    // the questions of the new revision contain the baselines of all changed texts
    this.note();
    if (before === undefined || !inComment(path, before, text)) this.revision.value++;
    this.typed.value++;
    this.later(path);
  }

  /** Replaces a text from outside the editor. */
  async write(path: string, text: string): Promise<void> {
    await this.text(path);
    if (this.texts.get(path) === text) return;
    const known = this.texts.has(path);
    this.written.value = { path, text };
    // if the text is open, the editor has already sent the change
    this.edit(path, text);
    if (!known) await this.readShelf();
  }

  async readShelf(): Promise<void> {
    this.books = await this.engine.ask('grognard/books', {});
    this.shelf.value++;
    this.note();
  }

  /** Resets a text to the shipped one, or deletes it. */
  async restore(path: string): Promise<void> {
    const shipped = this.shipped.get(path);
    if (typeof shipped === 'string') return this.write(path, shipped);
    clearTimeout(this.saving.get(path));
    this.saving.delete(path);
    await this.writing.get(path);
    await this.files.remove(path, this.marks.get(path) ?? null).catch(() => undefined);
    await this.forget(path);
  }

  /** Removes a text that no longer exists. */
  private async forget(path: string): Promise<void> {
    const text = this.texts.get(path);
    this.saved(path);
    this.touch(path);
    this.texts.delete(path);
    this.marks.delete(path);
    this.bases.delete(path);
    if (this.opened.delete(path)) this.engine.notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
    await this.engine.ask('grognard/put', { path, text: null });
    if (text !== undefined) this.markDeleted(path, text);
    await this.readShelf();
    // views of this text move to a remaining one
    const near = (all: string[]): string => all.find((each) => each.split('/')[0] === path.split('/')[0]) ?? all[0] ?? '';
    if (this.scene.value === path || !this.scene.value) this.scene.value = near(this.scenarios());
    const [left, rules] = [this.paths(), this.rulesOf(this.scene.value)];
    if (this.path.value === path) this.path.value = left.find((each) => each === rules) ?? near(left);
    this.revision.value++;
  }

  private markDeleted(path: string, text?: string): void {
    const deleted = new Map(this.deleted.value);
    if (text !== undefined) deleted.set(path, text);
    else if (!deleted.delete(path)) return;
    this.deleted.value = deleted;
  }

  /** Returns the baseline of a text, or `null` for a new file. */
  base(path: string): string | null {
    return this.bases.get(path) ?? this.shipped.get(path) ?? null;
  }

  /** Describes the baseline. */
  get came(): string {
    return this.files.came + (this.bases.size ? ', or last accepted under Review' : '');
  }

  /** Returns whether a text can get another baseline: on top of shipped books only own files can. */
  accepts(path: string): boolean {
    return !this.files.layered || !this.shipped.get(path);
  }

  /** Makes a text the baseline of its file; `null` accepts the deletion. */
  accept(path: string, text: string | null): void {
    if (text === null) this.markDeleted(path);
    // on top of shipped books, a text equal to the original is not stored
    if (!this.files.layered) this.shipped.set(path, text);
    else if (text !== null) this.bases.set(path, text);
    // a write that another flush began has to end first
    void this.flush().then(() => this.writing.get(path)).then(() => this.files.accept(path, text)).catch(() => undefined);
    this.note();
    this.accepted.value++;
  }

  /** Returns the baselines of all changed texts. */
  before(): Record<string, string> {
    const texts: Record<string, string> = {};
    for (const path of [...this.changed.value, ...this.deleted.value.keys()]) {
      const base = this.base(path);
      if (base !== null) texts[path] = base;
    }
    return texts;
  }

  /** Whether no text and no dial has changed. */
  get asItCame(): boolean {
    return !isSet(this.settings.value) && Object.entries(this.before()).every(([path, text]) => this.texts.get(path) === text);
  }

  private touch(path: string): void {
    if (!this.touched.has(path)) this.touched.set(path, this.texts.get(path));
  }

  /** Returns the texts that differ from those at the start of the page, as a cache key. Texts that recur give the same key. */
  private said(): string {
    return JSON.stringify([...this.touched].flatMap(([path, first]) => (this.texts.get(path) === first ? [] : [[path, this.texts.get(path) ?? null]])));
  }

  private note(): void {
    const changed = new Set<string>();
    for (const [path, text] of this.texts) {
      if (this.shipped.has(path) ? this.shipped.get(path) !== text : this.marks.has(path)) changed.add(path);
    }
    if (!equal([...changed], [...this.changed.value])) this.changed.value = changed;
  }

  /** Saves a text shortly after the last key. */
  private later(path: string): void {
    clearTimeout(this.saving.get(path));
    this.unsaved.value = new Set([...this.unsaved.value, path]);
    this.saving.set(path, setTimeout(() => void this.keep(path), KEEP_AFTER));
  }

  /** Saves all pending texts. */
  async flush(): Promise<void> {
    await Promise.all([...this.saving.keys()].map((path) => this.keep(path)));
  }

  /** Marks a text as saved. */
  private saved(path: string): void {
    clearTimeout(this.saving.get(path));
    this.saving.delete(path);
    this.unsaved.value = new Set([...this.unsaved.value].filter((other) => other !== path));
  }

  /** Saves one text after the other: each write needs the version that the previous one left. */
  private keep(path: string): Promise<void> {
    clearTimeout(this.saving.get(path));
    this.saving.delete(path);
    const turn = (this.writing.get(path) ?? Promise.resolve()).then(() => this.keepNow(path));
    this.writing.set(path, turn);
    return turn;
  }

  private async keepNow(path: string): Promise<void> {
    const text = this.texts.get(path);
    // nothing is written over an unresolved conflict
    if (text === undefined || this.conflicts.value.some((conflict) => conflict.path === path)) return;
    const mark = this.marks.get(path) ?? null;
    try {
      if (this.files.layered && this.shipped.get(path) === text) {
        // an unchanged text follows the next version of the program
        await this.files.remove(path, mark);
        this.marks.delete(path);
      } else {
        const kept = await this.files.write(path, text, mark);
        this.marks.set(path, kept.mark);
      }
      if (!this.saving.has(path)) this.saved(path);
    } catch (why) {
      if (why instanceof Conflict) this.conflict(path, why.theirs);
      else this.notice.value = `${path} was not saved: ${(why as Error).message}`;
    }
  }

  private conflict(path: string, theirs: Kept | null): void {
    this.conflicts.value = [...this.conflicts.value.filter((conflict) => conflict.path !== path), { path, theirs }];
  }

  /** Handles a change of a text from outside this page. */
  private async theirs(path: string): Promise<void> {
    // ignore a file that cannot be read
    const theirs = await this.files.read(path).catch(() => undefined);
    if (theirs === undefined || (theirs?.mark ?? null) === (this.marks.get(path) ?? null)) return;
    if (this.saving.has(path) || this.unsaved.value.has(path)) return this.conflict(path, theirs);
    // on top of shipped books, nothing is stored for an unchanged text
    const text = theirs?.text ?? (this.files.layered ? this.shipped.get(path) : null);
    if (typeof text !== 'string') {
      await this.forget(path);
      this.notice.value = `${path} was deleted elsewhere. You can restore it under Review.`;
      return;
    }
    if (theirs) this.marks.set(path, theirs.mark);
    else this.marks.delete(path);
    this.written.value = { path, text };
    this.edit(path, text);
    this.saved(path);
    this.notice.value = `${path} was changed elsewhere and reloaded`;
  }

  /** Resolves a conflict with the text of this page or with the other version. */
  async settle(path: string, mine: boolean): Promise<void> {
    const conflict = this.conflicts.value.find((each) => each.path === path);
    this.conflicts.value = this.conflicts.value.filter((each) => each !== conflict);
    if (!conflict) return;
    if (conflict.theirs) this.marks.set(path, conflict.theirs.mark);
    else this.marks.delete(path);
    if (!mine && !conflict.theirs) return this.forget(path);
    if (!mine && conflict.theirs) {
      this.written.value = { path, text: conflict.theirs.text };
      this.edit(path, conflict.theirs.text);
    }
    await this.keep(path);
  }

  /** Creates a question that follows the text and runs while its view is visible. */
  live<M extends keyof Methods>(method: M, params: () => Methods[M][0] | null, merge?: (before: Methods[M][1] | undefined, part: any) => Methods[M][1]): Live<M> {
    const first = method === 'grognard/outlook' ? Promise.resolve() : this.calm;
    const live = new Live<M>(() => this.engine, method, () => {
      const given = params();
      return given && { ...given, revision: this.revision.value };
    }, first, merge, LONG.has(method) ? () => this.said() : undefined);
    this.lives.push(live as unknown as Live<keyof Methods>);
    return live;
  }

  /** Sets a dial to the value in the text, after an edit of the text. */
  follow(sort: 'params' | 'readings', name: string, value: string | null): void {
    this.following = true;
    try {
      this.turn(sort, name, value);
    } finally {
      this.following = false;
    }
  }

  /** Returns whether a text can affect the current scenario: it belongs to the same game, to one that its texts name, or to the shipped books. */
  concerns(path: string): boolean {
    const [game, scene] = [path, this.scene.value].map((each) => each.split('/')[0] ?? '');
    if (game === scene || (this.shipped.get(path) && this.shipped.get(this.scene.value) !== null)) return true;
    return [...this.texts].some(([other, text]) => other.split('/')[0] === scene && text.includes(`${game}/`));
  }

  /** Returns only the settings that follow the texts against the scenario, without the dials that the user changed. */
  asWritten(): Settings {
    const only = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).filter(([name, value]) => this.followed.get(name) === value));
    const { params, readings } = this.settings.value;
    return { params: only(params), readings: only(readings) };
  }

  /** Whether the user changed a dial. */
  get dialled(): boolean {
    return Object.values(this.settings.value).some((all) => Object.entries(all).some(([name, value]) => this.followed.get(name) !== value));
  }

  turn(sort: 'params' | 'readings', name: string, value: string | null): void {
    if ((this.settings.value[sort][name] ?? null) === value) return;
    const next: Settings = { params: { ...this.settings.value.params }, readings: { ...this.settings.value.readings } };
    if (value === null) delete next[sort][name];
    else next[sort][name] = value;
    this.settings.value = next;
  }
}
