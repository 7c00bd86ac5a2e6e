// The parts of a window with more than one thing in it: tabs, tables, and a split view.

import { arrange, change, element, phrase, write } from './dom.js';
import { makeButton, makeField } from './parts.js';

export const windows = {
  tabs({ id, label }, shell) {
    const list = element('ul', { class: 'tabs-list' });
    const node = element('nav', { class: 'tabs', id, 'aria-label': label }, list);
    const made = new Map();
    return {
      node,
      update({ tabs }) {
        arrange(list, tabs.map((tab) => {
          if (!made.has(tab.item)) made.set(tab.item, makeTab(tab, shell));
          const { item, button } = made.get(tab.item);
          write(button, tab.label);
          change(button, { 'aria-current': tab.current ? 'page' : null });
          return item;
        }));
      },
    };
  },

  table({ id, label_shown: isShown }, shell) {
    const caption = element('caption', { class: isShown ? 'table-label' : 'spoken' });
    const head = element('tr');
    const body = element('tbody');
    const table = element('table', { class: isShown ? 'table labelled' : 'table', id }, caption, element('thead', {}, head), body);
    const node = element('div', { class: 'table-place' }, table);
    const rows = new Map();
    return {
      node,
      update(part) {
        write(caption, part.label);
        const said = JSON.stringify(part.columns);
        if (head.dataset.said !== said) {
          head.dataset.said = said;
          head.replaceChildren(...part.columns.map((name) =>
            element('th', { scope: 'col' }, name)));
        }
        for (const known of rows.keys()) {
          if (!part.rows.some((row) => row.id === known)) rows.delete(known);
        }
        arrange(body, part.rows.map((row) => {
          const next = JSON.stringify([row, part.columns]);
          let shown = rows.get(row.id);
          if (!shown) rows.set(row.id, shown = makeTableRow(id, row, shell));
          if (shown.said !== next) {
            shown.said = next;
            shown.update(row, part.columns);
          }
          return shown.node;
        }));
      },
    };
  },

  actions({ id }, shell) {
    const node = element('div', { class: 'actions', id });
    const made = new Map();
    return {
      node,
      update({ buttons }) {
        arrange(node, buttons.map((button) => {
          const key = JSON.stringify([button.id, button.item, button.kind]);
          if (!made.has(key)) made.set(key, makeButton(button, shell));
          made.get(key).update(button);
          return made.get(key).node;
        }));
      },
    };
  },

  fields({ id, fields: first }, shell) {
    const made = first.map((field) => makeField(field, shell));
    const node = element('div', { class: 'fields', id }, ...made.map((field) => field.node));
    return {
      node,
      update: ({ fields }) => fields.forEach((field, index) => made[index].update(field)),
    };
  },

  // Boxes to tick; what is chosen is known to the core alone.
  checks({ id, label, button }, shell) {
    const support = element('p', { class: 'support error', id: `${id}-support` });
    const legend = element('legend', { class: 'label' }, label);
    const list = element('div', { class: 'checks-list' });
    const node = element('fieldset', { class: 'checks', id, tabindex: -1 }, legend, list, support);
    const made = new Map();
    return {
      node,
      update({ checks, error }) {
        arrange(list, checks.map((check) => {
          if (!made.has(check.item)) made.set(check.item, makeCheck(check, id, button, shell));
          made.get(check.item).update(check);
          return made.get(check.item).node;
        }));
        write(support, error ?? '');
        change(node, { 'aria-describedby': error ? support.id : null });
      },
    };
  },

  split({ id }, shell) {
    const list = element('div', { class: 'split-list' });
    const opened = element('div', { class: 'split-opened' });
    const node = element('div', { class: 'split', id }, list, opened);
    return {
      node,
      update(part) {
        arrange(list, part.list.map((inner) => shell.part(inner)));
        arrange(opened, part.opened.map((inner) => shell.part(inner)));
        change(node, { 'data-opened': part.opened.length > 0 });
      },
    };
  },
};

export function makeChoice({ id, choices }, shell) {
  const select = element('select', { id, name: id, class: 'input' }, ...choices.map((choice) =>
    element('option', { value: choice.value }, choice.name)));
  select.addEventListener('change', () => shell.edit(id, select.value));
  const label = element('label', { class: 'label', for: id });
  const support = element('p', { class: 'support', id: `${id}-support` });
  const node = element('div', { class: 'field choice' }, label,
    element('div', { class: 'box' }, select), support);
  return {
    node,
    update(field) {
      write(label, field.label);
      change(select, {
        'aria-invalid': field.error ? 'true' : null,
        'aria-describedby': field.error || field.help ? support.id : null,
      });
      change(support, { class: field.error ? 'support error' : 'support' });
      write(support, field.error ?? field.help ?? '');
      select.disabled = !field.enabled;
      if (select.value !== field.value) select.value = field.value;
    },
  };
}

function makeCheck({ item }, list, button, shell) {
  const box = element('input', { type: 'checkbox', id: `${list}-${item}`, name: list });
  box.addEventListener('change', () => shell.press(button, item));
  const words = element('span', { dir: 'auto' });
  const node = element('label', { class: 'check' }, box, words);
  return {
    node,
    update({ label, on, enabled }) {
      write(words, label);
      box.checked = on;
      box.disabled = !enabled;
    },
  };
}

function makeTab({ item: name, button: pressed }, shell) {
  const button = element('button', { type: 'button', class: 'tab', id: `tab-${name}` });
  button.addEventListener('click', () => shell.press(pressed, name));
  return { item: element('li', {}, button), button };
}

export const makeBadge = ({ severity, text }) => element('span', { class: `badge ${severity}` }, text);

// The first cell names its row; where there is an action it is the button that opens it.
function makeTableRow(table, { action }, shell) {
  const node = element('tr');
  const words = action
    ? element('button', { type: 'button', class: 'row-action', dir: 'auto', id: `${table}-${action.item}` })
    : element('span', { dir: 'auto' });
  if (action) words.addEventListener('click', () => shell.press(action.button, action.item));
  const head = element('th', { scope: 'row' }, words);

  function update(row, columns) {
    const [first, ...rest] = row.cells;
    phrase(words, first.text);
    change(node, { class: row.current ? 'current' : null });
    change(words, { 'aria-current': row.current ? 'true' : null });
    node.replaceChildren(head, ...rest.map((cell, index) => {
      const text = element('span', { class: 'cell', dir: 'auto' });
      phrase(text, cell.text);
      text.append(...cell.badges.map(makeBadge));
      return element('td', {},
        element('span', { class: 'cell-name', 'aria-hidden': 'true' }, columns[index + 1]), text);
    }));
  }

  return { node, update };
}
