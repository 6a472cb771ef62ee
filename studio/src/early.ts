// The first script of a page: shows the start page, or starts the engines of the work place before its own script is read.

import { type Early, type Entry, fetched, type FromWorker, NOT_STARTED, worker, workerUrl } from './engine/compile';
import { type Remembered, FIRST, VIEW } from './first';
import { startPage } from './start/page';

/** Whether the script of the work place is part of this page. */
const whole = (): boolean => document.getElementById('engine-wasm') !== null;
/** The part of the page that the address names. A page from a disk cannot change its address. */
let forced: string | null = null;
const search = (): string => forced ?? location.search;
/** Returns whether the work place is shown: for a link, and for a page that the start page opened. */
const atWork = (): boolean => (forced === null && location.hash.length > 1) || search() === '?work';

let module: Promise<WebAssembly.Module> | undefined;
let url = '';
const compiled = (): Promise<WebAssembly.Module> => {
  url ||= workerUrl();
  return (module ??= fetched());
};
const make = (): Worker => worker((compiled(), url), compiled());
let resolve!: (entry: Entry | null) => void;
/** The fragment with which the work place was opened; `null` before that. */
let shown: string | null = null;
const enter = (entry: Entry | null): void => {
  shown ??= entry ? '' : location.hash;
  resolve(entry);
};
let begun = false;

const early: Early = (window.early = {
  get module() {
    return compiled();
  },
  make,
  asked: null,
  heard: [],
  failed: null,
  entered: new Promise((entered) => (resolve = entered)),
  enter: (entry: Entry | null) => {
    begin();
    enter(entry);
  },
  // a page that shows a link saves nothing, so the start page is loaded again
  leave: () => (shown ? location.assign(location.pathname) : go('')),
} as unknown as Early);

/** Shows another part of the page, with an entry of the history. */
function go(search: string): void {
  forced = null;
  try {
    history.pushState(null, '', search || location.pathname);
  } catch {
    forced = search;
  }
  show();
  page.shown();
}

let page: ReturnType<typeof startPage>;

/** Starts the engines of the work place, and its script. */
function begin(): void {
  if (begun) return;
  begun = true;
  early.quick = make();
  early.long = make();
  // messages that arrive before the page listens are stored for it
  early.long.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if ('message' in data) early.heard.push(data.message);
  };
  early.quick.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if ('failed' in data) early.failed = data.failed;
  };
  early.quick.onerror = ({ message }) => (early.failed = message || NOT_STARTED);
  if (whole()) return;
  const script = document.createElement('script');
  script.src = 'studio.js';
  document.head.append(script);
}

function view(): Partial<Remembered> {
  try {
    return JSON.parse(localStorage.getItem(VIEW) ?? '{}') as Partial<Remembered>;
  } catch {
    return {};
  }
}

/** Shows the part of the page that the address names. */
function show(): void {
  const part = atWork() ? 'app' : search() === '?gallery' ? 'gallery' : 'start';
  for (const id of ['start', 'gallery', 'app']) document.getElementById(id)!.hidden = id !== part;
  if (part === 'app') {
    begin();
    enter(null);
  }
}

if (atWork()) {
  begin();
  const { scene = FIRST.scene, tab = 'odds', settings = { params: {}, readings: {} } } = view();
  // a link contains its own texts
  if (scene && tab === 'odds' && location.hash.length < 2) {
    early.asked = JSON.stringify({ path: scene, settings });
    const question = { jsonrpc: '2.0', id: 0, method: 'grognard/outlook', params: { path: scene, settings, revision: 0 } };
    compiled().then(() => early.long.postMessage({ only: JSON.stringify(question) }), () => undefined);
  }
}

function opened(): void {
  page = startPage({
    make,
    begin,
    enter(entry) {
      early.enter(entry);
      go('?work');
    },
    go,
  });
  addEventListener('popstate', () => {
    // a work place shows one link, or the user's own work
    if (shown !== null && location.hash !== shown) return location.reload();
    forced = null;
    show();
    page.shown();
  });
  show();
  page.shown();
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', opened);
else opened();
