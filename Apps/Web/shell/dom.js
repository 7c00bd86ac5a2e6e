// Small words for making and changing elements.

const SVG = 'http://www.w3.org/2000/svg';

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  change(node, attributes);
  node.append(...children);
  return node;
}

// Null and false take an attribute away; true is an attribute without a value.
export function change(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === true ? '' : value;
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(text)) node.setAttribute(name, text);
  }
}

export function write(node, text) {
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

// The pictures are taken into the page once, so that they are there when the network is not.
export async function loadSymbols(url) {
  const text = await (await fetch(url)).text();
  const sheet = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  for (const picture of sheet.querySelectorAll('symbol')) picture.id = `symbol-${picture.id}`;
  sheet.setAttribute('class', 'spoken');
  sheet.setAttribute('aria-hidden', 'true');
  document.body.append(document.importNode(sheet, true));
}

export const spinner = () => element('span', { class: 'spinner', 'aria-hidden': 'true' });

// A moment in words, and for machines.
export function moment({ at, text }) {
  return element('time', { datetime: new Date(at * 1000).toISOString() }, text);
}

function piece(value) {
  if (typeof value === 'string') return value;
  if (value.isolated !== undefined) return element('bdi', {}, value.isolated);
  if (value.unbroken === undefined) return moment(value);
  return element('span', { class: 'unbroken' }, value.unbroken);
}

// Words with moments among them, and words that belong on one line.
export function phrase(node, pieces) {
  const text = JSON.stringify(pieces);
  if (node.dataset.phrase === text) return;
  node.dataset.phrase = text;
  node.replaceChildren(...pieces.map(piece));
}

// Keeps the children in the order of `wanted`, moving as few as can be: a moved node loses focus.
export function arrange(parent, wanted) {
  wanted.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  while (parent.children.length > wanted.length) parent.lastElementChild.remove();
}

// One that is disabled and explains itself is pressed for the explanation.
export function canBePressed({ enabled, explains, busy }) {
  return (enabled || explains) && !busy;
}
