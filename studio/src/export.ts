// Exports a drawing as a picture, and the numbers of a chart as a table.

import type { Plot } from './views/chart';
import { download, save } from './zip';

/** The properties that the style sheet gives to a drawing. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin', 'opacity', 'font', 'text-anchor', 'paint-order', 'display', 'visibility'];
/** Pixels of a picture for each pixel of the page. */
const SHARP = 2;

const named = (title: string, type: string): string => `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'grognard'}.${type}`;

/** Returns a drawing as a file of its own: the style of each element is part of it. */
export function asSvg(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll<SVGElement>('*');
  drawing.querySelectorAll('*').forEach((each, n) => {
    const style = getComputedStyle(each);
    copies[n]!.setAttribute('style', STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'));
    for (const name of ['class', 'tabindex', 'role']) copies[n]!.removeAttribute(name);
  });
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute('width', String(Math.round(width)));
  copy.setAttribute('height', String(Math.round(height)));
  copy.setAttribute('style', `background:${getComputedStyle(document.body).backgroundColor}`);
  copy.removeAttribute('tabindex');
  return new XMLSerializer().serializeToString(copy);
}

export async function asPicture(drawing: SVGSVGElement, title: string, type: 'svg' | 'png'): Promise<void> {
  const text = asSvg(drawing);
  if (type === 'svg') return save(named(title, 'svg'), text, 'image/svg+xml');
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * SHARP, image.height * SHARP];
  const paint = canvas.getContext('2d')!;
  paint.fillStyle = getComputedStyle(document.body).backgroundColor;
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob) download(named(title, 'png'), blob, 'image/png');
}

/** Returns the numbers of a chart: one row for each value, with the exact fractions as text. */
export function rows(plot: Plot): string[][] {
  const columns = plot.curves.flatMap(({ name, spots }) => {
    const given = (of: 'fraction' | 'low' | 'high'): boolean => spots.some((spot) => spot?.[of] !== undefined);
    const column = (title: string, of: 'y' | 'fraction' | 'low' | 'high'): string[] => [title, ...plot.labels.map((_, n) => String(spots[n]?.[of] ?? ''))];
    return [column(name, 'y'), ...(given('fraction') ? [column(`${name} as fraction`, 'fraction')] : []), ...(given('low') ? [column(`${name}, 95 % from`, 'low'), column(`${name}, 95 % to`, 'high')] : [])];
  });
  return [plot.across, ...plot.labels].map((label, n) => [label, ...columns.map((column) => column[n]!)]);
}

export function csv(plot: Plot): void {
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  save(named(plot.title, 'csv'), `${rows(plot).map((row) => row.map(cell).join(',')).join('\n')}\n`, 'text/csv;charset=utf-8');
}

/** Returns a table in Markdown whose columns are aligned, so that it can be read without formatting too. */
export function forumTable(plot: Plot): string {
  const table = [[plot.across, ...plot.curves.map(({ name }) => name)], ...plot.labels.map((label, n) => [label, ...plot.curves.map(({ spots }) => [spots[n]?.text ?? '', spots[n]?.fraction].filter(Boolean).join(' = '))])].map((row) => row.map((text) => text.replaceAll('|', '/')));
  const widths = table[0]!.map((_, n) => Math.max(3, ...table.map((row) => row[n]!.length)));
  const line = (row: string[]): string => `| ${row.map((text, n) => (n ? text.padStart(widths[n]!) : text.padEnd(widths[n]!))).join(' | ')} |`;
  return [line(table[0]!), line(widths.map((width, n) => (n ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))), ...table.slice(1).map(line), ''].join('\n');
}
