// Dialogues and small parts that several views use.

import { h, put, type Child } from './dom';
import { certainty, cumulative, LABELS, named, percent, shown } from './numbers';
import type { Chance, Clause, Measure } from './protocol';

/** A dialogue; it is closed with Escape or its buttons, and the focus goes back. */
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

/** Asks for a word. */
export async function ask(title: string, why: string, value: string): Promise<string | null> {
  const input = h('input', { type: 'text', value, 'aria-label': title, autofocus: true, maxlength: 120 });
  queueMicrotask(() => input.select());
  const answer = await dialogue(title, [h('p', null, why), input], [{ name: 'OK', value: 'ok', main: true }, { name: 'Cancel', value: '' }]);
  return answer === 'ok' ? input.value.trim() : null;
}

export async function confirm(title: string, why: string, yes: string): Promise<boolean> {
  return (await dialogue(title, h('p', null, why), [{ name: yes, value: 'ok', main: true }, { name: 'Cancel', value: '' }])) === 'ok';
}

export function badge(label: Chance['label']): HTMLElement {
  return h('span', { class: `how ${label}`, title: LABELS[label] }, label);
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

/** A distribution as a table whose cells are bars: the same thing for eyes and for screen readers. */
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
    h('caption', null, `How often each value of ${named(measure)} comes`),
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

/** One measure: its number, what is known of it, and what it was before. */
export function measureBlock(measure: Measure, before: Measure | undefined, stale: boolean, open = false): HTMLElement {
  const { value } = measure;
  const moved = value && before?.value && Math.abs(value.estimate - before.value.estimate) > 1e-12;
  const head: Child[] = [
    h('span', { class: 'what', title: measure.measure }, named(measure), measure.sort === 'mean' && h('small', null, ' on average')),
    value && h('span', { class: 'value' }, shown(measure, value)),
    value && h('span', { class: 'ends' }, certainty(measure, value)),
    value && badge(value.label),
    moved && h('span', { class: 'was' }, h('span', { 'aria-hidden': 'true' }, value.estimate > before.value!.estimate ? '▲ ' : '▼ '), `before ${shown(before, before.value!)}`),
  ];
  const gauge =
    measure.sort === 'chance' && value
      ? h('div', { class: 'gauge wide', 'aria-hidden': 'true' }, h('i', { style: `width:${(value.estimate * 100).toFixed(2)}%` }), value.low !== undefined && value.label !== 'exact' && h('u', { style: `left:${(value.low * 100).toFixed(2)}%;width:${(((value.high ?? value.low) - value.low) * 100).toFixed(2)}%` }), moved && h('b', { style: `left:${(before.value!.estimate * 100).toFixed(2)}%` }))
      : null;
  const block = h('section', { class: `measure ${stale ? 'stale' : ''} ${moved ? 'moved' : ''}` }, h('p', { class: 'line' }, head), gauge);
  if (measure.bars && measure.bars.length > 1 && measure.sort !== 'chance') {
    const details = h('details', { open: open || undefined }, h('summary', null, 'How often each value comes'), distribution(measure, before));
    block.append(details);
  }
  return block;
}

/** Says in a line what is going on with an answer. */
export function status(place: HTMLElement, shownOf: { running: boolean; stale: boolean; why?: string; done?: number; value?: unknown }): void {
  place.className = `status ${shownOf.why ? 'bad' : ''}`;
  put(
    place,
    shownOf.running ? (shownOf.done !== undefined ? `working: ${Math.round(shownOf.done * 100)} %` : 'working …') : shownOf.why ? (shownOf.value ? `an older answer is shown: ${shownOf.why}` : shownOf.why) : '',
  );
}
