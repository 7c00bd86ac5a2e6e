// The core of a page in the tests of the shell contract. It answers each event as the scenario
// says, and writes what the shell does to a log. The log outlives a reload of the page.

import { app, folder } from './app-name.js';

const LOG = `log of ${app}`;

const values = {/* VALUES */};
const lines = JSON.parse(sessionStorage.getItem(LOG) ?? '[]');
// Each run begins like the real one: it reads storage.
const opening = { effects: [{ effect: 'read_session' }], screen: 'start' };
const answers = new Map([['started', [opening]]]);
let { screen } = opening;
let isOpen = false;

const nameOf = (text) => Object.keys(values).find((name) => values[name] === text) ?? text;

function note(words) {
  lines.push([performance.timeOrigin + performance.now(), words]);
  sessionStorage.setItem(LOG, JSON.stringify(lines));
}

function describe({ event, storage, value, last_seen: seen, pending, outcome, saved, failure }) {
  const details = [
    value === undefined ? storage : nameOf(value), seen && nameOf(seen), pending && nameOf(pending),
    outcome, saved, failure,
  ];
  return ['event', event, ...details.filter((detail) => detail !== undefined)].join(' ');
}

// Asynchronous, as the loading of the real core is.
export async function loadCore() {
  return (event) => {
    if (isOpen && event.event !== 'lock_support_checked') note(describe(event));
    if (event.event === 'storage_read' && !isOpen) {
      isOpen = true;
      note('opened');
    }
    const answer = answers.get(event.event)?.shift() ?? { effects: [], screen };
    ({ screen } = answer);
    return answer;
  };
}

// MARK: What the shell does

const { fetch } = globalThis;
globalThis.fetch = (path, options) => {
  if (!path.startsWith('/') || path.startsWith(folder)) return fetch(path, options);
  note(`sent ${path}`);
  return new Promise(() => undefined);
};

const { postMessage } = BroadcastChannel.prototype;
BroadcastChannel.prototype.postMessage = function (message) {
  if (message === 'changed') note('told');
  postMessage.call(this, message);
};

let refusals = 0;
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (...values) {
  const request = put.apply(this, values);
  if (refusals > 0) {
    refusals -= 1;
    this.transaction.abort();
  }
  return request;
};

const { transaction: begin } = IDBDatabase.prototype;
IDBDatabase.prototype.transaction = function (stores, mode, ...more) {
  if (mode === 'readwrite' && stores === 'records') note('writes');
  return begin.call(this, stores, mode, ...more);
};

const cover = document.getElementById('cover');
let wasHidden = cover.hidden;
new MutationObserver(() => {
  if (cover.hidden !== wasHidden) note(cover.hidden ? 'uncovered' : 'covered');
  wasHidden = cover.hidden;
}).observe(cover, { attributeFilter: ['hidden'] });
if (globalThis.navigation) navigation.addEventListener('navigate', () => note('left'));
else addEventListener('pagehide', () => note('left'));

// MARK: What the scenario does

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// This connection ends with the page.
const connect = () => result(indexedDB.open(`fieldpass-${app}`));

// It has a transaction until it gets a message, and leaves the page free.
const HOLDER = `
  const open = indexedDB.open('fieldpass-${app}');
  open.onsuccess = () => {
    const transaction = open.result.transaction('records', 'readwrite');
    const store = transaction.objectStore('records');
    let isHeld = true;
    onmessage = () => { isHeld = false; };
    transaction.oncomplete = () => { open.result.close(); postMessage('free'); };
    const repeat = () => { if (isHeld) store.getAllKeys().onsuccess = repeat; };
    store.getAllKeys().onsuccess = () => { postMessage('held'); repeat(); };
  };`;
let holder = null;

// Waits for the next message of the holder.
const answerOfHolder = () => new Promise((done) => { holder.onmessage = done; });

function keys(value) {
  if (value instanceof CryptoKey) return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(keys) : [];
}

const texts = (value) => {
  if (ArrayBuffer.isView(value)) return texts(value.buffer);
  if (value instanceof ArrayBuffer) return String.fromCharCode(...new Uint8Array(value));
  if (value && typeof value === 'object') return Object.values(value).map(texts).join('\n');
  return String(value);
};

async function everything() {
  const database = await connect();
  const found = await Promise.all(['records', 'keys'].map((name) =>
    result(begin.call(database, name).objectStore(name).getAll())));
  database.close();
  return found;
}

let copy = null;

globalThis.contract = {
  lines: () => lines,
  note,

  answer(event, effects, next = screen) {
    answers.set(event, [...answers.get(event) ?? [], { effects, screen: next }]);
  },

  // This event has no meaning of its own for the shell. With `later`, a second event with that
  // screen follows at once.
  perform(effects, next, later) {
    contract.answer('network_returned', effects, next);
    dispatchEvent(new Event('online'));
    if (later) contract.perform([], later);
  },

  // Storage is busy until `free`: another transaction is not complete.
  async hold(name) {
    holder = new Worker(URL.createObjectURL(new Blob([HOLDER])));
    await answerOfHolder();
    note(`held ${name}`);
  },

  async free(name) {
    note(`freed ${name}`);
    holder.postMessage('free');
    await answerOfHolder();
    holder.terminate();
  },

  refuse() { refusals += 1; },

  tell() { postMessage.call(new BroadcastChannel(`fieldpass-${app}`), 'changed'); },

  setVisibility(state) {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  },

  async diskHas(text) { return texts(await everything()).includes(text); },

  async copySession() {
    const database = await connect();
    copy = await result(begin.call(database, 'records').objectStore('records').get('session'));
    database.close();
  },

  // Whether any key on the disk opens the session that was copied before.
  async copyOpens() {
    const parameters = {
      name: 'AES-GCM', iv: copy.iv, additionalData: new TextEncoder().encode('session') };
    for (const key of keys(await everything())) {
      if (!key.usages.includes('decrypt')) continue;
      const isOpen = await crypto.subtle.decrypt(parameters, key, copy.sealed)
        .then(() => true, () => false);
      if (isOpen) return true;
    }
    return false;
  },
};
