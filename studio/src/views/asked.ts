// The question that a run waits for, with the rule that asks it: its options with their odds, or dice that the user enters.

import { button, h, put, type Child } from '../dom';
import { ahead, inWords, named } from '../numbers';
import type { Ahead, Answer, Clause, Option, Place, Played, PlayOdds, Refusal, TraceLine, Waiting } from '../protocol';
import { clauses, titled, worded } from '../widgets';

/** Maximum number of measures next to each option. If there are more, the user selects one. */
const MOST_BESIDE = 4;
/** A second click within this time was meant for the previous question, in milliseconds. */
const TWICE = 400;
const isSite = ({ event }: TraceLine): boolean => event === 'decision' || event === 'roll' || event === 'draw';

export interface AskedHooks {
  /** `same`: the answer is also given to the same later questions about this unit. */
  answer(answer: Answer, same?: boolean): void;
  /** Leaves all later decisions to the program. */
  rest(): void;
  /** Highlights units on the table. */
  light(units: readonly string[]): void;
  /** Returns the title of a unit, or another name as words. */
  called(id: string): string;
  clause(clause: Clause): void;
  go(place: Place): void;
  refusal(each: Refusal): HTMLElement;
}

export class Asked {
  private readonly head = h('div');
  private readonly body = h('div');
  readonly element = h('section', { class: 'waits', 'aria-label': 'Current question' }, this.head, this.body);
  /** The inputs of the last drawing, so that a pressed button is not redrawn without need. */
  private drawn: { played?: Played; after?: Played; odds?: PlayOdds; working?: boolean } = {};
  /** Whether the next answer is given to the same later questions too. */
  private readonly same = h('input', { type: 'checkbox', 'data-key': 'same', title: 'This decision of this unit, until its phase ends' });
  /** The measure next to the options if there are many. */
  private beside = '';

  /** The time when the question was drawn. */
  private since = 0;

  constructor(private readonly hooks: AskedHooks) {
    // the second click of a double click was meant for the previous question
    const twice = (event: MouseEvent) => event.detail > 1 && performance.now() - this.since < TWICE && (event.stopPropagation(), event.preventDefault());
    this.element.addEventListener('click', twice, true);
  }

  /** Removes the question. */
  clear(content: Child): void {
    this.drawn = {};
    put(this.head);
    put(this.body, content);
  }

  /** Draws the question. `after` is the same run with a default answer: its trace shows which rule asks. `nth` is the index of the answer. */
  draw(played: Played, odds: PlayOdds | undefined, working: boolean, after: Played | undefined, nth: number): void {
    const waits = played.waits!;
    const { options = [], refused = [] } = waits;
    const was = this.drawn;
    const fresh = was.played !== played;
    const held = fresh && this.element.contains(document.activeElement);
    this.drawn = { played, after, odds, working };
    if (fresh) {
      this.since = performance.now();
      this.same.checked = false;
    }
    if (fresh || was.after !== after) put(this.head, this.question(waits, played, after));
    // unfinished input is kept
    if (waits.sort === 'roll' && waits.dice) fresh && put(this.body, this.dice(waits.dice, nth));
    else if (waits.point) fresh && put(this.body, this.point());
    else if (waits.several) fresh && put(this.body, this.several(options, waits.several));
    else if (fresh || was.odds !== odds || was.working !== working)
      put(
        this.body,
        h('p', { class: 'rest' }, h('label', null, this.same, ' The same answer for the rest'), button('Let the program decide the rest', () => this.hooks.rest(), { class: 'link', 'data-key': 'rest' })),
        this.options(options, odds),
        h('p', { class: 'soft', role: 'status' }, working && `odds of each option: ${odds?.options.length ?? 0} of ${options.length} computed …`),
        refused.length > 0 && h('details', { 'data-key': 'refused' }, h('summary', null, `${refused.length} unavailable`), h('ul', { class: 'plain refused' }, refused.map((each) => this.hooks.refusal(each)))),
      );
    // a keyboard user continues with the next question
    if (held && !this.element.contains(document.activeElement)) this.head.querySelector('h3')?.focus({ preventScroll: true });
  }

  private preferred(): HTMLElement {
    return button('Use the default', () => this.hooks.answer({ auto: true }), { 'data-key': 'auto' });
  }

  /** Describes the question: the rule and clause that ask it, the player who decides, and the thing that it is about. */
  private question({ title, who, of, sort, options }: Waiting, { events }: Played, after: Played | undefined): Child {
    const name = title.split('.').at(-1)!;
    // the first event after the answer belongs to the rule that asks; `~` marks a stand-in
    const site = after?.events.slice(events.length).find(isSite);
    const entered = site && [...events].reverse().find((event) => event.event === 'enter' && /^[>~] (\w+)/.exec(event.text)?.[1] === site.rule);
    const rule = entered?.title ? titled({ title: entered.title, name: '' }) : inWords(site?.rule ?? '');
    const asks = sort === 'choose' && options?.length === 2 && options.every(({ line }) => line === 'yes' || line === 'no') ? '?' : '';
    // dice belong to a rule, which names the thing that they are rolled for
    const whom = sort === 'roll' ? [] : [who, of !== who && of].filter(Boolean).map((each) => this.hooks.called(each as string));
    const given = /\((.*?)\)(?= {2}|$)/.exec(entered?.text ?? '')?.[1];
    const cited = site?.clauses?.length ? site.clauses : entered?.clauses;
    const go = site?.place && (() => this.hooks.go(site.place!));
    return [
      h('div', { class: 'line' }, h('h3', { tabindex: -1, 'aria-level': 2, 'data-key': 'question' }, worded(title, inWords(name) + asks), ' ', h('small', null, whom.join(', for '))), sort === 'choose' && this.preferred()),
      h(
        'p',
        { class: 'soft asks' },
        site && [sort === 'roll' ? 'rolled in ' : 'asked in ', go ? button(`“${rule}”`, go, { class: 'link', 'data-key': 'asks' }) : `“${rule}”`, given && ` of ${given}`, ' ', clauses(cited, this.hooks.clause) ?? '(no clause cited)'],
      ),
      cited?.[0] && h('p', { class: 'soft says', title: cited[0].says }, `${cited[0].id}: ${cited[0].says}`),
    ];
  }

  /** Draws the options as rows, with a column of odds for each measure. */
  private options(options: Option[], odds: PlayOdds | undefined): HTMLElement {
    const found = new Map((odds?.options ?? []).map((option) => [option.line, option.measures]));
    const all = odds?.options[0]?.measures ?? [];
    const chosen = all.find(({ measure }) => measure === this.beside) ?? all[0];
    const columns = all.length > MOST_BESIDE ? [chosen!] : all;
    const label = ({ measure, title }: Ahead): string => (title.startsWith('mean ') ? 'mean ' : '') + named({ measure });
    const select = h('select', { 'aria-label': 'Measure next to each option', 'data-key': 'beside' }, all.map((each) => h('option', { value: each.measure, selected: each === chosen }, label(each))));
    select.onchange = () => {
      this.beside = select.value;
      put(this.body.querySelector('.options')!, [...this.options(options, odds).children]);
    };
    const cell = (of: Ahead | undefined): Child => {
      if (!of) return h('td', { class: 'from-here soft' }, odds ? '…' : '');
      const [number, beside] = ahead(of.text);
      return h('td', { class: 'from-here', title: `${of.text}, ${of.label}` }, number, h('small', null, beside || of.label));
    };
    const row = (option: Option): Child => {
      const each = button([this.option(option), option.preferred && h('small', null, ' default')], () => this.hooks.answer({ choose: option.line }, this.same.checked), { 'data-key': `option-${option.line}` });
      const show = () => this.hooks.light(option.touches ?? []);
      each.addEventListener('pointerenter', show);
      each.addEventListener('focus', show);
      const measures = found.get(option.line);
      const cited = clauses(option.clauses, this.hooks.clause);
      return [
        h('tr', null, h('th', { scope: 'row' }, each), columns.map((column) => cell(measures?.find(({ measure }) => measure === column.measure)))),
        cited && h('tr', { class: 'cited' }, h('td', { colspan: columns.length + 1 }, cited)),
      ];
    };
    const heads = columns.length === 1 && all.length > 1 ? h('th', { scope: 'col' }, select) : columns.map((of) => h('th', { scope: 'col' }, label(of)));
    return h('table', { class: 'options' }, h('caption', { class: 'hidden' }, 'Odds of each option'), h('thead', null, h('tr', null, h('td'), heads)), h('tbody', null, options.map(row)));
  }

  /** Shows the title of an option, or its name as words. */
  private option({ line, title }: Pick<Option, 'line' | 'title'>): Child {
    if (title && title !== line) return title;
    return /^\w/.test(line) ? worded(line, this.hooks.called(line)) : line;
  }

  private point(): HTMLElement {
    const input = h('input', { type: 'text', placeholder: '12.5 20', 'aria-label': 'Position on the table in inches: x and y', size: 10, 'data-key': 'point' });
    const give = () => input.value.trim() && this.hooks.answer({ choose: input.value.trim() });
    input.addEventListener('keydown', (event) => event.key === 'Enter' && give());
    return h('p', { class: 'buttons' }, input, button('Use this position', give, { class: 'main' }));
  }

  private several(options: Option[], [least, most]: [number, number]): HTMLElement {
    const boxes = options.map((option) => h('input', { type: 'checkbox', value: option.line, 'data-key': `several-${option.line}` }));
    const give = button('Use these', () => this.hooks.answer({ choose: boxes.filter((box) => box.checked).map((box) => box.value).join(', ') }), { class: 'main', 'data-key': 'these' });
    const count = () => {
      const n = boxes.filter((box) => box.checked).length;
      give.disabled = n < least || n > most;
    };
    boxes.forEach((box) => (box.onchange = count));
    count();
    return h('div', null, h('p', { class: 'soft' }, least === most ? `${least} to choose` : `${least} to ${most} to choose`), h('div', { class: 'choices' }, options.map((option, n) => h('label', null, boxes[n], h('span', null, this.option(option))))), h('p', { class: 'buttons' }, give));
  }

  private dice(dice: NonNullable<Waiting['dice']>, nth: number): HTMLElement {
    const chosen: string[] = [];
    const line = h('span', { class: 'thrown' }, '–');
    const give = button('Use these dice', () => this.hooks.answer({ roll: chosen }), { class: 'main', disabled: true, 'data-key': 'give' });
    const change = (): void => {
      line.textContent = chosen.length ? chosen.join(' ') : '–';
      give.disabled = chosen.length !== dice.count;
    };
    const faces = dice.faces.map((face) =>
      button(face, () => {
        if (chosen.length < dice.count) chosen.push(face);
        change();
      }, { class: 'face', 'data-key': `face-${face}` }),
    );
    // many dice are faster to type than to click; faces of one character need no separator
    const input = h('input', { type: 'text', size: 18, 'aria-label': `Faces of ${dice.count} dice, separated by spaces`, placeholder: '6 5 3 1', 'data-key': `written ${nth}` });
    input.oninput = () => {
      const apart = dice.faces.every((face) => face.length === 1) ? '' : /[\s,;]+/;
      const words = input.value.split(apart).filter((word) => !/^[\s,;]*$/.test(word));
      const wrong = words.find((word) => !dice.faces.includes(word));
      input.setCustomValidity(wrong !== undefined ? `There is no face ${wrong}` : words.length > dice.count ? `There are only ${dice.count} dice` : '');
      input.reportValidity();
      if (input.validity.valid) chosen.splice(0, chosen.length, ...words);
      change();
    };
    input.addEventListener('keydown', (event) => event.key === 'Enter' && !give.disabled && give.click());
    return h(
      'div',
      null,
      h('p', null, dice.die ? dice.name.replaceAll(' of ', ' ') : `${dice.count} drawn`, ': ', line),
      h('p', { class: 'faces' }, faces, dice.count > 1 && h('label', null, 'or ', input)),
      h('p', { class: 'buttons' }, give, button('Remove last die', () => (chosen.pop(), change())), button('Roll for me', () => this.hooks.answer({ auto: true }), { 'data-key': 'throw' })),
    );
  }
}
