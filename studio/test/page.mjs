// The page in a real browser, with its engine inside. `node test/page.mjs [WORD]` runs the tests whose names hold the word.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { launch, open, ready, serve, studio, watch } from './browser.mjs';

const tests = [];
const test = (name, run, more = {}) => tests.push({ name, run, ...more });
const dist = join(studio, 'dist');
const wait = (page, ask, arg, timeout = 60_000) => page.waitForFunction(ask, arg, { timeout });
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

test('opens on the firefight and soon shows its odds', async ({ browser, url }) => {
  // the best of some, as other work on the machine counts too
  const took = [];
  for (let n = 0; n < 3; n++) {
    const page = await open(browser, url);
    await wait(page, () => performance.getEntriesByName('first-odds').length > 0, undefined, 40_000);
    took.push(await page.evaluate(() => performance.getEntriesByName('first-odds')[0].startTime));
    assert.match(await text(page, '.file-name'), /core\.rules/);
    assert.match(await page.locator('#scene').inputValue(), /firefight/);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
  const first = Math.min(...took);
  console.log(`    first odds ${took.map((each) => each.toFixed(0)).join(', ')} ms after the page was asked for; at most 1500 are wanted where nothing else runs`);
  assert.ok(first < 6000, `${first} ms`);
});

test('a stranger turns "a shot hits on" to 5, sees what becomes of the firefight, and by which clauses', async ({ browser, url }) => {
  const began = Date.now();
  const page = await open(browser, url);
  await wait(page, () => document.querySelector('.becomes .value') && document.querySelector('.dial'), undefined, 40_000);
  // it is the first of the numbers, and seen without scrolling
  const dial = page.locator('.dial').first();
  assert.match(await dial.innerText(), /a shot hits on/i);
  const box = await dial.boundingBox();
  assert.ok(box && box.y + 40 < 800, `the dial stands at ${box?.y}`);
  await settled(page);
  const before = await page.locator('.becomes .measure .value').allInnerTexts();
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await wait(page, () => document.querySelectorAll('.becomes .measure.moved .was').length === 4 && !document.querySelector('.becomes .stale'), undefined, 40_000);
  assert.notDeepEqual(await page.locator('.becomes .measure .value').allInnerTexts(), before);
  const told = await text(page, '.because');
  assert.match(told, /a shot hits on\s+4 → 5/i);
  assert.match(told, /WA-10\s.*WA-20\s/s);
  await page.locator('.because .clause').first().click();
  await wait(page, () => document.querySelector('.notice')?.innerText.startsWith('WA-10: '));
  console.log(`    ${((Date.now() - began) / 1000).toFixed(1)} s`);
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

test('a number changed in the text is played, though the scenario sets it too; this is told, and taken back', async ({ browser, url }) => {
  const page = await open(browser, url);
  await written(page);
  await wait(page, () => document.querySelector('.dial') && document.querySelector('.becomes .value'), undefined, 40_000);
  await settled(page);
  await edit(page, `${SALVO}4`, `${SALVO}5`);
  await wait(page, () => document.querySelector('.becomes .measure.moved .was') && document.querySelector('.because')?.innerText.includes('4 → 5'), undefined, 40_000);
  await page.locator('[data-key=leave-hit_on]').click({ timeout: 40_000 });
  await wait(page, () => !document.querySelector('.becomes .measure.moved') && !document.querySelector('.becomes .stale'), undefined, 40_000);
  await edit(page, `${SALVO}5`, `${SALVO}4`);
  await wait(page, () => !document.querySelector('[data-key=leave-hit_on]') && !document.querySelector('.dial.set') && !document.querySelector('.becomes .stale'), undefined, 40_000);
});

/** Nothing ends it: every run of the firefight goes round and round. */
const LOSSES = '    choose min(failed, size(target.present)) of lost';
const ENDLESS = `    repeat { let again = 1 } while 1 == 1\n${LOSSES}`;

test('rules that never end: it is told, the page answers meanwhile, and another engine takes over', async ({ browser, url }) => {
  const page = await open(browser, url);
  await written(page);
  await settled(page);
  await edit(page, LOSSES, ENDLESS);
  await wait(page, () => document.querySelector('.becomes .bad')?.innerText.includes('ended in an error'), undefined, 40_000);
  // as much as a scenario may allow keeps the engine for minutes
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title.endsWith('/firefight.toml')).click());
  await written(page, 'repeat  = 4');
  await edit(page, 'repeat  = 4', 'fuel = 999999999\nrepeat  = 4');
  await wait(page, () => document.querySelector('.becomes .status').innerText.includes('working'), undefined, 60_000);
  await page.waitForTimeout(1500);
  const gap = await page.evaluate(async () => {
    let [last, most] = [performance.now(), 0];
    for (let n = 0; n < 60; n++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, performance.now() - last);
      last = performance.now();
    }
    return most;
  });
  assert.ok(gap < 1000, `the page stood still for ${gap} ms`);
  const began = Date.now();
  await edit(page, 'fuel = 999999999', 'fuel = 100000');
  await wait(page, () => document.querySelector('.notice')?.innerText.includes('another one took over'), undefined, 60_000);
  await wait(page, () => document.querySelector('.becomes .bad')?.innerText.includes('ended in an error'), undefined, 40_000);
  console.log(`    the page stood still for ${gap.toFixed(0)} ms at most; mended ${((Date.now() - began) / 1000).toFixed(1)} s after the edit`);
  assert.deepEqual(page.complaints, []);
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

test('the odds of each option stand in the menu, and a run is saved as a test', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'run' } });
  await wait(page, () => document.querySelector('#panel-run .waits')?.innerText.includes('has ended'), undefined, 40_000);
  await page.locator('[data-key=as-red]').check();
  await wait(page, () => document.querySelector('#panel-run .options li .from-here'), undefined, 60_000);
  assert.match(await text(page, '#panel-run .options li .from-here'), /laans present|laans gone/);
  await page.locator('#panel-run .options button').first().click();
  await wait(page, () => !document.querySelector('[data-key=take-back]').disabled, undefined, 60_000);
  await page.locator('[data-key=save]').click();
  await page.locator('dialog input').fill('my-run');
  await page.keyboard.press('Enter');
  await wait(page, () => [...document.querySelectorAll('.file')].some((each) => each.title === 'warstrike/scenarios/my-run.toml'), undefined, 60_000);
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title.endsWith('/my-run.toml')).click());
  await written(page, 'base');
});

test('dials are kept as a variant', async ({ browser, url }) => {
  const page = await open(browser, url, { view: QUICK });
  await settled(page);
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[data-key=keep]').click();
  await page.locator('dialog input').fill('warstrike/harder');
  await page.keyboard.press('Enter');
  await wait(page, () => document.querySelector('.file-name').innerText === 'warstrike/harder.rules', undefined, 60_000);
  await written(page, 'override param hit_on = 5');
  await wait(page, () => [...document.querySelectorAll('.file')].some((each) => each.title === 'warstrike/harder.rules'));
});

test('two versions are compared, and the readings ranked', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml' } });
  await wait(page, () => document.querySelector('[data-key=slider-hit_on]'), undefined, 40_000);
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('#tab-compare').click();
  await wait(page, () => document.querySelectorAll('.compare .measure').length === 4, undefined, 60_000);
  assert.match(await text(page, '.compare .differences'), /hit_on/);
  assert.match(await text(page, '.compare .measure'), /→/);
  await wait(page, () => document.querySelectorAll('.compare .two .trace').length === 2 && document.querySelector('.compare .two .changed'), undefined, 90_000);
  await page.locator('#tab-curves').click();
  await wait(page, () => document.querySelectorAll('.curves .uplot').length === 2, undefined, 60_000);
  await page.getByRole('button', { name: /open questions/ }).click();
  await wait(page, () => document.querySelectorAll('.ranked li').length > 2, undefined, 90_000);
  assert.deepEqual(page.complaints, []);
});

test('each of the six first edits fits into a link', async ({ browser, url }) => {
  const page = await open(browser, url);
  await written(page);
  await page.locator('.menu summary').click();
  await page.getByRole('button', { name: 'A new file' }).click();
  await page.locator('dialog input').fill('mine/edit.rules');
  await page.keyboard.press('Enter');
  await written(page, 'ruleset mine/edit');
  const folder = join(studio, '..', 'rulesets', 'edits');
  const edits = readdirSync(folder).filter((name) => name.endsWith('.rules'));
  assert.equal(edits.length, 6);
  const lengths = [];
  let link = '';
  for (const name of edits) {
    const rules = readFileSync(join(folder, name), 'utf8').replace(`edits/${name.replace('.rules', '')}`, 'mine/edit');
    await page.evaluate((rules) => { const { view } = document.querySelector('.cm-editor'); view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: rules } }); }, rules);
    await page.locator('button.share').click();
    link = await page.locator('dialog textarea').inputValue();
    lengths.push(link.length);
    await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
    assert.ok(link.length < 2000, `${name}: ${link.length} characters`);
  }
  console.log(`    ${lengths.join(', ')} characters`);
  const other = await open(browser, link);
  const last = readFileSync(join(folder, edits.at(-1)), 'utf8').trim().split('\n').at(-1);
  await written(other, last);
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
  // the scenario, its units and what it asks have names too
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title.endsWith('/exchange-of-fire.toml')).click());
  await written(page, 'name');
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    const text = view.state.doc.toString().replace(/^name .*$/m, 'name = "<img src=x onerror=window.hurt=3>"').replace('[report]', '[Spot]\n"<img src=x onerror=window.hurt=4>" = { at = [3, 3] }\n\n[report]\nmeans = ["<img src=x onerror=window.hurt=5>"]');
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  });
  await page.waitForTimeout(3000);
  for (const tab of ['odds', 'table', 'run', 'compare', 'curves', 'review']) {
    await page.locator(`#tab-${tab}`).click();
    await page.waitForTimeout(400);
  }
  assert.match(await page.locator('#panel-review').innerText(), /<img src=x/);
  // a file that somebody brings along
  const zip = zipSync({ 'mine/<img src=x onerror=window.hurt=6>.rules': strToU8('ruleset mine/x version "1"'), 'mine/fine.rules': strToU8('ruleset mine/fine version "<img src=x onerror=window.hurt=7>"\n') });
  await page.locator('.menu summary').click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Bring a zip in' }).click()]);
  await chooser.setFiles({ name: '<img src=x onerror=window.hurt=8>.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) });
  await wait(page, () => [...document.querySelectorAll('.file')].some((each) => each.title === 'mine/fine.rules'), undefined, 60_000);
  await page.waitForTimeout(300);
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
const waiting = tests.filter((each) => each.name.includes(word));
let failed = 0;
const began = Date.now();

/** Runs one test and closes all that it opened. */
async function one(browser, { name, run }) {
  const start = Date.now();
  try {
    await run({ browser, url });
    console.log(`ok   ${name} (${Date.now() - start} ms)`);
  } catch (why) {
    failed++;
    console.log(`FAIL ${name}\n     ${why.stack}`);
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const page of pages) console.log(`     complaints: ${JSON.stringify(page.complaints)}, told: ${await page.locator('.notice, .becomes .status, .waits').allInnerTexts().then((all) => all.join(' | ').slice(0, 600), () => '?')}`);
    await pages.at(-1)?.screenshot({ path: join(studio, 'out', 'failed.png') }).catch(() => undefined);
  }
  for (const context of browser.contexts()) await context.close();
}

// the first, which measures how soon odds are shown, runs alone; the others two at a time
const browsers = [await launch(), await launch()];
if (waiting.length) await one(browsers[0], waiting.shift());
await Promise.all(
  browsers.map(async (browser) => {
    for (let next; (next = waiting.shift()); ) await one(browser, next);
    await browser.close();
  }),
);
server.close();
console.log(`${failed} failed, ${((Date.now() - began) / 1000).toFixed(0)} s`);
process.exitCode = failed ? 1 : 0;
