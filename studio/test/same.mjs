// Compares the answers of WebAssembly and of the program about the shipped scenarios, byte by byte.
//   node test/same.mjs [--every N | --all]   every Nth scenario, or all of them with exact odds, margins and readings too
// The questions go to the engine of target/studio/site in node, and to `grognard studio --messages`. `GROGNARD=program` names another program.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { studio } from './browser.mjs';
import { engine } from './engine.mjs';

const program = process.env.GROGNARD ?? join(studio, '..', 'target', 'debug', 'grognard');
if (!existsSync(program)) {
  console.log(`NOT DONE: WebAssembly was not compared with the program, because there is no ${program}`);
  process.exit(0);
}
const whole = process.argv.includes('--all');
const every = process.argv.indexOf('--every');
const STEP = every > 0 ? Number(process.argv[every + 1]) : 30;
const RUNS = 24;

const wasm = engine();
const began = performance.now();
const { books } = wasm.ask('grognard/books', {}).message.result;
const scenarios = books.flatMap((book) => book.scenarios.map((scenario) => scenario.path)).filter((_, n) => whole || n % STEP === 0);
const rules = books.flatMap((book) => book.files.filter((path) => path.endsWith('.rules')));
const settings = { params: {}, readings: {} };
const asked = scenarios.flatMap((path) => [
  ['grognard/outlook', { path, settings, runs: RUNS }],
  ['grognard/dials', { path, settings }],
  ['grognard/table', { path, settings }],
  ['grognard/test', { path, settings }],
  ['grognard/play', { path, settings, seed: 1, script: [], as: [] }],
  ...(whole ? [['grognard/outlook', { path, settings }]] : []),
]);
const fire = { path: 'warstrike/scenarios/firefight.toml', settings };
asked.push(['grognard/sight', { path: 'warstrike/scenarios/hold-the-farm.toml', settings, unit: 'laans' }]);
asked.push(['grognard/sweep', { ...fire, dials: ['hit_on'], runs: RUNS }]);
asked.push(['grognard/compare', { path: fire.path, a: {}, b: { settings: { params: { hit_on: '5' }, readings: {} } }, runs: RUNS }]);
asked.push(['grognard/outlook', { path: 'warstrike/scenarios/exchange-of-fire.toml', settings }]);
if (whole) {
  asked.push(['grognard/readings', { ...fire, runs: RUNS }]);
  for (const path of rules) asked.push(['grognard/odds', { path }], ['grognard/dials', { path, settings }]);
}

// the program runs in parallel
const folder = mkdtempSync(join(tmpdir(), 'grognard-same-'));
const [questions, told] = [join(folder, 'questions'), join(folder, 'told')];
// the first question was sent above
const first = 2;
writeFileSync(questions, asked.map(([method, params], n) => JSON.stringify({ jsonrpc: '2.0', id: first + n, method, params })).join('\n'));
const [input, output] = [openSync(questions, 'r'), openSync(told, 'w')];
const native = spawn(program, ['studio', '--messages'], { stdio: [input, output, 'inherit'] });
const ended = new Promise((resolve) => native.on('exit', resolve));

const answers = new Map();
let work = 0;
for (const [n, [method, params]] of asked.entries()) {
  const start = performance.now();
  try {
    answers.set(first + n, wasm.ask(method, params).text);
  } catch (why) {
    console.log(`FAIL ${method} ${params.path}: WebAssembly ended: ${why.message}`);
    process.exitCode = 1;
    break;
  }
  work += performance.now() - start;
}
const code = await ended;
[input, output].forEach(closeSync);
if (code !== 0) {
  console.log(`FAIL the program ended with ${code}`);
  process.exitCode = 1;
}
const others = new Map();
for (const line of readFileSync(told, 'utf8').split('\n')) {
  const id = /"id":(\d+)[,}]/.exec(line.slice(0, 40)) ?? (line ? [0, JSON.parse(line).id] : null);
  if (id && !line.includes('"method":"grognard/progress"')) others.set(Number(id[1]), line);
}
rmSync(folder, { recursive: true });

let same = 0;
let errors = 0;
for (const [n, [method, params]] of asked.entries()) {
  const [one, other] = [answers.get(first + n), others.get(first + n)];
  if (one !== undefined && one === other) {
    same++;
    errors += JSON.parse(one).error ? 1 : 0;
    continue;
  }
  process.exitCode = 1;
  const at = [...(one ?? '')].findIndex((c, at) => c !== other?.[at]);
  console.log(`DIFFERS ${method} ${JSON.stringify(params)}\n  wasm   … ${one?.slice(Math.max(0, at - 60), at + 120)}\n  native … ${other?.slice(Math.max(0, at - 60), at + 120)}`);
}
console.log(`${same} of ${asked.length} answers are identical, over ${scenarios.length} scenarios (${errors} of them are errors); WebAssembly ${(work / 1000).toFixed(1)} s, all ${((performance.now() - began) / 1000).toFixed(1)} s`);
