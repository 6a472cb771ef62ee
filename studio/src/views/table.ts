// The table of a scenario: the user drags units and changes their values, and each unit shows its available and unavailable actions.

import { announce, button, h, put, type Child } from '../dom';
import type { Live } from '../live';
import type { Model } from '../model';
import { inWords } from '../numbers';
import type { Edit, Figure, Offer, Refusal, Unit } from '../protocol';
import { clauses, findings, status } from '../widgets';
import { hunks } from '../edits';
import { Board } from './board';
import { Scene } from '../units';
import { askUnit, membersOf, wayOf } from './units';
import { spoken, views, words } from './sight';

/** The largest number: a value with this maximum has no explicit bound. */
const WHOLE = 2 ** 31 - 1;

export class TableView {
  readonly element: HTMLElement;
  private readonly table: Live<'grognard/table'>;
  private readonly menu: Live<'grognard/menu'>;
  private readonly sight: Live<'grognard/sight'>;
  private readonly board: Board;
  private readonly state = h('p', { class: 'status', role: 'status' });
  private readonly unit = h('section', { class: 'unit-panel' });
  private readonly tools = h('p', { class: 'tools' });
  private readonly looks = h('input', { type: 'checkbox', checked: true, 'data-key': 'sight' });
  private readonly switch = h('label', { class: 'soft', hidden: true }, this.looks, ' line of sight');
  /** The unit whose line of sight was last announced. */
  private said = '';
  /** Texts of the scenario before each change made here. */
  private past: { path: string; text: string; what: string }[] = [];
  private busy: Promise<void> = Promise.resolve();
  /** A value that the scenario does not allow, and why. */
  private refused: { unit: string; figure: string; value: string; why: string } | null = null;

  constructor(private readonly model: Model) {
    this.board = new Board({ onpick: () => this.pick(), onmove: (moves, what) => this.edit(moves, what) });
    this.table = model.live('grognard/table', () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value } : null));
    this.menu = model.live('grognard/menu', () => {
      const unit = this.board.picked.value;
      return unit && model.scene.value ? { path: model.scene.value, settings: model.settings.value, unit } : null;
    });
    this.sight = model.live('grognard/sight', () => {
      const unit = this.board.picked.value;
      return unit && model.scene.value ? { path: model.scene.value, settings: model.settings.value, unit } : null;
    });
    this.looks.onchange = () => this.show(this.awake);
    this.board.foot.append(this.switch);
    this.element = h('div', { class: 'view table' }, this.tools, this.state, this.board.element, this.unit);
    this.table.on((shown) => {
      status(this.state, shown, this.model, undefined, this.table);
      this.board.show(shown.value ?? null);
      this.board.element.classList.toggle('stale', shown.stale && !shown.running);
      this.switch.hidden = !shown.value?.sight;
      this.sight.show(this.looking);
      this.drawTools();
      this.drawUnit();
    });
    this.menu.on(() => this.drawUnit());
    this.sight.on(() => this.drawUnit());
    model.scene.on(() => {
      this.board.reset();
      this.past = [];
      this.board.pick(null);
      this.drawTools();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      const mod = event.ctrlKey || event.metaKey;
      const does = mod && event.key === 'z' ? () => void this.undo() : mod && event.key === 'd' ? () => this.copy() : event.key === 'Delete' ? () => this.remove() : null;
      if (!does) return;
      event.preventDefault();
      does();
    });
    this.drawTools();
  }

  private awake = false;

  show(awake: boolean): void {
    this.awake = awake;
    this.table.show(awake);
    this.menu.show(awake && this.board.picked.value !== null);
    this.sight.show(this.looking);
    this.drawUnit();
  }

  /** Whether to show the line of sight of the picked unit. */
  private get looking(): boolean {
    return this.awake && this.looks.checked && this.board.picked.value !== null && this.table.value.value?.sight === true;
  }

  private pick(): void {
    this.menu.clear();
    this.menu.show(this.board.picked.value !== null);
    this.sight.clear();
    this.sight.show(this.looking);
    this.said = '';
    this.refused = null;
    this.drawTools();
    this.drawUnit();
    // the table stays in place while its values below it are scrolled to
    if (this.unit.getBoundingClientRect().bottom > innerHeight) this.unit.scrollIntoView({ block: 'nearest' });
  }

  /** Writes edits into the scenario. If an edit would break it, nothing is written and `refused` receives the reason. */
  private edit(edits: Edit[], what: string, refused = (why: string): unknown => (this.model.notice.value = why), change?: (scene: Scene) => { text: string; made?: string }): void {
    const { model } = this;
    // one after the other: each edit changes the text of the previous one
    this.busy = this.busy.then(async () => {
      const path = model.scene.value;
      const before = await model.text(path);
      try {
        const edited = await model.engine.ask('grognard/edit', { path, edits });
        const { text, made } = change && edited.tree ? change(new Scene(edited.text, edited.tree)) : { text: edited.text, made: undefined };
        const { value, why } = this.table.value;
        if (value && !why) await model.engine.ask('grognard/table', { path, settings: model.settings.value, texts: { [path]: text } });
        if (before !== null) this.past.push({ path, text: before, what });
        await model.write(path, text);
        // a moved unit does not replace the text that the user reads
        if (change || model.path.value === path) this.light(path, before ?? '', text);
        if (made) this.board.pick(made);
        // the board has announced a move already
        if (change || !('x' in edits[0]!)) announce(what);
      } catch (why) {
        refused((why as Error).message);
        this.table.refresh();
      }
      this.drawTools();
    });
  }

  /** Shows the first place of a text that an edit has changed. */
  private light(path: string, before: string, after: string): void {
    const [first] = hunks(before, after);
    if (!first) return;
    const [from, to] = [first.at, first.at + Math.max(0, first.after.length - 1)];
    this.model.look.value = { path, range: { start: { line: from, character: 0 }, end: { line: to, character: first.after.at(-1)?.length ?? 0 } }, focus: false };
  }

  private async add(): Promise<void> {
    const table = this.table.value.value;
    const found = table && (await askUnit(table));
    if (found) this.edit([], `${found.name} added`, undefined, (scene) => ({ text: scene.added(found.kind, found.name, found.fields), made: found.name }));
  }

  private copy(): void {
    const [table, unit] = [this.table.value.value, this.board.picked.value];
    if (table && unit) this.edit([], `${unit} copied`, undefined, (scene) => scene.copied(unit, membersOf(table, unit), wayOf(table, unit)));
  }

  private remove(): void {
    const [table, unit] = [this.table.value.value, this.board.picked.value];
    if (!table || !unit) return;
    this.edit([], `${unit} deleted`, undefined, (scene) => ({ text: scene.deleted([...membersOf(table, unit), unit]) }));
    this.board.pick(null);
  }

  private async undo(): Promise<void> {
    await this.busy;
    const last = this.past.pop();
    if (!last) return;
    const before = (await this.model.text(last.path)) ?? '';
    await this.model.write(last.path, last.text);
    if (this.model.path.value === last.path) this.light(last.path, before, last.text);
    announce(`Undone: ${last.what}`);
    this.drawTools();
  }

  private drawTools(): void {
    const last = this.past.at(-1);
    const none = !this.board.picked.value;
    put(
      this.tools,
      button('Add …', () => void this.add(), { disabled: !this.table.value.value, 'data-key': 'add' }),
      button('Copy', () => this.copy(), { disabled: none, title: 'Ctrl+D', 'data-key': 'copy' }),
      button('Delete', () => this.remove(), { disabled: none, title: 'Del', 'data-key': 'delete' }),
      button(last ? `Undo: ${last.what}` : 'Undo', () => void this.undo(), { disabled: !last, 'data-key': 'undo' }),
      h('span', { class: 'soft' }, 'Drag a unit, or reach it with Tab and press the arrow keys: one inch per key, a tenth with Shift. Click a unit to see its available actions.'),
    );
  }

  private drawUnit(): void {
    const id = this.board.picked.value;
    const table = this.table.value.value;
    const unit = table?.units.find((each) => each.id === id);
    const { value: looked, stale, why: blind } = this.sight.value;
    const seen = table && this.looking && looked?.unit === id ? views(table, looked) : null;
    this.board.look(seen && !stale ? looked! : null);
    if (!unit) return put(this.unit);
    const { value, why, running } = this.menu.value;
    const parts: Child[] = [
      h('h2', null, unit.title || unit.id, h('small', null, [unit.kind, unit.side && `of ${unit.side}`, unit.of && `in ${unit.of}`].filter(Boolean).join(', '))),
      unit.statuses.length > 0 && h('p', { class: 'tags' }, unit.statuses.map((each) => h('span', { class: 'tag' }, each))),
      h('div', { class: 'figures' }, unit.figures.map((figure) => this.figure(unit, figure))),
    ];
    if (unit.own === false) parts.push(h('p', { class: 'soft' }, 'A line of the scenario places this unit. Its values are written there, for all units in that line.'));
    if (unit.facing !== undefined && unit.x !== undefined && unit.own !== false) {
      const facing = h('input', { type: 'number', min: 0, max: 359, value: Math.round(unit.facing / 100), 'data-key': 'facing' });
      facing.onchange = () => this.edit([{ unit: unit.id, facing: Math.round(Number(facing.value) * 100) }], `${unit.id} facing set to ${Math.round(Number(facing.value))}°`);
      parts.push(h('label', { class: 'figure' }, h('span', null, 'Facing in degrees, clockwise'), facing));
    }
    if (seen && !stale && this.said !== id) {
      this.said = unit.id;
      announce(spoken(unit, seen));
    }
    if (seen) parts.push(h('div', { class: stale ? 'stale' : '' }, words(seen)));
    else if (this.looking && blind) parts.push(h('p', { class: 'status bad' }, findings(blind, this.model)));
    if (running && !value) parts.push(h('p', { class: 'status' }, 'computing …'));
    if (why && !running) parts.push(h('div', { class: 'status bad' }, findings(why, this.model)));
    if (value) {
      parts.push(h('h3', null, 'Available actions'));
      parts.push(value.offered.length ? h('ul', { class: 'plain offers' }, value.offered.map((offer) => h('li', null, offer.place ? button(actionTitle(offer), () => (this.model.look.value = { ...offer.place!, focus: false }), { class: 'link' }) : actionTitle(offer), clauses(offer.clauses, this.clause)))) : h('p', { class: 'soft' }, value.asked ? `None: the scenario starts with “${inWords(value.asked)}”${value.who ? `, decided by ${value.who}` : ''}, and this unit is not one of its choices.` : 'None: no player decides at the start of this scenario. To play it, use the tab Run.'));
      if (value.refused.length) parts.push(h('h3', null, 'Unavailable actions'), h('ul', { class: 'plain offers refused' }, value.refused.map((each) => refusal(each, this.model, this.clause))));
    }
    put(this.unit, parts);
  }

  private clause = (clause: { id: string; says: string; place?: any }): void => {
    if (clause.place) this.model.look.value = { ...clause.place, focus: false };
    this.model.notice.value = `${clause.id}: ${clause.says}`;
  };

  private figure(unit: Unit, figure: Figure): HTMLElement {
    const title = figure.title || figure.name;
    if (!figure.given || unit.own === false) return h('p', { class: 'figure' }, h('span', null, title), h('b', null, figure.value));
    const change = (value: string) => {
      this.refused = null;
      this.edit([{ unit: unit.id, figure: figure.name, value }], `${title} of ${unit.id}: ${value}`, (why) => {
        this.refused = { unit: unit.id, figure: figure.name, value, why };
        this.drawUnit();
      });
    };
    const refused = this.refused?.unit === unit.id && this.refused.figure === figure.name ? this.refused : null;
    if (figure.choices?.length) {
      const select = h('select', { 'data-key': `figure-${figure.name}` }, figure.choices.map((choice) => h('option', { value: choice, selected: choice === figure.value }, choice)));
      select.onchange = () => change(select.value);
      return h('label', { class: 'figure' }, h('span', null, title), select);
    }
    const input = h('input', { type: 'text', size: 6, value: refused?.value ?? figure.value, 'data-key': `figure-${figure.name}`, 'aria-invalid': refused ? 'true' : undefined, inputmode: figure.low !== undefined ? 'numeric' : undefined });
    input.onchange = () => change(input.value.trim());
    return h('label', { class: 'figure' }, h('span', null, title, figure.low !== undefined && h('small', null, figure.high !== undefined && figure.high < WHOLE ? ` ${figure.low} to ${figure.high}` : ` ${figure.low} or more`)), input, refused && h('span', { class: 'bad', role: 'alert' }, `${refused.value} was not written: `, findings(refused.why, this.model)));
  }
}

/** Returns the title of an action, or its name as words. */
const actionTitle = ({ title, call }: Offer): string => (title === call ? inWords(title) : title);

export function refusal(each: Refusal, model: Model, clause: (clause: any) => void): HTMLElement {
  return h('li', null, h('span', { class: 'refused-title' }, actionTitle(each)), ' – ', each.place ? button(each.reason, () => (model.look.value = { ...each.place!, focus: false }), { class: 'link' }) : h('span', null, each.reason), clauses(each.clauses, clause));
}
