// Runs tests of the page: `node test/start.mjs [WORD ...]` runs those whose names contain the words, `--accepted` those that the design of
// the page asks for, `--smoke` its first three. BROWSER is chromium, firefox or webkit [default: chromium].
import { join } from 'node:path';
import { BROWSER, launch, out, serve, site } from './browser.mjs';

/**
 * Runs tests, each `{ name, run, accepts, chromium }`: `accepts` is its number in the design, and `chromium` names what only Chromium can do.
 * The first test measures a time, so it runs by itself in a standard browser, and the others in `abreast` browsers with these flags.
 */
export async function runTests(tests, { abreast = 1, flags = [] } = {}) {
  const options = process.argv.slice(2);
  const words = options.filter((each) => !each.startsWith('--'));
  const asked = ({ name, accepts }) => words.every((word) => name.includes(word)) && (options.includes('--smoke') ? accepts <= 3 : !options.includes('--accepted') || accepts);
  const chosen = tests.filter(asked);
  const skipped = BROWSER === 'chromium' ? [] : chosen.filter(({ chromium }) => chromium);
  const waiting = chosen.filter((each) => !skipped.includes(each));
  const count = waiting.length;
  const host = await serve(site);
  const began = Date.now();
  let failed = 0;

  /** Runs one test and closes everything that it opened. */
  const one = async (browser, { name, run }) => {
    const start = Date.now();
    host.held = null;
    try {
      await run({ browser, host, url: host.url });
      console.log(`ok      ${name} (${Date.now() - start} ms)`);
    } catch (why) {
      failed++;
      console.log(`FAILED  ${name}\n        ${why.stack}`);
      const pages = browser.contexts().flatMap((context) => context.pages());
      for (const page of pages) console.log(`        complaints: ${JSON.stringify(page.complaints)}, told: ${await page.locator('.notice, .becomes .status, .waits').allInnerTexts().then((all) => all.join(' | ').slice(0, 600), () => '?')}`);
      await pages.at(-1)?.screenshot?.({ path: join(out, 'failed.png') })?.catch(() => undefined);
    }
    for (const context of browser.contexts()) await context.close();
  };
  const queue = async (some, ...flags) => {
    if (!some.length) return;
    const browser = await launch(...flags);
    for (let next; (next = some.shift()); ) await one(browser, next);
    await browser.close();
  };
  if (waiting[0] === tests[0]) await queue([waiting.shift()]);
  await Promise.all(Array.from({ length: abreast }, () => queue(waiting, ...flags)));
  host.server.close();
  for (const { name, chromium } of skipped) console.log(`not in ${BROWSER}: ${name}: ${chromium}`);
  console.log(`${BROWSER}: ${count - failed} passed, ${failed} failed, ${((Date.now() - began) / 1000).toFixed(0)} s`);
  process.exitCode = failed || !count ? 1 : 0;
}
