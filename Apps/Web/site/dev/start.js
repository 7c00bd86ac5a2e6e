// The start page of development: copies the details of a demo person, and moves the server's clock.

const SHOWN_MILLISECONDS = 1500;

const said = document.getElementById('said');
const now = document.getElementById('now');
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
    said.textContent = `Copied ${button.dataset.copy}`;
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, SHOWN_MILLISECONDS);
  });
}

for (const button of document.querySelectorAll('[data-advance]')) {
  button.addEventListener('click', async () => {
    try {
      const response = await fetch('/dev/clock', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance: Number(button.dataset.advance) }),
      });
      const answer = await response.json();
      now.textContent = `The server's clock shows ${clock.format(new Date(answer.now * 1000))}.`;
    } catch {
      now.textContent = 'The server does not answer. Try again.';
    }
  });
}
