// Carries events to the core and does what it asks; it knows nothing of signing in.

import { app } from './app-name.js';
import { loadCore } from './core.js';
import { loadSymbols } from './dom.js';
import { keepLanguage, person, speak } from './languages.js';
import { Renderer } from './renderer.js';
import { keepFresh } from './updates.js';
import * as vault from './vault.js';
import * as wire from './wire.js';

const TICK_MILLISECONDS = 1000;
// Long enough to be heard of, short enough not to be come across as if it were still true.
const SPOKEN_MILLISECONDS = 3000;
const RENEWAL_LOCK = `${app}-renewal`;

// What changes who is signed in on this device.
const KEEPING = new Set(['save_session', 'erase_session', 'erase_if_still']);

let handle = null;
let ticking = null;
let releaseRenewal = null;

// What is stored is stored in order, and before any later request leaves.
let stored = Promise.resolve();

function inOrder(act) {
  stored = stored.then(act);
  return stored;
}

const renderer = new Renderer(document.getElementById('screen'), tell);
let told = 0;
let drawn = 0;

// An older screen never takes the place of a newer one.
function draw(screen, number) {
  if (number < drawn) return;
  drawn = number;
  renderer.draw(screen);
}

function tell(event) {
  if (!handle) return;
  try {
    const answer = handle({ ...event, at: Date.now() });
    if (answer.error) throw new Error(answer.error);
    const number = ++told;
    const keeps = answer.effects.some(({ effect }) => KEEPING.has(effect));
    if (!keeps) draw(answer.screen, number);
    for (const effect of answer.effects) effects[effect.effect](effect);
    // Who is shown as signed in, or out, can close the page at once and it stays so.
    if (keeps) stored.then(() => draw(answer.screen, number));
  } catch (error) {
    // After a trap the core's memory means nothing; the sealed session is untouched.
    handle = null;
    renderer.fail();
    console.error(error);
  }
}

const effects = {
  async call(call) {
    await stored;
    tell({ event: 'answered', request: call.request, ...(await wire.send(call)) });
  },
  async make_verifier() {
    tell({ event: 'verifier_made', ...(await wire.makeVerifier()) });
  },
  read_session() {
    inOrder(async () => tell({ event: 'storage_read', ...(await vault.readSession()) }));
  },
  save_session({ value }) {
    inOrder(() => vault.saveSession(value).catch(() => tell({ event: 'session_save_refused' })));
  },
  erase_session() {
    // A store that cannot be opened holds nothing that could be kept from it.
    inOrder(() => vault.eraseSession().catch(() => undefined));
  },
  erase_if_still({ value }) {
    inOrder(async () => {
      const kept = await vault.readSession();
      if (kept.value === value) await vault.eraseSession().catch(() => undefined);
    });
  },
  claim_renewal() {
    const claimed = async () => {
      const released = new Promise((resolve) => { releaseRenewal = resolve; });
      tell({ event: 'renewal_claimed', ...(await vault.readSession()) });
      await released;
    };
    if (navigator.locks) navigator.locks.request(RENEWAL_LOCK, claimed);
    else claimed();
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

function coverWhenHidden() {
  const cover = document.getElementById('cover');
  document.addEventListener('visibilitychange', () => {
    cover.hidden = document.visibilityState === 'visible';
    if (document.visibilityState === 'visible') tell({ event: 'ticked' });
  });
}

async function start() {
  speak(document.getElementById('screen'));
  coverWhenHidden();
  addEventListener('online', () => tell({ event: 'network_returned' }));
  try {
    if (!isSecureContext) throw new Error('not a secure context');
    [handle] = await Promise.all([loadCore('core.wasm'), loadSymbols('icons/symbols.svg')]);
  } catch (error) {
    renderer.fail();
    console.error(error);
    return;
  }
  tell({ event: 'started', app, page: crypto.randomUUID(), ...person() });
  await keepFresh();
}

start();
