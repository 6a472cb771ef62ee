// Shared by the browser tests: a browser, a static server, and pages whose errors fail the test.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { repository, studio } from '../paths.mjs';
import { browserOf } from './webdriver.mjs';

export { out, site, studio } from '../paths.mjs';
/** The browser of the tests: chromium, firefox or webkit. */
export const BROWSER = process.env.BROWSER ?? 'chromium';
/** The program of this source. */
export const program = process.env.GROGNARD ?? join(repository, 'target', 'debug', 'grognard');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
/** Time limit of each wait, in milliseconds [default: 180000]. It is long, so that other load on a slow machine does not fail a test. */
const PATIENCE = Number(process.env.PATIENCE ?? 180_000);
// features of the browser window that cost time or send requests: pages of the address bar, which use a core for a second
// for each opened page, and background services
const WITHOUT = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'Translate'];
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', `--disable-features=${WITHOUT}`];

const browserPath = () => execFileSync(join(studio, '..', '.ci', 'browser'), [BROWSER], { encoding: 'utf8' }).trim().split('\n').pop();

/** Serves a folder like a static host. The host tells what was `asked` for and its size, and waits with the engine until `held` resolves. */
export function serve(folder) {
  const host = { asked: [], held: null };
  const server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/\/$/, '/index.html');
    const file = join(folder, path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      answer.writeHead(404);
      return answer.end();
    }
    host.asked.push({ path: path.slice(1), bytes: statSync(file).size });
    if (path === '/engine.wasm') await host.held;
    answer.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(answer);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(Object.assign(host, { server, url: `http://127.0.0.1:${server.address().port}/` }))));
}

export async function launch(...flags) {
  if (BROWSER !== 'chromium') return browserOf(BROWSER, browserPath().split(' '), PATIENCE);
  return chromium.launch({ executablePath: browserPath(), args: [...FLAGS, ...flags] });
}

/** Opens the work place in its own context, not the start page that stands at an address without a fragment. Its errors are collected in `page.complaints`. */
export async function open(browser, url, { width = 1280, height = 800, scheme = 'light', toured = true, view = null, before = null, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, ...more });
  context.setDefaultTimeout(PATIENCE);
  if (toured) await context.addInitScript(() => { try { localStorage.setItem('grognard-toured', 'yes'); } catch {} });
  if (view) await context.addInitScript((view) => { try { localStorage.getItem('grognard-view') ?? localStorage.setItem('grognard-view', JSON.stringify(view)); } catch {} }, view);
  if (before) await context.addInitScript(before);
  const page = await context.newPage();
  watch(page);
  await page.goto(atWork(url));
  await ready(page);
  return page;
}

/** Returns the address of the work place. */
export const atWork = (url) => (/[?#]/.test(url) ? url : `${url}?work`);

export function watch(page) {
  page.complaints = [];
  page.on?.('pageerror', (error) => page.complaints.push(error.message));
  page.on?.('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
}

export async function ready(page) {
  await page.waitForSelector('body[data-ready=yes]');
}
