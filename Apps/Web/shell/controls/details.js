// The details of one record: terms and values, and values that can be copied.

import { element, setPhrase, setText } from '../dom.js';
import { makeBadge } from './badge.js';

const COPIED_MILLISECONDS = 3000;

export function makeDetails({ id }) {
  const heading = element('h2', { class: 'details-title', id, tabindex: -1, dir: 'auto' });
  const badges = element('p', { class: 'badges' });
  const list = element('dl', { class: 'details-list' });
  const node = element('section', { class: 'details', 'aria-labelledby': id },
    element('div', { class: 'details-head' }, heading, badges), list);
  let drawn = '';
  return {
    node,
    update(part) {
      setText(heading, part.title);
      const next = JSON.stringify([part.badges, part.details]);
      if (drawn === next) return;
      drawn = next;
      badges.replaceChildren(...part.badges.map(makeBadge));
      badges.hidden = part.badges.length === 0;
      list.replaceChildren(...part.details.map(detailElement));
    },
  };
}

function detailElement({ label, text, copy }) {
  const value = element('dd', { dir: copy ? 'ltr' : 'auto', class: copy ? 'grouped' : null });
  if (copy) {
    const groups = copy.groups.map((group) => element('span', {}, group));
    value.append(element('span', { class: 'groups' }, ...groups), copyButton(copy));
  } else {
    setPhrase(value, text);
  }
  return element('div', { class: 'detail' }, element('dt', {}, label), value);
}

// The value is shown in groups of characters; the copy has no spaces between them.
function copyButton({ groups, label, full_label: name, done }) {
  const text = element('span', { 'aria-hidden': 'true' }, label);
  const status = element('span', { class: 'spoken', role: 'status' });
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': name }, text);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(groups.join(''));
    setText(text, done);
    setText(status, done);
    setTimeout(() => {
      setText(text, label);
      setText(status, '');
    }, COPIED_MILLISECONDS);
  });
  return element('span', { class: 'copying' }, button, status);
}
