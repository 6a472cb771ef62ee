// The subset of Markdown that hovers, messages and pages use: headings, paragraphs, code, fenced code, emphasis and lists.
// The output consists of elements and text nodes only.

import { h, type Child } from '../dom';

/** Converts a sentence with inline markup. */
export function inline(text: string): Child[] {
  const parts: Child[] = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]*\)|\\([\\`*_{}[\]()#+.!|<>~-])/g;
  let last = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(last, found.index));
    const [whole, code, strong, em, link, escaped] = found;
    parts.push(code !== undefined ? h('code', null, code) : strong !== undefined ? h('b', null, strong) : em !== undefined ? h('i', null, em) : (link ?? escaped ?? whole));
    last = found.index + whole.length;
  }
  parts.push(text.slice(last));
  return parts;
}

export function markdown(text: string): Child[] {
  const parts: Child[] = [];
  const lines = text.split('\n');
  /** Joins the lines of a paragraph, up to an empty line or the start of another block. */
  const whole = (n: number): [string, number] => {
    let text = lines[n] ?? '';
    while (lines[n + 1]?.trim() && !/^\s*([-*] |#|```|-{3,}$|\|)/.test(lines[n + 1]!)) text += ` ${lines[++n]!.trim()}`;
    return [text, n];
  };
  for (let n = 0; n < lines.length; n++) {
    let line = lines[n] ?? '';
    if (line.startsWith('```')) {
      const code: string[] = [];
      while (++n < lines.length && !lines[n]?.startsWith('```')) code.push(lines[n] ?? '');
      parts.push(h('pre', null, code.join('\n')));
    } else if (/^\s*[-*] /.test(line)) {
      [line, n] = whole(n);
      parts.push(h('p', { class: 'bullet' }, inline(line.replace(/^\s*[-*] /, '– '))));
    } else if (/^-{3,}$/.test(line)) {
      parts.push(h('hr'));
    } else if (/^#+ /.test(line)) {
      parts.push(h('h3', null, inline(line.replace(/^#+ /, ''))));
    } else if (line.trim()) {
      if (!line.startsWith('|')) [line, n] = whole(n);
      parts.push(h('p', null, inline(line)));
    }
  }
  return parts;
}
