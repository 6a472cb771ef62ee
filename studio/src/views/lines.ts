// Lines of play that were tried: each script that was left for another one is kept, can be named, and played again.

import { button, h, put } from '../dom';
import type { Model } from '../model';
import { inWords } from '../numbers';
import type { Answer } from '../protocol';

/** `byHand` and `mine`: who threw and decided. */
export interface Line { name: string; seed: number; script: Answer[]; byHand?: boolean; mine?: string[] }

const MOST = 40;

export class Lines {
  readonly element = h('details', { class: 'lines' });
  private lines: Line[] = [];

  constructor(private readonly model: Model, private readonly replay: (line: Line) => void) {
    model.scene.on(() => this.read(), true);
  }

  private get key(): string {
    return `grognard-lines:${this.model.scene.value}`;
  }

  private read(): void {
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
      // a browser that keeps nothing keeps them while the page is open
    }
    this.draw();
  }

  /** Keeps a line; one that only goes on from another takes its place. */
  note({ seed, script, ...who }: Omit<Line, 'name'>): void {
    if (!script.length) return;
    const text = JSON.stringify(script).slice(0, -1);
    if (this.lines.some((line) => line.seed === seed && JSON.stringify(line.script).startsWith(text))) return;
    const grown = this.lines.findIndex((line) => line.seed === seed && text.startsWith(JSON.stringify(line.script).slice(0, -1)));
    const last = script.at(-1)!;
    const name = 'choose' in last ? inWords(last.choose) : 'roll' in last ? `rolled ${last.roll.join(' ')}` : 'as preferred';
    const line = { name: `${script.length}: ${name}`, seed, script, ...who };
    if (grown >= 0) this.lines[grown] = { ...line, name: /^\d+: /.test(this.lines[grown]!.name) ? line.name : this.lines[grown]!.name };
    else this.lines = [line, ...this.lines].slice(0, MOST);
    this.keep();
  }

  private draw(): void {
    this.element.hidden = !this.lines.length;
    put(
      this.element,
      h('summary', null, `Lines tried (${this.lines.length})`),
      h(
        'ul',
        { class: 'plain' },
        this.lines.map((line) => {
          const name = h('input', { type: 'text', value: line.name, 'aria-label': 'Name of this line', maxlength: 80 });
          name.onchange = () => {
            line.name = name.value;
            this.keep();
          };
          return h('li', null, name, h('span', { class: 'soft' }, `seed ${line.seed}, ${line.script.length} ${line.script.length === 1 ? 'answer' : 'answers'}`), button('Play again', () => this.replay(line)), button('Forget', () => ((this.lines = this.lines.filter((each) => each !== line)), this.keep())));
        }),
      ),
    );
  }
}
