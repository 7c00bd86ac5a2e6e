// Shows a message if the browser is too old for the app. Old browsers must be able to run this
// file, so it is ECMAScript 5 (2009) and not a module.
(function () {
  'use strict';

  var root = document.documentElement;
  var script = document.currentScript;
  // The same tags as in `languages.js`.
  var tags = { en: 'en', hi: 'hi', nb: 'nb', no: 'nb', nn: 'nb' };
  var texts = {
    en: ['This browser is too old for Fieldpass',
      'Update it, or use Safari 16, Chrome 100, Firefox 115 or later.'],
    hi: ['यह ब्राउज़र Fieldpass के लिए बहुत पुराना है',
      'इसे अपडेट करें, या Safari 16, Chrome 100, Firefox 115 या उससे नया ब्राउज़र इस्तेमाल करें।'],
    nb: ['Denne nettleseren er for gammel for Fieldpass',
      'Oppdater den, eller bruk Safari 16, Chrome 100, Firefox 115 eller nyere.']
  };

  // Before Safari 16 the Content Security Policy of this page forbids WebAssembly.
  function compiles() {
    return !!new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  }

  // The newest features that the app needs. Without HTTPS some are missing in every browser. In
  // that case the app itself shows a message.
  function isNewEnough() {
    try {
      return 'noModule' in document.createElement('script') &&
        !!(Array.prototype.at && String.prototype.replaceAll && Object.hasOwn &&
          Element.prototype.replaceChildren && window.BroadcastChannel && window.AbortController &&
          window.HTMLDialogElement && HTMLDialogElement.prototype.showModal &&
          WebAssembly.instantiateStreaming && compiles()) &&
        (!window.isSecureContext || !!(crypto.subtle && crypto.randomUUID));
    } catch (error) {
      return false;
    }
  }

  function savedLanguage() {
    try {
      var parts = script.src.split('/');
      return localStorage.getItem('fieldpass-' + parts[parts.length - 2] + '-language');
    } catch (error) {
      return null;
    }
  }

  function language() {
    var languages = [savedLanguage()].concat(navigator.languages || [navigator.language]);
    for (var index = 0; index < languages.length; index += 1) {
      var tag = tags[String(languages[index]).toLowerCase().split('-')[0]];
      if (tag) return tag;
    }
    return 'en';
  }

  function showMessage() {
    var chosen = language();
    var card = document.createElement('div');
    var title = document.createElement('h1');
    var text = document.createElement('p');
    card.className = 'card';
    title.className = 'title';
    text.className = 'text body';
    title.textContent = texts[chosen][0];
    text.textContent = texts[chosen][1];
    card.appendChild(title);
    card.appendChild(text);
    root.lang = chosen;
    var screen = document.getElementById('screen');
    var old = screen.querySelector('.card');
    old.parentNode.replaceChild(card, old);
    screen.setAttribute('data-screen', 'old-browser');
  }

  if (isNewEnough()) return;
  root.setAttribute('data-old-browser', '');
  document.addEventListener('DOMContentLoaded', showMessage);
}());
