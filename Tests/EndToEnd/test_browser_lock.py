"""The app lock in a real browser, on a device that can verify its owner."""
import json

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from browser import App
from harness import TECHNICIAN
from localhost import MENTOR, Authenticator
from test_browser_session import KEPT

LOCKED = "Fieldpass is locked"
OFFER = "Unlock with your fingerprint or face?"
ON = "App lock is on. Unlock with your fingerprint, face or PIN."
IMPOSSIBLE = "This browser does not support app lock."
AWAY = "You were away for too long, so we signed you out. Sign in again."
STILL_LOCKED = "Fieldpass is still locked. Try again or use another way."
CHANGED = "The fingerprint or face on this device has changed. Sign in again."
JOB = "Install washing machine"

# Records what is visible when the app returns to the foreground, before any other script runs.
SET_VISIBILITY = """state => {
  for (const earlier of ['hidden', 'visible']) sessionStorage.removeItem(earlier)
  Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})
  document.dispatchEvent(new Event('visibilitychange'))
  const cover = document.getElementById('cover')
  const seen = {covered: !cover.hidden, screen: document.getElementById('screen').dataset.screen,
    text: document.getElementById('screen').innerText}
  sessionStorage[state] = JSON.stringify(seen)
  return seen
}"""

# Whether any key that storage exports opens the session in storage.
OPENED = """async () => {
  const {name} = (await indexedDB.databases())[0]
  const open = indexedDB.open(name)
  const base = await new Promise(done => { open.onsuccess = () => done(open.result) })
  const all = async store => {
    const request = base.transaction(store).objectStore(store).getAll()
    return new Promise(done => { request.onsuccess = () => done(request.result) })
  }
  const request = base.transaction('records').objectStore('records').get('session')
  const {iv, sealed} = await new Promise(done => { request.onsuccess = () => done(request.result) })
  const keys = [...await all('keys'), ...await all('records')]
    .map(kept => kept.key ?? kept).filter(key => key instanceof CryptoKey)
  const additionalData = new TextEncoder().encode('session')
  const tries = keys.map(key => crypto.subtle.decrypt(
    {name: 'AES-GCM', iv, additionalData}, key, sealed).then(() => true, () => false))
  base.close()
  return {keys: keys.length, opened: (await Promise.all(tries)).some(opened => opened)}
}"""

RECORDS = """async () => {
  const {name} = (await indexedDB.databases())[0]
  const open = indexedDB.open(name)
  const base = await new Promise(done => { open.onsuccess = () => done(open.result) })
  const request = base.transaction('records').objectStore('records').getAllKeys()
  const keys = await new Promise(done => { request.onsuccess = () => done(request.result) })
  base.close()
  return keys
}"""

SPOIL = """async () => {
  const {name} = (await indexedDB.databases())[0]
  const open = indexedDB.open(name)
  const base = await new Promise(done => { open.onsuccess = () => done(open.result) })
  const store = base.transaction('records', 'readwrite').objectStore('records')
  const request = store.get('lock')
  await new Promise(done => { request.onsuccess = () => {
    const lock = request.result
    new Uint8Array(lock.wrapped.sealed)[0] ^= 1
    store.put(lock, 'lock').onsuccess = done } })
  base.close()
}"""


class MentorApp(App):
    name = "mentor-app"

    def at_jobs(self):
        expect(self.heading("Activities")).to_be_visible()


@pytest.fixture
def device(chrome, named_server):
    """The technicians' app with an authenticator and a clock that the test can move."""
    app = App(chrome, named_server)
    app.authenticator = Authenticator(app.page)
    app.page.clock.install()
    yield app.open()
    app.close()


def sign_in_with_lock(app):
    app.sign_in(TECHNICIAN)
    expect(app.page.get_by_role("dialog", name=OFFER)).to_be_visible()
    app.button("Turn on").click()
    app.says(ON)
    app.says(JOB)


def set_visibility(app, state):
    try:
        return app.page.evaluate(SET_VISIBILITY, state)
    except PlaywrightError:
        # A page that locks itself loads again, sometimes before it answers, and sometimes before
        # its visibility changes.
        expect(app.page.locator("#screen")).not_to_have_attribute("data-screen", "opening")
        seen = app.page.evaluate("state => sessionStorage[state]", state)
        return json.loads(seen) if seen else app.page.evaluate(SET_VISIBILITY, state)


def test_app_lock_offered(device):
    """P-07, S-01, S-02 an app lock is offered after sign-in; then only the owner opens the app"""
    app = device
    app.sign_in(TECHNICIAN)
    dialog = app.page.get_by_role("dialog", name=OFFER)
    expect(dialog).to_be_visible()
    app.assert_accessible()
    app.page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    app.button("Turn on").click()
    app.says(ON)
    assert len(app.authenticator.credentials) == 1

    app.page.reload()

    expect(app.heading(LOCKED)).to_be_visible()
    app.says("Tara")
    app.assert_accessible()
    expect(app.button("Unlock")).to_be_focused()
    assert JOB not in app.page.content() and app.count("/api/jobs") == 1
    assert app.page.evaluate(OPENED) == {"keys": 1, "opened": False}
    kept = app.page.evaluate(KEPT)
    parts = {part for name in ("access_token", "refresh_token")
             for part in app.tokens[name].split(".") if len(part) > 9}
    assert not [text for text in kept["texts"] if any(part in text for part in parts)]
    app.button("Unlock").click()
    app.at_jobs()
    app.says(JOB)


def test_not_now(device):
    """P-07 a person who declines the app lock continues without it and finds it in the menu"""
    app = device
    app.sign_in(TECHNICIAN)
    app.button("Not now").click()
    app.says(JOB)

    app.page.reload()
    app.says(JOB)
    app.button("Account").click()
    app.button("Turn on app lock").click()
    app.says(ON)

    app.button("Account").click()
    app.button("Turn off app lock").click()
    app.says("App lock is off.")
    app.page.reload()
    app.says(JOB)


REMOVED = """async () => {
  const sessionStore = await import('./storage/session-store.js');
  const { value } = await sessionStore.readSession();
  await sessionStore.savePendingRevocation('another tab was here');
  const answer = await sessionStore.removeLock(value);
  return [answer, await sessionStore.readSession(),
    await sessionStore.removeLock('another tab was here')];
}"""


def test_lock_removed_over_another_session(device):
    """L-24 removing an app lock late restores no session that another tab has ended"""
    app = device.open_modules()
    sign_in_with_lock(app)

    answer, stored, own = app.page.evaluate(REMOVED)

    assert answer == {"storage": "value", "value": "another tab was here"}
    assert (stored["storage"], stored["value"]) == ("value", "another tab was here")
    assert own is None


def test_background(device):
    """S-06, S-07, P-05 the app is covered in the background, and later locked before it is seen"""
    app = device
    sign_in_with_lock(app)
    timeout = app.tokens["session"]["background_timeout"]

    assert set_visibility(app, "hidden")["covered"]
    app.page.clock.fast_forward((timeout - 2) * 1000)
    set_visibility(app, "visible")
    # The cover stays while a change of the session is being stored.
    expect(app.page.locator("#cover")).to_be_hidden()
    expect(app.page.locator("#screen")).to_have_attribute("data-screen", "jobs")
    app.says(JOB)

    assert set_visibility(app, "hidden")["covered"]
    with app.page.expect_navigation():
        app.page.clock.fast_forward(timeout * 1000)
    expect(app.heading(LOCKED)).to_be_visible()
    assert JOB not in app.page.content()
    app.button("Unlock").click()
    app.says(JOB)


def test_clock_set_back(device):
    """L-31 setting the clock back while the app is hidden locks the app"""
    app = device
    sign_in_with_lock(app)
    set_visibility(app, "hidden")

    app.page.evaluate("() => { const now = Date.now; Date.now = () => now() - 3_600_000 }")

    seen = set_visibility(app, "visible")
    # The cover stays while a change of the session is being stored. A page that has locked itself
    # before it is visible opens again and shows nothing yet.
    assert seen["covered"] or seen["screen"] in ("opening", "app-lock")
    expect(app.heading(LOCKED)).to_be_visible()


def test_owner_not_verified(device):
    """S-06, L-30 a failed verification leaves the app locked and deletes nothing"""
    app = device
    sign_in_with_lock(app)
    app.page.reload()
    app.authenticator.know_owner(False)

    app.button("Unlock").click()
    app.says(STILL_LOCKED)

    expect(app.heading(LOCKED)).to_be_visible()
    assert JOB not in app.page.content()
    assert set(app.page.evaluate(RECORDS)) >= {"session", "lock"}


def test_enrolment_changed(device):
    """L-30 an app lock that can no longer be opened leads to one new sign-in, with the reason"""
    app = device
    sign_in_with_lock(app)
    app.page.evaluate(SPOIL)
    app.page.reload()

    app.button("Unlock").click()

    app.says(CHANGED)
    expect(app.email).to_be_visible()
    # Only the name of the session that must be ended is left.
    assert app.page.evaluate(RECORDS) == ["sealing", "session"]
    app.page.reload()
    expect(app.email).to_be_visible()


def test_passkey_deleted(device):
    """L-30 if the device has deleted its passkey, the user can sign in another way"""
    app = device
    sign_in_with_lock(app)
    app.authenticator.forget()
    app.page.reload()
    app.button("Use another way").click()
    app.server.advance(61)

    app.sign_in(TECHNICIAN)

    app.button("Not now").click()
    app.says(JOB)


def test_sign_out(device):
    """S-04, P-12 signing out removes the tokens and the app lock together"""
    app = device
    sign_in_with_lock(app)
    assert set(app.page.evaluate(RECORDS)) >= {"session", "lock"}
    app.button("Account").click()

    with app.page.expect_response("**/oauth/revoke"):
        app.button("Sign out").click()
    app.says("You're signed out.")

    app.page.wait_for_timeout(300)
    assert app.page.evaluate(RECORDS) == []
    app.page.reload()
    expect(app.email).to_be_visible()


def test_required_lock_impossible(chrome, named_server):
    """S-06 if a required app lock is not possible, the app says so and signs out"""
    app = MentorApp(chrome, named_server)
    app.page.clock.install()
    app.open().sign_in(MENTOR)
    app.says(IMPOSSIBLE)
    set_visibility(app, "hidden")
    app.page.clock.fast_forward(app.tokens["session"]["background_timeout"] * 1000)

    seen = set_visibility(app, "visible")

    app.says(AWAY)
    assert "Activities" not in seen["text"] or seen["covered"]
    expect(app.email).to_be_visible()
    app.close()


def test_loaded_in_background(chrome, named_server):
    """S-06 a tab that loads in the background is hidden until it is shown"""
    app = MentorApp(chrome, named_server)
    app.page.clock.install()
    app.open().sign_in(MENTOR)
    app.says(IMPOSSIBLE)
    app.page.add_init_script(
        "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")
    app.page.reload()
    expect(app.page.locator("#screen")).to_have_attribute("data-screen", "activities")
    expect(app.page.locator("#cover")).to_be_visible()
    app.wait(app.tokens["session"]["background_timeout"])

    set_visibility(app, "visible")

    app.says(AWAY)
    app.close()


def test_no_prf(chrome, named_server):
    """P-07 a device whose passkey gives no key gets no app lock, and the app says so"""
    app = App(chrome, named_server)
    Authenticator(app.page, prf=False)
    app.open().sign_in(TECHNICIAN)

    app.button("Turn on").click()

    app.says("App lock is not on. You can turn it on in the account menu.")
    app.page.reload()
    app.says(JOB)
    app.close()
