// Smoke test of the page that the program serves: it opens a folder, a number of the rules is changed, and the exact odds follow.
// `GROGNARD=program node test/smoke.mjs`
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../paths.mjs';
import { launch, open } from './browser.mjs';

const program = process.env.GROGNARD ?? join(repository, 'target', 'debug', 'grognard');
const folder = mkdtempSync(join(tmpdir(), 'grognard-smoke-'));
mkdirSync(join(folder, 'first'));
for (const name of ['volley.rules', 'volley.toml']) cpSync(join(repository, 'docs', 'first', name), join(folder, 'first', name));

const server = spawn(program, ['studio', folder, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
let browser;
try {
  let address;
  for await (const line of createInterface(server.stdout)) {
    address = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(line)?.[0];
    if (address) break;
  }
  assert.ok(address, 'the program printed no address');
  browser = await launch();
  const page = await open(browser, address);
  const odds = (text) => page.waitForFunction((text) => {
    const shown = document.querySelector('.becomes');
    return shown?.innerText.includes(text) && !shown.querySelector('.stale');
  }, text);
  await odds('1507/19683');
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    const at = view.state.doc.toString().indexOf('= 4');
    view.dispatch({ changes: { from: at + 2, to: at + 3, insert: '3' }, userEvent: 'input' });
  });
  await odds('10756096/43046721');
  assert.deepEqual(page.complaints, []);
  console.log('1 passed, 0 failed');
} finally {
  await browser?.close();
  server.kill();
  rmSync(folder, { recursive: true });
}
