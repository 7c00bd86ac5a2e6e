// Caches the files of one version of the app, so that it opens without a network.

// Each file with the SHA-256 of its content. `Scripts/build-web` writes them here.
const FILES = {/* FILES */};

const scope = new URL('./', location).pathname;
// The caches of other apps have other prefixes, so this app does not delete them.
const PREFIX = `fieldpass-shell-${scope}-`;

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Each version has a cache of its own.
const cacheName = digest(new TextEncoder().encode(JSON.stringify(FILES)))
  .then((hash) => PREFIX + hash.slice(0, 16));

// The hash must match, because a server in the middle of an update sends files of two versions.
async function cacheFile(cache, file, expected) {
  const response = await fetch(scope + file, { cache: 'no-store', credentials: 'omit' });
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  const bytes = await response.clone().arrayBuffer();
  if ((await digest(bytes)) !== expected) throw new Error(`${file}: belongs to another version`);
  await cache.put(scope + file, response);
}

async function install() {
  const cache = await caches.open(await cacheName);
  await Promise.all(Object.entries(FILES).map(([file, hash]) => cacheFile(cache, file, hash)));
}

async function activate() {
  const current = await cacheName;
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== current) await caches.delete(name);
  }
  await clients.claim();
}

async function answer(request, file) {
  const cache = await caches.open(await cacheName);
  return (await cache.match(scope + file)) ?? fetch(request);
}

// If the browser supports it, requests for other paths do not start this service worker. That is
// faster, and a pending request does not delay the takeover by a new version.
async function bypassOtherPaths(event) {
  try {
    const appFiles = { urlPattern: { pathname: `${scope}*` } };
    await event.addRoutes?.({ condition: { not: appFiles }, source: 'network' });
  } catch {
    // The browser does not support this condition. The fetch listener below ignores these paths.
  }
}

addEventListener('install', (event) =>
  event.waitUntil(Promise.all([install(), bypassOtherPaths(event)])));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('message', (event) => {
  // The page that sends this message may run an older version.
  if (event.data === 'take over') skipWaiting();
});

// Only the files of the app come from the cache. All other requests go to the server. Each address
// below the app that is no file is a place in the app, so it opens the same page.
addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (!url.pathname.startsWith(scope)) return;
  let file = url.pathname.slice(scope.length);
  if (!Object.hasOwn(FILES, file) && event.request.mode === 'navigate') file = 'index.html';
  if (Object.hasOwn(FILES, file)) event.respondWith(answer(event.request, file));
});
