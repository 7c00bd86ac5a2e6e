// Titles, texts, banners, notes, progress, facts and empty states.

import { folder } from '../app-name.js';
import {
  element, setAttributes, setPhrase, setText, spinner, symbol,
} from '../dom.js';
import { mapAddress } from '../maps.js';

export function makeLogo({ name, app }) {
  const picture = element('img', { src: `${folder}icons/logo.svg`, alt: '', width: 44, height: 44 });
  const node = element('p', { class: 'logo' }, picture, ' ',
    element('span', { class: 'logo-names' }, element('span', {}, name), ' ',
      element('span', { class: 'logo-app' }, app)));
  return { node, update() {} };
}

export function makeTitle({ id }) {
  const node = element('h1', { class: 'title', id, tabindex: -1 });
  return { node, update: ({ text }) => setText(node, text) };
}

export function makeText({ id, tone }) {
  const node = element('p', { class: `text ${tone}`, id });
  return { node, update: ({ text }) => setPhrase(node, text) };
}

// The text and a banner use the same space, so that a banner moves nothing below it.
export function makeLead({ id }, shell) {
  const text = element('p', { class: 'text muted' });
  const node = element('div', { class: 'lead', id }, text);
  let drawnBanner = '';
  return {
    node,
    update(part) {
      const banner = part.banner ? JSON.stringify(part.banner) : '';
      if (drawnBanner !== banner) {
        drawnBanner = banner;
        node.replaceChildren(part.banner ? bannerElement(part.banner, shell) : text);
      }
      setPhrase(text, part.text);
    },
  };
}

export function makeBanner(part, shell) {
  const node = element('div');
  let drawnText = '';
  return {
    node,
    update(next) {
      if (drawnText === next.text) return;
      drawnText = next.text;
      node.replaceChildren(bannerElement(next, shell));
    },
  };
}

function bannerElement({ severity, text, dismissal }, shell) {
  const node = element('div', { class: `banner ${severity}` }, symbol(severity),
    element('p', { class: 'banner-text' }, text));
  if (dismissal) {
    const dismiss = element('button', { type: 'button', class: 'dismiss' }, dismissal);
    dismiss.addEventListener('click', () => shell.send('banner_dismissed'));
    node.append(dismiss);
  }
  return node;
}

export function makeDivider({ id }) {
  const node = element('p', { class: 'divider', id });
  return { node, update: ({ text }) => setText(node, text) };
}

export function makeNote({ id }) {
  const words = element('span');
  const node = element('p', { class: 'note', id }, words);
  let drawnSeverity;
  return {
    node,
    update({ text, severity }) {
      setText(words, text);
      if (drawnSeverity === severity) return;
      drawnSeverity = severity;
      setAttributes(node, { class: severity ? `note ${severity}` : 'note' });
      const hasSymbol = severity && severity !== 'neutral';
      node.replaceChildren(...(hasSymbol ? [symbol(severity)] : []), words);
    },
  };
}

export function makeProgress({ id }) {
  const label = element('p', { class: 'text muted' });
  const node = element('div', { class: 'progress', id }, spinner(), label);
  return { node, update: ({ label: text }) => setText(label, text) };
}

export function makeFact({ id, symbol: name }) {
  const words = element('p', { id, dir: 'auto' });
  const node = element('div', { class: 'fact' }, symbol(name), words);
  let anchor = null;
  return {
    node,
    update({ text, link }) {
      setPhrase(words, text);
      if (!link) return;
      const { address, label } = link;
      const opened = mapAddress(address);
      if (!anchor) {
        // A call or the map app of a phone stays in this tab, because it opens no page.
        const target = opened.startsWith('https:') ? '_blank' : null;
        anchor = element('a', {
          class: 'fact-link', target, rel: 'noreferrer', 'aria-describedby': id,
        });
        node.append(anchor);
      }
      setText(anchor, label);
      setAttributes(anchor, { href: opened });
    },
  };
}

export function makeEmpty({ id, symbol: name }) {
  const title = element('h2', { class: 'empty-title' });
  const text = element('p', { class: 'text muted' });
  const picture = element('span', { class: 'empty-picture' }, symbol(name));
  const node = element('div', { class: 'empty', id }, picture, title, text);
  return {
    node,
    update(part) {
      setText(title, part.title);
      setText(text, part.text);
    },
  };
}

// A heading below the header, with the state of what the page shows.
export function makeSubject({ id }) {
  const heading = element('h2', { class: 'title', id, tabindex: -1, dir: 'auto' });
  const label = element('span');
  const node = element('div', { class: 'subject' }, heading, label);
  return {
    node,
    update({ text, badge }) {
      setText(heading, text);
      setText(label, badge?.text ?? '');
      setAttributes(label, { class: badge ? `badge ${badge.severity}` : null });
    },
  };
}

export function makeFigures({ id, label }, shell) {
  const node = element('dl', { class: 'figures', id, 'aria-label': label });
  let drawn = '';
  return {
    node,
    update({ figures }) {
      const next = JSON.stringify(figures);
      if (drawn === next) return;
      drawn = next;
      node.replaceChildren(...figures.map((figure, index) => element('div', { class: 'figure' },
        element('dt', {}, figure.label),
        element('dd', {}, makeFigureValue(`${id}-${index}`, figure, shell)))));
    },
  };
}

// A figure with an action is a button, which also says what the figure counts.
function makeFigureValue(id, { label, value, action }, shell) {
  if (!action) return String(value);
  const button = element('button', {
    type: 'button', class: 'row-action', id, 'aria-label': `${label}: ${value}`,
  }, String(value));
  button.addEventListener('click', () => shell.press(action.button, action.item));
  return button;
}
