"""The technician's session in a real browser: its storage, its renewal and its end."""
import contextlib
import re

import pytest
from playwright.sync_api import Error, expect

import browser as web
from device import Device
from harness import SECRETS, TECHNICIAN, secret
from timing import RESUMED, RESUMING

KEPT = """async () => {
  const kept = {texts: [], extractable: [], local: localStorage.length,
    session: sessionStorage.length, cookie: document.cookie, cached: []}
  const walk = value => {
    if (value instanceof CryptoKey) {
      if (value.extractable && value.type !== 'public') kept.extractable.push(value.type)
    } else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      kept.texts.push(new TextDecoder('latin1').decode(value))
    } else if (value && typeof value === 'object') Object.values(value).forEach(walk)
    else kept.texts.push(String(value))
  }
  for (const {name} of await indexedDB.databases()) {
    const open = indexedDB.open(name)
    const base = await new Promise((done, fail) => {
      open.onsuccess = () => done(open.result); open.onerror = fail })
    for (const store of base.objectStoreNames) {
      const all = base.transaction(store).objectStore(store).getAll()
      walk(await new Promise((done, fail) => {
        all.onsuccess = () => done(all.result); all.onerror = fail }))
    }
    base.close()
  }
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) kept.cached.push(request.url)
  }
  return kept
}"""


def test_storage(app):
    """T-01, T-14, S-01 tokens are stored sealed, with keys that cannot leave the browser"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")

    kept = app.page.evaluate(KEPT)

    assert (kept["local"], kept["session"], kept["cookie"]) == (0, 0, "")
    assert kept["texts"] and kept["extractable"] == []
    tokens = [app.tokens[name] for name in ("access_token", "refresh_token")]
    parts = {part for token in tokens for part in token.split(".") if len(part) > 9}
    assert not [text for text in kept["texts"] if any(part in text for part in parts)]
    assert not [url for url in kept["cached"] if "/api/" in url or "/oauth/" in url]
    assert TECHNICIAN.password in SECRETS and TECHNICIAN.password not in str(kept)


def test_reload(app):
    """P-11, S-02 a reload keeps the person signed in"""
    app.sign_in(TECHNICIAN)

    app.page.reload()

    app.at_jobs()
    app.says("Install washing machine")
    expect(app.password).to_have_count(0)


def test_second_tab(app):
    """P-11, L-22 a second tab of the same browser is signed in as well"""
    app.sign_in(TECHNICIAN)
    other = app.context.new_page()

    other.goto(app.server.base + "/app/technician-app/")

    expect(other.get_by_role("heading", name="Assigned jobs")).to_be_visible()
    app.page.reload()
    app.at_jobs()


SPY = """() => {
  window.keptKeys = []
  const walk = value => {
    if (value instanceof CryptoKey) window.keptKeys.push(value)
    else if (value && typeof value === 'object' && !ArrayBuffer.isView(value)) {
      Object.values(value).forEach(walk) }
  }
  return (async () => {
    for (const {name} of await indexedDB.databases()) {
      const open = indexedDB.open(name)
      const base = await new Promise(done => { open.onsuccess = () => done(open.result) })
      for (const store of base.objectStoreNames) {
        const all = base.transaction(store).objectStore(store).getAll()
        walk(await new Promise(done => { all.onsuccess = () => done(all.result) }))
      }
      base.close()
    }
    return window.keptKeys.map(key => key.type)
  })()
}"""

REFRESH = """async ([url, token, now]) => {
  const pick = type => window.keptKeys.find(
    key => key.type === type && key.algorithm.name === 'ECDSA')
  const {kty, crv, x, y} = await crypto.subtle.exportKey('jwk', pick('public'))
  const text = value => btoa(value).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '')
  const head = text(JSON.stringify({typ: 'dpop+jwt', alg: 'ES256', jwk: {kty, crv, x, y}}))
  const body = text(JSON.stringify(
    {jti: crypto.randomUUID(), htm: 'POST', htu: url, iat: Math.floor(now)}))
  const signature = await crypto.subtle.sign({name: 'ECDSA', hash: 'SHA-256'}, pick('private'),
    new TextEncoder().encode(head + '.' + body))
  const proof = head + '.' + body + '.' + text(String.fromCharCode(...new Uint8Array(signature)))
  const answer = await fetch(url, {method: 'POST', headers: {DPoP: proof},
    body: new URLSearchParams({grant_type: 'refresh_token', client_id: 'technician-app',
      refresh_token: token})})
  return await answer.json()
}"""


def test_sign_out(app):
    """P-12, S-04, L-32 signing out ends the session at the server and deletes the stored data"""
    app.sign_in(TECHNICIAN)
    assert {"private", "public"} <= set(app.page.evaluate(SPY))
    app.button("Account").click()

    with app.page.expect_response("**/oauth/revoke") as revoked:
        app.button("Sign out").click()
    app.says("You're signed out.")

    assert revoked.value.status == 200
    token = app.tokens["refresh_token"]
    url = app.server.endpoint("token_endpoint")
    answer = app.page.evaluate(REFRESH, [url, token, app.server.now()])
    assert (answer["error"], answer["reason"]) == ("invalid_grant", "signed_out"), answer
    app.page.reload()
    expect(app.password).to_be_visible()


def test_sign_in_again_at_once(app, chrome):
    """T-08 after a completed sign-in neither this device nor another waits for a code"""
    app.sign_in(TECHNICIAN)
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")

    app.sign_in(TECHNICIAN)
    other = web.App(chrome, app.server).open()
    other.sign_in(TECHNICIAN)
    other.close()


# A new `iv` also ends a change of the session that has already read the record.
DAMAGE = """async () => {
  const open = indexedDB.open('fieldpass-technician-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const transaction = base.transaction('records', 'readwrite')
  const store = transaction.objectStore('records')
  store.get('session').onsuccess = ({ target }) => {
    const bytes = new Uint8Array(target.result.sealed)
    bytes[3] ^= 1
    const iv = new Uint8Array(target.result.iv).map((byte) => byte ^ 1)
    store.put({ ...target.result, iv, sealed: bytes.buffer }, 'session')
  }
  await new Promise((done) => { transaction.oncomplete = done })
  base.close()
}"""

# Storage that fails, as while a device is still locked.
UNREADABLE = "() => { indexedDB.open = () => { throw new Error('not now') } }"


def test_damaged_session(app):
    """S-08 a damaged session leads to the sign-in with an explanation and ends at the server"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    app.page.evaluate(DAMAGE)

    app.page.reload()
    app.says("The session saved on this device is damaged. Sign in again.")
    app.assert_accessible()
    app.page.reload()
    app.says("The session saved on this device is damaged. Sign in again.")
    app.sign_in(TECHNICIAN)

    app.says("Install washing machine")
    app.button("Account").click()
    app.button("Your devices").click()
    app.says("This device")
    expect(app.button("Sign out this device")).to_have_count(0)
    app.page.reload()
    app.says("This device")
    app.button("Back").click()
    app.at_jobs()


LOSE = """async ([name, member]) => {
  const open = indexedDB.open('fieldpass-technician-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const transaction = base.transaction('records', 'readwrite')
  const store = transaction.objectStore('records')
  store.get(name).onsuccess = ({ target }) => {
    if (!member) store.delete(name)
    else store.put({ ...target.result, [member]: undefined }, name)
  }
  await new Promise((done) => { transaction.oncomplete = done })
  base.close()
}"""


@pytest.mark.parametrize("part", [["sealing", None], ["sealing", "key"]], ids=["record", "key"])
def test_lost_sealing_key(app, part):
    """S-08 with a lost sealing key the session is damaged, and there is no lock to open"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    app.page.evaluate(LOSE, part)

    app.page.reload()
    app.says("The session saved on this device is damaged. Sign in again.")
    expect(app.button("Unlock")).to_have_count(0)
    app.assert_accessible()
    app.sign_in(TECHNICIAN)

    app.says("Install washing machine")
    app.page.reload()
    app.says("Install washing machine")


def test_unreadable_session(app):
    """S-08, L-20 storage that cannot be read yet is reported as such and does not sign out"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    app.page.add_init_script(f"({UNREADABLE})()")

    app.page.reload()

    expect(app.heading("Session not available yet")).to_be_visible()
    expect(app.password).to_have_count(0)
    app.assert_accessible()


def test_sign_out_without_network(app):
    """L-32 signing out works without a network; the server learns of it later"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    app.context.set_offline(True)
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")

    with app.page.expect_response("**/oauth/revoke") as revoked:
        app.context.set_offline(False)
        app.page.reload()
        expect(app.password).to_be_visible()

    assert revoked.value.status == 200


def test_session_ended_at_the_server(app):
    """S-03, S-08 a session that ended at the server leads to the login screen, which says so"""
    app.sign_in(TECHNICIAN)
    # A pending request would report the end of the session before the reload does.
    app.says("Install washing machine")
    app.server.advance(app.tokens["session"]["idle_timeout"] + 1)

    app.page.reload()

    app.says("Your session has ended. Sign in again.")
    expect(app.password).to_be_visible()


def test_server_out_of_reach(app):
    """L-20, L-25 without the server the app opens, and the person stays signed in"""
    app.sign_in(TECHNICIAN)
    app.page.reload()
    app.at_jobs()
    app.server.kill()

    app.page.reload()

    app.at_jobs()
    expect(app.password).to_have_count(0)
    app.server.start()
    app.page.reload()
    app.says("Install washing machine")


def test_shell_without_network(app):
    """P-03 the login screen opens without a server if it was opened before"""
    expect(app.email).to_be_visible()
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    app.page.reload()
    expect(app.email).to_be_visible()
    app.server.kill()

    app.page.reload()

    expect(app.email).to_be_visible()
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    app.says(web.UNREACHABLE)


@pytest.mark.parametrize("body", ["<html>Bad gateway</html>", "{}", ""])
def test_server_fault(app, body):
    """P-03 a fault of the server, or of a proxy before it, is shown as a fault"""
    app.page.route("**/oauth/challenge", lambda route: route.fulfill(
        status=500, content_type="text/html", body=body))

    app.log_in(TECHNICIAN.email, TECHNICIAN.password)

    app.says(web.FAULT)
    expect(app.password).to_have_value(TECHNICIAN.password)


def test_silent_sync(app):
    """O-08 a failed sync over a good copy is silent; a failed refresh is shown beside its button"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    toolbar = app.page.locator(".toolbar")
    expect(toolbar).to_contain_text("Updated")
    app.page.route("**/api/jobs", lambda route: route.fulfill(status=500, body=""))

    with app.page.expect_response("**/api/jobs"):
        app.page.reload()
    app.says("Install washing machine")
    expect(toolbar).to_contain_text("Updated")
    expect(toolbar).not_to_contain_text("failed")
    expect(app.page.locator("#status, .banner")).to_have_count(0)

    app.button("Refresh").click()
    expect(toolbar).to_contain_text("Refresh failed. Updated")
    expect(app.page.locator("#status, .banner")).to_have_count(0)
    app.assert_accessible()


def test_ended_on_another_device(app, chrome):
    """S-08 a session ended from another device closes within seconds, and the app says why"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    app.server.advance(61)
    other = web.App(chrome, app.server, viewport=web.DESKTOP).open()
    other.sign_in(TECHNICIAN)
    other.button("Account").click()
    other.button("Your devices").click()
    expect(other.button("Sign out this device")).to_have_count(1)
    other.assert_accessible()

    other.button("Sign out this device").click()
    expect(other.page.get_by_role("dialog")).to_contain_text("Sign out Chrome on Linux?")
    other.assert_accessible()
    other.button("Cancel").click()
    expect(other.page.get_by_role("dialog")).to_have_count(0)
    expect(other.button("Sign out this device")).to_be_focused()
    other.button("Sign out this device").click()
    other.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()

    other.says("Device signed out.")
    app.says("Your session was ended from another device or by your administrator.")
    expect(app.email).to_be_visible()
    expect(other.page.get_by_text("This device")).to_be_visible()
    other.button("Back").click()
    other.at_jobs()
    other.close()


def test_killed_during_a_renewal(app):
    """L-23 a page that is killed before it stores a renewal continues after it opens again"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")

    def lose(route):
        # The page may be loaded again while this request runs.
        with contextlib.suppress(Error):
            route.fetch()
            route.abort()

    app.page.route("**/oauth/token", lose)
    with app.page.expect_event("requestfailed", lambda request: "/oauth/token" in request.url):
        app.server.advance(app.tokens["expires_in"])
        app.page.reload()
    app.page.unroute("**/oauth/token")

    app.page.reload()

    app.says("Install washing machine")
    expect(app.password).to_have_count(0)


def test_covered(app):
    """P-05 the screen is covered as soon as the app is hidden, and uncovered when it returns"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")

    for event in ("pagehide", "visibilitychange"):
        app.page.evaluate("""event => {
          Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})
          const target = event === 'pagehide' ? window : document
          target.dispatchEvent(new Event(event)) }""", event)
        expect(app.page.locator("#cover")).to_be_visible()
        app.page.evaluate("""() => {
          Object.defineProperty(document, 'visibilityState', {value: 'visible', configurable: true})
          document.dispatchEvent(new Event('visibilitychange')) }""")
        expect(app.page.locator("#cover")).to_be_hidden()


def test_e_mail_is_filled_in(timed_app):
    """S-03, T-09 after a session that expired the e-mail is filled in; after a sign-out it is not"""
    app = timed_app
    app.sign_in(TECHNICIAN)
    app.wait(app.tokens["session"]["idle_timeout"] + 1)
    expect(app.email).to_have_value(TECHNICIAN.email)
    expect(app.password).to_have_value("")
    app.page.reload()
    expect(app.email).to_have_value(TECHNICIAN.email)
    kept = app.page.evaluate(KEPT)
    assert not [text for text in kept["texts"] if TECHNICIAN.email in text]
    assert (kept["local"], kept["extractable"]) == (0, [])

    app.sign_in(TECHNICIAN)
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")
    expect(app.email).to_have_value("")
    app.page.reload()
    expect(app.email).to_have_value("")


def test_idle_warning(timed_app):
    """S-07 before the idle timeout ends a session, one press keeps it"""
    app = timed_app
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    idle = app.tokens["session"]["idle_timeout"]
    dialog = app.page.get_by_role("dialog", name="Are you still there?")
    app.page.clock.fast_forward((idle - 40) * 1000)
    expect(dialog).to_be_visible()
    app.assert_accessible()

    app.button("Stay signed in").click()

    expect(dialog).to_have_count(0)
    app.page.clock.fast_forward((idle - 40) * 1000)
    expect(dialog).to_be_visible()
    app.page.clock.fast_forward(41_000)
    app.says("You were inactive for too long, so your session has ended.")


def test_resume_is_quick(app, record_property):
    """P-11 from the first read of storage to the first job on the screen is fast"""
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")
    app.page.add_init_script(RESUMED)
    times = []
    for _ in range(9):
        app.page.reload()
        app.says("Install washing machine")
        times.append(app.page.evaluate(RESUMING))

    record_property("resume_ms", sorted(times))
    print("resume, ms:", [round(time) for time in sorted(times)])
    assert sorted(times)[0] < 500


def test_change_password(app):
    """S-08 changing the password needs the current one and signs the other devices out"""
    app.sign_in(TECHNICIAN)
    app.server.advance(61)
    other = Device(app.server)
    other.sign_in(TECHNICIAN)
    app.button("Account").click()
    app.button("Your devices").click()
    app.button("Change password").click()
    expect(app.heading("Change password")).to_be_visible()
    current = app.page.get_by_label("Current password", exact=True)
    save = app.page.get_by_role("main").get_by_role("button", name="Change password")
    expect(save).to_be_disabled()
    app.assert_accessible()

    current.fill(secret("not the one"))
    app.new_password.fill(secret("mossy stones & lichen"))
    save.click()
    app.says("This is not your current password. Try again.")
    expect(current).to_be_focused()
    app.assert_accessible()
    current.fill(TECHNICIAN.password)
    save.click()

    app.says("Password changed. Your other devices are signed out.")
    assert other.api("/api/me").status == 401
    app.server.advance(61)
    assert Device(app.server).login(TECHNICIAN.email, "mossy stones & lichen").error \
        == "insufficient_authorization"
