// Opens the static site and the single file in a browser, gives each a game as a zip, and waits for an answer:
//   node try-site.mjs FOLDER FILE RULES SCENARIO ANSWER
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, open, serve } from '../studio/test/browser.mjs';

const { strToU8, zipSync } = createRequire(new URL('../studio/package.json', import.meta.url))('fflate');
const [folder, file, rules, scenario, answer] = process.argv.slice(2);
const entry = (path) => [`first/${basename(path)}`, strToU8(readFileSync(path, 'utf8'))];
const zip = Buffer.from(zipSync(Object.fromEntries([entry(rules), entry(scenario)])));

const { server, url } = await serve(folder);
const browser = await launch();
try {
  for (const address of [url, pathToFileURL(file).href]) {
    const page = await open(browser, address);
    await page.locator('#more summary').click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open from disk' }).click()]);
    await chooser.setFiles({ name: 'game.zip', mimeType: 'application/zip', buffer: zip });
    await page.locator(`.file[title="first/${basename(scenario)}"]`).click();
    await page.waitForFunction((answer) => {
      const shown = document.querySelector('.becomes');
      return shown?.innerText.includes(answer) && !shown.querySelector('.stale');
    }, answer);
    assert.deepEqual(page.complaints, []);
  }
} finally {
  await browser.close();
  server.close();
}
