// Paths that the build of the page and its tests share.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const studio = dirname(fileURLToPath(import.meta.url));
export const repository = join(studio, '..');
const target = process.env.CARGO_TARGET_DIR ?? join(repository, 'target');
/** The page without the engine: committed, and part of the program. */
export const page = join(studio, 'dist');
/** Products that are not committed: the site, the page as one file, screenshots. */
export const out = join(target, 'studio');
/** The page with its engine, for a web host. */
export const site = join(out, 'site');
/** The output of `build-engine`. */
export const engine = join(studio, 'engine');
