// Tests of Run, Table, Compare, Curves and Review, for `page.mjs`.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { open, ready, studio } from './browser.mjs';

/** Records the messages to the engines, and which engines are ended. */
const hears = () => {
  window.sent = [];
  const { postMessage, terminate } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...more) {
    const text = typeof message === 'string' ? message : message.only;
    if (text) window.sent.push({ worker: this, method: JSON.parse(text).method });
    return postMessage.call(this, message, ...more);
  };
  Worker.prototype.terminate = function () {
    this.ended = true;
    return terminate.call(this);
  };
};
/** Waits until the engine that last received a method is ended. */
const ended = (page, wanted) => page.waitForFunction((wanted) => window.sent.filter(({ method }) => method === wanted).at(-1).worker.ended, wanted, { timeout: 5000 });

export default ({ test, wait, text, edit, written, settled, CORE, QUICK }) => {
test('a run is stepped through line by line, and each line highlights its rule', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'run' } });
  // it starts at line 0, with instructions
  await wait(page, () => /line 0 of \d+/.test(document.querySelector('#panel-run .count').innerText));
  assert.match(await text(page, '#panel-run .note'), /Press Play to show them one by one/);
  const all = Number(/of (\d+)/.exec(await text(page, '#panel-run .count'))[1]);
  assert.ok(all > 3);
  await page.locator('[data-key=step]').click();
  await page.locator('[data-key=step]').click();
  assert.equal(await page.locator('#panel-run .trace [data-line]').count(), 2);
  await wait(page, () => document.querySelector('.lit-line'));
  await page.reload();
  await ready(page);
  await wait(page, () => document.querySelectorAll('#panel-run .trace [data-line]').length === 2);
  await page.locator('[data-key=last]').click();
  assert.equal(await page.locator('#panel-run .trace [data-line]').count(), all);
});

test('an element that is redrawn while it is pressed still receives the click', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'run' } });
  await wait(page, () => /line 0 of \d+/.test(document.querySelector('#panel-run .count').innerText));
  const anew = (key) => wait(page, (key) => {
    const now = document.querySelector(`[data-key=${key}]`);
    window.was ??= now;
    return now !== window.was && delete window.was;
  }, key);
  // each played line redraws the tools
  await page.locator('[data-key=play]').click();
  await page.locator('[data-key=last]').hover();
  await page.mouse.down();
  await anew('last');
  await page.mouse.up();
  await wait(page, () => /line (\d+) of \1$/.test(document.querySelector('#panel-run .count').innerText));
  await wait(page, () => document.querySelector('[data-key=play]').innerText.includes('Play'));
  // with the keyboard too; a release elsewhere clicks nothing
  await page.locator('[data-key=first]').click();
  await page.locator('[data-key=play]').click();
  await page.locator('[data-key=last]').hover();
  await page.mouse.down();
  await anew('last');
  await page.mouse.move(640, 700);
  await page.mouse.up();
  assert.doesNotMatch(await text(page, '#panel-run .count'), /line (\d+) of \1$/);
  await page.locator('[data-key=by-hand]').focus();
  await page.keyboard.down(' ');
  await anew('by-hand');
  await page.keyboard.up(' ');
  await wait(page, () => document.querySelector('[data-key=by-hand]').checked);
});

test('the odds of each option are in the menu, and a run is saved as a test', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'run' } });
  await page.locator('[data-key=as-red]').check();
  await wait(page, () => document.querySelector('#panel-run .options .from-here small'));
  assert.deepEqual(await page.locator('#panel-run .options thead th').allInnerTexts(), ['mean laans present', 'mean raiders present', 'laans gone', 'raiders gone']);
  // the same number of digits in each row, aligned
  await wait(page, () => !/computed/.test(document.querySelector('.waits').innerText));
  for (const row of await page.locator('#panel-run .options tr:has(button[data-key])').all()) assert.match((await row.locator('.from-here').allInnerTexts()).join('|').replaceAll('\n', ' '), /^\d+\.\d\d sampled\|\d+\.\d\d sampled\|\d+\.\d % \S+\|\d+\.\d % \S+$/);
  assert.equal(new Set(await page.locator('#panel-run .options .from-here:nth-child(4)').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right))).size, 1);
  await page.locator('#panel-run .options button').first().click();
  await wait(page, () => !document.querySelector('[data-key=take-back]').disabled);
  await page.locator('[data-key=save]').click();
  await page.locator('dialog input').fill('my-run');
  await page.keyboard.press('Enter');
  await wait(page, () => [...document.querySelectorAll('.file')].some((each) => each.title === 'warstrike/scenarios/my-run.toml'));
  // saving a file is not an edit of the run
  await wait(page, () => document.querySelector('.notice')?.innerText.includes('my-run.toml was saved') && !document.querySelector('#panel-run .status').innerText);
  assert.doesNotMatch(await text(page, '#panel-run'), /After your edit/);
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title.endsWith('/my-run.toml')).click());
  await written(page, 'base');
});

test('if there are many measures, the user selects the one next to the options', async ({ browser, url }) => {
  const scene = 'warstrike/scenarios/firefight.toml';
  const page = await open(browser, url, { view: { ...QUICK, path: scene, scene, tab: 'run' } });
  await written(page, 'mean = ["size');
  await edit(page, 'mean = ["size', 'mean = ["laans.markers", "size');
  await page.locator('[data-key=as-red]').check();
  await wait(page, () => document.querySelectorAll('[data-key=beside] option').length === 5 && !/computed/.test(document.querySelector('.waits').innerText));
  assert.match(await text(page, '.options .from-here'), /^\d\.\d\d\s+sampled$/);
  await page.locator('[data-key=beside]').focus();
  await page.locator('[data-key=beside]').selectOption('raiders.gone');
  assert.match(await text(page, '.options .from-here'), /^\d+\.\d %\s+[\d.]+–[\d.]+$/);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'beside');
  assert.deepEqual(page.complaints, []);
});

test('dice are typed, the resulting lines are marked, and no answer is lost', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'run' } });
  await page.locator('[data-key=by-hand]').check();
  // up to a roll of several dice
  for (let n = 0; n < 40; n++) {
    await wait(page, () => document.querySelector('.waits button:not([disabled])'));
    if (await page.locator('[data-key^=written]').count()) break;
    await page.locator('[data-key=auto], [data-key=throw]').first().click();
    await wait(page, () => !document.querySelector('.run > .status')?.innerText.includes('computing'));
  }
  const dice = Number(/^(\d+) d6: /.exec(await text(page, '.waits p:has(.thrown)'))[1]);
  const give = page.locator('[data-key=give]');
  await page.locator('[data-key^=written]').fill('9');
  assert.equal(await page.locator('[data-key^=written]').evaluate((input) => input.validationMessage), 'There is no face 9');
  assert.ok(await give.isDisabled());
  await page.locator('[data-key^=written]').fill('6'.repeat(dice));
  await give.click();
  await wait(page, () => document.querySelector('.trace .fresh'));
  assert.ok((await page.locator('.trace .fresh').allInnerTexts()).join(' ').includes(Array(dice).fill('6').join(' ')));
  // random dice from now on: the run so far stays, and continues to its end
  const told = () => page.locator('#panel-run .trace .told').allInnerTexts();
  const played = await told();
  await page.locator('[data-key=by-hand]').uncheck();
  await wait(page, (count) => { const [, at, all] = /line (\d+) of (\d+)/.exec(document.querySelector('#panel-run .count').innerText); return Number(at) === count && Number(all) > count; }, played.length);
  assert.deepEqual(await told(), played);
  await page.locator('[data-key=last]').click();
  await wait(page, () => document.querySelector('.waits').innerText.includes('The run is finished'));
  assert.deepEqual((await told()).slice(0, played.length), played);
  // a reloaded page has the same run
  const whole = await told();
  await page.reload();
  await ready(page);
  await wait(page, (lines) => document.querySelectorAll('#panel-run .trace [data-line]').length === lines, whole.length);
  assert.deepEqual(await told(), whole);
  // and a roll by hand can be undone
  await page.locator('[data-key=take-back]').click();
  await wait(page, (last) => [...document.querySelectorAll('#panel-run .trace .told')].at(-1)?.innerText !== last || document.querySelector('[data-key=take-back]').disabled, whole.at(-1));
  assert.match(await text(page, '.lines summary'), /^Previous runs \([1-9]/);
  assert.deepEqual(page.complaints, []);
});

test('if the texts recur, the odds are shown without another request', async ({ browser, url }) => {
  const page = await open(browser, url, { view: CORE, before: hears });
  await written(page);
  await settled(page);
  const asked = () => page.evaluate(() => window.sent.filter(({ method }) => method === 'grognard/outlook').length);
  const value = await text(page, '.becomes .value');
  await edit(page, 'param hit_on', 'param hit on');
  await wait(page, () => document.querySelector('.becomes .stale') && document.querySelector('.becomes .status.bad'));
  const before = await asked();
  await edit(page, 'param hit on', 'param hit_on');
  await wait(page, () => !document.querySelector('.becomes .stale') && !document.querySelector('.becomes .status.bad'));
  assert.equal(await text(page, '.becomes .value'), value);
  assert.equal(await asked(), before);
});

test('two versions are compared, and the readings are ranked', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml' }, before: hears });
  await wait(page, () => document.querySelector('[data-key=slider-hit_on]'));
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('#tab-compare').click();
  await wait(page, () => /^computing both versions: exactly if that is cheap, else from pairs of runs …/.test(document.querySelector('.compare .status').innerText));
  await wait(page, () => /^computing: [\d,]+ pairs of runs so far …/.test(document.querySelector('.compare .status').innerText));
  await wait(page, () => document.querySelectorAll('.compare .measure').length === 4);
  assert.match(await text(page, '.compare .measure .how'), /^sampled, [\d,]+ pairs of runs$/);
  assert.match(await text(page, '.causes'), /There is only one edit, which causes the whole difference\.\s+hit_on set to 5/);
  assert.match(await text(page, '.compare .differences'), /hit_on/);
  assert.match(await text(page, '.compare .measure'), /→/);
  await wait(page, () => document.querySelectorAll('.compare .two .trace').length === 2 && document.querySelector('.compare .two .changed'));
  // the first measure is decided, another is not: after Continue all of them are
  const stopped = /Undecided after ([\d,]+) pairs of runs: laans gone\. Continue until all are decided, with at most 100,000 pairs/.exec(await text(page, '.compare'));
  assert.ok(stopped, await text(page, '.compare'));
  await page.locator('[data-key=go-on]').click();
  // the result shown is still valid, and stays until there is more
  assert.equal(await page.locator('.compare .measure').count(), 4);
  assert.equal(await page.evaluate(() => document.querySelector('.compare > div:last-child').className), '');
  assert.match(await text(page, '.compare .status'), /^computing: [\d,]+ pairs of runs so far/);
  await wait(page, () => document.querySelectorAll('.compare .measure').length === 4 && !document.querySelector('.compare .status').innerText && document.querySelector('.compare .two'));
  assert.doesNotMatch(await text(page, '.compare'), /undecided/i);
  assert.notEqual(await text(page, '.compare .measure .how'), `sampled, ${stopped[1]} pairs of runs`);
  await page.locator('#tab-curves').click();
  // the axis covers all values from the start, and the current value has its place
  await wait(page, () => /^computing: 1 of 4 values/.test(document.querySelector('.curves .status').innerText) && /^a shot hits on 5 \(current\): not computed yet$/m.test(document.querySelector('.curves .key').innerText));
  await wait(page, () => document.querySelectorAll('.curves .plots .plot').length === 2 && !document.querySelector('.curves .status').innerText);
  await wait(page, () => /a shot hits on 5 \(current\)$/m.test(document.querySelector('.curves .key').innerText));
  assert.match(await text(page, '.curves .key'), /gone \d+\.\d %/);
  assert.match(await text(page, '.curves .plots'), /sampled, 10,000 runs per point/);
  await page.getByRole('button', { name: /Which readings matter/ }).click();
  await wait(page, () => document.querySelectorAll('.ranked li').length > 2);
  // a hidden view does not wait for its question
  await page.locator('.curves select').nth(1).selectOption('save_on');
  await wait(page, () => document.querySelector('.curves .status').innerText.includes('computing'));
  await page.locator('#tab-table').click();
  await ended(page, 'grognard/sweep');
  assert.deepEqual(page.complaints, []);
});

test('the effect of an edit by itself is shown as it is computed, stopped, and requested again', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...CORE, scene: 'warstrike/scenarios/firefight.toml', tab: 'review' } });
  await written(page);
  await edit(page, 'a shot hits on" = 4', 'a shot hits on" = 5');
  await wait(page, () => document.querySelectorAll('.moves .measure').length === 4);
  const ask = page.locator('[data-key^="alone "]');
  await ask.focus();
  await page.keyboard.press('Enter');
  await wait(page, () => /computing: [\d,]+ pairs of runs so far/.test(document.querySelector('.hunk').innerText) && document.querySelectorAll('.hunk .measure').length === 4);
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Stop');
  await page.keyboard.press('Enter');
  await wait(page, () => /^stopped$/m.test(document.querySelector('.hunk').innerText));
  assert.match(await page.evaluate(() => document.activeElement.innerText), /^Effect of only this edit$/);
  await page.keyboard.press('Enter');
  await wait(page, () => document.querySelectorAll('.hunk .measure').length === 4 && !/stopped|computing/.test(document.querySelector('.hunk').innerText) && document.activeElement.matches('.alone'));
  // a changed dial has no effect here, and is named
  const moved = await page.locator('.moves .measure .value').allInnerTexts();
  await page.locator('#tab-odds').click();
  await page.locator('[data-key=slider-save_on]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('#tab-review').click();
  await wait(page, () => /Only changes of texts count here\. .*a hit is saved on \d, not \d/.test(document.querySelector('.moves').innerText) && !document.querySelector('.review .status').innerText && document.querySelectorAll('.moves .measure').length === 4);
  assert.deepEqual(await page.locator('.moves .measure .value').allInnerTexts(), moved);
  assert.deepEqual(page.complaints, []);
});

/** Plays the run with a seed other than that of the scenario. */
async function dice(page, seed) {
  await wait(page, () => document.querySelector('[data-key=seed]')?.value === '3');
  await page.locator('[data-key=seed]').fill(seed);
  await page.keyboard.press('Enter');
}

test('a question is shown as text, with its name in the rules', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'edits/scenarios/across-the-road.toml', tab: 'run' } });
  await dice(page, '1');
  await page.locator('[data-key=as-red]').check();
  await wait(page, () => document.querySelector('.waits h3 code'));
  assert.match(await text(page, '.waits h3'), /^How to fall back how_to_fall_back\s*red, for laans$/);
  assert.match(await page.locator('[data-key="option-fall_back"]').innerText(), /^Fall back fall_back/);
  // a roll belongs to its test
  await page.locator('[data-key=as-red]').uncheck();
  await page.locator('[data-key=by-hand]').check();
  await wait(page, () => document.querySelector('.waits [data-key=throw]'));
  const ruled = () => wait(page, () => document.querySelector('.asks .link'));
  await ruled();
  // also to that of a stand-in, which cites no clause
  assert.match(await text(page, '.waits'), /^Aim\s+Salvo\.aim\s+rolled in “How many hit, and how many are not saved” of \w+, \w+, shots \d+\s+\(no clause cited\)\s+\d+ d6: /);
  for (let n = 0; n < 40 && !/^Dice\s/.test(await text(page, '.waits')); n++) {
    const count = await text(page, '#panel-run .count');
    await page.locator('.waits [data-key=throw]').click();
    await wait(page, (count) => document.querySelector('#panel-run .count').innerText !== count && document.querySelector('.waits [data-key=throw]'), count);
  }
  await ruled();
  assert.match(await text(page, '.waits'), /^Dice\s+SuppressionCheck\.dice\s+rolled in “Ld check” of \w+\s+WA-12\s.*\d+ d6: /s);
  assert.deepEqual(page.complaints, []);
});

test('a user who no longer rolls or decides stays at the same line; the highlight is removed with the run', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'run' } });
  const count = () => text(page, '#panel-run .count');
  await wait(page, () => /line 0 of \d+/.test(document.querySelector('#panel-run .count').innerText));
  for (let n = 0; n < 6; n++) await page.locator('[data-key=step]').click();
  const there = await count();
  for (const box of ['by-hand', 'as-red']) {
    await page.locator(`[data-key=${box}]`).check();
    await wait(page, () => document.querySelector('.waits h3'));
    const asked = Number(/line (\d+)/.exec(await count())[1]);
    await page.locator(`[data-key=${box}]`).uncheck();
    await wait(page, (there) => document.querySelector('#panel-run .count').innerText.endsWith(there), there.split(' of ')[1]);
    assert.match(await count(), new RegExp(`^line ${asked} of `), box);
  }
  const lit = () => page.locator('.lit-line').count();
  await page.locator('[data-key=step]').click();
  await wait(page, () => document.querySelector('.lit-line'));
  await page.locator('[data-key=other]').click();
  assert.equal(await lit(), 0);
  // a hidden view removes its highlight
  await page.locator('[data-key=last]').click();
  await page.locator('#panel-run .trace [data-line="1"]').click();
  await wait(page, () => document.querySelector('.lit-line'));
  await page.locator('#tab-odds').click();
  assert.equal(await lit(), 0);
  assert.deepEqual(page.complaints, []);
});

test('a user who starts to roll or decide continues from the current line, and each question names its rule', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'run' } });
  const told = () => page.locator('#panel-run .trace .told').allInnerTexts();
  const asks = (word) => wait(page, (word) => document.querySelector('.waits h3')?.innerText.includes(word) && document.querySelector('.asks .link'), word);
  await page.getByLabel('every event').check();
  await page.locator('[data-key=as-red]').check();
  await asks('Action');
  assert.match(await text(page, '.asks'), /^asked in “A unit's go” of laans\s+WA-40$/);
  assert.match(await text(page, '.says'), /^WA-40: A unit that got through its suppression step has exactly four actions/);
  // with the keyboard only: the focus moves to the next question
  await page.locator('[data-key="option-OpenFire"]').press('Enter');
  await asks('Look first?');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'question');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'auto');
  const before = await told();
  // earlier rolls and answers stay; the next dice are rolled by hand
  await page.locator('[data-key=by-hand]').check();
  await wait(page, () => !document.querySelector('.run > .status').innerText && document.querySelector('[data-key=by-hand]').checked);
  await asks('Look first?');
  assert.deepEqual(await told(), before);
  await page.locator('[data-key=auto]').click();
  await asks('Snap for range?');
  assert.match(await text(page, '.asks'), /WA-47\s+WA-48\s+WA-49\s+WL-H16$/);
  for (let n = 0; n < 20 && !/^Aim/.test(await text(page, '.waits h3')); n++) {
    const count = await text(page, '#panel-run .count');
    await page.locator('[data-key=auto]').click();
    await wait(page, (count) => document.querySelector('#panel-run .count').innerText !== count && document.querySelector('.asks .link'), count);
  }
  await page.locator('[data-key=throw]').click();
  await asks('Saves');
  // the thing that is tested, not the player who rolls
  assert.match(await text(page, '.waits'), /^Saves\s+Salvo\.saves\s+rolled in “How many hit, and how many are not saved” of laans, raiders, shots 12\s+\(no clause cited\)/);
  await page.locator('[data-key=throw]').click();
  await wait(page, () => !/Saves/.test(document.querySelector('.waits h3')?.innerText));
  // the text follows an undone step
  await page.locator('[data-key=take-back]').click();
  await asks('Saves');
  assert.match(await text(page, '.lit-line'), /let hits = count aim >= hit_on/);
  // a button that becomes disabled passes the focus on
  for (let n = 0; n < 40 && !(await page.locator('[data-key=take-back]').isDisabled()); n++) {
    const count = await text(page, '#panel-run .count');
    await page.locator('[data-key=take-back]').press('Enter');
    await wait(page, (count) => document.querySelector('#panel-run .count').innerText !== count, count);
  }
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'other');
  assert.deepEqual(page.complaints, []);
});

test('a picked unit shows its lines of sight, and what blocks them', async ({ browser, url }) => {
  const scene = 'warstrike/scenarios/behind-a-wall.toml';
  for (const [width, scheme] of [[1280, 'light'], [360, 'dark']]) {
    const page = await open(browser, url, { view: { ...QUICK, path: scene, scene, tab: 'table' }, width, scheme });
    await page.evaluate(() => {
      window.said = [];
      new MutationObserver(() => window.said.push(document.getElementById('announce').textContent)).observe(document.getElementById('announce'), { childList: true });
    });
    await wait(page, () => document.querySelector('#panel-table [data-unit=laans]'));
    assert.equal(await page.locator('#panel-table .sight').count(), 0);
    await page.locator('#panel-table [data-unit=l1]').first().focus();
    await page.keyboard.press('Enter');
    await wait(page, () => document.querySelector('#panel-table .sight'));
    const drawn = () => page.evaluate(() => [...document.querySelectorAll('#panel-table .sight')].map((each) => [each.dataset.to, each.classList.contains('clear'), each.querySelectorAll('.stop').length]).sort());
    assert.deepEqual(await drawn(), [['guards', true, 0], ['lee', true, 0], ['north', true, 0], ['west', false, 1]]);
    assert.deepEqual((await page.locator('.unit-panel .sees li').allInnerTexts()).sort(), ['— guards of red', '— lee', '— north of blue']);
    assert.match(await text(page, '.unit-panel .hides'), /west of blue \(by wall\)/);
    await wait(page, () => window.said.some((each) => /^l1 sees .*, and does not see west$/.test(each)));
    // not only by color
    const dashes = (selector) => page.locator(`#panel-table ${selector}`).first().evaluate((line) => getComputedStyle(line).strokeDasharray);
    assert.equal(await dashes('.sight.clear .way'), 'none');
    assert.notEqual(await dashes('.sight.blocked .way'), 'none');
    assert.notEqual(await dashes('.sight.blocked .beyond'), 'none');
    // a blocked line ends at the wall, whose right side is 15 inches from the left
    assert.ok(Math.abs((await page.locator('.sight.blocked .way').evaluate((line) => Number(line.getAttribute('x2')))) - 15_000) < 20);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    // the unit moves past the wall, and sees the west
    if (width > 360) {
      await edit(page, 'at = [20, 20]', 'at = [12, 26]');
      await wait(page, () => document.querySelector('#panel-table .sight[data-to=west].clear'));
      assert.match(await text(page, '.unit-panel .sees'), /west of blue/);
    }
    await page.locator('[data-key=sight]').uncheck();
    await wait(page, () => !document.querySelector('#panel-table .sight') && !document.querySelector('.unit-panel .hides'));
    await page.locator('[data-key=sight]').check();
    await wait(page, () => document.querySelectorAll('#panel-table .sight').length === 4);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
  // rules without sight have no switch for it
  const page = await open(browser, url, { view: { ...QUICK, path: 'recoil/core.rules', scene: 'recoil/scenarios/along-the-wall.toml', tab: 'table' } });
  await wait(page, () => document.querySelector('#panel-table [data-unit]'));
  assert.ok(await page.locator('[data-key=sight]').isHidden());
});

test('table, trace and menu are visible together, and the notice covers no control', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...CORE, scene: 'warstrike/scenarios/firefight.toml', tab: 'run' } });
  await page.getByLabel('every event').check();
  await page.locator('[data-key=as-red]').check();
  await wait(page, () => document.querySelectorAll('#panel-run .options .from-here small').length === 16);
  await page.locator('.asks .clause').first().click();
  await wait(page, () => document.querySelector('.notice')?.innerText.startsWith('WA-40: '));
  for (const [width, height] of [[1280, 800], [1440, 900], [390, 800], [360, 740]]) {
    await page.setViewportSize({ width, height });
    if (width < 760) await page.locator('#tab-run').click();
    await page.waitForTimeout(200);
    const found = await page.evaluate(() => {
      const box = (selector) => document.querySelector(`#panel-run ${selector}`).getBoundingClientRect();
      const panel = box('.run');
      const heights = ['.board', '.trace', '.run-below'].map((each) => box(each)).map((each) => (each.top >= panel.top && each.bottom <= panel.bottom ? each.height : 0));
      const covered = [...document.querySelectorAll('button, input, select, summary, [role=tab]')].filter((each) => each.checkVisibility() && !each.closest('.editor-box, .notice')).filter((each) => {
        const at = each.getBoundingClientRect();
        // elements below the fold are scrolled to
        const fold = each.closest('.run') ? Math.min(...['.run-below', ''].map((of) => document.querySelector(`#panel-run ${of}`.trim()).getBoundingClientRect().bottom)) : Infinity;
        return !(at.bottom > fold && each.closest('.run-below, .more')) && document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)?.closest('.notice');
      });
      const now = document.querySelector('#panel-run .trace .now').getBoundingClientRect();
      const cut = [...document.querySelectorAll('#panel-run :is(button, th, td, input)')].filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth);
      return { cut: cut.map((each) => each.outerHTML), heights, scrolls: document.querySelector('#panel-run').scrollHeight - document.querySelector('#panel-run').clientHeight, covered: covered.map((each) => each.outerHTML), now: now.bottom <= box('.trace').bottom + 1 };
    });
    const least = width < 760 ? [120, 80, 160] : [140, 100, 250];
    assert.ok(least.every((each, n) => found.heights[n] >= each), `${width}: ${found.heights}`);
    assert.deepEqual([found.covered, found.now, found.cut], [[], true, []], `${width}`);
    if (width > 760) assert.equal(found.scrolls, 0, `${width}`);
  }
  assert.deepEqual(page.complaints, []);
});

test('the answer to a changed question replaces the answers that no longer fit', async () => {
  const code = buildSync({ entryPoints: [join(studio, 'src', 'views', 'hand.ts')], bundle: true, format: 'esm', write: false }).outputFiles[0].text;
  const { Hand } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const hand = new Hand();
  const [first, second] = [{ choose: 'first', asked: undefined }, { choose: 'second', asked: 'other of red' }];
  hand.begin([], { byHand: false, mine: new Set(['red']) });
  hand.answer(first, null);
  // dice are rolled before the next question
  assert.ok(hand.goesOn({ waits: { sort: 'roll' }, marks: [1, 1] }));
  assert.ok(!hand.goesOn({ waits: { sort: 'choose', who: 'red' }, marks: [1, 1, 1], misfit: { at: 2 } }));
  assert.deepEqual(hand.params.script, [first, { roll: [] }]);
  // an edit: the first answer is no longer an option
  const misfit = { waits: { sort: 'choose', who: 'red', asked: 'other of red' }, marks: [1], misfit: { at: 0 } };
  assert.ok(!hand.goesOn(misfit));
  hand.answer({ choose: 'second' }, misfit);
  assert.deepEqual(hand.params.script, [second]);
});

test('a script that no longer fits highlights nothing', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'edits/scenarios/across-the-road.toml', tab: 'run' } });
  await dice(page, '1');
  await page.locator('[data-key=as-red]').check();
  await page.locator('[data-key="option-snap_shots"]').click();
  await wait(page, () => document.querySelector('.trace .fresh'));
  await page.locator('#panel-run .trace .fresh').first().click();
  await wait(page, () => document.querySelector('.lit-line'));
  // the option is no longer available
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title === 'warstrike/core.rules').click());
  await written(page, 'snap_shots when may_snap');
  await page.locator('#panel-run .trace .fresh').first().click();
  await wait(page, () => document.querySelector('.lit-line'));
  await edit(page, 'snap_shots when may_snap(u)', 'snap_shots when 1 == 2');
  await wait(page, () => document.querySelector('.trace .misfit'));
  await wait(page, () => !document.querySelector('.lit-line'));
  // an answer that fits replaces it
  await page.locator('.waits [data-key=auto]').click();
  await wait(page, () => document.querySelector('.trace .fresh') && !document.querySelector('.trace .misfit'));
});

test('dice rolled by hand stay with their roll after an edit, and a double click rolls once', async ({ browser, url }) => {
  const page = await withOwnFile(browser, url);
  const put = (text) => page.evaluate((text) => { const { view } = document.querySelector('.cm-editor'); view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input' }); }, text);
  await put('ruleset mine/core version "1"\nkind Duelist { state n : 0..6 = 3 }\nproc go(u: Duelist) {\n  roll aim = d6\n  if aim >= 4 {\n    roll harm = d6\n    set u.n = harm\n  }\n}\n');
  await page.locator('#tab-run').click();
  assert.match(await text(page, '#panel-run'), /No scenario uses these rules yet/);
  await page.locator('#tab-odds').click();
  await page.locator('[data-key=make]').click();
  await page.keyboard.press('Enter');
  await written(page, 'rules = "mine/core"');
  await put('rules = "mine/core"\nname = "first"\n[Duelist]\nann = {}\nbob = {}\n[[step]]\ndo = "do go(ann)"\n[[step]]\ndo = "do go(bob)"\n[report]\nof = ["ann.n", "bob.n"]\n');
  await page.locator('#tab-run').click();
  await page.getByLabel('every event').check();
  await page.locator('[data-key=by-hand]').check();
  for (const face of ['4', '1', '6', '2']) {
    const rolls = await page.locator('#panel-run .trace .ev-roll').count();
    await page.locator(`.waits [data-key=face-${face}]`).click();
    await page.locator('.waits [data-key=give]').dblclick();
    await wait(page, (rolls) => document.querySelectorAll('#panel-run .trace .ev-roll').length === rolls + 1, rolls);
  }
  await wait(page, () => document.querySelector('#panel-run .waits')?.innerText.includes('The run is finished'));
  const rolled = (wanted) => wait(page, (wanted) => [...document.querySelectorAll('#panel-run .trace .ev-roll .told')].map((each) => /(aim|harm).*\b(\d)\b/.exec(each.innerText).slice(1).join(' ')).join(', ') === wanted, wanted);
  await rolled('aim 4, harm 1, aim 6, harm 2');
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title === 'mine/core.rules').click());
  await written(page, 'roll harm');
  await edit(page, 'aim >= 4', 'aim >= 5');
  await rolled('aim 4, aim 6, harm 2');
  assert.equal(await page.locator('#panel-run .misfit').count(), 0);
  // the answer to a roll that recurs is requested again, and the run with the earlier answer is kept
  await edit(page, 'aim >= 5', 'aim >= 4');
  await wait(page, () => /expected an answer for go\.harm of ann, found one for go\.aim of bob\. Answer again below/.test(document.querySelector('#panel-run .misfit')?.innerText));
  assert.equal(await page.locator('#panel-run .lines li').count(), 2);
  // all runs are repeated with the current rules
  await page.locator('#panel-run .lines').evaluate((each) => (each.open = true));
  const again = async (wanted) => {
    await page.locator('[data-key=play-all]').click();
    await wait(page, (wanted) => document.querySelector('#panel-run .lines').innerText.includes(wanted), wanted);
  };
  await again('same result: ann n: 1 · bob n: 2');
  await again('no longer fits: expected an answer for `go.harm of ann`, found one for `go.aim of bob`');
  await edit(page, 'aim >= 4', 'aim >= 5');
  await again('result was ann n: 1 · bob n: 2, is now ann n: 3 · bob n: 2; 1 answer is no longer needed');
  await again('same result: ann n: 3 · bob n: 2');
  await edit(page, 'aim >= 5', 'aim >= 4');
  await wait(page, () => document.querySelector('#panel-run .misfit'));
  // a double click on a roll by the page rolls once too
  await page.locator('.waits [data-key=throw]').dblclick();
  await wait(page, () => document.querySelectorAll('#panel-run .trace .ev-roll').length === 2 && !document.querySelector('#panel-run .misfit'));
  await wait(page, () => document.querySelector('.waits [data-key=throw]'));
  assert.equal(await page.locator('#panel-run .trace .ev-roll').count(), 2);
});

test('a block is indented as it is typed, and closed once', async ({ browser, url }) => {
  const page = await withOwnFile(browser, url);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  for (const line of ['ruleset mine/core', '', 'kind D { state n : 0..6 = 3 }', '', 'proc go(u: D) {', 'if u.n > 2 {', 'set u.n = 1', '}', 'set u.n += 1', '}']) {
    await page.keyboard.insertText(line.slice(0, -1));
    await page.keyboard.type(line.slice(-1));
    // no completion is accepted
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
  }
  await wait(page, () => document.querySelector('.cm-editor').view.state.doc.toString().trim() === 'ruleset mine/core\n\nkind D { state n : 0..6 = 3 }\n\nproc go(u: D) {\n  if u.n > 2 {\n    set u.n = 1\n  }\n  set u.n += 1\n}');
});

test('a number that is not a stop is shown at its place among them', async ({ browser, url }) => {
  const code = buildSync({ entryPoints: [join(studio, 'src', 'numbers.ts')], bundle: true, format: 'esm', write: false }).outputFiles[0].text;
  const { ahead, among, inWords } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  assert.deepEqual([among(['4', '6', '8', '12'], '10"'), among(['1', '2'], '7'), among(['1', '2'], '0'), among(['1/4', '1/2', '3/4'], '5/8'), among(['1', '3'], '3'), among(['yes', 'no'], 'perhaps')], [2.5, 1, 0, 1.5, 1, null]);
  assert.deepEqual(['look_first', 'SuppressionCheck', 'l2', 'GetDown(unit: laans)'].map(inWords), ['Look first', 'Suppression check', 'L2', 'Get down: unit laans']);
  assert.deepEqual(['about 0.3767', '10.7%, 95% 7.6% to 14.7%', '1/2 = 50.00%', '<0.01%', '≥ 4.10%, ≤ 5.25%', '3.5', 'Runs in 12 runs'].map(ahead), [['0.38', ''], ['10.7 %', '7.6–14.7'], ['50.0 %', '1/2'], ['< 0.1 %', ''], ['4.10% to 5.25%', ''], ['3.50', ''], ['Runs in 12 runs', '']]);
  const page = await open(browser, url, { view: QUICK });
  await settled(page);
  const slider = page.locator('[data-key=slider-hit_on]');
  // a busy browser may not select at once
  const select = () => wait(page, () => {
    const field = document.querySelector('[data-key=number-hit_on]');
    field?.focus();
    field?.select();
    return field && field.selectionStart === 0 && field.selectionEnd === field.value.length;
  });
  const type = async (value) => {
    await select();
    await page.keyboard.insertText(value);
  };
  const set = async (value) => {
    await wait(page, () => !document.querySelector('.dials.stale'));
    await type(value);
    await page.keyboard.press('Enter');
    await wait(page, (value) => document.querySelector('[data-key=slider-hit_on]').getAttribute('aria-valuetext').startsWith(value), value);
  };
  await set('8');
  assert.deepEqual([await slider.inputValue(), await slider.getAttribute('aria-valuetext')], ['3', '8, not one of 3 to 6']);
  // the nearest stop is one key away
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await wait(page, () => document.querySelector('[data-key=slider-hit_on]').getAttribute('aria-valuetext') === '6');
  await set('5');
  // a selection stays when the field is redrawn: typing replaces it
  const marked = () => {
    const { value, selectionStart, selectionEnd } = document.querySelector('[data-key=number-hit_on]');
    return value.slice(selectionStart, selectionEnd);
  };
  const redrawn = async (from, to) => {
    await wait(page, () => !document.querySelector('.dials.stale'));
    await page.evaluate(() => (document.querySelector('[data-key=number-hit_on]').dataset.old = 'yes'));
    await edit(page, from, to);
    await wait(page, () => !document.querySelector('[data-key=number-hit_on]').dataset.old && !document.querySelector('.dials.stale'));
  };
  await select();
  await redrawn('param free_markers "Markers that do not lower Nerve" = 1', 'param free_markers "Markers that do not lower Nerve" = 3');
  assert.equal(await page.evaluate(marked), '5');
  // unfinished input stays too, and Enter commits it
  await type('4');
  await redrawn('param free_markers "Markers that do not lower Nerve" = 3', 'param free_markers "Markers that do not lower Nerve" = 2');
  assert.equal(await page.locator('[data-key=number-hit_on]').inputValue(), '4');
  await page.keyboard.press('Enter');
  await wait(page, () => document.querySelector('[data-key=slider-hit_on]').getAttribute('aria-valuetext') === '4');
  await set('5');
  assert.deepEqual([await slider.inputValue(), await slider.getAttribute('aria-valuetext')], ['2', '5']);
});

test('if a dial differs from the text, the margin follows and reports the dial', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...CORE, scene: 'warstrike/scenarios/firefight.toml' } });
  await wait(page, () => document.querySelector('[data-key=slider-hit_on]'));
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    view.scrollDOM.scrollTop = view.lineBlockAt(view.state.doc.toString().indexOf('extern test Salvo')).top - 200;
  });
  const lens = page.locator('[data-lens="test Salvo"]');
  await wait(page, () => /on average/.test(document.querySelector('[data-lens="test Salvo"]')?.title));
  assert.ok(await page.locator('.apart-note').isHidden());
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowRight');
  await wait(page, () => document.querySelector('.apart-note').innerText === 'The margin uses parameters that differ from the text: a shot hits on 5, not 4');
  await wait(page, () => / Earlier value: \S.*\. Uses parameters that differ from the text: a shot hits on 5, not 4\.$/.test(document.querySelector('.apart [data-lens="test Salvo"]')?.getAttribute('aria-label')));
  // all odds of the lens report it too
  await lens.click();
  await wait(page, () => document.querySelector('.lens-whole .note')?.innerText === 'These odds use parameters that differ from the text: a shot hits on 5, not 4.');
  await page.locator('[data-key=slider-hit_on]').focus();
  await page.keyboard.press('ArrowLeft');
  await wait(page, () => document.querySelector('.apart-note').hidden && !document.querySelector('.lens-whole .note') && !document.querySelector('.cm-editor.apart'));
  assert.deepEqual(page.complaints, []);
});

/** Opens a page with an own file, `mine/core.rules`, in the editor. */
async function withOwnFile(browser, url) {
  const page = await open(browser, url, { view: QUICK });
  await page.locator('#more summary').click();
  await page.getByRole('button', { name: 'New file' }).click();
  await page.locator('dialog input').fill('mine/core.rules');
  await page.keyboard.press('Enter');
  await written(page, 'ruleset mine/core');
  return page;
}

test('a test that needs values has no bar, and reports what to write', async ({ browser, url }) => {
  const page = await withOwnFile(browser, url);
  await edit(page, 'version "1"\n', 'version "1"\n\ntest Fire(shots: 0..10) "A volley" {\n  roll aim = shots of d6\n  let hits = count aim >= 5\n}\n');
  await wait(page, () => document.querySelector('button.lens.unknown')?.innerText.includes('needs values'));
  assert.match(await page.locator('button.lens.unknown').getAttribute('title'), /^A volley: no odds yet, because no values are given: write an example that calls it/);
  await edit(page, '5\n}\n', '5\n}\n\nexample "three shots" for Fire(3) rolling aim = [5, 5, 1] { hits = 2 }\n');
  await wait(page, () => document.querySelector('button.lens:not(.unknown) .spark') && !document.querySelector('button.lens.unknown'));
});

test('an own file is new under Review, where it is deleted and restored', async ({ browser, url }) => {
  const page = await withOwnFile(browser, url);
  await edit(page, 'version "1"', 'version "2"');
  await page.locator('#tab-review').click();
  await wait(page, () => document.querySelector('.review .own ins')?.innerText === 'ruleset mine/core version "2"');
  // it has no baseline to compare with
  assert.doesNotMatch(await text(page, '.review'), /baseline|Effect on/);
  await page.locator('[data-key="away mine/core.rules"]').click();
  await wait(page, () => document.querySelector('.review .gone del') && document.querySelector('.file-name').innerText !== 'mine/core.rules');
  assert.match(await text(page, '.review .gone'), /^Deleted: /);
  assert.equal(await page.locator('.review').getByRole('button', { name: /^(Accept|Undo)$/ }).count(), 0);
  assert.equal(await page.locator('.file[title="mine/core.rules"]').count(), 0);
  await page.locator('[data-key="bring mine/core.rules"]').click();
  await wait(page, () => document.querySelector('.review .own') && !document.querySelector('.review .gone') && document.querySelector('.file[title="mine/core.rules"]'));
  await wait(page, () => document.querySelector('.kept').innerText.startsWith('saved'));
  await page.reload();
  await ready(page);
  await wait(page, () => document.querySelector('.review .own ins')?.innerText === 'ruleset mine/core version "2"');
  assert.deepEqual(page.complaints, []);
});

test('an own game: the views follow the new files, a thing without an owner decides, and an accepted text is the baseline of later changes', async ({ browser, url }) => {
  const page = await withOwnFile(browser, url);
  await wait(page, () => document.querySelector('#scene').value === '' && document.querySelector('.becomes').innerText.includes('No scenario uses these rules yet'));
  const put = (text) => page.evaluate((text) => { const { view } = document.querySelector('.cm-editor'); view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input' }); }, text);
  await put('ruleset mine/core version "1"\nkind Duelist { state n : 0..6 = 3 }\nproc go(u: Duelist) {\n  may strike { set u.n = 1 }\n  roll d = d6\n  set u.n = d\n}\n');
  await page.locator('[data-key=make]').click();
  assert.equal(await page.locator('dialog input').inputValue(), 'mine/first.toml');
  await page.keyboard.press('Enter');
  await wait(page, () => document.querySelector('#scene').value === 'mine/first.toml');
  await written(page, 'rules = "mine/core"');
  // it can be played unchanged, and the editor has the focus
  await written(page, '[Duelist]\nu = { }\n\n[[step]]\ndo = "do go(u)"\n\n[report]\nof = ["u.n"]\n');
  await wait(page, () => document.querySelector('.becomes .value')?.innerText === '3.5' && document.activeElement.closest('.cm-editor'));
  await put('rules = "mine/core"\nname = "first"\n[Duelist.ann]\n[Duelist.bob]\n[[step]]\ndo = "do go(ann)"\n[[step]]\ndo = "do go(bob)"\n[report]\nmean = ["ann.n"]\n');
  await page.locator('#tab-run').click();
  await page.getByLabel('every event').check();
  await page.locator('[data-key=as-bob]').waitFor();
  await page.locator('[data-key=as-ann]').check();
  await wait(page, () => /^Strike\?\s*strike\s+ann/.test(document.querySelector('.waits h3')?.innerText));
  await page.locator('[data-key=as-ann]').uncheck();
  await page.locator('[data-key=last]').click();
  await wait(page, () => /line (\d+) of \1$/.test(document.querySelector('#panel-run .count').innerText) && document.querySelector('.waits').innerText.includes('The run is finished'));
  const lines = await page.locator('#panel-run .trace [data-line]').count();
  // a thing without a position on a table has values all the same: current ones, and editable ones
  assert.ok(!(await page.locator('#panel-run .board').isVisible()));
  assert.match(await text(page, '#panel-run .bare tbody'), /^ann\s+n \d\s+bob\s+n \d\s*$/);
  await page.locator('#tab-table').click();
  await page.locator('#panel-table [data-key=told-ann]').click();
  await page.locator('#panel-table [data-key=figure-n]').waitFor();
  await page.locator('#tab-run').click();
  // an inserted line does not mark those below it as changed
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title === 'mine/core.rules').click());
  await written(page, 'roll d = d6');
  await edit(page, '  roll d = d6', '  roll first = d6\n  roll d = d6');
  await wait(page, () => document.querySelector('#panel-run').innerText.includes('After your edit, 2 lines are different'));
  assert.deepEqual([await page.locator('#panel-run .trace .changed').count(), await page.locator('#panel-run .trace .was').count()], [2, 0]);
  // a run continues from a clicked line as from any other
  await page.locator('#panel-run .trace [data-line="1"]').click();
  await page.locator('[data-key=step]').click();
  assert.equal(await text(page, '#panel-run .count'), `line 3 of ${lines + 2}`);
  await page.locator('#tab-review').click();
  await page.locator('[data-key="keep mine/core.rules"]').click();
  await edit(page, 'state n : 0..6 = 3', 'state n : 0..6 = 4');
  const hunk = () => wait(page, () => document.querySelectorAll('.review .hunk').length === 2 && document.querySelector('.review del')?.innerText === 'kind Duelist { state n : 0..6 = 3 }');
  await hunk();
  await wait(page, () => document.querySelector('.kept').innerText.startsWith('saved'));
  await page.reload();
  await ready(page);
  await hunk();
  // and so are the results
  await page.locator('#tab-odds').click();
  await settled(page);
  await edit(page, '  roll d = d6', '  roll d = d4');
  await wait(page, () => document.querySelector('.becomes .measure.moved .was')?.innerText.includes('3.5'));
  assert.deepEqual(page.complaints, []);
});

test('very different editions: the effects come first, and a long list is folded and stays as the user left it', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, tab: 'compare' } });
  const [a, b] = [page.locator('.sides select').nth(0), page.locator('.sides select').nth(1)];
  await a.selectOption('rules:warstrike/action-phase');
  await b.selectOption('rules:warstrike/leadership');
  await wait(page, () => document.querySelector('[data-key=differences]'));
  const heads = await page.locator('.compare h2').allInnerTexts();
  assert.ok(heads.indexOf('Effects') < heads.indexOf('Rule changes'), heads.join());
  assert.equal(await page.locator('.compare ul.differences').first().locator('li').count(), 8);
  const more = page.locator('[data-key=differences]');
  assert.match(await more.locator('summary').innerText(), /^\d{2,} more$/);
  await more.locator('summary').click();
  await page.locator('#tab-odds').click();
  await page.locator('#tab-compare').click();
  await wait(page, () => document.querySelector('.compare .measure') && !document.querySelector('.compare .status').innerText.includes('computing'));
  assert.ok(await more.evaluate((details) => details.open));
});

test('a ranking of readings shows its progress, and is stopped', async ({ browser, url }) => {
  const page = await open(browser, url, { view: { ...QUICK, scene: 'warstrike/scenarios/firefight.toml', tab: 'curves' }, before: hears });
  await page.locator('[data-key=rank]').click();
  await wait(page, () => /ranked from [\d,]+ of 10,000 pairs of runs so far/.test(document.querySelector('.curves').innerText) && document.querySelectorAll('.ranked li').length > 2);
  await page.locator('[data-key=stop]').click();
  await wait(page, () => /Ranked from [\d,]+ pairs of runs, then stopped\./.test(document.querySelector('.curves').innerText));
  assert.ok(await page.locator('[data-key=stop]').isHidden());
  assert.ok((await page.locator('.ranked li').count()) > 2);
  // for other dials it is an older result
  await page.locator('#tab-odds').click();
  await page.locator('[data-key=slider-save_on]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('#tab-curves').click();
  assert.match(await text(page, '.curves'), /then stopped\. This is an older result/);
  await ended(page, 'grognard/readings');
});
};
