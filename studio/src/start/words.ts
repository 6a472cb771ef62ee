// Texts of the start page.

import { button, h, type Child } from '../dom';

/** Returns how long ago a time was, with a space before it. */
export function ago(time: number): string {
  if (!time) return '';
  const minutes = Math.round((Date.now() - time) / 60_000);
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : minutes < 1440 ? [Math.round(minutes / 60), 'hour'] : [Math.round(minutes / 1440), 'day'];
  return count ? ` ${count} ${unit}${count > 1 ? 's' : ''} ago` : ' just now';
}

/** Removes the addresses from links of Markdown. */
export const plainText = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Returns a message with its code marked. With `use`, the code after "write" is a button that uses it. */
export function codes(text: string, use?: (code: string) => void): Child[] {
  return text.split('`').map((part, n, all) => {
    if (n % 2 === 0) return part;
    return use && /\bwrite $/.test(all[n - 1]!) ? button(part, () => use(part), { class: 'link code' }) : h('code', null, part);
  });
}
