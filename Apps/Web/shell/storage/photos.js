// The photos of products: sealed beside the offline copy, each under its digest. They end with the
// session, like the copy. The core decides which photos are fetched and stored.

import { records } from './database.js';
import { seal, unseal } from './sealing.js';
import { PHOTOS, SESSION, addSharedKey, currentSessionKey, requestSession, sessionKey }
  from './session-store.js';

// The names of the records and the contexts are stored. A new version must not change them.
const PREFIX = 'photo/';
const contextOf = (digest) => `${location.origin}|photo|${digest}`;

// The largest photo that the server sends.
const BYTE_LIMIT = 200_000;

// The most bytes of photos that are only in memory, because the device does not store them.
const MEMORY_BYTE_LIMIT = 4_000_000;

// The photos that are only in memory, by digest. The oldest is first.
const inMemory = new Map();

// A photo that was requested before they were forgotten must not come back.
let generation = 0;

// Tells the elements that show this photo.
function announceArrival(digest) {
  for (const node of document.querySelectorAll(`[data-photo="${digest}"]`)) {
    node.dispatchEvent(new Event('photoarrived'));
  }
}

export function forgetPhotos() {
  inMemory.clear();
  generation += 1;
}

function remember(digest, bytes) {
  inMemory.set(digest, bytes);
  let total = 0;
  for (const photo of inMemory.values()) total += photo.length;
  for (const [oldest, photo] of inMemory) {
    if (total <= MEMORY_BYTE_LIMIT) return;
    inMemory.delete(oldest);
    total -= photo.length;
  }
}

async function digestOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function readStored(digest) {
  const found = {};
  await records('readonly', (store) => {
    store.get(PREFIX + digest).onsuccess = (event) => { found.photo = event.target.result; };
    requestSession(store, found);
  });
  if (!found.photo || !found[SESSION]) return null;
  const key = sessionKey(await addSharedKey(found));
  return key && unseal(found.photo, key, contextOf(digest));
}

// Without a media type, a browser shows only what is a picture by its first bytes, and no SVG.
const blobOf = (bytes) => new Blob([bytes]);

// The photo as a blob, or null if there is none, if it was not sealed here, or if the app is locked.
export async function readPhoto(digest) {
  if (inMemory.has(digest)) return blobOf(inMemory.get(digest));
  try {
    const bytes = await readStored(digest);
    return bytes && blobOf(bytes);
  } catch {
    return null;
  }
}

// Whether the photo is stored now. It is not if another session has begun since `session` was read.
async function store(digest, bytes, session) {
  if (!session) return false;
  const sealed = await seal(bytes, session.key, contextOf(digest));
  let isStored = false;
  await records('readwrite', (store) => {
    const later = {};
    requestSession(store, later);
    // The requests of a transaction complete in order, so `later` is complete here.
    const request = store.getKey(SESSION);
    request.onsuccess = () => {
      isStored = session.isCurrent(later);
      if (isStored) store.put(sealed, PREFIX + digest);
    };
    return request;
  }, 'relaxed');
  return isStored;
}

// What a photo that is fetched now belongs to.
export const photoOwner = async () =>
  ({ generation, session: await currentSessionKey().catch(() => null) });

// Takes the body of an answer. If storage is full, the photo is shown and not stored.
export async function takePhoto(response, digest, isStored, owner) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > BYTE_LIMIT || (await digestOf(bytes)) !== digest) return;
  const isOnDisk = isStored && await store(digest, bytes, owner.session).catch(() => false);
  if (owner.generation !== generation) return;
  if (!isOnDisk) remember(digest, bytes);
  announceArrival(digest);
}

// Whether the photo is on the device, so that it need not be fetched. Another tab may have fetched
// it, so the elements that show it are told.
export async function hasPhoto(digest, isStored) {
  try {
    const bytes = inMemory.get(digest);
    if (bytes && isStored && await store(digest, bytes, await currentSessionKey())) {
      inMemory.delete(digest);
    }
    if (!bytes && (await readStored(digest)) === null) return false;
    announceArrival(digest);
    return true;
  } catch {
    return inMemory.has(digest);
  }
}

// Deletes the stored photos except these.
export async function keepPhotos(digests) {
  const kept = new Set(digests.map((digest) => PREFIX + digest));
  // If storage cannot be opened, there is no photo to delete.
  await records('readwrite', (store) => {
    const request = store.getAllKeys(PHOTOS);
    request.onsuccess = () => {
      for (const name of request.result) if (!kept.has(name)) store.delete(name);
    };
    return request;
  }).catch(() => undefined);
}
