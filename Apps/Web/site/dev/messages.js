// Shows the development inbox and keeps it current.

const POLL_MILLISECONDS = 1500;

const list = document.getElementById('messages');
const none = document.getElementById('none');
const state = document.getElementById('state');
const to = new URLSearchParams(location.search).get('to');
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
let shown = '';

function element(tag, name, text) {
  const node = document.createElement(tag);
  node.className = name;
  node.textContent = text;
  return node;
}

function copyButton(code) {
  const button = element('button', 'copy', `Copy ${code}`);
  button.type = 'button';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = `Copy ${code}`; }, POLL_MILLISECONDS);
  });
  return button;
}

function message({ to: number, text, code, sent_at: sentAt }) {
  const node = element('li', 'message', '');
  const time = clock.format(new Date(sentAt * 1000));
  node.append(element('p', 'message-head', `${number} · ${time}`), element('p', 'bubble', text));
  if (code) node.append(copyButton(code));
  return node;
}

function draw(messages) {
  const text = JSON.stringify(messages);
  if (text === shown) return;
  shown = text;
  list.replaceChildren(...messages.map(message));
  none.hidden = messages.length > 0;
}

async function poll() {
  try {
    const query = to ? `?to=${encodeURIComponent(to)}` : '';
    const response = await fetch(`/dev/messages${query}`, {
      headers: { accept: 'application/json' }, cache: 'no-store',
    });
    draw(await response.json());
    state.textContent = to ? `For ${to}` : 'For all numbers';
  } catch {
    state.textContent = 'The server is not responding. Trying again…';
  }
  setTimeout(poll, POLL_MILLISECONDS);
}

poll();
