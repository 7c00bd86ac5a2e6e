// Keeps the main button of a form above the keyboard of the device.

// The space between the button and the keyboard, in CSS pixels.
const GAP = 12;
// A user who zooms changes the visible part of the page too.
const LARGEST_SCALE = 1.01;

export function keepButtonAboveKeyboard() {
  const viewport = globalThis.visualViewport;
  if (!viewport) return;
  const show = () => showButton(viewport);
  viewport.addEventListener('resize', show);
  // The browser first scrolls to the field.
  addEventListener('focusin', () => requestAnimationFrame(show));
}

function showButton(viewport) {
  if (viewport.scale > LARGEST_SCALE) return;
  const covered = Math.max(0, Math.round(innerHeight - viewport.height));
  document.documentElement.style.setProperty('--keyboard', `${covered}px`);
  const field = document.activeElement;
  const button = field?.form?.querySelector('.button.primary');
  if (!button || !field.matches('.input')) return;
  const top = viewport.offsetTop;
  const hidden = button.getBoundingClientRect().bottom + GAP - top - viewport.height;
  // The field and its label stay visible.
  const room = field.closest('.field').getBoundingClientRect().top - top;
  if (hidden > 0 && room > 0) scrollBy({ top: Math.min(hidden, room), behavior: 'instant' });
}
