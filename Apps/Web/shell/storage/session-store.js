// The session and what belongs to it: sealed records in IndexedDB. Each session has a sealing key
// of its own, which is erased with the session. With an app lock, the session is sealed under the
// key of the lock instead. The page has that key only after the user has unlocked the app.

import { app } from '../app-name.js';
import * as appLock from './app-lock.js';
import { deleteKey, proofKey, records, storedKey } from './database.js';
import { generateSealingKey, seal, unsealText } from './sealing.js';

// The names of records, and the contexts of what is sealed in them, are stored. A new version must
// not change them.
export const SESSION = 'session';
export const LOCK = 'lock';
const SEALING_KEY = 'sealing';
const LAST_SEEN = 'seen';
const SCREEN_STATE = 'place';
const PENDING_SIGN_IN = 'pending-sign-in';
const USERNAME = 'username';
const LOCKOUTS = 'lockouts';
const SUMMARY_CONTEXT = 'card';
const screenStateContext = (session) => `place of ${session}`;

// The records of all offline copies.
export const OFFLINE_COPIES = IDBKeyRange.bound('shelf/', 'shelf/\uffff');

// The records of all photos, which are sealed under the same key as the offline copies.
export const PHOTOS = IDBKeyRange.bound('photo/', 'photo/\uffff');

// The key of the lock after it was unlocked, and the ID of that lock.
let unlockedKey = null;

export function forgetKey() {
  unlockedKey = null;
}

const equalBytes = (a, b) => {
  const [x, y] = [new Uint8Array(a), new Uint8Array(b)];
  return x.length === y.length && x.every((byte, index) => byte === y[index]);
};

// The ID lets a later transaction check that the stored key is still this one.
const makeSealingKey = async () =>
  ({ id: crypto.randomUUID(), key: await generateSealingKey() });

// Requests the session and its keys within a transaction. `addSharedKey` must follow after it.
export function requestSession(store, found, names = [SESSION, LOCK, SEALING_KEY]) {
  for (const name of names) {
    store.get(name).onsuccess = (event) => { found[name] = event.target.result; };
  }
}

// Sessions of an old version have no key of their own. They share one until they end.
export async function addSharedKey(found) {
  if (found[SESSION] && !found[SEALING_KEY]) {
    found[SEALING_KEY] = { key: await storedKey(SEALING_KEY) };
  }
  return found;
}

const isUnlocked = (lock) => unlockedKey !== null && equalBytes(unlockedKey.id, lock.id);

// The key that seals the session, or null if there is none now: the app is locked or the key lost.
export function sessionKey(found) {
  const lock = found[LOCK];
  if (lock) return isUnlocked(lock) ? unlockedKey.key : null;
  return found[SEALING_KEY].key ?? null;
}

// Whether the user can unlock the session. A lock of which a part is lost opens nothing.
function isLocked(found) {
  const lock = found[LOCK];
  return lock?.id && lock.salt && lock.wrapped && !isUnlocked(lock);
}

const keyIDs = (found) =>
  [found[SEALING_KEY]?.id, found[LOCK] && String(new Uint8Array(found[LOCK].id))];

// Whether there is still a session, under the same keys.
const hasSameKeys = (found, later) => later[SESSION] !== undefined
  && keyIDs(found).every((id, index) => id === keyIDs(later)[index]);

// The key for data beside the session, or null if there is no session or the app is locked. In a
// later transaction, `isCurrent` says whether the session and its lock are still the same.
export async function currentSessionKey() {
  const found = await readRecords();
  const key = found[SESSION] ? sessionKey(found) : null;
  return key && { key, isCurrent: (later) => hasSameKeys(found, later) };
}

// Erases the session and all that belongs to it. The known lockouts remain, because they may be of
// another account.
function clear(store) {
  store.delete(IDBKeyRange.upperBound(LOCKOUTS, true));
  store.delete(IDBKeyRange.lowerBound(LOCKOUTS, true));
}

async function readRecords() {
  const found = {};
  await records('readonly', (store) =>
    requestSession(
      store, found, [SESSION, LOCK, SEALING_KEY, LAST_SEEN, PENDING_SIGN_IN, USERNAME]));
  return addSharedKey(found);
}

// Writes the record if the session still has the keys that were found.
function putIfSameKeys(found, record, name, durability) {
  const later = {};
  return records('readwrite', (store) => {
    requestSession(store, later);
    // The requests of a transaction complete in order, so `later` is complete here.
    store.getKey(name).onsuccess = () => {
      if (hasSameKeys(found, later)) store.put(record, name);
    };
  }, durability);
}

// Runs `act` if the stored session is the one that was found, and returns whether it is.
async function ifUnchanged(found, act) {
  let isSame = false;
  await records('readwrite', (store) => {
    store.get(SESSION).onsuccess = (event) => {
      const stored = event.target.result;
      isSame = stored !== undefined && equalBytes(stored.iv, found[SESSION].iv);
      if (isSame) act(store);
    };
  });
  return isSame;
}

// MARK: Reading

// Records that were read while the core was still being compiled.
let preloaded = null;

export function preload() {
  preloaded = readRecords();
  // If this fails, the first use reads again and reports the error.
  for (const promise of [preloaded, proofKey()]) promise.catch(() => undefined);
}

function takePreloaded() {
  const found = preloaded;
  preloaded = null;
  return found;
}

async function readAccountSummary(found) {
  try {
    return await unsealText(found[LOCK].card, found[SEALING_KEY].key, SUMMARY_CONTEXT);
  } catch {
    return '';
  }
}

async function readLastSeen(found) {
  try {
    return { last_seen: await unsealText(found[LAST_SEEN], found[SEALING_KEY].key, LAST_SEEN) };
  } catch {
    return {};
  }
}

// A session that does not open, or whose key is lost, is damaged: reading it again gives the same
// result.
async function readingOf(found) {
  if (!found[SESSION]) return { storage: 'absent' };
  try {
    if (isLocked(found)) {
      return { storage: 'locked', account_summary: await readAccountSummary(found) };
    }
    return {
      storage: 'value', value: await unsealText(found[SESSION], sessionKey(found), SESSION),
    };
  } catch {
    return { storage: 'damaged' };
  }
}

// If storage fails, the session may still be there. So the result is not `absent`.
export async function readSession() {
  let found;
  try {
    found = await (takePreloaded() ?? readRecords());
  } catch {
    return { storage: 'unavailable' };
  }
  const [reading, lastSeen, pending, username] = await Promise.all([
    readingOf(found), found[LAST_SEEN] ? readLastSeen(found) : {},
    readOwnKey(found, PENDING_SIGN_IN), readOwnKey(found, USERNAME),
  ]);
  return { ...reading, ...lastSeen, pending, username };
}

// Reads a record that has a key of its own. The result is undefined if it does not open.
async function readOwnKey(found, name) {
  if (!found[name]) return undefined;
  const { sealingKey, record } = found[name];
  return unsealText(record, sealingKey.key, name).catch(() => undefined);
}

// Seals a record under a key of its own, because there may be no session.
async function saveOwnKey(text, name) {
  const sealingKey = await makeSealingKey();
  const record = await seal(text, sealingKey.key, name);
  await records('readwrite', (store) => store.put({ sealingKey, record }, name));
}

// MARK: Changing

// A new session has no lock. Returns the reading of the session that it replaced.
export const saveSession = replaceAll;

// A text without a session has no ID.
function sessionID(text) {
  try {
    return JSON.parse(text).session?.id;
  } catch {
    return undefined;
  }
}

// If storage has another session than `old`, changes nothing and returns the reading of it.
export async function replaceSession(old, text) {
  const found = await readRecords();
  const reading = await readingOf(found);
  if (reading.value !== old) return reading;
  // Another session gets another key. With a lock, the key stays, because only a prompt changes it.
  const next = sessionID(text);
  const isOther = !found[LOCK] && next !== undefined && next !== sessionID(old);
  const sealingKey = isOther ? await makeSealingKey() : null;
  const record = await seal(text, sealingKey?.key ?? sessionKey(found), SESSION);
  const isSame = await ifUnchanged(found, (store) => {
    if (sealingKey) {
      // The data of the other session does not open under the new key.
      clear(store);
      store.put(sealingKey, SEALING_KEY);
      // The session of another organization is of the same person.
      if (found[USERNAME]) store.put(found[USERNAME], USERNAME);
    }
    store.put(record, SESSION);
  });
  return isSame ? null : readSession();
}

// Replaces the session and its data in one transaction, so that the revocation is stored (S-04).
export const savePendingRevocation = replaceAll;

async function replaceAll(text) {
  const sealingKey = await makeSealingKey();
  const record = await seal(text, sealingKey.key, SESSION);
  const found = {};
  await records('readwrite', (store) => {
    requestSession(store, found);
    clear(store);
    store.put(sealingKey, SEALING_KEY);
    store.put(record, SESSION);
  });
  const replaced = await addSharedKey(found).then(readingOf)
    .catch(() => ({ storage: 'unavailable' }));
  forgetKeys();
  return replaced;
}

// Also erases the key that sessions of an old version share.
function forgetKeys() {
  forgetKey();
  deleteKey(SEALING_KEY).catch(() => undefined);
}

export async function eraseSession() {
  await records('readwrite', clear);
  forgetKeys();
}

export async function eraseSessionIfUnchanged(text) {
  const found = await readRecords();
  const reading = await readingOf(found);
  if (reading.value === text) await ifUnchanged(found, clear);
}

export async function saveLastSeen(text) {
  const found = await readRecords();
  if (!found[SESSION]) return;
  const record = await seal(text, found[SEALING_KEY].key, LAST_SEEN);
  // A power failure may lose a few seconds of this. So the faster durability is enough.
  await putIfSameKeys(found, record, LAST_SEEN, 'relaxed');
}

// MARK: Sign-in at a provider

// A sign-in that the browser completes on another page. A new session erases it.
export const savePendingSignIn = (text) => saveOwnKey(text, PENDING_SIGN_IN);

export async function erasePendingSignIn() {
  await records('readwrite', (store) => store.delete(PENDING_SIGN_IN));
}

// The e-mail of the last sign-in; without a text, the stored one is erased. The end of a session
// erases it too, and the core then stores it again unless the user signed out.
export async function saveUsername(text) {
  if (text) await saveOwnKey(text, USERNAME);
  else await records('readwrite', (store) => store.delete(USERNAME));
}

// MARK: Known lockouts

// Whether storage has the newest lockouts. If it refused them, what it has is out of date.
let areLockoutsStored = true;

export async function saveLockouts(text) {
  areLockoutsStored = false;
  if (text) await saveOwnKey(text, LOCKOUTS);
  else await records('readwrite', (store) => store.delete(LOCKOUTS));
  areLockoutsStored = true;
}

// A member of the `lockouts_read` event, or null if storage cannot tell.
export async function readLockouts() {
  if (!areLockoutsStored) return null;
  try {
    const record = await records('readonly', (store) => store.get(LOCKOUTS));
    return { value: await readOwnKey({ [LOCKOUTS]: record }, LOCKOUTS) };
  } catch {
    return null;
  }
}

// MARK: Screen state

// Which screen is open and what is typed. The context has the session, so that the record does not
// open in another session.
export async function saveScreenState(session, text) {
  const found = await readRecords();
  if (!found[SESSION]) return;
  const record = await seal(text, sessionKey(found), screenStateContext(session));
  await putIfSameKeys(found, record, SCREEN_STATE);
}

export async function readScreenState(session) {
  try {
    const found = await readRecords();
    const record = await records('readonly', (store) => store.get(SCREEN_STATE));
    if (!record) return {};
    return { value: await unsealText(record, sessionKey(found), screenStateContext(session)) };
  } catch {
    return {};
  }
}

export async function eraseScreenState() {
  await records('readwrite', (store) => store.delete(SCREEN_STATE));
}

// Seals the screen state under another key. Null if there is none, or if it does not open.
async function resealScreenState(text, from, to) {
  const record = await records('readonly', (store) => store.get(SCREEN_STATE));
  if (!record) return null;
  const context = screenStateContext(JSON.parse(text).session.id);
  try {
    const state = await unsealText(record, from, context);
    return { oldIV: record.iv, record: await seal(state, to, context) };
  } catch {
    return null;
  }
}

// Another tab may have saved a state in the meantime, under the earlier key. Then it is erased.
function putResealedState(store, resealed) {
  store.get(SCREEN_STATE).onsuccess = (event) => {
    const stored = event.target.result;
    const isSame = resealed && stored && equalBytes(stored.iv, resealed.oldIV);
    if (isSame) store.put(resealed.record, SCREEN_STATE);
    else store.delete(SCREEN_STATE);
  };
}

// MARK: App lock

// The text that the lock screen shows: the name and the organization.
export async function saveAccountSummary(text) {
  const found = await readRecords();
  if (!found[LOCK]) return;
  const card = await seal(text, found[SEALING_KEY].key, SUMMARY_CONTEXT);
  await records('readwrite', (store) => {
    store.get(LOCK).onsuccess = (event) => {
      const stored = event.target.result;
      if (stored && equalBytes(stored.id, found[LOCK].id)) store.put({ ...stored, card }, LOCK);
    };
  });
}

// Seals the session under the key of a new lock. Another tab may sign out or change the
// organization while the prompt is open. Then this fails, because that change must remain.
export async function setLock(text, summary) {
  const made = await appLock.create(app);
  const found = await readRecords();
  if ((await readingOf(found)).value !== text) throw new appLock.LockFailure('busy');
  // The disk may still have old records under the earlier sealing key. So that key is replaced.
  const sealingKey = await makeSealingKey();
  const sealed = await seal(text, made.key, SESSION);
  const card = await seal(summary, sealingKey.key, SUMMARY_CONTEXT);
  const { last_seen: lastSeen } = found[LAST_SEEN] ? await readLastSeen(found) : {};
  const sealedLastSeen = lastSeen && await seal(lastSeen, sealingKey.key, LAST_SEEN);
  const resealed = await resealScreenState(text, found[SEALING_KEY].key, made.key);
  const isSame = await ifUnchanged(found, (store) => {
    store.put(sealingKey, SEALING_KEY);
    if (sealedLastSeen) store.put(sealedLastSeen, LAST_SEEN);
    store.put({ id: made.id, salt: made.salt, wrapped: made.wrapped, card }, LOCK);
    putResealedState(store, resealed);
    // The offline copies are sealed under the earlier key. The next sync reads them again.
    store.delete(OFFLINE_COPIES);
    store.delete(PHOTOS);
    store.put(sealed, SESSION);
  });
  if (!isSame) throw new appLock.LockFailure('busy');
  forgetKeys();
  unlockedKey = { id: made.id, key: made.key };
}

// If storage has another session than `text`, changes nothing and returns the reading of it.
// Another tab may have signed out or changed the organization, and that change must remain.
export async function removeLock(text) {
  const found = await readRecords();
  const reading = await readingOf(found);
  if (reading.value !== text) return reading;
  // If the key was lost while the session was sealed under that of the lock, another one is made.
  const sealingKey = found[SEALING_KEY].key ? null : await makeSealingKey();
  const { key } = sealingKey ?? found[SEALING_KEY];
  const record = await seal(text, key, SESSION);
  const resealed = unlockedKey && await resealScreenState(text, unlockedKey.key, key);
  const isSame = await ifUnchanged(found, (store) => {
    if (sealingKey) store.put(sealingKey, SEALING_KEY);
    store.delete(LOCK);
    putResealedState(store, resealed);
    store.delete(OFFLINE_COPIES);
    store.delete(PHOTOS);
    store.put(record, SESSION);
  });
  if (!isSame) return readSession();
  forgetKey();
  return null;
}

export async function unlock() {
  const found = await readRecords();
  if (found[LOCK]) unlockedKey = { id: found[LOCK].id, key: await appLock.open(found[LOCK]) };
  return readSession();
}
