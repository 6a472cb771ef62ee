// Firefox and WebKit as they are installed, behind the part of the interface of Playwright that the tests use, which itself needs builds of
// its own of both. Firefox speaks Marionette, WebKit the same commands over HTTP (W3C WebDriver). Each context is a browser of its own.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find } from './locate.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Tries again until there is a result. */
async function until(what, ms, attempt) {
  const end = Date.now() + ms;
  let why;
  for (;;) {
    try {
      const found = await attempt();
      if (found) return found;
      why = null;
    } catch (error) {
      why = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms${why ? `; ${why.message}` : ''}`);
    await pause(40);
  }
}

/** Starts Firefox. Returns a function that sends commands, and one that ends it. */
async function firefox(path) {
  const profile = mkdtempSync(join(tmpdir(), 'grognard-firefox-'));
  const prefs = { 'marionette.port': 0, 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false, 'toolkit.telemetry.enabled': false, 'app.update.auto': false, 'browser.startup.page': 0, 'network.captive-portal-service.enabled': false, 'services.settings.server': 'http://127.0.0.1:9' };
  writeFileSync(join(profile, 'user.js'), Object.entries(prefs).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const child = spawn(path, ['--headless', '--no-remote', '--marionette', '--profile', profile], { stdio: 'ignore' });
  const port = await until('Firefox starts', 60_000, () => existsSync(join(profile, 'MarionetteActivePort')) && Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')));
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map();
  let [rest, next] = [Buffer.alloc(0), 1];
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const colon = rest.indexOf(':');
      const length = Number(rest.subarray(0, colon));
      if (colon < 0 || rest.length < colon + 1 + length) return;
      const message = JSON.parse(rest.subarray(colon + 1, colon + 1 + length));
      rest = rest.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      if (error) waiting.get(id)?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting.get(id)?.resolve(result?.value ?? result);
      waiting.delete(id);
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => waiting.forEach(({ reject }) => reject(new Error('Firefox has ended'))));
  const send = (name, params = {}) => new Promise((resolve, reject) => {
    const text = Buffer.from(JSON.stringify([0, next, `WebDriver:${name}`, params]));
    waiting.set(next++, { resolve, reject });
    socket.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
  });
  await send('NewSession', {});
  return {
    send,
    async end() {
      socket.destroy();
      child.kill();
      await new Promise((resolve) => (child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve()));
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The addresses of the commands in WebDriver over HTTP. */
const ADDRESSES = { Navigate: 'url', Back: 'back', Refresh: 'refresh', ExecuteAsyncScript: 'execute/async', PerformActions: 'actions', SetWindowRect: 'window/rect', SetTimeouts: 'timeouts' };
let ports = 20_000 + (process.pid % 20_000);

/** Starts WebKit with its driver. */
async function webkit(driver, browser, display) {
  const port = ports++;
  const child = spawn(driver, [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', WEBKIT_DISABLE_COMPOSITING_MODE: '1', LIBGL_ALWAYS_SOFTWARE: '1' } });
  const request = async (path, body, method = 'POST') => {
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } };
  const { sessionId } = await until('WebKit starts', 60_000, () => request('', { capabilities }));
  return {
    send: (name, params = {}) => request(`/${sessionId}/${ADDRESSES[name]}`, params),
    async end() {
      await request(`/${sessionId}`, undefined, 'DELETE').catch(() => undefined);
      child.kill();
    },
  };
}

const KEYS = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', Delete: '\uE017', Backspace: '\uE003', Home: '\uE011', End: '\uE010', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015', Control: '\uE009', Shift: '\uE008', Alt: '\uE00A' };

class Page {
  complaints = [];
  #at = { x: 0, y: 0 };

  constructor(owner, send, patience) {
    Object.assign(this, { owner, send, patience });
    const type = async (...actions) => void (await send('PerformActions', { actions: [{ type: 'key', id: 'keys', actions }] }));
    const stroke = (kind, key) => ({ type: kind, value: KEYS[key] ?? key });
    this.keyboard = {
      press: (keys) => {
        const all = keys.length > 1 ? keys.split('+') : [keys];
        return type(...all.map((key) => stroke('keyDown', key)), ...all.toReversed().map((key) => stroke('keyUp', key)));
      },
      type: (text) => type(...[...text].flatMap((key) => [stroke('keyDown', key), stroke('keyUp', key)])),
      insertText: (text) => this.keyboard.type(text),
      down: (key) => type(stroke('keyDown', key)),
      up: (key) => type(stroke('keyUp', key)),
    };
    const point = async (...actions) => void (await send('PerformActions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] }));
    const button = (type) => ({ type, button: 0 });
    this.mouse = {
      move: (x, y, { steps = 1 } = {}) => {
        const from = this.#at;
        this.#at = { x, y };
        return point(...Array.from({ length: steps }, (_, n) => ({ type: 'pointerMove', duration: 10, origin: 'viewport', x: Math.round(from.x + ((x - from.x) * (n + 1)) / steps), y: Math.round(from.y + ((y - from.y) * (n + 1)) / steps) })));
      },
      down: () => point(button('pointerDown')),
      up: () => point(button('pointerUp')),
      click: (x, y, times = 1) => {
        this.#at = { x, y };
        return point({ type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.floor(x), y: Math.floor(y) }, ...Array.from({ length: times }, () => [button('pointerDown'), button('pointerUp')]).flat());
      },
    };
  }

  /** Opens an address. Stored data is written before, on a file of the same host that is no page. */
  async goto(url) {
    const { origin } = new URL(url);
    const { inits } = this.owner;
    if (inits.length) {
      await this.send('Navigate', { url: `${origin}/studio.css` });
      for (const [run, arg] of inits.splice(0)) await this.evaluate(run, arg);
    }
    await this.send('Navigate', { url });
    await this.#listen();
  }
  async #listen() {
    await this.evaluate(() => {
      if (window.complaints) return;
      window.complaints = [];
      addEventListener('error', ({ message }) => message && !message.includes('ResizeObserver loop') && window.complaints.push(message));
      addEventListener('unhandledrejection', ({ reason }) => window.complaints.push(String(reason)));
    });
  }
  async reload() {
    await this.send('Refresh');
    await this.#listen();
  }
  async setViewportSize({ width, height }) {
    // the window is larger than its page
    await this.send('SetWindowRect', { width, height });
    const [w, h] = await this.evaluate(() => [innerWidth, innerHeight]);
    await this.send('SetWindowRect', { width: 2 * width - w, height: 2 * height - h });
  }
  goBack = () => this.send('Back');
  context = () => this.owner;
  waitForTimeout = pause;
  getByRole = (role, how) => new Locator(this, [{ role, ...plain(how) }]);
  getByLabel = (label, how) => new Locator(this, [{ label, ...plain(how) }]);
  locator = (css, how) => new Locator(this, [{ css, ...plain(how) }]);
  waitForSelector = (css) => this.waitForFunction((css) => !!document.querySelector(css), css);

  /** Calls a function in the page, and hears of its errors so far. */
  async evaluate(run, arg = null) {
    const script = `const [arg, done] = arguments; const run = ${typeof run === 'function' ? run : `() => { ${run} }`};
      Promise.resolve().then(() => run(arg)).then((value) => done([value === undefined ? null : value, null, window.complaints?.splice(0)]), (why) => done([null, String(why) + '\\n' + (why && why.stack)]));`;
    const [value, why, complaints] = await this.send('ExecuteAsyncScript', { script, args: [arg], sandbox: null });
    if (why) throw new Error(why);
    this.complaints.push(...(complaints ?? []));
    return value;
  }
  async waitForFunction(ask, arg) {
    await until(String(ask), this.patience, () => this.evaluate(`return (${ask})(${JSON.stringify(arg ?? null)}) ? true : false`));
  }
}

/** Returns the options of a locator as data. */
const plain = ({ name, hasText, exact = false } = {}) => Object.fromEntries(Object.entries({ name, hasText, exact }).filter(([, value]) => value !== undefined).map(([key, value]) => [key, value instanceof RegExp ? { source: value.source, flags: value.flags } : value]));

class Locator {
  constructor(page, steps) {
    Object.assign(this, { page, steps });
  }
  #more = (step) => new Locator(this.page, [...this.steps, step]);
  locator = (css, how) => this.#more({ css, ...plain(how) });
  getByText = (text, how) => this.#more({ text, ...plain(how) });
  getByRole = (role, how) => this.#more({ role, ...plain(how) });
  getByLabel = (label, how) => this.#more({ label, ...plain(how) });
  nth = (nth) => this.#more({ nth });
  first = () => this.nth(0);
  last = () => this.nth(-1);

  /** Calls a function with the found elements. */
  evaluateAll = (run, arg = null) => this.page.evaluate(`const find = ${find}; return (${run})(find(${JSON.stringify(this.steps)}), ${JSON.stringify(arg)})`);
  /** Waits for an element and calls a function with it. */
  #one = (run, arg = null) => until(`${JSON.stringify(this.steps)} ${run}`, this.page.patience, async () => (await this.evaluateAll(`(all, arg) => all.length ? [(${run})(all[0], arg)] : null`, arg))).then(([value]) => value);
  evaluate = (run, arg = null) => this.#one(run, arg);
  all = async () => Array.from({ length: await this.count() }, (_, n) => this.nth(n));
  press = async (key) => (await this.focus(), await this.page.keyboard.press(key));
  count = () => this.evaluateAll((all) => all.length);
  allTextContents = () => this.evaluateAll((all) => all.map((each) => each.textContent));
  allInnerTexts = () => this.evaluateAll((all) => all.map((each) => each.innerText));
  innerText = () => this.#one((each) => each.innerText);
  innerHTML = () => this.#one((each) => each.innerHTML);
  textContent = () => this.#one((each) => each.textContent);
  inputValue = () => this.#one((each) => each.value);
  getAttribute = (name) => this.#one((each, name) => each.getAttribute(name), name);
  boundingBox = () => this.#one((each) => each.getBoundingClientRect().toJSON());
  isVisible = () => this.evaluateAll((all) => all.length > 0 && all[0].checkVisibility() && all[0].getClientRects().length > 0);
  isHidden = async () => !(await this.isVisible());
  waitFor = ({ state = 'visible' } = {}) => until(`${state} ${JSON.stringify(this.steps)}`, this.page.patience, async () => (await this.isVisible()) === (state === 'visible'));
  isDisabled = () => this.#one((each) => each.disabled);
  focus = () => this.#one((each) => each.focus());
  fill = (text) => this.#one((each, text) => {
    each.focus();
    each.value = text;
    for (const name of ['input', 'change']) each.dispatchEvent(new Event(name, { bubbles: true }));
  }, text);
  selectOption = (value) => this.#one((each, value) => {
    each.value = value;
    for (const name of ['input', 'change']) each.dispatchEvent(new Event(name, { bubbles: true }));
  }, value);
  check = async () => ((await this.#one((each) => each.checked)) ? undefined : this.click());
  uncheck = async () => ((await this.#one((each) => each.checked)) ? this.click() : undefined);
  dblclick = () => this.#press(2);
  click = () => this.#press(1);
  #press = async (times) => {
    const { x, y } = await this.#place();
    await this.page.mouse.click(x, y, times);
  };
  hover = async () => {
    const { x, y } = await this.#place();
    await this.page.mouse.move(x, y);
  };

  /** Returns the middle of the element when it is in view, enabled, at rest and not covered. */
  async #place() {
    let before = null;
    return until(`press ${JSON.stringify(this.steps)}`, this.page.patience, async () => {
      const found = await this.evaluateAll(async ([each]) => {
        if (!each || each.disabled || !each.getClientRects().length) return null;
        // the page may be drawn or scrolled again
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const { left, top, width, height } = each.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const hit = document.elementFromPoint(x, y);
        if (hit && (each.contains(hit) || hit.closest('label')?.control === each || each.closest('label')?.contains(hit))) return { x, y };
        each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        return null;
      });
      const still = found && before && found.x === before.x && found.y === before.y;
      before = found;
      return still && found;
    });
  }
}

/** Starts a browser for each context. `paths` are those that `.ci/browser` prints: Firefox; or the driver of WebKit, its browser and a display. */
export async function browserOf(name, [path, ...more], patience) {
  const contexts = new Set();
  let screen = null;
  let display = process.env.DISPLAY;
  if (name === 'webkit' && !display) {
    // a display without a screen, which chooses its own number
    screen = spawn(more[1], ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    display = `:${await new Promise((resolve, reject) => (screen.stdio[3].once('data', (text) => resolve(String(text).trim())), screen.once('error', reject)))}`;
  }
  return {
    contexts: () => [...contexts],
    async newContext({ viewport: { width, height } }) {
      const { send, end } = await (name === 'firefox' ? firefox(path) : webkit(path, more[0], display));
      const context = { inits: [], pages: () => [], setDefaultTimeout: () => undefined, addInitScript: async (run, arg) => void context.inits.push([run, arg]), close: async () => (contexts.delete(context), await end()) };
      contexts.add(context);
      context.newPage = async () => {
        const page = new Page(context, send, patience);
        context.pages = () => [page];
        await send('SetTimeouts', { script: 600_000, pageLoad: 120_000 });
        await page.setViewportSize({ width, height });
        return page;
      };
      return context;
    },
    async close() {
      for (const context of contexts) await context.close();
      screen?.kill();
    },
  };
}
