// Sends events to the core, draws its screens and runs its effects. The core decides everything.

import { Addresses } from './addresses.js';
import { app, folder } from './app-name.js';
import { loadCore } from './core.js';
import { loadSymbols } from './dom.js';
import { keepButtonAboveKeyboard } from './keyboard.js';
import { saveLanguage, showChosenLanguage, userSettings } from './languages.js';
import { Renderer } from './renderer.js';
import { makeVerifier, send } from './requests.js';
import * as appLock from './storage/app-lock.js';
import * as offlineCopies from './storage/offline-copies.js';
import { forgetPhotos, keepPhotos } from './storage/photos.js';
import { saveProviderMenu, savedProviderMenu } from './storage/provider-menu.js';
import * as sessionStore from './storage/session-store.js';
import { keepUpToDate } from './updates.js';

const TICK_MILLISECONDS = 1000;
// Long enough for a screen reader to read the text. After that the text may no longer be true.
const ANNOUNCEMENT_MILLISECONDS = 3000;
// The core learns that the user is active at most this often.
const ACTIVITY_MILLISECONDS = 10_000;
// If the offline copy is read within this time, no screen is drawn before it.
const COPY_MILLISECONDS = 50;

// Other tabs may run another version of the app. So the names of the lock and the channel, and the
// messages on the channel, must not change.
const RENEWAL_LOCK = `${app}-renewal`;
const otherTabs = new BroadcastChannel(`fieldpass-${app}`);

// The effects that change who is signed in on this device.
const SESSION_EFFECTS = new Set([
  'save_session', 'replace_session', 'save_pending_revocation', 'erase_session',
  'erase_session_if_unchanged', 'remove_lock',
]);

// The function of the core, or null before it is loaded and after a failure.
let handle = null;
let ticking = null;
let releaseRenewal = null;
// The page reloads, and stays covered until then.
let isReloading = false;

// Storage operations run one after the other. A request waits until the changes of the session
// before it are stored.
let lastStored = Promise.resolve();
let sessionStored = lastStored;
let copyRead = lastStored;

const after = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

function inOrder(act) {
  lastStored = lastStored.then(act);
  return lastStored;
}

// Tells other tabs that what they show is no longer stored.
function inOrderForAllTabs(act) {
  sessionStored = inOrder(act).then(() => otherTabs.postMessage('changed'));
  return sessionStored;
}

const renderer = new Renderer(document.getElementById('screen'), dispatch);
// The timers that clear the live regions, by their politeness.
const announcements = new Map();
let newestScreen = 0;
let newestScreenID = '';
let drawnScreen = 0;
// Resolves when the newest screen can be drawn.
let screenReady = lastStored;
// The changes of the session that are not stored yet, and a promise for the last of them.
let unstoredChanges = 0;
let changesStored = lastStored;

// An older screen does not replace a newer one.
function draw(screen, number) {
  if (number < drawnScreen) return;
  drawnScreen = number;
  renderer.draw(screen);
}

// WebDriver cannot read the console, so tests read the reason from the performance timeline.
function fail(error) {
  handle = null;
  renderer.fail();
  performance.mark('fieldpass:failure', { detail: String(error) });
  console.error(error);
}

function dispatch(event, attached) {
  if (!handle) return;
  try {
    const answer = handle(
      { ...event, at: Date.now(), monotonic: Math.round(performance.now()) }, attached);
    if (answer.error) throw new Error(answer.error);
    const number = ++newestScreen;
    if (answer.screen.id !== newestScreenID) clearAnnouncements();
    newestScreenID = answer.screen.id;
    const changesSession = answer.effects.some(({ effect }) => SESSION_EFFECTS.has(effect));
    const readsCopy = answer.effects.some(({ effect }) => effect === 'read_offline_copy');
    const mustWait = changesSession || readsCopy || unstoredChanges > 0;
    if (!mustWait) draw(answer.screen, number);
    for (const effect of answer.effects) effects[effect.effect](effect);
    if (!mustWait) return;
    // The screen is drawn after the session is stored. So a user who then closes the page stays
    // signed in, or signed out, as the screen shows.
    if (changesSession) {
      unstoredChanges += 1;
      changesStored = lastStored.then(() => { unstoredChanges -= 1; });
    }
    screenReady = unstoredChanges > 0 ? changesStored : copyRead;
    screenReady.then(() => draw(answer.screen, number));
  } catch (error) {
    // After a trap the memory of the core is undefined. The stored session did not change.
    fail(error);
  }
}

const saveFailed = () => dispatch({ event: 'session_save_failed' });
const sessionReplaced = (replaced) => dispatch({ event: 'stored_session_replaced', ...replaced });

// The newest screen state that is not stored yet. While storage is busy, older ones are skipped.
let unsavedScreenState = null;
const pendingRequests = new Map();

// The lockouts of accounts that this device knows. Another tab may have learned one.
async function readLockouts() {
  const lockouts = await sessionStore.readLockouts();
  if (lockouts) dispatch({ event: 'lockouts_read', ...lockouts });
}

const effects = {
  async send_request(request) {
    const pending = { controller: new AbortController(), changesData: request.method !== 'GET' };
    pendingRequests.set(request.request, pending);
    await sessionStored;
    const answer = await send(request, pending.controller.signal);
    if (pendingRequests.get(request.request) === pending) pendingRequests.delete(request.request);
    dispatch({ event: 'answered', request: request.request, ...answer });
  },
  cancel_request({ request }) {
    pendingRequests.get(request)?.controller.abort();
  },
  async make_verifier() {
    const [verifier] = await Promise.all([makeVerifier(), inOrder(readLockouts)]);
    dispatch({ event: 'verifier_made', ...verifier });
  },
  read_session() {
    inOrder(async () => {
      dispatch({ event: 'storage_read', ...(await sessionStore.readSession()) });
      await readLockouts();
    });
  },
  save_session({ value }) {
    inOrderForAllTabs(() => sessionStore.saveSession(value).then(sessionReplaced, saveFailed));
  },
  replace_session({ old, value }) {
    inOrderForAllTabs(async () => {
      try {
        const other = await sessionStore.replaceSession(old, value);
        if (other) dispatch({ event: 'session_changed', ...other });
      } catch {
        // The earlier session is still stored, and the server still accepts its token.
        dispatch({ event: 'session_changed', storage: 'unavailable' });
      }
    });
  },
  save_pending_revocation({ value }) {
    // If storage cannot be opened, it has no session that must be replaced.
    inOrderForAllTabs(() =>
      sessionStore.savePendingRevocation(value).then(sessionReplaced, () => undefined));
  },
  erase_session() {
    inOrderForAllTabs(() => sessionStore.eraseSession().catch(() => undefined));
  },
  erase_session_if_unchanged({ value }) {
    inOrderForAllTabs(() => sessionStore.eraseSessionIfUnchanged(value).catch(() => undefined));
  },
  save_last_seen({ value }) {
    inOrder(() => sessionStore.saveLastSeen(value).catch(() => undefined));
  },
  save_account_summary({ value }) {
    inOrder(() => sessionStore.saveAccountSummary(value).catch(() => undefined));
  },
  save_screen_state(state) {
    const isWaiting = unsavedScreenState !== null;
    unsavedScreenState = state;
    if (isWaiting) return;
    inOrder(async () => {
      const { session, value } = unsavedScreenState;
      unsavedScreenState = null;
      await sessionStore.saveScreenState(session, value).catch(() => undefined);
    });
  },
  read_screen_state({ session }) {
    inOrder(async () => dispatch({
      event: 'screen_state_read', ...(await sessionStore.readScreenState(session)),
    }));
  },
  erase_screen_state() {
    inOrder(() => sessionStore.eraseScreenState().catch(() => undefined));
  },
  set_lock({ value, account_summary: summary }) {
    inOrderForAllTabs(async () => {
      try {
        await sessionStore.setLock(value, summary);
        dispatch({ event: 'lock_set' });
      } catch (error) {
        dispatch({ event: 'lock_failed', failure: error.failure ?? 'impossible' });
      }
    });
  },
  remove_lock({ value }) {
    inOrderForAllTabs(async () => {
      try {
        const other = await sessionStore.removeLock(value);
        if (other) dispatch({ event: 'session_changed', ...other });
      } catch {
        saveFailed();
      }
    });
  },
  // A reload is the only way to remove all data from memory: from the core and from this page.
  lock() {
    isReloading = true;
    document.getElementById('cover').hidden = false;
    inOrder(() => {
      handle = null;
      sessionStore.forgetKey();
      location.reload();
    });
  },
  unlock() {
    inOrder(async () => {
      try {
        dispatch({ event: 'unlocked', ...(await sessionStore.unlock()) });
      } catch (error) {
        dispatch({ event: 'unlock_failed', failure: error.failure ?? 'busy' });
      }
    });
  },
  claim_renewal() {
    const claimed = async () => {
      const released = new Promise((resolve) => { releaseRenewal = resolve; });
      await inOrder(async () =>
        dispatch({ event: 'renewal_claimed', ...(await sessionStore.readSession()) }));
      await released;
    };
    if (navigator.locks) navigator.locks.request(RENEWAL_LOCK, claimed);
    else claimed();
  },
  release_renewal() {
    const release = releaseRenewal;
    inOrder(() => release?.());
  },
  save_language({ language }) {
    saveLanguage(language);
  },
  save_provider_menu({ value }) {
    saveProviderMenu(value);
  },
  save_pending_sign_in({ value }) {
    inOrder(async () => {
      const saved = await sessionStore.savePendingSignIn(value).then(() => true, () => false);
      dispatch({ event: 'pending_sign_in_saved', saved });
    });
  },
  save_username({ value }) {
    inOrder(() => sessionStore.saveUsername(value).catch(() => undefined));
  },
  save_lockouts({ value }) {
    inOrderForAllTabs(() => sessionStore.saveLockouts(value).catch(() => undefined));
  },
  erase_pending_sign_in() {
    inOrder(() => sessionStore.erasePendingSignIn().catch(() => undefined));
  },
  open_browser({ path }) {
    inOrder(() => location.assign(path));
  },
  start_ticking() {
    clearInterval(ticking);
    ticking = setInterval(() => dispatch({ event: 'ticked' }), TICK_MILLISECONDS);
  },
  stop_ticking() {
    clearInterval(ticking);
  },
  read_offline_copy(copy) {
    performance.mark('fieldpass:offline-copy');
    const read = offlineCopies.read(copy).then(({ keys, pieces, storage }) =>
      dispatch({ event: 'offline_copy_read', storage, keys }, pieces));
    copyRead = Promise.race([read, after(COPY_MILLISECONDS)]);
  },
  write_offline_copy(change) {
    inOrder(async () => dispatch({
      event: 'offline_copy_written', outcome: await offlineCopies.write(change),
    }));
  },
  erase_offline_copy({ copy }) {
    forgetPhotos();
    inOrder(() => offlineCopies.erase(copy));
  },
  keep_photos({ digests }) {
    inOrder(() => keepPhotos(digests));
  },
  announce({ text, politeness }) {
    const region = document.getElementById(politeness);
    clearTimeout(announcements.get(politeness));
    // A screen reader reads the same text again only if the region changes.
    region.textContent = region.textContent === text ? `${text}\u00A0` : text;
    announcements.set(politeness, setTimeout(
      () => { region.textContent = ''; }, ANNOUNCEMENT_MILLISECONDS));
  },
};

// Removes what was announced about an earlier screen. It is no longer true.
function clearAnnouncements() {
  for (const [politeness, timer] of announcements) {
    clearTimeout(timer);
    document.getElementById(politeness).textContent = '';
  }
  announcements.clear();
}

// The page is covered as soon as it is hidden. The cover is removed only after the core has decided
// what may be shown (P-05, S-06).
function coverWhenHidden() {
  const cover = document.getElementById('cover');
  const hide = () => {
    if (!cover.hidden) return;
    cover.hidden = false;
    clearAnnouncements();
    dispatch({ event: 'hidden' });
  };
  const uncover = () => { cover.hidden = !isReloading && document.visibilityState === 'visible'; };
  const show = () => {
    if (document.visibilityState !== 'visible') return;
    dispatch({ event: 'shown' });
    // While the newest screen waits for storage, the page still has the old one.
    if (drawnScreen === newestScreen) uncover();
    else screenReady.then(uncover);
  };
  document.addEventListener('visibilitychange', () =>
    (document.visibilityState === 'visible' ? show() : hide()));
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
}

// A tab can load in the background, or be hidden while the core loads. The browser then sends no
// further event, so report it here.
function reportHiddenStart() {
  if (document.visibilityState === 'visible') return;
  document.getElementById('cover').hidden = false;
  dispatch({ event: 'hidden' });
}

function reportUserActivity() {
  let last = -ACTIVITY_MILLISECONDS;
  const report = () => {
    if (performance.now() - last < ACTIVITY_MILLISECONDS) return;
    last = performance.now();
    dispatch({ event: 'user_active' });
    otherTabs.postMessage('used');
  };
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    addEventListener(name, report, { capture: true, passive: true });
  }
}

function listenToOtherTabs() {
  otherTabs.onmessage = ({ data }) => {
    if (data === 'used') dispatch({ event: 'user_active_in_other_tab' });
    else inOrder(async () => {
      dispatch({ event: 'session_changed', ...(await sessionStore.readSession()) });
      await readLockouts();
    });
  };
}

// The link of an invitation has the invitation after `#`. It is removed from the address, so that
// neither the browser history nor a screenshot shows it.
const INVITATION = '#invitation=';

function takeInvitation() {
  if (!location.hash.startsWith(INVITATION)) return null;
  const invitation = location.hash.slice(INVITATION.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return { event: 'invitation_opened', invitation };
}

// The browser comes back from a provider with the result in the query. It is removed from the
// address like an invitation, also a result that has no state and therefore cannot be used.
function takeProviderResult() {
  const query = location.search.slice(1);
  const parameters = new URLSearchParams(query);
  if (!['state', 'code', 'error'].some((name) => parameters.has(name))) return null;
  history.replaceState(history.state, '', location.pathname + location.hash);
  return parameters.has('state') ? { event: 'provider_returned', query } : null;
}

function canReload({ isOpening }) {
  if ([...pendingRequests.values()].some(({ changesData }) => changesData)) return false;
  return isOpening ? renderer.isBlank : renderer.canReload;
}

async function start() {
  // `old-browser.js` has shown a message.
  if ('oldBrowser' in document.documentElement.dataset) return;
  performance.mark('fieldpass:start');
  sessionStore.preload();
  offlineCopies.preload();
  showChosenLanguage(document.getElementById('screen'));
  coverWhenHidden();
  keepButtonAboveKeyboard();
  reportUserActivity();
  listenToOtherTabs();
  // A link that differs from the open page only after `#` does not load the page again.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith(INVITATION)) location.reload();
  });
  addEventListener('online', () => dispatch({ event: 'network_returned' }));
  // The browser's report is not reliable, so the core asks the server.
  addEventListener('offline', () => dispatch({ event: 'network_changed' }));
  try {
    if (!isSecureContext) throw new Error('not a secure context');
    [handle] = await Promise.all([
      loadCore(`${folder}core.wasm`), loadSymbols(`${folder}icons/symbols.svg`),
    ]);
  } catch (error) {
    fail(error);
    return;
  }
  // The first screen changes the address, so it is read before.
  const arrivals = [takeInvitation(), takeProviderResult()];
  dispatch({
    event: 'started', page: crypto.randomUUID(), place: Addresses.first, ...userSettings(),
    ...savedProviderMenu(),
  });
  reportHiddenStart();
  for (const arrival of arrivals) if (arrival) dispatch(arrival);
  appLock.isLockSupported()
    .then((supported) => dispatch({ event: 'lock_support_checked', supported }));
  await keepUpToDate(canReload);
}

start();
