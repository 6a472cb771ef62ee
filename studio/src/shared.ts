// The dialogs of shared links: one makes a link of the game in view, and one saves the game of a link as the user's own.

import { h } from './dom';
import { hostToken } from './engine/host';
import { BrowserFiles } from './files/browser';
import { folderOf, free, gameOf, gameTitle, inFolder, moved, needed, titleOf } from './games';
import type { Model } from './model';
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

/** Saves the texts of a link as the user's own. Returns the view of them, or `null` if nothing was saved. */
export async function keepLink<V extends { path: string; scene: string }>(model: Model, view: V): Promise<V | null> {
  const mine = await BrowserFiles.open().catch(() => null);
  if (!mine) {
    model.notice.value = 'This browser cannot save data for this page.';
    return null;
  }
  const own = new Map((await mine.all()).map((kept) => [kept.path, kept]));
  let texts = Object.fromEntries([...model.changed.value].map((path) => [path, model.now(path) ?? '']));
  let shown = view;
  const over = Object.keys(texts).filter((path) => own.has(path) && own.get(path)!.text !== texts[path]);
  const isOwn = (path: string): boolean => !model.shipped.get(path);
  if (over.length) {
    const taken = new Set([...own.keys(), ...model.paths()].map(folderOf));
    const both = over.every(isOwn) ? [...new Set(over.map(folderOf))].map((folder) => [folder, free(folder, taken)] as const) : [];
    const said = both.length ? `“Keep both” saves the game of the link as ${both.map(([, to]) => `“${titleOf(to)}”`).join(', ')}.` : 'These texts came with the program, so there is only one of each. To keep yours, download them as a zip first.';
    const answer = await dialogue('You have your own version', h('p', null, `Your own ${over.join(', ')} differ${over.length > 1 ? '' : 's'} from the link. ${said}`), [...(both.length ? [{ name: 'Keep both', value: 'both', main: true }] : []), { name: 'Replace mine', value: 'replace' }, { name: 'Cancel', value: '' }]);
    if (!answer) return null;
    for (const [from, to] of answer === 'both' ? both : []) {
      texts = moved(texts, from, to);
      shown = { ...shown, path: inFolder(shown.path, from, to), scene: inFolder(shown.scene, from, to) };
    }
  }
  for (const [path, text] of Object.entries(texts)) {
    if (own.get(path)?.text === text) continue;
    await mine.write(path, text, own.get(path)?.mark ?? null);
    // later changes are compared with the text of the link
    if (isOwn(path) && !own.has(path)) await mine.accept(path, text);
  }
  return shown;
}
