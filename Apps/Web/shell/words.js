// The words of what this page does without the core: its colours, its installation and the help.

import { app } from './app-name.js';

const words = {
  en: {
    appearance: 'Appearance',
    system: 'As the device',
    light: 'Light',
    dark: 'Dark',
    installTitle: 'Open this app from your home screen',
    installText: 'It then opens at once, also without a network.',
    installOnApple: 'Choose Share, then “Add to Home Screen”.',
    install: 'Install',
    dismiss: 'Not now',
    help: 'Help',
    close: 'Close',
    filters: 'Filters',
    topics: [
      ['No code arrives', 'Wait a minute, and check that your phone has a signal. Check the last '
        + 'digits of the number on the screen. Then choose Resend OTP. If your number has changed, '
        + 'read “Who can help” below.'],
      ['You forgot your password', 'Choose Forgot Password? on the first screen. You need the '
        + 'phone that gets your codes.'],
      ['Your account is locked', 'Wait until the time on the screen. Then sign in again, or set a '
        + 'new password.'],
      ['Who can help', 'Ask your administrator, or the office that gave you this account. Do not '
        + 'tell anyone your password or a code.'],
    ],
    lockoutForRiders: 'Wait until the time on the screen. Then ask for a new code.',
    helpForRiders: 'Ask the office that plans your deliveries. Do not tell anyone a code.',
    helpForOwners: 'Ask the company that sold you the products. Do not tell anyone your password or '
      + 'a code.',
  },
  hi: {
    appearance: 'दिखावट',
    system: 'डिवाइस जैसी',
    light: 'हल्की',
    dark: 'गहरी',
    installTitle: 'इस ऐप को होम स्क्रीन से खोलें',
    installText: 'तब यह तुरंत खुलता है, बिना नेटवर्क के भी।',
    installOnApple: '“शेयर करें” चुनें, फिर “होम स्क्रीन में जोड़ें”।',
    install: 'इंस्टॉल करें',
    dismiss: 'अभी नहीं',
    help: 'मदद',
    close: 'बंद करें',
    filters: 'फ़िल्टर',
    topics: [
      ['कोड नहीं आया', 'एक मिनट रुकें और देखें कि फ़ोन में सिग्नल है। स्क्रीन पर नंबर के आख़िरी अंक जाँचें। '
        + 'फिर OTP दोबारा भेजें। अगर आपका नंबर बदल गया है, तो नीचे “कौन मदद कर सकता है” देखें।'],
      ['आप पासवर्ड भूल गए', 'पहली स्क्रीन पर “पासवर्ड भूल गए?” चुनें। आपको वह फ़ोन चाहिए जिस पर कोड आते हैं।'],
      ['आपका खाता लॉक है', 'स्क्रीन पर लिखे समय तक रुकें। फिर दोबारा साइन इन करें या नया पासवर्ड बनाएँ।'],
      ['कौन मदद कर सकता है', 'अपने एडमिनिस्ट्रेटर से पूछें, या उस ऑफ़िस से जिसने आपको यह खाता दिया। '
        + 'अपना पासवर्ड या कोड किसी को न बताएँ।'],
    ],
    lockoutForRiders: 'स्क्रीन पर लिखे समय तक रुकें। फिर नया कोड माँगें।',
    helpForRiders: 'उस ऑफ़िस से पूछें जो आपकी डिलीवरी तय करता है। अपना कोड किसी को न बताएँ।',
    helpForOwners: 'उस कंपनी से पूछें जिसने आपको प्रोडक्ट बेचे। अपना पासवर्ड या कोड किसी को न बताएँ।',
  },
  nb: {
    appearance: 'Utseende',
    system: 'Som enheten',
    light: 'Lyst',
    dark: 'Mørkt',
    installTitle: 'Åpne appen fra startskjermen',
    installText: 'Da åpnes den med en gang, også uten nett.',
    installOnApple: 'Velg Del, og så «Legg til på Hjem-skjerm».',
    install: 'Installer',
    dismiss: 'Ikke nå',
    help: 'Hjelp',
    close: 'Lukk',
    filters: 'Filtre',
    topics: [
      ['Koden kommer ikke', 'Vent et minutt, og sjekk at telefonen har dekning. Sjekk de siste '
        + 'sifrene i nummeret på skjermen. Send så en ny kode. Hvis nummeret ditt er endret, se '
        + '«Hvem kan hjelpe» nedenfor.'],
      ['Du har glemt passordet', 'Velg Glemt passord? på den første skjermen. Du trenger telefonen '
        + 'som får kodene dine.'],
      ['Kontoen din er låst', 'Vent til klokkeslettet på skjermen. Logg så inn igjen, eller velg et '
        + 'nytt passord.'],
      ['Hvem kan hjelpe', 'Spør administratoren din, eller kontoret som ga deg kontoen. Ikke si '
        + 'passordet eller en kode til noen.'],
    ],
    lockoutForRiders: 'Vent til klokkeslettet på skjermen. Be så om en ny kode.',
    helpForRiders: 'Spør kontoret som planlegger leveringene dine. Ikke si en kode til noen.',
    helpForOwners: 'Spør firmaet som solgte deg produktene. Ikke si passordet eller en kode til noen.',
  },
};

export const wordsIn = (language) => words[language] ?? words.en;

// The topics of the help. Riders have no password, and owners of products have no administrator.
export function topicsIn(language) {
  const { topics, lockoutForRiders, helpForRiders, helpForOwners } = wordsIn(language);
  const [code, password, lockout, help] = topics;
  if (app === 'rider-app') return [code, [lockout[0], lockoutForRiders], [help[0], helpForRiders]];
  return [code, password, lockout, app === 'product-app' ? [help[0], helpForOwners] : help];
}
