// Undo of the last change: of a parameter, or of the open text.

import { announce, Signal } from './dom';
import type { Editor } from './editor/editor';
import { gameOf } from './games';
import type { Model } from './model';
import type { Settings } from './protocol';

/** Changes of the same slider within this time are one change, in milliseconds. */
const SOON = 500;
const MOST = 100;

/** The parameters before a change, and where the text was then. */
interface Step { settings: Settings; at: number; path: string; depth: number }

export class Past {
  readonly can = new Signal(false);
  private steps: Step[] = [];
  private last: Settings;
  private game: string;
  /** When a text was changed last. */
  private typed = 0;
  private undoing = false;

  constructor(private readonly model: Model, private readonly editor: Editor) {
    this.last = model.settings.value;
    this.game = gameOf(model, model.scene.value);
    model.typed.on(() => (this.typed = performance.now()));
    model.settings.on((settings) => this.turned(settings));
    editor.undoable.on(() => this.tell(), true);
  }

  private tell(): void {
    this.can.value = this.editor.undoable.value || this.steps.length > 0;
  }

  private turned(settings: Settings): void {
    const { model, last } = this;
    this.last = settings;
    const game = gameOf(model, model.scene.value);
    // another game has its own parameters
    if (game !== this.game) [this.game, this.steps] = [game, []];
    else if (!model.following && !this.undoing) {
      const now = performance.now();
      const top = this.steps.at(-1);
      if (top && now - top.at < SOON && this.typed < top.at) top.at = now;
      else this.steps = [...this.steps.slice(1 - MOST), { settings: last, at: now, path: model.path.value, depth: this.editor.depth }];
    }
    this.tell();
  }

  undo(): void {
    const { editor, model } = this;
    const step = this.steps.at(-1);
    if (!step || (editor.undoable.value && (step.path === model.path.value ? editor.depth > step.depth : this.typed > step.at))) return editor.undo();
    this.steps.pop();
    this.undoing = true;
    model.settings.value = step.settings;
    this.undoing = false;
    announce('Undone');
  }
}
