// What this device keeps, in IndexedDB only, and every word of it sealed. The keys cannot be
// exported; with a lock, the session's key exists only while the device's owner is there.

import { app } from './app-name.js';
import * as lock from './lock.js';

const DATABASE = `fieldpass-${app}`;
const VERSION = 1;
export const SESSION = 'session';
export const LOCK = 'lock';
const SEEN = 'seen';
const PLACE = 'place';
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

// Keys never change once they are made, so each is looked up once.
const known = new Map();

function forget() {
  opening = null;
  known.clear();
}

async function connection() {
  opening ??= open();
  try {
    const database = await opening;
    database.onversionchange = () => { database.close(); forget(); };
    // As when the person has everything of this site erased, the keys included.
    database.onclose = forget;
    return database;
  } catch (error) {
    opening = null;
    throw error;
  }
}

// Whether anything can be kept at all.
export const isOpen = () => connection().then(() => true, () => false);

// What `act` answers, once all of it is durable; nothing of it happens when any of it fails.
export async function transact(store, mode, act, durability = 'strict') {
  const database = await connection();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability });
    const request = act(transaction.objectStore(store), transaction);
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });
}

const records = (mode, act, durability) => transact('records', mode, act, durability);

// Two pages may make the same key at once: the first one stored is the one both use.
async function lookUp(name, make) {
  const stored = await transact('keys', 'readonly', (store) => store.get(name));
  if (stored) return stored;
  const made = await make();
  try {
    await transact('keys', 'readwrite', (store) => store.add(made, name));
    return made;
  } catch {
    return transact('keys', 'readonly', (store) => store.get(name));
  }
}

async function key(name, make) {
  if (!known.has(name)) known.set(name, lookUp(name, make));
  try {
    return await known.get(name);
  } catch (error) {
    known.delete(name);
    throw error;
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

async function seal(text, key, purpose) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, purpose), key, utf8.encode(text));
  return { iv, sealed };
}

async function unseal(record, key, purpose) {
  const bytes = await crypto.subtle.decrypt(
    parameters(record.iv, purpose), key, record.sealed);
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

// What is kept for a session beside it: sealed as it is, and gone when it goes.
export const SHELVES = IDBKeyRange.bound('shelf/', 'shelf/\uffff');

// Null when there is a lock and it is closed.
export async function sessionKey(locked) {
  if (!locked) return sealingKey();
  return freed && same(freed.id, locked.id) ? freed.key : null;
}

// The key that seals what is kept beside the session; `isStill` tells inside a later transaction
// whether that session, and its lock, are still there. Null when there is no such key.
export async function keyOfSession() {
  const found = await readAll();
  const key = found[SESSION] ? await sessionKey(found[LOCK]) : null;
  if (!key) return null;
  const isStill = (session, locked) => session !== undefined
    && (locked ? same(locked.id, found[LOCK]?.id ?? new ArrayBuffer()) : !found[LOCK]);
  return { key, isStill };
}

async function readAll() {
  const found = {};
  await records('readonly', (store) => look(store, [SESSION, LOCK, SEEN], found));
  return found;
}

function look(store, names, found) {
  for (const name of names) {
    store.get(name).onsuccess = (event) => { found[name] = event.target.result; };
  }
}

// What a start needs, looked up while the core is still being compiled.
let early = null;

export function readEarly() {
  early = readAll();
  // What fails now is asked again when it is needed.
  for (const part of [early, sealingKey(), proofKey()]) part.catch(() => undefined);
}

function takeEarly() {
  const found = early;
  early = null;
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
  const key = await sessionKey(found[LOCK]);
  if (!key) return { storage: 'locked', card: await readCard(found[LOCK]) };
  return { storage: 'value', value: await unseal(found[SESSION], key, SESSION) };
}

// Value, absent, locked, or cannot tell: a store that fails has not said that nobody is signed in.
export async function readSession() {
  try {
    const found = await (takeEarly() ?? readAll());
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
export const saveSession = putInPlace;

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
export const leaveTombstone = putInPlace;

// Answers what it took the place of.
async function putInPlace(text) {
  const record = await seal(text, await sealingKey(), SESSION);
  const found = {};
  await records('readwrite', (store) => {
    look(store, [SESSION, LOCK], found);
    store.clear();
    store.put(record, SESSION);
  });
  const replaced = await readingOf(found).catch(() => ({ storage: 'cannot_tell' }));
  forgetKey();
  return replaced;
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
    // A machine that loses its power may lose a few seconds of this.
  }, 'relaxed');
}

// MARK: Where the person is

const placeOf = (session) => `place of ${session}`;

// Sealed as the session is, and for it alone: in another one it cannot be opened.
export async function keepPlace(session, text) {
  const { [LOCK]: locked } = await readAll();
  const record = await seal(text, await sessionKey(locked), placeOf(session));
  await records('readwrite', (store) => {
    store.getKey(SESSION).onsuccess = (event) => {
      if (event.target.result !== undefined) store.put(record, PLACE);
    };
  });
}

export async function readPlace(session) {
  try {
    const { [LOCK]: locked } = await readAll();
    const record = await records('readonly', (store) => store.get(PLACE));
    if (!record) return {};
    return { value: await unseal(record, await sessionKey(locked), placeOf(session)) };
  } catch {
    return {};
  }
}

export async function forgetPlace() {
  await records('readwrite', (store) => store.delete(PLACE));
}

// MARK: The lock

export async function keepCard(text) {
  const card = await seal(text, await sealingKey(), 'card');
  await records('readwrite', (store) => {
    store.get(LOCK).onsuccess = (event) => {
      if (event.target.result) store.put({ ...event.target.result, card }, LOCK);
    };
  });
}

// Where the person is, sealed anew under another key; nothing when it cannot be opened any more.
async function resealPlace(text, from, to) {
  const record = await records('readonly', (store) => store.get(PLACE));
  if (!record) return null;
  const purpose = placeOf(JSON.parse(text).session.id);
  try {
    return { was: record.iv, record: await seal(await unseal(record, from, purpose), to, purpose) };
  } catch {
    return null;
  }
}

// A place that was kept in the meantime, by another tab, was sealed under the earlier key.
function putPlace(store, place) {
  store.get(PLACE).onsuccess = (event) => {
    const isSame = place && event.target.result && same(event.target.result.iv, place.was);
    if (isSame) store.put(place.record, PLACE);
    else store.delete(PLACE);
  };
}

// From here on the session is sealed under a key that only the lock can free. Whoever signed out, or
// changed organization, in another tab while the prompt was open has not done so in vain.
export async function setLock(text, card) {
  const made = await lock.make(app);
  const found = await readAll();
  if ((await readingOf(found)).value !== text) throw new lock.LockFailure('busy');
  const sealed = await seal(text, made.key, SESSION);
  const shown = await seal(card, await sealingKey(), 'card');
  const place = await resealPlace(text, await sealingKey(), made.key);
  let isSame = false;
  await records('readwrite', (store) => {
    store.get(SESSION).onsuccess = (event) => {
      isSame = event.target.result !== undefined && same(event.target.result.iv, found[SESSION].iv);
      if (!isSame) return;
      store.put({ id: made.id, salt: made.salt, wrapped: made.wrapped, card: shown }, LOCK);
      // What was read is sealed under the other key, and is read anew.
      putPlace(store, place);
      store.delete(SHELVES);
      store.put(sealed, SESSION);
    };
  });
  if (!isSame) throw new lock.LockFailure('busy');
  freed = { id: made.id, key: made.key };
}

// Answers what storage holds when that is not `text`; then nothing was changed. Another tab may have
// signed out or changed organization in the meantime, and that must remain.
export async function removeLock(text) {
  const found = await readAll();
  const reading = await readingOf(found);
  if (reading.value !== text) return reading;
  const record = await seal(text, await sealingKey(), SESSION);
  const place = freed && await resealPlace(text, freed.key, await sealingKey());
  let isSame = false;
  await records('readwrite', (store) => {
    store.get(SESSION).onsuccess = (event) => {
      isSame = event.target.result !== undefined && same(event.target.result.iv, found[SESSION].iv);
      if (!isSame) return;
      store.delete(LOCK);
      putPlace(store, place);
      store.delete(SHELVES);
      store.put(record, SESSION);
    };
  });
  if (!isSame) return readSession();
  forgetKey();
  return null;
}

export async function unlock() {
  const found = await readAll();
  if (found[LOCK]) freed = { id: found[LOCK].id, key: await lock.open(found[LOCK]) };
  return readSession();
}
