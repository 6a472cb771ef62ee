// Previous runs: a script is kept when the user leaves it for another one. The user can name and rerun it, or rerun all of them
// after an edit and see the result of each.

import { announce, button, h, put } from '../dom';
import { EngineError } from '../engine/engine';
import type { Model } from '../model';
import { inWords, named } from '../numbers';
import type { Answer, Played } from '../protocol';
import { Hand, isMade } from './hand';

/** A previous run. `byHand` and `mine`: who rolled and decided; `came`: its result when the user left it. */
export interface Line { name: string; seed: number; script: Answer[]; byHand?: boolean; mine?: string[]; came?: string }

/** Returns the result of a run as text. */
export function outcome({ ended, fault, report, waits }: Played): string {
  if (!ended) return waits ? `waits for “${inWords(waits.title.split('.').at(-1)!)}”` : 'not finished';
  return fault ?? (report?.length ? report.map((each) => `${named(each)}: ${each.value}`).join(' · ') : 'finished');
}

const MOST = 40;

export class Lines {
  private readonly head = h('summary');
  private readonly body = h('div');
  readonly element = h('details', { class: 'lines' }, this.head, this.body);
  private lines: Line[] = [];
  /** The results of the last rerun of all runs. */
  private readonly becomes = new Map<Line, string>();
  private playing = false;

  constructor(private readonly model: Model, private readonly replay: (line: Line) => void) {
    model.scene.on(() => this.read(), true);
  }

  private get key(): string {
    return `grognard-lines:${this.model.scene.value}`;
  }

  private read(): void {
    this.becomes.clear();
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? '[]') as unknown;
      this.lines = Array.isArray(kept) ? (kept.filter((line) => Array.isArray(line?.script) && typeof line.name === 'string') as Line[]).slice(0, MOST) : [];
    } catch {
      this.lines = [];
    }
    this.draw();
  }

  private keep(): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.lines));
    } catch {
      // without storage, the list is kept while the page is open
    }
    this.draw();
  }

  /** Stores a run. A run that continues another one replaces it. */
  note({ seed, script, ...who }: Omit<Line, 'name'>): void {
    if (!script.length) return;
    const text = JSON.stringify(script).slice(0, -1);
    if (this.lines.some((line) => line.seed === seed && JSON.stringify(line.script).startsWith(text))) return;
    const grown = this.lines.findIndex((line) => line.seed === seed && text.startsWith(JSON.stringify(line.script).slice(0, -1)));
    const last = script.at(-1)!;
    const name = 'choose' in last ? inWords(last.choose) : 'roll' in last ? `rolled ${last.roll.join(' ')}` : 'default';
    const line = { name: `${script.length}: ${name}`, seed, script: [...script], ...who };
    if (grown >= 0) this.lines[grown] = { ...line, name: /^\d+: /.test(this.lines[grown]!.name) ? line.name : this.lines[grown]!.name };
    else this.lines = [line, ...this.lines].slice(0, MOST);
    this.keep();
  }

  /** Replays a run with its answers; other players answer as they did. */
  private async played(line: Line): Promise<string> {
    const { model } = this;
    const hand = new Hand();
    hand.begin([...line.script], { byHand: line.byHand ?? false, mine: new Set(line.mine) });
    let value: Played;
    do value = await model.engine.ask('grognard/play', { path: model.scene.value, settings: model.settings.value, seed: line.seed, ...hand.params });
    while (hand.goesOn(value));
    if (value.misfit) return `no longer fits: ${value.misfit.why}`;
    const now = outcome(value);
    const [was, is] = [line.script, value.ended ? hand.script.slice(0, value.marks.length - 1) : hand.script].map((script) => script.filter((answer) => !isMade(answer)).length) as [number, number];
    const left = was - is;
    const less = left > 0 ? `; ${left} ${left === 1 ? 'answer is' : 'answers are'} no longer needed` : '';
    return (line.came === undefined ? `result: ${now}` : line.came === now ? `same result: ${now}` : `result was ${line.came}, is now ${now}`) + less;
  }

  private async playAll(): Promise<void> {
    const scene = this.model.scene.value;
    this.becomes.clear();
    this.playing = true;
    this.draw();
    for (const line of [...this.lines]) {
      const result = await this.played(line).catch((why: Error) => why);
      if (scene !== this.model.scene.value || (result instanceof EngineError && result.outdated)) break;
      this.becomes.set(line, result instanceof Error ? result.message : result);
      this.draw();
    }
    this.playing = false;
    this.draw();
    announce(`${this.becomes.size} of ${this.lines.length} runs repeated`);
  }

  private draw(): void {
    this.element.hidden = !this.lines.length;
    this.head.textContent = `Previous runs (${this.lines.length})`;
    put(
      this.body,
      h('p', { class: 'soft buttons' }, button('Rerun all', () => void this.playAll(), { disabled: this.playing, 'data-key': 'play-all' }), ' with the current rules. The result is shown next to each run.'),
      h(
        'ul',
        { class: 'plain' },
        this.lines.map((line) => {
          const name = h('input', { type: 'text', value: line.name, 'aria-label': 'Name of this run', maxlength: 80 });
          name.onchange = () => {
            line.name = name.value;
            this.keep();
          };
          return h('li', null, name, h('span', { class: 'soft' }, `seed ${line.seed}, ${line.script.length} ${line.script.length === 1 ? 'answer' : 'answers'}`), this.becomes.has(line) && h('span', { class: /^(no longer|result was)/.test(this.becomes.get(line)!) ? 'moved-line' : 'soft' }, this.becomes.get(line)), button('Rerun', () => this.replay(line)), button('Delete', () => ((this.lines = this.lines.filter((each) => each !== line)), this.keep())));
        }),
      ),
    );
  }
}
