// Draws screens. Parts that stay on the screen keep their elements, so nothing flickers or loses
// the focus.

import { Addresses } from './addresses.js';
import { controls } from './controls.js';
import { readFilled } from './controls/fields.js';
import { makeHeader, makeLanguageMenu } from './controls/header.js';
import {
  makeAppearanceMenu, makeHelpButton, makeInstallOffer,
} from './controls/shell-controls.js';
import { stopAwaitingCode } from './controls/webotp.js';
import {
  canBePressed, element, isSideBySide, setAttributes, setChildren, setPhrase, symbol,
} from './dom.js';
import { showChosenLanguage } from './languages.js';

export class Renderer {
  #root;
  #send;
  #controls = new Map();
  #drawnKeys = new Set();
  #screen = { id: '', parts: [] };
  #focusSerial = 0;
  #column = null;
  #header = null;
  #statusBar = null;
  #languageMenu = null;
  #installOffer = null;
  #idToFocus = '';
  #addresses;

  // `send` takes the events for the core.
  constructor(root, send) {
    this.#root = root;
    this.#send = send;
    this.#addresses = new Addresses(
      (place) => this.send('place_opened', { place }), (button) => this.press(button));
    // A password manager or the browser can fill in a field without an event.
    for (const name of ['change', 'pointerdown', 'keydown', 'animationstart']) {
      root.addEventListener(name, () => this.#sendFilledFields(), true);
    }
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#closeMenu();
      if (event.key === '/') focusSearch(event);
      if (event.key === 'Enter') pressMainButton(event);
    });
    addEventListener('pointerdown', (event) => {
      if (!event.target.closest?.('.account')) this.#closeMenu();
    });
  }

  draw(screen) {
    const onlyItemChanges = this.#onlyItemChanges(screen);
    if (onlyItemChanges) this.#forgetOpened(screen);
    else if (screen.id !== this.#screen.id) this.#begin(screen);
    if (screen.language !== this.#screen.language) this.#changeLanguage(screen);
    const isOtherScreen = screen.id !== this.#screen.id;
    this.#screen = screen;
    setAttributes(document.documentElement, { lang: screen.language });
    if (document.title !== screen.title) document.title = screen.title;
    setAttributes(this.#root, {
      'data-screen': screen.id,
      'data-code': [...allParts(screen.parts)]
        .some((part) => part.part === 'field' && part.kind === 'code'),
      'data-back': screen.parts.some((part) => part.symbol === 'back'),
    });
    this.#drawHeader(screen);
    this.#drawStatusBar(screen);
    this.#drawLanguageMenu(screen);
    this.#drawInstallOffer(screen);
    this.#drawnKeys.clear();
    setChildren(this.#column.body, screen.parts
      .filter((part) => part.part !== 'logo')
      .map((part) => this.drawPart(part)));
    // A part that is shown again later needs a new control: its buttons may be different.
    for (const key of this.#controls.keys()) {
      if (!this.#drawnKeys.has(key)) this.#controls.delete(key);
    }
    if (onlyItemChanges && isOtherScreen && !isSideBySide()) scrollTo(0, 0);
    this.#moveFocus(screen.focus);
    if (this.#idToFocus) document.getElementById(this.#idToFocus)?.focus();
    this.#idToFocus = '';
    this.#addresses.update(screen);
  }

  get isBlank() {
    return [...allParts(this.#screen.parts)].every((part) => part.part !== 'field' || !part.value);
  }

  // Whether a reload of the page loses nothing: no text is typed, and no dialog, menu or record is
  // open.
  get canReload() {
    const { layout, back, header, parts } = this.#screen;
    return this.isBlank && layout === 'page' && !back && !header?.menu?.open
      && parts.every((part) => part.part !== 'sheet');
  }

  fail() {
    const content = document.getElementById('failure').content.cloneNode(true);
    showChosenLanguage(content);
    content.querySelector('[data-reload]').addEventListener('click', () => location.reload());
    setAttributes(this.#root, { class: 'screen form', 'data-screen': 'failure' });
    this.#root.replaceChildren(content);
  }

  press(id, item) {
    this.#sendFilledFields();
    this.send('button_pressed', { button: id, item });
  }

  // The element that gets the focus with the next screen, instead of the one that the core names.
  focusNext(id) {
    this.#idToFocus = id ?? '';
  }

  edit(id, text) {
    this.send('field_edited', { field: id, text });
  }

  send(event, members = {}) {
    this.#send({ event, ...members });
  }

  // A screen with another id gets new elements.
  #begin(screen) {
    stopAwaitingCode();
    this.#controls.clear();
    this.#header = null;
    this.#statusBar = null;
    this.#languageMenu = null;
    this.#installOffer = null;
    setAttributes(this.#root, { class: `screen ${screen.layout}` });
    const isForm = screen.layout === 'form';
    const body = element(isForm ? 'form' : 'div', {
      class: isForm ? 'card' : 'content', novalidate: isForm,
    });
    if (isForm) body.addEventListener('submit', (event) => this.#submit(event));
    const column = element('main', { class: 'column' });
    const logo = screen.parts.find((part) => part.part === 'logo');
    if (logo) column.append(controls.logo(logo).node);
    column.append(body);
    this.#column = { node: column, body };
    this.#root.replaceChildren(column);
    if (screen.id !== this.#screen.id) scrollTo(0, 0);
  }

  // Whether only the page beside the list changes. The list keeps its elements.
  #onlyItemChanges(screen) {
    const next = panesOf(screen);
    const last = panesOf(this.#screen);
    return Boolean(next && last)
      && (screen.id !== this.#screen.id || next.chosen !== last.chosen);
  }

  // The page of another item gets new elements, and starts at its top.
  #forgetOpened(screen) {
    for (const { part, id } of panesOf(screen).opened) this.#controls.delete(`${part}:${id}`);
    this.#column.body.querySelector('.panes > .split-opened').scrollTop = 0;
  }

  // Every text changes, so every control is made again. The focus and the scroll position stay.
  #changeLanguage(screen) {
    const focused = document.activeElement?.id;
    this.#begin(screen);
    this.#idToFocus = focused;
  }

  // Draws one part and returns its element. Controls that contain other parts call it, too.
  drawPart(part) {
    const key = `${part.part}:${part.id}`;
    this.#drawnKeys.add(key);
    let control = this.#controls.get(key);
    if (!control) {
      control = controls[part.part](part, this);
      control.node.dataset.part = part.id;
      this.#controls.set(key, control);
    }
    control.update(part);
    return control.node;
  }

  #drawHeader({ header }) {
    if (!header) return;
    if (!this.#header) {
      this.#header = makeHeader(header, this);
      this.#root.prepend(this.#header.node);
    }
    this.#header.update(header);
  }

  #drawStatusBar({ status_bar: status }) {
    if (!status) {
      this.#statusBar?.remove();
      this.#statusBar = null;
      return;
    }
    if (!this.#statusBar) {
      this.#statusBar = element('div', { class: 'status-bar', id: status.id },
        symbol('cloud'), element('p'));
      this.#column.node.prepend(this.#statusBar);
    }
    setPhrase(this.#statusBar.lastElementChild, status.text);
  }

  // In the account menu if there is one, otherwise below the form.
  #drawLanguageMenu({ language_menu: menu, language }) {
    if (!menu) return;
    if (!this.#languageMenu) {
      this.#languageMenu = makeLanguageMenu(menu, this);
      const node = element('div', { class: 'shell-controls' }, this.#languageMenu.node);
      const items = this.#header?.node.querySelector('.menu-items');
      if (items) node.append(makeAppearanceMenu(language));
      node.append(makeHelpButton(language));
      if (items) items.before(node);
      else this.#column.node.append(node);
    }
    this.#languageMenu.update(menu);
  }

  // On the first page of a person who is signed in.
  #drawInstallOffer({ header, back, language }) {
    const isShown = header && !back;
    if (isShown === Boolean(this.#installOffer)) return;
    this.#installOffer?.remove();
    this.#installOffer = isShown ? makeInstallOffer(language) : null;
    if (isShown) this.#column.node.append(this.#installOffer);
  }

  #submit(event) {
    event.preventDefault();
    this.#sendFilledFields();
    const primary = this.#screen.parts.find((part) =>
      part.part === 'button' && part.kind === 'primary');
    if (primary && canBePressed(primary)) this.press(primary.id);
  }

  #sendFilledFields() {
    for (const part of allParts(this.#screen.parts)) {
      if (part.part !== 'field' || !part.enabled) continue;
      const input = document.getElementById(part.id);
      if (input) readFilled(input, part, this);
    }
  }

  #moveFocus(focus) {
    if (!focus || focus.serial === this.#focusSerial) return;
    this.#focusSerial = focus.serial;
    const part = document.getElementById(focus.part) ?? document.getElementById('heading');
    const target = part?.matches('.fields') ? part.querySelector('.input') : part;
    if (!target) return;
    target.focus();
    if (target.select && target.value) target.select();
  }

  #closeMenu() {
    const menu = this.#screen.header?.menu;
    if (!menu?.open) return;
    this.press(menu.id);
    document.getElementById(menu.id)?.focus();
  }
}

// The slash key goes to the search of a page, unless the user types one or holds another key.
function focusSearch(event) {
  const search = document.querySelector('.page .search .input');
  if (!search || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.('input, select, textarea, dialog')) return;
  event.preventDefault();
  search.focus();
}

// Enter in a field of a page presses the button that sends the fields, as in a form. A search and
// the fields of a list have no such button, because they filter while the user types.
function pressMainButton(event) {
  if (event.isComposing || event.repeat || event.defaultPrevented) return;
  // WebKit ends a composition before the Enter that ends it, and gives that key the code 229.
  if (event.keyCode === 229) return;
  const input = event.target.closest?.('.page input.input');
  if (!input || input.form || input.dataset.composing) return;
  if (input.type === 'search' || input.closest('.split-list')) return;
  input.closest('dialog, .split-opened, .content')?.querySelector('.button.primary')?.click();
}

// The list of an app and the page beside it. The lists of the console are not among them.
const panesOf = ({ parts }) => parts.find((part) => part.chosen !== undefined);

// The parts, and the parts inside them.
function* allParts(parts) {
  for (const part of parts) {
    yield part;
    yield* allParts(part.fields ?? []);
    if (part.field) yield part.field;
    yield* allParts(part.list ?? []);
    yield* allParts(part.opened ?? []);
  }
}
