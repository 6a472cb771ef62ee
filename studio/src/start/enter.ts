// The work place as the start page opens it: a new game, an example with its question, the tour, or the language.

import { button, h, put } from '../dom';
import type { Entry } from '../engine/compile';
import type { Editor } from '../editor/editor';
import { offset } from '../editor/lsp';
import { folderOf, free, titleOf } from '../games';
import type { Model } from '../model';
import type { Game, NewGame } from '../protocol';
import { Language } from './language';
import { tour } from './tour';
import { codes } from './words';

/** The first number of the rules that a reader can vary. */
const NUMBER = /^param \w+[^\n]*? = (\d+)/m;

export class Entrance {
  /** The question of an example, above the views. */
  readonly bar = h('section', { class: 'question', 'aria-label': 'Question', hidden: true });
  private games: Promise<Game[]> | null = null;
  private panel: Language | null = null;

  constructor(private readonly model: Model, private readonly editor: Editor, private readonly pane: (id: string) => void) {
    model.scene.on((scene) => void this.ask(scene));
  }

  /** Writes the texts of a new game. They are its first version, and the originals of later changes. */
  async take({ texts = {} }: Pick<Entry, 'texts'>): Promise<void> {
    const { model } = this;
    const [path] = Object.keys(texts);
    if (!path) return;
    for (const [path, text] of Object.entries(texts)) await model.write(path, text);
    await model.readShelf();
    for (const [path, text] of Object.entries(texts)) model.accept(path, text);
    void model.versions.begin(folderOf(path), texts);
  }

  /** Makes a copy of a game under an own name and shows it. */
  private async copied(of: string): Promise<NewGame> {
    const { model } = this;
    const folder = free(`my-${of.split('/').pop()}`, new Set(model.books.books.map(({ name }) => name)));
    const made: NewGame = await model.engine.ask('grognard/copy', { of, folder });
    await this.take(made);
    model.scene.value = made.scene;
    model.path.value = made.path;
    return made;
  }

  async open({ open, path }: Entry): Promise<void> {
    if (open === 'language') return this.language();
    if (open === 'tour') return this.tour();
    if (open === 'number' && path) await this.select(path);
  }

  /** Selects the first number of the rules, so that the next key replaces it. */
  private async select(path: string): Promise<void> {
    const text = await this.model.text(path);
    const found = text && NUMBER.exec(text);
    if (!found) return;
    const at = found.index + found[0].length;
    const line = text.slice(0, at).split('\n').length - 1;
    const character = at - text.lastIndexOf('\n', at - 1) - 1;
    const range = { start: { line, character: character - found[1]!.length }, end: { line, character } };
    if (innerWidth < 760) this.pane('text');
    await this.editor.look(path, range, innerWidth >= 760);
    const { view } = this.editor;
    if (innerWidth >= 760) view.dispatch({ selection: { anchor: offset(view.state.doc, range.start), head: offset(view.state.doc, range.end) } });
  }

  /** Shows the question of an example of the gallery. */
  private async ask(scene: string): Promise<void> {
    this.bar.hidden = true;
    if (!scene.startsWith('gallery/')) return;
    this.games ??= this.model.engine.ask('grognard/gallery', {}).then(({ games }) => games);
    const game = (await this.games).find((each) => each.scenario === scene || each.name === this.model.rulesOf(scene)?.slice(8, -6));
    if (!game || this.model.scene.value !== scene) return;
    this.bar.hidden = false;
    put(this.bar, h('h2', null, codes(game.question)), h('p', null, codes(game.answer)), h('p', { class: 'soft' }, codes(game.learn)), button('Change it', () => void this.change(game)));
  }

  /** Copies an example under an own name, with the parameters that were chosen in it. */
  private async change(game: Game): Promise<void> {
    const { model } = this;
    const { value: settings } = model.settings;
    const { path } = await this.copied(`gallery/${game.name}`);
    model.settings.value = settings;
    await this.select(path);
    model.notice.value = `This is your own copy, “${titleOf(folderOf(path))}”. The example stays as it is.`;
  }

  /** Starts the tour, on a copy of Squads if another game is open. */
  async tour(): Promise<void> {
    const { model } = this;
    if (!/^my-squads/.test(model.scene.value)) await this.copied('templates/squads');
    this.pane('odds');
    await this.select(model.rulesOf(model.scene.value) ?? model.path.value);
    await tour(model, this.pane);
  }

  private get cards(): Language {
    return (this.panel ??= new Language(this.model, this.editor));
  }

  language(): Promise<void> {
    return this.cards.open();
  }

  cheatSheet(): Promise<void> {
    return this.cards.sheet();
  }
}
