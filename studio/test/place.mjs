// Tests of the work place, for `page.mjs`: redrawing, links, charts and their export, units, panes, versions, playing by hand.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

export default ({ test, wait, text, edit, written, settled, CORE, QUICK }) => {
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
});

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
});

test('a unit is added, copied and deleted, and three times undo restores the scenario', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'table' }, width: 1440, height: 900 });
  const scene = readFileSync(join(studio, '..', 'rulesets', 'warstrike/scenarios/firefight.toml'), 'utf8');
  const shown = () => page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  await wait(page, () => document.querySelector('.board [data-unit=l1]'));
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
});

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
  await page.locator('#panel-run .trace [data-line]').last().click();
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
  await page.getByRole('button', { name: 'Show all' }).first().click();
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
});
};
