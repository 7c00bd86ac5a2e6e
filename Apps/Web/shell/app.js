// Carries events to the core and does what it asks; it knows nothing of signing in.

import { app } from './app-name.js';
import { loadCore } from './core.js';
import { loadSymbols } from './dom.js';
import { keepLanguage, person, speak } from './languages.js';
import * as lock from './lock.js';
import { Renderer } from './renderer.js';
import { keepFresh } from './updates.js';
import * as shelves from './shelves.js';
import * as vault from './vault.js';
import * as wire from './wire.js';

const TICK_MILLISECONDS = 1000;
// Long enough to be heard of, short enough not to be come across as if it were still true.
const SPOKEN_MILLISECONDS = 3000;
// How often it is worth saying that the person is there.
const USED_MILLISECONDS = 10_000;
const RENEWAL_LOCK = `${app}-renewal`;

// What changes who is signed in on this device.
const KEEPING = new Set([
  'save_session', 'replace_session', 'leave_tombstone', 'erase_session', 'erase_if_still',
  'remove_lock',
]);

let handle = null;
let ticking = null;
let releaseRenewal = null;
// The page is being loaded again, and stays covered until then.
let isLeaving = false;

// A shelf that answers sooner than this is drawn at once, with no screen before it.
const SHELF_MILLISECONDS = 50;

// What is stored is stored in order; what changes who is signed in, before any later request leaves.
let stored = Promise.resolve();
let kept = stored;
let shelfRead = stored;

const after = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

function inOrder(act) {
  stored = stored.then(act);
  return stored;
}

// Another window that shows what is stored no more learns of it at once, if it is awake.
const otherWindows = new BroadcastChannel(`fieldpass-${app}`);

function inOrderForAll(act) {
  kept = inOrder(act).then(() => otherWindows.postMessage('changed'));
  return kept;
}

const renderer = new Renderer(document.getElementById('screen'), tell);
let told = 0;
let drawn = 0;
// What the newest screen waits for before it is drawn.
let awaited = stored;

// An older screen never takes the place of a newer one.
function draw(screen, number) {
  if (number < drawn) return;
  drawn = number;
  renderer.draw(screen);
}

function tell(event, attached) {
  if (!handle) return;
  try {
    const answer = handle(
      { ...event, at: Date.now(), steady: Math.round(performance.now()) }, attached);
    if (answer.error) throw new Error(answer.error);
    const number = ++told;
    const keeps = answer.effects.some(({ effect }) => KEEPING.has(effect));
    const reads = answer.effects.some(({ effect }) => effect === 'read_shelf');
    if (!keeps && !reads) draw(answer.screen, number);
    for (const effect of answer.effects) effects[effect.effect](effect);
    if (!keeps && !reads) return;
    // Who is shown as signed in, or out, can close the page at once and it stays so.
    awaited = keeps ? stored : shelfRead;
    awaited.then(() => draw(answer.screen, number));
  } catch (error) {
    // After a trap the core's memory means nothing; the sealed session is untouched.
    handle = null;
    renderer.fail();
    console.error(error);
  }
}

const refused = () => tell({ event: 'session_save_refused' });
const storedOver = (replaced) => tell({ event: 'stored_over', ...replaced });

// What was typed is kept as it is now, however often it changes while storage is busy.
let placeToKeep = null;
const underWay = new Map();

const effects = {
  async call(call) {
    const waiting = { controller: new AbortController(), changes: call.method !== 'GET' };
    underWay.set(call.request, waiting);
    await kept;
    const answer = await wire.send(call, waiting.controller.signal);
    if (underWay.get(call.request) === waiting) underWay.delete(call.request);
    tell({ event: 'answered', request: call.request, ...answer });
  },
  cancel_call({ request }) {
    underWay.get(request)?.controller.abort();
  },
  async make_verifier() {
    tell({ event: 'verifier_made', ...(await wire.makeVerifier()) });
  },
  read_session() {
    inOrder(async () => tell({ event: 'storage_read', ...(await vault.readSession()) }));
  },
  save_session({ value }) {
    inOrderForAll(() => vault.saveSession(value).then(storedOver, refused));
  },
  replace_session({ old, value }) {
    inOrderForAll(async () => {
      try {
        const other = await vault.replaceSession(old, value);
        if (other) tell({ event: 'session_changed', ...other });
      } catch {
        // What is stored is the session before, which the server takes as well.
        tell({ event: 'session_changed', storage: 'cannot_tell' });
      }
    });
  },
  leave_tombstone({ value }) {
    // A store that cannot be opened holds nothing that could be kept from it.
    inOrderForAll(() => vault.leaveTombstone(value).then(storedOver, () => undefined));
  },
  erase_session() {
    inOrderForAll(() => vault.eraseSession().catch(() => undefined));
  },
  erase_if_still({ value }) {
    inOrderForAll(() => vault.eraseIfStill(value).catch(() => undefined));
  },
  keep_seen({ value }) {
    inOrder(() => vault.keepSeen(value).catch(() => undefined));
  },
  keep_card({ value }) {
    inOrder(() => vault.keepCard(value).catch(() => undefined));
  },
  keep_place(place) {
    const isWaiting = placeToKeep !== null;
    placeToKeep = place;
    if (isWaiting) return;
    inOrder(async () => {
      const { session, value } = placeToKeep;
      placeToKeep = null;
      await vault.keepPlace(session, value).catch(() => undefined);
    });
  },
  read_place({ session }) {
    inOrder(async () => tell({ event: 'place_read', ...(await vault.readPlace(session)) }));
  },
  forget_place() {
    inOrder(() => vault.forgetPlace().catch(() => undefined));
  },
  set_lock({ value, card }) {
    inOrderForAll(async () => {
      try {
        await vault.setLock(value, card);
        tell({ event: 'lock_set' });
      } catch (error) {
        tell({ event: 'lock_refused', failure: error.failure ?? 'impossible' });
      }
    });
  },
  remove_lock({ value }) {
    inOrderForAll(async () => {
      try {
        const other = await vault.removeLock(value);
        if (other) tell({ event: 'session_changed', ...other });
      } catch {
        refused();
      }
    });
  },
  // Nothing that was in memory is to outlive the lock, in the core or in any text of this page: the
  // page is loaded again.
  lock() {
    isLeaving = true;
    document.getElementById('cover').hidden = false;
    inOrder(() => {
      handle = null;
      vault.forgetKey();
      location.reload();
    });
  },
  unlock() {
    inOrder(async () => {
      try {
        tell({ event: 'unlocked', ...(await vault.unlock()) });
      } catch (error) {
        tell({ event: 'unlock_failed', failure: error.failure ?? 'busy' });
      }
    });
  },
  claim_renewal() {
    const claimed = async () => {
      const released = new Promise((resolve) => { releaseRenewal = resolve; });
      tell({ event: 'renewal_claimed', ...(await vault.readSession()) });
      await released;
    };
    if (navigator.locks) navigator.locks.request(RENEWAL_LOCK, claimed);
    else stored.then(claimed);
  },
  release_renewal() {
    const release = releaseRenewal;
    inOrder(() => release?.());
  },
  keep_language({ language }) {
    keepLanguage(language);
  },
  start_ticking() {
    clearInterval(ticking);
    ticking = setInterval(() => tell({ event: 'ticked' }), TICK_MILLISECONDS);
  },
  stop_ticking() {
    clearInterval(ticking);
  },
  read_shelf(place) {
    performance.mark('fieldpass:shelf');
    const read = shelves.read(place).then(({ keys, pieces, storage }) =>
      tell({ event: 'shelf_read', storage, keys }, pieces));
    shelfRead = Promise.race([read, after(SHELF_MILLISECONDS)]);
  },
  write_shelf(change) {
    inOrder(async () => tell({ event: 'shelf_written', outcome: await shelves.write(change) }));
  },
  erase_shelf({ shelf }) {
    inOrder(() => shelves.erase(shelf));
  },
  announce({ text, politeness }) {
    const region = document.getElementById(politeness);
    // The same words twice in a row are said twice only when the region changes.
    region.textContent = region.textContent === text ? `${text}\u00A0` : text;
    const said = region.textContent;
    setTimeout(() => {
      if (region.textContent === said) region.textContent = '';
    }, SPOKEN_MILLISECONDS);
  },
};

// The cover is drawn before anything else happens, and goes only when the core has decided that
// what is behind it may be seen (P-05, S-06).
function coverWhenHidden() {
  const cover = document.getElementById('cover');
  const hide = () => {
    if (!cover.hidden) return;
    cover.hidden = false;
    tell({ event: 'hidden' });
  };
  const uncover = () => { cover.hidden = !isLeaving && document.visibilityState === 'visible'; };
  const show = () => {
    if (document.visibilityState !== 'visible') return;
    tell({ event: 'shown' });
    // A screen that waits for storage has not yet taken the place of what was there.
    if (drawn === told) uncover();
    else awaited.then(uncover);
  };
  document.addEventListener('visibilitychange', () =>
    (document.visibilityState === 'visible' ? show() : hide()));
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
}

function noticeUse() {
  let last = -USED_MILLISECONDS;
  const use = () => {
    if (performance.now() - last < USED_MILLISECONDS) return;
    last = performance.now();
    tell({ event: 'used' });
    otherWindows.postMessage('used');
  };
  otherWindows.onmessage = ({ data }) => {
    if (data === 'used') tell({ event: 'used_elsewhere' });
    else inOrder(async () => tell({ event: 'session_changed', ...(await vault.readSession()) }));
  };
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    addEventListener(name, use, { capture: true, passive: true });
  }
}

// The link of an invitation holds it behind `#`. It is taken out of the address, so that neither the
// history nor a screenshot keeps it.
const INVITATION = '#invitation=';

function takeInvitation() {
  if (!location.hash.startsWith(INVITATION)) return;
  const invitation = location.hash.slice(INVITATION.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  tell({ event: 'invited', invitation });
}

// Whether the page can be loaded again and nobody notices: nothing is typed, open or under way.
function isAtRest({ isOpening }) {
  if ([...underWay.values()].some(({ changes }) => changes)) return false;
  return isOpening ? renderer.isBlank : renderer.isAtRest;
}

async function start() {
  // An old browser was told so before this file was read.
  if ('oldBrowser' in document.documentElement.dataset) return;
  performance.mark('fieldpass:start');
  vault.readEarly();
  shelves.readEarly();
  speak(document.getElementById('screen'));
  coverWhenHidden();
  noticeUse();
  // The same link in an app that is open changes nothing but the part behind `#`.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith(INVITATION)) location.reload();
  });
  addEventListener('online', () => tell({ event: 'network_returned' }));
  // Only a hint: whether the server can be reached is asked of the server.
  addEventListener('offline', () => tell({ event: 'network_changed' }));
  try {
    if (!isSecureContext) throw new Error('not a secure context');
    [handle] = await Promise.all([loadCore('core.wasm'), loadSymbols('icons/symbols.svg')]);
  } catch (error) {
    renderer.fail();
    console.error(error);
    return;
  }
  tell({ event: 'started', app, page: crypto.randomUUID(), ...person() });
  takeInvitation();
  lock.isPossible().then((possible) => tell({ event: 'lock_possible', possible }));
  await keepFresh(isAtRest);
}

start();
