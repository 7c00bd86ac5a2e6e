// What this device keeps, in IndexedDB only, and every word of it sealed. The keys cannot be
// exported; with a lock, the session's key exists only while the device's owner is there.

import { app } from './app-name.js';
import * as lock from './lock.js';

const DATABASE = `fieldpass-${app}`;
const VERSION = 1;
const SESSION = 'session';
const LOCK = 'lock';
const SEEN = 'seen';
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

// Opening costs more than reading, so one connection serves the page.
let opening = null;

async function connection() {
  opening ??= open();
  try {
    const database = await opening;
    database.onversionchange = () => { database.close(); opening = null; };
    database.onclose = () => { opening = null; };
    return database;
  } catch (error) {
    opening = null;
    throw error;
  }
}

// What `act` answers, once all of it is durable; nothing of it happens when any of it fails.
export async function transact(store, mode, act) {
  const database = await connection();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability: 'strict' });
    const request = act(transaction.objectStore(store), transaction);
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });
}

const records = (mode, act) => transact('records', mode, act);

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

// MARK: Sealing

// What is sealed for one purpose cannot be passed off as another.
const parameters = (iv, purpose) =>
  ({ name: 'AES-GCM', iv, additionalData: utf8.encode(purpose) });

async function seal(text, sealing, purpose) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, purpose), sealing, utf8.encode(text));
  return { iv, sealed };
}

async function unseal(record, sealing, purpose) {
  const bytes = await crypto.subtle.decrypt(
    parameters(record.iv, purpose), sealing, record.sealed);
  return new TextDecoder().decode(bytes);
}

// MARK: The session's key

// The key of a lock that was opened, and which lock that was.
let freed = null;

export function forgetKey() {
  freed = null;
}

const same = (a, b) => {
  const [x, y] = [new Uint8Array(a), new Uint8Array(b)];
  return x.length === y.length && x.every((byte, index) => byte === y[index]);
};

// Null when there is a lock and it is closed.
async function sessionKey(locked) {
  if (!locked) return sealingKey();
  return freed && same(freed.id, locked.id) ? freed.key : null;
}

async function readAll() {
  const found = {};
  await records('readonly', (store) => {
    for (const name of [SESSION, LOCK, SEEN]) {
      store.get(name).onsuccess = (event) => { found[name] = event.target.result; };
    }
  });
  return found;
}

async function readCard(locked) {
  try {
    return await unseal(locked.card, await sealingKey(), 'card');
  } catch {
    return '';
  }
}

async function readSeen(found) {
  try {
    return { seen: await unseal(found[SEEN], await sealingKey(), SEEN) };
  } catch {
    return {};
  }
}

async function readingOf(found) {
  if (!found[SESSION]) return { storage: 'absent' };
  const sealing = await sessionKey(found[LOCK]);
  if (!sealing) return { storage: 'locked', card: await readCard(found[LOCK]) };
  return { storage: 'value', value: await unseal(found[SESSION], sealing, SESSION) };
}

// Value, absent, locked, or cannot tell: a store that fails has not said that nobody is signed in.
export async function readSession() {
  try {
    const found = await readAll();
    const [reading, seen] = await Promise.all([
      readingOf(found), found[SEEN] ? readSeen(found) : {},
    ]);
    return { ...reading, ...seen };
  } catch {
    return { storage: 'cannot_tell' };
  }
}

// MARK: Changing it

// A session that begins has no lock yet: whoever signed in may set one.
export async function saveSession(text) {
  const record = await seal(text, await sealingKey(), SESSION);
  await records('readwrite', (store) => {
    store.clear();
    store.put(record, SESSION);
  });
  forgetKey();
}

// Answers what storage holds when that is not `old`; then nothing was changed.
export async function replaceSession(old, text) {
  const found = await readAll();
  const reading = await readingOf(found);
  if (reading.value !== old) return reading;
  const record = await seal(text, await sessionKey(found[LOCK]), SESSION);
  let isSame = false;
  await records('readwrite', (store) => {
    store.get(SESSION).onsuccess = (event) => {
      isSame = event.target.result !== undefined && same(event.target.result.iv, found[SESSION].iv);
      if (isSame) store.put(record, SESSION);
    };
  });
  return isSame ? null : readSession();
}

// The session, the lock and the rest go together, and the tombstone is there at once (S-04).
export async function leaveTombstone(text) {
  const record = await seal(text, await sealingKey(), SESSION);
  await records('readwrite', (store) => {
    store.clear();
    store.put(record, SESSION);
  });
  forgetKey();
}

export async function eraseSession() {
  await records('readwrite', (store) => store.clear());
  forgetKey();
}

export async function eraseIfStill(text) {
  const found = await readAll();
  const reading = await readingOf(found);
  if (reading.value !== text) return;
  await records('readwrite', (store) => {
    store.get(SESSION).onsuccess = (event) => {
      if (event.target.result && same(event.target.result.iv, found[SESSION].iv)) store.clear();
    };
  });
}

export async function keepSeen(text) {
  const record = await seal(text, await sealingKey(), SEEN);
  await records('readwrite', (store) => {
    // What belongs to a session goes with it, also when it is written late.
    store.getKey(SESSION).onsuccess = (event) => {
      if (event.target.result !== undefined) store.put(record, SEEN);
    };
  });
}

// MARK: The lock

// From here on the session is sealed under a key that only the lock can free.
export async function setLock(text, card) {
  const made = await lock.make(app);
  const sealed = await seal(text, made.key, SESSION);
  const shown = await seal(card, await sealingKey(), 'card');
  await records('readwrite', (store) => {
    store.put({ id: made.id, salt: made.salt, wrapped: made.wrapped, card: shown }, LOCK);
    store.put(sealed, SESSION);
  });
  freed = { id: made.id, key: made.key };
}

export async function removeLock(text) {
  const record = await seal(text, await sealingKey(), SESSION);
  await records('readwrite', (store) => {
    store.delete(LOCK);
    store.put(record, SESSION);
  });
  forgetKey();
}

export async function unlock() {
  const found = await readAll();
  if (found[LOCK]) freed = { id: found[LOCK].id, key: await lock.open(found[LOCK]) };
  return readSession();
}
