// The page as one file with its engine inside, which opens from a disk. `studio/build` writes it, and the page can save itself as one.

export interface Parts {
  html: string;
  css: string;
  script: string;
  worker: string;
  /** The engine as gzip in base64. */
  engine: string;
  early: string;
  /** The SHA-256 of both embedded scripts in base64. The content security policy allows only scripts with these hashes. */
  digests: string[];
}

/** Escapes a script for embedding in a page. */
export const inside = (script: string): string => script.replaceAll('</script', '<\\/script');

export function single({ html, css, early, script, worker, engine, digests }: Parts): string {
  const scripts = [`<script type="text/plain" id="engine-worker">${inside(worker)}</script>`, `<script type="text/plain" id="engine-wasm">${engine}</script>`, `<script>${inside(early)}</script>`, `<script>${inside(script)}</script>`];
  return html
    .replace("script-src 'self'", `script-src ${digests.map((digest) => `'sha256-${digest}'`).join(' ')}`)
    .replace(/(name="grognard-token" content=")[^"]*/, '$1')
    .replace("worker-src 'self' blob:", 'worker-src blob:')
    .replace(/<script src="(early|studio).js"[^>]*><\/script>\n/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
    .replace('</body>', () => `${scripts.join('\n')}\n</body>`);
}

async function base64(bytes: BlobPart): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    [reader.onload, reader.onerror] = [resolve, reject];
    reader.readAsDataURL(new Blob([bytes]));
  });
  return String(reader.result).replace(/^.*,/, '');
}

/** Combines this page with the files next to it on its host into one file. */
export async function ofThisPage(): Promise<string> {
  const found = async (name: string): Promise<Response> => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer;
  };
  const text = async (name: string): Promise<string> => (await found(name)).text();
  const wasm = await fetch('engine.wasm');
  if (!wasm.ok) throw new Error('this program was built without the WebAssembly engine. To build the file, run studio/build site');
  const [html, css, early, script, worker] = await Promise.all([text(location.href.replace(/#.*/, '')), text('studio.css'), text('early.js'), text('studio.js'), text('worker.js')]);
  const packed = new Response(wasm.body!.pipeThrough(new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>));
  const digest = async (script: string) => base64(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(inside(script))));
  return single({ html, css, early, script, worker, engine: await base64(await packed.arrayBuffer()), digests: [await digest(early), await digest(script)] });
}
