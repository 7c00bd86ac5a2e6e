// Shows the light or the dark colours that the person chose on this device, instead of those of the
// system. It runs before the page is drawn, so it is not a module.
(function () {
  'use strict';

  var SCHEME = 'prefers-color-scheme';
  var SYSTEM = 'system';
  // The folder of the app, such as `rider-app`.
  var app = document.currentScript.src.split('/').slice(-2)[0];
  var key = 'fieldpass-' + app + '-appearance';
  var choices = [SYSTEM, 'light', 'dark'];

  // The media lists of all rules and elements that depend on the scheme, with their first text.
  var lists = [];

  function find(rules) {
    for (var index = 0; index < rules.length; index += 1) {
      var media = rules[index].media;
      if (media && media.mediaText.indexOf(SCHEME) >= 0) {
        lists.push({ media: media, text: media.mediaText });
      }
    }
  }

  function mediaFor(text, choice) {
    if (choice === SYSTEM) return text;
    return text.indexOf(choice) >= 0 ? 'all' : 'not all';
  }

  function show(choice) {
    if (lists.length === 0) {
      for (var number = 0; number < document.styleSheets.length; number += 1) {
        find(document.styleSheets[number].cssRules);
      }
    }
    lists.forEach(function (list) { list.media.mediaText = mediaFor(list.text, choice); });
    var colours = document.querySelectorAll('meta[name="theme-color"]');
    for (var index = 0; index < colours.length; index += 1) {
      var colour = colours[index];
      colour.dataset.media = colour.dataset.media || colour.media;
      colour.media = mediaFor(colour.dataset.media, choice);
    }
    document.documentElement.style.colorScheme = choice === SYSTEM ? '' : choice;
  }

  function chosen() {
    try {
      var stored = localStorage.getItem(key);
      return choices.indexOf(stored) >= 0 ? stored : SYSTEM;
    } catch (error) {
      return SYSTEM;
    }
  }

  // If the browser refuses storage, the choice lasts until the page is closed.
  function choose(choice) {
    show(choice);
    try {
      localStorage.setItem(key, choice);
    } catch (error) {
      console.warn(error);
    }
  }

  window.fieldpassAppearance = { choices: choices, chosen: chosen, choose: choose };
  if (chosen() !== SYSTEM) show(chosen());
  // Another tab has changed it.
  window.addEventListener('storage', function (event) {
    if (event.key === key) show(chosen());
  });
}());
