"""What a browser has stored after a sign-out and after a change of the organization.

A thief of the device has everything: each record, and each key that the page can use. So the tests
unseal what any stored key opens.
"""
import pytest
from playwright.sync_api import expect

import browser as web
from browser import App
from harness import TECHNICIAN
from localhost import MENTOR
from test_browser_lock import MentorApp
from test_browser_mentor import first_activity, switch

# The names of all records, and all texts that a stored key opens in the context of its record.
# With `keep`, the records of this moment are kept, and later tried again with the keys of then.
UNSEALED = """async ({ app, contexts, keep }) => {
  const open = indexedDB.open(`fieldpass-${app}`)
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const all = (store, what) => new Promise((done) => {
    const request = base.transaction(store).objectStore(store)[what]()
    request.onsuccess = () => done(request.result)
  })
  const names = await all('records', 'getAllKeys')
  const values = await all('records', 'getAll')
  const others = await all('keys', 'getAll')
  base.close()
  const keys = []
  const sealed = []
  const walk = (value, name) => {
    if (value instanceof CryptoKey) {
      if (value.usages.includes('decrypt')) keys.push(value)
    } else if (value?.iv && value.sealed) sealed.push([name, value])
    else if (value && typeof value === 'object' && !ArrayBuffer.isView(value)) {
      Object.values(value).forEach((part) => walk(part, name))
    }
  }
  names.forEach((name, index) => walk(values[index], name))
  others.forEach((value) => walk(value, ''))
  const unseal = async (records) => {
    const found = {}
    for (const [name, { iv, sealed: bytes }] of records) {
      for (const context of [name, ...contexts]) {
        const additionalData = new TextEncoder().encode(context)
        for (const key of keys) {
          await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
            .then((text) => { found[name] = new TextDecoder().decode(text) }, () => undefined)
        }
      }
    }
    return found
  }
  const bytes = ({ iv }) => String(new Uint8Array(iv))
  const left = (window.kept ?? []).filter(([, earlier]) =>
    sealed.some(([, later]) => bytes(earlier) === bytes(later))).map(([name]) => name)
  const opened = await unseal(window.kept ?? [])
  if (keep) window.kept = sealed
  return { names: names.map(String), texts: await unseal(sealed), left, opened }
}"""


EMPTY = """async () => {
  const open = indexedDB.open('fieldpass-technician-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const count = base.transaction('records').objectStore('records').count()
  await new Promise((done) => { count.onsuccess = done })
  base.close()
  return count.result === 0
}"""


def stored(app, session=None, keep=False):
    contexts = ["card"] + ([f"place of {session}"] if session else [])
    return app.page.evaluate(UNSEALED, {"app": app.name, "contexts": contexts, "keep": keep})


@pytest.mark.parametrize("is_online", [True, False], ids=["online", "without-network"])
def test_sign_out(app, is_online):
    """P-12, S-04, L-32 a sign-out erases everything, also without a network"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    before = stored(app, app.tokens["session"]["id"])
    assert TECHNICIAN.email in before["texts"]["username"]
    assert app.tokens["refresh_token"] in before["texts"]["session"]

    app.context.set_offline(not is_online)
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")

    if is_online:
        app.until(EMPTY)
        return
    # Only what the server must still learn.
    after = stored(app, app.tokens["session"]["id"])
    assert sorted(after["names"]) == ["sealing", "session"]
    assert list(after["texts"]) == ["session"]
    text = after["texts"]["session"]
    assert '"revoke"' in text and "access_token" not in text and '"session"' not in text
    for word in (TECHNICIAN.email, "Tara", app.tokens["access_token"]):
        assert word not in str(after)
    # The next start without a network knows nothing of the person either.
    app.page.reload()
    expect(app.email).to_have_value("")
    assert sorted(stored(app)["names"]) == ["sealing", "session"]

    app.context.set_offline(False)
    with app.page.expect_response("**/oauth/revoke"):
        app.page.reload()
    expect(app.password).to_be_visible()
    app.until(EMPTY)


@pytest.fixture
def mentor(chrome, server):
    app = MentorApp(chrome, server).open()
    yield app
    app.close()


def test_switch_of_organization(mentor):
    """P-12, S-05 after a change of the organization no stored key opens what was stored before"""
    mentor.sign_in(MENTOR)
    expect(first_activity(mentor)).to_be_visible()
    earlier = mentor.tokens
    before = stored(mentor, earlier["session"]["id"], keep=True)
    assert earlier["refresh_token"] in before["texts"]["session"]

    tokens = switch(mentor, "South")
    expect(first_activity(mentor)).to_be_visible()

    after = stored(mentor, earlier["session"]["id"])
    # Only the e-mail of the same person remains.
    assert set(after["left"]) <= {"username"}
    assert set(after["opened"]) <= {"username"}
    for token in (earlier["access_token"], earlier["refresh_token"], earlier["session"]["id"]):
        assert token not in str(after["texts"])
    assert tokens["session"]["id"] in after["texts"]["session"]


def test_redirected_call(chrome, server):
    """P-05, P-04 the app follows no redirect, so that no other address gets a proof or a token"""
    app = App(chrome, server)
    app.page.route("**/oauth/challenge", lambda route: route.fulfill(
        status=307, headers={"location": "/oauth/elsewhere"}))
    app.open()

    app.log_in(TECHNICIAN.email, TECHNICIAN.password)

    app.says(web.UNREACHABLE)
    assert app.count("/oauth/challenge") == 1
    assert app.count("/oauth/elsewhere") == 0
    app.close()
