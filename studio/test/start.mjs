// Tests of the start page. The design of the page asks for seventeen tests, which have their number as `accepts`:
//    1 readable before the engine, and soon with odds   start.mjs   10 the same answer for the rest             place.mjs
//    2 lines of the dice box                            start.mjs   11 SVG, PNG and CSV of a chart              place.mjs
//    3 the tour by keyboard                             start.mjs   12 the link of a run                        place.mjs
//    4 an own Duel in two clicks and one key            start.mjs   13 the link of an edited book               place.mjs
//    5 each template and each game of the gallery       start.mjs   14 two curves over each other               place.mjs
//    6 each card of the language                        start.mjs   15 keys in a comment                        place.mjs
//    7 splitter and wide views                          place.mjs   16 axe, and targets on a phone              place.mjs, start.mjs
//    8 units and undo                                   place.mjs   17 a printed sheet                          start.mjs
//    9 zoom                                             place.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, studio, watch } from './browser.mjs';
import { runTests } from './run.mjs';

const tests = [];
const test = (name, run, more = {}) => tests.push({ name, run, ...more });
const rulesets = join(studio, '..', 'rulesets');
const shipped = (path) => readFileSync(join(rulesets, path), 'utf8');
const wait = (page, ask, arg) => page.waitForFunction(ask, arg);
/** Opens the start page, or another address of it, in a profile without any stored data. */
async function start(browser, url, { width = 1440, height = 900, toured = true, before = null, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...more });
  context.setDefaultTimeout(Number(process.env.PATIENCE ?? 180_000));
  if (toured) await context.addInitScript(() => { try { localStorage.setItem('grognard-toured', 'yes'); } catch {} });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  watch(page);
  return { page, open: () => page.goto(url) };
}
/** Waits until the line of the dice box is answered. */
const rolled = (page, words) => wait(page, (words) => document.querySelector('#said').innerText.includes(words) || document.querySelector('#mean').innerText.includes(words), words);
/** Waits for the odds of the work place. */
const odds = (page) => wait(page, () => document.body?.dataset.ready === 'yes' && document.querySelectorAll('.becomes .measure').length > 0 && !document.querySelector('.becomes .stale'));
/** Returns the fractions that the work place shows for a scenario. */
const shownFractions = (page) => page.evaluate(() => [...document.querySelectorAll('.becomes .measure')].map((each) => each.innerText));

test('the page is readable before the engine is requested, and small until then', async ({ browser, host, url }) => {
  const { page, open } = await start(browser, url);
  // the engine is held back until the page was read
  let release;
  host.held = new Promise((resolve) => (release = resolve));
  host.asked.length = 0;
  await open();
  const text = await page.locator('#start').innerText();
  for (const words of ['Grognard', 'Playtest a rule before you print it.', 'Try the dice box', 'Start a new game', 'Open an example']) assert.ok(text.includes(words), words);
  for (const words of ['mean 12.24', 'The knight wins: 54.27 %', 'All raiders down: 7.66 %', 'Red scores more: 42.53 %', 'Red takes both tricks: 39.44 %']) assert.ok(text.includes(words), `${words} is not in\n${text}`);
  await page.waitForTimeout(200);
  const asked = host.asked.map(({ path }) => path);
  assert.ok(!asked.includes('studio.js'), asked.join(' '));
  const bytes = host.asked.filter(({ path }) => path !== 'engine.wasm').reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(bytes > 10_000 && bytes <= 120_000, `${bytes} bytes`);
  console.log(`    ${bytes} bytes until the engine is requested`);
  // typed before there is an engine, and kept
  await page.locator('#line').fill('3d6');
  release();
  await rolled(page, 'mean 10.5');
  assert.equal(await page.locator('#line').inputValue(), '3d6');
  assert.match(await page.locator('#mean').innerText(), /= 21\/2 exact/);
  assert.equal(await page.locator('#chart rect').count(), 16);
  assert.deepEqual(page.complaints, []);
}, { accepts: 1 });

test('odds of a line stand soon after the address was entered', async ({ browser, url }) => {
  // the best of three, because other load on the machine affects the times
  const took = [];
  for (let n = 0; n < 3; n++) {
    const { page, open } = await start(browser, url);
    await open();
    await page.locator('#line').fill('3d6');
    await rolled(page, 'mean 10.5');
    took.push(await page.evaluate(() => performance.now()));
    await page.context().close();
  }
  console.log(`    odds of 3d6 ${took.map((each) => each.toFixed(0)).join(', ')} ms after the request of the page; at most 1500 are expected on an idle machine`);
}, { accepts: 1 });

const ANYDICE = [
  ['output 3d6', '3d6', '21/2'],
  ['output [highest 3 of 4d6]', 'total(highest(3, 4 of d6))', '15869/1296'],
  ['output [lowest 1 of 2d20]', 'total(lowest(1, 2 of d20))', '287/40'],
  ['output [middle 1 of 3d20]', 'median(3 of d20)', '21/2'],
  ['output 10d(d6>=5)', 'count 10 of d6 >= 5', '10/3'],
  ['output [count {1,6} in 5d6]', 'count k in 5 of d6 where k in [1, 6]', '5/3'],
  ['output d20+5 >= 15', 'd20 + 5 >= 15', '11/20'],
  ['output [highest of d8 and d6]', 'max(d8, d6)', '251/48'],
  ['output 2@3d6', 'nth(2, highest(2, 3 of d6)) otherwise 0', '7/2'],
  ['output [explode d6]', 'x = 1 of d6; explode k in x where k == 6 at most 2; total(x)', '301/72'],
  ['output d{2,3,3,4}', 'match d4 { 1 => 2; 2 | 3 => 3; 4 => 4 }', '3'],
  ['output 4d{-1..1}', 'total(4 of d3) - 8', '0'],
  ['output [absolute d6-d6]', 'x = d6 - d6; max(x, 0 - x)', '35/18'],
  ['output d6/2', 'd6 / 2 rounded down', '3/2'],
  ['output 3d6 > 4d4', '3d6 > 4d4', '1/2'],
];

test('the dice box reads other notations, and warns', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await rolled(page, 'mean 12.24');
  const line = async (text) => {
    await page.evaluate(() => performance.clearMarks('dice'));
    await page.locator('#line').fill(text);
    await wait(page, () => performance.getEntriesByName('dice').length > 0);
  };
  for (const [text, form, value] of ANYDICE) {
    await line(text);
    // the engine may still answer the line before
    await wait(page, (form) => document.querySelector('#said code')?.innerText === form, form);
    const mean = await page.locator('#mean').innerText();
    assert.ok(mean.includes(value.includes('/') ? `= ${value} ` : `mean ${value} `), `${text}: ${mean}`);
  }
  for (const [chip, value] of [['3d6', '21/2'], ['4d6kh3', '15869/1296'], ['5d6 hits 5+', '5/3'], ['2d20kh1', '553/40'], ['d6!', '']]) {
    await page.evaluate(() => performance.clearMarks('dice'));
    await page.locator('.chips').getByText(chip, { exact: true }).click();
    await wait(page, () => performance.getEntriesByName('dice').length > 0);
    assert.equal(await page.locator('#line').inputValue(), chip);
    assert.ok((await page.locator('#mean').innerText()).includes(value), chip);
  }
  await line('if d20 == 20 then 4d6 else if d20 >= 11 then 2d6 else 0');
  assert.match(await page.locator('#mean').innerText(), /161\/40/);
  assert.match(await page.locator('#notes').innerText(), /`?d20`? occurs several times, and each occurrence is a separate roll/);
  await page.evaluate(() => performance.clearMarks('dice'));
  await page.locator('#notes .code').click();
  await wait(page, () => performance.getEntriesByName('dice').length > 0);
  assert.match(await page.locator('#mean').innerText(), /77\/20/);
  await line('d66');
  assert.match(await page.locator('#notes').innerText(), /66 sides/);
  // the sum is computed, and the count is offered
  await line('5d6 >= 5');
  await page.evaluate(() => performance.clearMarks('dice'));
  await page.locator('#notes .code').click();
  await wait(page, () => performance.getEntriesByName('dice').length > 0);
  assert.equal(await page.locator('#line').inputValue(), 'count 5 of d6 >= 5');
  assert.match(await page.locator('#mean').innerText(), /5\/3/);
  // at least, and a second line
  await line('3d6');
  await page.locator('.modes').getByText('at least').click();
  assert.match(await page.locator('#chart tbody tr').first().textContent(), /^3100\.00 %/);
  await page.locator('[data-go=second]').click();
  await page.locator('#second').fill('4d6kh3');
  await wait(page, () => document.querySelectorAll('#chart rect.line1').length === 16);
  await page.locator('#line').fill('3d');
  await wait(page, () => document.querySelector('#notes .bad')?.innerText.length > 0);
  assert.deepEqual(page.complaints, []);
}, { accepts: 2 });

test('a line becomes a rule with an example and odds', async ({ browser, url }) => {
  for (const [text, value] of [['4d6kh3', '15869/1296'], ['5d6 hits 5+', '5/3'], ['d20+5 >= 15', '11/20'], ['d6!', null], ['2d6 + d8', '23/2']]) {
    const { page, open } = await start(browser, url);
    await open();
    await page.locator('#line').fill(text);
    await page.locator('[data-go=rule]').click();
    await odds(page);
    assert.match(await page.locator('.file-name').innerText(), /^my-roll\/game\.rules$/);
    if (value) assert.ok((await shownFractions(page)).join('\n').includes(value), `${text}: ${await shownFractions(page)}`);
    await wait(page, () => document.querySelector('.margin .holds, .margin [class*=holds], .margin .lens'));
    assert.equal(await page.locator('.problems.bad').count(), 0, text);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test('Squads by keyboard alone: three steps of the tour', async ({ browser, url }) => {
  const { page, open } = await start(browser, url, { toured: false });
  await open();
  await rolled(page, 'mean 12.24');
  let keys = 0;
  const key = async (name) => {
    keys++;
    await page.keyboard.press(name);
  };
  while ((await page.evaluate(() => document.activeElement?.dataset.game)) !== 'squads') {
    await key('Tab');
    assert.ok(keys < 25, 'Squads is not reached');
  }
  await key('Enter');
  await wait(page, () => document.querySelector('.tour h2')?.innerText === 'Change a number.');
  assert.match(await page.locator('.tour').innerText(), /A shot hits on 4 or more\. Make it 3\./);
  await wait(page, () => document.activeElement?.closest('.cm-editor'));
  await key('3');
  await wait(page, () => document.querySelector('.tour h2')?.innerText === 'Watch one volley.');
  assert.match(await page.locator('.tour .done').innerText(), /All raiders down went from 7\.66 % to 24\.99 %\. Both are exact\. The number is stated in G-01\./);
  await wait(page, () => document.activeElement?.matches('[data-key=play]'));
  await key('Enter');
  await wait(page, () => document.querySelector('.tour h2')?.innerText === 'Ask why.');
  // the numbers are those of the run
  const told = await page.locator('.tour .done').innerText();
  assert.match(told, /^Ten dice, \w+ hits?, \w+ not saved\. One line for each thing that happened\.$/);
  await wait(page, () => document.activeElement?.matches('.trace [data-line]'));
  await key('Enter');
  await wait(page, () => document.querySelector('.tour q'));
  const clause = /^(G-02)\s+(.*)$/m.exec(shipped('templates/squads.rules'));
  assert.equal(await page.locator('.tour q').innerText(), `${clause[1]} ${clause[2]}`);
  await wait(page, () => document.querySelector('.lit-line')?.innerText.includes('armour'));
  await key('Enter');
  await wait(page, () => !document.querySelector('#start').hidden && !document.querySelector('.tour'));
  console.log(`    ${keys} keys`);
  assert.ok(keys <= 25, `${keys} keys`);
  assert.deepEqual(page.complaints, []);
}, { accepts: 3 });

test('exact odds of an own Duel with one number changed: at most two clicks and one key', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await page.locator('[data-game=duel]').click();
  await odds(page);
  assert.ok((await shownFractions(page)).join('\n').includes('1696/3125'));
  // the number is selected, so that the next key replaces it
  await wait(page, () => document.activeElement?.closest('.cm-editor') && /^\d$/.test(getSelection().toString()));
  await page.keyboard.press('5');
  const wanted = fraction(['templates/scenarios/duel.toml', '--set', 'hit_on=5'], 'The knight wins');
  await wait(page, (wanted) => document.querySelector('.becomes')?.innerText.includes(wanted) && !document.querySelector('.becomes .stale'), wanted);
  assert.equal(await page.locator('dialog').count(), 0);
  // it is there after a reload, and on the start page
  await wait(page, () => document.querySelector('.kept').innerText.startsWith('saved'));
  await page.goBack();
  await wait(page, () => document.querySelector('#going-on')?.innerText.includes('My duel'));
  await page.locator('#going-on').getByText('Open', { exact: true }).click();
  await wait(page, (wanted) => !document.querySelector('#app').hidden && document.querySelector('.becomes')?.innerText.includes(wanted), wanted);
  assert.deepEqual(page.complaints, []);
}, { accepts: 4 });

/** Returns the fraction of a measure as `grognard odds` prints it. */
function fraction(args, measure) {
  const { answers } = JSON.parse(execFileSync(program, ['odds', ...args, '--format', 'json'], { cwd: rulesets, encoding: 'utf8' }));
  return answers.find((each) => each.measure === measure).mean;
}

test('each template and each game of the gallery opens with the figures of the program', async ({ browser, url }) => {
  const games = [...shipped('gallery/gallery.toml').matchAll(/^name = "(.*)"$/gm)].map(([, name]) => name);
  assert.equal(games.length, 25);
  const took = [];
  const { page, open } = await start(browser, url);
  await open();
  await rolled(page, 'mean 12.24');
  const check = async (scene, click) => {
    const began = Date.now();
    await click();
    await wait(page, (scene) => document.querySelector('#scene')?.value === scene, scene);
    await odds(page);
    took.push([Date.now() - began, scene]);
    if (process.env.TOLD) console.log(scene, Date.now() - began);
    const shown = await page.evaluate(() => [...document.querySelectorAll('.becomes .measure')].map((each) => each.textContent));
    // a large game is sampled, and has no fractions
    if (!shown.some((text) => text.includes('exact'))) return;
    const { answers } = JSON.parse(execFileSync(program, ['odds', scene.replace(/^my-(\w+)\/scenarios/, 'templates/scenarios'), '--format', 'json'], { cwd: rulesets, encoding: 'utf8' }));
    assert.equal(shown.length, answers.length, scene);
    for (const [n, { measure, mean, outcomes }] of answers.entries()) {
      const percent = ({ estimate }) => `${(estimate * 100).toFixed(1)} %`;
      const exact = (fraction) => (fraction.endsWith('/1') ? [fraction.slice(0, -2)] : fraction.length <= 24 ? [fraction] : []);
      const [first] = outcomes;
      const yes = outcomes.find(({ value }) => value === true) ?? { estimate: 0, fraction: '0/1' };
      // a chance is shown as a percentage, a number by its mean, and a name by the chance of each
      const wanted = typeof first?.value === 'boolean' ? [percent(yes), ...(yes.fraction.endsWith('/1') ? [] : exact(yes.fraction))] : mean ? exact(mean) : outcomes.map(percent);
      for (const words of wanted) assert.ok(shown[n].includes(words), `${scene}: ${measure} is ${words}, and the page shows ${shown[n]}`);
    }
  };
  for (const name of ['duel', 'squads', 'provinces', 'cards']) {
    await check(`my-${name}/scenarios/${name}.toml`, () => page.locator(`[data-game=${name}]`).click());
    await page.goBack();
  }
  await page.locator('#start nav').getByText('Gallery').click();
  await wait(page, () => document.querySelectorAll('#gallery .games section').length === 25);
  // sorted by mechanism
  assert.deepEqual(await page.locator('#gallery h2').allInnerTexts(), ['Dice', 'Fights', 'Morale', 'Cards', 'Turns', 'Boards', 'Solitaire']);
  for (const name of games) {
    await check(new RegExp(`^name = "${name}"[^]*?^scenario = "(.*)"`, 'm').exec(shipped('gallery/gallery.toml'))[1], () => page.locator(`#gallery [data-example="${name}"]`).click());
    await wait(page, () => document.querySelector('.question h2')?.innerText.endsWith('?'));
    await page.goBack();
    await wait(page, () => !document.querySelector('#gallery').hidden);
  }
  took.sort(([a], [b]) => b - a);
  console.log(`    odds after the click in ms, slowest first: ${took.slice(0, 5).map(([ms, scene]) => `${scene} ${ms}`).join(', ')}; the half ${took[took.length >> 1][0]}`);
  // a copy under an own name
  await page.locator('#gallery [data-example=risk]').click();
  await page.locator('.question').getByText('Change it').click();
  await wait(page, () => document.querySelector('.file-name').innerText === 'my-risk/game.rules' && document.querySelector('#scene').value === 'my-risk/scenarios/risk.toml');
  await odds(page);
  assert.deepEqual(page.complaints, []);
}, { accepts: 5 });

test('each card of the language is inserted without errors', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await page.locator('[data-game=squads]').click();
  await odds(page);
  const text = () => page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  const was = await text();
  await page.locator('#help summary').click();
  await page.locator('#help').getByRole('button', { name: 'Language' }).click();
  await wait(page, () => document.querySelectorAll('.language [data-card]').length > 20);
  const cards = await page.locator('.language [data-card]').evaluateAll((all) => all.filter((each) => each.querySelector('[aria-label^=Insert]')).map((each) => each.dataset.card));
  assert.deepEqual(cards.slice(0, 10), ['param', 'kind', 'let', 'roll', 'count', 'test', 'proc', 'action', 'rule', 'example']);
  for (const card of cards) {
    await page.locator('.language input').fill(card);
    await page.getByRole('button', { name: `Insert ${card}`, exact: true }).click();
    assert.ok((await text()).length > was.length, card);
    // the language server has seen this text
    const problems = await page.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return [...document.querySelectorAll('.cm-lintRange-error')].map((each) => each.innerText);
    });
    assert.deepEqual(problems, [], `${card}: ${await text()}`);
    await page.evaluate((was) => { const { view } = document.querySelector('.cm-editor'); view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: was }, userEvent: 'input' }); }, was);
  }
  console.log(`    ${cards.length} cards`);
  await page.locator('.language input').focus();
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('.language').isHidden());
  assert.deepEqual(page.complaints, []);
}, { accepts: 6 });

test('Squads prints on one page with its rules, clauses and odds', async ({ browser, url }) => {
  const { page, open } = await start(browser, url, { before: () => { window.print = () => (window.printed = document.querySelector('.print').textContent); } });
  await open();
  await page.locator('[data-game=squads]').click();
  await odds(page);
  await page.keyboard.press('Control+p');
  await wait(page, () => window.printed);
  const sheet = await page.evaluate(() => window.printed);
  for (const words of ['G-01', 'G-02 Each hit is saved by armour', 'proc volley', '7.7 %']) assert.ok(sheet.includes(words), `${words} is not in\n${sheet}`);
  assert.ok(!sheet.includes('example'), sheet);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('button:visible, input:visible, .cm-editor:visible').count(), 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  // the sheet is removed after it is printed
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
  assert.equal(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1);
}, { accepts: 17, chromium: 'counts the pages of a PDF' });

test('a phone shows one door below the other, with targets of 44 pixels', async ({ browser, url }) => {
  const { page, open } = await start(browser, url, { width: 390, height: 844 });
  await open();
  await rolled(page, 'mean 12.24');
  const boxes = await page.locator('.doors > section').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  assert.ok(boxes[0].top < boxes[1].top && boxes[1].top < boxes[2].top && boxes.every(({ width }) => width <= 390));
  // the chart is above the keyboard
  assert.ok((await page.locator('#chart').boundingBox()).y < 440);
  assert.equal(await page.locator('[data-game]:visible').count(), 2);
  await page.locator('.doors .more').first().click();
  assert.equal(await page.locator('[data-game]:visible').count(), 4);
  const small = await page.locator('#start :is(button, a, input[type=text], .modes label):visible').evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML));
  assert.deepEqual(small, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test('axe finds nothing on the start page and on what it opens', async ({ browser, url }) => {
  const axe = readFileSync(join(studio, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    const { page, open } = await start(browser, url, { colorScheme });
    const look = async (where) => {
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 3)}`));
      assert.deepEqual(found, [], `${where}, ${colorScheme}`);
    };
    await open();
    await rolled(page, 'mean 12.24');
    await look('start');
    await page.locator('#start nav').getByText('Gallery').click();
    await wait(page, () => document.querySelectorAll('#gallery .games section').length === 25);
    await look('gallery');
    await page.keyboard.press('Escape');
    await page.locator('#start nav').getByText('Language').click();
    await wait(page, () => document.querySelectorAll('.language [data-card]').length > 20);
    await odds(page);
    await look('language');
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.locator('#start nav').getByText('Gallery').click();
    await page.locator('#gallery [data-example=risk]').click();
    await wait(page, () => document.querySelector('.question h2')?.innerText.endsWith('?'));
    await odds(page);
    await look('a game of the gallery');
    await page.goBack();
    await page.goBack();
    await page.locator('#start nav').getByText('Tutorial').click();
    await wait(page, () => document.querySelector('.tour h2'));
    await odds(page);
    await look('tour');
    await page.context().close();
  }
}, { accepts: 16, chromium: 'emulates the dark scheme' });

/** Replaces a text in the editor. */
const edit = (page, before, after) => page.evaluate(([before, after]) => {
  const { view } = document.querySelector('.cm-editor');
  const at = view.state.doc.toString().indexOf(before);
  if (at < 0) throw new Error(`no ${before}`);
  view.dispatch({ changes: { from: at, to: at + before.length, insert: after }, userEvent: 'input' });
}, [before, after]);
const saved = (page) => wait(page, () => document.querySelector('.kept')?.innerText.startsWith('saved'));
/** Opens a new game of the start page. */
async function begin(page, game) {
  await page.locator(`[data-game=${game}]`).click();
  await odds(page);
  await wait(page, (game) => document.querySelector('.file-name').innerText.startsWith(`my-${game}`), game);
}

test('a link has only the game in view, and its reader keeps it beside an own game of the same name', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'cards');
  await page.goBack();
  await begin(page, 'duel');
  await edit(page, 'version "0.1"', 'version "0.2"');
  await saved(page);
  await page.locator('button.share').click();
  assert.match(await page.locator('dialog p').first().innerText(), /changes of “My duel”.*no other game/);
  const link = await page.locator('dialog textarea').inputValue();
  // a long link has a zip
  const [zip] = await Promise.all([page.waitForEvent('download'), page.locator('dialog').getByRole('button', { name: 'Download a zip' }).click()]);
  assert.equal(zip.suggestedFilename(), 'my-duel.zip');
  // another reader has a Duel too
  const reader = await start(browser, url);
  await reader.open();
  await begin(reader.page, 'duel');
  await saved(reader.page);
  const { page: other } = reader;
  const visit = async () => {
    await other.goto('about:blank');
    await other.goto(link);
    await wait(other, () => document.body?.dataset.ready === 'yes' && document.querySelector('.banner')?.innerText.includes('shared link'));
    assert.equal(await other.locator('#game option[value=my-cards]').count(), 0);
    await other.getByRole('button', { name: 'Save as my work' }).click();
  };
  await visit();
  await other.locator('dialog').getByRole('button', { name: 'Keep both' }).click();
  await wait(other, () => location.search === '?work' && document.body?.dataset.ready === 'yes' && document.querySelector('#game').value === 'my-duel-2');
  await odds(other);
  assert.match(await other.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString()), /^ruleset my-duel-2\/game version "0.2"/);
  assert.equal(await other.locator('#game option[value=my-duel]').count(), 1);
  // its own Duel is the same as before
  await other.locator('#game').selectOption('my-duel');
  await wait(other, () => document.querySelector('.cm-editor').view.state.doc.toString().startsWith('ruleset my-duel/game version "0.1"'));
  // a link with the same files asks nothing
  await page.goto('about:blank');
  await page.goto(link);
  await wait(page, () => document.body?.dataset.ready === 'yes' && document.querySelector('.banner')?.innerText.includes('shared link'));
  await page.getByRole('button', { name: 'Save as my work' }).click();
  await wait(page, () => location.search === '?work' && document.body?.dataset.ready === 'yes');
  assert.equal(await page.locator('#game option[value=my-duel-2]').count(), 0);
  assert.deepEqual(page.complaints.concat(other.complaints), []);
});

/** Returns a link to the game in view. */
async function linked(page) {
  await page.locator('button.share').click();
  const link = await page.locator('dialog textarea').inputValue();
  await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
  return link;
}
const visits = (page) => wait(page, () => document.body?.dataset.ready === 'yes' && document.querySelector('.banner')?.innerText.includes('shared link'));
/** Moves a slider of the work place by a step. */
async function slide(page, name, key) {
  await page.locator(`[data-key=slider-${name}]`).focus();
  await page.keyboard.press(key);
}

test('a link opens in a page that shows own work, keeps the original and the own parameters, and is not kept twice', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  const was = /54\.\d+ %/.exec(await page.locator('.becomes').innerText())[0];
  await edit(page, '"A blow hits on" = 6', '"A blow hits on" = 5');
  await odds(page);
  await wait(page, () => document.querySelector('.becomes .measure.moved .was'));
  const link = await linked(page);
  const reader = await start(browser, url);
  const { page: other } = reader;
  await reader.open();
  await begin(other, 'duel');
  await slide(other, 'hit_on', 'ArrowRight');
  await wait(other, () => document.querySelector('[data-key=number-hit_on]').value === '7');
  await saved(other);
  await other.goto('about:blank');
  await other.goto(link);
  await visits(other);
  // the reader sees the change
  const change = async () => {
    await wait(other, () => document.querySelector('.becomes .measure.moved .was') && !document.querySelector('.becomes .stale'));
    assert.ok((await other.locator('.becomes').innerText()).includes(was), `${was} is not in ${await other.locator('.becomes').innerText()}`);
    await wait(other, () => document.querySelector('#panel-odds').innerText.includes('1 of 1 expectation of the original no longer holds'));
    await other.locator('#tab-compare').click();
    await wait(other, () => /param hit_on: 6 → 5/.test(document.querySelector('.compare').innerText));
    await other.locator('#tab-odds').click();
  };
  await change();
  const keep = (answer) => other.getByRole('button', { name: 'Save as my work' }).click().then(() => answer && other.locator('dialog').getByRole('button', { name: answer }).click());
  const own = (said) => wait(other, (said) => location.search === '?work' && document.body?.dataset.ready === 'yes' && document.querySelector('.notice:not([hidden])')?.innerText.includes(said) && document.querySelector('#game').value === 'my-duel-2', said);
  await keep('Keep both');
  await own('Saved in this browser as “My duel 2”.');
  await change();
  // the parameters of the own game are still set
  await other.locator('#game').selectOption('my-duel');
  await wait(other, () => document.querySelector('[data-key=number-hit_on]').value === '7');
  await other.locator('.home').click();
  await wait(other, () => !document.querySelector('#start').hidden);
  // the same link again, as a change of the fragment
  await other.evaluate((link) => { location.href = link; }, link);
  await visits(other);
  await keep();
  await own('You already have this as “My duel 2”.');
  // the start page leaves the link, so that a new game is saved
  await other.evaluate((link) => { location.href = link; }, link);
  await visits(other);
  await other.locator('.home').click();
  await wait(other, () => !document.querySelector('#start').hidden && document.querySelectorAll('#going-on li').length === 2);
  await begin(other, 'cards');
  await saved(other);
  assert.equal(await other.locator('.banner:visible').count(), 0);
  assert.deepEqual(page.complaints.concat(other.complaints), []);
});

test('a link of the own game asks before it replaces parameters', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  const link = await linked(page);
  await slide(page, 'hit_on', 'ArrowRight');
  await wait(page, () => document.querySelector('[data-key=number-hit_on]').value === '7');
  for (const [answer, value] of [['Keep mine', '7'], ['Use those of the link', '6']]) {
    await page.evaluate((link) => { location.href = link; }, link);
    await visits(page);
    await page.getByRole('button', { name: 'Save as my work' }).click();
    assert.match(await page.locator('dialog').innerText(), /Your parameters of “My duel”: hit_on 7\. Those of the link: as in the text\./);
    await page.locator('dialog').getByRole('button', { name: answer }).click();
    await wait(page, (value) => location.search === '?work' && document.body?.dataset.ready === 'yes' && document.querySelector('[data-key=number-hit_on]')?.value === value, value);
  }
  // an own game opens with its parameters, also after another game and a reload
  await slide(page, 'hit_on', 'ArrowLeft');
  await wait(page, () => document.querySelector('[data-key=number-hit_on]').value === '5');
  await page.locator('.home').click();
  await begin(page, 'cards');
  await saved(page);
  await page.goto(url);
  await page.locator('[data-key=open-my-duel]').click();
  await wait(page, () => document.querySelector('#game')?.value === 'my-duel' && document.querySelector('[data-key=number-hit_on]')?.value === '5');
  assert.deepEqual(page.complaints, []);
});

test('a game of a template is compared with its template, and goes back to it', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  const doc = () => page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  const was = await doc();
  const [, line, number] = /^(param \w+[^\n]*? = )(\d+)/m.exec(was);
  await edit(page, line + number, `${line}${Number(number) - 1}`);
  await wait(page, () => document.querySelector('.becomes .measure.moved .was'));
  await wait(page, () => /The text of the rules\s*was changed\s*my-duel.game\.rules/.test(document.querySelector('.because')?.textContent ?? ''));
  await page.locator('#tab-compare').click();
  await wait(page, () => /There is only one edit[^]*param hit_on: 6 → 5[^]*Rule changes/.test(document.querySelector('.compare').innerText));
  assert.doesNotMatch(await page.locator('.compare').innerText(), /the same, exactly|without an original/);
  await page.locator('#tab-review').click();
  await wait(page, () => document.querySelectorAll('.review .hunk').length === 1);
  assert.equal((await page.locator('.review .hunk del').innerText()).slice(0, line.length + 1), line + number);
  await saved(page);
  await page.reload();
  await wait(page, () => document.querySelectorAll('.review .hunk').length === 1);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Go back to My duel as it began' }).click();
  await wait(page, (was) => document.querySelector('.cm-editor').view.state.doc.toString() === was, was);
  assert.deepEqual(page.complaints, []);
});

test('a parameter is undone like a text, and an edit of a text also after a visit to a link', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  const undo = page.locator('.top').getByRole('button', { name: 'Undo' });
  assert.ok(await undo.isDisabled());
  const doc = () => page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  const dial = (value) => wait(page, (value) => document.querySelector('[data-key=number-hit_on]').value === value, value);
  await edit(page, 'wounds : 0..9 = 3', 'wounds : 0..9 = 4');
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await dial('7');
  await undo.click();
  await dial('6');
  assert.ok((await doc()).includes('0..9 = 4'));
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowLeft');
  await dial('5');
  await edit(page, 'skill  : 0..5 = 2', 'skill  : 0..5 = 1');
  await undo.click();
  assert.ok((await doc()).includes('0..5 = 2'));
  await undo.click();
  await dial('6');
  await saved(page);
  await page.locator('button.share').click();
  const link = await page.locator('dialog textarea').inputValue();
  await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
  await page.goto('about:blank');
  await page.goto(link);
  await wait(page, () => document.body?.dataset.ready === 'yes' && document.querySelector('.banner')?.innerText.includes('shared link'));
  await page.getByRole('button', { name: 'Back to my work' }).click();
  await wait(page, () => location.search === '?work' && document.body?.dataset.ready === 'yes' && document.querySelector('.cm-editor')?.view.state.doc.toString().includes('0..9 = 4'));
  await undo.click();
  assert.ok((await doc()).includes('0..9 = 3'));
  assert.deepEqual(page.complaints, []);
});

test('an example is changed in a copy that keeps the chosen parameters', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await page.goto(`${url}?gallery`);
  await page.locator('#gallery [data-example=risk]').click();
  await odds(page);
  await page.locator('[data-key=reading-ties_to_defender-no], [data-key=slider-ties_to_defender]').first().focus();
  await page.keyboard.press('ArrowRight');
  await wait(page, () => document.querySelector('.dial.set'));
  const value = await page.locator('[data-key=number-ties_to_defender]').inputValue();
  await page.locator('.question').getByText('Change it').click();
  await wait(page, () => document.querySelector('.notice:not([hidden])')?.innerText.includes('your own copy, “My risk”') && document.querySelector('#scene').value === 'my-risk/scenarios/risk.toml');
  await wait(page, (value) => document.querySelector('.dial.set [data-key=number-ties_to_defender]')?.value === value, value);
  assert.deepEqual(page.complaints, []);
});

test('the chart of the dice box states its chances, leaves out rare values, and fades under another line', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await page.locator('#line').fill('3d6');
  await rolled(page, 'mean 10.5');
  const spot = () => page.locator('#chart .spot').innerText();
  assert.equal(await spot(), 'Highest bars: 10 and 11: 12.50 %, 1/8');
  assert.equal(await page.locator('#chart text.scale').textContent(), '12.5 %');
  // the pointer, the keys and the table state the same numbers
  const picture = await page.locator('#chart svg').boundingBox();
  await page.mouse.move(picture.x + picture.width * 0.06, picture.y + picture.height / 2);
  assert.equal(await spot(), '3: 0.46 %, 1/216');
  await page.mouse.move(1, 1);
  await page.locator('#chart svg').focus();
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.equal(await spot(), '4: 1.39 %, 1/72');
  await page.getByText('As a table').click();
  assert.equal(await page.locator('#chart tbody tr').count(), 16);
  assert.match(await page.locator('#chart tbody tr').nth(1).innerText(), /^4\s+1\.39 %, 1\/72$/);
  // a second line has a legend, and no label is cut
  await page.getByText('Add a second line').click();
  await page.locator('#second').fill('1d100');
  await wait(page, () => document.querySelector('#chart .legend')?.innerText.replace(/\s+/g, ' ').trim() === '3d6 1d100');
  const cut = await page.evaluate(() => {
    const { left, right } = document.querySelector('#chart svg').getBoundingClientRect();
    return [...document.querySelectorAll('#chart text')].filter((each) => each.getBoundingClientRect().left < left || each.getBoundingClientRect().right > right).map((each) => each.textContent);
  });
  assert.deepEqual(cut, []);
  await page.locator('#second').fill('d6');
  await rolled(page, '3d6: mean 10.5 = 21/2 · d6: mean 3.5 = 7/2');
  assert.equal(await spot(), 'Highest bars: 3d6, 10 and 11: 12.50 %, 1/8; d6, 1 to 6: 16.67 %, 1/6');
  await page.getByRole('button', { name: 'Remove the second line' }).click();
  await wait(page, () => document.querySelector('#mean').innerText === 'mean 10.5 = 21/2 exact' && !document.querySelector('#chart .legend'));
  assert.ok(await page.locator('#second').isHidden());
  assert.ok(await page.locator('[data-go=second]').isVisible());
  await page.locator('#line').fill('d6!');
  await rolled(page, 'mean 4.2');
  await wait(page, () => /^Not shown: \d+ to \d+, together (0\.0\d|less than 0\.01) %\.$/.test(document.querySelector('#chart .left-out')?.innerText));
  assert.ok((await page.locator('#chart tbody tr').count()) <= 31);
  // a total that cannot occur keeps its place
  assert.equal(await spot(), 'Highest bars: 1 to 5: 16.67 %, 1/6');
  const rows = async () => (await page.locator('#chart tbody tr').allInnerTexts()).map((row) => row.replace(/\s+/g, ' '));
  assert.deepEqual((await rows()).slice(4, 7), ['5 16.67 %, 1/6', '6 0 %', '7 2.78 %, 1/36']);
  await page.locator('.modes').getByText('at least').click();
  assert.deepEqual((await rows()).slice(4, 7), ['5 33.33 %', '6 16.67 %', '7 16.67 %']);
  await page.locator('.modes').getByText('each').click();
  // a mean that is a whole number has no fraction
  await page.locator('#line').fill('2d6+3');
  await rolled(page, 'mean 10');
  assert.equal(await page.locator('#mean').innerText(), 'mean 10 exact');
  await page.locator('#line').fill('2d6+');
  await page.locator('#notes .bad').waitFor();
  assert.equal(await page.locator('#chart.old, #mean.old, #said.old').count(), 3);
  await page.locator('#line').fill('2d6');
  await rolled(page, 'mean 7');
  assert.equal(await page.locator('.dice .old').count(), 0);
  assert.deepEqual(page.complaints, []);
});

test('a run without a table: no buttons of a table, no empty columns, dice in one place, and the values at a selected line', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  await page.locator('#tab-run').click();
  await page.locator('[data-key=by-hand]').check();
  const faces = page.locator('#panel-run .faces');
  await faces.waitFor();
  assert.equal(await page.locator('#panel-run .zoom:visible').count(), 0);
  assert.deepEqual(await page.locator('#panel-run .bare thead th').allInnerTexts(), ['name', 'values']);
  const top = (await faces.boundingBox()).y;
  await page.locator('[data-key=throw]').click();
  await wait(page, () => document.querySelectorAll('#panel-run .trace [data-line]').length > 1 && document.querySelector('#panel-run .faces'));
  assert.ok(Math.abs((await faces.boundingBox()).y - top) < 60, `${top} and ${(await faces.boundingBox()).y}`);
  await page.locator('[data-key=by-hand]').uncheck();
  await page.locator('[data-key=last]').click();
  await wait(page, () => document.querySelector('.waits').innerText.includes('The run is finished'));
  const values = () => page.locator('#panel-run .bare tbody').innerText();
  const end = await values();
  await page.locator('#panel-run .trace [data-line="0"]').click();
  await wait(page, () => /^\d+ more lines until the end/.test(document.querySelector('.waits').innerText));
  assert.notEqual(await values(), end);
  assert.match(await values(), /Wounds left 3[^]*Wounds left 4/);
  // an arrow key moves to the next line
  await page.locator('#panel-run .trace .now').focus();
  await page.keyboard.press('End');
  await wait(page, () => document.querySelector('.waits').innerText.includes('The run is finished'));
  assert.equal(await values(), end);
  assert.deepEqual(page.complaints, []);
});

test('the views follow a text of another game, and the outline names clauses by their words', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  assert.ok((await page.locator('.outline').innerText()).includes('D-01 The fighter who strikes rolls a die …'));
  assert.doesNotMatch(await page.locator('.outline').innerText(), /clause\s*clause clause/);
  const pick = async (book, path) => {
    const file = page.locator(`.file[title="${path}"]`);
    if (!(await file.isVisible())) await page.locator(`[data-key="book ${book}"]`).click();
    await file.click();
  };
  await pick('templates', 'templates/squads.rules');
  await wait(page, () => document.querySelector('#scene').value === 'templates/scenarios/squads.toml');
  await odds(page);
  assert.ok((await page.locator('.becomes').innerText()).includes('All raiders down'));
  // the scenarios of other games of the collection are apart
  assert.equal(await page.locator('#scene > option').count(), 1);
  assert.equal(await page.locator('#scene optgroup[label="Other games"] option').count(), 3);
  // a book with several texts keeps its scenario
  await pick('warstrike', 'warstrike/table.rules');
  await wait(page, () => document.querySelector('#scene').value.startsWith('warstrike/scenarios/'));
  const scene = await page.locator('#scene').inputValue();
  await pick('warstrike', 'warstrike/action-phase.rules');
  await wait(page, () => document.querySelector('.file-name').innerText === 'warstrike/action-phase.rules');
  assert.equal(await page.locator('#scene').inputValue(), scene);
  assert.deepEqual(page.complaints, []);
});

test('the tour begins from another game, takes the slider, covers no line of the log, and is closed', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  await page.locator('#help summary').click();
  await page.locator('#help').getByRole('button', { name: 'Tour' }).click();
  await wait(page, () => document.querySelector('.tour h2')?.innerText === 'Change a number.');
  // the number is selected, so that the next key replaces it
  await wait(page, () => {
    const { state, hasFocus } = document.querySelector('.cm-editor').view;
    const { from, to } = state.selection.main;
    return hasFocus && state.sliceDoc(from, to) === '4' && /hit_on/.test(state.doc.lineAt(from).text);
  });
  await odds(page);
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowLeft');
  await wait(page, () => document.querySelector('.tour h2')?.innerText === 'Watch one volley.');
  assert.match(await page.locator('.tour .done').innerText(), /went from 7\.66 % to 24\.99 %/);
  await page.locator('[data-key=play]').click();
  await wait(page, () => document.querySelector('.tour h2')?.innerText === 'Ask why.');
  const covered = () => page.evaluate(() => {
    const card = document.querySelector('.tour').getBoundingClientRect();
    const log = document.querySelector('#panel-run .trace').getBoundingClientRect();
    return card.left < log.right && log.left < card.right && card.top < log.bottom && log.top < card.bottom;
  });
  await wait(page, () => document.querySelector('.trace .pointed'));
  await page.waitForTimeout(400);
  assert.equal(await covered(), false);
  await page.getByRole('button', { name: 'Close the tour' }).click();
  assert.equal(await page.locator('.tour').count(), 0);
  assert.deepEqual(page.complaints, []);
});

test('the search of the language finds each word of a template, and the cheat sheet cuts nothing', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  await page.locator('#help summary').click();
  await page.locator('#help').getByRole('button', { name: 'Language' }).click();
  await page.locator('.language [data-card]').first().waitFor();
  for (const [word, card] of [['sweep', /sweep|param/], ['pass', /test/], ['chance', /example/], ['let', /^let/]]) {
    await page.locator('.language input').fill(word);
    assert.match(await page.locator('.language [data-card]').first().getAttribute('data-card'), card);
  }
  await page.keyboard.press('Escape');
  await page.locator('#help summary').click();
  await page.locator('#help').getByRole('button', { name: 'Cheat sheet' }).click();
  await page.locator('dialog .sheet').waitFor();
  assert.deepEqual(await page.locator('dialog .sheet-box, dialog .sheet pre').evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText.slice(0, 80))), []);
  assert.deepEqual(page.complaints, []);
});

test('a saved game is renamed, and the gallery shows code as code', async ({ browser, url }) => {
  const { page, open } = await start(browser, url);
  await open();
  await begin(page, 'duel');
  await edit(page, 'wounds : 0..9 = 3', 'wounds : 0..9 = 4');
  await saved(page);
  await page.goBack();
  await page.locator('[data-key=rename-my-duel]').click();
  await page.locator('[data-key=name-my-duel]:focus').waitFor();
  await page.keyboard.type('The Long Duel!');
  await page.keyboard.press('Enter');
  await page.locator('#going-on b').getByText('The long duel').waitFor();
  assert.equal(await page.locator('#going-on li').count(), 1);
  // all saved games are shown, with their buttons in columns
  for (const count of [2, 3, 4, 5, 6]) {
    await begin(page, 'cards');
    // the text is saved half a second after the last change
    await page.waitForTimeout(800);
    await page.goBack();
    await wait(page, (count) => document.querySelectorAll('#going-on li').length === count, count);
  }
  const columns = await page.locator('#going-on li').evaluateAll((all) => all.map((each) => [...each.querySelectorAll('button')].map((of) => Math.round(of.getBoundingClientRect().left)).join()));
  assert.equal(new Set(columns).size, 1, columns.join(' | '));
  await page.locator('[data-key=open-the-long-duel]').click();
  await odds(page);
  await wait(page, () => document.querySelector('.file-name').innerText === 'the-long-duel/game.rules' && document.querySelector('#scene').value === 'the-long-duel/scenarios/duel.toml');
  // it is still compared with its template
  await page.locator('#tab-review').click();
  await wait(page, () => document.querySelectorAll('.review .hunk').length === 1);
  assert.match(await page.locator('.review .hunk del').innerText(), /= 3/);
  await page.goto(`${url}?gallery`);
  await wait(page, () => document.querySelectorAll('#gallery .games section').length > 0);
  assert.doesNotMatch(await page.locator('#gallery').innerText(), /`/);
  assert.deepEqual(page.complaints, []);
});

await runTests(tests);
