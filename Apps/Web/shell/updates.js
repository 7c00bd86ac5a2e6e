// Makes the app open without a network, and keeps it up to date.
//
// A page loads all its files when it opens, so it works to the end with the version it has. A new
// version takes over only when a reload loses nothing: when the app is opened, or when the user
// returns to it and nothing is typed or open. If another tab lets the new version take over, this
// page stays on the old one and is not reloaded while it is in use.

import { folder } from './app-name.js';

// For this long, a page counts as just opened.
const OPENING_MILLISECONDS = 3000;
// How often an open app checks for a new version.
const CHECK_MILLISECONDS = 60 * 60 * 1000;

// `canReload({ isOpening })` says whether a reload loses nothing. A page that was just opened can
// be reloaded unless the user has typed something.
export async function keepUpToDate(canReload) {
  if (!('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  const worker = workers.controller;
  let registration;
  try {
    registration = await workers.register(`${folder}sw.js`, { updateViaCache: 'none' });
  } catch {
    // Without a service worker the app works, but it needs a network to open.
    return;
  }
  if (!worker) return;

  // Whether the new version has taken over, so that the files of this page are old.
  let isOld = workers.controller !== worker;
  let isOpening = true;
  setTimeout(() => { isOpening = false; }, OPENING_MILLISECONDS);
  let requestedTakeover = false;
  workers.addEventListener('controllerchange', () => {
    isOld = true;
    if ((isOpening || requestedTakeover) && canReload({ isOpening })) location.reload();
    requestedTakeover = false;
  });

  function updatePage() {
    if (!canReload({ isOpening })) return;
    if (isOld) {
      location.reload();
    } else if (registration.waiting) {
      requestedTakeover = true;
      registration.waiting.postMessage('take over');
    }
  }

  let checkedAt = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    updatePage();
    if (performance.now() - checkedAt < CHECK_MILLISECONDS) return;
    checkedAt = performance.now();
    // The check fails without a network. The next one tries again.
    registration.update().catch(() => undefined);
  });
  updatePage();
}
