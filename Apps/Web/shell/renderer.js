// Draws screens: the same parts are kept and changed, so that nothing flickers or loses focus.

import { arrange, canBePressed, change, element, phrase, symbol, write } from './dom.js';
import { forgetCode } from './codes.js';
import { speak } from './languages.js';
import { parts, makeHeader, makeLanguageMenu } from './parts.js';

export class Renderer {
  #root;
  #tell;
  #shown = new Map();
  #drawn = new Set();
  #screen = { id: '', parts: [] };
  #focusSerial = 0;
  #column = null;
  #header = null;
  #status = null;
  #languages = null;
  #refocus = '';
  #isGuarded = false;

  constructor(root, tell) {
    this.#root = root;
    this.#tell = tell;
    // What a password manager or the browser filled in may come without an event.
    for (const name of ['change', 'pointerdown', 'keydown', 'animationstart']) {
      root.addEventListener(name, () => this.#takeFilledFields(), true);
    }
    addEventListener('popstate', () => this.#wentBack());
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#closeMenu();
    });
    addEventListener('pointerdown', (event) => {
      if (!event.target.closest?.('.account')) this.#closeMenu();
    });
  }

  draw(screen) {
    if (screen.id !== this.#screen.id) this.#begin(screen);
    else if (screen.language !== this.#screen.language) this.#speakAnew(screen);
    this.#screen = screen;
    change(document.documentElement, { lang: screen.language });
    if (document.title !== screen.title) document.title = screen.title;
    change(this.#root, {
      'data-screen': screen.id,
      'data-code': [...every(screen.parts)]
        .some((part) => part.part === 'field' && part.kind === 'code'),
      'data-back': screen.parts.some((part) => part.symbol === 'back'),
    });
    this.#drawHeader(screen);
    this.#drawStatus(screen);
    this.#drawLanguageMenu(screen);
    this.#drawn.clear();
    arrange(this.#column.body, screen.parts
      .filter((part) => part.part !== 'mark')
      .map((part) => this.part(part)));
    // What comes back later is another thing, perhaps with other buttons.
    for (const key of this.#shown.keys()) if (!this.#drawn.has(key)) this.#shown.delete(key);
    this.#guardWayBack(screen);
    this.#moveFocus(screen.focus);
    if (this.#refocus) document.getElementById(this.#refocus)?.focus();
    this.#refocus = '';
  }

  // Nothing is typed.
  get isBlank() {
    return [...every(this.#screen.parts)].every((part) => part.part !== 'field' || !part.value);
  }

  // Nothing is typed, asked or opened that would be gone if the page were loaded again.
  get isAtRest() {
    const { layout, back, header, parts: shown } = this.#screen;
    return this.isBlank && layout === 'page' && !back && !header?.menu?.open
      && shown.every((part) => part.part !== 'sheet');
  }

  fail() {
    const content = document.getElementById('failure').content.cloneNode(true);
    speak(content);
    content.querySelector('[data-reload]').addEventListener('click', () => location.reload());
    change(this.#root, { class: 'screen form', 'data-screen': 'failure' });
    this.#root.replaceChildren(content);
  }

  press(id, item) {
    this.#tell({ event: 'button_pressed', button: id, item });
  }

  edit(id, text) {
    this.#tell({ event: 'field_edited', field: id, text });
  }

  tell(event) {
    this.#tell({ event });
  }

  // An event with more to it than its name.
  send(event) {
    this.#tell(event);
  }

  // A new screen is built from nothing; only a screen that is drawn again keeps its parts.
  #begin(screen) {
    forgetCode();
    this.#shown.clear();
    this.#header = null;
    this.#status = null;
    this.#languages = null;
    change(this.#root, { class: `screen ${screen.layout}` });
    const isForm = screen.layout === 'form';
    const body = element(isForm ? 'form' : 'div', {
      class: isForm ? 'card' : 'content', novalidate: isForm,
    });
    if (isForm) body.addEventListener('submit', (event) => this.#submit(event));
    const column = element('main', { class: 'column' });
    const mark = screen.parts.find((part) => part.part === 'mark');
    if (mark) column.append(parts.mark(mark).node);
    column.append(body);
    this.#column = { node: column, body };
    this.#root.replaceChildren(column);
    if (screen.id !== this.#screen.id) scrollTo(0, 0);
  }

  // Every word changes, so every part is made anew; whoever chose the language stays where they are.
  #speakAnew(screen) {
    const focused = document.activeElement?.id;
    this.#begin(screen);
    this.#refocus = focused;
  }

  // Also called by parts that hold others.
  part(part) {
    const key = `${part.part}:${part.id}`;
    this.#drawn.add(key);
    let shown = this.#shown.get(key);
    if (!shown) {
      shown = parts[part.part](part, this);
      shown.node.dataset.part = part.id;
      this.#shown.set(key, shown);
    }
    shown.update(part);
    return shown.node;
  }

  #drawHeader({ header }) {
    if (!header) return;
    if (!this.#header) {
      this.#header = makeHeader(header, this);
      this.#root.prepend(this.#header.node);
    }
    this.#header.update(header);
  }

  // Stands while it has something to say, above the content and below the header.
  #drawStatus({ status_bar: status }) {
    if (!status) {
      this.#status?.remove();
      this.#status = null;
      return;
    }
    if (!this.#status) {
      this.#status = element('div', { class: 'status-bar', id: status.id },
        symbol('cloud'), element('p'));
      this.#column.node.prepend(this.#status);
    }
    phrase(this.#status.lastElementChild, status.text);
  }

  // In the account's menu where there is one, below the form where there is none.
  #drawLanguageMenu({ language_menu: menu }) {
    if (!menu) return;
    if (!this.#languages) {
      this.#languages = makeLanguageMenu(menu, this);
      const items = this.#header?.node.querySelector('.menu-items');
      if (items) items.before(this.#languages.node);
      else this.#column.node.append(this.#languages.node);
    }
    this.#languages.update(menu);
  }

  #submit(event) {
    event.preventDefault();
    this.#takeFilledFields();
    const primary = this.#screen.parts.find((part) =>
      part.part === 'button' && part.kind === 'primary');
    if (primary && canBePressed(primary)) this.press(primary.id);
  }

  #takeFilledFields() {
    for (const part of every(this.#screen.parts)) {
      if (part.part !== 'field' || !part.enabled) continue;
      const input = document.getElementById(part.id);
      if (input && input.value !== part.value && !input.dataset.composing) {
        this.edit(part.id, input.value);
      }
    }
  }

  #moveFocus(focus) {
    if (!focus || focus.serial === this.#focusSerial) return;
    this.#focusSerial = focus.serial;
    const target = document.getElementById(focus.part);
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

  // The system's own way back presses the screen's Back, instead of leaving the app.
  #guardWayBack({ back }) {
    if (back && !this.#isGuarded) {
      this.#isGuarded = true;
      history.pushState({ guards: true }, '');
    } else if (!back && this.#isGuarded) {
      this.#isGuarded = false;
      if (history.state?.guards) history.back();
    }
  }

  #wentBack() {
    if (!this.#isGuarded) return;
    this.#isGuarded = false;
    if (this.#screen.back) this.press(this.#screen.back);
  }
}

// The parts, and those inside them.
function* every(parts) {
  for (const part of parts) {
    yield part;
    yield* every(part.fields ?? []);
    if (part.field) yield part.field;
    yield* every(part.list ?? []);
    yield* every(part.opened ?? []);
  }
}
