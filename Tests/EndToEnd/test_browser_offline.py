"""What technicians, riders and mentors can read without a server, in a real browser."""
import re

import pytest
from playwright.sync_api import expect

from browser import App, RiderApp
from harness import TECHNICIAN
from localhost import MENTOR, Authenticator, NamedServer, client
from products import OWNER, ProductApp, administrator
from test_browser_lock import LOCKED, OPENED, MentorApp, RECORDS
from test_browser_session import KEPT

SEALED = "Connect to the internet"
# After a reload, a browser that emulates a lost network can report that it has one.
OFFLINE = re.compile(r"(You're offline|Offline Mode)\. .* from .*\d")

HEAD = """async (shelf) => {
  const open = indexedDB.open((await indexedDB.databases())[0].name)
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const keys = base.transaction('records').objectStore('records').getAllKeys()
  await new Promise((done) => { keys.onsuccess = done })
  base.close()
  return keys.result.includes(`shelf/${shelf}/head`)
}"""

# Whether any key that storage exports opens any piece of the offline copy.
OPENED_SHELF = """async ([shelf, binding]) => {
  const open = indexedDB.open((await indexedDB.databases())[0].name)
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const asked = (request) => new Promise((done) => { request.onsuccess = () => done(request.result) })
  const records = base.transaction('records').objectStore('records')
  const names = (await asked(records.getAllKeys())).filter((name) => name.startsWith('shelf/'))
  const keys = [...await asked(base.transaction('keys').objectStore('keys').getAll()),
    ...await asked(base.transaction('records').objectStore('records').getAll())]
    .map((kept) => kept.key ?? kept)
    .filter((key) => key instanceof CryptoKey && key.algorithm.name === 'AES-GCM')
  let opened = 0
  for (const name of names) {
    const { iv, sealed } = await asked(
      base.transaction('records').objectStore('records').get(name))
    const piece = name.slice(`shelf/${shelf}/`.length)
    const additionalData = new TextEncoder().encode(`${location.origin}|${binding}|${piece}`)
    for (const key of keys) {
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed)
        .then(() => { opened += 1 }, () => undefined)
    }
  }
  base.close()
  return { pieces: names.length, keys: keys.length, opened }
}"""


class Technician(App):
    shelf, word = "jobs", "Install washing machine"

    def begin(self):
        self.sign_in(TECHNICIAN)

    def at_home(self):
        self.at_jobs()


class Rider(RiderApp):
    shelf, word = "dashboard", "Priya Sharma"

    def begin(self):
        self.verify(self.reach_code())
        self.at_dashboard()

    def at_home(self):
        self.at_dashboard()


class Mentor(MentorApp):
    shelf = "activities"

    def begin(self):
        self.sign_in(MENTOR)

    def at_home(self):
        self.at_jobs()


def go_offline(app):
    app.server.kill()
    app.context.set_offline(True)


def stored(app):
    app.until(HEAD, app.shelf)


@pytest.fixture(params=[Technician, Rider, Mentor])
def app(request, chrome, server):
    app = request.param(chrome, server).open()
    app.begin()
    stored(app)
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    yield app
    app.close()


def rows(app):
    app.at_home()
    expect(app.page.locator(".row").first).to_be_visible()
    return app.page.locator(".row").all_inner_texts()


def test_restart_offline(app):
    """O-01, O-10 the offline copy is there after a restart without the server, with its time"""
    online = rows(app)
    go_offline(app)

    app.page.reload()

    assert rows(app) == online
    expect(app.page.locator("#status")).to_contain_text(OFFLINE)
    app.assert_accessible()
    app.server.start()
    app.context.set_offline(False)
    app.page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(app.page.locator("#status")).to_have_count(0, timeout=20_000)


def test_sealed(app):
    """O-06 the offline copy is not readable in storage"""
    words = {word for row in rows(app) for word in re.findall(r"\w{6,}", row)}

    kept = app.page.evaluate(KEPT)

    assert words and kept["extractable"] == []
    text = "\n".join(kept["texts"])
    assert not [word for word in words if word in text]


def test_signed_out(app):
    """P-12 signing out deletes the offline copy"""
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")

    assert not [name for name in app.page.evaluate(RECORDS) if name.startswith("shelf/")]


def test_other_organization(chrome, server):
    """S-05 without a server the offline copy of one organization is not there in the other"""
    app = Mentor(chrome, server).open()
    app.begin()
    stored(app)
    northern = rows(app)
    app.button("Account").click()
    app.button("Switch to South").click()
    expect(app.page.locator(".organization")).to_have_text("South")
    southern = rows(app)
    app.page.wait_for_timeout(500)
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    go_offline(app)

    app.page.reload()

    assert rows(app) == southern and not set(southern) & set(northern)
    app.close()


# MARK: Offline period


def set_offline_seconds(server, seconds):
    answer = administrator(server).api(
        "/admin/clients/product-app", "PATCH", document={"offline_seconds": seconds})
    assert answer.status == 200, answer


class ShortOfflineServer(NamedServer):
    """One organization allows offline data for an hour without the server."""
    clients = (client("mentor-app"),)
    organizations = ({"id": "north", "name": "North", "policy": {"offline_seconds": 3600}},
                     {"id": "south", "name": "South"})


def test_offline_period_of_organization(chrome, new_server):
    """O-06, S-07 after the organization's offline period the copy stays sealed until contact"""
    server = ShortOfflineServer(new_server().data).start()
    app = Mentor(chrome, server)
    app.page.clock.install()
    app.open()
    app.begin()
    stored(app)
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    go_offline(app)

    app.page.clock.fast_forward(3000 * 1000)
    app.page.reload()
    assert rows(app)
    app.page.clock.fast_forward(700 * 1000)
    app.page.reload()
    app.says(SEALED)
    expect(app.page.locator(".row")).to_have_count(0)
    app.assert_accessible()

    app.server.start()
    app.server.advance(3700)
    app.context.set_offline(False)
    app.button("Refresh").click()
    assert rows(app)
    app.close()
    server.close()


def test_offline_period_of_app(chrome, server):
    """O-06 the same for products; a changed policy applies from the next sync"""
    app = ProductApp(chrome, server)
    app.page.clock.install()
    app.open().synced()
    app.ready()
    set_offline_seconds(server, 600)
    app.synced_for(600)
    go_offline(app)

    # The administrator's sign-in can move the server's clock forward by a minute. The app stores
    # that it has learned this only from time to time.
    app.page.clock.fast_forward(700 * 1000)
    app.page.reload()

    app.at_home()
    app.says(SEALED)
    expect(app.rows).to_have_count(0)
    # Setting the clock back does not open the copy.
    app.page.clock.set_system_time(0)
    app.page.reload()
    app.page.wait_for_timeout(1000)
    expect(app.rows).to_have_count(0)
    app.close()


def test_no_offline_period(chrome, server):
    """O-06 if an organization allows no offline period, the device stores no copy"""
    set_offline_seconds(server, 0)
    app = ProductApp(chrome, server).open()
    app.sign_in(OWNER)
    app.counts(60)
    app.ready()
    app.page.wait_for_timeout(500)

    assert not [name for name in app.page.evaluate(RECORDS) if name.startswith("shelf/")]
    go_offline(app)
    app.page.evaluate("() => dispatchEvent(new Event('online'))")
    app.says(SEALED)
    expect(app.rows).to_have_count(0)
    app.close()


# MARK: App lock


class AppLockServer(NamedServer):
    """The technicians' app with an app lock, which the organization requires."""
    clients = (client("technician-app", unlock="biometric"),)


def test_locked(chrome, folder, new_server):
    """S-06, O-06 under an app lock the keys that storage exports do not open the offline copy"""
    server = AppLockServer(new_server().data).start()
    app = Technician(chrome, server)
    app.authenticator = Authenticator(app.page)
    app.open()
    app.sign_in(TECHNICIAN)
    stored(app)
    organization = app.tokens["session"].get("organization") or ""
    binding = f"technician|{app.name}|{organization}|{app.shelf}"
    before = app.page.evaluate(OPENED_SHELF, [app.shelf, binding])
    assert before["pieces"] == 2 and before["opened"] == 2
    app.button("Turn on").click()
    app.says(app.word)
    stored(app)
    app.page.wait_for_timeout(300)
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")

    after = app.page.evaluate(OPENED_SHELF, [app.shelf, binding])
    assert after["pieces"] == 2 and after["keys"] >= 1 and after["opened"] == 0
    assert app.page.evaluate(OPENED)["opened"] is False
    app.context.set_offline(True)
    server.kill()
    app.page.reload()
    expect(app.heading(LOCKED)).to_be_visible()
    assert app.word not in app.page.content()
    app.button("Unlock").click()

    app.at_jobs()
    app.says(app.word)
    expect(app.page.locator("#status")).to_contain_text(OFFLINE)
    app.close()
    server.close()
