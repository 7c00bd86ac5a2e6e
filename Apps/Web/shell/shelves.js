// What was read from the server, kept for when it cannot be reached: pieces sealed under the
// session's key, which a lock frees where there is one, and each bound to the server, the account,
// the shelf and its own name.

import {
  SESSION, SHELVES, isOpen, keyOfSession, look, records, sessionKey, withKey,
} from './vault.js';

const utf8 = new TextEncoder();
const prefixOf = (shelf) => `shelf/${shelf}/`;
const rangeOf = (shelf) => IDBKeyRange.bound(prefixOf(shelf), `${prefixOf(shelf)}\uffff`);

const parameters = (iv, binding, key) => ({
  name: 'AES-GCM', iv, additionalData: utf8.encode(`${location.origin}|${binding}|${key}`),
});

// What is there, and the key that opens it, as they were at one moment.
function readRange(range) {
  const found = { names: [], pieces: [] };
  return records('readonly', (store) => {
    store.getAllKeys(range).onsuccess = (event) => { found.names = event.target.result; };
    store.getAll(range).onsuccess = (event) => { found.pieces = event.target.result; };
    look(store, found);
  }).then(() => withKey(found));
}

// What a start needs, looked up while the core is still being compiled: this app has one shelf.
// Another window may change it meanwhile; whoever then writes over an older one is told.
const FRESH_MILLISECONDS = 1000;
let early = null;

export function readEarly() {
  early = { at: performance.now(), found: readRange(SHELVES) };
  // What fails now is asked again when it is needed.
  early.found.catch(() => undefined);
}

async function takeEarly(shelf) {
  const taken = early;
  early = null;
  if (!taken || performance.now() - taken.at > FRESH_MILLISECONDS) return null;
  const found = await taken.found.catch(() => null);
  return found?.names.every((name) => name.startsWith(prefixOf(shelf))) ? found : null;
}

// Every piece, or that there is none, or that one is not what this account sealed here, or that
// storage cannot be read.
export async function read({ shelf, binding }) {
  try {
    const found = await takeEarly(shelf) ?? await readRange(rangeOf(shelf));
    const { names } = found;
    if (names.length === 0) return { storage: 'absent' };
    const sealing = found[SESSION] ? sessionKey(found) : null;
    if (!sealing) return { storage: 'cannot_tell' };
    const keys = names.map((name) => name.slice(prefixOf(shelf).length));
    try {
      const pieces = await Promise.all(found.pieces.map(async ({ iv, sealed }, index) =>
        new Uint8Array(await crypto.subtle.decrypt(
          parameters(iv, binding, keys[index]), sealing, sealed))));
      return { storage: 'value', keys, pieces };
    } catch {
      return { storage: 'damaged' };
    }
  } catch {
    return { storage: 'cannot_tell' };
  }
}

async function seal({ key, text }, binding, sealing) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, binding, key), sealing, utf8.encode(text));
  return { key, record: { iv, sealed } };
}

// All of it or nothing: the new pieces, and the end of those that are not kept. Nothing is written
// for a session that has ended meanwhile, or under a lock that was set meanwhile.
export async function write({ shelf, binding, pieces, kept }) {
  // Where not even the session can be kept, the person has heard of it.
  if (!await isOpen()) return 'closed';
  let outcome = 'refused';
  let fault = null;
  try {
    const sealing = await keyOfSession();
    if (!sealing) return 'closed';
    const sealed = await Promise.all(pieces.map((piece) => seal(piece, binding, sealing.key)));
    await records('readwrite', (store) => {
      const later = {};
      look(store, later);
      const walk = store.getAllKeys(rangeOf(shelf));
      walk.onsuccess = () => {
        const known = new Set(walk.result);
        const wanted = new Set(kept.map((key) => prefixOf(shelf) + key));
        if (!sealing.isStill(later)) outcome = 'closed';
        else if ([...wanted].some((name) => !known.has(name))) outcome = 'conflict';
        if (outcome !== 'refused') {
          walk.transaction.abort();
          return;
        }
        try {
          for (const name of known) if (!wanted.has(name)) store.delete(name);
          for (const { key, record } of sealed) store.put(record, prefixOf(shelf) + key);
        } catch (error) {
          fault = error;
          walk.transaction.abort();
        }
      };
      return walk;
    });
    return 'done';
  } catch (error) {
    if (outcome !== 'refused') return outcome;
    return (fault ?? error)?.name === 'QuotaExceededError' ? 'full' : 'refused';
  }
}

export async function erase(shelf) {
  // A store that cannot be opened holds nothing that could be kept from it.
  await records('readwrite', (store) => store.delete(rangeOf(shelf)))
    .catch(() => undefined);
}
