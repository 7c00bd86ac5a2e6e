"""New versions of the app while the old one is in use: two built versions in a real browser."""
import time

import pytest
from playwright.sync_api import expect

from products import ProductApp
from versions import make_version

# The script and the style of a page must have the same version.
VERSION = """() => [window.version ?? 'first',
  getComputedStyle(document.documentElement).getPropertyValue('--version').replace(/['" ]/g, '')
    || 'first']"""

TURN = """state => {
  Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})
  document.dispatchEvent(new Event('visibilitychange'))
}"""

CHECK_FOR_UPDATE = "() => navigator.serviceWorker.getRegistration().then((found) => found.update())"

WAITING = "() => navigator.serviceWorker.getRegistration().then((r) => r.waiting !== null)"

SETTLED = """() => navigator.serviceWorker.getRegistration().then(
  (found) => found.installing === null && found.active.state === 'activated')"""


@pytest.fixture(scope="session")
def second(folder):
    return make_version(folder / "second", "second")


@pytest.fixture(scope="session")
def half_updated(folder):
    """A server in the middle of its own update: the list of files is new, one file is not."""
    return make_version(folder / "half-updated", "half-updated", stale=["app.css"])


@pytest.fixture
def old(chrome, server):
    """An app of the first version, in use."""
    app = ProductApp(chrome, server).open().synced()
    app.ready()
    app.page.reload()
    app.counts(60)
    yield app
    app.close()


def version(page):
    script, style = page.evaluate(VERSION)
    assert script == style, (script, style)
    return script


def deploy(app, program):
    """Stops the server and starts it again as another version."""
    app.server.stop()
    app.server.binary = program
    app.server.start()


def find_update(app):
    """The browser finds the new version by itself, within a day or at the next opening."""
    app.page.evaluate(CHECK_FOR_UPDATE)
    app.until(WAITING)


def leave_and_return(page):
    page.evaluate(TURN, "hidden")
    page.wait_for_timeout(200)
    page.evaluate(TURN, "visible")


def updates_to(app, wanted):
    """Returns to the app until it has the new version. An update waits for pending requests."""
    for _ in range(5):
        leave_and_return(app.page)
        app.page.wait_for_timeout(1500)
        if app.page.evaluate(VERSION)[0] == wanted:
            break
    shows_version(app, wanted)


def shows_version(app, wanted):
    app.page.wait_for_function("wanted => (window.version ?? 'first') === wanted", arg=wanted)
    app.counts(60)
    assert version(app.page) == wanted


def keeps_version(app, wanted):
    app.page.wait_for_timeout(1500)
    assert version(app.page) == wanted


def test_in_use(old, second):
    """O-10 the old version stays while the app is in use; the new one comes at a later return"""
    old.search.fill("kettle")
    deploy(old, second)
    find_update(old)

    keeps_version(old, "first")
    assert old.search.input_value() == "kettle"
    leave_and_return(old.page)
    keeps_version(old, "first")
    assert old.search.input_value() == "kettle"

    old.search.fill("")
    updates_to(old, "second")
    assert len(old.page.evaluate("() => caches.keys()")) == 1


def test_while_typing(old, second):
    """O-10 a new version never removes a form that is being filled in"""
    old.open_card("Kettle")
    old.button("Raise Service Request").click()
    old.page.get_by_label("What is wrong?").fill("It hums.")
    deploy(old, second)
    find_update(old)

    leave_and_return(old.page)
    keeps_version(old, "first")
    assert old.page.get_by_label("What is wrong?").input_value() == "It hums."
    old.button("Send request").click()
    old.says("Service request sent.")
    old.page.get_by_role("button", name="My products").click()

    updates_to(old, "second")


def test_restart(old, second):
    """O-10 the new version replaces the old one at the next opening, even without a server"""
    deploy(old, second)
    find_update(old)
    old.server.kill()
    old.context.set_offline(True)

    old.page.close()
    # A closed tab exists for a moment longer.
    time.sleep(1)
    old.page = old.context.new_page()
    old.open()

    shows_version(old, "second")
    expect(old.banner).to_contain_text("Offline Mode")
    old.page.reload()
    shows_version(old, "second")


def test_two_tabs(old, second):
    """L-22 a newly opened tab has the new version only, and changes nothing in another tab"""
    old.search.fill("kettle")
    deploy(old, second)
    find_update(old)

    other = old.context.new_page()
    other.goto(f"{old.server.base}/app/{old.name}/")
    other.wait_for_function("() => window.version === 'second'")
    expect(other.locator("#found")).to_have_text("60 products")

    assert version(other) == "second"
    keeps_version(old, "first")
    assert old.search.input_value() == "kettle"
    old.search.fill("")
    updates_to(old, "second")


def test_replaced_worker(old, second):
    """L-22 an old page whose worker was replaced stays whole, and updates when it is idle"""
    old.search.fill("kettle")
    deploy(old, second)
    find_update(old)
    cdp = old.context.new_cdp_session(old.page)
    cdp.send("ServiceWorker.enable")

    cdp.send("ServiceWorker.skipWaiting", {"scopeURL": f"{old.server.base}/app/{old.name}/"})
    old.until("() => caches.keys().then((names) => names.length === 1)")

    keeps_version(old, "first")
    assert old.search.input_value() == "kettle"
    old.search.fill("")
    updates_to(old, "second")


def test_half_updated_server(old, half_updated, second):
    """O-10 a server in the middle of its own update causes no mix of versions, online or offline"""
    deploy(old, half_updated)
    old.page.evaluate(f"({CHECK_FOR_UPDATE})().catch(() => undefined)")
    old.until(SETTLED)
    assert not old.page.evaluate(WAITING)

    old.server.kill()
    old.page.reload()
    old.counts(60)
    assert version(old.page) == "first"
    old.server.binary = second
    old.server.start()
    find_update(old)
    updates_to(old, "second")
