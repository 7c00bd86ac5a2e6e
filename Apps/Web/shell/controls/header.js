// The header of a page with the account menu, and the language menu.

import { element, setAttributes, setChildren, setText, symbol } from '../dom.js';
import { makeButton } from './buttons.js';
import { makeChoice } from './shell-controls.js';

// The start of a word to the end of its first letter, which can be several characters: with accents
// and vowel signs, and in scripts of India with all consonants that a virama joins (क्षि).
const FIRST_LETTER =
  /^.(?:[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]\p{L}|\p{M}|\p{Emoji_Modifier}|\u200d.)*/u;

// The first letters of the first and the last name.
function initialsOf(name) {
  const words = name.split(' ').filter(Boolean);
  return [...words.slice(0, 1), ...words.slice(1).slice(-1)]
    .map((word) => FIRST_LETTER.exec(word)?.[0]).join('');
}

export function makeHeader({ menu }, shell) {
  const title = element('h1', { class: 'header-title', id: 'heading', tabindex: -1 });
  const organization = element('p', { class: 'organization' });
  const initials = element('span', { class: 'initials', 'aria-hidden': 'true' });
  const button = element('button', {
    id: menu.id, type: 'button', class: 'account-button', 'aria-controls': 'menu',
  }, initials, element('span', { class: 'account-label' }, menu.label));
  button.addEventListener('click', () => shell.press(menu.id));
  const name = element('p', { class: 'menu-name' });
  const lines = element('div', { class: 'menu-lines' });
  const items = element('div', { class: 'menu-items' });
  const list = element('div', { class: 'menu', id: 'menu', role: 'group' }, name, lines, items);
  const account = element('div', { class: 'account' }, button, list);
  const node = element('header', { class: 'header' },
    element('div', { class: 'header-inner' },
      element('div', { class: 'header-text' }, title, organization), account));
  const buttons = new Map();
  const buttonOf = (item) => {
    const key = `${item.id} ${item.item ?? ''}`;
    if (!buttons.has(key)) buttons.set(key, makeButton(item, shell));
    return buttons.get(key);
  };

  function update(header) {
    setText(title, header.title);
    setText(organization, header.organization);
    organization.hidden = header.organization === '';
    const letters = initialsOf(header.menu.name);
    if (initials.dataset.text !== letters) {
      initials.dataset.text = letters;
      initials.replaceChildren(letters || symbol('person'));
    }
    setText(name, header.menu.name);
    const text = header.menu.lines.join('\n');
    if (lines.dataset.text !== text) {
      lines.dataset.text = text;
      lines.replaceChildren(...header.menu.lines.map((line) =>
        element('p', { class: 'text caption' }, line)));
    }
    setAttributes(button, {
      'aria-expanded': String(header.menu.open), 'aria-label': header.menu.full_label,
    });
    setAttributes(list, { 'aria-label': header.menu.label });
    list.hidden = !header.menu.open;
    setChildren(items, header.menu.items.map((item) => {
      buttonOf(item).update(item);
      return buttonOf(item).node;
    }));
  }

  return { node, update };
}

// A `select` element, because it works with every keyboard and screen reader.
export function makeLanguageMenu({ id, label, choices }, shell) {
  const select = element('select', { id, name: id, 'aria-label': label }, ...choices.map(
    ({ code, name }) => element('option', { value: code, lang: code }, name)));
  select.addEventListener('change', () => shell.edit(id, select.value));
  return {
    node: makeChoice('globe', label, select),
    update({ chosen }) {
      if (select.value !== chosen) select.value = chosen;
    },
  };
}
