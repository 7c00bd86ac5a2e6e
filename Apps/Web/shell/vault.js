// What this device keeps, in IndexedDB only: two keys that cannot be exported, and the session
// sealed under one of them. Nothing is ever written in the clear.

import { app } from './app-name.js';

const DATABASE = `fieldpass-${app}`;
const VERSION = 1;
const SESSION = 'session';
const utf8 = new TextEncoder();

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

export async function transact(store, mode, act) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode, { durability: 'strict' });
      const request = act(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

// Two pages may make the same key at once: the first one stored is the one both use.
async function key(name, make) {
  const known = await transact('keys', 'readonly', (store) => store.get(name));
  if (known) return known;
  const made = await make();
  try {
    await transact('keys', 'readwrite', (store) => store.add(made, name));
    return made;
  } catch {
    return transact('keys', 'readonly', (store) => store.get(name));
  }
}

export const sealingKey = () => key('sealing', () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']));

const makeProofKey = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);

let fleetingProofKey = null;

// Where nothing can be kept, the key lives as long as the page.
export async function proofKey() {
  if (fleetingProofKey) return fleetingProofKey;
  try {
    return await key('proof', makeProofKey);
  } catch {
    fleetingProofKey ??= await makeProofKey();
    return fleetingProofKey;
  }
}

const parameters = (iv) => ({ name: 'AES-GCM', iv, additionalData: utf8.encode(SESSION) });

export async function saveSession(text) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(parameters(iv), await sealingKey(), utf8.encode(text));
  await transact('records', 'readwrite', (store) => store.put({ iv, sealed }, SESSION));
}

// Value, absent, or cannot tell: a store that fails has not said that nobody is signed in.
export async function readSession() {
  try {
    const record = await transact('records', 'readonly', (store) => store.get(SESSION));
    if (!record) return { storage: 'absent' };
    const text = await crypto.subtle.decrypt(
      parameters(record.iv), await sealingKey(), record.sealed);
    return { storage: 'value', value: new TextDecoder().decode(text) };
  } catch {
    return { storage: 'cannot_tell' };
  }
}

export async function eraseSession() {
  await transact('records', 'readwrite', (store) => store.delete(SESSION));
}
