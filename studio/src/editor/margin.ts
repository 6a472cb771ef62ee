// Odds next to the text: a gutter after the lines with a small bar for each test, proc and example.

import { type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, gutter, GutterMarker } from '@codemirror/view';
import { h } from '../dom';
import { decimal, named, percent, shown } from '../numbers';
import type { Lens, Measure } from '../protocol';
import { offset } from './lsp';

/** `note`: the dials that the odds use, if they differ from the text. */
export interface Margin { lenses: Lens[]; stale: boolean; note: string; before: ReadonlyMap<string, string> }

const bars = (measure: Measure): number => measure.bars?.length ?? 0;

/** Returns the mean of numeric bars, or `null` if a value is not a number. */
function mean(measure: Measure): number | null {
  let [sum, all] = [0, 0];
  for (const bar of measure.bars ?? []) {
    if (!/^-?\d+(\.\d+)?$/.test(bar.value)) return null;
    sum += Number(bar.value) * bar.chance.estimate;
    all += bar.chance.estimate;
  }
  return all > 0 ? sum / all : null;
}

/** Returns the most informative measure of a test: a chance, else the last number that varies, else any measure that varies. */
function leading(lens: Lens): Measure | undefined {
  const { measures } = lens;
  const vary = measures.filter((measure) => bars(measure) > 1);
  return measures.find((measure) => measure.sort === 'chance') ?? vary.filter((measure) => mean(measure) !== null).pop() ?? vary[0] ?? measures.at(-1);
}

/** Returns the message for odds that need values from the user, or `null`. */
function needs({ why = '', at }: Lens): string | null {
  if (why.startsWith('write an example')) return `no values are given: ${why}`;
  return why.endsWith('` has no value') ? `${why}. Set it in ${at ? `the example “${at}”` : 'an example that calls it'}, after “with”` : null;
}

/** Returns a short text for a lens. */
export function short(lens: Lens): string {
  if (lens.sort === 'example') return lens.holds === undefined ? '…' : lens.holds ? 'holds' : 'fails';
  if (lens.why) return needs(lens) ? 'needs values' : '?';
  const first = leading(lens);
  if (!first) return '…';
  if (first.value) return shown(first, first.value);
  if (bars(first) === 1) return first.bars?.[0]?.value ?? '…';
  const average = mean(first);
  return average !== null ? `mean ${decimal(average)}` : `${bars(first)} outcomes`;
}

/** Returns whether the short text can be compared with a later one: a number, or whether an example holds. */
export const says = (lens: Lens): boolean => lens.sort === 'example' || /\d/.test(short(lens));

/** Returns the text of a lens as a sentence. */
export function words(lens: Lens): string {
  if (lens.sort === 'example') return `Example “${lens.title}” ${lens.holds === undefined ? 'is not computed yet' : lens.holds ? 'holds' : 'does not hold'}${lens.why ? `: ${lens.why}` : ''}`;
  if (lens.why) return `${lens.title}: no odds yet, because ${needs(lens) ?? lens.why}`;
  const parts = lens.measures.map((measure) => {
    const average = mean(measure);
    const of = bars(measure) === 1 ? (measure.bars?.[0]?.value ?? '') : average !== null ? `${decimal(average)} on average` : `${bars(measure)} outcomes`;
    const value = measure.value ? shown(measure, measure.value) + (measure.value.fraction && measure.value.fraction.length < 20 ? ` (${measure.value.fraction})` : '') : of;
    return `${named(measure)} ${measure.sort === 'mean' ? 'on average ' : ''}${value}`.trim();
  });
  return `${lens.title}: ${parts.join(', ')}${lens.at ? `; computed for ${lens.at}` : ''}. Click to show all odds.`;
}

function picture(measure: Measure): HTMLElement | null {
  if (measure.sort === 'chance' && measure.value) {
    return h('span', { class: 'gauge', 'aria-hidden': 'true' }, h('i', { style: `width:${Math.max(0, Math.min(100, measure.value.estimate * 100)).toFixed(2)}%` }));
  }
  const bars = measure.bars ?? [];
  if (!bars.length) return null;
  const most = Math.max(...bars.map((bar) => bar.chance.estimate), 1e-9);
  const all = bars.slice(0, 24).map((bar) => h('i', { style: `height:${Math.max(4, (bar.chance.estimate / most) * 100).toFixed(1)}%`, title: `${bar.value}: ${percent(bar.chance.estimate)}` }));
  return h('span', { class: 'spark', 'aria-hidden': 'true' }, all);
}

class LensMarker extends GutterMarker {
  constructor(readonly lens: Lens, readonly stale: boolean, readonly moved: string | undefined, readonly note: string, private readonly open: (lens: Lens) => void) {
    super();
  }
  override eq(other: LensMarker): boolean {
    return other.stale === this.stale && other.moved === this.moved && other.note === this.note && JSON.stringify(other.lens) === JSON.stringify(this.lens);
  }
  override toDOM(): Node {
    const { lens } = this;
    const first = leading(lens);
    const state = lens.sort === 'example' ? (lens.holds ? 'holds' : lens.holds === false ? 'fails' : '') : lens.why ? 'unknown' : '';
    const label = words(lens) + (this.moved ? ` Earlier value: ${this.moved}.` : '') + (this.stale ? ' From an older text.' : '') + (this.note && lens.sort !== 'example' ? ` Uses ${this.note}.` : '');
    const each = h(
      'button',
      { type: 'button', class: `lens ${state} ${this.stale ? 'stale' : ''} ${this.moved ? 'moved' : ''}`, 'aria-label': label, title: label, 'data-lens': lens.id },
      lens.sort === 'example' ? h('span', { class: 'sign', 'aria-hidden': 'true' }, lens.holds ? '✓' : lens.holds === false ? '✗' : '') : first ? picture(first) : null,
      h('span', { class: 'amount' }, short(lens)),
      this.moved ? h('span', { class: 'was', 'aria-hidden': 'true' }, this.moved) : null,
    );
    each.onclick = () => this.open(lens);
    return each;
  }
}

const give = StateEffect.define<RangeSet<LensMarker>>();
const shownLenses = StateField.define<RangeSet<LensMarker>>({
  create: () => RangeSet.empty,
  update(now, change) {
    for (const effect of change.effects) if (effect.is(give)) return effect.value;
    if (!change.docChanged) return now;
    // no odds next to deleted lines
    return now.map(change.changes).update({ filter: (from) => change.state.doc.lineAt(from).length > 0 });
  },
});

class Spacer extends GutterMarker {
  override toDOM(): Node {
    return h('span', { class: 'lens spacer' });
  }
}

export function margin(): Extension {
  return [shownLenses, gutter({ class: 'margin', side: 'after', markers: (view) => view.state.field(shownLenses), initialSpacer: () => new Spacer() })];
}

export function showMargin(view: EditorView, all: Margin, open: (lens: Lens) => void): void {
  const doc = view.state.doc;
  const builder = new RangeSetBuilder<LensMarker>();
  const lines = new Map<number, Lens>();
  for (const lens of all.lenses) {
    const from = doc.lineAt(offset(doc, lens.range.start)).from;
    // a failed example takes precedence over one that holds
    const before = lines.get(from);
    if (!before || (before.sort === 'example' && lens.sort !== 'example') || lens.holds === false) lines.set(from, lens);
  }
  for (const [from, lens] of [...lines].sort((a, b) => a[0] - b[0])) {
    const was = all.before.get(lens.id);
    builder.add(from, from, new LensMarker(lens, all.stale, was !== undefined && was !== short(lens) && !all.stale ? was : undefined, all.note, open));
  }
  view.dispatch({ effects: give.of(builder.finish()) });
}
