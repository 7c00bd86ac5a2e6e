// Functions that make and change elements.

const SVG = 'http://www.w3.org/2000/svg';

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

// `null`, `undefined` and `false` remove an attribute; `true` is an attribute without a value.
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === true ? '' : value;
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(text)) node.setAttribute(name, text);
  }
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function symbol(name) {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', 'symbol');
  picture.setAttribute('aria-hidden', 'true');
  picture.setAttribute('focusable', 'false');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#symbol-${name}`);
  picture.append(use);
  return picture;
}

// Copies the symbols into the page, so that they are available without a network.
export async function loadSymbols(url) {
  const text = await (await fetch(url)).text();
  const sheet = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  for (const picture of sheet.querySelectorAll('symbol')) picture.id = `symbol-${picture.id}`;
  sheet.setAttribute('class', 'spoken');
  sheet.setAttribute('aria-hidden', 'true');
  document.body.append(document.importNode(sheet, true));
}

export const spinner = () => element('span', { class: 'spinner', 'aria-hidden': 'true' });

// A time, as text for people and as an ISO date for programs.
export function timeElement({ at, text }) {
  return element('time', { datetime: new Date(at * 1000).toISOString() }, text);
}

// A town and its country, in the language of the page, such as "Oslo, Norway".
function placeName({ town, country }) {
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'region' });
  const parts = town === undefined ? [names.of(country)] : [town, names.of(country)];
  return element('bdi', {}, parts.join(', '));
}

function phrasePiece(piece) {
  if (typeof piece === 'string') return piece;
  if (piece.country !== undefined) return placeName(piece);
  if (piece.unbroken === undefined) return timeElement(piece);
  return element('span', { class: 'unbroken' }, piece.unbroken);
}

// Shows text that contains times, places, and words that stay on one line.
export function setPhrase(node, pieces) {
  const text = JSON.stringify(pieces);
  if (node.dataset.phrase === text) return;
  node.dataset.phrase = text;
  node.replaceChildren(...pieces.map(phrasePiece));
}

// Whether a list of an app is shown beside the page of an item, or beside what to choose.
export function isSideBySide() {
  const panes = document.querySelectorAll('.panes > *');
  return panes.length > 0 && [...panes].every((pane) => pane.offsetParent !== null);
}

// Makes `wanted` the children, in this order. A moved node loses the focus, so few nodes are moved.
export function setChildren(parent, wanted) {
  wanted.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  while (parent.children.length > wanted.length) parent.lastElementChild.remove();
}

// Pressing a disabled button shows why it is disabled, if there is an explanation.
export function canBePressed({ enabled, explains, busy }) {
  return (enabled || explains) && !busy;
}
