// Counts by day as lines, and as a table that opens below them.

import { element, setText } from '../dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 650;
const HEIGHT = 160;
const GRID_LINES = 4;

function shape(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function makeChart({ id }) {
  const heading = element('h2', { class: 'chart-title', id: `${id}-title` });
  const legend = element('ul', { class: 'chart-legend', 'aria-hidden': 'true' });
  const plot = shape('svg', {
    class: 'chart-plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none',
    role: 'img', 'aria-labelledby': `${id}-title`,
  });
  const top = element('span', { class: 'chart-top', 'aria-hidden': 'true' });
  const days = element('p', { class: 'chart-days', 'aria-hidden': 'true' });
  const summary = element('summary', { class: 'chart-switch', id: `${id}-table` });
  const table = element('table', { class: 'chart-table', 'aria-labelledby': `${id}-title` });
  const node = element('section', { class: 'chart', id, 'aria-labelledby': `${id}-title` },
    element('div', { class: 'chart-head' }, heading, legend),
    element('div', { class: 'chart-frame' }, top, plot), days,
    element('details', {}, summary, table));
  let drawn = '';
  return {
    node,
    update(part) {
      const next = JSON.stringify(part);
      if (drawn === next) return;
      drawn = next;
      setText(heading, part.label);
      setText(top, part.top_text);
      setText(summary, part.table_label);
      legend.replaceChildren(...part.lines.map(legendEntry));
      plot.replaceChildren(...gridLines(), ...part.lines.map((line) => linePath(line, part.top)),
        ...part.rows.map((row, index) => dayArea(row, index, part)));
      days.replaceChildren(...[part.rows.at(0), part.rows.at(-1)].filter(Boolean)
        .map(([day]) => element('span', {}, day)));
      table.replaceChildren(
        element('thead', {}, element('tr', {}, ...part.columns.map((name) =>
          element('th', { scope: 'col' }, name)))),
        element('tbody', {}, ...part.rows.map(tableRow)));
    },
  };
}

function legendEntry({ name, tone }) {
  const sample = shape('svg', { class: 'chart-sample', viewBox: '0 0 28 8' },
    shape('path', { class: `chart-line ${tone}`, d: 'M0 4H28' }));
  return element('li', {}, sample, name);
}

const across = (index, count) => (count > 1 ? (index / (count - 1)) * WIDTH : WIDTH / 2);

function linePath({ values, tone }, top) {
  const points = values.map((value, index) =>
    `${across(index, values.length).toFixed(1)} ${(HEIGHT * (1 - value / top)).toFixed(1)}`);
  return shape('path', { class: `chart-line ${tone}`, d: `M${points.join('L')}` });
}

const gridLines = () => Array.from({ length: GRID_LINES + 1 }, (_, index) =>
  shape('path', { class: 'chart-grid', d: `M0 ${(index / GRID_LINES) * HEIGHT}H${WIDTH}` }));

// The counts of a day, as a text at the pointer.
function dayArea(row, index, { rows, columns }) {
  const width = WIDTH / Math.max(rows.length - 1, 1);
  const [day, ...counts] = row;
  const text = counts.map((count, place) => `${columns[place + 1]}: ${count}`);
  return shape('rect', {
    class: 'chart-day', x: across(index, rows.length) - width / 2, y: 0, width, height: HEIGHT,
  }, shape('title', {}, [day, ...text].join('\n')));
}

function tableRow([day, ...counts]) {
  return element('tr', {}, element('th', { scope: 'row' }, day),
    ...counts.map((count) => element('td', {}, count)));
}
