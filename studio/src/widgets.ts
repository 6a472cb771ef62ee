// Dialogs and small parts that several views use.

import { button, h, put, type Child } from './dom';
import { inline } from './editor/markdown';
import type { Shown } from './live';
import type { Model } from './model';
import { certainty, count, cumulative, inWords, LABELS, named, percent, seen, shown, verdict } from './numbers';
import type { Chance, Clause, Dials, Measure, Place } from './protocol';
import { Distribution } from './views/distribution';

/** Shows a dialog. Escape or a button closes it, and the focus returns to where it was. */
export function dialogue(title: string, body: Child, buttons: { name: string; value: string; main?: boolean }[]): Promise<string> {
  return new Promise((resolve) => {
    const before = document.activeElement as HTMLElement | null;
    const box = h('dialog', { 'aria-labelledby': 'dialogue-title' });
    const form = h(
      'form',
      { method: 'dialog' },
      h('h2', { id: 'dialogue-title' }, title),
      body,
      h('p', { class: 'buttons' }, buttons.map((each) => h('button', { value: each.value, class: each.main ? 'main' : '' }, each.name))),
    );
    box.append(form);
    box.addEventListener('close', () => {
      box.remove();
      before?.focus();
      resolve(box.returnValue);
    });
    document.body.append(box);
    box.showModal();
  });
}

/** Asks for a line of text. Returns `null` if the user cancels. */
export async function ask(title: string, why: string, value: string): Promise<string | null> {
  const input = h('input', { type: 'text', value, 'aria-label': title, autofocus: true, maxlength: 120 });
  queueMicrotask(() => input.select());
  const answer = await dialogue(title, [h('p', null, why), input], [{ name: 'OK', value: 'ok', main: true }, { name: 'Cancel', value: '' }]);
  return answer === 'ok' ? input.value.trim() : null;
}

export async function confirm(title: string, why: string, yes: string): Promise<boolean> {
  return (await dialogue(title, h('p', null, why), [{ name: yes, value: 'ok', main: true }, { name: 'Cancel', value: '' }])) === 'ok';
}

/** Makes a menu, which a choice, Escape or a press elsewhere closes. */
export function menu(id: string, title: string, items: Child): HTMLElement {
  const summary = h('summary', null, title);
  const made = h('details', { class: 'menu', id }, summary, h('div', { class: 'menu-list' }, items));
  made.addEventListener('click', ({ target }) => target instanceof HTMLButtonElement && (made.open = false));
  made.addEventListener('keydown', ({ key }) => key === 'Escape' && ((made.open = false), summary.focus()));
  document.addEventListener('pointerdown', ({ target }) => made.open && !made.contains(target as Node) && (made.open = false));
  return made;
}

/** Shows how a number was found, and its sample size. */
export function badge(of: Pick<Chance, 'label' | 'runs'>, runs = of.runs, what = 'runs'): HTMLElement {
  return h('span', { class: `how ${of.label}`, title: LABELS[of.label] }, of.label === 'exact' || !runs ? of.label : `${of.label}, ${count(runs, what)}`);
}

/** Shows a verdict, with its meaning as a tooltip. */
export function judged(word: string): HTMLElement {
  const meaning = verdict(word);
  return h('abbr', { class: `verdict ${meaning.word.replace(/[^a-z]/g, '')}`, title: meaning.says }, meaning.word);
}

/** The prefix of the title of a stand-in. */
const STAND_IN = /^stand-in:\s*/i;
export const isStandIn = (of: { title: string }): boolean => STAND_IN.test(of.title);
export const titled = (of: { title: string; name: string }): string => of.title.replace(STAND_IN, '') || of.name;
export const STANDS_IN = 'The rulebook leaves this number to a chapter or document that these rules do not include. Its value was chosen so that the rules can be played; no clause states it.';

/** Describes where a number comes from, with its clauses, and what uses it, each with its clauses. */
export function origin(dial: { title: string; clauses?: Clause[]; used?: { title: string; place: Place; clauses?: Clause[] }[] }, go: (place: Place) => void, look: (clause: Clause) => void, brief = false): Child {
  // `brief`: the texts are shown once already, above
  const cited = (clause: Clause) => brief ? h('span', { class: 'cited' }, clauses([clause], look)) : h('p', { class: 'cited' }, clauses([clause], look), ' ', clause.says);
  const own = dial.clauses ?? [];
  return [
    own.length ? [h('p', null, 'Stated in'), own.map(cited)] : isStandIn(dial) ? h('p', null, standIn(), brief ? null : ` ${STANDS_IN}`) : h('p', null, 'No clause of the book is cited for it.'),
    !own.length && (dial.used ?? []).some((use) => use.clauses?.length) && !brief && h('p', null, 'The clauses below belong to the rules that use it. They do not state its value.'),
    (dial.used ?? []).map((use) => [h('p', null, 'Used by ', h('button', { type: 'button', class: 'link', onclick: () => go(use.place) }, `“${use.title}”`), use.clauses?.length ? ', the rule of' : ', which cites no clause.'), (use.clauses ?? []).slice(0, 6).map(cited)]),
  ];
}

/** Shows a name of the rules as words, followed by the name itself in small type. */
export function worded(name: string, words = inWords(name)): Child {
  return [words, words.toLowerCase() !== name && [' ', h('code', null, name)]];
}

/** Returns the title of an alternative of a reading, or its name as words. */
export function readAs(dials: Dials | undefined, reading: string, alternative: string): string {
  const name = alternative.replace(`${reading}=`, '');
  return dials?.readings.find((dial) => dial.name === reading)?.alternatives.find((each) => each.name === name)?.title || inWords(name);
}

export function standIn(): HTMLElement {
  return h('span', { class: 'tag stand-in', title: STANDS_IN }, 'stand-in');
}

export function clauses(all: Clause[] | undefined, show?: (clause: Clause) => void): HTMLElement | null {
  if (!all?.length) return null;
  return h(
    'span',
    { class: 'clauses' },
    all.map((clause) => {
      const each = h('button', { type: 'button', class: 'clause', title: clause.says, 'aria-label': `Clause ${clause.id}: ${clause.says}` }, clause.id);
      each.onclick = (event) => {
        event.stopPropagation();
        show?.(clause);
      };
      return each;
    }),
  );
}

/** Shows a distribution as a table whose cells contain bars, so that it serves sighted users and screen readers. */
export function distribution(measure: Measure, before?: Measure): HTMLElement {
  const bars = measure.bars ?? [];
  const most = Math.max(...bars.map((bar) => bar.chance.estimate), ...(before?.bars ?? []).map((bar) => bar.chance.estimate), 1e-9);
  const numbers = bars.every((bar) => bar.value !== '' && !Number.isNaN(Number.parseFloat(bar.value)));
  const sums = cumulative(bars);
  const was = new Map((before?.bars ?? []).map((bar) => [bar.value, bar.chance.estimate]));
  const cell = (share: number) => h('td', { class: 'number' }, percent(Math.min(1, share)));
  return h(
    'table',
    { class: 'distribution' },
    h('caption', null, `Distribution of ${named(measure)}`),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'value'), h('th', { scope: 'col', class: 'wide' }, h('span', { class: 'hidden' }, 'bar')), h('th', { scope: 'col' }, 'chance'), numbers && [h('th', { scope: 'col' }, 'at least'), h('th', { scope: 'col' }, 'at most')])),
    h(
      'tbody',
      null,
      bars.map((bar, n) =>
        h(
          'tr',
          { title: bar.chance.fraction ?? '' },
          h('th', { scope: 'row' }, bar.value),
          h('td', { class: 'wide', 'aria-hidden': 'true' }, h('span', { class: 'track' }, h('i', { style: `width:${((bar.chance.estimate / most) * 100).toFixed(2)}%` }), was.has(bar.value) && h('b', { style: `left:${(((was.get(bar.value) ?? 0) / most) * 100).toFixed(2)}%` }))),
          cell(bar.chance.estimate),
          numbers && [cell(sums[n]?.least ?? 0), cell(sums[n]?.most ?? 0)],
        ),
      ),
    ),
  );
}

/** Shows one measure: its value, its certainty, and its earlier value. `runs` is the sample size if the measure does not state it. */
export function measureBlock(measure: Measure, before: Measure | undefined, runs?: number): HTMLElement {
  const { value } = measure;
  const other = value && before?.value ? seen(value, before.value) : 'same';
  const moved = other === 'moved';
  const head: Child[] = [
    h('span', { class: 'what', title: measure.measure }, named(measure), measure.sort === 'mean' && h('small', null, ' on average')),
    value && h('span', { class: 'value' }, shown(measure, value)),
    value && h('span', { class: 'ends' }, certainty(measure, value)),
    value && badge(value, value.runs ?? runs),
    moved && h('span', { class: 'was' }, h('span', { 'aria-hidden': 'true' }, value!.estimate > before!.value!.estimate ? '▲ ' : '▼ '), `before ${shown(before!, before!.value!)}`),
    other === 'undecided' && h('span', { class: 'soft undecided' }, judged('undecided'), `: before ${shown(before!, before!.value!)}`),
  ];
  const gauge =
    measure.sort === 'chance' && value
      ? h('div', { class: 'gauge wide', 'aria-hidden': 'true' }, h('i', { style: `width:${((value.estimate ?? value.low ?? 0) * 100).toFixed(2)}%` }), value.low !== undefined && value.label !== 'exact' && h('u', { style: `left:${(value.low * 100).toFixed(2)}%;width:${(((value.high ?? value.low) - value.low) * 100).toFixed(2)}%` }), moved && h('b', { style: `left:${(before!.value!.estimate * 100).toFixed(2)}%` }))
      : null;
  const block = h('section', { class: `measure ${moved ? 'moved' : ''}` }, h('p', { class: 'line' }, head), gauge);
  if (measure.bars && measure.bars.length > 1 && measure.sort !== 'chance') {
    const details = h('details', { 'data-key': `bars ${measure.measure}` }, h('summary', null, 'Distribution'), distribution(measure, before));
    details.addEventListener('toggle', () => {
      if (!details.open || details.querySelector('.shape')) return;
      const chart = new Distribution();
      details.append(chart.element);
      const was = before?.bars && before !== measure && moved ? [{ name: 'before', colour: 0, measure: before }] : [];
      chart.show([...was, { name: 'now', colour: 1, measure }]);
    });
    block.append(details);
  }
  return block;
}

/** A finding as messages print it: `core.rules:12:3: error[R0104]: the line ends after ..`. */
const FOUND = /^(\S+?\.(?:rules|toml)):(\d+):(\d+): (?:error|warning)\[(R\d{4})\]: (.*)$/;

/** Returns the running time of a question in seconds, shown while the user waits. */
const waited = (since: number): string => ` ${Math.round((performance.now() - since) / 1000)} s`;
setInterval(() => document.querySelectorAll<HTMLElement>('.waited').forEach((each) => (each.textContent = waited(Number(each.dataset.since)))), 1000);
/** A stop button appears after this time, in milliseconds. */
const SOON = 800;

/**
 * Shows the state of a question in one line; `what` names the computation. Of several errors, one in the text that the user edits comes
 * first. With `live`, the line has a button to stop or continue.
 */
export function status(place: HTMLElement, shownOf: Shown<unknown>, model: Model, what = 'computing', live?: { since: number; stop(): void; refresh(same?: boolean): void }): void {
  place.className = `status ${shownOf.why ? 'bad' : ''}`;
  if (shownOf.running) {
    const wait = live && h('span', { class: 'later', style: `animation-delay:${Math.max(0, SOON - (performance.now() - live.since))}ms` }, h('span', { class: 'waited', 'data-since': live.since, 'aria-hidden': 'true' }, waited(live.since)), ' ', button('Stop', () => live.stop(), { class: 'link', 'data-key': 'halt' }));
    return put(place, `${what} …`, wait);
  }
  if (shownOf.stopped && live) return put(place, shownOf.older ? 'Showing an older result. The new computation is stopped: ' : 'stopped: ', button('Continue', () => live.refresh(!shownOf.older), { class: 'link', 'data-key': 'halt' }));
  if (!shownOf.why) return put(place);
  put(place, shownOf.value ? 'Showing an older result: ' : '', findings(shownOf.why, model));
}

/** Shows an error as text. Its locations are links, and those in the open text come first. */
export function findings(why: string, model: Model): Child {
  const near = (path: string | undefined): number => (path === model.path.value ? 0 : path !== undefined && model.changed.value.has(path) ? 1 : path?.endsWith('.rules') ? 2 : 3);
  const lines = why.split('\n').map((line) => ({ line, found: FOUND.exec(line) }));
  if (!lines[0]?.found) return inline(why);
  const all = lines.filter((each) => each.found).sort((a, b) => near(a.found![1]) - near(b.found![1]));
  const entry = ({ found }: (typeof all)[number]): Child => {
    const [, path = '', line = '', column = '', code = '', message = ''] = found!;
    const at = { line: Number(line) - 1, character: Number(column) - 1 };
    return [h('button', { type: 'button', class: 'link', onclick: () => (model.look.value = { path, range: { start: at, end: at }, focus: true }) }, `${path.split('/').pop()} line ${line}`), ': ', inline(message), ` (${code})`];
  };
  const [first, ...more] = all;
  return [entry(first!), more.length > 0 && h('details', null, h('summary', null, `${more.length} more`), h('ul', { class: 'plain' }, more.slice(0, 20).map((each) => h('li', null, entry(each)))))];
}
