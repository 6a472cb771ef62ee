// Takes screenshots of each view at three widths, light and dark, into target/studio/shots. `node test/shots.mjs [WORD]`
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, out, serve, site } from './browser.mjs';

const folder = join(out, 'shots');
mkdirSync(folder, { recursive: true });
const word = process.argv[2] ?? '';
const { server, url } = await serve(site);
const browser = await launch();
const calm = (page) => page.waitForFunction(() => ![...document.querySelectorAll('.panel:not([hidden]) .status')].some((each) => each.innerText.includes('computing')), undefined, { timeout: 60_000 }).catch(() => undefined);
for (const [width, height] of [[1440, 900], [1000, 800], [390, 800]]) {
  const views = ['text', 'odds', 'table', 'run', 'compare', 'curves', 'review'].filter((view) => `${view}-${width}`.includes(word) && (view !== 'text' || width < 760));
  if (!views.length) continue;
  const page = await open(browser, url, { width, height });
  await page.waitForSelector('[data-key=slider-hit_on]', { state: 'attached', timeout: 60_000 });
  await page.waitForFunction(() => document.querySelector('.becomes .value') && !document.querySelector('.becomes .stale'), undefined, { timeout: 60_000 });
  // in the state after a changed number
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    const number = 'Markers that do not lower Nerve" = ';
    const at = view.state.doc.toString().indexOf(number) + number.length;
    view.dispatch({ changes: { from: at, to: at + 1, insert: '0' } });
  });
  await page.waitForSelector('.because', { timeout: 60_000 }).catch(() => console.log('no result changed'));
  for (const view of views) {
    if (await page.locator(`#tab-${view}`).isHidden()) await page.locator('.others').click();
    await page.locator(`#tab-${view}`).click();
    if (view === 'table') {
      await page.waitForSelector('.board .group', { timeout: 20_000 }).catch(() => undefined);
      await page.locator('.board .group').first().click().catch(() => undefined);
    }
    if (view === 'run') {
      await page.locator('[data-key=step]:not([disabled])').click().catch(() => undefined);
      for (let n = 0; n < 24; n++) await page.locator('[data-key=step]').click();
    }
    await page.waitForTimeout(500);
    await calm(page);
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForTimeout(150);
      await page.screenshot({ path: join(folder, `${view}-${width}-${scheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }
  console.log(width, page.complaints);
  await page.context().close();
}
await browser.close();
server.close();
