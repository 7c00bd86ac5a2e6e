// The IndexedDB database of this app. The store `records` has sealed records, and the store `keys`
// has keys that cannot be exported.

import { app } from '../app-name.js';

const DATABASE = `fieldpass-${app}`;
const VERSION = 1;

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('keys');
      request.result.createObjectStore('records');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another version is open'));
  });
}

// Opening is slower than reading, so the page uses one connection.
let opening = null;

// A key does not change after it was made, so each is read once.
const cachedKeys = new Map();

function forgetConnection() {
  opening = null;
  cachedKeys.clear();
}

async function connection() {
  opening ??= open();
  try {
    const database = await opening;
    database.onversionchange = () => { database.close(); forgetConnection(); };
    // The browser closes the connection when the user deletes the data of this site.
    database.onclose = forgetConnection;
    return database;
  } catch (error) {
    opening = null;
    throw error;
  }
}

export const isAvailable = () => connection().then(() => true, () => false);

// Resolves with the result of the request that `act` returns, once the transaction is durable. If
// any request fails, the transaction changes nothing.
async function transact(store, mode, act, durability = 'strict') {
  const database = await connection();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability });
    const request = act(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });
}

export const records = (mode, act, durability) => transact('records', mode, act, durability);

export const storedKey = (name) => transact('keys', 'readonly', (store) => store.get(name));

export const deleteKey = (name) => transact('keys', 'readwrite', (store) => store.delete(name));

// Two tabs can make the same key at the same time. Then both use the one that was stored first.
async function readOrMakeKey(name, make) {
  const stored = await storedKey(name);
  if (stored) return stored;
  const made = await make();
  try {
    await transact('keys', 'readwrite', (store) => store.add(made, name));
    return made;
  } catch {
    return storedKey(name);
  }
}

async function key(name, make) {
  if (!cachedKeys.has(name)) cachedKeys.set(name, readOrMakeKey(name, make));
  try {
    return await cachedKeys.get(name);
  } catch (error) {
    cachedKeys.delete(name);
    throw error;
  }
}

const makeProofKey = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);

let temporaryProofKey = null;

// If storage fails, the page uses a key that is not stored.
export async function proofKey() {
  if (temporaryProofKey) return temporaryProofKey;
  try {
    return await key('proof', makeProofKey);
  } catch {
    temporaryProofKey ??= await makeProofKey();
    return temporaryProofKey;
  }
}
