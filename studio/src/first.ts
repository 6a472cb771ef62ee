// The files, the param and the view that the page opens on a first visit and after a reload.

import type { View } from './share';

export const FIRST = { path: 'warstrike/core.rules', scene: 'warstrike/scenarios/firefight.toml', param: 'hit_on' };
/** The key under which the view is stored. */
export const VIEW = 'grognard-view';
/** The state that a page restores after a reload. */
export interface Remembered extends View { cursor?: number; pane?: string; followed?: [string, string][]; left?: string[] }
