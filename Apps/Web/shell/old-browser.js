// Tells an old browser that it is too old, before anything else is read. Every browser must be able
// to read this file: it is a script of 2009 (ECMAScript 5), and no module.
(function () {
  'use strict';

  var root = document.documentElement;
  // The words of `languages.js`, in the oldest form.
  var tags = { en: 'en', hi: 'hi', nb: 'nb', no: 'nb', nn: 'nb' };
  var words = {
    en: ['This browser is too old for Fieldpass',
      'Please update it, or use Safari 16, Chrome 100 or Firefox 115, or a later one.'],
    hi: ['यह ब्राउज़र Fieldpass के लिए बहुत पुराना है',
      'कृपया इसे अपडेट करें, या Safari 16, Chrome 100, Firefox 115 या उससे नया ब्राउज़र इस्तेमाल करें।'],
    nb: ['Denne nettleseren er for gammel for Fieldpass',
      'Oppdater den, eller bruk Safari 16, Chrome 100, Firefox 115 eller nyere.']
  };

  // Before Safari 16 the policy of this page forbids every module of WebAssembly.
  function compiles() {
    return !!new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  }

  // What came last of what the app needs. Without https some of it is absent from every browser:
  // the app itself tells that.
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

  function keptLanguage() {
    try {
      var parts = location.pathname.split('/');
      return localStorage.getItem('fieldpass-' + parts[parts.length - 2] + '-language');
    } catch (error) {
      return null;
    }
  }

  function language() {
    var languages = [keptLanguage()].concat(navigator.languages || [navigator.language]);
    for (var index = 0; index < languages.length; index += 1) {
      var tag = tags[String(languages[index]).toLowerCase().split('-')[0]];
      if (tag) return tag;
    }
    return 'en';
  }

  function tell() {
    var chosen = language();
    var card = document.createElement('div');
    var title = document.createElement('h1');
    var text = document.createElement('p');
    card.className = 'card';
    title.className = 'title';
    text.className = 'text body';
    title.textContent = words[chosen][0];
    text.textContent = words[chosen][1];
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
  document.addEventListener('DOMContentLoaded', tell);
}());
