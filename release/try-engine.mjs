// Asks the installed npm package a question about a game: node try-engine.mjs RULES SCENARIO MEASURE ANSWER
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { EngineError, open } from 'grognard';

const [rules, scenario, measure, answer] = process.argv.slice(2);
const text = (file) => readFileSync(file, 'utf8');
const path = `first/${basename(scenario)}`;
const engine = await open({ [`first/${basename(rules)}`]: text(rules), [path]: text(scenario) });
const settings = { params: {}, readings: {} };
const { measures } = engine.ask('grognard/outlook', { path, settings });
assert.equal(measures.find((one) => one.measure === measure).value.fraction, answer);
assert.throws(() => engine.ask('grognard/nothing'), EngineError);

// the example of the README
const [, code] = /```js\n([^]*?)```/.exec(text(new URL(import.meta.resolve('grognard')).pathname.replace(/index\.js$/, 'README.md')));
const lines = [];
const print = { log: (line) => lines.push(line) };
await new Function('open', 'console', `return (async () => { ${code.replace(/^import .*$/m, '')} })()`)(open, print);
assert.deepEqual(lines, [/console\.log\(.*\/\/ (.*)/.exec(code)[1]]);
engine.close();
