// The tour: three steps on a copy of Squads. Each ends when the reader has done it, and all numbers come from the engine.

import { announce, button, h, put, type Child } from '../dom';
import type { Model } from '../model';
import { percent } from '../numbers';
import type { Measure, Played, TraceLine } from '../protocol';

const KEY = 'grognard-toured';
/** Interval between checks of the page, in milliseconds. */
const OFTEN = 150;

interface Step { title: string; text: string; at(): Element | null; begin?(): void; done(): Child | null | Promise<Child | null> }

/** Numbers up to twelve as words. */
const WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const many = (n: number, one: string, more = `${one}s`): string => `${WORDS[n] ?? n} ${n === 1 ? one : more}`;
const first = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

let ended: (() => void) | null = null;

/** Runs the tour. Escape and the button at its end close it. */
export async function tour(model: Model, pane: (id: string) => void): Promise<void> {
  ended?.();
  const scene = model.scene.value;
  const path = model.rulesOf(scene) ?? model.path.value;
  /** The number that is played: that of its control, else that of the text. */
  const number = async (): Promise<string | undefined> => model.settings.value.params.hit_on ?? /^param hit_on\b[^\n]*? = (\d+)/m.exec((await model.text(path)) ?? '')?.[1];
  const odds = async (): Promise<Measure | undefined> => (await model.engine.ask('grognard/outlook', { path: scene, settings: model.settings.value })).measures[0];
  /** Names the clause that states the number, or that its rule cites. */
  const stated = async (): Promise<Child> => {
    const { params } = await model.engine.ask('grognard/dials', { path: scene, settings: model.settings.value });
    const dial = params.find(({ name }) => name === 'hit_on');
    const [clause] = dial?.clauses ?? [];
    const [use] = dial?.used?.flatMap(({ clauses = [] }) => clauses) ?? [];
    return clause ? ` The number is stated in ${clause.id}.` : use ? ` Its rule is ${use.id}.` : null;
  };
  const [was, before] = await Promise.all([number(), odds()]);
  let events: TraceLine[] = [];
  let story: TraceLine[] = [];
  const run = (): Promise<Played> => model.engine.ask('grognard/play', { path: scene, settings: model.settings.value, script: [] });
  const lost = (each: TraceLine): boolean => each.wrote?.some(({ unit, figure }) => unit === 'raiders' && figure === 'men') ?? false;
  /** Returns the shown line of the first loss. The trace shows the story or every event. */
  const loss = (): Element | null => {
    const texts = [story, events].flatMap((all) => all.find(lost)?.text ?? []);
    return [...document.querySelectorAll('.trace [data-line]')].find((each) => texts.some((text) => each.textContent!.includes(text))) ?? null;
  };
  let clicked = false;
  const listen = ({ target }: Event): void => {
    clicked ||= loss()?.contains(target as Node) ?? false;
  };

  const steps: Step[] = [
    {
      title: 'Change a number.',
      text: `A shot hits on ${was} or more. Make it ${Number(was) - 1 || 3}.`,
      at: () => document.querySelector('.lit-line'),
      async done() {
        if ((await number()) === was || document.querySelector('.becomes .stale')) return null;
        const now = await odds().catch(() => null);
        if (!now?.value || !before?.value) return null;
        const both = now.value.label === 'exact' && before.value.label === 'exact';
        return [h('b', null, now.title ?? now.measure), ` went from ${percent(before.value.estimate, 2)} to ${percent(now.value.estimate, 2)}.`, both && ' Both are exact.', await stated()];
      },
    },
    {
      title: 'Watch one volley.',
      text: 'Press Play.',
      at: () => document.querySelector('[data-key=play]'),
      begin: () => pane('run'),
      async done() {
        ({ events, story } = await run().catch(() => ({ events: [], story: [] })));
        if (!loss()) return null;
        const dice = events.filter((each) => each.dice).map((each) => each.dice!.faces.length);
        const men = events.find(lost)!.wrote![0]!;
        const gone = Number(men.before) - Number(men.after);
        return `${first(many(dice[0] ?? 0, 'die', 'dice'))}, ${many(dice[1] ?? 0, 'hit')}, ${WORDS[gone] ?? gone} not saved. One line for each thing that happened.`;
      },
    },
    {
      title: 'Ask why.',
      text: '',
      at: loss,
      done() {
        // the rule that took the men names the clause
        const hurt = events.find(lost)!;
        const rule = clicked && events.filter((each) => each.n <= hurt.n && each.clauses?.length && (each === hurt || each.depth < hurt.depth)).pop();
        return rule ? h('q', null, `${rule.clauses![0]!.id} ${rule.clauses![0]!.says}`) : null;
      },
    },
  ];

  const card = h('div', { class: 'tour', role: 'dialog', 'aria-label': 'Tour', tabindex: -1 });
  const end = (): void => {
    clearTimeout(timer);
    card.remove();
    removeEventListener('click', listen, true);
    removeEventListener('keydown', escape, true);
    document.querySelectorAll('.pointed').forEach((each) => each.classList.remove('pointed'));
    ended = null;
    try {
      localStorage.setItem(KEY, 'yes');
    } catch {
      // the tour is shown again next time
    }
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') end();
  };
  ended = end;
  addEventListener('click', listen, true);
  addEventListener('keydown', escape, true);
  document.body.append(card);
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let done: Child[] = [];
  let focused = 0;

  const draw = (): void => {
    const step = steps[at];
    put(
      card,
      button('×', end, { class: 'close', 'aria-label': 'Close the tour', 'data-key': 'tour-close' }),
      done.map((text) => h('p', { class: 'done' }, text)).slice(-1),
      step ? [h('p', { class: 'soft' }, `${at + 1} of ${steps.length}`), h('h2', null, step.title), h('p', null, step.text)] : [h('p', null, 'That sentence is your rulebook’s. Change it, or start a game of your own.'), h('p', { class: 'buttons' }, button('Start a new game', () => (end(), window.early?.leave()), { class: 'main', 'data-key': 'tour-new' }))],
    );
    announce(card.textContent ?? '');
    if (!step) card.querySelector<HTMLElement>('[data-key=tour-new]')!.focus();
  };
  const look = async (): Promise<void> => {
    const step = steps[at];
    if (!step || ended !== end) return;
    const target = step.at();
    document.querySelectorAll('.pointed').forEach((each) => each !== target && each.classList.remove('pointed'));
    target?.classList.add('pointed');
    place(card, target);
    // the keys act on what the step speaks of, once it can be used
    if (at > 0 && focused < at && target instanceof HTMLElement && !target.matches(':disabled')) {
      focused = at;
      target.focus();
    }
    const result = await step.done();
    if (ended !== end) return;
    if (result) {
      done = [...done, result];
      at++;
      const next = steps[at];
      if (at === 2) next!.text = `Click “${story.find(lost)!.text.split('; ').pop()}”.`;
      next?.begin?.();
      draw();
    }
    timer = setTimeout(() => void look(), OFTEN);
  };
  draw();
  await look();
}

/** Puts the balloon next to its subject, never on it. Next to a view, it is on the text, so that it covers no line of a log. */
function place(card: HTMLElement, target: Element | null): void {
  const box = target?.getBoundingClientRect();
  if (!box || innerWidth < 760) return;
  const size = card.getBoundingClientRect();
  const views = target!.closest('.right')?.getBoundingClientRect();
  if (views && views.left > size.width + 16) {
    Object.assign(card.style, { top: `${Math.max(8, Math.min(box.top, innerHeight - size.height - 8))}px`, left: `${views.left - size.width - 8}px`, bottom: 'auto', right: 'auto', transform: 'none' });
    return;
  }
  const below = box.bottom + 12 + size.height < innerHeight;
  const top = below ? box.bottom + 12 : Math.max(8, box.top - size.height - 12);
  Object.assign(card.style, { top: `${top}px`, left: `${Math.max(8, Math.min(box.left + 24, innerWidth - size.width - 16))}px`, bottom: 'auto', right: 'auto', transform: 'none' });
}
