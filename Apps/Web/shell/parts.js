// The few parts every screen is made of: each makes its element once and then keeps it true.

import { makePhone } from './countries.js';
import { awaitCode } from './codes.js';
import {
  arrange, canBePressed, change, element, moment, phrase, spinner, symbol, write,
} from './dom.js';
import { makeChoice, windows } from './windows.js';
import { makeDetails, makeWindow } from './products.js';

export const parts = {
  mark({ name }) {
    const picture = element('img', { src: 'icons/mark.svg', alt: '', width: 44, height: 44 });
    const node = element('p', { class: 'mark' }, picture, ' ', element('span', {}, name));
    return { node, update() {} };
  },

  title({ id }) {
    const node = element('h1', { class: 'title', id, tabindex: -1 });
    return { node, update: ({ text }) => write(node, text) };
  },

  text({ id, tone }) {
    const node = element('p', { class: `text ${tone}`, id });
    return { node, update: ({ text }) => phrase(node, text) };
  },

  // Calm words and a banner share one place, so that nothing below moves.
  lead({ id }, shell) {
    const words = element('p', { class: 'text muted' });
    const node = element('div', { class: 'lead', id }, words);
    let shown = null;
    return {
      node,
      update({ text, banner }) {
        const said = banner ? JSON.stringify(banner) : '';
        if (shown !== said) {
          shown = said;
          node.replaceChildren(banner ? makeBanner(banner, shell) : words);
        }
        phrase(words, text);
      },
    };
  },

  banner(part, shell) {
    const node = element('div');
    let said = '';
    return {
      node,
      update(next) {
        if (said === next.text) return;
        said = next.text;
        node.replaceChildren(makeBanner(next, shell));
      },
    };
  },

  field(part, shell) {
    return makeField(part, shell);
  },

  button(part, shell) {
    return makeButton(part, shell);
  },

  note({ id }) {
    const words = element('span');
    const node = element('p', { class: 'note', id }, words);
    let shown;
    return {
      node,
      update({ text, severity }) {
        write(words, text);
        if (shown === severity) return;
        shown = severity;
        change(node, { class: severity ? `note ${severity}` : 'note' });
        const pictured = severity && severity !== 'neutral';
        node.replaceChildren(...(pictured ? [symbol(severity)] : []), words);
      },
    };
  },

  progress({ id }) {
    const label = element('p', { class: 'text muted' });
    const node = element('div', { class: 'progress', id }, spinner(), label);
    return { node, update: ({ label: text }) => write(label, text) };
  },

  fact({ id, symbol: name }) {
    const words = element('p', { id });
    const node = element('div', { class: 'fact' }, symbol(name), words);
    return { node, update: ({ text }) => phrase(words, text) };
  },

  empty({ id, symbol: name }) {
    const title = element('h2', { class: 'empty-title' });
    const words = element('p', { class: 'text muted' });
    const picture = element('span', { class: 'empty-picture' }, symbol(name));
    const node = element('div', { class: 'empty', id }, picture, title, words);
    return {
      node,
      update(part) {
        write(title, part.title);
        write(words, part.text);
      },
    };
  },

  subject({ id }) {
    const words = element('h2', { class: 'title', id, tabindex: -1, dir: 'auto' });
    const label = element('span');
    const node = element('div', { class: 'subject' }, words, label);
    return {
      node,
      update({ text, badge }) {
        write(words, text);
        write(label, badge?.text ?? '');
        change(label, { class: badge ? `badge ${badge.severity}` : null });
      },
    };
  },

  action_cards({ id }, shell) {
    const node = element('ul', { class: 'action-cards', id });
    const made = new Map();
    return {
      node,
      update({ cards }) {
        arrange(node, cards.map((card) => {
          if (!made.has(card.id)) made.set(card.id, makeActionCard(card, shell));
          made.get(card.id).update(card);
          return made.get(card.id).node;
        }));
      },
    };
  },

  // The browser itself keeps the focus inside, and everything else out of reach.
  sheet({ id, field, paragraphs = [], buttons }, shell) {
    const heading = element('h2', { class: 'title', id, tabindex: -1, autofocus: true });
    const words = element('p', { class: 'text body', id: `${id}-text` });
    const made = buttons.map((button) => makeButton(button, shell));
    const asked = field ? makeField(field, shell) : null;
    const said = paragraphs.map((text, index) =>
      element('p', { class: 'text body', id: `${id}-text-${index}` }, text));
    const dialog = element('dialog', {
      class: 'sheet',
      'aria-labelledby': id,
      'aria-describedby': [words, ...said].map((paragraph) => paragraph.id).join(' '),
    }, heading, words, ...said, ...(asked ? [asked.node] : []), ...made.map((button) => button.node));
    // What is asked must be answered: Escape is no answer.
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    const node = element('div', { class: 'sheet-place' }, dialog);
    const open = () => {
      if (!dialog.isConnected || dialog.matches(':modal')) return;
      // One that was taken away still believes that it is open.
      dialog.close();
      dialog.showModal();
    };
    return {
      node,
      update(part) {
        write(heading, part.title);
        phrase(words, part.text);
        asked?.update(part.field);
        part.buttons.forEach((button, index) => made[index].update(button));
        queueMicrotask(open);
      },
    };
  },

  figures({ id, label }) {
    const node = element('dl', { class: 'figures', id, 'aria-label': label });
    let said = '';
    return {
      node,
      update({ figures }) {
        const next = JSON.stringify(figures);
        if (said === next) return;
        said = next;
        node.replaceChildren(...figures.map((figure) => element('div', { class: 'figure' },
          element('dt', {}, figure.label), element('dd', {}, String(figure.value)))));
      },
    };
  },

  window(part, shell) {
    return makeWindow(part, shell);
  },

  details(part) {
    return makeDetails(part);
  },

  toolbar({ id, button }, shell) {
    const words = element('p', { class: 'text caption' });
    const action = makeButton(button, shell);
    const node = element('div', { class: 'toolbar', id }, words, action.node);
    return {
      node,
      update(part) {
        phrase(words, part.text);
        action.update(part.button);
      },
    };
  },

  ...windows,

  sections({ id }, shell) {
    const node = element('div', { class: 'sections', id });
    let said = '';
    return {
      node,
      update({ sections }) {
        const next = JSON.stringify(sections);
        if (said === next) return;
        said = next;
        arrange(node, sections.map((section) => makeSection(section, shell)));
      },
    };
  },
};

function makeActionCard(first, shell) {
  const title = element('h2', { class: 'row-title', id: `card-${first.id}`, dir: 'auto' });
  const head = element('div', { class: 'action-card-head' }, title);
  const words = element('div', { class: 'action-card-words' }, head);
  const node = element('li', { class: 'action-card' }, words);
  const action = first.button ? makeButton(first.button, shell) : null;
  if (action) {
    node.append(action.node);
    action.node.querySelector('button').setAttribute('aria-describedby', title.id);
  }
  let said = '';

  function update(card) {
    const { button, ...rest } = card;
    if (said !== JSON.stringify(rest)) {
      said = JSON.stringify(rest);
      write(title, card.title);
      head.replaceChildren(title, ...(card.badge
        ? [element('span', { class: `badge ${card.badge.severity}` }, card.badge.text)] : []));
      words.replaceChildren(head, ...card.lines.map((line) => {
        const text = element('p', { class: 'text caption' });
        phrase(text, line);
        return text;
      }));
    }
    if (button) action?.update(button);
  }

  return { node, update };
}

function makeBanner({ severity, text, dismissal }, shell) {
  const node = element('div', { class: `banner ${severity}` }, symbol(severity),
    element('p', { class: 'banner-text' }, text));
  if (dismissal) {
    const dismiss = element('button', { type: 'button', class: 'dismiss' }, dismissal);
    dismiss.addEventListener('click', () => shell.tell('banner_dismissed'));
    node.append(dismiss);
  }
  return node;
}

const inputs = {
  lines: { rows: 5 },
  text: { type: 'text', enterkeyhint: 'next', spellcheck: 'false' },
  number: { type: 'text', inputmode: 'numeric', enterkeyhint: 'done', spellcheck: 'false' },
  search: { type: 'search', enterkeyhint: 'search', autocapitalize: 'none', spellcheck: 'false' },
  email: {
    type: 'email', inputmode: 'email', enterkeyhint: 'next', autocapitalize: 'none',
    spellcheck: 'false',
  },
  password: { enterkeyhint: 'go', autocapitalize: 'none', spellcheck: 'false' },
  phone: { type: 'tel', inputmode: 'tel', enterkeyhint: 'go' },
  code: {
    type: 'text', inputmode: 'numeric', enterkeyhint: 'go', pattern: '[0-9]*',
    spellcheck: 'false',
  },
};

export function makeField(first, shell) {
  const { id, kind } = first;
  if (kind === 'choice') return makeChoice(first, shell);
  const tag = kind === 'lines' ? 'textarea' : 'input';
  const input = element(tag, { id, name: id, class: 'input', ...inputs[kind] });
  const label = element('label', { class: 'label', for: id });
  const support = element('p', { class: 'support', id: `${id}-support` });
  const box = element('div', { class: 'box' }, input);
  const node = element('div', { class: `field ${kind}` }, label, box, support);
  const reveal = kind === 'password' ? makeReveal(id, shell) : null;
  if (reveal) box.append(reveal);
  const phone = kind === 'phone' ? makePhone(first, box, shell) : null;
  listen(input, id, shell);
  if (first.autofill === 'one-time-code') awaitCode(input);

  function update(field) {
    write(label, field.label);
    change(input, {
      autocomplete: field.autofill,
      placeholder: field.placeholder,
      readonly: !field.enabled,
      'aria-invalid': field.error ? 'true' : null,
      'aria-describedby': field.error || field.help ? support.id : null,
      'data-digits': field.digits,
    });
    if (kind === 'password') change(input, { type: field.revealed ? 'text' : 'password' });
    if (reveal) updateReveal(reveal, field);
    phone?.(field);
    if (input.value !== field.value && !input.dataset.composing) input.value = field.value;
    change(support, { class: field.error ? 'support error' : 'support' });
    write(support, field.error ?? field.help ?? '');
  }

  return { node, update };
}

// While a keyboard composes a character, its text is not yet what the person means.
function listen(input, id, shell) {
  input.addEventListener('compositionstart', () => { input.dataset.composing = 'yes'; });
  input.addEventListener('compositionend', () => {
    delete input.dataset.composing;
    shell.edit(id, input.value);
  });
  input.addEventListener('input', () => {
    if (!input.dataset.composing) shell.edit(id, input.value);
  });
}

function makeReveal(id, shell) {
  const button = element('button', { type: 'button', class: 'reveal', 'aria-controls': id });
  button.addEventListener('click', () => shell.tell('password_reveal_toggled'));
  return button;
}

function updateReveal(button, { reveal, reveal_name: name, enabled }) {
  write(button, reveal);
  change(button, { 'aria-label': name, disabled: !enabled });
}

export function makeButton(first, shell) {
  const { kind, item } = first;
  // One of many alike has an element of its own.
  const id = item === undefined ? first.id : `${first.id}-${item}`;
  const label = element('span', { class: 'button-label' });
  const button = element('button', {
    id, class: `button ${kind}`, type: kind === 'primary' ? 'submit' : 'button',
  });
  const reason = element('p', { class: 'reason', id: `${id}-reason` });
  const node = element('div', { class: `action ${kind}` }, button, reason);
  let state = first;
  let picture = null;
  if (kind !== 'primary') button.addEventListener('click', () => press());
  else button.addEventListener('click', (event) => {
    if (!button.form) press();
    else if (!canBePressed(state)) event.preventDefault();
  });
  button.append(label);

  function press() {
    if (canBePressed(state)) shell.press(first.id, item);
  }

  function update(next) {
    state = next;
    write(label, next.label);
    // Busy or waiting buttons keep the focus; only one with nothing to say is truly disabled.
    const waits = next.busy || (!next.enabled && (next.explains || next.reason !== undefined));
    change(button, {
      disabled: !next.enabled && !waits,
      'aria-disabled': waits ? 'true' : null,
      'aria-busy': next.busy ? 'true' : null,
      'aria-describedby': next.reason ? reason.id : null,
    });
    write(reason, next.reason ?? '');
    const wanted = next.busy ? 'busy' : (next.symbol ?? '');
    if (picture?.dataset.name === wanted) return;
    picture?.remove();
    picture = wanted ? (next.busy ? spinner() : symbol(wanted)) : null;
    if (!picture) return;
    picture.dataset.name = wanted;
    button.prepend(picture);
  }

  return { node, update };
}

function makeSection({ id, title, rows, empty }, shell) {
  const heading = element('h2', { class: 'section-title', id });
  phrase(heading, title);
  const list = rows.length > 0
    ? element('ul', { class: 'rows', 'aria-labelledby': id }, ...rows.map((row) => makeRow(row, shell)))
    : element('p', { class: 'text muted nothing' }, empty);
  return element('section', { 'aria-labelledby': id }, heading, list);
}

function makeRowTitle({ title, action }, shell) {
  if (!action) return element('h3', { class: 'row-title', dir: 'auto' }, title);
  const button = element('button', { type: 'button', class: 'row-action', dir: 'auto' }, title);
  button.addEventListener('click', () => shell.press(action.button, action.item));
  return element('h3', { class: 'row-title' }, button);
}

function makeRow({ from, to, title, lines, badge, action }, shell) {
  const time = element('p', { class: 'row-time' }, moment(from), ' – ', moment(to));
  const label = element('span', { class: `badge ${badge.severity}` }, badge.text);
  return element('li', { class: 'row' },
    element('div', { class: 'row-head' }, time, label),
    makeRowTitle({ title, action }, shell),
    ...lines.map((line) =>
      element('p', { class: 'row-line' }, symbol(line.symbol), element('span', { dir: 'auto' }, line.text))));
}

// The platform's own list: it works with every keyboard, reader and thumb.
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

export function makeHeader({ menu }, shell) {
  const place = element('h1', { class: 'place', id: 'heading', tabindex: -1 });
  const organization = element('p', { class: 'organization' });
  const initials = element('span', { class: 'initials', 'aria-hidden': 'true' });
  const button = element('button', {
    id: menu.id, type: 'button', class: 'account-button', 'aria-controls': 'menu',
  }, initials, element('span', { class: 'account-label' }, menu.label));
  button.addEventListener('click', () => shell.press(menu.id));
  const name = element('p', { class: 'menu-name' });
  const lines = element('div', { class: 'menu-lines' });
  const items = element('div', { class: 'menu-items' });
  const sheet = element('div', { class: 'menu', id: 'menu', role: 'group' }, name, lines, items);
  const account = element('div', { class: 'account' }, button, sheet);
  const node = element('header', { class: 'header' },
    element('div', { class: 'header-inner' },
      element('div', { class: 'where' }, place, organization), account));
  const made = new Map();
  const itemOf = (item) => {
    const key = `${item.id} ${item.item ?? ''}`;
    if (!made.has(key)) made.set(key, makeButton(item, shell));
    return made.get(key);
  };

  function update(header) {
    write(place, header.place);
    write(organization, header.organization);
    organization.hidden = header.organization === '';
    if (initials.dataset.text !== header.menu.initials) {
      initials.dataset.text = header.menu.initials;
      initials.replaceChildren(header.menu.initials || symbol('person'));
    }
    write(name, header.menu.name);
    const text = header.menu.lines.join('\n');
    if (lines.dataset.text !== text) {
      lines.dataset.text = text;
      lines.replaceChildren(...header.menu.lines.map((line) =>
        element('p', { class: 'text caption' }, line)));
    }
    change(button, {
      'aria-expanded': String(header.menu.open), 'aria-label': header.menu.full_label,
    });
    change(sheet, { 'aria-label': header.menu.label });
    sheet.hidden = !header.menu.open;
    arrange(items, header.menu.items.map((item) => {
      itemOf(item).update(item);
      return itemOf(item).node;
    }));
  }

  return { node, update };
}
