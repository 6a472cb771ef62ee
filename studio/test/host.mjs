// `grognard studio` and the page it serves: a folder is edited, conflicts are shown, and whoever should not is refused.
// `GROGNARD=program node test/host.mjs`; without a program nothing is tested, and this is said.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open, studio } from './browser.mjs';

const program = process.env.GROGNARD ?? join(studio, '..', 'target', 'debug', 'grognard');
if (!existsSync(program)) {
  console.log(`NOT DONE: the server was not tested, as there is no ${program}`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'grognard-studio-'));
mkdirSync(join(folder, 'first'));
for (const name of ['volley.rules', 'volley.toml']) cpSync(join(studio, '..', 'docs', 'first', name), join(folder, 'first', name));
writeFileSync(join(folder, '..', 'outside.rules'), 'ruleset a/b');
symlinkSync('/etc', join(folder, 'out'));
const server = spawn(program, ['studio', folder, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve, reject) => {
  let told = '';
  server.stdout.on('data', (part) => {
    told += part;
    const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(told);
    if (found) resolve(found[0]);
  });
  server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  setTimeout(() => reject(new Error('no address was told')), 20_000);
});
const { port, searchParams } = new URL(address);
const token = searchParams.get('token');

/** The status of a request, with paths as they are written. */
const status = (path, { method = 'GET', headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
      answer.destroy();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
    asked.end(body);
  });
const bearer = { authorization: `Bearer ${token}` };

let failed = 0;
const browser = await launch();
async function test(name, run) {
  const start = Date.now();
  try {
    await run();
    console.log(`ok   ${name} (${Date.now() - start} ms)`);
  } catch (why) {
    failed++;
    console.log(`FAIL ${name}\n     ${why.stack}`);
  }
}

await test('who has no token, another name or another origin is refused', async () => {
  assert.equal(await status('/files'), 401);
  assert.equal(await status('/files', { headers: { authorization: 'Bearer x' } }), 401);
  assert.equal(await status('/files', { headers: { ...bearer, host: `evil.example:${port}` } }), 403);
  assert.equal(await status('/files', { headers: { ...bearer, origin: 'https://evil.example' } }), 403);
  assert.equal(await status('/rpc', { method: 'POST', body: '{}' }), 401);
  assert.equal(await status('/files', { headers: bearer }), 200);
});

await test('nothing outside of the folder is read or written', async () => {
  for (const path of ['/files/../outside.rules', '/files/%2e%2e/outside.rules', '/files/first/%2e%2e/%2e%2e/outside.rules', '/files//etc/hostname', '/files/out/hostname', '/files/..%2foutside.rules']) {
    assert.notEqual(await status(path, { headers: bearer }), 200, path);
    assert.ok((await status(path, { method: 'PUT', headers: { ...bearer, 'if-none-match': '*' }, body: 'x' })) >= 400, path);
  }
});

await test('an edit reaches the disk', async () => {
  const page = await open(browser, address);
  await page.waitForFunction(() => [...document.querySelectorAll('.file')].some((each) => each.title === 'first/volley.rules'));
  await page.evaluate(() => [...document.querySelectorAll('.file')].find((each) => each.title === 'first/volley.rules').click());
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('A shot hits on'));
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    const at = view.state.doc.toString().indexOf('= 4');
    view.dispatch({ changes: { from: at + 2, to: at + 3, insert: '5' } });
  });
  await page.waitForFunction(() => document.querySelector('.kept').innerText.startsWith('kept'));
  assert.match(readFileSync(join(folder, 'first', 'volley.rules'), 'utf8'), /"A shot hits on" {2}= 5/);
  assert.deepEqual(page.complaints, []);

  // somebody else writes, and then this page does
  writeFileSync(join(folder, 'first', 'volley.rules'), readFileSync(join(folder, 'first', 'volley.rules'), 'utf8').replace('= 5  sweep 4', '= 6  sweep 4'));
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    view.dispatch({ changes: { from: view.state.doc.length, insert: '\n# mine\n' } });
  });
  await page.waitForSelector('.conflict');
  assert.doesNotMatch(readFileSync(join(folder, 'first', 'volley.rules'), 'utf8'), /# mine/);
  await page.getByRole('button', { name: 'Keep both' }).click();
  await page.waitForFunction(() => document.querySelector('.banner').hidden);
  for (let n = 0; n < 40 && !existsSync(join(folder, 'first', 'volley-theirs.rules')); n++) await page.waitForTimeout(100);
  assert.match(readFileSync(join(folder, 'first', 'volley-theirs.rules'), 'utf8'), /= 6 {2}sweep 4/);
  await page.waitForTimeout(300);
  assert.match(readFileSync(join(folder, 'first', 'volley.rules'), 'utf8'), /# mine/);
});

await browser.close();
server.kill();
rmSync(folder, { recursive: true });
rmSync(join(folder, '..', 'outside.rules'), { force: true });
console.log(`${failed} failed`);
process.exit(failed ? 1 : 0);
