// The header of a page with the account menu, and the language menu.

import { element, setAttributes, setChildren, setText, symbol } from '../dom.js';
import { makeButton } from './buttons.js';

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
    if (initials.dataset.text !== header.menu.initials) {
      initials.dataset.text = header.menu.initials;
      initials.replaceChildren(header.menu.initials || symbol('person'));
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
  const node = element('div', { class: 'languages' }, symbol('globe'), select);
  return {
    node,
    update({ chosen }) {
      if (select.value !== chosen) select.value = chosen;
    },
  };
}
