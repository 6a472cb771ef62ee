// How fast the page is, in a real browser: prints a table, then the same as one line of JSON.
//   node test/bench.mjs [--quick]
// First odds after opening; diagnostics after a key in the largest ruleset; sampling and exact odds (W1 and E4 of
// benches/ratios) by WebAssembly in a worker against the program on one thread; the longest slice of each long question.
// The program is GROGNARD, else the fastest build there is: target/dist, then target/release, then target/debug. Ratios
// count for a program that is built as the benches are (`cargo build --profile dist` or `--profile bench`).
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launch, open, serve, site, studio } from './browser.mjs';

const quick = process.argv.includes('--quick');
const repository = join(studio, '..');
const built = ['dist', 'release', 'debug'].map((sort) => join(repository, 'target', sort, 'grognard'));
const program = process.env.GROGNARD ?? built.find((path) => existsSync(path));
const settings = { params: {}, readings: {} };
const TIMES = quick ? 2 : 5;
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

// the workloads of benches/ratios as texts of the studio
const w1 = readFileSync(join(repository, 'benches', 'ratios', 'rules', 'w1.rules'), 'utf8').replace(/^ruleset .*/, 'ruleset bench/w1');
const code = 'squad.models * 10 + squad.markers * 2 + (if squad.destroyed then 1 else 0)';
const scene = (mode) => `rules = "bench/w1"\nstart = "Battle(squad)"\nmode = "${mode}"\nseed = 7\n[Squad.squad]\n[report]\nhist = ["${code}"]\n`;
const RUNS = quick ? 20_000 : 100_000;
const FIGHT = quick ? 500 : 3_000;
const fire = 'warstrike/scenarios/firefight.toml';
const put = [
  ['grognard/put', { path: 'bench/w1.rules', text: w1 }],
  ['grognard/put', { path: 'bench/exact.toml', text: scene('exact') }],
  ['grognard/put', { path: 'bench/sampled.toml', text: scene('sampled') }],
];
const exact = ['grognard/outlook', { path: 'bench/exact.toml', settings }];
const sampled = ['grognard/outlook', { path: 'bench/sampled.toml', settings, runs: RUNS, seed: 7 }];
const fight = ['grognard/outlook', { path: fire, settings, runs: FIGHT, seed: 7 }];
const SLOW = 50;
/** Milliseconds in which a question is put again and again before its time counts. */
const WARM = quick ? 500 : 3_000;

// each long question, for its longest slice
const long = [
  ['outlook of the firefight', 'grognard/outlook', { path: fire, settings }],
  ['outlook, exact', 'grognard/outlook', { path: 'warstrike/scenarios/exchange-of-fire.toml', settings }],
  ['odds of a ruleset', 'grognard/odds', { path: 'warstrike/leadership.rules' }],
  ['odds of the largest ruleset', 'grognard/odds', { path: 'warstrike/core.rules' }],
  ['odds of it as it came', 'grognard/odds', { path: 'warstrike/core.rules', texts: { 'warstrike/core.rules': `${readFileSync(join(repository, 'rulesets', 'warstrike', 'core.rules'), 'utf8')}\n` } }],
  ['sweep', 'grognard/sweep', { path: fire, settings, dials: ['hit_on'] }],
  ['compare', 'grognard/compare', { path: fire, a: {}, b: { settings: { params: { hit_on: '5' }, readings: {} } } }],
  ['readings', 'grognard/readings', { path: fire, settings, runs: 500 }],
  ['odds of options', 'grognard/play/odds', { path: 'edits/scenarios/across-the-road.toml', settings, seed: 3, script: [], as: ['red'] }],
];

/** The program, which answers questions on its own thread one after the other. */
function native() {
  const child = spawn(program, ['studio', '--messages'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  });
  let id = 0;
  const ask = (method, params) => new Promise((resolve) => {
    const own = ++id;
    waiting.set(own, resolve);
    child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }) + '\n');
  });
  return { ask, end: () => child.stdin.end() };
}

async function timed(ask, question) {
  const began = performance.now();
  const answer = await ask(...question);
  const ms = performance.now() - began;
  if (answer.error) throw new Error(`${question[0]}: ${answer.error.message}`);
  return { ms, answer: answer.result };
}

/**
 * The same question put to the page and to the program by turns, so that a machine that is slower for a while is so for both.
 * What a browser compiles anew while it runs is compiled before the clock counts; the first answer is told beside it.
 */
async function sideBySide(question) {
  const first = (await timing(question)).ms;
  const warm = performance.now() + WARM;
  while (performance.now() < warm) await timing(question);
  const took = [[], []];
  let answers;
  for (let n = 0; n < 2 * TIMES; n++) {
    // whoever waited has to find its memory again: that counts for neither
    await timing(question);
    const own = await timing(question);
    if (engine) await timed(engine.ask, question);
    const other = engine ? await timed(engine.ask, question) : null;
    if (other && JSON.stringify(own.answer.measures) !== JSON.stringify(other.answer.measures)) throw new Error(`${question[0]}: the answers differ`);
    took[0].push(own.ms);
    if (other) took[1].push(other.ms);
  }
  return { first, own: median(took[0]), other: engine ? median(took[1]) : null };
}

/** In the page: an engine in a worker of its own, which counts how long each slice takes. */
function inPage() {
  window.bench = {
    async start() {
      // the worker of the page, and around each call of the engine a clock
      const text = await (await fetch('worker.js')).text();
      const clock = `
        self.slices = { longest: 0, count: 0, over: 0 };
        self.hear = (handler) => (event) => {
          const began = performance.now();
          handler(event);
          const took = performance.now() - began;
          if (took > self.slices.longest) self.slices.longest = took;
          self.slices.count++;
          if (took > 50) self.slices.over++;
        };
        for (const of of [MessagePort.prototype, self]) {
          let own = Object.getOwnPropertyDescriptor(of, 'onmessage') ?? Object.getOwnPropertyDescriptor(Object.getPrototypeOf(of), 'onmessage');
          Object.defineProperty(of, 'onmessage', { configurable: true, get() { return own.get.call(this); }, set(handler) { own.set.call(this, (event) => {
            if (event.data && event.data.slices) { postMessage({ slices: self.slices }); self.slices = { longest: 0, count: 0, over: 0 }; return; }
            return handler === null ? null : self.hear(handler).call(this, event);
          }); } });
        }
      `;
      this.worker = new Worker(URL.createObjectURL(new Blob([clock + text], { type: 'text/javascript' })));
      const answer = await fetch('engine.wasm');
      const began = performance.now();
      const module = await WebAssembly.compileStreaming(answer);
      this.compiled = performance.now() - began;
      this.waiting = new Map();
      this.id = 0;
      await new Promise((resolve, reject) => {
        this.worker.onerror = (event) => reject(new Error(event.message));
        this.worker.onmessage = ({ data }) => {
          if (data.ready) resolve();
          else if (data.failed) reject(new Error(data.failed));
          else if (data.slices) this.told(data.slices);
          else for (const each of data.messages ?? []) {
            const message = JSON.parse(each);
            if (message.method === undefined) this.waiting.get(message.id)?.(message);
            else this.hears?.(message);
          }
        };
        this.worker.postMessage({ start: module });
      });
    },
    ask(method, params) {
      const id = ++this.id;
      return new Promise((resolve) => {
        this.waiting.set(id, resolve);
        this.worker.postMessage(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    },
    tell(method, params) {
      this.worker.postMessage(JSON.stringify({ jsonrpc: '2.0', method, params }));
    },
    slices() {
      return new Promise((resolve) => {
        this.told = resolve;
        this.worker.postMessage({ slices: true });
      });
    },
    async time(method, params) {
      const began = performance.now();
      const answer = await this.ask(method, params);
      const ms = performance.now() - began;
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return { ms, answer: answer.result };
    },
    /** From a key in a text to its diagnostics. */
    async keys(path, times) {
      const { result } = await this.ask('grognard/text', { path });
      const uri = 'file:///' + path;
      const heard = () => new Promise((resolve) => {
        this.hears = (message) => message.method === 'textDocument/publishDiagnostics' && message.params.uri === uri && resolve(message.params);
      });
      let next = heard();
      this.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'grognard', version: 1, text: result.text } });
      await next;
      const lines = result.text.split('\n');
      const line = lines.findIndex((each) => /^\s+\S/.test(each) && !each.trim().startsWith('#'));
      const took = [];
      for (let n = 0; n < times; n++) {
        // a letter that makes an error, and then takes it away again
        const at = { line, character: lines[line].length };
        const change = n % 2 === 0 ? { range: { start: at, end: at }, text: '@' } : { range: { start: at, end: { line, character: at.character + 1 } }, text: '' };
        next = heard();
        const began = performance.now();
        this.tell('textDocument/didChange', { textDocument: { uri, version: n + 2 }, contentChanges: [change] });
        await next;
        took.push(performance.now() - began);
      }
      this.hears = null;
      return { ms: took.sort((a, b) => a - b)[took.length >> 1], worst: Math.max(...took), bytes: result.text.length };
    },
  };
}

const rows = [];
const row = (name, value, wanted, more = '') => {
  rows.push({ name, value, wanted, more });
  console.log(`${name.padEnd(44)} ${value.padStart(12)}   ${wanted.padEnd(18)} ${more}`);
};
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const found = {};

const { server, url } = await serve(site);
const browser = await launch();

// first odds, in a world of its own each time
const first = [];
for (let n = 0; n < TIMES; n++) {
  const page = await open(browser, url);
  await page.waitForFunction(() => performance.getEntriesByName('first-odds').length > 0, undefined, { timeout: 60_000 });
  first.push(await page.evaluate(() => performance.getEntriesByName('first-odds')[0].startTime));
  await page.context().close();
}
found.first_odds_ms = { best: Math.min(...first), median: median(first) };
row('first odds after opening', ms(median(first)), 'at most 1500 ms', `best ${ms(Math.min(...first))} of ${TIMES}`);

const context = await browser.newContext();
const page = await context.newPage();
await page.goto(`${url}studio.css`);
await page.evaluate(inPage);
await page.evaluate(() => window.bench.start());
found.compile_ms = await page.evaluate(() => window.bench.compiled);
row('compiling the engine', ms(found.compile_ms), '');
const asked = (method, params) => page.evaluate(([method, params]) => window.bench.ask(method, params), [method, params]);
const timing = (question) => page.evaluate(([method, params]) => window.bench.time(method, params), question);

const { result } = await asked('grognard/books', {});
const sizes = await Promise.all(result.books.flatMap((book) => book.files.filter((path) => path.endsWith('.rules'))).map(async (path) => [path, (await asked('grognard/text', { path })).result.text.length]));
const [largest] = sizes.sort((a, b) => b[1] - a[1])[0];
await asked('initialize', { processId: null, rootUri: 'file:///', capabilities: {} });
const keys = await page.evaluate(([path, times]) => window.bench.keys(path, times), [largest, quick ? 8 : 30]);
found.diagnostics_ms = { path: largest, median: keys.ms, worst: keys.worst };
row('diagnostics after a key', ms(keys.ms), 'at most 50 ms', `${largest}, ${keys.bytes} bytes; worst ${ms(keys.worst)}`);

for (const question of put) await asked(...question);
const cases = [['exact, E4 six turns', exact, null], ['sampling, W1', sampled, RUNS], ['sampling, the firefight', fight, FIGHT]];
const engine = program ? native() : null;
if (engine) {
  const silent = setTimeout(() => { throw new Error(`${program} does not answer while its input is open`); }, 60_000);
  for (const question of put) await engine.ask(...question);
  clearTimeout(silent);
}
found.ratios = {};
for (const [name, question, runs] of cases) {
  const { first, own, other } = await sideBySide(question);
  const rate = (took) => (runs ? `${Math.round(runs / took)} runs/ms`.replace(/^0 runs.ms$/, `${(runs / took).toFixed(2)} runs/ms`) : ms(took));
  found.ratios[name] = { wasm_ms: own, first_ms: first, native_ms: other, ratio: other && own / other, runs };
  row(name, other ? `${(own / other).toFixed(2)} x` : '?', 'at most 2.5 x', `WebAssembly ${rate(own)}, program ${other ? rate(other) : 'none'}; first answer ${ms(first)}`);
}
engine?.end();

found.slices = {};
for (const [name, method, params] of long) {
  await page.evaluate(() => window.bench.slices());
  const answer = await asked(method, params);
  const { longest, count, over } = await page.evaluate(() => window.bench.slices());
  found.slices[name] = { longest_ms: longest, turns: count, over_50_ms: over };
  row(`longest turn, ${name}`, ms(longest), `at most ${SLOW} ms`, `${count} turns${over ? `, ${over} of them longer` : ''}${answer.error ? `; ${answer.error.message}` : ''}`);
}

await browser.close();
server.close();
found.program = program ?? null;
console.log(program ? `the program is ${program}` : 'NOT DONE: nothing was compared with the program, as there is none');
console.log(JSON.stringify(found));
