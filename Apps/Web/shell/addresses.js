// Keeps the address of the browser, its history and the scroll positions equal to what is shown.
//
// The core names the shown place as a path below the address of the app. A new place becomes a new
// entry of the history. If the entry before it has the place, the browser goes back instead, so
// that the history does not grow when the user goes back with a button of the page.

import { folder } from './app-name.js';
import { isSideBySide } from './dom.js';

// Browsers limit how often a page may change its address, and a search changes it with each letter.
const REPLACE_MILLISECONDS = 400;
// The position of a page that is still loading is restored when the page is long enough.
const RESTORE_MILLISECONDS = 5000;

const FILE = 'index.html';
function shownAddress() {
  const path = location.pathname.slice(folder.length);
  return (path === FILE ? '' : path) + location.search;
}

// A place without the options of its list, such as `?query=lamp`. They have a value, and Back does
// not undo them. A query without a value, such as `?edit`, is a place of its own.
const withoutOptions = (path) => path.replace(/[?&][^?&=]*=[^&]*/g, '');

// The number of parts of a place. An item of a list has one more than the list.
const depth = (path) => withoutOptions(path).split(/[/?]/).length;

export class Addresses {
  #open;
  #press;
  #screen = { layout: 'form' };
  // The scroll position of each place.
  #tops = history.state?.tops ?? {};
  // The position that is restored, and until when.
  #restoring = null;
  // The browser is on its way back, and its event has not arrived.
  #isGoingBack = false;
  #hasGuard = false;
  #hasShownPage = false;
  // A change of the filter that waits, its timer, and the time of the last change.
  #waiting = null;
  #timer = null;
  #replacedAt = -REPLACE_MILLISECONDS;

  // `open` gets a place that the user chose with the browser, `press` the Back button of a form.
  constructor(open, press) {
    this.#open = open;
    this.#press = press;
    history.scrollRestoration = 'manual';
    this.#restore();
    addEventListener('popstate', () => this.#moved());
    addEventListener('scroll', () => this.#scrolled(), { passive: true });
    addEventListener('pagehide', () => this.#store());
    for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
      addEventListener(name, () => { this.#restoring = null; }, { passive: true });
    }
  }

  static get first() {
    return shownAddress();
  }

  // After each screen that was drawn.
  update(screen) {
    this.#screen = screen;
    if (this.#isGoingBack) return;
    this.#guard(screen);
    if (!this.#isGoingBack) this.#show(screen);
    this.#scroll();
  }

  // While a form has a Back button, there is one more history entry with the same address. So the
  // browser's Back presses that button and does not leave the app.
  #guard({ layout, back, path }) {
    const needsGuard = Boolean(back) && (layout === 'form' || path === undefined);
    if (needsGuard && !this.#hasGuard) {
      this.#hasGuard = true;
      history.pushState({ ...history.state, guards: true }, '');
    } else if (!needsGuard && this.#hasGuard) {
      this.#hasGuard = false;
      if (history.state?.guards) this.#goBack();
    }
  }

  #show({ layout, path }) {
    if (this.#waiting !== null && withoutOptions(path ?? '') !== withoutOptions(this.#waiting)) {
      this.#replace(this.#waiting);
    }
    const shown = shownAddress();
    if (path === undefined || path === shown) {
      this.#stopWaiting();
      if (layout === 'page') this.#hasShownPage = true;
      return;
    }
    if (layout === 'form') return this.#replace(path);
    const isFirst = !this.#hasShownPage;
    this.#hasShownPage = true;
    if (isFirst) this.#replace(path);
    else if (withoutOptions(path) === withoutOptions(shown)) this.#replaceLater(path);
    else if (this.#leadsBack(path, shown)) this.#goBack();
    else this.#push(path, shown);
  }

  // Whether the entry before this one has the place. The options of a list can change beside an
  // item, and those of an item beside a part of it. The entry gets them when the browser is back.
  #leadsBack(path, shown) {
    const { from } = history.state ?? {};
    const isFromPart = depth(shown) > depth(path);
    return from === path
      || (isFromPart && from !== undefined && withoutOptions(from) === withoutOptions(path));
  }

  #push(path, from) {
    this.#restoring = null;
    // A list beside the page of an item stays where it is.
    if (isSideBySide()) this.#tops[path] = scrollY;
    else delete this.#tops[path];
    history.pushState({ from, tops: this.#tops }, '', folder + path);
  }

  #replace(path) {
    this.#stopWaiting();
    this.#replacedAt = performance.now();
    history.replaceState(history.state, '', folder + path);
  }

  // The first change is made at once, and the last one of a series after a pause.
  #replaceLater(path) {
    const wait = this.#replacedAt + REPLACE_MILLISECONDS - performance.now();
    if (wait <= 0) {
      this.#replace(path);
      return;
    }
    clearTimeout(this.#timer);
    this.#waiting = path;
    this.#timer = setTimeout(() => this.#replace(path), wait);
  }

  #stopWaiting() {
    clearTimeout(this.#timer);
    this.#waiting = null;
  }

  #goBack() {
    this.#isGoingBack = true;
    history.back();
  }

  #moved() {
    if (this.#isGoingBack) {
      this.#isGoingBack = false;
      this.#restore();
      this.update(this.#screen);
    } else if (this.#hasGuard) {
      this.#hasGuard = false;
      if (this.#screen.back) this.#press(this.#screen.back);
    } else {
      this.#stopWaiting();
      this.#restore();
      this.#open(shownAddress());
    }
  }

  #scrolled() {
    if (!this.#restoring) this.#tops[shownAddress()] = scrollY;
  }

  #store() {
    if (this.#waiting !== null) this.#replace(this.#waiting);
    history.replaceState({ ...history.state, tops: this.#tops }, '');
  }

  #restore() {
    const top = isSideBySide() ? 0 : this.#tops[shownAddress()];
    this.#restoring = top ? { top, until: performance.now() + RESTORE_MILLISECONDS } : null;
  }

  #scroll() {
    if (!this.#restoring || this.#screen.layout !== 'page') return;
    const { top, until } = this.#restoring;
    if (Math.abs(scrollY - top) > 1) scrollTo(0, top);
    if (Math.abs(scrollY - top) <= 1 || performance.now() > until) this.#restoring = null;
  }
}
