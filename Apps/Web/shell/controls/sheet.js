// A question in a modal dialog, with the buttons that answer it.

import { canBePressed, element, setPhrase, setText } from '../dom.js';
import { makeButton } from './buttons.js';
import { makeField } from './fields.js';

export function makeSheet({ id, field: firstField, paragraphs = [], buttons }, shell) {
  const heading = element('h2', { class: 'title', id, tabindex: -1, autofocus: true });
  const text = element('p', { class: 'text body', id: `${id}-text` });
  const more = paragraphs.map((paragraph, index) =>
    element('p', { class: 'text body', id: `${id}-text-${index}` }, paragraph));
  const field = firstField ? makeField(firstField, shell) : null;
  const answers = buttons.map((button) => makeButton(button, shell));
  const dialog = element('dialog', {
    class: 'sheet',
    'aria-labelledby': id,
    'aria-describedby': [text, ...more].map((paragraph) => paragraph.id).join(' '),
  }, heading, text, ...more, ...(field ? [field.node] : []), ...answers.map(({ node }) => node));
  let state = { buttons };
  // Escape must not close the dialog, because the question needs an answer. It answers with Cancel.
  // A browser may still close the dialog after the second Escape, so it opens again.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    const cancel = state.buttons.find((button) => button.id === 'cancel');
    // Typed text stays.
    if (cancel && canBePressed(cancel) && !state.field?.value) shell.press(cancel.id);
  });
  const node = element('div', { class: 'sheet-holder' }, dialog);
  const open = () => {
    if (!dialog.isConnected || dialog.matches(':modal')) return;
    // A dialog that was removed from the page keeps its `open` attribute.
    dialog.close();
    dialog.showModal();
  };
  dialog.addEventListener('close', open);
  return {
    node,
    update(part) {
      state = part;
      setText(heading, part.title);
      setPhrase(text, part.text);
      field?.update(part.field);
      part.buttons.forEach((button, index) => answers[index].update(button));
      queueMicrotask(open);
    },
  };
}
