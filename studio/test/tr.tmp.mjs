import { launch, open, serve, studio } from './browser.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
const { server, url } = await serve(join(studio, 'dist'));
const browser = await launch();
const view = process.argv[2] === 'fire' ? null : { path: 'warstrike/action-phase.rules', scene: 'warstrike/scenarios/exchange-of-fire.toml', tab: 'odds' };
{ const page = await open(browser, url, { view }); await page.waitForTimeout(1000); await page.context().close(); }
await browser.startTracing(undefined, { categories: ['devtools.timeline','v8','v8.wasm','toplevel','blink.user_timing','disabled-by-default-v8.compile','disabled-by-default-v8.wasm.detailed'] });
const t = Date.now();
const page = await open(browser, url, { view });
await page.waitForFunction(() => performance.getEntriesByName('first-odds').length > 0);
console.log('odds', Date.now() - t, await page.evaluate(() => performance.getEntriesByName('first-odds')[0].startTime));
const buf = await browser.stopTracing();
writeFileSync('/tmp/trace.json', buf);
await browser.close(); server.close();
