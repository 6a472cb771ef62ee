// Games: the files of one game, the games that it needs, and copies under another name.

import type { Model } from './model';

/** Folders in which each ruleset is a game of its own. */
const COLLECTIONS: ReadonlySet<string> = new Set(['edits', 'gallery', 'templates']);

export const folderOf = (path: string): string => path.split('/')[0] ?? path;

/** Returns a folder as a title: `my-duel-2` is `My duel 2`. */
export const titleOf = (folder: string): string => folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' ');

/** Returns a text as the name of a file or a folder: `Sharp shooters!` is `sharp-shooters`. */
export const nameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);

/** Returns a name that is not taken: the name itself, or the name with the next number. */
export function free(name: string, taken: { has(name: string): boolean }): string {
  const stem = name.replace(/-\d+$/, '');
  let made = name;
  for (let n = 2; taken.has(made); n++) made = `${stem}-${n}`;
  return made;
}

/** Returns the texts of a game with its folder under another name. */
export function moved(texts: Record<string, string>, from: string, to: string): Record<string, string> {
  const named = new RegExp(`(?<![\\w./-])${from}/`, 'g');
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [inFolder(path, from, to), text.replace(named, `${to}/`)]));
}

/** Returns a path with the folder `from` under the name `to`. */
export const inFolder = (path: string, from: string, to: string): string => (folderOf(path) === from ? to + path.slice(from.length) : path);

/** Returns the game of a file: its folder, or in a collection its ruleset. A scenario of a collection can play another game. */
export function gameOf(model: Model, path: string): string {
  const folder = folderOf(path);
  if (!COLLECTIONS.has(folder)) return folder;
  const rules = path.endsWith('.rules') ? path : (model.rulesOf(path) ?? path);
  return folderOf(rules) === folder ? rules.replace(/\.\w+$/, '') : gameOf(model, rules);
}

/** Returns the title of a game. */
export const gameTitle = (model: Model, path: string): string => {
  const game = gameOf(model, path);
  const own = model.books.books.find(({ name }) => name === game);
  return own?.title && own.title !== game ? own.title : titleOf(game.split('/').pop() ?? game);
};

/** Returns the game of a file and the games that its texts name. */
export async function needed(model: Model, path: string): Promise<ReadonlySet<string>> {
  const all = model.paths();
  const known = new Set(all);
  const found = new Set([gameOf(model, path)]);
  // a game that is added here is visited too
  for (const game of found)
    for (const path of all.filter((each) => gameOf(model, each) === game && (each.endsWith('.rules') || model.changed.value.has(each)))) {
      const text = (await model.text(path)) ?? '';
      for (const [name] of text.matchAll(/[\w-]+(?:\/[\w.-]+)+/g)) for (const of of [name, `${name}.rules`]) if (known.has(of)) found.add(gameOf(model, of));
    }
  return found;
}
