// Keeps the app able to open without a network, and up to date.
//
// A new version waits until it can take over whole and nobody loses anything: when the app is
// opened, or when somebody comes back to it and it is at rest. Every file of a page is loaded when it
// opens, so another window may let the new version in meanwhile: this one goes on whole as the old
// one, and none is loaded again under somebody's hands.

// A page is new for this long.
const OPENING_MILLISECONDS = 3000;
// How often it is asked, while the app is open, whether there is a newer one.
const LOOK_MILLISECONDS = 60 * 60 * 1000;

// `isAtRest` says whether the page may be loaded again without anything being lost; one that was
// just opened may, unless something was typed already.
export async function keepFresh(isAtRest) {
  if (!('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  const worker = workers.controller;
  let registration;
  try {
    registration = await workers.register('sw.js', { updateViaCache: 'none' });
  } catch {
    // Without a worker the app needs a network to open, and works all the same.
    return;
  }
  if (!worker) return;

  // Another window may have let the new version take over; then this page is of the old one.
  let isOld = workers.controller !== worker;
  // A page that was just opened may be loaded anew as long as nothing is typed.
  let isOpening = true;
  setTimeout(() => { isOpening = false; }, OPENING_MILLISECONDS);
  let isAwaited = false;
  workers.addEventListener('controllerchange', () => {
    isOld = true;
    if ((isOpening || isAwaited) && isAtRest({ isOpening })) location.reload();
    isAwaited = false;
  });

  function renew() {
    if (!isAtRest({ isOpening })) return;
    if (isOld) {
      location.reload();
    } else if (registration.waiting) {
      isAwaited = true;
      registration.waiting.postMessage('take over');
    }
  }

  let lookedAt = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    renew();
    if (performance.now() - lookedAt < LOOK_MILLISECONDS) return;
    lookedAt = performance.now();
    // With no network there is nothing newer to be had.
    registration.update().catch(() => undefined);
  });
  renew();
}
