// Exports the texts as a zip file and imports them from one.

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { goodPath } from './files/files';
import type { Model } from './model';

const MOST_FILES = 3000;
const MOST_BYTES = 2_000_000;

export function download(name: string, bytes: Uint8Array | Blob, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Downloads some files with the user's changes in them. Returns their number. */
export async function exportZip(model: Model, paths: string[], name = 'grognard-books.zip'): Promise<number> {
  const texts: Record<string, string> = {};
  for (const path of paths) {
    const text = await model.text(path);
    if (text !== null) texts[path] = text;
  }
  zip(name, texts);
  return Object.keys(texts).length;
}

/** Downloads texts as a zip. */
export function zip(name: string, texts: Record<string, string>): void {
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)]));
  // the same files give the same bytes
  download(name, zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) }), 'application/zip');
}

/** Reads rules and scenarios from a zip file. Other files are skipped and listed in `left`. */
export function readZip(bytes: Uint8Array): { texts: Record<string, string>; left: string[] } {
  const left: string[] = [];
  let count = 0;
  let total = 0;
  const found = unzipSync(bytes, {
    filter: (file) => {
      if (file.name.endsWith('/')) return false;
      total += file.originalSize;
      const fits = /\.(rules|toml)$/.test(file.name) && file.originalSize <= MOST_BYTES && ++count <= MOST_FILES && total <= 40 * MOST_BYTES;
      if (!fits) left.push(file.name);
      return fits;
    },
  });
  // a folder around all files, and the folder `rulesets` of a project, are not part of the names
  const names = Object.keys(found);
  const shared = names.length > 0 && names.every((name) => name.startsWith(names[0]!.split('/')[0] + '/')) ? names[0]!.split('/')[0] + '/' : '';
  const strip = shared && names.some((name) => name.slice(shared.length).includes('/')) && names.every((name) => name.slice(shared.length).includes('/')) ? shared : '';
  const texts: Record<string, string> = {};
  for (const name of names) {
    const path = name.slice(strip.length).replace(/^rulesets\//, '');
    if (goodPath(path)) texts[path] = strFromU8(found[name]!);
    else left.push(name);
  }
  return { texts, left };
}

export function save(name: string, text: string, type = 'text/plain;charset=utf-8'): void {
  download(name, strToU8(text), type);
}
