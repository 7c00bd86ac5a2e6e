// Sections of a page, each with a heading and a list of rows.

import { element, setChildren, setPhrase, symbol, timeElement } from '../dom.js';
import { makeBadge } from './badge.js';

export function makeSections({ id }, shell) {
  const node = element('div', { class: 'sections', id });
  let drawn = '';
  return {
    node,
    update({ sections }) {
      const next = JSON.stringify(sections);
      if (drawn === next) return;
      drawn = next;
      const focused = node.contains(document.activeElement) ? document.activeElement.id : '';
      setChildren(node, sections.map((section) => sectionElement(section, shell)));
      if (focused) document.getElementById(focused)?.focus();
    },
  };
}

function sectionElement({ id, title, rows, empty, fold, next }, shell) {
  const heading = element('h2', { class: 'section-title', id });
  setPhrase(fold ? foldButton(heading, fold, shell) : heading, title);
  const list = rows.length > 0
    ? element('ul', { class: 'rows', 'aria-labelledby': id },
      ...rows.map((row) => rowElement(row, shell)))
    : empty ? element('p', { class: 'text muted' }, empty) : '';
  return element('section', { 'aria-labelledby': id, class: next ? 'next' : null }, heading, list);
}

// The button in the heading of a section whose rows can be hidden.
function foldButton(heading, { button: id, open }, shell) {
  const button = element('button', {
    type: 'button', class: 'fold', id, 'aria-expanded': String(open),
  });
  button.addEventListener('click', () => shell.press(id));
  heading.append(button);
  return button;
}

function rowElement({ day, from, to, title, lines, badge, action }, shell) {
  const time = element('p', { class: 'row-time' }, ...(day ? [timeElement(day), ', '] : []),
    timeElement(from), ' – ', timeElement(to));
  return element('li', { class: 'row' },
    element('div', { class: 'row-head' }, time, makeBadge(badge)),
    rowTitle({ title, action }, shell),
    ...lines.map((line) => element('p', { class: 'row-line' }, symbol(line.symbol),
      element('span', { dir: 'auto' }, line.text))));
}

function rowTitle({ title, action }, shell) {
  if (!action) return element('h3', { class: 'row-title', dir: 'auto' }, title);
  const button = element('button', {
    type: 'button', class: 'row-action', id: `${action.button}-${action.item}`,
    'data-item': action.item, dir: 'auto',
  }, title);
  button.addEventListener('click', () => shell.press(action.button, action.item));
  return element('h3', { class: 'row-title' }, button);
}
