// Keeps the app able to open without a network, and up to date.
//
// A new version waits until it can take over whole: when the app is opened, before anything is
// typed. So no page ever runs half of one version and half of another.

export async function keepFresh() {
  if (!('serviceWorker' in navigator)) return;
  const hadWorker = navigator.serviceWorker.controller !== null;
  let registration;
  try {
    registration = await navigator.serviceWorker.register('sw.js', { updateViaCache: 'none' });
  } catch {
    // Without a worker the app needs a network to open, and works all the same.
    return;
  }
  if (hadWorker && registration.waiting) {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    });
    registration.waiting.postMessage('take over');
  }
}
