// Tests of `grognard studio` and the page it serves: edits of a folder, conflicts, and rejected requests.
// `GROGNARD=program node test/host.mjs`. Without a program nothing is tested, and the output says so.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open, ready, studio } from './browser.mjs';

const program = process.env.GROGNARD ?? join(studio, '..', 'target', 'debug', 'grognard');
if (!existsSync(program)) {
  console.log(`NOT DONE: the server was not tested, because there is no ${program}`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'grognard-studio-'));
mkdirSync(join(folder, 'first'));
for (const name of ['volley.rules', 'volley.toml']) cpSync(join(studio, '..', 'docs', 'first', name), join(folder, 'first', name));
writeFileSync(join(folder, '..', 'outside.rules'), 'ruleset a/b');
symlinkSync('/etc', join(folder, 'out'));
symlinkSync('/etc/hostname', join(folder, 'first', 'linked.rules'));
const NAMED = '<img src=x onerror=window.hurt=1>.rules';
writeFileSync(join(folder, 'first', NAMED), 'ruleset first/x version "1"\n');

/** Serves a folder. Returns the process, its address, and the headers for requests without a browser. */
async function host(folder) {
  const server = spawn(program, ['studio', folder, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let told = '';
    server.stdout.on('data', (part) => {
      told += part;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(told);
      if (found) resolve(found[0]);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    setTimeout(() => reject(new Error('the server printed no address')), 180_000).unref();
  });
  const { port, searchParams } = new URL(address);
  return { server, address, port, bearer: { authorization: `Bearer ${searchParams.get('token')}` } };
}
const { server, address, port, bearer } = await host(folder);

/** Sends a request with the path as written. Returns its status. */
const status = (path, { method = 'GET', headers = {}, body, at = port } = {}) =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: at, path, method, headers: { host: `127.0.0.1:${at}`, ...headers } }, (answer) => {
      answer.destroy();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
    asked.end(body);
  });

let failed = 0;
const browser = await launch();
async function test(name, run) {
  if (process.argv[2] && !name.includes(process.argv[2])) return;
  const start = Date.now();
  try {
    await run();
    console.log(`ok   ${name} (${Date.now() - start} ms)`);
  } catch (why) {
    failed++;
    console.log(`FAIL ${name}\n     ${why.stack}`);
  }
}

await test('requests without token, with another host name or another origin are rejected', async () => {
  assert.equal(await status('/files'), 401);
  assert.equal(await status('/files', { headers: { authorization: 'Bearer x' } }), 401);
  assert.equal(await status('/files', { headers: { ...bearer, host: `evil.example:${port}` } }), 403);
  assert.equal(await status('/files', { headers: { ...bearer, origin: 'https://evil.example' } }), 403);
  assert.equal(await status('/rpc', { method: 'POST', body: '{}' }), 401);
  assert.equal(await status('/files', { headers: bearer }), 200);
});

await test('files outside the folder are neither read nor written', async () => {
  for (const path of ['/files/../outside.rules', '/files/%2e%2e/outside.rules', '/files/first/%2e%2e/%2e%2e/outside.rules', '/files//etc/hostname', '/files/out/hostname', '/files/first/linked.rules', '/files/..%2foutside.rules', '/files/out/new.rules']) {
    assert.notEqual(await status(path, { headers: bearer }), 200, path);
    assert.ok((await status(path, { method: 'PUT', headers: { ...bearer, 'if-none-match': '*' }, body: 'x' })) >= 400, path);
  }
});

await test('if the server is killed during a save, the old or the new text remains', async () => {
  const own = mkdtempSync(join(tmpdir(), 'grognard-killed-'));
  mkdirSync(join(own, 'a'));
  const file = join(own, 'a', 'core.rules');
  const texts = ['A', 'B'].map((letter) => `# ${letter.repeat(80)}\n`.repeat(30_000));
  const sums = new Map(texts.map((text) => [createHash('sha256').update(text).digest('hex'), text]));
  writeFileSync(file, texts[0]);
  const seen = new Set();
  for (let n = 0; n < 8; n++) {
    const { server, port, bearer } = await host(own);
    let open = true;
    let saved = 0;
    const saving = (async () => {
      for (let at = n; open; at++) {
        const mark = createHash('sha256').update(readFileSync(file)).digest('hex');
        await status('/files/a/core.rules', { at: port, method: 'PUT', headers: { ...bearer, 'if-match': `"${mark}"` }, body: texts[at % 2] }).then((code) => code === 204 && saved++, () => undefined);
      }
    })();
    // the first save can take long on a busy machine
    for (const end = Date.now() + 60_000; !saved && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, n * 7));
    server.kill('SIGKILL');
    await new Promise((resolve) => server.once('exit', resolve));
    open = false;
    await saving;
    const found = sums.get(createHash('sha256').update(readFileSync(file)).digest('hex'));
    assert.ok(found !== undefined, `half a text of ${readFileSync(file).length} bytes`);
    if (saved) seen.add(found);
  }
  assert.equal(seen.size, 2, 'nothing was saved before the program was killed');
  rmSync(own, { recursive: true });
});

/** Opens the rules when the shelf shows them. */
const picks = (page) => page.waitForFunction(() => {
  const file = [...document.querySelectorAll('.file')].find((each) => each.title === 'first/volley.rules');
  file?.click();
  return !!file;
});

await test('an edit reaches the disk', async () => {
  const page = await open(browser, address);
  await picks(page);
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('A shot hits on'));
  await page.evaluate(() => {
    const { view } = document.querySelector('.cm-editor');
    const at = view.state.doc.toString().indexOf('= 4');
    view.dispatch({ changes: { from: at + 2, to: at + 3, insert: '5' } });
  });
  await page.waitForFunction(() => document.querySelector('.kept').innerText.startsWith('saved'));
  assert.match(readFileSync(join(folder, 'first', 'volley.rules'), 'utf8'), /"A shot hits on" {2}= 5/);
  assert.deepEqual(page.complaints, []);

  // another program writes the file, and then this page does
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
  // a file name on disk is shown as text
  await page.waitForFunction((name) => [...document.querySelectorAll('.file')].some((each) => each.title.endsWith(name)), NAMED);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  await page.context().close();
});

/** Waits until the editor contains a text; adds a line at its end. */
const shows = (page, words) => page.waitForFunction((words) => document.querySelector('.cm-editor')?.view.state.doc.toString().includes(words), words);
const adds = (page, line) => page.evaluate((line) => { const { view } = document.querySelector('.cm-editor'); view.dispatch({ changes: { from: view.state.doc.length, insert: line } }); }, line);

await test('two tabs on a folder: the second write is a conflict, and nothing is lost', async () => {
  const one = await open(browser, address);
  // in a separate window: a background tab draws about once a second, and clicks wait for frames
  const beside = (address) => { window.open(address, '', 'popup,noopener,width=900,height=700'); };
  const [two] = await Promise.all([one.context().waitForEvent('page'), one.evaluate(beside, address)]);
  await ready(two);
  for (const page of [one, two]) {
    await picks(page);
    await shows(page, '# mine');
  }
  await Promise.all([adds(one, '# of the first tab\n'), adds(two, '# of the second tab\n')]);
  await Promise.race([one.waitForSelector('.conflict'), two.waitForSelector('.conflict')]);
  const [loser, line] = (await one.locator('.conflict').count()) ? [one, '# of the first tab'] : [two, '# of the second tab'];
  const file = join(folder, 'first', 'volley.rules');
  assert.ok(!readFileSync(file, 'utf8').includes(line));
  assert.match(readFileSync(file, 'utf8'), /# of the (first|second) tab/);
  await loser.getByRole('button', { name: 'Show the other version' }).click();
  assert.ok(!(await loser.locator('dialog pre').innerText()).includes(line));
  await loser.locator('dialog').getByRole('button', { name: 'Close' }).click();
  await loser.getByRole('button', { name: 'Keep mine' }).click();
  await loser.waitForFunction(() => document.querySelector('.banner').hidden);
  for (let n = 0; n < 40 && !readFileSync(file, 'utf8').includes(line); n++) await loser.waitForTimeout(50);
  assert.ok(readFileSync(file, 'utf8').includes(line));
  await one.context().close();
});

await test('after a reload, a folder still shows the edits since the program was started, until they are accepted', async () => {
  const page = await open(browser, address);
  const rules = () => picks(page);
  await rules();
  await shows(page, '# mine');
  await adds(page, '# told later\n');
  await page.waitForFunction(() => document.querySelector('.kept').innerText.startsWith('saved'));
  await page.goto(address);
  await ready(page);
  await page.locator('#tab-review').click();
  await page.waitForFunction(() => document.querySelector('.hunk ins')?.innerText.includes('# told later'));
  assert.match(await page.locator('.review').innerText(), /at program start, with accepted changes/);
  await page.locator('.hunk').getByRole('button', { name: 'Accept' }).click();
  await page.waitForFunction(() => !document.querySelector('.hunk'));
  await page.goto(address);
  await ready(page);
  await page.locator('#tab-review').click();
  await page.waitForFunction(() => document.querySelector('.review').innerText.includes('No changes yet'));
  assert.match(readFileSync(join(folder, 'first', 'volley.rules'), 'utf8'), /# told later/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('a deleted file is shown as deleted, cannot be accepted as a change, and can be restored', async () => {
  const path = 'first/gone.rules';
  const file = join(folder, path);
  const rules = 'ruleset first/gone version "1"\n';
  writeFileSync(file, rules);
  const page = await open(browser, address);
  await page.evaluate((path) => [...document.querySelectorAll('.file')].find((each) => each.title === path).click(), path);
  await shows(page, 'ruleset first/gone');
  // while the page is visible
  rmSync(file);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.waitForFunction((path) => document.querySelector('.notice')?.innerText.startsWith(`${path} was deleted elsewhere`) && document.querySelector('.file-name').innerText !== path, path);
  // and after a reload
  for (const again of [false, true]) {
    if (again) {
      await page.goto(address);
      await ready(page);
    }
    await page.locator('#tab-review').click();
    await page.waitForFunction(() => document.querySelector('.review .gone del')?.innerText === 'ruleset first/gone version "1"');
    assert.equal(await page.locator('.review').getByRole('button', { name: /^(Accept|Undo)$/ }).count(), 0);
  }
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.waitForFunction(() => !document.querySelector('.review .gone') && document.querySelector('.kept').innerText.startsWith('saved'));
  assert.equal(readFileSync(file, 'utf8'), rules);
  rmSync(file);
  await page.goto(address);
  await ready(page);
  await page.getByRole('button', { name: 'Keep deleted' }).click();
  await page.goto(address);
  await ready(page);
  await page.locator('#tab-review').click();
  await page.waitForFunction(() => document.querySelector('.review').innerText.includes('No changes yet'));
  assert.ok(!existsSync(file));
  // the browser itself reports a request for a file that does not exist
  assert.deepEqual(page.complaints.filter((each) => !each.includes('404')), []);
  await page.context().close();
});

await test('a dial changes odds that the server computes', async () => {
  const page = await open(browser, address);
  await page.waitForFunction(() => document.querySelector('.becomes .value') && !document.querySelector('.becomes .stale'));
  await page.locator('.dial input[type=range]').first().focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.becomes .measure.moved .was'));
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

await test('if the program ends, the page reports it and keeps the text', async () => {
  const page = await open(browser, address);
  const text = await page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString());
  server.kill('SIGKILL');
  await page.waitForFunction(() => document.querySelector('.banner')?.innerText.includes('has ended'));
  assert.equal(await page.evaluate(() => document.querySelector('.cm-editor').view.state.doc.toString()), text);
  await page.context().close();
});

await browser.close();
server.kill();
rmSync(folder, { recursive: true });
rmSync(join(folder, '..', 'outside.rules'), { force: true });
console.log(`${failed} failed`);
process.exit(failed ? 1 : 0);
