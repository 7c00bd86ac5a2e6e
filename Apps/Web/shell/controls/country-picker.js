// The calling code of a phone number, and the list of countries to choose it from.

import { element, setAttributes, setText } from '../dom.js';

// The search ignores accents and upper case.
const folded = (text) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

// The browser supplies the names of the countries. `countries` is a text such as `NO+47 SE+46`.
function countryList(countries, language) {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  const collator = new Intl.Collator(language);
  return countries.split(' ').map((entry) => {
    const [region, digits] = entry.split('+');
    const name = names.of(region);
    const searchNames = [folded(name), folded(english.of(region))];
    return { region, code: `+${digits}`, name, searchNames };
  }).sort((left, right) => collator.compare(left.name, right.name));
}

// A name matches if one of its words begins with the text. A calling code matches from its first
// digit.
function matches(country, text) {
  const sought = folded(text.trim());
  if (/^(\+|00)?\d+$/.test(sought)) {
    return country.code.startsWith(`+${sought.replace(/^(\+|00)/, '')}`);
  }
  return sought === country.region.toLowerCase()
    || country.searchNames.some((name) => name.startsWith(sought) || name.includes(` ${sought}`));
}

function option(country) {
  return element('li', {
    role: 'option', id: `country-${country.region}`, 'data-region': country.region,
    'aria-selected': 'false',
  }, element('span', {}, country.name), element('bdi', { class: 'code' }, country.code));
}

// A dialog with a search field above a list (the combobox pattern of ARIA).
function makePicker(picker, pick) {
  const heading = element('h2', { class: 'title', id: 'country-title' });
  const list = element('ul', { class: 'country-list', role: 'listbox', id: 'country-list' });
  const search = element('input', {
    class: 'input', type: 'search', id: 'country-search', role: 'combobox', autocomplete: 'off',
    'aria-expanded': 'true', 'aria-controls': 'country-list', 'aria-autocomplete': 'list',
    spellcheck: 'false',
  });
  const none = element('p', { class: 'support', role: 'status' });
  const close = element('button', { type: 'button', class: 'button secondary' });
  const dialog = element('dialog', { class: 'sheet country-sheet', 'aria-labelledby': heading.id },
    heading, search, none, list, close);
  let countries = [];
  let active = null;

  function activate(row) {
    active?.setAttribute('aria-selected', 'false');
    active = row;
    active?.setAttribute('aria-selected', 'true');
    active?.scrollIntoView({ block: 'nearest' });
    setAttributes(search, { 'aria-activedescendant': active?.id });
  }

  function show(text, current) {
    const found = countries.filter((country) => !text || matches(country, text));
    // If the text is a region code, such as `NO`, that country is first.
    const region = text.trim().toUpperCase();
    found.sort((left, right) => (right.region === region) - (left.region === region));
    list.replaceChildren(...found.map(option));
    setText(none, found.length === 0 ? picker.no_results : '');
    activate([...list.children].find((row) => row.dataset.region === current)
      ?? (text ? list.firstElementChild : null));
  }

  function choose(row) {
    if (!row) return;
    dialog.close();
    pick(row.dataset.region);
  }

  search.addEventListener('input', () => show(search.value));
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(active);
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const next = event.key === 'ArrowDown'
      ? active?.nextElementSibling ?? list.firstElementChild
      : active?.previousElementSibling ?? list.lastElementChild;
    activate(next);
  });
  list.addEventListener('click', (event) => choose(event.target.closest('li')));
  close.addEventListener('click', () => dialog.close());
  // Escape closes this dialog only, and no menu of the page behind it.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());

  return {
    dialog,
    open(next, current) {
      picker = next;
      setText(heading, picker.label);
      setAttributes(search, { 'aria-label': picker.search, placeholder: picker.search });
      setAttributes(list, { 'aria-label': picker.label });
      setText(close, picker.close);
      countries = countryList(picker.countries, document.documentElement.lang);
      search.value = '';
      dialog.showModal();
      show('', current);
      search.focus();
    },
  };
}

// Adds the calling code to the box of a phone field. Returns the function that updates it.
export function makeCallingCode(first, box, shell) {
  let shown = first;
  const code = element('span', { class: 'calling-code', 'aria-hidden': 'true' });
  const button = element('button', {
    type: 'button', class: 'country', id: 'country', 'aria-haspopup': 'dialog',
  }, code);
  const picker = makePicker(first.picker, (region) => {
    shell.edit('country', region);
    box.querySelector('.input').focus();
  });
  button.addEventListener('click', () => picker.open(shown.picker, shown.country));
  box.prepend(button);
  box.append(picker.dialog);
  let changeButton = null;
  return (field) => {
    shown = field;
    const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'region' });
    setText(code, field.calling_code);
    setAttributes(button, {
      'aria-label': `${field.picker.label}: ${names.of(field.country)} ${field.calling_code}`,
      disabled: !field.enabled,
    });
    if (!field.change) changeButton?.remove();
    else if (!changeButton?.isConnected) {
      changeButton = element('button', { type: 'button', class: 'reveal', id: field.change.id },
        field.change.label);
      changeButton.addEventListener('click', () => shell.press(field.change.id));
      box.append(changeButton);
    }
  };
}
