"""Which tokens remain in the memory of a locked page, and in a device that was locked later."""
import pytest
from playwright.sync_api import expect

from browser import App
from harness import TECHNICIAN, secret
from localhost import Authenticator
from test_browser_lock import JOB, LOCKED, OFFER, set_visibility, sign_in_with_lock

# Records the memory of every core that the page starts.
KEEP_MEMORY = """() => {
  window.memories = []
  const start = WebAssembly.instantiateStreaming
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await start.apply(WebAssembly, given)
    window.memories.push(made.instance.exports.memory)
    return made
  }
}"""

COUNT_IN_MEMORY = """(parts) => window.memories.map((memory) => {
  const text = new TextDecoder('latin1').decode(memory.buffer)
  return parts.filter((part) => text.includes(part)).length
})"""

# A renewal with the device's own key and any token.
RENEW = """async ([client, token, issuedAt]) => {
  const requests = await import('./requests.js')
  const request = {method: 'POST', path: '/oauth/token', authorization: 'proof',
    issued_at: issuedAt, timeout: 20,
    form: new URLSearchParams({grant_type: 'refresh_token', client_id: client,
      refresh_token: token}).toString()}
  const answer = await requests.send(request, new AbortController().signal)
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
    app.page.on("response", lambda response: record_refresh(app, response))
    yield app.open()
    app.close()


def record_refresh(app, response):
    if response.url.endswith("/oauth/token") and response.status == 200:
        app.refreshes.append(response)


def wait_for_renewals(app):
    """One answer with tokens for the sign-in and two for the app lock; the second one waits."""
    wait_for_answers(app, 2)
    app.page.clock.fast_forward(31_000)
    wait_for_answers(app, 3)


def wait_for_answers(app, count):
    for _ in range(100):
        if len(app.refreshes) >= count:
            return
        app.page.wait_for_timeout(100)
    raise AssertionError(len(app.refreshes))


def parts_of(tokens):
    """The first part of a refresh token names the session, which the lock screen knows too."""
    return [part for name in ("access_token", "refresh_token")
            for part in secret(tokens[name]).split(".") if len(part) > 40]


def texts_of_page(page):
    """All texts in the page's script memory, from a heap snapshot of the browser."""
    session = page.context.new_cdp_session(page)
    chunks = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    return "".join(chunks)


def test_no_token_in_memory(device):
    """S-06 a page that locks itself has no token in the memory of its core or its script"""
    app = device
    sign_in_with_lock(app)
    wait_for_renewals(app)
    parts = [part for answer in app.refreshes for part in parts_of(answer.json())]
    # While the page is open, the search must find the tokens.
    assert max(app.page.evaluate(COUNT_IN_MEMORY, parts)) > 0
    assert any(part in texts_of_page(app.page) for part in parts)

    set_visibility(app, "hidden")
    with app.page.expect_navigation():
        app.page.clock.fast_forward(app.tokens["session"]["background_timeout"] * 1000)
    expect(app.heading(LOCKED)).to_be_visible()

    assert app.page.evaluate(COUNT_IN_MEMORY, parts) == [0]
    page = texts_of_page(app.page)
    assert not [part for part in parts if part in page]
    app.button("Unlock").click()
    app.says(JOB)


def test_token_from_before_the_lock(device):
    """S-06 a token from before the app lock is useless once the lock is set"""
    app = device.open_modules()
    sign_in_with_lock(app)
    wait_for_renewals(app)
    before = app.tokens["refresh_token"]

    answer = app.page.evaluate(
        RENEW, [app.name, before, int(app.server.now())])

    assert '"status":400' in answer and "invalid_grant" in answer


def test_sealing_keys(device):
    """S-04 each session has its own sealing key, which is deleted with the session"""
    app = device
    app.sign_in(TECHNICIAN)
    expect(app.page.get_by_role("dialog", name=OFFER)).to_be_visible()
    app.button("Not now").click()
    app.says(JOB)
    first = app.page.evaluate(SEALING)
    app.button("Account").click()
    with app.page.expect_response("**/oauth/revoke"):
        app.button("Sign out").click()
    app.says("You're signed out.")
    app.until(f"async () => (await ({SEALING})()) === null")
    app.server.advance(61)

    app.sign_in(TECHNICIAN)
    app.button("Not now").click()
    app.says(JOB)

    assert first and app.page.evaluate(SEALING) not in (None, first)
