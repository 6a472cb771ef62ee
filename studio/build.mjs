// Bundles the page with esbuild. What comes out depends on the sources and the lock file alone.
//   node build.mjs [FOLDER]   writes the static site (dist) and `studio.html`, one file with all of it inside (out)
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const dist = process.argv[2] ?? join(here, 'dist');
const out = join(here, 'out');
// what `build-engine` made; without it the engine that is committed
const built = join(here, 'engine', 'engine_bg.wasm');
const wasm = existsSync(built) ? built : join(here, 'dist', 'engine.wasm');
mkdirSync(dist, { recursive: true });
mkdirSync(out, { recursive: true });

const common = { bundle: true, minify: true, format: 'iife', target: ['es2022'], charset: 'utf8', legalComments: 'none', loader: { '.html': 'text' }, logLevel: 'error', absWorkingDir: here };
await build({ ...common, entryPoints: ['src/main.ts'], outfile: join(dist, 'studio.js') });
await build({ ...common, entryPoints: ['src/early.ts'], outfile: join(dist, 'early.js') });
if (existsSync(join(here, 'engine', 'engine.js'))) {
  await build({ ...common, entryPoints: ['src/engine/worker.ts'], outfile: join(dist, 'worker.js'), define: { 'import.meta.url': '""' } });
  writeFileSync(join(dist, 'engine.wasm'), readFileSync(wasm));
}
await build({ ...common, entryPoints: ['src/studio.css'], outfile: join(dist, 'studio.css') });
const html = readFileSync(join(here, 'src', 'index.html'), 'utf8');
writeFileSync(join(dist, 'index.html'), html);

// the service worker knows the files by what is in them
const files = ['index.html', 'studio.css', 'early.js', 'studio.js', 'worker.js', 'engine.wasm'].filter((name) => existsSync(join(dist, name)));
const hash = createHash('sha256');
for (const name of files) hash.update(readFileSync(join(dist, name)));
writeFileSync(join(dist, 'sw.js'), readFileSync(join(here, 'src', 'sw.js'), 'utf8').replace('VERSION', hash.digest('hex').slice(0, 16)).replace('["FILES"]', JSON.stringify(files)));

if (files.includes('engine.wasm')) await single();
report();

/** One file: styles, scripts, worker and engine inside it. */
async function single() {
  const text = (name) => readFileSync(join(dist, name), 'utf8');
  const { outputFiles } = await build({ ...common, entryPoints: ['src/single.ts'], format: 'esm', write: false });
  const { inside, single } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const script = text('studio.js');
  const digest = createHash('sha256').update(inside(script)).digest('base64');
  const packed = gzipSync(readFileSync(wasm), { level: 9 });
  packed[9] = 3; // whatever system wrote it
  writeFileSync(join(out, 'studio.html'), single({ html, css: text('studio.css'), script, worker: text('worker.js'), engine: packed.toString('base64'), digest }));
}

function report() {
  const all = [0, 0];
  for (const name of readdirSync(dist).sort()) {
    const bytes = readFileSync(join(dist, name));
    const packed = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
    packed.forEach((size, n) => (all[n] += size));
    console.log(`${name.padEnd(14)} ${String(bytes.length).padStart(9)} bytes, gzip ${String(packed[0]).padStart(9)}, brotli ${String(packed[1]).padStart(9)}`);
  }
  console.log(`${'together'.padEnd(14)} ${' '.repeat(15)}  gzip ${String(all[0]).padStart(9)}, brotli ${String(all[1]).padStart(9)} of at most 2000000`);
  if (all[1] > 2_000_000) {
    console.error('the page and the engine are larger than 2 MB compressed');
    process.exitCode = 1;
  }
}
