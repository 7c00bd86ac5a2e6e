// Fields: text that the user types, and values that the user chooses.

import { element, setAttributes, setText } from '../dom.js';
import { wordsIn } from '../words.js';
import { makeCallingCode } from './country-picker.js';
import { awaitCode } from './webotp.js';

const INPUT_ATTRIBUTES = {
  lines: { rows: 5 },
  text: { type: 'text', enterkeyhint: 'next', spellcheck: 'false' },
  number: { type: 'text', inputmode: 'numeric', enterkeyhint: 'done', spellcheck: 'false' },
  search: { type: 'search', enterkeyhint: 'search', autocapitalize: 'none', spellcheck: 'false' },
  date: { type: 'date' },
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

// The text of each input that the core knows. A password manager or the browser can fill in another
// one without an event. It stays until it is read.
const knownTexts = new WeakMap();

// Whether its text was filled in without an event. `value` is what the core knows of a choice.
const isFilled = (input, value) =>
  !input.dataset.composing && input.value !== (knownTexts.get(input) ?? value);

function edit(input, id, shell) {
  knownTexts.set(input, input.value);
  shell.edit(id, input.value);
}

export function makeField(first, shell) {
  const { id, kind } = first;
  if (kind === 'choice') return makeChoice(first, shell);
  const tag = kind === 'lines' ? 'textarea' : 'input';
  const input = element(tag, { id, name: id, class: 'input', ...INPUT_ATTRIBUTES[kind] });
  const label = element('label', { class: 'label', for: id });
  const support = element('p', { class: 'support', id: `${id}-support` });
  const box = element('div', { class: 'box' }, input);
  const node = element('div', { class: `field ${kind}` }, label, box, support);
  const reveal = kind === 'password' ? makeReveal(id, shell) : null;
  if (reveal) box.append(reveal);
  const updateCallingCode = kind === 'phone' ? makeCallingCode(first, box, shell) : null;
  sendEdits(input, id, shell);
  if (first.autofill === 'one-time-code') awaitCode(input);

  function update(field) {
    setText(label, field.label);
    setAttributes(input, {
      autocomplete: field.autofill,
      placeholder: field.placeholder,
      readonly: !field.enabled,
      ...errorAttributes(field, support),
      'data-digits': field.digits,
    });
    if (kind === 'password') {
      setAttributes(input, { type: field.revealed ? 'text' : 'password' });
    }
    if (reveal) updateReveal(reveal, field);
    updateCallingCode?.(field);
    if (!input.dataset.composing && !isFilled(input, input.value)) {
      if (input.value !== field.value) input.value = field.value;
      knownTexts.set(input, input.value);
    }
    updateSupport(support, field);
  }

  return { node, update };
}

const errorAttributes = ({ error, help }, support) => ({
  'aria-invalid': error ? 'true' : null,
  'aria-describedby': error || help ? support.id : null,
});

function updateSupport(support, { error, help }) {
  setAttributes(support, { class: error ? 'support error' : 'support' });
  setText(support, error ?? help ?? '');
}

// While an input method composes a character, the text of the input is not final.
function sendEdits(input, id, shell) {
  input.addEventListener('compositionstart', () => { input.dataset.composing = 'yes'; });
  input.addEventListener('compositionend', () => {
    delete input.dataset.composing;
    edit(input, id, shell);
  });
  input.addEventListener('input', () => {
    if (!input.dataset.composing) edit(input, id, shell);
  });
}

// Reads what was filled in without an event.
export function readFilled(input, { id, value }, shell) {
  if (!isFilled(input, value)) return;
  if (knownTexts.has(input)) edit(input, id, shell);
  else shell.edit(id, input.value);
}

function makeReveal(id, shell) {
  const button = element('button', { type: 'button', class: 'reveal', 'aria-controls': id });
  button.addEventListener('click', () => shell.send('password_reveal_toggled'));
  return button;
}

function updateReveal(button, { reveal, reveal_name: name, enabled }) {
  setText(button, reveal);
  setAttributes(button, { 'aria-label': name, disabled: !enabled });
}

function makeChoice({ id }, shell) {
  const select = element('select', { id, name: id, class: 'input' });
  let drawn = '';
  select.addEventListener('change', () => shell.edit(id, select.value));
  const label = element('label', { class: 'label', for: id });
  const support = element('p', { class: 'support', id: `${id}-support` });
  const node = element('div', { class: 'field choice' }, label,
    element('div', { class: 'box' }, select), support);
  return {
    node,
    update(field) {
      setText(label, field.label);
      setAttributes(select, errorAttributes(field, support));
      updateSupport(support, field);
      const choices = JSON.stringify(field.choices);
      if (drawn !== choices) {
        drawn = choices;
        select.replaceChildren(...field.choices.map((choice) =>
          element('option', { value: choice.value }, choice.name)));
      }
      select.disabled = !field.enabled;
      if (select.value !== field.value) select.value = field.value;
    },
  };
}

export function makeFields({ id, fields: first }, shell) {
  const controls = first.map((field) => makeField(field, shell));
  const node = element('div', { class: 'fields', id }, ...controls.map((control) => control.node));
  const updateSwitch = first.length > FILTERS_IN_VIEW && id === 'filters' ? makeSwitch(node) : null;
  return {
    node,
    update({ fields }) {
      fields.forEach((field, index) => controls[index].update(field));
      updateSwitch?.(fields.slice(1));
    },
  };
}

// The most filters that a phone always shows.
const FILTERS_IN_VIEW = 2;

// A button that a phone shows instead of the filters after the first one. It says how many are set.
function makeSwitch(node) {
  const button = element('button', {
    type: 'button', class: 'button secondary filter-switch', 'aria-expanded': 'false',
    'aria-controls': node.id,
  });
  button.addEventListener('click', () => {
    const isOpen = !node.hasAttribute('data-open');
    setAttributes(node, { 'data-open': isOpen });
    setAttributes(button, { 'aria-expanded': String(isOpen) });
  });
  node.firstElementChild.after(button);
  return (fields) => {
    const set = fields.filter((field) => field.value).length;
    const { filters } = wordsIn(document.documentElement.lang);
    setText(button, set ? `${filters} (${set})` : filters);
  };
}
