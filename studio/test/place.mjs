// Tests of the work place, for `page.mjs`: redrawing, links, charts and their export, units, panes, versions, playing by hand.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { open, out, ready, studio } from './browser.mjs';

/** Bundles a module of the page, for tests of its functions. */
async function bundled(path) {
  const outfile = join(out, `${path.replace(/\W/g, '-')}.mjs`);
  // the module that draws listens to the window
  buildSync({ entryPoints: [join(studio, 'src', path)], outfile, bundle: true, format: 'esm', logLevel: 'error', banner: { js: 'globalThis.addEventListener ??= () => {};' } });
  return import(`file://${outfile}?${Date.now()}`);
}

/** Returns the content of a download. */
async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const SALVO = 'param hit_on "Stand-in: a shot hits on" = ';

export default ({ test, wait, text, edit, written, pick, settled, CORE, QUICK }) => {
test('26 keys in a comment of the longest book draw nothing outside the editor', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { path: 'warstrike/core.rules', scene: 'warstrike/scenarios/firefight.toml', tab: 'odds' } });
  await written(page, 'ruleset warstrike/core');
  await settled(page);
  await wait(page, () => document.querySelector('.outline .symbol') && document.querySelector('.dial'));
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    const at = view.state.doc.toString().indexOf('\n#') + 2;
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.focus();
    window.made = {};
    window.seen = new MutationObserver((all) => {
      for (const { target, addedNodes } of all) {
        const part = target.parentElement?.closest('.odds, .dials, .shelf') ?? target.closest?.('.odds, .dials, .shelf');
        const elements = [...addedNodes].filter((node) => node.nodeType === 1);
        if (part && elements.length) window.made[part.className] = (window.made[part.className] ?? 0) + elements.reduce((sum, node) => sum + 1 + node.querySelectorAll('*').length, 0);
      }
    });
    window.seen.observe(document.body, { childList: true, subtree: true });
  });
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const spent = async () => (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const before = await spent();
  await page.keyboard.type('abcdefghijklmnopqrstuvwxyz', { delay: 40 });
  const after = await spent();
  await written(page, 'abcdefghijklmnopqrstuvwxyz');
  // the outline is read again after the last key
  await page.waitForTimeout(2500);
  assert.deepEqual(await page.evaluate(() => window.made), {});
  console.log(`    ${(((after - before) * 1000) / 26).toFixed(1)} ms of the main thread per key`);
  // a number still changes the odds
  await edit(page, 'abcdefghijklmnopqrstuvwxyz', '');
}, { accepts: 15, chromium: 'measures the main thread' });

test('a comment has no effect on an answer, and everything else has', async () => {
  const { inComment } = await bundled('model.ts');
  const rules = 'ruleset a/b\n# one\nWA-1 He said\n  # two of them\nparam x = 3 # three\nproc p(u: Unit) {\n  # four\n  set u.n = 1\n}\n';
  const same = (a, b, path = 'a.rules') => inComment(path, a, b);
  assert.ok(same(rules, rules.replace('# one', '# other')) && same(rules, rules.replace('# four', '#')));
  assert.ok(same(`${rules}# end`, `${rules}# the end`));
  assert.ok(!same(rules, rules.replace('two of', 'three of')) && !same(rules, rules.replace('x = 3', 'x = 4')) && !same(rules, rules.replace('# one\n', '')));
  assert.ok(same('a = 1\n# b\n', 'a = 1\n# c\n', 'a.toml') && !same('a = """\n# b\n"""\n', 'a = """\n# c\n"""\n', 'a.toml'));
});

test('changes of a link fit another edition, and those that do not are returned', async () => {
  const { parts, fitted } = await bundled('share.ts');
  const lines = Array.from({ length: 60 }, (_, n) => `line ${n}`);
  const edited = (all, changes) => changes.reduce((all, [at, ...now]) => all.with(at, now.join('\n')), all).join('\n');
  const base = lines.join('\n');
  const mine = edited(lines, [[10, 'ten'], [30, 'thirty', 'and more'], [50]]);
  const all = parts(base, mine);
  assert.equal(all.length, 3);
  assert.deepEqual(fitted(base, all), { text: mine, left: [] });
  // ten lines at the top and a line changed elsewhere
  const next = [...Array.from({ length: 10 }, (_, n) => `new ${n}`), ...lines].with(30, 'another');
  const moved = fitted(next.join('\n'), all);
  assert.deepEqual(moved.left, []);
  assert.equal(moved.text, edited(next, [[20, 'ten'], [40, 'thirty', 'and more'], [60]]));
  // a line inside a change is another one
  const other = fitted(lines.with(29, 'twenty-nine').join('\n'), all);
  assert.equal(other.left.length, 1);
  assert.deepEqual([other.left[0].line, other.left[0].part[2], other.left[0].part[3]], [30, ['line 30'], ['thirty', 'and more']]);
  assert.ok(other.text.includes('\nten\n') && other.text.includes('twenty-nine'));
}, { accepts: 13 });

test('a unit is added, copied and deleted, and three times undo restores the scenario', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'table' }, width: 1440, height: 900 });
  const scene = readFileSync(join(studio, '..', 'rulesets', 'warstrike/scenarios/firefight.toml'), 'utf8');
  const shown = () => page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  await wait(page, () => document.querySelector('.board [data-unit=l1]'));
  // a press picks a unit, and one on empty ground picks none
  await page.locator('.board [data-unit=laans]').first().click();
  await wait(page, () => document.querySelector('.unit-panel h2')?.innerText.startsWith('laans'));
  const board = await page.locator('#panel-table .board').boundingBox();
  await page.mouse.click(board.x + board.width / 2, board.y + 12);
  await wait(page, () => !document.querySelector('.unit-panel h2'));
  await page.locator('[data-key=add]').click();
  assert.deepEqual(await page.locator('dialog optgroup').evaluateAll((all) => all.map((each) => each.label)), ['On the board', 'Not on the board']);
  await page.locator('[data-key=kind]').selectOption('Model');
  await page.locator('dialog input[required]').fill('stray');
  await page.locator('[data-key=field-unit]').selectOption('laans');
  await page.locator('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await wait(page, () => document.querySelector('.board [data-unit=stray]') && /^stray = \{ .*unit = "laans", at = \[\d+, \d+\] \}$/m.test(document.querySelector('.cm-editor').view.state.doc.toString()));
  // the text is scrolled to it, and the line is lit
  await wait(page, () => document.querySelector('.lit-line')?.innerText.match(/stray|\[Model\]/));
  await page.locator('.board [data-unit=stray]').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+d');
  await wait(page, () => document.querySelector('.board [data-unit=stray_2]') && document.querySelector('.unit-panel h2')?.innerText.startsWith('stray_2'));
  // a unit of a row leaves the places of the others
  const places = () => page.locator('.board [data-unit^=l]').evaluateAll((all) => Object.fromEntries(all.map((each) => [each.dataset.unit, each.getAttribute('transform')])));
  const before = await places();
  await page.locator('.board [data-unit=l3]').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  await wait(page, () => !document.querySelector('.board [data-unit=l3]') && document.querySelector('.board [data-unit=l4]'));
  const { l3, ...others } = before;
  assert.ok(l3);
  assert.deepEqual(await places(), others);
  for (const what of ['l3 deleted', 'stray copied', 'stray added']) {
    await page.getByRole('button', { name: `Undo: ${what}` }).click();
    await wait(page, (what) => !document.querySelector('[data-key=undo]').innerText.includes(what), what);
  }
  await wait(page, (scene) => document.querySelector('.cm-editor').view.state.doc.toString() === scene, scene);
  assert.equal(await shown(), scene);
  // a group takes its members along
  await page.locator('.board [data-unit=laans]').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-key=copy]').click();
  await wait(page, () => document.querySelectorAll('.board [data-unit^=l]').length > 12 && document.querySelector('.board [data-unit=laans_2]'));
  await page.keyboard.press('Control+z');
  await wait(page, (scene) => document.querySelector('.cm-editor').view.state.doc.toString() === scene, scene);
  await page.locator('.board [data-unit=laans]').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+d');
  await wait(page, () => document.querySelector('.board [data-unit=laans_2]'));
  await page.keyboard.press('Delete');
  await wait(page, (scene) => !document.querySelector('.board [data-unit=laans_2]') && document.querySelector('.cm-editor').view.state.doc.toString() === scene, scene);
  assert.deepEqual(page.complaints, []);
}, { accepts: 8 });

test('the panes are split by mouse and keys, and a view takes the page', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'run' }, width: 1440, height: 900 });
  await wait(page, () => document.querySelector('#panel-run .board .felt'));
  const width = (selector) => page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().width, selector);
  assert.ok((await width('#panel-run .board')) >= 480 && (await width('#panel-run .felt')) >= 480, `${await width('#panel-run .board')}, ${await width('#panel-run .felt')}`);
  const before = await width('.right');
  const box = await page.locator('.splitter').boundingBox();
  await page.mouse.move(box.x + 3, 400);
  await page.mouse.down();
  await page.mouse.move(box.x - 97, 400, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs((await width('.right')) - before - 100) < 4, `${before}, ${await width('.right')}`);
  await page.locator('.splitter').focus();
  await page.keyboard.press('ArrowRight');
  const moved = await width('.right');
  assert.ok(moved < before + 95 && moved > before);
  await page.reload();
  await ready(page);
  assert.equal(await width('.right'), moved);
  await page.locator('.splitter').dblclick();
  assert.ok(Math.abs((await width('.right')) - (await width('section.text'))) < 2);
  await page.getByRole('button', { name: 'Wide' }).click();
  await wait(page, () => document.querySelector('#panel-run .board').getBoundingClientRect().width >= 1000);
  await page.locator('#tab-odds').click();
  assert.ok(await page.locator('section.text').isVisible());
  await page.locator('#tab-run').click();
  await page.reload();
  await ready(page);
  await wait(page, () => document.querySelector('#panel-run .board')?.getBoundingClientRect().width >= 1000);
  // a step does not bring the text, a click on a line does
  await page.locator('[data-key=last]').click();
  assert.ok(!(await page.locator('section.text').isVisible()));
  await page.locator('#panel-run .trace [data-line]').nth(2).click();
  await page.locator('section.text').waitFor();
  assert.ok(Math.abs((await width('section.text')) - 480) < 2);
  await page.keyboard.press('Escape');
  await page.locator('section.text').waitFor({ state: 'hidden' });
  for (const view of ['table', 'curves']) {
    await page.locator(`#tab-${view}`).click();
    await page.getByRole('button', { name: 'Wide' }).click();
    await wait(page, (view) => document.querySelector(view === 'table' ? '#panel-table .board' : '#panel-curves .plot')?.getBoundingClientRect().width >= 1000, view);
  }
  assert.deepEqual(page.complaints, []);
}, { accepts: 7 });

test('the header undoes, lists the help and the exports, and the list of files folds', async ({ browser, url }) => {
  const page = await open(browser, url, { view: CORE, width: 1440, height: 900 });
  await written(page);
  assert.deepEqual(await page.locator('.top :is(button, summary):visible').allInnerTexts(), ['Grognard', 'Undo', 'History', 'Share', 'Export', 'Help', 'More']);
  const undo = page.locator('.top').getByRole('button', { name: 'Undo' });
  assert.ok(await undo.isDisabled());
  await edit(page, `${SALVO}4`, `${SALVO}5`);
  await undo.click();
  await written(page, `${SALVO}4`);
  assert.ok(await undo.isDisabled());
  await page.locator('#export summary').click();
  assert.deepEqual(await page.locator('#export button').allInnerTexts(), ['Download my changes (zip)', 'Download everything (zip)', 'Download this file', 'Save as one HTML file', 'Print a reference sheet …']);
  // one menu closes the other, and Escape returns to its title
  await page.locator('#help summary').click();
  assert.ok(await page.locator('#export .menu-list').isHidden());
  assert.deepEqual(await page.locator('#help button').allInnerTexts(), ['Tour', 'Language', 'Cheat sheet', 'Keys']);
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#help .menu-list').isHidden());
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cheat sheet' }).click();
  assert.match(await text(page, 'dialog .sheet tr'), /^param\s+a number to try other values of\s+param \w+/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Files' }).click();
  assert.ok(await page.locator('.shelf').isHidden());
  await page.reload();
  await ready(page);
  assert.ok(await page.locator('.shelf').isHidden());
  await page.getByRole('button', { name: 'Files' }).click();
  assert.ok(await page.locator('.shelf').isVisible());
  // a narrow window has all of it under More, and five entries in its bar
  await page.setViewportSize({ width: 390, height: 800 });
  assert.deepEqual(await page.locator('.panes > :is(.tabs, .others)').evaluateAll((all) => all.map((each) => each.innerText.split('\n'))), [['Text', 'Odds', 'Table', 'Run'], ['More']]);
  await page.locator('.others').click();
  await page.locator('#tab-review').click();
  await wait(page, () => !document.querySelector('#panel-review').hidden && document.querySelector('.tabs').innerText.endsWith('Review'));
  await page.locator('#more summary').click();
  assert.deepEqual((await page.locator('#more .narrow button').allInnerTexts()).slice(0, 2), ['Undo', 'History']);
  assert.deepEqual(page.complaints, []);
});

test('examples that hold are folded, and open if one fails or is clicked', async ({ browser, url }) => {
  const { groups } = await bundled('editor/fold.ts');
  const rules = 'param n = 1\nexample "a }" { x }\n\nexample "b" {\n  y { z }\n}\n# more\nexample "c" { u }\n';
  assert.deepEqual(groups(rules).map(({ from, to }) => rules.slice(from, to)), ['example "a }" { x }\n\nexample "b" {\n  y { z }\n}', 'example "c" { u }']);
  const view = { path: 'templates/squads.rules', scene: 'templates/scenarios/squads.toml', tab: 'odds' };
  const page = await open(browser, url, { view, width: 1440, height: 900 });
  const shown = () => text(page, '.cm-content');
  await page.locator('.examples-ok').click();
  await wait(page, () => !document.querySelector('.examples-ok') && /^example/m.test(document.querySelector('.cm-content').innerText));
  const other = await open(browser, url, { view, width: 1440, height: 900 });
  await wait(other, () => document.querySelector('.examples-ok')?.innerText === '2 examples ok');
  assert.doesNotMatch(await text(other, '.cm-content'), /^example/m);
  await edit(other, '= 4', '= 6');
  await wait(other, () => !document.querySelector('.examples-ok') && document.querySelector('.lens.fails'));
  assert.match(await shown(), /^example/m);
  assert.deepEqual(page.complaints.concat(other.complaints), []);
});

test('a table is zoomed at the pointer, with keys and with two fingers', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'table' }, width: 1440, height: 900 });
  const center = (of, unit) => of.evaluate((unit) => {
    const { x, y, width, height } = document.querySelector(`#panel-table [data-unit=${unit}] .base`).getBoundingClientRect();
    return [x + width / 2, y + height / 2, width];
  }, unit);
  await wait(page, () => document.querySelector('.board [data-unit=l3]'));
  const [x, y, wide] = await center(page, 'l3');
  await page.mouse.move(x, y);
  for (let n = 0; n < 7; n++) await page.mouse.wheel(0, -100);
  await wait(page, (wide) => document.querySelector('#panel-table [data-unit=l3] .base').getBoundingClientRect().width > 3.9 * wide, wide);
  const zoomed = await center(page, 'l3');
  assert.ok(zoomed[2] / wide > 3.9 && Math.hypot(zoomed[0] - x, zoomed[1] - y) < 2, `${zoomed} from ${[x, y, wide]}`);
  // a drag on empty ground moves the table, and a drag of a unit still moves the unit
  await page.mouse.move(x + 60, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 90, { steps: 4 });
  await page.mouse.up();
  const panned = await center(page, 'l3');
  assert.ok(Math.hypot(panned[0] - x - 40, panned[1] - y - 30) < 4, panned.join());
  await page.locator('#panel-table [data-unit=l3]').focus();
  await page.keyboard.press('0');
  assert.deepEqual((await center(page, 'l3')).map(Math.round), [x, y, wide].map(Math.round));
  await page.keyboard.press('+');
  assert.ok((await center(page, 'l3'))[2] > 1.2 * wide);
  await page.getByRole('button', { name: 'Fit' }).first().click();
  assert.ok(Math.abs((await center(page, 'l3'))[2] - wide) < 0.5);
  assert.deepEqual(page.complaints, []);
  // two fingers on a phone
  const phone = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'table' }, width: 390, height: 800, hasTouch: true, isMobile: true });
  await wait(phone, () => document.querySelector('.board [data-unit=l3]'));
  const [px, py, small] = await center(phone, 'l3');
  const client = await phone.context().newCDPSession(phone);
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [px - 20, py], [px + 20, py]);
  for (let n = 1; n <= 10; n++) await touch('touchMove', [px - 20 - 4 * n, py], [px + 20 + 4 * n, py]);
  await touch('touchEnd');
  const pinched = await center(phone, 'l3');
  assert.ok(pinched[2] / small > 2.5 && Math.hypot(pinched[0] - px, pinched[1] - py) < 4, `${pinched} from ${[px, py, small]}`);
  assert.deepEqual(phone.complaints, []);
}, { accepts: 9, chromium: 'uses two fingers' });

/** Adds fractions with Python, and returns each sum of a column of a CSV file. */
const sums = (file) => JSON.parse(execFileSync('python3', ['-c', `
import csv, json, sys
from fractions import Fraction
rows = list(csv.DictReader(open(sys.argv[1])))
print(json.dumps({key: str(sum(Fraction(row[key]) for row in rows)) for key in rows[0] if key.endswith('as fraction')}))`, file], { encoding: 'utf8' }));

test('a chart holds the same numbers on the page, as SVG, PNG, CSV and as a table for a forum', async ({ browser, url }) => {
  const page = await open(browser, url, { view: QUICK, permissions: ['clipboard-read', 'clipboard-write'] });
  await settled(page);
  await page.locator('.becomes .measure details summary').nth(1).click();
  const chart = page.locator('.becomes .chart');
  await chart.waitFor();
  const shown = ['66.6 %', '21.2 %', '12.2 %'];
  assert.deepEqual(await page.locator('.becomes .distribution').nth(1).locator('tbody td:nth-child(3)').allInnerTexts(), shown);
  // the numbers at one value, with the arrow keys
  await chart.locator('svg').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await chart.locator('.key').innerText(), /raiders present 0\s+now 66\.6 %\s+53671571\/80621568/);
  const svg = (await downloaded(page, () => chart.getByRole('button', { name: 'SVG' }).click())).bytes.toString();
  for (const [n, percent] of shown.entries()) assert.ok(svg.includes(`now, ${n}: ${percent}, `), svg);
  const png = (await downloaded(page, () => chart.getByRole('button', { name: 'PNG' }).click())).bytes;
  assert.ok(png.subarray(1, 4).toString() === 'PNG' && png.readUInt32BE(16) > 500 && png.length > 4000);
  const csv = await downloaded(page, () => chart.getByRole('button', { name: 'CSV' }).click());
  assert.equal(csv.name, 'raiders-present.csv');
  const file = join(out, csv.name);
  writeFileSync(file, csv.bytes);
  assert.deepEqual(sums(file), { 'now as fraction': '1' });
  assert.deepEqual(csv.bytes.toString().trim().split('\n').map((row) => row.split(',').at(-1)), ['now as fraction', '53671571/80621568', '1604761/7558272', '29497639/241864704']);
  await chart.getByRole('button', { name: 'Copy as forum table' }).click();
  await wait(page, () => document.getElementById('announce').textContent === 'Table copied');
  const table = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  assert.match(table[2], /^\| 0 +\| +66\.6 % = 53671571\/80621568 \|$/);
  assert.deepEqual(page.complaints, []);
}, { accepts: 11, chromium: 'reads downloads and the clipboard' });

test('two curves over each other: at least each value, as in the table of the odds', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...CORE, tab: 'curves' } });
  await written(page);
  await edit(page, `${SALVO}4`, `${SALVO}5`);
  await page.locator('.overlay summary').click();
  await page.getByLabel('Curve 2').selectOption('original');
  await page.locator('.overlay').getByLabel('at least').check();
  await wait(page, () => document.querySelectorAll('.overlay .plot .dot').length === 6 && !document.querySelector('.overlay .status:not(:empty)'));
  const titles = await page.locator('.overlay .plot .dot title').evaluateAll((all) => all.map((each) => each.textContent));
  assert.equal(titles.find((each) => each.startsWith('original, 1')), 'original, 1: 80.9 %, 112725427135/139314069504');
  // the table under Odds computes the same sums
  await page.locator('#tab-odds').click();
  await settled(page);
  await page.locator('.becomes .measure details summary').first().click();
  const rows = await page.locator('.becomes .distribution').first().locator('tbody tr').evaluateAll((all) => all.map((row) => [row.cells[0].innerText, row.cells[3].innerText]));
  assert.deepEqual(titles.filter((each) => each.startsWith('now')).map((each) => /, (\d+): ([^,]+)/.exec(each).slice(1, 3)), rows);
  assert.notEqual(titles[1].replace('now', ''), titles[4].replace('original', ''));
  assert.deepEqual(page.complaints, []);
}, { accepts: 14 });

test('a version is named, compared with now, and restored, also after a reload', async ({ browser, url }) => {
  const page = await open(browser, url, { view: CORE });
  await written(page);
  const history = async () => {
    await page.getByRole('button', { name: 'History' }).click();
  };
  const keep = async (name) => {
    await history();
    await page.getByRole('button', { name: 'Name this version' }).click();
    await page.locator('dialog input').fill(name);
    await page.keyboard.press('Enter');
    await page.locator('.versions', { hasText: name }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  };
  await edit(page, `${SALVO}4`, `${SALVO}5`);
  await keep('harder');
  await edit(page, `${SALVO}5`, `${SALVO}3`);
  await page.waitForFunction(() => document.querySelector('.kept').innerText.startsWith('saved'));
  await page.reload();
  await ready(page);
  await written(page, `${SALVO}3`);
  await history();
  assert.match(await text(page, '.versions tbody tr'), /^harder\s+\w+ \d+, \d+, [\d:]+ \w+\s+1 line\s/);
  await page.getByRole('button', { name: 'Compare harder with now' }).click();
  await wait(page, () => /hit_on[^]*5[^]*3/.test(document.querySelector('.compare .differences')?.innerText ?? ''));
  await history();
  await page.getByRole('button', { name: 'Go back to harder' }).click();
  await written(page, `${SALVO}5`);
  // going back is undone in the same way
  await history();
  await page.getByRole('button', { name: 'Go back to before going back to harder' }).click();
  await written(page, `${SALVO}3`);
  // and one version is kept after ten minutes of work
  const worked = await open(browser, url, { view: CORE, before: () => { const { setTimeout } = window; window.setTimeout = (does, after, ...more) => setTimeout(does, after === 600_000 ? 1500 : after, ...more); } });
  await written(worked);
  await edit(worked, `${SALVO}4`, `${SALVO}6`);
  await worked.waitForTimeout(2500);
  await worked.getByRole('button', { name: 'History' }).click();
  assert.match(await worked.locator('.versions tbody tr').innerText(), /^kept by itself/);
  assert.deepEqual(page.complaints.concat(worked.complaints), []);
});

test('identical exact versions are the same in every row', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'compare' } });
  await wait(page, () => document.querySelectorAll('.compare .measure').length === 4 && !document.querySelector('.compare .status').innerText);
  assert.deepEqual(await page.locator('.compare .measure > p.soft').allInnerTexts(), Array(4).fill('the same, exactly'));
});

test('a link to an edited book opens with another edition of the book', async ({ browser, url }) => {
  const page = await open(browser, url, { view: CORE });
  await written(page);
  await edit(page, `${SALVO}4`, `${SALVO}3`);
  const lines = await page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString().split('\n'));
  const far = lines.findIndex((line, n) => n > 3 && line.startsWith('section') && !lines.slice(n - 8, n + 8).some((each) => each.includes('hit_on')));
  await edit(page, lines[far], `${lines[far]} # of mine`);
  await page.locator('button.share').click();
  const link = await page.locator('dialog textarea').inputValue();
  /** Opens the link on a page whose shipped text is another one. */
  const opened = (change) => open(browser, link, { before: `(${(change) => {
    const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
    Object.defineProperty(MessageEvent.prototype, 'data', { get() {
      const data = get.call(this);
      const text = data?.message;
      const other = (message) => {
        const { result } = message;
        if (!result?.shipped?.includes('ruleset warstrike/table')) return message;
        const now = change(result.shipped);
        if (result.text === result.shipped) result.text = now;
        result.shipped = now;
        return message;
      };
      return typeof text === 'string' && text.includes('"shipped"') ? { ...data, message: JSON.stringify(other(JSON.parse(text))) } : data;
    } });
  }})(${change})` });
  const next = await opened((text) => `${'# new\n'.repeat(10)}${text}`);
  await written(next, `${SALVO}3`);
  await written(next, '# of mine');
  assert.match(await text(next, '.banner'), /warstrike\/table\.rules: 2 of 2 changes fit edition/);
  assert.equal(await next.locator('.misfits').count(), 0);
  const other = await opened((text) => text.replace('"Stand-in: a shot hits on" = 4', '"Stand-in: a shot hits on" = 5'));
  await written(other, '# of mine');
  assert.match(await text(other, '.banner'), /1 of 2 changes fits edition/);
  assert.match(await text(other, '.misfits'), /near line \d+\s+param hit_on .* = 4[^]*param hit_on .* = 3/);
  await other.locator('.misfits .link').click();
  await wait(other, () => document.querySelector('.lit-line'));
  // nothing is lost if the reader keeps the work
  await other.getByRole('button', { name: 'Save as my work' }).click();
  await wait(other, () => document.querySelector('.banner:not([hidden]) .misfits') && !location.hash);
  await other.getByRole('button', { name: 'Done' }).click();
  assert.ok(await other.locator('.banner').isHidden());
  assert.deepEqual(next.complaints.concat(other.complaints), []);
}, { accepts: 13, chromium: 'replaces answers of the engine' });

test('by hand: the same answer for the rest, the program decides the rest, and a link stands at the same line', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'run' }, width: 1440, height: 900 });
  await wait(page, () => /line 0 of \d+/.test(document.querySelector('#panel-run .count').innerText));
  await page.locator('[data-key=as-red]').check();
  const asked = (title) => wait(page, (title) => document.querySelector('.waits h3')?.innerText.startsWith(title) && !document.querySelector('#panel-run .status').innerText, title);
  let answers = 0;
  const answer = async (title, option, same = false) => {
    await asked(title);
    if (same) await page.locator('[data-key=same]').check();
    await page.locator(`[data-key="option-${option}"]`).click();
    answers++;
  };
  await answer('Action', 'OpenFire');
  await answer('Look first', 'no');
  await answer('Snap for range', 'no', true);
  await answer('Target', 'raiders', true);
  await wait(page, () => / d6/.test(document.querySelector('#panel-run .trace').innerText));
  assert.ok(answers <= 4);
  // the next unit of red is asked again: the answers hold for one phase
  await asked('Action');
  await page.getByLabel('every event').check();
  await wait(page, () => document.querySelectorAll('#panel-run .trace [data-line]').length > 50);
  const told = await text(page, '#panel-run .trace');
  assert.equal(told.match(/\? snap_for_range red\/you, .* -> no/g).length, 6);
  assert.equal(told.match(/\? target red\/you, .* -> raiders/g).length, 6);
  assert.doesNotMatch(told, /red\/script/);
  // undo takes the answers for the rest back together with the one that was given
  const script = () => page.evaluate(() => { dispatchEvent(new Event('pagehide')); return JSON.parse(localStorage.getItem('grognard-run')); });
  assert.equal((await script()).script.filter(({ choose }) => choose).length, 14);
  await page.locator('[data-key=take-back]').click();
  await asked('Target');
  assert.equal((await script()).script.filter(({ choose }) => choose).length, 3);
  await answer('Target', 'raiders', true);
  await asked('Action');
  await page.getByLabel('every event').uncheck();
  for (let n = 0; n < 3; n++) await page.locator('[data-key=back]').click();
  const [line] = /line \d+ of \d+/.exec(await text(page, '#panel-run .count'));
  const kept = await script();
  await page.locator('button.share').click();
  const link = await page.locator('dialog textarea').inputValue();
  await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
  const other = await open(browser, link, { width: 1440, height: 900 });
  await wait(other, (line) => document.querySelector('#panel-run .count')?.innerText === line, line);
  const opened = await other.evaluate(() => { dispatchEvent(new Event('pagehide')); return JSON.parse(localStorage.getItem('grognard-run')); });
  assert.deepEqual(opened, kept);
  // the program decides the rest
  await page.locator('[data-key=last]').click();
  await asked('Action');
  await page.locator('[data-key=rest]').click();
  await page.locator('[data-key=last]').click();
  await wait(page, () => document.querySelector('.waits').innerText.includes('The run is finished'));
  assert.deepEqual(page.complaints.concat(other.complaints), []);
}, { accepts: 12 });

test('no view has a finding of axe, at rest or at work, and no target is small on a phone', async ({ browser, url }) => {
  const axe = readFileSync(join(studio, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
  for (const [width, scheme] of [[1440, 'light'], [1440, 'dark'], [390, 'light']]) {
    const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml' }, width, height: 900, scheme, bypassCSP: true });
    await page.evaluate(axe);
    const check = async (name) => {
      const found = await page.evaluate(async () => (await window.axe.run(document)).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)));
      assert.deepEqual(found, [], `${width} ${scheme} ${name}`);
      if (width > 760) return;
      const small = await page.evaluate(() => [...document.querySelectorAll('button, a, input, select, summary, [role=button], [tabindex="0"]')].filter((each) => each.checkVisibility() && !each.closest('.hidden')).flatMap((each) => {
        // a label belongs to its box
        const { width, height } = (each.matches('[type=checkbox], [type=radio]') && each.closest('label') || each).getBoundingClientRect();
        return width > 1 && Math.min(width, height) < 24 ? [`${width} x ${height} ${each.outerHTML.slice(0, 120)}`] : [];
      }));
      assert.deepEqual(small, [], name);
    };
    for (const tab of ['odds', 'table', 'run', 'compare', 'curves', 'review', ...(width < 760 ? ['text', 'files'] : [])]) {
      if (await page.locator(`#tab-${tab}`).isHidden()) await page.locator('.others').click();
      await page.locator(`#tab-${tab}`).click();
      await check(`${tab}, at work`);
      if (tab === 'table') await wait(page, () => document.querySelector('#panel-table [data-unit=l3]')).then(() => page.locator('#panel-table [data-unit=l3]').focus()).then(() => page.keyboard.press('Enter'));
      if (tab === 'run') await page.locator('[data-key=as-red]').check().then(() => page.locator('.waits .options button').first().waitFor());
      if (tab === 'curves') await page.locator('.overlay > summary').click();
      await page.waitForTimeout(1500);
      await check(tab);
    }
    // menus, dialogs and the panel of the language
    await page.locator(width < 760 ? '#more summary' : '#help summary').click();
    await check('a menu');
    await page.getByRole('button', { name: 'Cheat sheet' }).click();
    await page.locator('dialog').waitFor();
    await check('the cheat sheet');
    await page.keyboard.press('Escape');
    await page.locator(width < 760 ? '#more summary' : '#help summary').click();
    await page.getByRole('button', { name: 'Language' }).click();
    await page.locator('.language [data-card]').first().waitFor();
    await check('the language');
    await page.keyboard.press('Escape');
    if (width < 760) continue;
    await page.locator('#tab-odds').click();
    await edit(page, 'Markers that do not lower Nerve" = 1', 'Markers that do not lower Nerve" = 0');
    await wait(page, () => document.querySelector('.becomes .stale'));
    await check('odds after an edit');
    assert.deepEqual(page.complaints, []);
  }
}, { accepts: 16, chromium: 'emulates the dark scheme' });
};
