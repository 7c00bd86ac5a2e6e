// What the page offers without the core: the choice of the colours, the help and the installation.

import { element, symbol } from '../dom.js';
import { isOffered, onApple, onOfferChanged, refuseInstallation, startInstallation }
  from '../installation.js';
import { topicsIn, wordsIn } from '../words.js';

export function makeAppearanceMenu(language) {
  const words = wordsIn(language);
  const { choices, chosen, choose } = window.fieldpassAppearance;
  const select = element('select', { id: 'appearance', 'aria-label': words.appearance },
    ...choices.map((choice) => element('option', { value: choice }, words[choice])));
  select.value = chosen();
  select.addEventListener('change', () => choose(select.value));
  return makeChoice('appearance', words.appearance, select);
}

// On a form there is only the menu of the languages, whose label is for screen readers.
export function makeChoice(picture, label, select) {
  return element('div', { class: 'menu-choice' },
    element('label', { class: 'menu-choice-label', for: select.id }, label),
    element('div', { class: 'languages' }, symbol(picture), select));
}

export function makeHelpButton(language) {
  const button = element('button', { type: 'button', class: 'help-button', id: 'help' },
    symbol('info'), wordsIn(language).help);
  button.addEventListener('click', () => showHelp(language, button));
  return button;
}

function showHelp(language, opener) {
  const { help, close } = wordsIn(language);
  const button = element('button', { type: 'button', class: 'button secondary' }, close);
  const dialog = element('dialog', { class: 'sheet help', 'aria-labelledby': 'help-title' },
    element('h2', { class: 'title', id: 'help-title', tabindex: -1, autofocus: true }, help),
    ...topicsIn(language).flatMap(([title, text]) => [
      element('h3', { class: 'help-topic' }, title), element('p', { class: 'text body' }, text),
    ]),
    button);
  button.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

// A remark below the content of the first page, so that nothing moves when it appears.
export function makeInstallOffer(language) {
  const words = wordsIn(language);
  const install = element('button', { type: 'button', class: 'button primary' }, words.install);
  const dismiss = element('button', { type: 'button', class: 'button quiet' }, words.dismiss);
  const node = element('section', { class: 'install', 'aria-labelledby': 'install' },
    element('div', { class: 'install-text' },
      element('h2', { class: 'install-title', id: 'install' }, words.installTitle),
      element('p', { class: 'text muted' }, onApple ? words.installOnApple : words.installText)),
    ...(onApple ? [] : [install]), dismiss);
  install.addEventListener('click', startInstallation);
  dismiss.addEventListener('click', refuseInstallation);
  const show = () => { node.hidden = !isOffered(); };
  show();
  onOfferChanged(show);
  return node;
}
