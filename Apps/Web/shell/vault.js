// What this device keeps, in IndexedDB only, and every word of it sealed. The keys cannot be
// exported. Each session has a sealing key of its own, which is erased with it; with a lock, the
// session's key exists only while the device's owner is there.

import { app } from './app-name.js';
import * as lock from './lock.js';

const DATABASE = `fieldpass-${app}`;
const VERSION = 1;
export const SESSION = 'session';
export const LOCK = 'lock';
const SEEN = 'seen';
const PLACE = 'place';
const SEALING = 'sealing';
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
async function transact(store, mode, act, durability = 'strict') {
  const database = await connection();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability });
    const request = act(transaction.objectStore(store), transaction);
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });
}

export const records = (mode, act, durability) => transact('records', mode, act, durability);

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

// A key for one session, and a name by which a later transaction knows it again.
async function makeSealing() {
  const key = await crypto.subtle.generateKey(
    { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  return { id: crypto.randomUUID(), key };
}

// Looks up the session and what opens it, within a transaction; `withKey` makes it whole after it.
export function look(store, found, names = [SESSION, LOCK, SEALING]) {
  for (const name of names) {
    store.get(name).onsuccess = (event) => { found[name] = event.target.result; };
  }
}

// Sessions from before each had a key of its own share one, until they end.
export async function withKey(found) {
  if (found[SESSION] && !found[SEALING]) {
    found[SEALING] = { key: await transact('keys', 'readonly', (store) => store.get(SEALING)) };
  }
  return found;
}

// Null when there is a lock and it is closed.
export function sessionKey(found) {
  const locked = found[LOCK];
  if (!locked) return found[SEALING].key;
  return freed && same(freed.id, locked.id) ? freed.key : null;
}

const keyNames = (found) => [found[SEALING]?.id, found[LOCK] && String(new Uint8Array(found[LOCK].id))];

// Whether what was found later is a session under the same keys.
const isUnderSameKeys = (found, later) => later[SESSION] !== undefined
  && keyNames(found).every((name, index) => name === keyNames(later)[index]);

// The key that seals what is kept beside the session; `isStill` tells of what a later transaction
// found whether that session, and its lock, are still there. Null when there is no such key.
export async function keyOfSession() {
  const found = await readAll();
  const key = found[SESSION] ? sessionKey(found) : null;
  return key && { key, isStill: (later) => isUnderSameKeys(found, later) };
}

async function readAll() {
  const found = {};
  await records('readonly', (store) => look(store, found, [SESSION, LOCK, SEALING, SEEN]));
  return withKey(found);
}

// Writes beside the session, if it and its keys are still those that were found.
function putBeside(found, record, name, durability) {
  const later = {};
  return records('readwrite', (store) => {
    look(store, later);
    // Requests of one transaction are answered in order: all of `later` is known by now.
    store.getKey(name).onsuccess = () => {
      if (isUnderSameKeys(found, later)) store.put(record, name);
    };
  }, durability);
}

// Runs `act` if the session is, byte for byte, still the one that was found.
async function whileSame(found, act) {
  let isSame = false;
  await records('readwrite', (store) => {
    store.get(SESSION).onsuccess = (event) => {
      isSame = event.target.result !== undefined && same(event.target.result.iv, found[SESSION].iv);
      if (isSame) act(store);
    };
  });
  return isSame;
}

// What a start needs, looked up while the core is still being compiled.
let early = null;

export function readEarly() {
  early = readAll();
  // What fails now is asked again when it is needed.
  for (const part of [early, proofKey()]) part.catch(() => undefined);
}

function takeEarly() {
  const found = early;
  early = null;
  return found;
}

async function readCard(found) {
  try {
    return await unseal(found[LOCK].card, found[SEALING].key, 'card');
  } catch {
    return '';
  }
}

async function readSeen(found) {
  try {
    return { seen: await unseal(found[SEEN], found[SEALING].key, SEEN) };
  } catch {
    return {};
  }
}

// What was found and does not open is damaged: the same bytes and keys are found every time.
async function readingOf(found) {
  if (!found[SESSION]) return { storage: 'absent' };
  try {
    const key = sessionKey(found);
    if (!key) return { storage: 'locked', card: await readCard(found) };
    return { storage: 'value', value: await unseal(found[SESSION], key, SESSION) };
  } catch {
    return { storage: 'damaged' };
  }
}

// Cannot tell: a store that fails has not said that the person is signed out.
export async function readSession() {
  let found;
  try {
    found = await (takeEarly() ?? readAll());
  } catch {
    return { storage: 'cannot_tell' };
  }
  const [reading, seen] = await Promise.all([
    readingOf(found), found[SEEN] ? readSeen(found) : {},
  ]);
  return { ...reading, ...seen };
}

// MARK: Changing it

// A session that begins has no lock yet: whoever signed in may set one.
export const saveSession = putInPlace;

// What is stored may be no session: then it has no name.
function sessionName(text) {
  try {
    return JSON.parse(text).session?.id;
  } catch {
    return undefined;
  }
}

// Answers what storage holds when that is not `old`; then nothing was changed.
export async function replaceSession(old, text) {
  const found = await readAll();
  const reading = await readingOf(found);
  if (reading.value !== old) return reading;
  // Another session gets another key. Behind a lock it is the lock's, which only a prompt changes.
  const next = sessionName(text);
  const isOther = !found[LOCK] && next !== undefined && next !== sessionName(old);
  const sealing = isOther ? await makeSealing() : null;
  const record = await seal(text, sealing?.key ?? sessionKey(found), SESSION);
  const isSame = await whileSame(found, (store) => {
    if (sealing) {
      // What was kept for the other session cannot be opened any more.
      store.clear();
      store.put(sealing, SEALING);
    }
    store.put(record, SESSION);
  });
  return isSame ? null : readSession();
}

// The session, the lock and the rest go together, and the tombstone is there at once (S-04).
export const leaveTombstone = putInPlace;

// Answers what it took the place of.
async function putInPlace(text) {
  const sealing = await makeSealing();
  const record = await seal(text, sealing.key, SESSION);
  const found = {};
  await records('readwrite', (store) => {
    look(store, found);
    store.clear();
    store.put(sealing, SEALING);
    store.put(record, SESSION);
  });
  const replaced = await withKey(found).then(readingOf).catch(() => ({ storage: 'cannot_tell' }));
  forgetKeys();
  return replaced;
}

// The key of what is gone goes too, also the one that earlier sessions shared.
function forgetKeys() {
  forgetKey();
  transact('keys', 'readwrite', (store) => store.delete(SEALING)).catch(() => undefined);
}

export async function eraseSession() {
  await records('readwrite', (store) => store.clear());
  forgetKeys();
}

export async function eraseIfStill(text) {
  const found = await readAll();
  const reading = await readingOf(found);
  if (reading.value === text) await whileSame(found, (store) => store.clear());
}

export async function keepSeen(text) {
  const found = await readAll();
  if (!found[SESSION]) return;
  const record = await seal(text, found[SEALING].key, SEEN);
  // A machine that loses its power may lose a few seconds of this.
  await putBeside(found, record, SEEN, 'relaxed');
}

// MARK: Where the person is

const placeOf = (session) => `place of ${session}`;

// Sealed as the session is, and for it alone: in another one it cannot be opened.
export async function keepPlace(session, text) {
  const found = await readAll();
  if (!found[SESSION]) return;
  const record = await seal(text, sessionKey(found), placeOf(session));
  await putBeside(found, record, PLACE);
}

export async function readPlace(session) {
  try {
    const found = await readAll();
    const record = await records('readonly', (store) => store.get(PLACE));
    if (!record) return {};
    return { value: await unseal(record, sessionKey(found), placeOf(session)) };
  } catch {
    return {};
  }
}

export async function forgetPlace() {
  await records('readwrite', (store) => store.delete(PLACE));
}

// MARK: The lock

export async function keepCard(text) {
  const found = await readAll();
  if (!found[LOCK]) return;
  const card = await seal(text, found[SEALING].key, 'card');
  await records('readwrite', (store) => {
    store.get(LOCK).onsuccess = (event) => {
      const locked = event.target.result;
      if (locked && same(locked.id, found[LOCK].id)) store.put({ ...locked, card }, LOCK);
    };
  });
}

// Where the person is, sealed again under another key; nothing when it cannot be opened any more.
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
  // What was read before is on the disk under the earlier key, which goes.
  const sealing = await makeSealing();
  const sealed = await seal(text, made.key, SESSION);
  const shown = await seal(card, sealing.key, 'card');
  const { seen } = found[SEEN] ? await readSeen(found) : {};
  const sealedSeen = seen && await seal(seen, sealing.key, SEEN);
  const place = await resealPlace(text, found[SEALING].key, made.key);
  const isSame = await whileSame(found, (store) => {
    store.put(sealing, SEALING);
    if (sealedSeen) store.put(sealedSeen, SEEN);
    store.put({ id: made.id, salt: made.salt, wrapped: made.wrapped, card: shown }, LOCK);
    // What was read is sealed under the other key, and is read again.
    putPlace(store, place);
    store.delete(SHELVES);
    store.put(sealed, SESSION);
  });
  if (!isSame) throw new lock.LockFailure('busy');
  forgetKeys();
  freed = { id: made.id, key: made.key };
}

// Answers what storage holds when that is not `text`; then nothing was changed. Another tab may have
// signed out or changed organization in the meantime, and that must remain.
export async function removeLock(text) {
  const found = await readAll();
  const reading = await readingOf(found);
  if (reading.value !== text) return reading;
  const { key } = found[SEALING];
  const record = await seal(text, key, SESSION);
  const place = freed && await resealPlace(text, freed.key, key);
  const isSame = await whileSame(found, (store) => {
    store.delete(LOCK);
    putPlace(store, place);
    store.delete(SHELVES);
    store.put(record, SESSION);
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
