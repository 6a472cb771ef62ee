// The service worker: after the first load the page needs no network. Each version of the page has its own cache.
const NAME = 'grognard-VERSION';
const FILES = ["FILES"];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('grognard-') && name !== NAME);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const folder = new URL('./', location.href).pathname;
  const name = url.pathname === folder ? 'index.html' : url.pathname.slice(folder.length);
  if (!FILES.includes(name)) return;
  event.respondWith(caches.open(NAME).then((cache) => cache.match(name)).then((kept) => kept ?? fetch(event.request)));
});
