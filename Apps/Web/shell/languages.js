// The user's language and time zone, as the browser reports them. Also the language of the texts
// that the page shows before the core is loaded.

import { app } from './app-name.js';

const KEY = `fieldpass-${app}-language`;
const DAY_MILLISECONDS = 86_400_000;
// The app shows no times that are more days away, so it needs no other clock changes.
const TIME_ZONE_DAYS = 400;

// If the browser refuses storage, the choice lasts until the page is closed.
export function saveLanguage(tag) {
  try {
    localStorage.setItem(KEY, tag);
  } catch (error) {
    console.warn(error);
  }
}

function savedLanguage() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const offsetAt = (milliseconds) => -60 * new Date(milliseconds).getTimezoneOffset();

// The second at which the UTC offset changes between two times, by binary search.
function offsetChange(before, after) {
  const offset = offsetAt(before * 1000);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1000) === offset) low = middle;
    else high = middle;
  }
  return high;
}

// The UTC offset, and when it changes because daylight saving time begins or ends.
function timeZone() {
  const first = Date.now() - TIME_ZONE_DAYS * DAY_MILLISECONDS;
  const changes = [];
  for (let day = 0; day < 2 * TIME_ZONE_DAYS; day++) {
    const [from, to] = [first + day * DAY_MILLISECONDS, first + (day + 1) * DAY_MILLISECONDS];
    if (offsetAt(from) === offsetAt(to)) continue;
    const at = offsetChange(Math.floor(from / 1000), Math.ceil(to / 1000));
    changes.push({ at, utc_offset: offsetAt(at * 1000) });
  }
  return { utc_offset: offsetAt(first), clock_changes: changes };
}

// The members of the `started` event for the language and the time zone.
export function userSettings() {
  const language = savedLanguage();
  return { languages: [...navigator.languages], ...(language && { language }), ...timeZone() };
}

const tags = { en: 'en', hi: 'hi', nb: 'nb', no: 'nb', nn: 'nb' };

// Must choose the same language as the core.
function language() {
  const listed = navigator.languages.map((tag) => tags[tag.toLowerCase().split('-')[0]]);
  return tags[savedLanguage()] ?? listed.find(Boolean) ?? 'en';
}

// Shows the texts in the user's language, and removes those in other languages.
export function showChosenLanguage(root) {
  const chosen = language();
  for (const node of root.querySelectorAll('[data-language]')) {
    if (node.dataset.language !== chosen) node.remove();
    else node.hidden = false;
  }
  document.documentElement.lang = chosen;
}
