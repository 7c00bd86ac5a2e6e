"""New versions of the app while the old one is in use: two built versions in a real browser."""
import time

import pytest
from playwright.sync_api import expect

from products import ProductApp
from versions import make_version

# What a page runs and what it looks like must be of one version.
VERSION = """() => [window.version ?? 'first',
  getComputedStyle(document.documentElement).getPropertyValue('--version').replace(/['" ]/g, '')
    || 'first']"""

TURN = """state => {
  Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})
  document.dispatchEvent(new Event('visibilitychange'))
}"""

LOOK = "() => navigator.serviceWorker.getRegistration().then((found) => found.update())"

WAITING = "() => navigator.serviceWorker.getRegistration().then((r) => r.waiting !== null)"

SETTLED = """() => navigator.serviceWorker.getRegistration().then(
  (found) => found.installing === null && found.active.state === 'activated')"""


@pytest.fixture(scope="session")
def second(folder):
    return make_version(folder / "second", "second")


@pytest.fixture(scope="session")
def torn(folder):
    """A server in the middle of its own update: the list is new, a file is not."""
    return make_version(folder / "torn", "torn", torn=["app.css"])


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
    """The server stops and starts again as another version."""
    app.server.stop()
    app.server.binary = program
    app.server.start()


def notice(app):
    """The browser finds the new version by itself, within a day or at the next opening."""
    app.page.evaluate(LOOK)
    app.until(WAITING)


def leave_and_return(page):
    page.evaluate(TURN, "hidden")
    page.wait_for_timeout(200)
    page.evaluate(TURN, "visible")


def follows(app, wanted):
    """Whoever returns finds the new version at one of the first times, when nothing is under way."""
    for _ in range(5):
        leave_and_return(app.page)
        app.page.wait_for_timeout(1500)
        if app.page.evaluate(VERSION)[0] == wanted:
            break
    becomes(app, wanted)


def becomes(app, wanted):
    app.page.wait_for_function("wanted => (window.version ?? 'first') === wanted", arg=wanted)
    app.counts(60)
    assert version(app.page) == wanted


def stays(app, wanted):
    app.page.wait_for_timeout(1500)
    assert version(app.page) == wanted


def test_in_use(old, second):
    """O-10 whoever is at work goes on with the old version; the new one comes when they return"""
    old.search.fill("kettle")
    deploy(old, second)
    notice(old)

    stays(old, "first")
    assert old.search.input_value() == "kettle"
    leave_and_return(old.page)
    stays(old, "first")
    assert old.search.input_value() == "kettle"

    old.search.fill("")
    follows(old, "second")
    assert len(old.page.evaluate("() => caches.keys()")) == 1


def test_while_typing(old, second):
    """O-10 a form that is being filled in is never taken away by a new version"""
    old.open_card("Kettle")
    old.button("Raise Service Request").click()
    old.page.get_by_label("What is wrong?").fill("It hums.")
    deploy(old, second)
    notice(old)

    leave_and_return(old.page)
    stays(old, "first")
    assert old.page.get_by_label("What is wrong?").input_value() == "It hums."
    old.button("Send request").click()
    old.says("Your service request was sent.")
    old.page.get_by_role("button", name="My products").click()

    follows(old, "second")


def test_restart(old, second):
    """O-10 the new version takes over whole at the next opening, even with no server by then"""
    deploy(old, second)
    notice(old)
    old.server.kill()
    old.context.set_offline(True)

    old.page.close()
    # A window that is closing is still there for a moment.
    time.sleep(1)
    old.page = old.context.new_page()
    old.open()

    becomes(old, "second")
    expect(old.banner).to_contain_text("Offline Mode")
    old.page.reload()
    becomes(old, "second")


def test_two_windows(old, second):
    """L-22 a window that opens is of the new version whole, and takes nothing from another one"""
    old.search.fill("kettle")
    deploy(old, second)
    notice(old)

    other = old.context.new_page()
    other.goto(f"{old.server.base}/app/{old.name}/")
    other.wait_for_function("() => window.version === 'second'")
    expect(other.locator("#found")).to_have_text("60 products")

    assert version(other) == "second"
    stays(old, "first")
    assert old.search.input_value() == "kettle"
    old.search.fill("")
    follows(old, "second")


def test_replaced_worker(old, second):
    """L-22 an old page whose worker was replaced stays whole, and follows when it is at rest"""
    old.search.fill("kettle")
    deploy(old, second)
    notice(old)
    cdp = old.context.new_cdp_session(old.page)
    cdp.send("ServiceWorker.enable")

    cdp.send("ServiceWorker.skipWaiting", {"scopeURL": f"{old.server.base}/app/{old.name}/"})
    old.until("() => caches.keys().then((names) => names.length === 1)")

    stays(old, "first")
    assert old.search.input_value() == "kettle"
    old.search.fill("")
    follows(old, "second")


def test_torn(old, torn, second):
    """O-10 a server in the middle of its own update gives no mixture, not now and not offline"""
    deploy(old, torn)
    old.page.evaluate(f"({LOOK})().catch(() => undefined)")
    old.until(SETTLED)
    assert not old.page.evaluate(WAITING)

    old.server.kill()
    old.page.reload()
    old.counts(60)
    assert version(old.page) == "first"
    old.server.binary = second
    old.server.start()
    notice(old)
    follows(old, "second")
