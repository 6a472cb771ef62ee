// Odds: the results of the scenario, all odds of one lens from the margin, and the dials that affect both.

import { announce, button, draw, equal, h, put, sleep, type Child } from '../dom';
import type { Live } from '../live';
import { inline } from '../editor/markdown';
import { EngineError } from '../engine/engine';
import { FIRST } from '../first';
import { folderOf, free, nameOf } from '../games';
import { type Model, noSettings } from '../model';
import { among, count, decimal, named, percent, plain, seen, shown as formatted } from '../numbers';
import type { Check, Clause, Dials, DistributionAnswer, Lens, Measure, Methods, Outlook, ParamDial, Place, ReadingDial, SwingFacts } from '../protocol';
import { shaped } from './distribution';
import { ask, badge, clauses, distribution, findings, isStandIn, measureBlock, origin, readAs, standIn, status, titled } from '../widgets';

/** Explains the parts of a bar. */
const legend = (sampled: boolean, moved: boolean): string => `A full bar is 100 %${sampled ? '; the colored stretch at its end is the 95 % confidence interval' : ''}${moved ? '; the mark shows the earlier value' : ''}.`;

/** Returns the decimal value of a fraction in the reason of a failed expectation. */
function about(check: Check): string {
  const [, above, below] = / it is (\d+)\/(\d+)$/.exec(check.why ?? '') ?? [];
  const of = Number(above) / Number(below);
  return Number.isFinite(of) ? `, about ${check.text.startsWith('mean ') ? decimal(of) : percent(of)}` : '';
}

/** Returns the value of a fraction given as text. */
const valueOf = (fraction: string): number => fraction.split('/').map(Number).reduce((above, below) => above / below);
/** Maximum number of rolls shown for one measure. */
const MOST_ROLLS = 12;

/** Longer lists of params, readings or expectations are folded. */
const MANY = 4;
const MOST_CHECKS = 200;

/** Returns the next stop for a thumb between two stops or beyond the last one. */
const nextStop = (from: number, to: number): number => {
  const near = Math.round(to);
  return Number.isInteger(from) || to > from === near > from ? near : to > from ? Math.ceil(to) : Math.floor(to);
};

export class OddsView {
  readonly element: HTMLElement;
  private readonly outlook: Live<'grognard/outlook'>;
  private readonly dials: Live<'grognard/dials'>;
  private readonly whole: Live<'grognard/distribution'>;
  private readonly tested: Live<'grognard/test'>;
  private lens: Lens | null = null;
  private lensPath = '';
  private before: Measure[] | null = null;
  /** Whether the user selected the baseline of later odds. */
  private chosen = false;
  /** The partial odds of the original texts, used as the baseline until more is known. */
  private came: Measure[] | null = null;
  private filter = '';
  /** The value of each dial in the book before any change. */
  private readonly book = new Map<string, string>();
  /** Whether `book` is filled. */
  private known = false;
  /** Requests that were sent for the original texts of this scenario. */
  private readonly asked = new Set<'dials' | 'outlook'>();
  /** Dials whose origin is unfolded. */
  private readonly unfolded = new Set<string>();
  /** The value of each dial at the time of the baseline. */
  private baseline: Map<string, string> | null = null;
  /** Names that the scenario itself sets. */
  private spoken: ReadonlySet<string> = new Set();
  private readonly places = { lens: h('section', { class: 'lens-whole' }), outlook: h('section'), tested: h('section', { class: 'tested' }), notes: h('div'), state: h('p', { class: 'status', role: 'status' }), pinned: h('div'), dials: h('section', { class: 'dials' }) };

  /** `make` creates a scenario for the open rules. */
  constructor(private readonly model: Model, private readonly make: () => void) {
    const scenario = () => (model.scene.value ? { path: model.scene.value, settings: model.settings.value } : null);
    this.outlook = model.live('grognard/outlook', scenario);
    this.dials = model.live('grognard/dials', scenario);
    this.tested = model.live('grognard/test', scenario);
    this.whole = model.live('grognard/distribution', () => (this.lens ? { path: this.lensPath, lens: this.lens.id, settings: model.settings.value } : null));
    const { places } = this;
    const find = h('input', { type: 'search', placeholder: 'Find a param or a reading', 'aria-label': 'Find a param or a reading' });
    find.oninput = () => {
      this.filter = find.value.toLowerCase();
      this.drawDials();
    };
    this.element = h(
      'div',
      { class: 'view odds' },
      places.lens,
      h('section', { class: 'becomes' }, h('div', { class: 'head' }, h('h2', null, 'Results'), places.state), places.outlook),
      places.tested,
      places.notes,
      places.pinned,
      h('div', { class: 'head' }, h('h2', null, 'Parameters'), find),
      places.dials,
    );
    // short results stay visible while the user changes a dial below
    new ResizeObserver(([entry]) => entry && entry.target.classList.toggle('stays', entry.contentRect.height < innerHeight * 0.4)).observe(this.element.querySelector('.becomes')!);
    this.outlook.on(() => this.drawOutlook());
    this.dials.on(() => {
      this.drawDials();
      this.drawOutlook();
    });
    this.whole.on(() => this.drawLens());
    model.apart.on(() => this.drawLens());
    // the odds of one game do not belong next to the text of another
    model.path.on((path) => {
      if (!this.lens || model.book(this.lensPath) === model.book(path)) return;
      this.lens = null;
      this.drawLens();
    });
    this.tested.on(() => {
      this.drawTested();
      this.drawOutlook();
    });
    model.scene.on(() => {
      this.before = this.came = null;
      this.chosen = false;
      // show the results of the new scenario from the top
      this.element.parentElement?.scrollTo(0, 0);
      this.baseline = null;
      this.drawOutlook();
      this.known = false;
      this.asked.clear();
      void this.listen();
    });
  }

  /** Returns whether no text and no dial has changed. */
  private untouched(): boolean {
    return this.model.asItCame;
  }

  /** Requests the odds or dials of the original texts, for changes made before the first answers arrived, as after a reload. */
  private async ofCame<M extends 'dials' | 'outlook'>(method: M, tell?: (part: Methods[`grognard/${M}`][1]) => void): Promise<Methods[`grognard/${M}`][1] | null> {
    const { model } = this;
    const path = model.scene.value;
    const progress = (part: unknown) => model.scene.value === path && tell?.(part as Methods[`grognard/${M}`][1]);
    if (this.asked.has(method) || !path) return null;
    this.asked.add(method);
    await model.calm;
    for (let n = 0; n < 50 && model.scene.value === path; n++) {
      try {
        const found = await model.engine.ask(`grognard/${method}`, { path, settings: noSettings(), texts: model.before() }, { progress });
        return model.scene.value === path ? found : null;
      } catch (why) {
        if (!(why instanceof EngineError && why.outdated)) return null;
        // a text was edited in the meantime
        await sleep(400);
      }
    }
    return null;
  }

  /** Stores the values of all dials before any change. */
  private note(dials: Dials): void {
    const all = [...dials.params, ...dials.readings];
    for (const dial of all) this.book.set(`${dial.place?.path} ${dial.name}`, dial.book);
    this.baseline = new Map(all.map((dial) => [dial.name, dial.value]));
    this.known = true;
  }

  /** Collects the names that the scenario sets. */
  private async listen(): Promise<void> {
    const text = (await this.model.text(this.model.scene.value)) ?? '';
    this.spoken = new Set([...text.matchAll(/^\s*([a-z]\w*)\s*=/gm)].map((found) => found[1]!));
    this.drawDials();
  }

  show(awake: boolean): void {
    this.outlook.show(awake);
    // dials that follow the text apply in every view, so they are updated even if this view is hidden
    if (awake) this.dials.show(true);
    else void this.model.calm.then(() => this.dials.show(true));
    this.tested.show(awake);
    this.whole.show(awake && this.lens !== null);
  }

  /** Shows all odds of a lens from the margin. */
  open(path: string, lens: Lens): void {
    this.lens = lens;
    this.lensPath = path;
    this.whole.clear();
    this.whole.show(true);
    this.whole.refresh();
    this.places.lens.scrollIntoView({ block: 'start' });
    announce(`All odds of ${lens.title}`);
  }

  private look = (clause: Clause): void => {
    if (clause.place) this.model.look.value = { ...clause.place, focus: false };
    this.model.notice.value = `${clause.id}: ${clause.says}`;
  };

  private drawLens(): void {
    const { lens } = this;
    if (!lens) return put(this.places.lens);
    const { value, stale, why, running } = this.whole.value;
    const apart = this.model.apartOf(this.lensPath);
    this.places.lens.classList.toggle('stale', stale);
    draw(this.places.lens, [lens, value, !running && why, running, apart, this.dials.value.value], () => this.lensBlock(lens, apart));
  }

  private lensBlock(lens: Lens, apart: string): Child {
    const { value, why, running } = this.whole.value;
    const close = button('×', () => {
      this.lens = null;
      this.drawLens();
    }, { class: 'close', 'aria-label': 'Close' });
    const head = h('div', { class: 'head' }, h('h2', null, value?.title ?? lens.title), close);
    const parts: Child[] = [head, value?.at && h('p', { class: 'soft' }, `computed for ${value.at}`)];
    if (why && !running) parts.push(h('div', { class: 'status bad' }, findings(why, this.model)));
    if (running && !value) parts.push(h('p', { class: 'status' }, 'computing all odds …'));
    for (const measure of value?.measures ?? lens.measures) {
      const single = measure.value && h('p', { class: 'line' }, h('span', { class: 'what' }, named(measure)), h('span', { class: 'value' }, formatted(measure, measure.value)), measure.value.fraction && h('span', { class: 'ends' }, measure.value.fraction), badge(measure.value));
      const [only] = measure.bars ?? [];
      const several = (measure.bars?.length ?? 0) > 1;
      const title = !single && only && h('p', { class: 'line' }, h('span', { class: 'what' }, named(measure)), !several && h('span', { class: 'value' }, `${only.value}, always`));
      parts.push(h('div', null, single, title, several && distribution(measure)));
    }
    if (apart) parts.splice(1, 0, h('p', { class: 'note' }, `These odds use ${apart}.`));
    if (value) parts.push(this.decides(value));
    return parts;
  }

  /** Shows the rolls, params, readings and clauses that cause the odds. */
  private decides(value: DistributionAnswer): Child {
    const { model } = this;
    const go = (place: { path: string; range: any } | undefined, text: string) => (place ? button(text, () => (model.look.value = { ...place, focus: true }), { class: 'link' }) : h('span', null, text));
    const rows: Child[] = [];
    // long lists are folded
    const list = <T>(what: string, all: T[] | undefined, one: (each: T) => Child): void => {
      if (!all?.length) return;
      const items = (some: T[]): Child => some.map((each, n) => [n > 0 && ', ', one(each)]);
      rows.push(h('li', null, all.length <= MANY ? [`${what}: `, items(all)] : h('details', null, h('summary', null, `${what}: ${all.length}`), items(all))));
    };
    const answers = value.finding?.answers?.filter((answer) => answer.why?.rolls) ?? [];
    for (const { measure, why, outcomes } of answers) {
      // the numbers of a condition are shares
      const share = outcomes.some(({ value }) => typeof value === 'boolean');
      const number = (fraction: string): string => (share ? percent(valueOf(fraction)) : decimal(valueOf(fraction)));
      const one = (roll: SwingFacts): Child => h('li', null, `${roll.name}${roll.of ? ` of ${roll.of}` : ''} `, valueOf(roll.moves) ? `changes the mean by ${number(roll.moves)}${roll.least !== null && roll.greatest !== null ? `, to between ${number(roll.least)} and ${number(roll.greatest)}` : ''}; ${percent(valueOf(roll.share))} of the variance` : 'has no effect');
      if (why!.rolls!.length) rows.push(h('li', null, `Dice, for ${named({ measure })}${why!.label === 'exact' ? '' : ` (${why!.label})`}:`, h('ul', null, why!.rolls!.slice(0, MOST_ROLLS).map(one))));
    }
    list('Params', value.params, (param) => go(param.place, `${titled(param)} ${param.value}`));
    const known = value.finding?.answers?.find((answer) => answer.why)?.why?.readings ?? [];
    const never = new Set(known.filter((reading) => valueOf(reading.probability) === 0).map((reading) => reading.name));
    const sometimes = new Map(known.map((reading) => [reading.name, valueOf(reading.probability)]));
    list('Readings', value.readings?.filter((reading) => !never.has(reading.name)), (reading) => [go(reading.place, `${titled(reading)}: ${readAs(this.dials.value.value, reading.name, reading.value)}`), (sometimes.get(reading.name) ?? 1) < 1 && `, in ${percent(sometimes.get(reading.name)!)} of the runs`]);
    if (never.size) rows.push(h('li', { class: 'soft' }, `${never.size} of ${known.length} readings are not used in any run${answers.every(({ why }) => why!.label === 'exact') ? '' : ' that was explored'}`));
    if (value.clauses?.length) rows.push(h('li', null, 'Clauses: ', clauses(value.clauses, this.look)));
    return rows.length ? [h('h3', null, 'Causes'), h('ul', { class: 'plain' }, rows)] : null;
  }

  /** Shows the expectations of the scenario, and whether they hold with the current rules and dials. */
  private drawTested(): void {
    const { value, stale, running } = this.tested.value;
    this.places.tested.classList.toggle('stale', stale && !running);
    const failing = stale ? [] : (value?.checks ?? []).filter((check) => check.holds === false && check.place);
    const failed = { path: failing[0]?.place?.path ?? '', found: failing.map(({ place, why }) => ({ range: place!.range, severity: 2 as const, message: why ?? 'does not hold' })) };
    if (!stale && !equal(failed, this.model.failed.value)) this.model.failed.value = failed;
    if (!value || !(value.checks.length || value.faults.length)) return draw(this.places.tested, [], () => null);
    const { checks, faults } = value;
    const hold = checks.filter((check) => check.holds).length;
    const good = hold === checks.length && !faults.length;
    // a user who changes a number expects other results
    const changed = !this.untouched() && !faults.length;
    const broken = checks.filter((check) => check.holds === false).length;
    const head = !good && changed && broken ? `${broken} of ${count(checks.length, checks.length === 1 ? 'expectation' : 'expectations')} of the original ${broken === 1 ? 'no longer holds' : 'no longer hold'}` : `${hold} of ${checks.length} expectations hold`;
    const row = (check: Check): Child =>
      h(
        'li',
        { class: check.holds ? 'holds' : check.holds === false ? 'fails' : 'open' },
        h('span', { class: 'sign', 'aria-hidden': 'true' }, check.holds ? '✓' : check.holds === false ? '✗' : '?'),
        h('span', { class: 'hidden' }, check.holds ? 'holds: ' : check.holds === false ? (/^(`.*` )?does not hold/.test(check.why ?? '') ? '' : 'does not hold: ') : 'not checked: '),
        check.place ? button([h('code', null, check.text)], () => (this.model.look.value = { ...check.place!, focus: true }), { class: 'link' }) : h('code', null, check.text),
        typeof check.step === 'number' && h('span', { class: 'soft' }, `after step ${check.step + 1}`),
        check.why && h('span', { class: 'why' }, inline(check.why.replace(`\`${check.text}\` `, '') + about(check))),
      );
    const { dialled } = this.model;
    draw(this.places.tested, [value, dialled, changed], () =>
      h(
        'details',
        { class: changed ? 'changed' : '', open: !good || checks.length <= MANY || this.places.tested.querySelector('details')?.open || undefined },
        h('summary', null, h('b', { class: good ? 'holds' : changed ? 'differs' : 'fails' }, head)),
        !good && dialled && h('p', { class: 'soft' }, 'These use the current parameters, which differ from the scenario.'),
        faults.map((fault) => h('p', { class: 'status bad' }, inline(fault))),
        h('ul', { class: 'plain' }, checks.slice(0, MOST_CHECKS).map(row)),
        checks.length > MOST_CHECKS && h('p', { class: 'soft' }, `and ${checks.length - MOST_CHECKS} more`),
      ),
    );
  }

  private drawOutlook(): void {
    const shown = this.outlook.value;
    const { value, stale } = shown;
    status(this.places.state, shown, this.model, undefined, this.outlook);
    if (value || shown.why) this.model.begun();
    this.places.outlook.classList.toggle('stale', stale);
    if (!value) return put(this.places.outlook, !this.model.scene.value && h('p', { class: 'soft' }, 'No scenario uses these rules yet. ', button('Create one …', this.make, { class: 'link', 'data-key': 'make' }))), put(this.places.notes);
    const measures = shaped(value);
    // the first answer is the baseline of later ones
    if (this.untouched()) {
      if (!this.before && stale && shown.part) this.came = value.measures;
      else if (!stale && !this.chosen) this.before = value.measures;
    } else if (!this.before || this.before === this.came) {
      this.before = this.came;
      const known = (came: Pick<Outlook, 'measures' | 'finding'>) => {
        if (this.before !== this.came) return;
        shaped(came);
        this.before = this.came = came.measures;
        this.drawOutlook();
      };
      void this.ofCame('outlook', known).then((came) => came && known(came));
    }
    if (value.measures.some((measure) => measure.value) && !performance.getEntriesByName('first-odds').length) performance.mark('first-odds');
    const before = new Map((this.before ? shaped({ measures: this.before }) : []).map((measure) => [measure.measure, measure]));
    const moved = this.before !== null && this.before !== value.measures && value.measures.some((measure) => {
      const was = before.get(measure.measure)?.value;
      return measure.value && (!was || seen(measure.value, was) === 'moved');
    });
    const { running } = shown;
    draw(this.places.outlook, [value, this.before, moved, this.tested.value.value, running && value.runs !== value.asked], () => [
      value.measures.length === 0 && h('p', { class: 'soft' }, this.tested.value.value?.checks.length ? 'This scenario is a test and reports no measures. ' : 'This scenario reports no measures. ', inline('To report one, add a block `[report]`, such as `mean = ["men"]`.')),
      measures.map((measure) => measureBlock(measure, before.get(measure.measure), value.runs)),
      h(
        'p',
        { class: 'soft line' },
        value.runs && value.asked && value.runs < value.asked ? `${count(value.runs)} of ${count(value.asked)}${running ? ' so far' : ', then stopped'}` : (value.measures[0]?.how ?? ''),
        value.measures.some((measure) => measure.sort === 'chance' && measure.value) && h('span', null, legend(value.measures.some((measure) => measure.sort === 'chance' && measure.value?.label !== 'exact'), moved)),
        moved && button('Set as baseline', () => ((this.before = value.measures), (this.chosen = true), (this.baseline = null), this.drawDials(), this.drawOutlook()), { class: 'link' }),
      ),
      value.notes?.map((note) => h('p', { class: 'status bad' }, note)),
      value.faults ? h('p', { class: 'status bad' }, `${value.faults} runs ended in an error${value.fault ? `: ${value.fault}` : ''}`) : null,
    ]);
    draw(this.places.notes, [value, this.dials.value.value, this.baseline, this.model.changed.value], () => this.changes());
    if (moved && !stale && !running) announce(value.measures.map((measure) => `${named(measure)} ${measure.value ? formatted(measure, measure.value) : ''}`).join(', '));
  }

  /** Shows the params and readings that differ from the baseline, the rules that use them, and their clauses. */
  private changes(): Child {
    const { value } = this.dials.value;
    const turned = [...(value?.params ?? []), ...(value?.readings ?? [])].filter((dial) => (this.baseline?.get(dial.name) ?? dial.value) !== dial.value);
    const { changed, path, scene } = this.model;
    const texts = [...changed.value].filter((each) => each.endsWith('.rules') && folderOf(each) === folderOf(this.model.rulesOf(scene.value) ?? ''));
    if (!turned.length && !texts.length) return null;
    const go = (place: Place) => (this.model.look.value = { ...place, focus: false });
    return h(
      'div',
      { class: 'note because', 'aria-label': 'Changes and their origin' },
      turned.slice(0, 6).map((dial, n) => [h('p', { class: 'line' }, h('b', null, titled(dial)), h('span', { class: 'value' }, `${this.baseline!.get(dial.name)} → ${dial.value}`)), origin(dial, go, this.look, n > 0 && isStandIn(dial) && isStandIn(turned[0]!)), [dial, ...('used' in dial ? (dial.used ?? []) : [])].some((each) => each.clauses?.length) && h('p', { class: 'soft' }, `${dial.value} is in force. Clauses are quoted as they are written.`)]),
      texts.map((each) => h('p', { class: 'line' }, h('b', null, 'The text of the rules'), ' was changed ', button(each, () => (path.value = each), { class: 'link', 'data-key': `text-${each}` }))),
    );
  }

  private drawDials(): void {
    const { value, stale } = this.dials.value;
    this.places.dials.classList.toggle('stale', stale);
    if (!value) return put(this.places.dials);
    if (!this.known && !stale) {
      if (this.untouched()) this.note(value);
      else void this.ofCame('dials').then((came) => came && (this.note(came), this.drawDials(), this.drawOutlook()));
    } else if (this.known && !this.baseline && !stale) {
      this.baseline = new Map([...value.params, ...value.readings].map((dial) => [dial.name, dial.value]));
    }
    const fits = (dial: { name: string; title: string }) => !this.filter || `${dial.name} ${dial.title}`.toLowerCase().includes(this.filter);
    // dials that the scenario sets come first, then the param that a new user sees first
    const near = (dial: ParamDial | ReadingDial) => (this.spoken.has(dial.name) ? 0 : dial.name === FIRST.dial ? 1 : 2);
    const params = value.params.filter(fits).sort((a, b) => near(a) - near(b));
    const readings = value.readings.filter(fits).sort((a, b) => near(a) - near(b));
    const { settings, dialled } = this.model;
    const all = [...value.params, ...value.readings];
    this.drawPinned(all);
    // a value of the scenario is not listed: the user selected the scenario above
    const apart = all
      .filter((dial) => dial.place && plain(dial.value) !== plain(dial.book) && (settings.value.params[dial.name] ?? settings.value.readings[dial.name]) !== undefined)
      .map((dial) => ({ path: dial.place!.path, text: `${titled(dial)} ${[dial.value, dial.book].map((of) => ('sweep' in dial ? of : readAs(value, dial.name, of))).join(', not ')}` }));
    if (!stale && JSON.stringify(apart) !== JSON.stringify(this.model.apart.value)) this.model.apart.value = apart;
    draw(this.places.dials, [value, this.filter, settings.value, this.spoken, dialled], () => [
      dialled &&
        h('p', { class: 'buttons' }, button('Save as a variant …', () => void this.keep(), { class: 'main', 'data-key': 'keep' }), button('Reset all', () => (this.model.settings.value = { params: {}, readings: {} }), { 'data-key': 'reset' })),
      h('div', null, params.map((dial) => this.param(dial)), readings.map((dial) => this.reading(dial))),
      !params.length && !readings.length && h('p', { class: 'soft' }, this.filter ? 'No param or reading matches.' : 'These rules have no params or readings.'),
    ]);
  }

  /**
   * If a number was changed in the text and the scenario sets it too, the edit would have no visible effect.
   * So the page plays the value of the text. A note reports this, with a button to use the scenario's value.
   */
  private drawPinned(dials: (ParamDial | ReadingDial)[]): void {
    const { model } = this;
    const { followed, left } = model;
    if (!this.known) return;
    const notes = dials.map((dial) => {
      const key = `${dial.place?.path} ${dial.name}`;
      const first = this.book.get(key) ?? dial.book;
      this.book.set(key, first);
      const sort = 'sweep' in dial ? 'params' : 'readings';
      const set = model.settings.value[sort][dial.name];
      const follows = set !== undefined && followed.get(dial.name) === set;
      if (follows ? set !== dial.book : set === undefined && dial.scenario !== undefined && dial.book !== first && !left.has(`${key} ${dial.book}`)) {
        followed.set(dial.name, dial.book);
        queueMicrotask(() => model.follow(sort, dial.name, dial.scenario === undefined ? null : dial.book));
        return null;
      }
      if (!follows || dial.scenario === undefined) return null;
      const leave = (): void => {
        this.leave(dial);
        model.turn(sort, dial.name, null);
      };
      return () => h('p', { class: 'note' }, `“${titled(dial)}” is ${dial.book} in your text, and the page plays this value. The scenario sets ${dial.scenario}. `, button(`Use the scenario's value, ${dial.scenario}`, leave, { class: 'link', 'data-key': `leave-${dial.name}` }));
    });
    draw(this.places.pinned, dials.filter((_, n) => notes[n]), () => notes.map((note) => note?.()));
  }

  /** Records that the user wants the scenario's value instead of the text's. */
  private leave(dial: ParamDial | ReadingDial): void {
    this.model.left.add(`${dial.place?.path} ${dial.name} ${dial.book}`);
  }

  private foot(dial: ParamDial | ReadingDial, set: boolean, sort: 'params' | 'readings'): Child {
    const { model } = this;
    const more = h('details', { class: 'origin', open: this.unfolded.has(dial.name) || undefined }, h('summary', { 'data-key': `origin-${dial.name}` }, 'Origin and use'), origin(dial, (place) => (model.look.value = { ...place, focus: false }), this.look));
    more.ontoggle = () => (more.open ? this.unfolded.add(dial.name) : this.unfolded.delete(dial.name));
    return [
      h(
        'p',
        { class: 'foot' },
        isStandIn(dial) && standIn(),
        set && button(`Reset to ${dial.scenario ?? dial.book}`, () => (this.leave(dial), model.turn(sort, dial.name, null)), { class: 'link', 'data-key': `back-${dial.name}` }),
        dial.scenario !== undefined && dial.scenario !== dial.book && h('span', null, `scenario: ${dial.scenario}, text: ${dial.book}`),
        dial.place && button('show in the text', () => (model.look.value = { ...dial.place!, focus: true }), { class: 'link', 'data-key': `text-${dial.name}` }),
        clauses(dial.clauses, this.look),
      ),
      more,
    ];
  }

  private param(dial: ParamDial): HTMLElement {
    const { model } = this;
    const set = model.settings.value.params[dial.name] !== undefined;
    const usual = dial.scenario ?? dial.book;
    const values = dial.sweep.length > 1 ? dial.sweep : [];
    const now = model.settings.value.params[dial.name] ?? dial.value;
    // a value that is not a stop lies between two stops, or at an end
    const on = values.findIndex((value) => plain(value) === plain(now)) >= 0;
    const at = among(values, now) ?? (values.length - 1) / 2;
    const number = h('input', { type: 'text', value: now, 'aria-label': dial.title || dial.name, size: 5, 'data-key': `number-${dial.name}` });
    const turn = (value: string) => {
      if (value === usual) this.leave(dial);
      model.turn('params', dial.name, value === usual ? null : value);
      // a redrawn element is not announced by itself
      announce(`${titled(dial)}: ${value}${dial.unit && !value.endsWith(dial.unit) ? dial.unit : ''}`);
    };
    number.onchange = () => number.value.trim() && turn(number.value.trim());
    let slider: HTMLInputElement | null = null;
    if (values.length) {
      const unit = dial.unit ?? '';
      slider = h('input', { type: 'range', class: on ? '' : 'off', min: 0, max: values.length - 1, step: on ? 1 : 'any', 'aria-label': dial.title || dial.name, 'aria-valuetext': now + (on ? '' : `, not one of ${values[0]} to ${values.at(-1)}${unit}`), 'data-key': `slider-${dial.name}` });
      slider.value = String(at);
      // the next stop in the direction of the move
      slider.oninput = () => turn(values[on ? Number(slider!.value) : nextStop(at, Number(slider!.value))] ?? now);
    }
    return h(
      'div',
      { class: `dial ${set ? 'set' : ''}`, 'data-dial': dial.name },
      h('p', { class: 'line' }, h('span', { class: 'what' }, titled(dial)), h('code', null, dial.name)),
      h('div', { class: 'turn' }, slider && h('span', { class: 'ticks' }, slider, h('span', { class: 'labels', 'aria-hidden': 'true' }, values.map((value) => h('span', { class: plain(value) === plain(now) ? 'now' : value === usual ? 'usual' : '' }, value + (dial.unit ?? ''))))), number),
      this.foot(dial, set, 'params'),
    );
  }

  private reading(dial: ReadingDial): HTMLElement {
    const { model } = this;
    const set = model.settings.value.readings[dial.name] !== undefined;
    const now = model.settings.value.readings[dial.name] ?? dial.value;
    const usual = dial.scenario ?? dial.book;
    const choices = dial.alternatives.map((each) => {
      const radio = h('input', { type: 'radio', name: `reading-${dial.name}`, value: each.name, checked: each.name === now, 'data-key': `reading-${dial.name}-${each.name}` });
      radio.onchange = () => {
        if (each.name === usual) this.leave(dial);
        model.turn('readings', dial.name, each.name === usual ? null : each.name);
        announce(`${titled(dial)}: ${each.title || each.name}`);
      };
      return h('label', null, radio, h('span', null, each.title || each.name, each.title && h('code', null, each.name)));
    });
    return h(
      'div',
      { class: `dial ${set ? 'set' : ''}`, 'data-dial': dial.name },
      h('fieldset', null, h('legend', null, h('span', { class: 'what' }, dial.title || dial.name)), dial.because && h('p', { class: 'soft' }, dial.because), h('div', { class: 'choices' }, choices)),
      this.foot(dial, set, 'readings'),
    );
  }

  private async keep(): Promise<void> {
    const { model } = this;
    const book = model.book(model.scene.value)?.name ?? 'rules';
    const title = await ask('Save as a variant', 'A variant is a small file that changes these rules. The file is named after its title:', 'House rules');
    if (!title) return;
    const name = free(`${book}/${nameOf(title) || 'variant'}`, { has: (name) => model.paths().includes(`${name}.rules`) });
    try {
      const { path, text } = await model.engine.ask('grognard/variant', { path: model.scene.value, settings: model.settings.value, name, title });
      await model.write(path, text);
      await model.readShelf();
      model.path.value = path;
      model.notice.value = `${path} was saved`;
    } catch (why) {
      model.notice.value = (why as Error).message;
    }
  }
}
