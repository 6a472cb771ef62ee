// Review: every change of a text next to its baseline, the effect of all changes, and the effect of each. The user accepts or undoes each change.

import { announce, button, h, put, type Child } from '../dom';
import { Alone, all, comparing, keyOf, only, without, type Hunk, type One } from '../edits';
import type { Live } from '../live';
import { type Model, noSettings } from '../model';
import { status } from '../widgets';
import { effectBlock, effectsBlock, partingBlock } from './compare';

/** Files with more lines are folded. */
const MANY = 40;

export class ReviewView {
  readonly element: HTMLElement;
  private readonly list = h('div');
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly moves = h('div', { class: 'moves' });
  private readonly whole: Live<'grognard/compare'>;
  private awake = false;
  private turn = 0;
  /** Changes that were marked as accepted. */
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
    model.typed.on(() => this.draw());
    model.settings.on(() => this.draw());
    model.diagnostics.on(() => this.draw());
    // the dials can arrive later than a cached answer
    model.apart.on(() => this.drawMoves());
  }

  /** Whether there is a baseline to compare with: a new file of the user has none. */
  private get compares(): boolean {
    return Object.keys(this.model.before()).length > 0;
  }

  show(awake: boolean): void {
    this.awake = awake;
    this.whole.show(awake);
    if (!awake) this.alone.stop();
    this.draw();
  }

  /** Draws the effects on the scenario, and the first run that differs from the baseline. */
  private drawMoves(): void {
    const { model } = this;
    if (!this.compares) return put(this.moves), put(this.state);
    const shown = this.whole.value;
    status(this.state, shown, model, comparing(shown.part ? shown.value : undefined), this.whole);
    const { value } = shown;
    if (!value) return put(this.moves);
    this.moves.className = `moves ${shown.older ? 'stale' : ''}`;
    const turned = model.apart.value.map(({ text }) => text);
    put(this.moves, h('h2', null, `Effect on “${model.title(model.scene.value)}”`), turned.length > 0 && h('p', { class: 'note' }, `Only changes of texts count here. To include the parameters, use the tab Compare: ${turned.join('; ')}.`), effectsBlock(value, shown.running ? null : () => 'To continue, use the tab Compare.'), partingBlock(value, model));
  }

  /** Shows the effect of an edit by itself, if it was requested. A running computation can be stopped. */
  private toldAlone(one: One): Child {
    const { alone } = this;
    const found = alone.of(one);
    const state = alone.state(one);
    const key = `alone ${one.key}`;
    const going = state && h('p', { class: 'line soft' }, h('span', { role: 'status' }, state), !alone.unasked(one) && button('Stop', () => (alone.stop(), this.draw()), { 'data-key': key }));
    if (typeof found !== 'object') return [found && h('p', { class: 'soft' }, found), going];
    const moved = found.effects.filter((effect) => effect.a.estimate !== effect.b.estimate);
    // the focus moves from the stop button to the result
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
    // the texts are read asynchronously, so discard an outdated drawing
    if (turn !== this.turn) return;
    put(this.list, parts.length ? parts : h('p', { class: 'soft' }, 'No changes yet. Each change of a text appears here next to the earlier text, and you can undo it. The effect on the scenario is shown below the changes.'));
  }

  /** Accepts a change: the text with it becomes the baseline. A change of a shipped text is only marked, because the page stores no other baseline for it. */
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

  /** Shows all lines of a new or deleted file, folded if there are many. */
  private lines(path: string, text: string, sort: 'ins' | 'del'): Child {
    const lines = text.replace(/\n$/, '').split('\n').length;
    const all = h('div', { class: 'differences' }, h(sort, null, text.replace(/\n$/, '')));
    return lines <= MANY ? all : h('details', { 'data-key': `lines ${path}` }, h('summary', null, `all ${lines} lines`), all);
  }

  /** Shows a new file of the user, without a baseline. */
  private own(path: string, text: string): Child {
    return h(
      'div',
      { class: 'hunk own' },
      h('p', { class: 'line' }, 'New: your own file. ', button('Open', () => (this.model.path.value = path), { class: 'link' })),
      this.lines(path, text, 'ins'),
      h('p', { class: 'buttons' }, button('Accept', () => this.keep('', path, text), { 'data-key': `keep ${path}` }), button('Delete', () => void this.model.restore(path).then(() => announce('Deleted')), { 'data-key': `away ${path}` })),
    );
  }

  /** Shows a deleted file. */
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
        !kept && model.scene.value !== '' && this.alone.unasked(one) && button('Effect of only this edit', () => void this.alone.ask([one]), { 'data-key': `alone ${key}` }),
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
    // the marks are kept while the page is open
  }
}
