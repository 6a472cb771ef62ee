// The guided tour of a first visit: three steps, each next to the part of the page that it explains. The menu starts it again.

import { button, h } from './dom';

export interface Step { at: () => Element | null; title: string; text: string; before?: () => void }

const KEY = 'grognard-toured';

export function toured(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return true;
  }
}

export function tour(steps: Step[]): void {
  let at = 0;
  let card: HTMLElement | null = null;
  const back = document.activeElement as HTMLElement | null;

  const end = (): void => {
    card?.remove();
    document.querySelectorAll('.pointed').forEach((each) => each.classList.remove('pointed'));
    try {
      localStorage.setItem(KEY, 'yes');
    } catch {
      // the tour is shown again next time
    }
    back?.focus();
  };

  const show = (): void => {
    card?.remove();
    document.querySelectorAll('.pointed').forEach((each) => each.classList.remove('pointed'));
    const step = steps[at];
    if (!step) return end();
    step.before?.();
    const last = at === steps.length - 1;
    card = h(
      'aside',
      { class: 'tour', role: 'dialog', 'aria-labelledby': 'tour-title', 'aria-describedby': 'tour-text' },
      h('p', { class: 'soft' }, `${at + 1} of ${steps.length}`),
      h('h2', { id: 'tour-title' }, step.title),
      h('p', { id: 'tour-text' }, step.text),
      h('p', { class: 'buttons' }, button(last ? 'Start' : 'Next', () => (at++, show()), { class: 'main' }), !last && button('Skip', end)),
    );
    card.addEventListener('keydown', (event) => event.key === 'Escape' && end());
    document.body.append(card);
    const shown = card;
    // the step before may have opened another view
    setTimeout(() => {
      const target = step.at();
      target?.classList.add('pointed');
      place(shown, target);
      shown.querySelector<HTMLElement>('button.main')?.focus();
    }, 250);
  };
  show();
}

function place(card: HTMLElement, target: Element | null): void {
  const box = target?.getBoundingClientRect();
  if (!box || innerWidth < 700) return;
  const size = card.getBoundingClientRect();
  const below = box.bottom + 12 + size.height < innerHeight;
  card.style.top = `${Math.max(8, below ? box.bottom + 12 : Math.max(8, Math.min(box.top - size.height - 12, innerHeight - size.height - 8)))}px`;
  card.style.left = `${Math.max(8, Math.min(box.left + 24, innerWidth - size.width - 16))}px`;
  card.style.bottom = 'auto';
  card.style.right = 'auto';
}
