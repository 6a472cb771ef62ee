// Measures the speed of the page in a real browser. Prints a table, then the same as one line of JSON.
//   node test/bench.mjs [--quick]
// Measures: first odds after opening; diagnostics after a key in the largest ruleset; sampling and exact odds (W1 and E4 of
// benches/ratios) by WebAssembly in a worker, compared with the program on one thread; and the replacement of a worker that was ended.
// The program is GROGNARD, else the fastest build that exists: target/dist, then target/release, then target/debug. Ratios
// are valid only for a program built like the benches (`cargo build --profile dist` or `--profile bench`).
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
/** Warm-up time in milliseconds, in which a question is repeated before its time counts. */
const WARM = quick ? 500 : 3_000;

/** Starts the program, which answers questions on its own thread one after the other. */
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
 * Sends the same question to the page and to the program in turn, so that a slow phase of the machine affects both.
 * The warm-up covers code that the browser recompiles at run time; the first answer is reported separately.
 */
async function sideBySide(question) {
  const first = (await timing(question)).ms;
  const warm = performance.now() + WARM;
  while (performance.now() < warm) await timing(question);
  const took = [[], []];
  let answers;
  for (let n = 0; n < 2 * TIMES; n++) {
    // after a wait the caches are cold: this question counts for neither
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

/** Runs in the page: an engine in its own worker. */
function inPage() {
  window.bench = {
    async start() {
      const answer = await fetch('engine.wasm');
      const began = performance.now();
      const module = await WebAssembly.compileStreaming(answer);
      this.compiled = performance.now() - began;
      this.module = module;
      await this.another();
    },
    /** Replaces the worker by another one. */
    async another() {
      this.worker?.terminate();
      this.waiting = new Map();
      this.id = 0;
      await new Promise((resolve, reject) => {
        this.worker = new Worker('worker.js');
        this.worker.onerror = (event) => reject(new Error(event.message));
        this.worker.onmessage = ({ data }) => {
          if (data.ready) return resolve();
          if (data.failed) return reject(new Error(data.failed));
          const message = JSON.parse(data.message);
          if (message.method === undefined) this.waiting.get(message.id)?.(message);
          else this.hears?.(message);
        };
        this.worker.postMessage({ start: this.module });
      });
    },
    /** Measures the time from the end of a worker to the next ready one, and to an answer from the checked rules of a text. */
    async takes(path, settings) {
      const began = performance.now();
      await this.another();
      const ready = performance.now() - began;
      await this.ask('grognard/dials', { path, settings });
      return [ready, performance.now() - began];
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
    async time(method, params) {
      const began = performance.now();
      const answer = await this.ask(method, params);
      const ms = performance.now() - began;
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return { ms, answer: answer.result };
    },
    /** Measures the time from a key in a text to its diagnostics. */
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
        // insert a letter that causes an error, then delete it
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

// first odds, in a new context each time
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

const took = [];
for (let n = 0; n < 2 * TIMES; n++) took.push(await page.evaluate(([path, settings]) => window.bench.takes(path, settings), [largest, settings]));
const [ready, checked] = [0, 1].map((n) => median(took.map((each) => each[n])));
found.takes_over_ms = { ready, checked };
row('replacement of a worker', ms(ready), 'at most 300 ms', `with ${largest} checked ${ms(checked)}`);

await browser.close();
server.close();
found.program = program ?? null;
console.log(program ? `the program is ${program}` : 'NOT DONE: nothing was compared with the program, as there is none');
console.log(JSON.stringify(found));
