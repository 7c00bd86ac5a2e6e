// The controls of a screen. Each function makes the element of one part of the screen, and returns
// it as `node` with `update`, which changes the element when the part changes.

import { makeActionCards } from './controls/action-cards.js';
import { makeActions, makeButton, makeToolbar } from './controls/buttons.js';
import { makeChart } from './controls/chart.js';
import { makeChecks, makeSplit, makeTable, makeTabs } from './controls/console-controls.js';
import { makeDetails } from './controls/details.js';
import { makeField, makeFields } from './controls/fields.js';
import { makePhoto } from './controls/photo.js';
import { makeSections } from './controls/sections.js';
import { makeSheet } from './controls/sheet.js';
import {
  makeBanner, makeDivider, makeEmpty, makeFact, makeFigures, makeLead, makeLogo, makeNote, makeProgress,
  makeSubject, makeText, makeTitle,
} from './controls/texts.js';
import { makeVirtualList } from './controls/virtual-list.js';

// By the kind of the part, as the core names it.
export const controls = {
  action_cards: makeActionCards,
  actions: makeActions,
  banner: makeBanner,
  button: makeButton,
  chart: makeChart,
  checks: makeChecks,
  details: makeDetails,
  divider: makeDivider,
  empty: makeEmpty,
  fact: makeFact,
  field: makeField,
  fields: makeFields,
  figures: makeFigures,
  lead: makeLead,
  logo: makeLogo,
  note: makeNote,
  photo: makePhoto,
  progress: makeProgress,
  sections: makeSections,
  sheet: makeSheet,
  split: makeSplit,
  subject: makeSubject,
  table: makeTable,
  tabs: makeTabs,
  text: makeText,
  title: makeTitle,
  toolbar: makeToolbar,
  virtual_list: makeVirtualList,
};
