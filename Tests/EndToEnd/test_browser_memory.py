"""What a locked page, and a device that was locked later, still hold of the tokens."""
import pytest
from playwright.sync_api import expect

from browser import App
from harness import TECHNICIAN, secret
from localhost import Authenticator
from test_browser_lock import JOB, LOCKED, OFFER, sign_in_with_lock, turn

# Keeps the memory of every core that the page starts.
KEEP_MEMORY = """() => {
  window.memories = []
  const start = WebAssembly.instantiateStreaming
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await start.apply(WebAssembly, given)
    window.memories.push(made.instance.exports.memory)
    return made
  }
}"""

HELD = """(parts) => window.memories.map((memory) => {
  const text = new TextDecoder('latin1').decode(memory.buffer)
  return parts.filter((part) => text.includes(part)).length
})"""

# A renewal with the device's own key, whichever token is given.
RENEW = """async ([client, token, issuedAt]) => {
  const wire = await import('./wire.js')
  const call = {method: 'POST', path: '/oauth/token', authorization: 'proof',
    issued_at: issuedAt, timeout: 20,
    form: new URLSearchParams({grant_type: 'refresh_token', client_id: client,
      refresh_token: token}).toString()}
  const answer = await wire.send(call, new AbortController().signal)
  return JSON.stringify(answer)
}"""

SEALING = """async () => {
  const open = indexedDB.open((await indexedDB.databases())[0].name)
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const asked = base.transaction('records').objectStore('records').get('sealing')
  await new Promise((done) => { asked.onsuccess = done })
  base.close()
  return asked.result?.id ?? null
}"""


@pytest.fixture
def device(chrome, named_server):
    app = App(chrome, named_server)
    app.authenticator = Authenticator(app.page)
    app.page.add_init_script(f"({KEEP_MEMORY})()")
    app.page.clock.install()
    app.refreshes = []
    app.page.on("response", lambda response: note(app, response))
    yield app.open()
    app.close()


def note(app, response):
    if response.url.endswith("/oauth/token") and response.status == 200:
        app.refreshes.append(response)


def wait_for_renewals(app):
    """One token answer for the sign-in, and two for the lock."""
    for _ in range(100):
        if len(app.refreshes) >= 3:
            return
        app.page.wait_for_timeout(100)
    raise AssertionError(len(app.refreshes))


def parts_of(tokens):
    """The first part of a refresh token names the session, which the lock page knows too."""
    return [part for name in ("access_token", "refresh_token")
            for part in secret(tokens[name]).split(".") if len(part) > 40]


def texts_of_page(page):
    """Everything in the page's script memory, as the browser's own heap snapshot tells it."""
    session = page.context.new_cdp_session(page)
    chunks = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    return "".join(chunks)


def test_no_token_in_memory(device):
    """S-06 a page that locked itself holds no token, in its core or in its script"""
    app = device
    sign_in_with_lock(app)
    wait_for_renewals(app)
    parts = [part for answer in app.refreshes for part in parts_of(answer.json())]
    # While the page is open the tokens are there: the search finds what it looks for.
    assert max(app.page.evaluate(HELD, parts)) > 0
    assert any(part in texts_of_page(app.page) for part in parts)

    turn(app, "hidden")
    with app.page.expect_navigation():
        app.page.clock.fast_forward(app.tokens["session"]["background_timeout"] * 1000)
    expect(app.heading(LOCKED)).to_be_visible()

    assert app.page.evaluate(HELD, parts) == [0]
    page = texts_of_page(app.page)
    assert not [part for part in parts if part in page]
    app.button("Unlock").click()
    app.says(JOB)


def test_renewed(device):
    """S-06 what was stored before the lock opens nothing once the lock is set"""
    app = device
    sign_in_with_lock(app)
    wait_for_renewals(app)
    before = app.tokens["refresh_token"]

    answer = app.page.evaluate(
        RENEW, [app.name, before, int(app.server.now())])

    assert '"status":400' in answer and "invalid_grant" in answer


def test_sealing_keys(device):
    """S-04 each session is sealed under a key of its own, which goes with it"""
    app = device
    app.sign_in(TECHNICIAN)
    expect(app.page.get_by_role("dialog", name=OFFER)).to_be_visible()
    app.button("Not now").click()
    app.says(JOB)
    first = app.page.evaluate(SEALING)
    app.button("Account").click()
    with app.page.expect_response("**/oauth/revoke"):
        app.button("Sign out").click()
    app.says("You are signed out.")
    app.until(f"async () => (await ({SEALING})()) === null")
    app.server.advance(61)

    app.sign_in(TECHNICIAN)
    app.button("Not now").click()
    app.says(JOB)

    assert first and app.page.evaluate(SEALING) not in (None, first)
