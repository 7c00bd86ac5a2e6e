// Keeps the files of one version of the app, and answers for them with no network.

// Each file and the SHA-256 of its content; filled in when the app is built.
const FILES = {/* FILES */};

const scope = new URL('./', location).pathname;
// Each app has its own: another app's files are not this one's to throw away.
const PREFIX = `fieldpass-shell-${scope}-`;

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Each version has a cache of its own.
const cacheName = digest(new TextEncoder().encode(JSON.stringify(FILES)))
  .then((hash) => PREFIX + hash.slice(0, 16));

// All files or none: a server in the middle of an update would give a mixture.
async function keep(cache, file, expected) {
  const response = await fetch(scope + file, { cache: 'no-store', credentials: 'omit' });
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  const bytes = await response.clone().arrayBuffer();
  if ((await digest(bytes)) !== expected) throw new Error(`${file}: of another version`);
  await cache.put(scope + file, response);
}

async function install() {
  const cache = await caches.open(await cacheName);
  await Promise.all(Object.entries(FILES).map(([file, hash]) => keep(cache, file, hash)));
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

// Requests to the server do not pass through here where the browser knows how to say so: they are
// faster, and none that is under way keeps a new version from taking over.
async function leaveOthersAlone(event) {
  try {
    const ours = { urlPattern: { pathname: `${scope}*` } };
    await event.addRoutes?.({ condition: { not: ours }, source: 'network' });
  } catch {
    // A browser that knows fewer conditions asks here first, and is told the same.
  }
}

addEventListener('install', (event) =>
  event.waitUntil(Promise.all([install(), leaveOthersAlone(event)])));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('message', (event) => {
  if (event.data === 'take over') skipWaiting();
});

// Only the app's own files: sign-in and data always go to the server.
addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (!url.pathname.startsWith(scope)) return;
  const file = url.pathname.slice(scope.length) || 'index.html';
  if (Object.hasOwn(FILES, file)) event.respondWith(answer(event.request, file));
});
