// A long list of which only the rows in sight are drawn, and one thing with all its details.

import { change, element, phrase, write } from './dom.js';
import { makeBadge } from './windows.js';

// How near the edge of what is drawn a row may come into sight before more are asked for.
const ROWS_AHEAD = 8;

// The rows in the screen hold their places among all of them by the room that is left above.
export function makeWindow({ id }, shell) {
  const list = element('ul', { class: 'window-rows' });
  const node = element('div', { class: 'window', id }, list);
  const rows = new Map();
  let drawn = { first: 0, count: 0, total: 0 };
  let waits = false;

  // Which rows are in sight is told at most once a frame, and before the last one drawn is.
  function look() {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      const row = list.firstElementChild;
      if (!node.isConnected || !row) return;
      const { height } = row.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-node.getBoundingClientRect().top / height));
      const end = first + Math.ceil(innerHeight / height);
      const drawnEnd = drawn.first + drawn.count;
      const isNearBegin = drawn.first > 0 && first - ROWS_AHEAD < drawn.first;
      const isNearEnd = drawnEnd < drawn.total && end + ROWS_AHEAD > drawnEnd;
      if (isNearBegin || isNearEnd) shell.send({ event: 'rows_shown', first });
    });
  }

  // Rows are as high as the style sheet says, unless text needs more, such as with wide letter
  // spacing. A grid makes all of them as high as the highest.
  let isMeasuring = false;
  function measure() {
    if (isMeasuring) return;
    isMeasuring = true;
    requestAnimationFrame(() => {
      isMeasuring = false;
      const row = list.firstElementChild;
      if (!node.isConnected || !row || drawn.total === 0) return;
      const needed = row.getBoundingClientRect().height;
      const given = node.getBoundingClientRect().height / drawn.total;
      if (needed > given + 0.5) node.style.setProperty('--taken', `${needed}px`);
    });
  }

  addEventListener('scroll', look, { passive: true });
  // A keyboard or an address bar changes the height alone, and no row.
  let width = innerWidth;
  addEventListener('resize', () => {
    if (width !== innerWidth) node.style.removeProperty('--taken');
    width = innerWidth;
    look();
    measure();
  });

  function update(part) {
    change(list, { 'aria-label': part.label });
    node.style.setProperty('--rows', part.total);
    list.style.setProperty('--first', part.first);
    drawn = { first: part.first, count: part.rows.length, total: part.total };
    const wanted = part.rows.map((row, index) => {
      let shown = rows.get(row.id);
      if (!shown) {
        shown = makeRow(row, shell);
        rows.set(row.id, shown);
      }
      shown.update(row, part.first + index + 1, part.total);
      return shown.node;
    });
    const present = new Set(part.rows.map((row) => row.id));
    for (const [key, shown] of rows) {
      if (present.has(key)) continue;
      shown.node.remove();
      rows.delete(key);
    }
    wanted.forEach((row, index) => {
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    });
    measure();
  }

  return { node, update };
}

function makeRow(first, shell) {
  const title = element('span', { class: 'product-name', dir: 'auto' });
  const button = element('button', { type: 'button', class: 'product-open' }, title);
  button.addEventListener('click', () => shell.press(first.action.button, first.action.item));
  const line = element('p', { class: 'product-line', dir: 'auto' });
  const badge = element('span');
  const note = element('span', { class: 'product-note' });
  const node = element('li', { class: 'product', 'data-id': first.id },
    element('h2', { class: 'product-title' }, button), line,
    element('p', { class: 'product-state' }, badge, note));

  function update(row, position, total) {
    write(title, row.title);
    write(line, row.line);
    write(badge, row.badge.text);
    change(badge, { class: `badge ${row.badge.severity}` });
    phrase(note, row.note);
    change(node, { 'aria-posinset': position, 'aria-setsize': total });
  }

  return { node, update };
}

export function makeDetails({ id }) {
  const heading = element('h2', { class: 'details-title', id, tabindex: -1, dir: 'auto' });
  const badges = element('p', { class: 'badges' });
  const list = element('dl', { class: 'details-list' });
  const node = element('section', { class: 'details', 'aria-labelledby': id },
    element('div', { class: 'details-head' }, heading, badges), list);
  let said = '';
  return {
    node,
    update(part) {
      write(heading, part.title);
      const next = JSON.stringify([part.badges, part.details]);
      if (said === next) return;
      said = next;
      badges.replaceChildren(...part.badges.map(makeBadge));
      badges.hidden = part.badges.length === 0;
      list.replaceChildren(...part.details.map(makeDetail));
    },
  };
}

function makeDetail({ label, text, copy }) {
  const value = element('dd', { dir: copy ? 'ltr' : 'auto', class: copy ? 'grouped' : null });
  if (copy) {
    const groups = copy.groups.map((group) => element('span', {}, group));
    value.append(element('span', { class: 'groups' }, ...groups), makeCopy(copy));
  } else {
    phrase(value, text);
  }
  return element('div', { class: 'detail' }, element('dt', {}, label), value);
}

// What stands in groups is copied whole, without the room between them.
function makeCopy({ groups, label, full_label: name, done }) {
  const words = element('span', { 'aria-hidden': 'true' }, label);
  const said = element('span', { class: 'spoken', role: 'status' });
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': name }, words);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(groups.join(''));
    write(words, done);
    write(said, done);
    setTimeout(() => {
      write(words, label);
      write(said, '');
    }, 3000);
  });
  return element('span', { class: 'copying' }, button, said);
}
