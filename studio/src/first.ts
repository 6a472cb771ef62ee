// The files, the number and the view that the page opens on a first visit and after a reload.

import type { Turned } from './model';
import type { View } from './share';

/** `number` is the param of the book that the text shows; `dial` is the param with the largest effect on the scenario. */
export const FIRST = { path: 'warstrike/action-phase.rules', scene: 'warstrike/scenarios/firefight.toml', number: 'free_markers', dial: 'hit_on' };
/** The key under which the view is stored. */
export const VIEW = 'grognard-view';
/** The state that a page restores after a reload. `dials` are the changed dials of each book, and `said` is a message that is shown once. */
export interface Remembered extends View, Turned { cursor?: number; pane?: string; dials?: [string, Turned][]; said?: string }
