// Tabs, tables, checkboxes, and a list beside the record that was opened from it.

import { element, setAttributes, setChildren, setPhrase, setText } from '../dom.js';
import { makeBadge } from './badge.js';

export function makeTabs({ id, label }, shell) {
  const list = element('ul', { class: 'tabs-list' });
  const node = element('nav', { class: 'tabs', id, 'aria-label': label }, list);
  const controls = new Map();
  return {
    node,
    update({ tabs }) {
      setChildren(list, tabs.map((tab) => {
        if (!controls.has(tab.item)) controls.set(tab.item, makeTab(tab, shell));
        const { item, button } = controls.get(tab.item);
        setText(button, tab.label);
        const wasCurrent = button.hasAttribute('aria-current');
        setAttributes(button, { 'aria-current': tab.current ? 'page' : null });
        if (tab.current && !wasCurrent) requestAnimationFrame(() => showInLine(list.parentNode, item));
        return item;
      }));
    },
  };
}

// Scrolls the line of tabs only, and not the page.
function showInLine(line, { offsetLeft, offsetWidth }) {
  line.scrollLeft = offsetLeft + offsetWidth / 2 - line.clientWidth / 2;
}

function makeTab({ item: name, button: pressed }, shell) {
  const button = element('button', { type: 'button', class: 'tab', id: `tab-${name}` });
  button.addEventListener('click', () => shell.press(pressed, name));
  return { item: element('li', {}, button), button };
}

// On a phone an entry of these tables has its facts in one line, without their names.
const BRIEF = [
  'account-list', 'products', 'requests', 'events', 'messages', 'sessions', 'history',
];

export function makeTable({ id, label_shown: isLabelShown }, shell) {
  const caption = element('caption', { class: isLabelShown ? 'table-label' : 'spoken' });
  const head = element('tr');
  const body = element('tbody');
  const style = `table${isLabelShown ? ' labelled' : ''}${BRIEF.includes(id) ? ' brief' : ''}`;
  const table = element('table', { class: style, id },
    caption, element('thead', {}, head), body);
  const node = element('div', { class: 'table-frame' }, table);
  makeScrollable(node, table, caption);
  body.addEventListener('keydown', (event) => moveToRow(event, body));
  const rows = new Map();
  let allRows = null;
  return {
    node,
    update(part) {
      setText(caption, part.label);
      if (part.check && !allRows) {
        allRows = makeRowCheck(`${id}-all`, 'check', shell);
        node.prepend(allRows.node);
      }
      if (allRows) allRows.node.hidden = !part.check;
      if (part.check) allRows.update(part.check);
      const columns = JSON.stringify([part.columns, Boolean(part.check)]);
      if (head.dataset.drawn !== columns) {
        head.dataset.drawn = columns;
        head.replaceChildren(...(part.check ? [element('td')] : []),
          ...part.columns.map((name) => element('th', { scope: 'col' }, name)));
      }
      for (const key of rows.keys()) {
        if (!part.rows.some((row) => row.id === key)) rows.delete(key);
      }
      setChildren(body, part.rows.map((row) => {
        if (!rows.has(row.id)) rows.set(row.id, makeTableRow(id, row, shell));
        rows.get(row.id).update(row, part.columns, Boolean(part.check));
        return rows.get(row.id).node;
      }));
    },
  };
}

// A region that scrolls is reachable with the keyboard. If everything fits, it is no tab stop.
function makeScrollable(frame, table, caption) {
  caption.id = `${table.id}-caption`;
  const observer = new ResizeObserver(() => {
    const scrolls = frame.scrollWidth > frame.clientWidth;
    setAttributes(frame, {
      tabindex: scrolls ? 0 : null,
      role: scrolls ? 'region' : null,
      'aria-labelledby': scrolls ? caption.id : null,
    });
  });
  observer.observe(frame);
  observer.observe(table);
}

// The arrow keys move between the titles of the rows, and between their boxes.
function moveToRow(event, body) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const kind = ['th .row-action', '.row-check input'].find((kind) => event.target.matches(kind));
  if (!step || !kind) return;
  const controls = [...body.querySelectorAll(kind)];
  event.preventDefault();
  controls[controls.indexOf(event.target) + step]?.focus();
}

// A box with a visible label, or with one for screen readers in a row.
function makeRowCheck(id, style, shell) {
  const box = element('input', { type: 'checkbox', id });
  const text = element('span', { class: style === 'check' ? null : 'spoken' });
  const node = element('label', { class: style }, box, text);
  let action;
  box.addEventListener('change', () => shell.press(action.button, action.item));
  return {
    node,
    update(check) {
      ({ action } = check);
      setText(text, check.label);
      box.checked = check.checked;
      setAttributes(box, { disabled: !check.enabled });
    },
  };
}

// The first cell is the heading of the row. If the row has an action, it is a button.
function makeTableRow(table, { id, action }, shell) {
  const node = element('tr');
  const title = action
    ? element('button', {
      type: 'button', class: 'row-action', dir: 'auto', id: `${table}-${action.item}`,
    })
    : element('span', { dir: 'auto' });
  if (action) title.addEventListener('click', () => shell.press(action.button, action.item));
  const note = element('span', { class: 'row-note', dir: 'auto' });
  const head = element('th', { scope: 'row' }, title);
  const box = makeRowCheck(`${table}-${id}-check`, 'row-check', shell);
  const boxCell = element('td', { class: 'box-cell' }, box.node);
  let drawn = '';

  function update(row, columns, hasBoxes) {
    const next = JSON.stringify([row, columns, hasBoxes]);
    if (drawn === next) return;
    drawn = next;
    const [first, ...others] = row.cells;
    setPhrase(title, first.text);
    setText(note, row.note ?? '');
    setChildren(head, row.note ? [title, note] : [title]);
    setAttributes(node, { class: row.current ? 'current' : null });
    setAttributes(title, { 'aria-current': row.current ? 'true' : null });
    box.node.hidden = !row.check;
    if (row.check) box.update(row.check);
    // The box keeps its place, so that it keeps the focus.
    setChildren(node, [...(hasBoxes ? [boxCell] : []), head, ...others.map((cell, index) => {
      const text = element('span', { class: 'cell', dir: 'auto' });
      if (cell.action) {
        text.append(makeCellButton(`${table}-${row.id}-${index}`, cell, shell));
      } else {
        // A phrase of several parts has no gap between them.
        const phrase = element('span', { dir: 'auto' });
        setPhrase(phrase, cell.text);
        if (phrase.textContent) text.append(phrase);
      }
      text.append(...cell.badges.map(makeBadge));
      return element('td', {},
        element('span', { class: 'cell-name', 'aria-hidden': 'true' }, columns[index + 1]), text);
    })]);
  }

  return { node, update };
}

function makeCellButton(id, { text, action }, shell) {
  const button = element('button', { type: 'button', class: 'row-action', id });
  setPhrase(button, text);
  button.addEventListener('click', () => shell.press(action.button, action.item));
  return button;
}

// The core alone knows which boxes are checked.
export function makeChecks({ id, label, button }, shell) {
  const support = element('p', { class: 'support', id: `${id}-support` });
  const legend = element('legend', { class: 'label' }, label);
  const list = element('div', { class: 'checks-list' });
  const node = element('fieldset', { class: 'checks', id, tabindex: -1 }, legend, list, support);
  const controls = new Map();
  return {
    node,
    update({ checks, error, help }) {
      setChildren(list, checks.map((check) => {
        if (!controls.has(check.item)) {
          controls.set(check.item, makeCheck(check, id, button, shell));
        }
        controls.get(check.item).update(check);
        return controls.get(check.item).node;
      }));
      setText(support, error ?? help ?? '');
      setAttributes(support, { class: error ? 'support error' : 'support' });
      setAttributes(node, { 'aria-describedby': error || help ? support.id : null });
    },
  };
}

function makeCheck({ item }, list, button, shell) {
  const box = element('input', { type: 'checkbox', id: `${list}-${item}`, name: list });
  box.addEventListener('change', () => shell.press(button, item));
  const text = element('span', { dir: 'auto' });
  const node = element('label', { class: 'check' }, box, text);
  return {
    node,
    update({ label, checked, enabled }) {
      setText(text, label);
      box.checked = checked;
      box.disabled = !enabled;
    },
  };
}

export function makeSplit({ id }, shell) {
  const list = element('div', { class: 'split-list' });
  const opened = element('div', { class: 'split-opened' });
  const split = element('div', { id }, list, opened);
  // The row that gets the focus when its record is closed.
  let row = '';
  split.addEventListener('keydown', (event) => {
    if (!closesOpened(event, split)) return;
    row = list.querySelector('[aria-current="true"]')?.id ?? '';
    shell.press('back');
  });
  return {
    node: element('div', { class: 'split-frame' }, split),
    update(part) {
      setChildren(list, part.list.map((inner) => shell.drawPart(inner)));
      setChildren(opened, part.opened.map((inner) => shell.drawPart(inner)));
      const { chosen } = part;
      const isOpened = chosen === undefined ? part.opened.length > 0 : chosen !== '';
      setAttributes(split, {
        class: chosen === undefined ? 'split' : 'split panes', 'data-opened': isOpened,
      });
      if (chosen !== undefined) markRow(list, chosen);
      if (isOpened || !row) return;
      shell.focusNext(row);
      row = '';
    },
  };
}

function markRow(list, chosen) {
  for (const button of list.querySelectorAll('[data-item]')) {
    const isChosen = button.dataset.item === chosen;
    setAttributes(button, { 'aria-current': isChosen ? 'true' : null });
    button.closest('li').classList.toggle('current', isChosen);
  }
}

// Escape closes the record and returns to its row. In a field it does nothing, so that no typed text
// is lost. A key that is held closes one thing only.
function closesOpened(event, split) {
  return event.key === 'Escape' && !event.repeat && split.hasAttribute('data-opened')
    && !event.target.closest('input, select, textarea');
}
