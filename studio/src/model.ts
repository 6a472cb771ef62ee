// The model of the page (model-view): texts with their revision, what is open, what the dials say. Views listen to its signals.

import { Signal } from './dom';
import type { Engine } from './engine/engine';
import { Conflict, type Files, type Kept } from './files/files';
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

/** A dial that somebody turned from what the text says, where it is declared, and both in words. */
export interface Apart { path: string; told: string }

export interface Theirs { path: string; theirs: Kept | null }

export const uriOf = (path: string): string => 'file:///' + path.split('/').map(encodeURIComponent).join('/');
export const pathOf = (uri: string): string => {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\/\//, ''));
  } catch {
    return uri;
  }
};
export const noSettings = (): Settings => ({ params: {}, readings: {} });
export const isSet = (settings: Settings): boolean => Object.keys(settings.params).length + Object.keys(settings.readings).length > 0;

/** Answers that take long: of texts and settings that come again they are not asked again. */
const LONG: ReadonlySet<keyof Methods> = new Set(['grognard/outlook', 'grognard/compare', 'grognard/sweep']);

/** So long after the last key a text is kept. */
const KEEP_AFTER = 500;

export class Model {
  /** Grows with every change of a text or a setting. */
  readonly revision = new Signal(0);
  /** How often somebody changed a text or a setting; a dial that follows the text changes nothing of its own. */
  edits = 0;
  private following = false;
  /** Texts that were read or changed, as they stand now. */
  private readonly texts = new Map<string, string>();
  /** Texts that have been other ones in this page, as they were before. */
  private readonly touched = new Map<string, string | undefined>();
  /** Texts as they came with the program; null for those that did not. */
  readonly shipped = new Map<string, string | null>();
  /** Files of one's own as they were kept under Review. */
  private readonly bases = new Map<string, string>();
  /** What is kept of each text, and in which version. */
  private readonly marks = new Map<string, string>();
  private readonly saving = new Map<string, ReturnType<typeof setTimeout>>();
  /** What is being kept of a text. */
  private readonly writing = new Map<string, Promise<void>>();
  private readonly opened = new Map<string, number>();
  readonly conflicts = new Signal<Theirs[]>([]);
  readonly unsaved = new Signal<ReadonlySet<string>>(new Set());
  readonly changed = new Signal<ReadonlySet<string>>(new Set());
  /** Tells that something else is what changes are told against. */
  readonly accepted = new Signal(0);
  /** Texts that were deleted, as they were: they can be brought back. */
  readonly deleted = new Signal<ReadonlyMap<string, string>>(new Map());
  books: Books = { version: '', books: [] };
  readonly shelf = new Signal(0);
  /** The text in the editor. */
  readonly path = new Signal('');
  /** The scenario that the views on the right are about. */
  readonly scene = new Signal('');
  readonly settings = new Signal<Settings>(noSettings());
  /** Numbers that are played as the text says them now, whatever the scenario says; and those that somebody left to it. */
  readonly followed = new Map<string, string>();
  readonly left = new Set<string>();
  /** The book of the scenario, and what was turned in the others: a dial belongs to its rules. */
  private turnedIn: string | null = null;
  private readonly turned = new Map<string, { settings: Settings; followed: [string, string][]; left: string[] }>();
  /** What stands in the margin of a text has the numbers of these, but for its examples, which speak of the text. */
  readonly apart = new Signal<Apart[]>([]);
  readonly diagnostics = new Signal<ReadonlyMap<string, Diagnostic[]>>(new Map());
  /** A place in a text that a view asks the editor to show. */
  readonly look = new Signal<{ path: string; range: Range; focus: boolean } | null>(null);
  /** What to tell everybody. */
  readonly notice = new Signal<string>('');
  /** Sent by views that write a text over; the editor takes it into its history. */
  readonly written = new Signal<{ path: string; text: string } | null>(null);
  readonly lives: Live<keyof Methods>[] = [];
  /** The first odds are shown, and the engine is free for what is less urgent. */
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

  /** Lays what was turned in one book aside for another. */
  private changeBook(): void {
    const rules = this.rulesOf(this.scene.value) ?? this.scene.value;
    const before = this.turnedIn;
    const book = rules.split('/')[0] ?? rules;
    this.turnedIn = book;
    if (before === null || before === book) return;
    this.turned.set(before, { settings: this.settings.value, followed: [...this.followed], left: [...this.left] });
    const { settings, followed, left } = this.turned.get(book) ?? { settings: noSettings(), followed: [], left: [] };
    this.followed.clear();
    this.left.clear();
    for (const [name, value] of followed) this.followed.set(name, value);
    for (const each of left) this.left.add(each);
    this.settings.value = settings;
  }

  /** Tells the engine what this page knows beyond the shipped books, at the start and to an engine that takes over. */
  async begin(kept: Kept[]): Promise<void> {
    // what is told in this order is heard in it: nothing waits for an answer to what came before
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
    // of a folder: what was there when its program was started, and is not any more
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

  /** Paths of texts that are not as they came. */
  private differing(): string[] {
    return [...this.texts].filter(([path, text]) => this.shipped.get(path) !== text).map(([path]) => path);
  }

  /** Another worker took over: it is told all again. */
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

  /** All scenarios. */
  scenarios(): string[] {
    return this.books.books.flatMap((book) => book.scenarios.map((scenario) => scenario.path));
  }

  /** The text of the rules that a scenario names. */
  rulesOf(scene: string): string | null {
    const found = this.books.books.flatMap((book) => book.scenarios).find((scenario) => scenario.path === scene);
    return found?.rules ? `${found.rules}.rules` : null;
  }

  title(path: string): string {
    for (const book of this.books.books) for (const scenario of book.scenarios) if (scenario.path === path) return scenario.title || path;
    return path;
  }

  /** All paths of the books and of what was made here. */
  paths(): string[] {
    const all = new Set(this.books.books.flatMap((book) => [...book.files, ...book.scenarios.map((scenario) => scenario.path)]));
    for (const path of this.texts.keys()) all.add(path);
    return [...all];
  }

  /** The text as it stands, if it was read already. */
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

  /** Whose numbers the odds in a margin have, if dials of its book stand elsewhere than its text. */
  apartOf(text: string): string {
    const apart = this.apart.value.filter(({ path }) => this.book(path) === this.book(text)).map(({ told }) => told);
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

  /** A text is another now; `changes` are what became of it, in LSP terms, if that is known. */
  edit(path: string, text: string, changes?: { range?: Range; text: string }[]): void {
    if (this.texts.get(path) === text) return;
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
    this.revision.value++;
    this.later(path);
    this.note();
  }

  /** Writes a text over from outside the editor. */
  async write(path: string, text: string): Promise<void> {
    await this.text(path);
    if (this.texts.get(path) === text) return;
    const known = this.texts.has(path);
    this.written.value = { path, text };
    // the editor sent it on, if it had the text open
    this.edit(path, text);
    if (!known) await this.readShelf();
  }

  async readShelf(): Promise<void> {
    this.books = await this.engine.ask('grognard/books', {});
    this.shelf.value++;
    this.note();
  }

  /** Takes a text back to what was shipped, or away. */
  async restore(path: string): Promise<void> {
    const shipped = this.shipped.get(path);
    if (typeof shipped === 'string') return this.write(path, shipped);
    clearTimeout(this.saving.get(path));
    this.saving.delete(path);
    await this.writing.get(path);
    await this.files.remove(path, this.marks.get(path) ?? null).catch(() => undefined);
    await this.forget(path);
  }

  /** A text is not there any more. */
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
    // whoever looked at it looks at what is left
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

  /** The text that changes of another are told against; none for one that is new. */
  base(path: string): string | null {
    return this.bases.get(path) ?? this.shipped.get(path) ?? null;
  }

  /** What changes are told against, in words. */
  get came(): string {
    return this.files.came + (this.bases.size ? ', or last accepted under Review' : '');
  }

  /** Whether another base can be kept of a text: above shipped books of one's own files alone. */
  accepts(path: string): boolean {
    return !this.files.layered || !this.shipped.get(path);
  }

  /** Later changes of a text are told against this one, or against none. */
  accept(path: string, text: string | null): void {
    if (text === null) this.markDeleted(path);
    // above shipped books a text that is as it came is not kept at all
    if (!this.files.layered) this.shipped.set(path, text);
    else if (text !== null) this.bases.set(path, text);
    void this.flush().then(() => this.files.accept(path, text)).catch(() => undefined);
    this.note();
    this.accepted.value++;
  }

  /** The texts that were changed, as they were before. */
  before(): Record<string, string> {
    const texts: Record<string, string> = {};
    for (const path of [...this.changed.value, ...this.deleted.value.keys()]) {
      const base = this.base(path);
      if (base !== null) texts[path] = base;
    }
    return texts;
  }

  /** No text is another one than it came, and no dial is turned. */
  get asItCame(): boolean {
    return !isSet(this.settings.value) && Object.entries(this.before()).every(([path, text]) => this.texts.get(path) === text);
  }

  private touch(path: string): void {
    if (!this.touched.has(path)) this.touched.set(path, this.texts.get(path));
  }

  /** What the texts say now that they did not say when the page began: texts that are again what they were say the same. */
  private said(): string {
    return JSON.stringify([...this.touched].flatMap(([path, first]) => (this.texts.get(path) === first ? [] : [[path, this.texts.get(path) ?? null]])));
  }

  private note(): void {
    const changed = new Set<string>();
    for (const [path, text] of this.texts) {
      if (this.shipped.has(path) ? this.shipped.get(path) !== text : this.marks.has(path)) changed.add(path);
    }
    this.changed.value = changed;
  }

  /** Keeps a text a moment after the last key. */
  private later(path: string): void {
    clearTimeout(this.saving.get(path));
    this.unsaved.value = new Set([...this.unsaved.value, path]);
    this.saving.set(path, setTimeout(() => void this.keep(path), KEEP_AFTER));
  }

  /** Keeps all texts that wait to be kept. */
  async flush(): Promise<void> {
    await Promise.all([...this.saving.keys()].map((path) => this.keep(path)));
  }

  /** Nothing waits to be kept of a text. */
  private saved(path: string): void {
    clearTimeout(this.saving.get(path));
    this.saving.delete(path);
    this.unsaved.value = new Set([...this.unsaved.value].filter((other) => other !== path));
  }

  /** One after the other: each has to know the version that the one before it left. */
  private keep(path: string): Promise<void> {
    clearTimeout(this.saving.get(path));
    this.saving.delete(path);
    const turn = (this.writing.get(path) ?? Promise.resolve()).then(() => this.keepNow(path));
    this.writing.set(path, turn);
    return turn;
  }

  private async keepNow(path: string): Promise<void> {
    const text = this.texts.get(path);
    // who has not yet said what becomes of a conflict writes nothing over it
    if (text === undefined || this.conflicts.value.some((conflict) => conflict.path === path)) return;
    const mark = this.marks.get(path) ?? null;
    try {
      if (this.files.layered && this.shipped.get(path) === text) {
        // what is as it came follows the next version of the program
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

  /** Somebody else changed a text. */
  private async theirs(path: string): Promise<void> {
    // who cannot read it knows nothing of it
    const theirs = await this.files.read(path).catch(() => undefined);
    if (theirs === undefined || (theirs?.mark ?? null) === (this.marks.get(path) ?? null)) return;
    if (this.saving.has(path) || this.unsaved.value.has(path)) return this.conflict(path, theirs);
    // above shipped books nothing is kept of a text that is as it came
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

  /** Ends a conflict: with the text of this page, or with theirs. */
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

  /** A question that follows the text, asked while somebody looks. */
  live<M extends keyof Methods>(method: M, params: () => Methods[M][0] | null, merge?: (before: Methods[M][1] | undefined, part: any) => Methods[M][1]): Live<M> {
    const first = method === 'grognard/outlook' ? Promise.resolve() : this.calm;
    const live = new Live<M>(() => this.engine, method, () => {
      const given = params();
      return given && { ...given, revision: this.revision.value };
    }, first, merge, LONG.has(method) ? () => this.said() : undefined);
    this.lives.push(live as unknown as Live<keyof Methods>);
    return live;
  }

  /** Sets a number as the text says it now, after an edit of the text. */
  follow(sort: 'params' | 'readings', name: string, value: string | null): void {
    this.following = true;
    try {
      this.turn(sort, name, value);
    } finally {
      this.following = false;
    }
  }

  /** Whether a text can have a say in the scenario at hand: it is of the same game, or of one that its texts name, or came with the books. */
  concerns(path: string): boolean {
    const [game, scene] = [path, this.scene.value].map((each) => each.split('/')[0] ?? '');
    if (game === scene || (this.shipped.get(path) && this.shipped.get(this.scene.value) !== null)) return true;
    return [...this.texts].some(([other, text]) => other.split('/')[0] === scene && text.includes(`${game}/`));
  }

  /** What is played as the texts say it where the scenario says something else; no dial that somebody turned. */
  asWritten(): Settings {
    const only = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).filter(([name, value]) => this.followed.get(name) === value));
    const { params, readings } = this.settings.value;
    return { params: only(params), readings: only(readings) };
  }

  /** Somebody turned a dial. */
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
