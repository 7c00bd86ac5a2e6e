// A long list that draws only the rows in view.

import { element, setAttributes, setPhrase, setText } from '../dom.js';
import { makePhotoBox } from './photo.js';

// The list asks for more rows when a row this close to the edge of the drawn rows is in view.
const ROWS_AHEAD = 8;
// The first list of a page shows so many rows in its first frame, and the rest in the next one.
const FIRST_ROWS = 20;
let isFirstList = true;

// The height of the list is that of all rows. The drawn rows are moved down by `part.first` rows.
export function makeVirtualList({ id }, shell) {
  const list = element('ul', { class: 'virtual-rows' });
  const node = element('div', { class: 'virtual-list', id }, list);
  const rows = new Map();
  let drawn = { first: 0, count: 0, total: 0 };

  // At most once per frame: sends the first row in view when it is near the edge of the drawn rows.
  const requestRows = oncePerFrame(() => {
    const row = list.firstElementChild;
    if (!node.isConnected || !row) return;
    const { height } = row.getBoundingClientRect();
    const first = Math.max(0, Math.floor(-node.getBoundingClientRect().top / height));
    const end = first + Math.ceil(innerHeight / height);
    const drawnEnd = drawn.first + drawn.count;
    const isNearStart = drawn.first > 0 && first - ROWS_AHEAD < drawn.first;
    const isNearEnd = drawnEnd < drawn.total && end + ROWS_AHEAD > drawnEnd;
    if (isNearStart || isNearEnd) shell.send('rows_shown', { first });
  });

  // The style sheet sets the height of a row. Text with wide letter spacing can need more. The grid
  // makes all drawn rows as high as the highest.
  const measure = oncePerFrame(() => {
    const row = list.firstElementChild;
    if (!node.isConnected || !row || drawn.total === 0) return;
    const measured = row.getBoundingClientRect().height;
    const expected = node.getBoundingClientRect().height / drawn.total;
    if (measured > expected + 0.5) node.style.setProperty('--measured-row', `${measured}px`);
  });

  addEventListener('scroll', requestRows, { passive: true });
  // An on-screen keyboard or an address bar changes only the height of the viewport, and no row.
  let width = innerWidth;
  addEventListener('resize', () => {
    if (width !== innerWidth) node.style.removeProperty('--measured-row');
    width = innerWidth;
    requestRows();
    measure();
  });

  // The part whose rows are all drawn a frame later.
  let latest = null;
  const drawRest = oncePerFrame(() => setTimeout(() => draw(latest, latest.rows)));

  function update(part) {
    latest = part;
    if (isFirstList && part.rows.length > FIRST_ROWS) {
      draw(part, part.rows.slice(0, FIRST_ROWS));
      drawRest();
    } else {
      draw(part, part.rows);
    }
    if (part.rows.length > 0) isFirstList = false;
  }

  function draw(part, shown) {
    setAttributes(list, { 'aria-label': part.label });
    node.style.setProperty('--rows', part.total);
    list.style.setProperty('--first', part.first);
    drawn = { first: part.first, count: shown.length, total: part.total };
    const nodes = shown.map((row, index) => {
      if (!rows.has(row.id)) rows.set(row.id, makeRow(row, shell));
      rows.get(row.id).update(row, part.first + index + 1, part.total);
      return rows.get(row.id).node;
    });
    const ids = new Set(shown.map((row) => row.id));
    for (const [key, row] of rows) {
      if (ids.has(key)) continue;
      row.node.remove();
      rows.delete(key);
    }
    nodes.forEach((row, index) => {
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    });
    measure();
  }

  return { node, update };
}

function oncePerFrame(act) {
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    requestAnimationFrame(() => {
      isRequested = false;
      act();
    });
  };
}

function makeRow(first, shell) {
  const title = element('span', { class: 'virtual-row-name', dir: 'auto' });
  const button = element('button', {
    type: 'button', class: 'virtual-row-open', id: `${first.action.button}-${first.action.item}`,
    'data-item': first.action.item,
  }, title);
  button.addEventListener('click', () => shell.press(first.action.button, first.action.item));
  const line = element('p', { class: 'virtual-row-line', dir: 'auto' });
  const badge = element('span');
  const note = element('span', { class: 'virtual-row-note' });
  const node = element('li', { class: 'virtual-row', 'data-id': first.id },
    element('h2', { class: 'virtual-row-title' }, button), line,
    element('p', { class: 'virtual-row-state' }, badge, note));
  let photo = null;

  // The name of the item is beside the photo, so the photo has no other text.
  function updatePhoto(digest) {
    node.classList.toggle('with-photo', Boolean(digest));
    if (!digest) {
      photo?.node.remove();
      photo = null;
      return;
    }
    photo ??= makePhotoBox();
    if (!photo.node.isConnected) node.append(photo.node);
    photo.show(digest);
  }

  function update(row, position, total) {
    setText(title, row.title);
    setText(line, row.line);
    setText(badge, row.badge.text);
    setAttributes(badge, { class: `badge ${row.badge.severity}` });
    setPhrase(note, row.note);
    updatePhoto(row.photo);
    setAttributes(node, { 'aria-posinset': position, 'aria-setsize': total });
  }

  return { node, update };
}
