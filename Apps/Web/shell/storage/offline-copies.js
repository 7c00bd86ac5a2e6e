// The offline copies: data of the server in sealed pieces, to show it without a network. Each piece
// is bound to the server, the account, the copy and its own key.

import { isAvailable, records } from './database.js';
import { seal, unseal } from './sealing.js';
import {
  OFFLINE_COPIES, PHOTOS, SESSION, addSharedKey, currentSessionKey, requestSession, sessionKey,
} from './session-store.js';

// The names of the records and the contexts are stored. A new version must not change them.
const prefixOf = (copy) => `shelf/${copy}/`;
const rangeOf = (copy) => IDBKeyRange.bound(prefixOf(copy), `${prefixOf(copy)}\uffff`);
const contextOf = (binding, key) => `${location.origin}|${binding}|${key}`;

// Reads the pieces and the session's keys in one transaction, so that they belong together.
function readRange(range) {
  const found = { names: [], pieces: [] };
  return records('readonly', (store) => {
    store.getAllKeys(range).onsuccess = (event) => { found.names = event.target.result; };
    store.getAll(range).onsuccess = (event) => { found.pieces = event.target.result; };
    requestSession(store, found);
  }).then(() => addSharedKey(found));
}

// Pieces that were read while the core was still being compiled. Another tab may change the copy in
// the meantime; a write that builds on the old pieces gets a `conflict`.
const PRELOAD_MILLISECONDS = 1000;
let preloaded = null;

export function preload() {
  preloaded = { at: performance.now(), found: readRange(OFFLINE_COPIES) };
  // If this fails, the first use reads again and reports the error.
  preloaded.found.catch(() => undefined);
}

async function takePreloaded(copy) {
  const taken = preloaded;
  preloaded = null;
  if (!taken || performance.now() - taken.at > PRELOAD_MILLISECONDS) return null;
  const found = await taken.found.catch(() => null);
  return found?.names.every((name) => name.startsWith(prefixOf(copy))) ? found : null;
}

// The result is `value` with all pieces; `absent`; `damaged` if a piece was not sealed here for
// this account; or `unavailable` if storage cannot be read or the app is locked.
export async function read({ copy, binding }) {
  try {
    const found = await takePreloaded(copy) ?? await readRange(rangeOf(copy));
    const { names } = found;
    if (names.length === 0) return { storage: 'absent' };
    const key = found[SESSION] ? sessionKey(found) : null;
    if (!key) return { storage: 'unavailable' };
    const keys = names.map((name) => name.slice(prefixOf(copy).length));
    try {
      const pieces = await Promise.all(found.pieces.map((piece, index) =>
        unseal(piece, key, contextOf(binding, keys[index]))));
      return { storage: 'value', keys, pieces };
    } catch {
      return { storage: 'damaged' };
    }
  } catch {
    return { storage: 'unavailable' };
  }
}

// In one transaction, writes the pieces and deletes all others except `kept`. The result is `done`;
// `full`; `conflict` if a piece of `kept` is missing; `closed` if the session has ended or its lock
// has changed; or `failed`.
export async function write({ copy, binding, pieces, kept }) {
  // Without storage the session is not saved either, and the user has seen a message about that.
  if (!await isAvailable()) return 'closed';
  let outcome = null;
  let fault = null;
  try {
    const session = await currentSessionKey();
    if (!session) return 'closed';
    const sealed = await Promise.all(pieces.map(async ({ key, text }) =>
      ({ key, record: await seal(text, session.key, contextOf(binding, key)) })));
    await records('readwrite', (store) => {
      const later = {};
      requestSession(store, later);
      const request = store.getAllKeys(rangeOf(copy));
      request.onsuccess = () => {
        const stored = new Set(request.result);
        const keptNames = new Set(kept.map((key) => prefixOf(copy) + key));
        if (!session.isCurrent(later)) outcome = 'closed';
        else if ([...keptNames].some((name) => !stored.has(name))) outcome = 'conflict';
        if (outcome) {
          request.transaction.abort();
          return;
        }
        try {
          for (const name of stored) if (!keptNames.has(name)) store.delete(name);
          for (const { key, record } of sealed) store.put(record, prefixOf(copy) + key);
        } catch (error) {
          fault = error;
          request.transaction.abort();
        }
      };
      return request;
    });
    return 'done';
  } catch (error) {
    if (outcome) return outcome;
    return (fault ?? error)?.name === 'QuotaExceededError' ? 'full' : 'failed';
  }
}

export async function erase(copy) {
  // If storage cannot be opened, there is no copy to erase.
  await records('readwrite', (store) => {
    store.delete(PHOTOS);
    return store.delete(rangeOf(copy));
  }).catch(() => undefined);
}
