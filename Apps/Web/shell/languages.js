// What this device knows of its person's language and clock; and the few words that are said
// before there is a core to say them, or without one.

import { app } from './app-name.js';

const KEY = `fieldpass-${app}-language`;
const DAY_MILLISECONDS = 86_400_000;
// Further away nothing is planned, and governments change their minds.
const CLOCK_DAYS = 400;

// A choice that cannot be kept holds as long as the page does.
export function keepLanguage(tag) {
  try {
    localStorage.setItem(KEY, tag);
  } catch (error) {
    console.warn(error);
  }
}

function keptLanguage() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const offsetAt = (milliseconds) => -60 * new Date(milliseconds).getTimezoneOffset();

// The second in which the clock changes between the two, found by halving.
function changeBetween(before, after) {
  const offset = offsetAt(before * 1000);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1000) === offset) low = middle;
    else high = middle;
  }
  return high;
}

// When summer time begins and ends, around today.
function clock() {
  const first = Date.now() - CLOCK_DAYS * DAY_MILLISECONDS;
  const changes = [];
  for (let day = 0; day < 2 * CLOCK_DAYS; day++) {
    const [from, to] = [first + day * DAY_MILLISECONDS, first + (day + 1) * DAY_MILLISECONDS];
    if (offsetAt(from) === offsetAt(to)) continue;
    const at = changeBetween(Math.floor(from / 1000), Math.ceil(to / 1000));
    changes.push({ at, utc_offset: offsetAt(at * 1000) });
  }
  return { utc_offset: offsetAt(first), clock_changes: changes };
}

// The members of the `started` event that speak of the person.
export function person() {
  const language = keptLanguage();
  return { languages: [...navigator.languages], ...(language && { language }), ...clock() };
}

const tags = { en: 'en', hi: 'hi', nb: 'nb', no: 'nb', nn: 'nb' };

// The same choice as the core's.
function language() {
  const listed = navigator.languages.map((tag) => tags[tag.toLowerCase().split('-')[0]]);
  return tags[keptLanguage()] ?? listed.find(Boolean) ?? 'en';
}

// Shows those of an element's words that are in the person's language.
export function speak(root) {
  const chosen = language();
  for (const node of root.querySelectorAll('[data-language]')) {
    if (node.dataset.language !== chosen) node.remove();
    else node.hidden = false;
  }
  document.documentElement.lang = chosen;
}
