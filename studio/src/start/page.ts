// The start page: the dice box, new games, examples, and saved work. Its HTML is readable before any script of the work place is loaded.

import { announce, button, h, put, s } from '../dom';
import type { Entry } from '../engine/compile';
import { BrowserFiles } from '../files/browser';
import type { Kept } from '../files/files';
import { folderOf, free, moved, nameOf, titleOf } from '../games';
import { percent } from '../numbers';
import type { Books, Game, Outlook, Rolled } from '../protocol';
import { ago, codes, plainText } from './words';
import { Axis, chart, main, type Mode, summary, type Tree, valueAt } from './chart';
import { Desk } from './desk';

export interface Doors {
  make(): Worker;
  /** Loads the work place before it is needed. */
  begin(): void;
  enter(entry: Entry): void;
  /** Shows another part of this page. */
  go(search: string): void;
}

const find = <T extends Element = HTMLElement>(selector: string): T => document.querySelector<T>(selector)!;
const grow = ([tag, props, ...children]: Tree, inside = tag === 'svg'): Element => {
  const grown = children.map((child) => (typeof child === 'string' ? child : grow(child, inside || child[0] === 'svg')));
  return inside ? s(tag as 'svg', props, ...grown) : h(tag as 'p', props, ...grown);
};

class StartPage {
  private readonly desk: Desk;
  private readonly line = find<HTMLInputElement>('#line');
  private readonly second = find<HTMLInputElement>('#second');
  private mode: Mode = 'each';
  private shownOnce = false;
  private saved: Kept[] = [];

  constructor(private readonly doors: Doors) {
    this.desk = new Desk(doors.make);
    const start = find('#start');
    start.addEventListener('click', (event) => this.click(event.target as HTMLElement));
    for (const field of [this.line, this.second]) {
      field.oninput = () => {
        // until the answer arrives, the chart is that of another line
        this.dim(true);
        void this.roll();
      };
      field.onkeydown = (event) => {
        if (event.key === 'Enter') void this.roll();
      };
    }
    find('.modes').addEventListener('change', (event) => {
      this.mode = (event.target as HTMLInputElement).value as Mode;
      this.draw();
    });
    const box = find('#chart');
    box.addEventListener('pointermove', ({ target, clientX }) => {
      const picture = (target as Element).closest('svg[tabindex]')?.getBoundingClientRect();
      if (picture && this.axis) this.tell(valueAt(this.axis, (clientX - picture.left) / picture.width));
    });
    box.addEventListener('pointerleave', () => this.tell(null));
    box.addEventListener('focusout', () => this.tell(null));
    box.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by || !this.axis || !(event.target as Element).matches('svg')) return;
      event.preventDefault();
      this.tell(Math.max(0, Math.min(this.axis.values.length - 1, this.at === null ? 0 : this.at + by)));
      announce(find('.spot').textContent ?? '');
    });
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !find('#gallery').hidden) this.doors.go('');
    });
  }

  /** Called whenever the page is shown: the engine starts after the first paint. */
  shown(): void {
    if (!find('#gallery').hidden) void this.gallery();
    if (find('#start').hidden) return;
    void this.goingOn();
    if (this.shownOnce) return;
    this.shownOnce = true;
    let begun = false;
    const begin = (): void => {
      if (begun) return;
      begun = true;
      this.desk.begin();
      void this.again();
    };
    requestAnimationFrame(() => setTimeout(begin));
    // a hidden tab is not painted
    setTimeout(begin, 2000);
  }

  /** Computes the odds of the page again, and then loads the work place. */
  private async again(): Promise<void> {
    await this.roll();
    for (const each of document.querySelectorAll<HTMLElement>('[data-game]')) {
      const path = `templates/scenarios/${each.dataset.game}.toml`;
      const found = (await this.desk.ask('outlook', { path, settings: { params: {}, readings: {} } }).catch(() => null)) as Outlook | null;
      const of = found?.measures[0];
      if (of?.value) each.querySelector('.figure')!.textContent = `${of.title ?? of.measure}: ${percent(of.value.estimate, 2)}`;
    }
    this.doors.begin();
  }

  private click(on: HTMLElement): void {
    const of = on.closest<HTMLElement>('button');
    if (!of) return;
    const { go, game, example, chip } = of.dataset;
    if (chip) {
      this.line.value = chip;
      void this.roll();
    } else if (game) void this.create(game);
    else if (example) this.example(example);
    else if (go === 'book') this.doors.enter({ scene: of.dataset.of, tab: 'odds' });
    else if (go === 'gallery') this.doors.go('?gallery');
    else if (go === 'tour') void this.create('squads', 'tour');
    else if (go === 'language') this.doors.enter({ path: 'templates/squads.rules', scene: 'templates/scenarios/squads.toml', open: 'language' });
    else if (go === 'disk') this.pick();
    else if (go === 'rule') void this.rule();
    else if (go === 'second' || go === 'no-second') {
      find('.second').hidden = go !== 'second';
      find('[data-go=second]').hidden = go === 'second';
      (go === 'second' ? this.second : this.line).focus();
      if (go === 'second') return;
      this.second.value = '';
      void this.roll();
    } else if (of.classList.contains('more')) of.parentElement!.classList.add('all');
  }

  /** Opens a file or a zip. */
  private pick(): void {
    const input = h('input', { type: 'file', accept: '.zip,.rules,.toml' });
    input.onchange = () => input.files?.[0] && this.doors.enter({ file: input.files[0] });
    input.click();
  }

  /** Returns a folder for a new game that does not exist yet. */
  private async folder(name: string): Promise<string> {
    await this.goingOn();
    return free(`my-${name}`, new Set(this.saved.map(({ path }) => folderOf(path))));
  }

  /** Opens a copy of a template under an own name. */
  private async create(game: string, open?: Entry['open']): Promise<void> {
    const found = (await this.desk.ask('copy', { of: `templates/${game}`, folder: await this.folder(game) })) as Entry;
    this.doors.enter({ ...found, tab: 'odds', open: open ?? (game === 'squads' && !localStorage.getItem('grognard-toured') ? 'tour' : 'number') });
  }

  private example(name: string): void {
    this.doors.enter({ path: `gallery/${name}.rules`, scene: `gallery/scenarios/${name}.toml`, tab: 'odds' });
  }

  /** Makes a game of the line. */
  private async rule(): Promise<void> {
    try {
      const found = (await this.desk.ask('rule', { text: this.line.value, folder: await this.folder('roll') })) as Entry;
      this.doors.enter({ ...found, tab: 'odds' });
    } catch (why) {
      put(find('#notes'), h('p', { class: 'bad' }, (why as Error).message));
    }
  }

  /** The answers to both lines, and the number of the last question. */
  private rolled: Rolled[] = [];
  private asked = 0;

  private async roll(): Promise<void> {
    const asked = ++this.asked;
    const texts = [this.line, this.second].map((field) => field.value.trim()).filter(Boolean);
    if (!texts.length) return put(find('#notes'));
    try {
      const all = await Promise.all(texts.map((text) => this.desk.ask('dice', { text })));
      if (asked !== this.asked) return;
      this.rolled = all as Rolled[];
      this.draw();
      performance.mark('dice');
    } catch (why) {
      if (asked === this.asked && (why as Error).message) put(find('#notes'), h('p', { class: 'bad' }, codes((why as Error).message)));
    }
  }

  private draw(): void {
    const { rolled } = this;
    if (!rolled.length) return;
    const typed = [this.line, this.second].map(({ value }) => value.trim()).filter(Boolean);
    const forms = rolled.map(({ form }, n) => (form === typed[n] ? null : h('code', null, form)));
    put(find('#said'), rolled.map(({ words }, n) => [n > 0 && (words || forms[n]) && ' · ', words, words && forms[n] && ' ', forms[n]]));
    const lines = rolled.flatMap(({ measures }, n) => {
      const measure = main(measures);
      return measure ? [{ name: typed[n]!, measure }] : [];
    });
    const labels = rolled.flatMap(({ measures }) => measures.flatMap(({ value }) => value?.label ?? []));
    const label = (['bounded', 'sampled', 'proven'] as const).find((each) => labels.includes(each)) ?? 'exact';
    const told = rolled.map(({ measures }, n) => (rolled.length > 1 ? `${typed[n]}: ` : '') + summary(measures)).join(' · ');
    this.axis = lines.length ? new Axis(lines, this.mode) : null;
    this.at = null;
    put(find('#chart'), this.axis && chart(this.axis, told).map((tree) => grow(tree)));
    this.dim(false);
    put(find('#mean'), told, ' ', h('span', { class: `how ${label}` }, label));
    put(find('#notes'), rolled.flatMap(({ notes }) => notes.map((note) => h('p', { class: 'note' }, codes(note, (text) => ((this.line.value = text), void this.roll()))))));
    announce(told);
  }

  /** The shown chart, and the value that is pointed at. */
  private axis: Axis | null = null;
  private at: number | null = null;

  /** Shows the chances of a value below the chart, or those of the highest bar again. */
  private tell(at: number | null): void {
    const { axis } = this;
    const spot = document.querySelector<HTMLElement>('#chart .spot');
    if (!spot || !axis) return;
    spot.dataset.first ??= spot.textContent!;
    this.at = at;
    spot.textContent = at === null ? spot.dataset.first : axis.label(axis.values[at]!);
  }

  /** Grays the results of a line that is no longer in the field. */
  private dim(old: boolean): void {
    for (const id of ['#said', '#chart', '#mean']) find(id).classList.toggle('old', old);
  }

  /** Shows the games that are saved in this browser. */
  private async goingOn(): Promise<void> {
    const files = await BrowserFiles.open().catch(() => null);
    this.saved = (await files?.all().catch(() => [])) ?? [];
    const folders = new Map<string, Kept[]>();
    for (const kept of this.saved) {
      const folder = kept.path.split('/')[0]!;
      folders.set(folder, [...(folders.get(folder) ?? []), kept]);
    }
    const time = (all: Kept[]) => Math.max(...all.map((kept) => kept.time ?? 0));
    const games = [...folders].sort(([, a], [, b]) => time(b) - time(a));
    const place = find('#going-on');
    place.hidden = !games.length;
    put(
      place,
      h('h2', null, 'Continue with'),
      h('ul', { class: 'plain' }, games.map(([folder, all]) => {
        const remove = button('Delete', () => {
          // the second press deletes
          if (remove.dataset.sure) return void Promise.all(all.map((kept) => files!.remove(kept.path, kept.mark))).then(() => this.goingOn());
          remove.dataset.sure = 'yes';
          remove.textContent = 'Delete for good';
        }, { class: 'apart', 'data-key': `delete-${folder}` });
        return h('li', null, h('b', null, titleOf(folder)), h('span', { class: 'soft when' }, `saved in this browser${ago(time(all))}`), button('Open', () => this.resume(all), { 'data-key': `open-${folder}` }), this.renaming === folder ? h('span', { class: 'naming' }, this.newName(folder, all)) : button('Rename', () => this.rename(folder), { 'data-key': `rename-${folder}` }), button('Download', () => void this.download(folder, all), { 'data-key': `download-${folder}` }), remove);
      })),
    );
  }

  /** The folder whose new name is asked for. */
  private renaming = '';

  private rename(folder: string): void {
    this.renaming = folder;
    void this.goingOn().then(() => {
      const field = find<HTMLInputElement>(folder ? `[data-key="name-${folder}"]` : '#going-on button');
      field.focus();
      if (folder) field.select();
    });
  }

  /** Asks for another name of a saved game. */
  private newName(folder: string, all: Kept[]): HTMLElement[] {
    const field = h('input', { type: 'text', value: titleOf(folder), 'aria-label': `New name of ${titleOf(folder)}`, maxlength: 60, 'data-key': `name-${folder}` });
    const save = async (): Promise<void> => {
      const name = nameOf(field.value);
      this.renaming = '';
      if (!name || name === folder) return this.goingOn();
      const files = await BrowserFiles.open();
      // the folders of the program cannot be replaced
      const { books } = (await this.desk.ask('books', {})) as Books;
      const to = free(name, new Set([...books.map((book) => book.name), ...(await files.list()).map(folderOf)]));
      const texts = moved(Object.fromEntries(all.map(({ path, text }) => [path, text])), folder, to);
      const bases = moved(Object.fromEntries(all.flatMap(({ path, base }) => (base === undefined ? [] : [[path, base]]))), folder, to);
      for (const [path, text] of Object.entries(texts)) await files.write(path, text, null);
      for (const [path, base] of Object.entries(bases)) await files.accept(path, base);
      for (const { path, mark } of all) await files.remove(path, mark);
      // an open work place has the files under their old names
      if (document.body.dataset.ready) return location.reload();
      await this.goingOn();
      announce(`Renamed to ${titleOf(to)}`);
    };
    field.onkeydown = ({ key }) => {
      if (key === 'Enter') void save();
      else if (key === 'Escape') this.rename('');
    };
    return [field, button('Save', () => void save(), { 'data-key': `save-${folder}` })];
  }

  private resume(all: Kept[]): void {
    const rules = all.find(({ path }) => path.endsWith('.rules'))?.path;
    const scene = all.find(({ path, text }) => path.endsWith('.toml') && /^rules\s*=/m.test(text))?.path;
    this.doors.enter({ path: rules, scene, tab: 'odds' });
  }

  private async download(name: string, all: Kept[]): Promise<void> {
    this.doors.begin();
    const early = window.early!;
    while (!early.zip) await new Promise((resolve) => setTimeout(resolve, 50));
    early.zip(`${name}.zip`, Object.fromEntries(all.map(({ path, text }) => [path, text])));
  }

  /** Shows all games of the gallery, by mechanism. */
  private async gallery(): Promise<void> {
    const place = find('#gallery');
    if (place.dataset.drawn) return;
    const { games } = (await this.desk.ask('gallery', {})) as { games: Game[] };
    place.dataset.drawn = 'yes';
    const kinds = [...new Set(games.map(({ mechanism }) => mechanism))];
    put(
      place,
      h('header', null, button('← Start', () => this.doors.go('')), h('h1', null, 'Gallery')),
      h('p', null, `${games.length} games with a question, its answer, and what a designer learns from it. Each can be changed.`),
      kinds.map((kind) => [
        h('h2', null, titleOf(kind)),
        h('div', { class: 'games' }, games.filter(({ mechanism }) => mechanism === kind).map((game) => h('section', null, h('h3', null, game.title), h('p', null, codes(game.question)), h('p', { class: 'answer' }, codes(game.answer)), h('p', { class: 'soft' }, codes(game.learn)), h('p', { class: 'soft' }, codes(plainText(game.source))), button('Open', () => this.example(game.name), { 'aria-label': `Open ${game.title}`, 'data-example': game.name })))),
      ]),
    );
    place.scrollTo(0, 0);
  }
}

export const startPage = (doors: Doors): { shown(): void } => new StartPage(doors);
