// The dialogs of shared links: one makes a link of the game in view, and one saves the game of a link as the user's own.

import { equal, h } from './dom';
import { hostToken } from './engine/host';
import { BrowserFiles } from './files/browser';
import type { Remembered } from './first';
import { folderOf, free, gameOf, gameTitle, inFolder, moved, needed, titleOf } from './games';
import { isSet, type Model, type Turned } from './model';
import type { Settings } from './protocol';
import { LONGEST, makeLink, type View } from './share';
import { dialogue } from './widgets';
import { exportZip } from './zip';

/** Shows a link to the game in view, which the user can copy. */
export async function showLink(model: Model, view: View): Promise<void> {
  const of = view.scene || view.path;
  const games = await needed(model, of);
  const paths = [...model.changed.value].filter((path) => games.has(gameOf(model, path)));
  // a text of another game is not part of the link
  const path = games.has(gameOf(model, view.path)) ? view.path : (model.rulesOf(of) ?? of);
  const hash = await makeLink(model, { ...view, path, line: path === view.path ? view.line : undefined }, paths);
  const url = location.href.replace(/(\?work)?(#.*)?$/, '') + hash;
  const field = h('textarea', { readonly: true, rows: 4, 'aria-label': 'Link' }, url);
  const long = url.length > LONGEST;
  const body = [
    h('p', null, `The link contains your changes of “${gameTitle(model, of)}”${games.size > 1 ? ' and of the rules that it uses' : ''}, its parameters and the current view. It contains no other game. It shows the same to every reader, whatever they changed themselves.`),
    field,
    h('p', { class: long ? 'bad' : 'soft' }, `${url.length} characters. ${long ? `Some programs cut links after ${LONGEST} characters. The page reports a link that was cut. A zip is safer.` : ''}`),
    hostToken() && h('p', { class: 'bad' }, 'This page is served by the program on this machine. The link works only here while that program runs, and it contains the access token. To share with others, send a zip, or create the link on a web host.'),
    location.protocol === 'file:' && h('p', { class: 'bad' }, 'This page was opened from a disk, so the link works only on this machine.'),
  ];
  queueMicrotask(() => field.select());
  const answer = await dialogue('Share', body, [{ name: 'Copy', value: 'copy', main: !long }, { name: 'Download a zip', value: 'zip', main: long }, { name: 'Close', value: '' }]);
  if (answer === 'zip') {
    const count = await exportZip(model, paths, `${gameOf(model, of).replaceAll('/', '-')}.zip`);
    model.notice.value = count ? 'The zip contains your changes of this game. The reader opens it with Open from disk.' : 'No changes yet, so the zip is empty.';
  }
  if (answer !== 'copy') return;
  try {
    await navigator.clipboard.writeText(url);
    model.notice.value = 'Link copied.';
  } catch {
    model.notice.value = 'The browser did not allow copying. The link is now in the address bar.';
    history.replaceState(null, '', hash);
  }
}

/** Returns an own game that has all texts of a game under another name, or the same one. */
function identical(texts: Record<string, string>, own: Map<string, { text: string }>): string | null {
  const folders = [...new Set(Object.keys(texts).map(folderOf))];
  const [from = ''] = folders;
  if (folders.length !== 1) return null;
  const same = (to: string): boolean => Object.entries(moved(texts, from, to)).every(([path, text]) => own.get(path)?.text === text);
  return [from, ...new Set([...own.keys()].map(folderOf))].find(same) ?? null;
}

/** Saves the texts of a link as the user's own. `before` is the stored view of the user's work. Returns the next one, or `null` if nothing was saved. */
export async function keepLink(model: Model, view: Remembered, before: Partial<Remembered>): Promise<Remembered | null> {
  const mine = await BrowserFiles.open().catch(() => null);
  if (!mine) {
    model.notice.value = 'This browser cannot save data for this page.';
    return null;
  }
  const own = new Map((await mine.all()).map((kept) => [kept.path, kept]));
  let texts = Object.fromEntries([...model.changed.value].map((path) => [path, model.now(path) ?? '']));
  let bases = Object.fromEntries(Object.keys(texts).flatMap((path) => (model.accepts(path) ? [[path, model.base(path) ?? texts[path]!]] : [])));
  let shown = view;
  const rename = (from: string, to: string): void => {
    [texts, bases] = [moved(texts, from, to), moved(bases, from, to)];
    shown = { ...shown, path: inFolder(shown.path, from, to), scene: inFolder(shown.scene, from, to) };
  };
  const has = Object.keys(bases).length === Object.keys(texts).length ? identical(texts, own) : null;
  if (has) rename(folderOf(Object.keys(texts)[0]!), has);
  const over = Object.keys(texts).filter((path) => own.has(path) && own.get(path)!.text !== texts[path]);
  if (over.length) {
    const taken = new Set([...own.keys(), ...model.paths()].map(folderOf));
    const both = over.every((path) => path in bases) ? [...new Set(over.map(folderOf))].map((folder) => [folder, free(folder, taken)] as const) : [];
    const said = both.length ? `“Keep both” saves the game of the link as ${both.map(([, to]) => `“${titleOf(to)}”`).join(', ')}.` : 'These texts came with the program, so there is only one of each. To keep yours, download them as a zip first.';
    const answer = await dialogue('You have your own version', h('p', null, `Your own ${over.join(', ')} differ${over.length > 1 ? '' : 's'} from the link. ${said}`), [...(both.length ? [{ name: 'Keep both', value: 'both', main: true }] : []), { name: 'Replace mine', value: 'replace' }, { name: 'Cancel', value: '' }]);
    if (!answer) return null;
    if (answer === 'both') for (const [from, to] of both) rename(from, to);
  }
  // the parameters that the user set in a game remain until the user decides otherwise
  const dials = new Map(before.dials ?? (before.scene && before.settings ? [[folderOf(before.scene), before as Turned]] : []));
  const game = folderOf(shown.scene);
  const set = dials.get(game);
  if (set && isSet(set.settings) && !equal(set.settings, shown.settings)) {
    const list = ({ params, readings }: Settings): string => Object.entries({ ...params, ...readings }).map(([name, value]) => `${name} ${value}`).join(', ') || 'as in the text';
    const answer = await dialogue('You have your own parameters', h('p', null, `Your parameters of “${titleOf(game)}”: ${list(set.settings)}. Those of the link: ${list(shown.settings)}.`), [{ name: 'Keep mine', value: 'mine', main: true }, { name: 'Use those of the link', value: 'link' }, { name: 'Cancel', value: '' }]);
    if (!answer) return null;
    if (answer === 'mine') shown = { ...shown, ...set };
  }
  for (const [path, text] of Object.entries(texts)) {
    if (own.get(path)?.text === text) continue;
    await mine.write(path, text, own.get(path)?.mark ?? null);
    if (path in bases && !own.has(path)) await mine.accept(path, bases[path]!);
  }
  const [was, is] = [view, shown].map(({ scene, path }) => folderOf(scene || path)) as [string, string];
  const named = `“${was === is ? gameTitle(model, view.scene || view.path) : titleOf(is)}”`;
  return { ...shown, dials: [...dials].filter(([of]) => of !== game), said: has ? `You already have this as ${named}.` : Object.keys(texts).length ? `Saved in this browser as ${named}.` : '' };
}
