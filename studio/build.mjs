// Bundles the page with esbuild. The output depends only on the sources and the lock file.
//   node build.mjs page [FOLDER]   writes the page without its engine, into dist
//   node build.mjs site            writes the page with its engine as a static site, and as the single file studio.html, into target/studio
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import * as paths from './paths.mjs';

const common = { bundle: true, minify: true, format: 'iife', target: ['es2022'], charset: 'utf8', legalComments: 'none', logLevel: 'error', absWorkingDir: paths.studio };
const source = (name) => join(paths.studio, 'src', name);
const [what, folder] = process.argv.slice(2);
if (what === 'page') await page(folder ?? paths.page);
else if (what === 'site') await site();
else throw new Error('node build.mjs page [FOLDER], or node build.mjs site');

async function page(folder) {
  mkdirSync(folder, { recursive: true });
  await build({ ...common, entryPoints: ['src/main.ts'], outfile: join(folder, 'studio.js') });
  await build({ ...common, entryPoints: ['src/early.ts'], outfile: join(folder, 'early.js') });
  await build({ ...common, entryPoints: ['src/studio.css'], outfile: join(folder, 'studio.css') });
  writeFileSync(join(folder, 'index.html'), await start());
}

/** Imports a module of the page. */
async function module(name) {
  const { outputFiles } = await build({ ...common, entryPoints: [`src/${name}`], format: 'esm', write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** The page with the figures of the start page, which a test compares with those of the engine. */
async function start() {
  const { front } = await module('start/front.ts');
  return readFileSync(source('index.html'), 'utf8').replace(/<!-- (dice|templates|examples) -->/g, (_, part) => front(JSON.parse(readFileSync(source('start/figures.json'), 'utf8')))[part]);
}

async function site() {
  const wasm = join(paths.engine, 'engine_bg.wasm');
  if (!existsSync(wasm)) throw new Error('no engine found: run studio/build-engine first');
  rmSync(paths.site, { recursive: true, force: true });
  await page(paths.site);
  await build({ ...common, entryPoints: ['src/engine/worker.ts'], outfile: join(paths.site, 'worker.js'), define: { 'import.meta.url': '""' } });
  copyFileSync(wasm, join(paths.site, 'engine.wasm'));
  // the service worker caches the files under a hash of their content
  const files = ['index.html', 'studio.css', 'early.js', 'studio.js', 'worker.js', 'engine.wasm'];
  const hash = createHash('sha256');
  for (const name of files) hash.update(readFileSync(join(paths.site, name)));
  const worker = readFileSync(source('sw.js'), 'utf8').replace('VERSION', hash.digest('hex').slice(0, 16)).replace('["FILES"]', JSON.stringify(files));
  writeFileSync(join(paths.site, 'sw.js'), worker);
  await single(wasm);
}

/** One file: styles, scripts, worker and engine inside it. */
async function single(wasm) {
  const text = (name) => readFileSync(join(paths.site, name), 'utf8');
  const { inside, single } = await module('single.ts');
  const [early, script] = [text('early.js'), text('studio.js')];
  const digests = [early, script].map((each) => createHash('sha256').update(inside(each)).digest('base64'));
  const packed = gzipSync(readFileSync(wasm), { level: 9 });
  packed[9] = 3; // the same byte on every operating system
  writeFileSync(join(paths.out, 'studio.html'), single({ html: text('index.html'), css: text('studio.css'), early, script, worker: text('worker.js'), engine: packed.toString('base64'), digests }));
}
