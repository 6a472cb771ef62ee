// The run that a page shows, kept for the next page.

import type { Left } from '../share';

const LEFT = 'grognard-run';

export function store(left: Left): void {
  try {
    localStorage.setItem(LEFT, JSON.stringify(left));
  } catch {
    // without storage, the next page starts at the beginning
  }
}

export function recall(): Left | null {
  try {
    const left = JSON.parse(localStorage.getItem(LEFT) ?? 'null') as Left | null;
    return left && typeof left.scene === 'string' && Array.isArray(left.script) && [left.who, left.waits].every((who) => Array.isArray(who?.mine)) && Number.isInteger(left.at) && (left.seed === null || Number.isInteger(left.seed)) ? left : null;
  } catch {
    return null;
  }
}
