// The identity providers of this app, so that the next start shows their buttons at once. It is no
// secret, and it stays after a sign-out.

import { app } from '../app-name.js';

const KEY = `fieldpass-${app}-providers`;

// If the browser refuses storage, the server sends the providers again at the next start.
export function saveProviderMenu(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch (error) {
    console.warn(error);
  }
}

// A member of the `started` event.
export function savedProviderMenu() {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? {} : { providers: text };
  } catch {
    return {};
  }
}
