// Review: every change of a text beside what it was, what it moves, and which change moves what; each is kept or taken back.

import { announce, button, h, put, type Child } from '../dom';
import { Alone, all, comparing, keyOf, only, without, type Hunk, type One } from '../edits';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import { status } from '../widgets';
import { effectBlock, effectsBlock, partingBlock } from './compare';

/** A file of more lines is folded. */
const MANY = 40;

export class ReviewView {
  readonly element: HTMLElement;
  private readonly list = h('div');
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly moves = h('div', { class: 'moves' });
  private readonly whole: Live<'grognard/compare'>;
  private awake = false;
  private turn = 0;
  /** What was looked at and kept. */
  private readonly kept = new Set<string>(readKept());
  private readonly alone: Alone;
  private readonly against = h('p', { class: 'soft' });

  constructor(private readonly model: Model) {
    this.whole = model.live('grognard/compare', () => (model.scene.value && this.compares ? { path: model.scene.value, a: { settings: noSettings(), texts: model.before() }, b: { settings: model.asWritten() } } : null));
    this.element = h('div', { class: 'view review' }, h('h2', null, 'Changes'), this.against, this.list, this.state, this.moves);
    this.whole.on(() => this.drawMoves());
    model.changed.on(() => this.draw());
    model.deleted.on(() => this.draw());
    this.alone = new Alone(model, () => this.draw());
    model.revision.on(() => this.draw());
    model.diagnostics.on(() => this.draw());
    // what dials are turned to is known later than an answer that was kept
    model.apart.on(() => this.drawMoves());
  }

  /** There is something to compare with: a file of one's own came with nothing. */
  private get compares(): boolean {
    return Object.keys(this.model.before()).length > 0;
  }

  show(awake: boolean): void {
    this.awake = awake;
    this.whole.show(awake);
    if (!awake) this.alone.stop();
    this.draw();
  }

  /** Odds and the first run that are others than with the rules as they came. */
  private drawMoves(): void {
    const { model } = this;
    if (!this.compares) return put(this.moves), put(this.state);
    const shown = this.whole.value;
    status(this.state, shown, model, comparing(shown.part ? shown.value : undefined), this.whole);
    const { value } = shown;
    if (!value) return put(this.moves);
    this.moves.className = `moves ${shown.older ? 'stale' : ''}`;
    const turned = model.apart.value.map(({ told }) => told);
    put(this.moves, h('h2', null, `Effect on “${model.title(model.scene.value)}”`), turned.length > 0 && h('p', { class: 'note' }, `Only changes of texts count here. To include the parameters, use the tab Compare: ${turned.join('; ')}.`), effectsBlock(value, shown.running ? null : () => 'To continue, use the tab Compare.'), partingBlock(value, model));
  }

  /** What an edit does by itself, as far as somebody asked; while that is worked out it can be stopped. */
  private toldAlone(one: One): Child {
    const { alone } = this;
    const found = alone.of(one);
    const state = alone.state(one);
    const key = `alone ${one.key}`;
    const going = state && h('p', { class: 'line soft' }, h('span', { role: 'status' }, state), !alone.unasked(one) && button('Stop', () => (alone.stop(), this.draw()), { 'data-key': key }));
    if (typeof found !== 'object') return [found && h('p', { class: 'soft' }, found), going];
    const moved = found.effects.filter((effect) => effect.a.estimate !== effect.b.estimate);
    // who had stopped at a button stays where its answer is
    return h('div', { class: 'alone', tabindex: -1, 'data-key': alone.unasked(one) || state ? null : key }, going, h('p', { class: 'soft' }, moved.length ? 'Effect of this edit by itself:' : 'This edit by itself has no effect on this scenario.'), moved.map((effect) => effectBlock(effect, found)));
  }

  private draw(): void {
    if (this.awake) void this.fill();
  }

  private async fill(): Promise<void> {
    const { model } = this;
    const turn = ++this.turn;
    const parts: Child[] = [];
    const edits = new Map((await all(model)).map((one) => [one.key, one]));
    put(this.against, this.compares && `− is the baseline: ${model.came}; + is the current text.`);
    for (const path of [...model.changed.value].sort()) {
      const after = await model.text(path);
      const before = model.base(path);
      if (after === null || after === before) continue;
      const errors = (model.diagnostics.value.get(path) ?? []).filter((each) => (each.severity ?? 1) === 1);
      const rows: Child[] = [];
      if (before === null) rows.push(this.own(path, after));
      else for (const one of edits.values()) if (one.path === path && one.hunk) rows.push(this.hunk(one, path, before, after, one.hunk));
      parts.push(h('section', { class: 'changed-file' }, h('h3', null, path), errors.length > 0 && h('ul', { class: 'plain bad' }, errors.slice(0, 20).map((error) => h('li', null, button(error.message.split('\n')[0] ?? '', () => (model.look.value = { path, range: error.range, focus: true }), { class: 'link bad' })))), rows));
    }
    for (const [path, text] of model.deleted.value) parts.push(h('section', { class: 'changed-file' }, h('h3', null, path), this.gone(path, text)));
    // texts are read one after the other: what was begun later is of now
    if (turn !== this.turn) return;
    put(this.list, parts.length ? parts : h('p', { class: 'soft' }, 'No changes yet. Each change of a text appears here next to the earlier text, and you can undo it. The effect on the scenario is shown below the changes.'));
  }

  /** The text with it is what later changes are told against; in a shipped text, which a page keeps nothing but its changes of, it is marked alone. */
  private keep(key: string, path: string, text: string): void {
    const { model } = this;
    announce('Accepted');
    if (model.accepts(path)) {
      model.accept(path, text);
    } else {
      this.kept.add(key);
      writeKept(this.kept);
    }
    this.draw();
  }

  /** All lines of a file that came or went, folded if they are many. */
  private lines(path: string, text: string, sort: 'ins' | 'del'): Child {
    const lines = text.replace(/\n$/, '').split('\n').length;
    const all = h('div', { class: 'differences' }, h(sort, null, text.replace(/\n$/, '')));
    return lines <= MANY ? all : h('details', { 'data-key': `lines ${path}` }, h('summary', null, `all ${lines} lines`), all);
  }

  /** A file that did not come with anything: all of it is new. */
  private own(path: string, text: string): Child {
    return h(
      'div',
      { class: 'hunk own' },
      h('p', { class: 'line' }, 'New: your own file. ', button('Open', () => (this.model.path.value = path), { class: 'link' })),
      this.lines(path, text, 'ins'),
      h('p', { class: 'buttons' }, button('Accept', () => this.keep('', path, text), { 'data-key': `keep ${path}` }), button('Delete', () => void this.model.restore(path).then(() => announce('Deleted')), { 'data-key': `away ${path}` })),
    );
  }

  /** A file that was deleted. */
  private gone(path: string, text: string): Child {
    return h(
      'div',
      { class: 'hunk gone' },
      h('p', null, 'Deleted: the rules and scenarios no longer contain this file.'),
      this.lines(path, text, 'del'),
      h('p', { class: 'buttons' }, button('Restore', () => void this.model.write(path, text).then(() => announce('Restored')), { 'data-key': `bring ${path}` }), button('Keep deleted', () => this.model.accept(path, null), { 'data-key': `leave ${path}` })),
    );
  }

  private hunk(one: One, path: string, before: string, after: string, hunk: Hunk): Child {
    const { model } = this;
    const key = keyOf(path, hunk);
    const kept = this.kept.has(key);
    const line = { line: hunk.at, character: 0 };
    return h(
      'div',
      { class: `hunk ${kept ? 'kept' : ''}` },
      h('p', { class: 'line' }, button(`line ${hunk.at + 1}`, () => (model.look.value = { path, range: { start: line, end: line }, focus: true }), { class: 'link', 'data-key': `at ${key}` }), kept && h('span', { class: 'soft' }, 'accepted')),
      h('div', { class: 'differences' }, hunk.before.length > 0 && h('del', null, hunk.before.join('\n')), hunk.after.length > 0 && h('ins', null, hunk.after.join('\n'))),
      this.toldAlone(one),
      h(
        'p',
        { class: 'buttons' },
        !kept && model.scene.value !== '' && this.alone.unasked(one) && button('Effect of this edit alone', () => void this.alone.ask([one]), { 'data-key': `alone ${key}` }),
        !kept && button('Accept', () => this.keep(key, path, only(before, hunk)), { 'data-key': `keep ${key}` }),
        button('Undo', () => ((model.look.value = null), void model.write(path, without(after, hunk)).then(() => announce('Undone'))), { 'data-key': `back ${key}` }),
      ),
    );
  }
}

const KEPT = 'grognard-kept';

function readKept(): string[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? '[]') as unknown;
    return Array.isArray(found) ? found.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

function writeKept(kept: ReadonlySet<string>): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...kept].slice(-200)));
  } catch {
    // then it is marked while the page is open
  }
}
