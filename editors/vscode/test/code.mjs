// Starts the packed extension in a real VS Code (code-server) in a browser, and checks what it shows: the diagnostic of a
// rules file with an error, the code lenses of tests and scenarios, and the output of the command `Run scenario`.
//
// Usage: node code.mjs CODE-SERVER BROWSER VSIX GROGNARD
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [codeServer, browserPath, vsix, grognard] = process.argv.slice(2);
const { chromium } = createRequire(codeServer)('playwright-core');
const PATIENCE = 120_000;

const RULES = `ruleset game/core

kind Squad { state men : 0..20 = 10 }

test Nerve(s: Squad) {
  roll pip = d6
  pass when pip <= 3
}

example "half" for Nerve(s) { chance passed = 1/2 }
`;
const WRONG = 'ruleset game/wrong extends game/core\n\nlet twice(s: Squad) = 2 * s.mem\n';
const SCENARIO = `rules = "game/core"
name  = "first"
seed  = 4

[Squad]
guards = { men = 10 }

[[step]]
do = "test Nerve(guards)"
`;

const folder = mkdtempSync(join(tmpdir(), 'grognard-code-'));
const game = join(folder, 'work', 'game');
const data = join(folder, 'data');
const extensions = join(folder, 'extensions');
let server = null;
let browser = null;

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function up(url) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error('code-server does not answer');
}

function need(condition, message) {
  if (!condition) throw new Error(message);
  console.log(`ok: ${message}`);
}

async function main() {
  mkdirSync(game, { recursive: true });
  writeFileSync(join(game, 'core.rules'), RULES);
  writeFileSync(join(game, 'wrong.rules'), WRONG);
  writeFileSync(join(game, 'first.toml'), SCENARIO);
  mkdirSync(join(data, 'User'), { recursive: true });
  const settings = {
    'grognard.path': grognard,
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'none',
    'extensions.autoCheckUpdates': false,
    'chat.disableAIFeatures': true,
    // draws the terminal as text that the test can read
    'terminal.integrated.gpuAcceleration': 'off',
  };
  writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify(settings));
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'auth: none\n');
  const common = [codeServer, '--config', config, '--user-data-dir', data, '--extensions-dir', extensions];
  const env = { ...process.env, HOME: folder };
  const installed = execFileSync(process.execPath, [...common, '--install-extension', vsix], { encoding: 'utf8', env });
  need(/successfully installed/.test(installed), 'VS Code installs the package');

  const port = await freePort();
  const address = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check'];
  server = spawn(process.execPath, [...common, ...address], { stdio: 'ignore', env });
  await up(`http://127.0.0.1:${port}/healthz`);

  browser = await chromium.launch({ executablePath: browserPath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  page.setDefaultTimeout(PATIENCE);
  const show = async (name) => {
    const file = `vscode-remote://127.0.0.1:${port}${join(game, name)}`;
    const payload = encodeURIComponent(JSON.stringify([['openFile', file]]));
    await page.goto(`http://127.0.0.1:${port}/?folder=${join(folder, 'work')}&payload=${payload}`);
    await page.waitForSelector(`.tab[data-resource-name="${name}"]`);
  };

  try {
    await show('wrong.rules');
    await page.waitForSelector('.squiggly-error');
    await page.locator('.view-lines').first().click();
    await page.keyboard.press('F8');
    const found = await page.locator('.marker-widget .message').first().innerText();
    need(/mem/.test(found), `the server reports: ${found.split('\n')[0]}`);

    await show('core.rules');
    await page.waitForSelector('.codelens-decoration a:text("run")');
    await page.waitForSelector('.codelens-decoration a:text("test")');
    await page.waitForFunction(() => /1\/2|50/.test([...document.querySelectorAll('.codelens-decoration')].map((one) => one.textContent).join(' ')));
    need(true, `the lenses of rules: ${(await page.locator('.codelens-decoration').allInnerTexts()).join('; ').replace(/\s+/g, ' ')}`);

    await show('first.toml');
    for (const lens of ['run', 'odds', 'test']) await page.waitForSelector(`.codelens-decoration a:text-is("${lens}")`);
    need(true, 'the lenses of a scenario: run, odds, test');
    await page.locator('.codelens-decoration a:text-is("run")').click();
    await page.waitForFunction(() => /Nerve ?\(guards\)/.test(document.querySelector('.xterm-rows')?.innerText.replace(/\u00a0/g, ' ')));
    need(true, 'the lens `run` prints the trace in a terminal');
  } catch (error) {
    if (process.env.GROGNARD_SHOT) await page.screenshot({ path: process.env.GROGNARD_SHOT });
    throw error;
  }
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
