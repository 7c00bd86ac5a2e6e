// A short label for a state, in the colour of its severity.

import { element } from '../dom.js';

export const makeBadge = ({ severity, text }) =>
  element('span', { class: `badge ${severity}` }, text);
