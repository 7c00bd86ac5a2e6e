// Cards, each with a title, texts and one button.

import { element, setChildren, setPhrase, setText } from '../dom.js';
import { makeBadge } from './badge.js';
import { makeButton } from './buttons.js';

export function makeActionCards({ id }, shell) {
  const node = element('ul', { class: 'action-cards', id });
  const controls = new Map();
  return {
    node,
    update({ cards }) {
      setChildren(node, cards.map((card) => {
        if (!controls.has(card.id)) controls.set(card.id, makeActionCard(card, shell));
        controls.get(card.id).update(card);
        return controls.get(card.id).node;
      }));
    },
  };
}

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
  let drawn = '';

  function update(card) {
    const { button, ...content } = card;
    const next = JSON.stringify(content);
    if (drawn !== next) {
      drawn = next;
      setText(title, card.title);
      head.replaceChildren(title, ...(card.badge ? [makeBadge(card.badge)] : []));
      words.replaceChildren(head, ...card.lines.map((line) => {
        const text = element('p', { class: 'text caption' });
        setPhrase(text, line);
        return text;
      }));
    }
    if (button) action?.update(button);
  }

  return { node, update };
}
