// Whether this app can be installed, and whether the person was asked. It is offered once.

import { app } from './app-name.js';

const KEY = `fieldpass-${app}-installation`;

const isInstalled = matchMedia('(display-mode: standalone)').matches
  || navigator.standalone === true;

// Safari on a phone or a tablet has no event, so the offer says what to press there.
export const onApple = 'standalone' in navigator && !isInstalled && navigator.maxTouchPoints > 0;

let wasOffered = readOffered();
// The browser's own offer, which the app shows later.
let offer = null;
let changed = () => undefined;

function readOffered() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    // Without storage every start would ask again.
    return true;
  }
}

function end() {
  wasOffered = true;
  offer = null;
  try {
    localStorage.setItem(KEY, 'offered');
  } catch (error) {
    console.warn(error);
  }
  changed();
}

export const isOffered = () => !wasOffered && !isInstalled && (onApple || offer !== null);

// Calls the function when the offer appears or ends. Only the newest one is called.
export function onOfferChanged(act) {
  changed = act;
}

export function refuseInstallation() {
  end();
}

export async function startInstallation() {
  const current = offer;
  end();
  await current?.prompt();
}

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offer = event;
  changed();
});
addEventListener('appinstalled', end);
