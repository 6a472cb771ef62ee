// What a page opens: on a first visit, and where it was left.

import type { View } from './share';

export const FIRST = { path: 'warstrike/core.rules', scene: 'warstrike/scenarios/firefight.toml', find: 'param hit_on' };
/** Where the view is kept. */
export const VIEW = 'grognard-view';
/** What a page finds again when it is loaded anew. */
export interface Remembered extends View { cursor?: number; pane?: string; followed?: [string, string][]; left?: string[] }
