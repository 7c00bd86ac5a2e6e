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
      setChildren(node, sections.map((section) => sectionElement(section, shell)));
    },
  };
}

function sectionElement({ id, title, rows, empty }, shell) {
  const heading = element('h2', { class: 'section-title', id });
  setPhrase(heading, title);
  const list = rows.length > 0
    ? element('ul', { class: 'rows', 'aria-labelledby': id },
      ...rows.map((row) => rowElement(row, shell)))
    : element('p', { class: 'text muted' }, empty);
  return element('section', { 'aria-labelledby': id }, heading, list);
}

function rowElement({ from, to, title, lines, badge, action }, shell) {
  const time = element('p', { class: 'row-time' }, timeElement(from), ' – ', timeElement(to));
  return element('li', { class: 'row' },
    element('div', { class: 'row-head' }, time, makeBadge(badge)),
    rowTitle({ title, action }, shell),
    ...lines.map((line) => element('p', { class: 'row-line' }, symbol(line.symbol),
      element('span', { dir: 'auto' }, line.text))));
}

function rowTitle({ title, action }, shell) {
  if (!action) return element('h3', { class: 'row-title', dir: 'auto' }, title);
  const button = element('button', { type: 'button', class: 'row-action', dir: 'auto' }, title);
  button.addEventListener('click', () => shell.press(action.button, action.item));
  return element('h3', { class: 'row-title' }, button);
}
