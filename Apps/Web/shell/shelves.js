// What was read from the server, kept for when it cannot be reached: pieces sealed under the key
// that cannot be exported, each bound to the server, the account, the shelf and its own name.

import { sealingKey, transact } from './vault.js';

const utf8 = new TextEncoder();
const prefixOf = (shelf) => `shelf/${shelf}/`;
const rangeOf = (shelf) => IDBKeyRange.bound(prefixOf(shelf), `${prefixOf(shelf)}\uffff`);

const parameters = (iv, binding, key) => ({
  name: 'AES-GCM', iv, additionalData: utf8.encode(`${location.origin}|${binding}|${key}`),
});

// Every piece, or that there is none, or that one is not what this account sealed here, or that
// storage cannot be read.
export async function read({ shelf, binding }) {
  const names = [];
  const records = [];
  try {
    await transact('records', 'readonly', (store) => {
      const walk = store.getAllKeys(rangeOf(shelf));
      walk.onsuccess = () => names.push(...walk.result);
      const all = store.getAll(rangeOf(shelf));
      all.onsuccess = () => records.push(...all.result);
      return all;
    });
    if (names.length === 0) return { storage: 'absent' };
    const key = await sealingKey();
    const keys = names.map((name) => name.slice(prefixOf(shelf).length));
    try {
      const pieces = await Promise.all(records.map(async ({ iv, sealed }, index) =>
        new Uint8Array(await crypto.subtle.decrypt(
          parameters(iv, binding, keys[index]), key, sealed))));
      return { storage: 'value', keys, pieces };
    } catch {
      return { storage: 'damaged' };
    }
  } catch {
    return { storage: 'cannot_tell' };
  }
}

async function seal({ key, text }, binding) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, binding, key), await sealingKey(), utf8.encode(text));
  return { key, record: { iv, sealed } };
}

// All of it or nothing: the new pieces, and the end of those that are not kept.
export async function write({ shelf, binding, pieces, kept }) {
  let hasGap = false;
  let fault = null;
  try {
    const sealed = await Promise.all(pieces.map((piece) => seal(piece, binding)));
    await transact('records', 'readwrite', (store) => {
      const walk = store.getAllKeys(rangeOf(shelf));
      walk.onsuccess = () => {
        const known = new Set(walk.result);
        const wanted = new Set(kept.map((key) => prefixOf(shelf) + key));
        hasGap = [...wanted].some((name) => !known.has(name));
        if (hasGap) {
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
    if (hasGap) return 'conflict';
    return (fault ?? error)?.name === 'QuotaExceededError' ? 'full' : 'refused';
  }
}

export async function erase(shelf) {
  // A store that cannot be opened holds nothing that could be kept from it.
  await transact('records', 'readwrite', (store) => store.delete(rangeOf(shelf)))
    .catch(() => undefined);
}
