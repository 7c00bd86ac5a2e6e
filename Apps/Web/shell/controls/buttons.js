// Buttons, and groups of buttons.

import {
  canBePressed, element, setAttributes, setChildren, setPhrase, setText, spinner, symbol,
} from '../dom.js';

export function makeButton(first, shell) {
  const { item } = first;
  // Each of several buttons with the same id needs an element id of its own.
  const id = item === undefined ? first.id : `${first.id}-${item}`;
  const label = element('span', { class: 'button-label' });
  const button = element('button', { id });
  const reason = element('p', { class: 'reason', id: `${id}-reason` });
  const node = element('div', {}, button, reason);
  let state = first;
  let picture = null;
  button.addEventListener('click', (event) => {
    if (state.kind !== 'primary' || !button.form) press();
    else if (!canBePressed(state)) event.preventDefault();
  });
  button.append(label);

  function press() {
    if (canBePressed(state)) shell.press(first.id, item);
  }

  function update(next) {
    state = next;
    setText(label, next.label);
    // Another button can become the primary one, and keeps its focus.
    setAttributes(node, { class: `action ${next.kind}` });
    setAttributes(button, {
      class: `button ${next.kind}`, type: next.kind === 'primary' ? 'submit' : 'button',
    });
    // A busy button, or one that can explain why it is disabled, keeps the focus. So it gets
    // `aria-disabled` instead of `disabled`.
    const keepsFocus = next.busy
      || (!next.enabled && (next.explains || next.reason !== undefined));
    setAttributes(button, {
      disabled: !next.enabled && !keepsFocus,
      'aria-disabled': keepsFocus ? 'true' : null,
      'aria-busy': next.busy ? 'true' : null,
      'aria-describedby': next.reason ? reason.id : null,
    });
    setText(reason, next.reason ?? '');
    const pictureName = next.busy ? 'busy' : (next.symbol ?? '');
    if (picture?.dataset.name === pictureName) return;
    picture?.remove();
    picture = pictureName ? (next.busy ? spinner() : symbol(pictureName)) : null;
    if (!picture) return;
    picture.dataset.name = pictureName;
    button.prepend(picture);
  }

  return { node, update };
}

export function makeActions({ id }, shell) {
  const node = element('div', { class: 'actions', id });
  const controls = new Map();
  return {
    node,
    update({ buttons }) {
      setChildren(node, buttons.map((button) => {
        const key = JSON.stringify([button.id, button.item, button.kind]);
        if (!controls.has(key)) controls.set(key, makeButton(button, shell));
        controls.get(key).update(button);
        return controls.get(key).node;
      }));
    },
  };
}

export function makeToolbar({ id, button }, shell) {
  const text = element('p', { class: 'text caption' });
  const action = makeButton(button, shell);
  const node = element('div', { class: 'toolbar', id }, text, action.node);
  return {
    node,
    update(part) {
      setPhrase(text, part.text);
      action.update(part.button);
    },
  };
}
