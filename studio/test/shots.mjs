// Pictures of each view at three widths, light and dark, into studio/out/shots: to be looked at. `node test/shots.mjs [WORD]`
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, serve, studio } from './browser.mjs';

const folder = join(studio, 'out', 'shots');
mkdirSync(folder, { recursive: true });
const word = process.argv[2] ?? '';
const { server, url } = await serve(join(studio, 'dist'));
const browser = await launch();
for (const [width, height, scheme] of [[1440, 900, 'light'], [1000, 800, 'dark'], [390, 800, 'light']]) {
  const page = await open(browser, url, { width, height, scheme });
  await page.waitForTimeout(1500);
  for (const view of ['text', 'odds', 'table', 'run', 'compare', 'curves', 'review']) {
    if (!`${view}-${width}`.includes(word) || (view === 'text' && width > 760)) continue;
    await page.locator(`#tab-${view}`).click();
    if (view === 'odds') await page.evaluate(() => { const at = document.querySelector('[data-key=slider-hit_on]'); if (at) { at.value = '2'; at.dispatchEvent(new Event('input')); } });
    if (view === 'table') { await page.waitForTimeout(1200); await page.locator('.board .group').first().click().catch(() => undefined); }
    await page.waitForTimeout(view === 'text' ? 300 : 2500);
    await page.screenshot({ path: join(folder, `${view}-${width}-${scheme}.png`) });
  }
  console.log(width, page.complaints);
  await page.context().close();
}
await browser.close();
server.close();
