// The page in a real browser, with its engine inside. `node test/page.mjs [WORD]` runs the tests whose names hold the word.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { launch, open, ready, serve, studio, watch } from './browser.mjs';

const tests = [];
const test = (name, run, more = {}) => tests.push({ name, run, ...more });
const dist = join(studio, 'dist');
const wait = (page, ask, arg, timeout = 15_000) => page.waitForFunction(ask, arg, { timeout });
const text = (page, selector) => page.locator(selector).first().innerText();
/** Puts the cursor behind a text of the editor and writes. */
async function edit(page, before, after) {
  await page.evaluate(([before, after]) => {
    const view = document.querySelector('.cm-editor').view;
    const text = view.state.doc.toString();
    const at = text.indexOf(before);
    if (at < 0) throw new Error(`no ${before}`);
    view.dispatch({ changes: { from: at, to: at + before.length, insert: after }, userEvent: 'input' });
  }, [before, after]);
}
/** The text is there. */
const written = (page, words = 'param hit_on') => wait(page, (words) => document.querySelector('.cm-editor')?.view.state.doc.toString().includes(words), words);
const SALVO = 'param hit_on "Stand-in: a shot hits on" = ';

// a text whose tests and examples are quickly worked out, and a scenario that is worked out exactly
const QUICK = { path: 'warstrike/action-phase.rules', scene: 'warstrike/scenarios/exchange-of-fire.toml', tab: 'odds' };
const FREE = 'param free_markers "Markers carried before nerve drops" = ';
const settled = (page) => wait(page, () => document.querySelectorAll('.becomes .value').length > 0 && !document.querySelector('.becomes .stale'), undefined, 40_000);

test('opens on a shipped book and shows odds', async ({ browser, url }) => {
  const began = Date.now();
  const page = await open(browser, url);
  await settled(page);
  console.log(`    first odds after ${Date.now() - began} ms, with the start of a page by the test`);
  assert.match(await text(page, '.file-name'), /core\.rules/);
  assert.deepEqual(page.complaints, []);
});

test('odds stand in the margin, and a click opens all of them', async ({ browser, url }) => {
  const page = await open(browser, url, { view: QUICK });
  await wait(page, () => document.querySelector('.cm-editor')?.view.state.doc.length > 0);
  await page.evaluate(() => { const { view } = document.querySelector('.cm-editor'); view.dispatch({ selection: { anchor: view.state.doc.line(88).from }, scrollIntoView: true }); });
  await wait(page, () => document.querySelector('.lens.holds'), undefined, 60_000);
  await page.locator('.lens.holds').first().click();
  await wait(page, () => document.querySelector('.lens-whole h2'));
});

test('a dial moves the exchange of fire to other fractions, and going back moves it back', async ({ browser, url }) => {
  const page = await open(browser, url, { view: QUICK });
  await settled(page);
  const shown = () => page.locator('.becomes .measure .ends').allInnerTexts();
  const before = await shown();
  assert.ok(before.includes('55173815/120932352'), before.join());
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await wait(page, () => document.querySelector('.becomes .measure.moved .was'), undefined, 40_000);
  assert.notDeepEqual(await shown(), before);
  await page.locator('[data-key=back-hit_on]').click();
  await wait(page, () => document.querySelector('.becomes .value') && !document.querySelector('.becomes .moved') && !document.querySelector('.becomes .stale'), undefined, 40_000);
  assert.deepEqual(await shown(), before);
});

test('a number changed in the text that the scenario sets itself is told, and can be played', async ({ browser, url }) => {
  const page = await open(browser, url);
  await settled(page);
  await edit(page, `${SALVO}4`, `${SALVO}5`);
  await page.locator('[data-key=use-hit_on]').click({ timeout: 40_000 });
  await wait(page, () => document.querySelector('.becomes .measure.moved .was'), undefined, 40_000);
});

test('broken rules keep the last answer, greyed, and mended ones bring a new one', async ({ browser, url }) => {
  const page = await open(browser, url, { view: QUICK });
  await settled(page);
  await edit(page, `${FREE}1`, `${FREE}(`);
  await wait(page, () => document.querySelector('.problems.bad') && document.querySelector('.becomes .stale .value'), undefined, 30_000);
  await edit(page, `${FREE}(`, `${FREE}1`);
  await wait(page, () => document.querySelector('.problems:not(.bad)'), undefined, 30_000);
  await settled(page);
});

test('a unit is dragged on the table, the scenario says so, and undo takes it back', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, path: QUICK.scene, tab: 'table' } });
  await wait(page, () => document.querySelector('#panel-table .board .group'), undefined, 30_000);
  const group = page.locator('#panel-table .board .group').first();
  const before = await page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  await group.focus();
  await page.keyboard.press('ArrowUp');
  await wait(page, (before) => document.querySelector('.cm-editor').view.state.doc.toString() !== before, before, 20_000);
  await wait(page, () => document.querySelector('.unit-panel h2'));
  await page.locator('[data-key=undo]').click();
  await wait(page, (before) => document.querySelector('.cm-editor').view.state.doc.toString() === before, before, 20_000);
});

test('a run is gone through line by line, and a line lights its rule up', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'run' } });
  await wait(page, () => document.querySelectorAll('#panel-run .trace [data-line]').length > 3, undefined, 30_000);
  const all = await page.locator('#panel-run .trace [data-line]').count();
  await page.locator('[data-key=first]').click();
  await page.locator('[data-key=step]').click();
  await page.locator('[data-key=step]').click();
  assert.equal(await page.locator('#panel-run .trace [data-line]').count(), 2);
  await page.locator('#panel-run .trace [data-line]').last().click();
  await wait(page, () => document.querySelector('.lit-line'));
  await page.locator('[data-key=last]').click();
  assert.equal(await page.locator('#panel-run .trace [data-line]').count(), all);
});

test('a shared link opens elsewhere, a cut one says so, a forged one is refused', async ({ browser, url }) => {
  const page = await open(browser, url);
  await written(page);
  await edit(page, `${SALVO}4`, `${SALVO}3`);
  await page.locator('button.share').click();
  const link = await page.locator('dialog textarea').inputValue();
  assert.ok(link.length < 2000, `${link.length} characters`);
  console.log(`    ${link.length} characters`);
  const other = await open(browser, link);
  await wait(other, () => document.querySelector('.banner:not([hidden])'));
  await written(other, `${SALVO}3`);
  const cut = await open(browser, link.slice(0, -20));
  await wait(cut, () => document.querySelector('.notice')?.innerText.includes('cut on its way'));
  const forged = await open(browser, link.slice(0, -4) + 'AAAA');
  await wait(forged, () => document.querySelector('.notice')?.innerText.includes('changed on its way'));
  assert.deepEqual(other.complaints.concat(forged.complaints), []);
});

test('works offline after the first load, and work is kept', async ({ browser, url }) => {
  const page = await open(browser, url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await written(page);
  await edit(page, `${SALVO}4`, `${SALVO}6`);
  await wait(page, () => document.querySelector('.kept').innerText.startsWith('kept'));
  await page.context().setOffline(true);
  await page.reload();
  await ready(page);
  await written(page, `${SALVO}6`);
  await settled(page);
});

test('the single file opens from a disk', async ({ browser }) => {
  const page = await open(browser, `file://${join(studio, 'out', 'studio.html')}`);
  await settled(page);
  assert.deepEqual(page.complaints, []);
});

test('two tabs do not write over each other', async ({ browser, url }) => {
  const one = await open(browser, url);
  const two = await one.context().newPage();
  watch(two);
  await two.goto(url);
  await ready(two);
  await written(one);
  await written(two);
  await edit(one, `${SALVO}4`, `${SALVO}3`);
  await edit(two, `${SALVO}4`, `${SALVO}5`);
  await Promise.race([wait(one, () => document.querySelector('.conflict')), wait(two, () => document.querySelector('.conflict'))]);
  const loser = (await one.locator('.conflict').count()) ? one : two;
  await loser.getByRole('button', { name: 'Keep both' }).click();
  await wait(loser, () => document.querySelector('.banner').hidden);
  await wait(loser, () => [...document.querySelectorAll('.file')].some((each) => each.title.endsWith('core-theirs.rules')));
});

test('hostile names never become markup', async ({ browser, url }) => {
  const page = await open(browser, url);
  await written(page);
  await page.evaluate(() => { window.hurt = 0; });
  await edit(page, 'Stand-in: a shot hits on', '<img src=x onerror=window.hurt=1><script>window.hurt=2</script>');
  await wait(page, () => document.querySelector('.dials').innerText.includes('<img src=x'));
  await page.locator('#tab-review').click();
  await wait(page, () => document.querySelector('.hunk ins')?.innerText.includes('<script>'));
  assert.equal(await page.evaluate(() => window.hurt), 0);
  assert.equal(await page.locator('img').count(), 0);
});

test('a long text stays quick to write in', async ({ browser, url }) => {
  const page = await open(browser, url);
  await written(page);
  const took = await page.evaluate(async () => {
    const view = document.querySelector('.cm-editor').view;
    view.dispatch({ changes: { from: view.state.doc.length, insert: '\n# a line that says nothing of any weight\n'.repeat(26_000) } });
    const began = performance.now();
    for (let n = 0; n < 5; n++) {
      view.dispatch({ changes: { from: 0, insert: ' ' } });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return (performance.now() - began) / 5;
  });
  console.log(`    ${took.toFixed(0)} ms a key in a text of 1 MB`);
  assert.ok(took < 1500);
});

const word = process.argv[2] ?? '';
const { server, url } = await serve(dist);
const browser = await launch();
let failed = 0;
const began = Date.now();
for (const { name, run } of tests.filter((each) => each.name.includes(word))) {
  const start = Date.now();
  try {
    await run({ browser, url });
    console.log(`ok   ${name} (${Date.now() - start} ms)`);
  } catch (why) {
    failed++;
    console.log(`FAIL ${name}\n     ${why.stack}`);
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const page of pages) console.log(`     complaints: ${JSON.stringify(page.complaints)}`);
    await pages.at(-1)?.screenshot({ path: join(studio, 'out', 'failed.png') }).catch(() => undefined);
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
server.close();
console.log(`${failed} failed, ${((Date.now() - began) / 1000).toFixed(0)} s`);
process.exitCode = failed ? 1 : 0;
