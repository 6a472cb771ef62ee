// The page: starts an engine, opens files, and lays out the views.

import { words } from './editor/margin';
import { beginning } from './begin';
import { announce, button, h, put, Signal } from './dom';
import { Editor } from './editor/editor';
import { inline } from './editor/markdown';
import type { Entry } from './engine/compile';
import type { Engine } from './engine/engine';
import { start } from './engine/start';
import { BrowserFiles, NoFiles } from './files/browser';
import type { Files } from './files/files';
import { HostFiles } from './files/host';
import { hostToken } from './engine/host';
import { FIRST, type Remembered, VIEW } from './first';
import { folderOf, gameOf } from './games';
import { isSet, Model, noSettings } from './model';
import type { Book } from './protocol';
import { type Misfit, readLink, type Opened } from './share';
import { keepLink, showLink } from './shared';
import { Panes } from './panes';
import { Past } from './past';
import { ofThisPage } from './single';
import { CompareView } from './views/compare';
import { CurvesView } from './views/curves';
import { Findings } from './views/findings';
import { showHistory } from './views/history';
import { keepMisfits, keptMisfits, misfitBlock } from './views/misfits';
import { OddsView } from './views/odds';
import { printSheet } from './views/print';
import { ReviewView } from './views/review';
import { RunView } from './views/run';
import { Shelf } from './views/shelf';
import { TableView } from './views/table';
import { ask, confirm, dialogue, isStandIn, menu } from './widgets';
import { exportZip, readZip, save, zip } from './zip';
import { Entrance } from './start/enter';

type Scenario = Book['scenarios'][number];
interface Tab { id: string; title: string; view: { element: HTMLElement; show(awake: boolean): void } }

class Page {
  readonly tab = new Signal('odds');
  private tabs: Tab[] = [];
  private readonly model: Model;
  private readonly editor: Editor;
  private readonly odds: OddsView;
  private readonly run: RunView;
  private readonly compare: CompareView;
  private readonly shelf: Shelf;
  private readonly editorBox = h('div', { class: 'editor-box' });
  private readonly tablist = h('div', { id: 'tabs', class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
  /** Shows the other views in the bar of a phone. */
  private readonly others = h('button', { type: 'button', class: 'others', 'aria-label': 'More views', 'aria-expanded': 'false', 'aria-controls': 'tabs' }, 'More');
  private readonly panels = h('div', { class: 'panels' });
  private readonly split = new Panes(() => document.querySelector('.panes')!, this.tab);
  private readonly notice = h('div', { class: 'notice', role: 'status', hidden: true });
  private readonly banner = h('div', { class: 'banner', hidden: true });
  private readonly games = h('select', { 'aria-label': 'Game', id: 'game' });
  private readonly scenes = h('select', { 'aria-label': 'Scenario for the views', id: 'scene' });
  private readonly kept = h('span', { class: 'kept soft', role: 'status' });
  private readonly fileName = h('span', { class: 'file-name' });
  private readonly findings: Findings;
  private past: Past | null = null;
  private readonly undos: HTMLButtonElement[] = [];
  /** The key under which the view is stored. */
  private readonly memory = hostToken() ? `${VIEW}-folder` : VIEW;
  readonly entrance: Entrance;
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: Engine, files: Files, private readonly shared: Opened | null) {
    const model = (this.model = new Model(engine, files));
    const odds = model.live('grognard/odds', () => (model.path.value ? { path: model.path.value, settings: model.settings.value } : null));
    this.editor = new Editor(this.editorBox, model, odds);
    odds.show(true);
    this.findings = new Findings(model);
    this.shelf = new Shelf(model, this.editor);
    this.odds = new OddsView(model, () => void this.fresh(model.path.value.replace(/[^/]*$/, 'first.toml')));
    this.run = new RunView(model);
    this.compare = new CompareView(model);
    this.tabs = [
      { id: 'odds', title: 'Odds', view: this.odds },
      { id: 'table', title: 'Table', view: new TableView(model) },
      { id: 'run', title: 'Run', view: this.run },
      { id: 'compare', title: 'Compare', view: this.compare },
      { id: 'curves', title: 'Curves', view: new CurvesView(model) },
      { id: 'review', title: 'Review', view: new ReviewView(model) },
    ];
    this.entrance = new Entrance(model, this.editor, (id) => this.pane(id));
    this.layout();
    this.wire();
  }

  private layout(): void {
    const { model } = this;
    const undo = (): HTMLElement => {
      const made = button('Undo', () => this.past?.undo(), { title: 'Undo the last change of a parameter or of the open text', disabled: true });
      this.undos.push(made);
      return made;
    };
    const exports = (): (HTMLElement | null)[] => [
      button('Download my changes (zip)', () => void this.zip(false)),
      button('Download everything (zip)', () => void this.zip(true)),
      button('Download this file', () => save(model.path.value.split('/').pop() ?? 'text.rules', model.now(model.path.value) ?? '')),
      document.getElementById('engine-wasm') ? null : button('Save as one HTML file', () => void this.whole()),
      button('Print a reference sheet …', () => void printSheet(model)),
    ];
    const help = (): HTMLElement[] => [
      button('Tour', () => void this.entrance.tour()),
      button('Language', () => void this.entrance.language()),
      button('Cheat sheet', () => void this.entrance.cheatSheet()),
      button('Keys', () => void this.keys()),
    ];
    const past = (): HTMLElement => button('History', () => void this.history());
    const tools = [
      h('span', { class: 'roomy' }, undo(), past()),
      button('Share', () => void this.share(), { class: 'share' }),
      h('span', { class: 'roomy' }, menu('export', 'Export', exports()), menu('help', 'Help', help())),
      menu('more', 'More', [button('Open from disk …', () => this.pick()), button('New file …', () => void this.fresh()), button('Format the text (Shift+Alt+F)', () => this.editor.format()), h('div', { class: 'narrow' }, undo(), past(), exports(), help())]),
    ];
    const skip = h('a', { class: 'skip', href: '#text' }, 'Skip to the text');
    skip.onclick = (event) => {
      event.preventDefault();
      this.pane('text');
      this.editor.view.focus();
    };
    const views = h('a', { class: 'skip', href: '#tabs' }, 'Skip to the views');
    views.onclick = (event) => {
      event.preventDefault();
      this.tablist.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
    };
    const app = document.getElementById('app')!;
    put(
      app,
      skip,
      views,
      h('header', { class: 'top' }, h('h1', null, hostToken() ? 'Grognard' : button('Grognard', () => window.early?.leave(), { class: 'home', title: 'Start page' })), h('div', { class: 'scene' }, this.games, this.scenes), this.kept, h('span', { class: 'spring' }), tools),
      this.banner,
      h('main', { class: 'panes' }, this.shelf.element, h('section', { class: 'text', id: 'text', 'aria-label': 'Text' }, h('div', { class: 'text-head' }, this.split.files, this.fileName, this.findings.button), this.findings.element, this.editor.apart, this.editorBox), this.split.splitter, this.tablist, this.others, this.split.button, h('section', { class: 'right', 'aria-label': 'Views' }, this.entrance.bar, this.panels), this.notice),
    );
    const tab = (id: string, title: string, phone: boolean) =>
      button(title, () => this.pane(id), { role: 'tab', id: `tab-${id}`, 'aria-controls': phone ? id : `panel-${id}`, class: phone ? 'phone' : '', tabindex: -1 });
    put(this.tablist, tab('files', 'Files', true), tab('text', 'Text', true), this.tabs.map((each) => tab(each.id, each.title, false)));
    this.others.onclick = () => this.others.setAttribute('aria-expanded', String(this.tablist.classList.toggle('all')));
    this.tablist.addEventListener('keydown', (event) => {
      const all = [...this.tablist.querySelectorAll<HTMLElement>('[role=tab]')].filter((each) => each.offsetParent !== null);
      const at = all.indexOf(document.activeElement as HTMLElement);
      const to = event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : null;
      if (to === null) return;
      event.preventDefault();
      const next = all[(to + all.length) % all.length];
      next?.focus();
      next?.click();
    });
    put(this.panels, this.tabs.map((each) => h('div', { role: 'tabpanel', id: `panel-${each.id}`, 'aria-labelledby': `tab-${each.id}`, class: 'panel', hidden: true }, each.view.element)));
  }

  /** Shows a view. A phone shows one pane at a time, and the text and the files are panes too. */
  pane(id: string): void {
    document.body.dataset.pane = id;
    this.tablist.classList.remove('all');
    this.others.setAttribute('aria-expanded', 'false');
    if (this.tabs.some((each) => each.id === id)) this.tab.value = id;
    this.mark();
  }

  private mark(): void {
    const pane = document.body.dataset.pane ?? '';
    const wide = innerWidth >= 760;
    for (const each of this.tablist.querySelectorAll<HTMLElement>('[role=tab]')) {
      const id = each.id.replace('tab-', '');
      const chosen = wide ? id === this.tab.value : id === pane;
      each.setAttribute('aria-selected', String(chosen));
      each.tabIndex = chosen ? 0 : -1;
    }
    for (const each of this.tabs) {
      const panel = document.getElementById(`panel-${each.id}`)!;
      panel.hidden = each.id !== this.tab.value;
      each.view.show(each.id === this.tab.value && (wide || pane === each.id));
    }
  }

  private wire(): void {
    const { model } = this;
    this.tab.on(() => this.mark());
    this.tab.on((tab) => tab !== 'run' && this.run.dark(true));
    addEventListener('resize', () => this.mark());
    addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'p') return;
      event.preventDefault();
      void printSheet(model);
    });
    this.editor.onlens = (lens) => {
      // an example only holds or fails, so the notice shows all of it
      if (lens.sort === 'example') return this.tell(words(lens));
      this.pane('odds');
      this.odds.open(model.path.value, lens);
    };
    this.editor.online = (path, line) => this.run.online(path, line);
    this.shelf.onopen = () => innerWidth < 760 && this.pane('text');
    const play = (scene: string): void => {
      model.scene.value = scene;
      // a text of another game has no odds for this scenario
      const rules = model.book(scene) !== model.book(model.path.value) && model.rulesOf(scene);
      if (!rules) return;
      model.path.value = rules;
      void this.aim(scene, false);
    };
    this.scenes.onchange = () => play(this.scenes.value);
    this.games.onchange = () => play(model.books.books.find(({ name }) => name === this.games.value)!.scenarios[0]!.path);
    model.scene.on(() => this.drawScenes());
    model.shelf.on(() => this.drawScenes());
    model.path.on((path) => (this.fileName.textContent = path));
    model.look.on((look) => look && this.split.peek());
    model.notice.on((text) => this.tell(text));
    model.unsaved.on((unsaved) => (this.kept.textContent = unsaved.size ? 'not saved yet' : model.files.where));
    model.conflicts.on((all) => this.drawConflicts(all));
    const remember = (): void => {
      if (this.shared) return;
      try {
        const kept: Remembered = { path: model.path.value, scene: model.scene.value, tab: this.tab.value, pane: document.body.dataset.pane, ...this.editor.place, settings: model.settings.value, followed: [...model.followed], left: [...model.left], dials: model.allDials };
        localStorage.setItem(this.memory, JSON.stringify(kept));
      } catch {
        // the view is not stored then
      }
    };
    [model.path, model.scene, model.settings, this.tab].forEach((signal: { on(listener: () => void): unknown }) => signal.on(remember));
    addEventListener('pagehide', remember);
    document.addEventListener('visibilitychange', remember);
    addEventListener('beforeunload', (event) => {
      void model.flush();
      if (model.unsaved.value.size) event.preventDefault();
    });
  }

  /** The stored view of the user's own work. */
  private get remembered(): Partial<Remembered> {
    try {
      return (JSON.parse(localStorage.getItem(this.memory) ?? '{}') ?? {}) as Partial<Remembered>;
    } catch {
      return {};
    }
  }

  /** Resolves when the first odds are shown. */
  get calm(): Promise<void> {
    return this.model.calm;
  }

  async begin(entry: Entry | null): Promise<void> {
    const { model, shared } = this;
    const kept = await model.files.all();
    await model.begin(kept);
    // the versions of the user's own work do not belong to a shared link
    if (!shared || 'refused' in shared) model.versions.open();
    // a folder opens on its own files
    const own = model.files.layered ? [] : kept.map((each) => each.path);
    let view: Partial<Remembered> & Entry = {};
    const { remembered } = this;
    // a new game begins as its text says, and a link has its own parameters
    const fresh = new Set(Object.keys(entry?.texts ?? {}).map(folderOf));
    if (!shared || 'refused' in shared) model.allDials = (remembered.dials ?? []).filter(([book]) => !fresh.has(book));
    if (shared && 'view' in shared) {
      view = shared.view;
      this.run.resume(shared.view.run ?? null);
      for (const [path, text] of Object.entries(shared.texts)) await model.write(path, text);
      if (Object.keys(shared.texts).length) await model.readShelf();
      for (const [path, base] of Object.entries(shared.bases)) model.accept(path, base);
      if (shared.view.settings && isSet(shared.view.settings)) model.settings.value = shared.view.settings;
      this.drawShared(shared.notes, shared.misfits);
    } else if (entry?.scene || entry?.path) {
      await this.entrance.take(entry);
      view = entry;
    } else {
      this.drawMisfits();
      view = remembered;
      for (const [name, value] of view.followed ?? []) model.followed.set(name, value);
      for (const each of view.left ?? []) model.left.add(each);
      if (view.settings && isSet(view.settings)) model.settings.value = view.settings;
      if (view.said) this.tell(view.said);
    }
    const known = new Set(model.paths());
    const pick = (...wanted: (string | undefined)[]) => wanted.find((each) => each && known.has(each)) ?? '';
    const scenes = model.scenarios();
    const rules = (paths: string[]) => paths.find((path) => path.endsWith('.rules'));
    const among = (path: string | null) => (path && own.includes(path) ? path : undefined);
    // own rules without a scenario are shown without one
    model.scene.value = view.scene === '' && pick(view.path) ? '' : pick(view.scene, among(FIRST.scene), scenes.find((path) => own.includes(path)), FIRST.scene, scenes[0]);
    if (view.path && view.line !== undefined) this.editor.start = { path: view.path, line: view.line, cursor: view.cursor };
    const first = model.scene.value === FIRST.scene ? among(FIRST.path) : among(model.rulesOf(model.scene.value));
    model.path.value = pick(view.path, first, rules(own), FIRST.path, rules([...known]));
    const tab = view.tab && this.tabs.some((each) => each.id === view.tab) ? view.tab : 'odds';
    this.tab.value = tab;
    this.pane(innerWidth < 760 && (view.pane === 'text' || view.pane === 'files') ? view.pane : tab);
    // other questions wait for the first odds if the tab shows odds
    setTimeout(() => model.begun(), tab === 'odds' && model.scene.value ? 3000 : 0);
    // the engine computes these while the page draws the rest
    this.shelf.draw();
    if (!model.scene.value) this.drawScenes();
    if (shared && 'refused' in shared) this.tell(shared.refused, true);
    const text = await model.text(model.path.value);
    const at = !view.path && model.path.value === FIRST.path && text ? text.indexOf(`param ${FIRST.number} `) : -1;
    if (text && at >= 0) {
      const line = text.slice(0, at).split('\n').length - 1;
      model.look.value = { path: FIRST.path, range: { start: { line, character: 0 }, end: { line, character: 0 } }, focus: false };
    } else if (!view.path) {
      await this.aim(model.scene.value, true);
    }
    this.kept.textContent = model.files.where;
    this.past = new Past(model, this.editor);
    this.past.can.on((can) => this.undos.forEach((each) => (each.disabled = !can)), true);
    document.body.dataset.ready = 'yes';
    await this.entered(entry);
  }

  /** Shows what the start page chose, in the page that is open already. */
  async enter(entry: Entry | null): Promise<void> {
    const { model } = this;
    if (entry?.scene || entry?.path) {
      await this.entrance.take(entry);
      model.scene.value = entry.scene ?? model.scenarios().find((scene) => model.rulesOf(scene) === entry.path) ?? '';
      model.path.value = entry.path ?? model.rulesOf(model.scene.value) ?? model.path.value;
      this.pane(entry.tab ?? 'odds');
    }
    await this.entered(entry);
  }

  private async entered(entry: Entry | null): Promise<void> {
    if (entry?.file) await this.bring(entry.file);
    if (entry) await this.entrance.open(entry);
  }

  /** Shows the most relevant number of a scenario: one that the scenario sets, else, with `any`, the first one of its rules, if possible not a stand-in. */
  private async aim(scene: string, any: boolean): Promise<void> {
    const { model } = this;
    if (!scene) return;
    const path = model.path.value;
    const [text, dials] = await Promise.all([model.text(scene), model.engine.ask('grognard/dials', { path: scene, settings: noSettings() }).catch(() => null)]);
    // if the user has moved on in the meantime, the view stays
    if (!dials || model.scene.value !== scene || model.path.value !== path) return;
    const set = (name: string) => new RegExp(`^\\s*${name}\\s*=`, 'm').test(text ?? '');
    const params = dials.params.filter((dial) => dial.place);
    const first = params.find((dial) => set(dial.name)) ?? (any ? (params.find((dial) => !isStandIn(dial)) ?? params[0]) : undefined);
    if (first?.place) model.look.value = { ...first.place, focus: false };
  }

  private drawScenes(): void {
    const { model } = this;
    const { value: scene } = model.scene;
    const here = model.book(scene || model.path.value);
    const game = gameOf(model, scene || model.path.value);
    const [own, others] = [true, false].map((same) => here?.scenarios.filter(({ path }) => (gameOf(model, path) === game) === same) ?? []) as [Scenario[], Scenario[]];
    const option = ({ path, title }: Scenario): HTMLElement => h('option', { value: path }, title || path);
    put(this.games, model.books.books.filter((book) => book.scenarios.length || book === here).map((book) => h('option', { value: book.name }, book.title || book.name)));
    put(this.scenes, !scene && h('option', { value: '' }, 'none yet'), own.map(option), others.length > 0 && h('optgroup', { label: 'Other games' }, others.map(option)));
    this.games.value = here?.name ?? '';
    this.scenes.value = model.scene.value;
  }

  tell(text: string, stay = false): void {
    clearTimeout(this.noticeTimer);
    this.notice.hidden = !text;
    if (!text) return;
    put(this.notice, h('span', null, inline(text.slice(0, 800))), button('×', () => ((this.notice.hidden = true), (this.model.notice.value = '')), { class: 'close', 'aria-label': 'Close' }));
    if (!stay) this.noticeTimer = setTimeout(() => ((this.notice.hidden = true), (this.model.notice.value = '')), 12_000);
  }

  /** Shows that the engine is gone. The text stays readable and can be copied. */
  over(why: string): void {
    this.banner.hidden = false;
    put(this.banner, h('p', { class: 'bad', role: 'alert' }, `${why}. Your last changes may not be saved. You can still copy them here, or download them as a zip.`));
  }

  /** Shows the changes of a saved link that did not fit. */
  private drawMisfits(): void {
    const all = keptMisfits();
    this.banner.hidden = !all.length;
    put(this.banner, misfitBlock(all, this.model), h('p', { class: 'buttons' }, button('Done', () => (keepMisfits([]), this.drawMisfits()))));
  }

  private drawShared(notes: string[], misfits: Misfit[]): void {
    this.banner.hidden = false;
    put(
      this.banner,
      h('p', null, 'This page shows a shared link. Your own work is unchanged.'),
      notes.map((note) => h('p', null, note)),
      misfitBlock(misfits, this.model),
      h('p', { class: 'buttons' }, button('Save as my work', () => void this.keepShared(), { class: 'main' }), button('Back to my work', () => toWork())),
    );
  }

  private async keepShared(): Promise<void> {
    const { model } = this;
    const view = await keepLink(model, { path: model.path.value, scene: model.scene.value, tab: this.tab.value, settings: model.settings.value }, this.remembered);
    if (!view) return;
    if (this.shared && 'misfits' in this.shared) keepMisfits(this.shared.misfits);
    localStorage.setItem(this.memory, JSON.stringify(view));
    toWork();
  }

  private drawConflicts(all: { path: string; theirs: { text: string } | null }[]): void {
    if (!all.length) return this.shared ? undefined : this.drawMisfits();
    this.banner.hidden = false;
    put(
      this.banner,
      all.map(({ path, theirs }) =>
        h(
          'div',
          { class: 'conflict' },
          h('p', null, h('b', null, path), theirs ? ' was changed elsewhere after this page read it. Your version is not saved until you choose one.' : ' was deleted elsewhere after this page read it.'),
          h(
            'p',
            { class: 'buttons' },
            button('Keep mine', () => void this.model.settle(path, true)),
            button(theirs ? 'Use the other version' : 'Delete mine', () => void this.model.settle(path, false)),
            theirs && button('Show the other version', () => void dialogue(`${path}, other version`, h('pre', { class: 'scroll' }, theirs.text), [{ name: 'Close', value: '', main: true }])),
            theirs && button('Keep both', () => void this.both(path, theirs.text)),
          ),
        ),
      ),
    );
  }

  private async both(path: string, theirs: string): Promise<void> {
    const other = path.replace(/\.(\w+)$/, '-theirs.$1');
    await this.model.write(other, theirs);
    await this.model.settle(path, true);
    this.tell(`The other version is saved as ${other}.`);
  }

  private share(): Promise<void> {
    const { model, run } = this;
    const { line } = this.editor.place;
    return showLink(model, { path: model.path.value, scene: model.scene.value, tab: this.tab.value, line, settings: model.settings.value, run: run.now.at || run.now.script.length ? run.now : undefined });
  }

  private history(): Promise<void> {
    return showHistory(this.model, (version) => {
      this.compare.with(version);
      this.pane('compare');
    });
  }

  private async zip(all: boolean): Promise<void> {
    const count = await exportZip(this.model, all ? this.model.paths() : [...this.model.changed.value]);
    this.tell(count ? `${count} ${count === 1 ? 'file' : 'files'} written to the zip.` : 'No changes yet, so the zip is empty.');
  }

  /** Downloads the page with its engine and the shipped books as one file. */
  private async whole(): Promise<void> {
    try {
      save('studio.html', await ofThisPage());
    } catch (why) {
      this.tell(`Cannot save the page as one file: ${(why as Error).message}.`);
    }
  }

  private pick(): void {
    const input = h('input', { type: 'file', accept: '.zip,.rules,.toml' });
    input.onchange = () => input.files?.[0] && void this.bring(input.files[0]);
    input.click();
  }

  private async bring(file: File): Promise<void> {
    try {
      const { texts, left } = file.name.endsWith('.zip') ? readZip(new Uint8Array(await file.arrayBuffer())) : { texts: { [`my-game/${file.name.toLowerCase()}`]: await file.text() }, left: [] };
      const count = Object.keys(texts).length;
      if (!count) return this.tell(`No rules or scenarios found in ${file.name}.`);
      const over = Object.keys(texts).filter((path) => this.model.changed.value.has(path));
      if (over.length && !(await confirm('Replace your own files?', `You changed ${over.slice(0, 10).join(', ')}. ${file.name} replaces these files.`, 'Replace'))) return;
      for (const [path, text] of Object.entries(texts)) await this.model.write(path, text);
      await this.model.readShelf();
      this.model.path.value = Object.keys(texts).find((path) => path.endsWith('.rules')) ?? this.model.path.value;
      this.tell(`${count} ${count === 1 ? 'file' : 'files'} imported.${left.length ? ` ${left.length} skipped: not rules or scenarios, too long, or not a valid name.` : ''}`);
    } catch (why) {
      this.tell(`${file.name} cannot be read as a zip: ${(why as Error).message}`);
    }
  }

  private async fresh(named = 'my-game/core.rules'): Promise<void> {
    const path = await ask('New file', 'Path of the file: the folder of the game and a name, such as my-game/core.rules. Scenarios end in .toml.', named);
    if (!path) return;
    const { goodPath } = await import('./files/files');
    if (!goodPath(path) || !path.includes('/')) return this.tell('A path consists of lower-case letters, digits, - and _, names a folder, and ends in .rules or .toml.');
    if (this.model.paths().includes(path)) return this.tell(`${path} already exists.`);
    const name = path.replace(/\.\w+$/, '');
    const beside = [this.model.path.value, ...this.model.paths()].filter((each) => each.endsWith('.rules') && each.startsWith(`${name.split('/')[0]}/`));
    const rules = (beside[0] ?? `${name.split('/')[0]}/core.rules`).replace(/\.rules$/, '');
    const text = path.endsWith('.rules') ? `ruleset ${name} version "1"\n` : beginning(rules, name.split('/').pop()!, (await this.model.text(`${rules}.rules`)) ?? '');
    await this.model.write(path, text);
    await this.model.readShelf();
    this.model.path.value = path;
    // the cursor is at the end, so that the user can continue the text
    const end = { line: text.split('\n').length - 1, character: 0 };
    this.model.look.value = { path, range: { start: end, end }, focus: true };
    // the views follow: they show the new scenario, or one that uses the new rules if it exists
    const { model } = this;
    model.scene.value = path.endsWith('.toml') ? path : (model.scenarios().find((scene) => model.rulesOf(scene) === path) ?? '');
  }

  private async keys(): Promise<void> {
    const rows: [string, string][] = [
      ['Tab, Shift+Tab', 'next part of the page'],
      ['Escape, then Tab', 'leave the text for the views; Tab by itself indents'],
      ['← →', 'another view, when the focus is on the names of the views'],
      ['Ctrl+Space', 'completions'],
      ['F12, Ctrl+click', 'go to the definition of a name'],
      ['Alt+O', 'all odds of the test or example at the cursor'],
      ['F2', 'rename in all files'],
      ['Shift+Alt+F', 'format the text'],
      ['Ctrl+F', 'find'],
      ['Ctrl+Shift+M', 'list of problems'],
      ['Ctrl+Alt+]', 'show the folded examples'],
      ['arrow keys on a unit', 'move it by an inch; with Shift, by a tenth'],
      ['Enter on a unit', 'available actions'],
      ['↑ ↓ in a trace', 'line by line, with the table and the text'],
    ];
    await dialogue('Keys', h('table', { class: 'keys' }, rows.map(([key, what]) => h('tr', null, h('th', { scope: 'row' }, h('kbd', null, key)), h('td', null, what)))), [{ name: 'Close', value: '', main: true }]);
  }

  restarted(): void {
    void this.model.again();
    this.tell('The engine did not respond and was restarted.');
  }
}

/** Opens the work place without a link. */
const toWork = (): void => location.replace(hostToken() ? location.href.replace(/#.*/, '') : '?work');

async function open(): Promise<void> {
  const app = document.getElementById('app')!;
  const early = window.early;
  if (early) early.zip = zip;
  const entry = early ? await early.entered : null;
  document.getElementById('start')!.hidden = true;
  app.hidden = false;
  put(app, h('p', { class: 'loading' }, 'Grognard is being opened …'));
  try {
    let page: Page | null = null;
    const { engine, restarts } = await start((why) => (page ? page.over(why) : put(app, h('p', { class: 'fatal' }, why))));
    const token = hostToken();
    // links are read against the shipped books only, without the user's changes
    const probe = new Model(engine, new NoFiles());
    const hash = entry ? '' : location.hash;
    let shared: Opened | null = null;
    if (hash.length > 1 && !token) {
      await engine.ready;
      probe.books = await engine.ask('grognard/books', {});
      shared = await readLink(hash, probe);
    }
    const files: Files = token ? new HostFiles(token) : shared && 'view' in shared ? new NoFiles() : await BrowserFiles.open().catch(() => new NoFiles());
    const shown = (page = new Page(engine, files, shared));
    restarts(() => shown.restarted());
    // requests wait in the engine's queue until the engine is ready
    const begun = shown.begin(entry);
    if (early) early.enter = (entry) => void shown.enter(entry);
    await engine.ready;
    await begun;
    announce('Ready');
    // the files for offline use are fetched again, which can wait for the first odds
    await shown.calm;
  } catch (why) {
    put(app, h('p', { class: 'fatal' }, `The page could not be started: ${(why as Error).message}`));
  }
  if ('serviceWorker' in navigator && location.protocol === 'https:' || location.hostname === 'localhost' || location.hostname === '127.0.0.1') {
    if (!hostToken() && location.protocol !== 'file:') navigator.serviceWorker?.register('sw.js').catch(() => undefined);
  }
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void open());
else void open();
