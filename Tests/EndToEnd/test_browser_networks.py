"""The product owner's app on poor networks and with long lists, and how long it takes."""
import collections
import statistics

import pytest
from playwright.sync_api import expect

from products import (
    NEW_OWNER, OFFLINE, OWNER, ProductApp, add_products, administrator, measured_app,
    rename_products, sign_in)
from proxy import Proxy
from timing import OPENING

PIECES = """async () => {
  const open = indexedDB.open('fieldpass-product-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const keys = base.transaction('records').objectStore('records').getAllKeys()
  await new Promise((done) => { keys.onsuccess = done })
  base.close()
  return keys.result.filter((key) => key.startsWith('shelf/'))
}"""


class ProxiedApp(ProductApp):
    """The app in a browser that reaches the server only through a proxy."""

    def __init__(self, browser, server, proxy):
        super().__init__(ProxiedBrowser(browser, proxy), server)


class ProxiedBrowser:
    def __init__(self, browser, proxy):
        self.browser, self.proxy = browser, proxy

    def new_context(self, **more):
        return self.browser.new_context(proxy=self.proxy.settings, **more)


@pytest.fixture
def proxy():
    proxy = Proxy()
    yield proxy
    proxy.close()


@pytest.fixture
def proxied(chrome, server, proxy):
    app = ProxiedApp(chrome, server, proxy).open()
    yield app
    app.close()


def test_late(proxied, proxy):
    """O-09 with two seconds of delay the copy is shown at once, and a sync blocks nothing"""
    proxied.synced()
    proxied.ready()
    proxy.late(2.0)

    proxied.page.reload()
    proxied.counts(60)
    proxied.search.fill("kettle")
    expect(proxied.rows).to_have_count(1, timeout=1000)

    expect(proxied.button("Refresh")).to_be_visible(timeout=15_000)
    expect(proxied.banner).to_have_count(0)


def test_trickle(proxied, proxy):
    """O-09 a sync of a few bytes at a time finishes, and the app can be used in the meantime"""
    proxy.trickle(4000)
    proxied.sign_in()

    proxied.page.get_by_role("button", name="Account").click()
    expect(proxied.button("Sign out")).to_be_visible(timeout=2000)
    proxied.page.keyboard.press("Escape")

    expect(proxied.page.locator("#found")).to_have_text("60 products", timeout=25_000)


@pytest.mark.parametrize("after", [0, 150, 900, 2500])
def test_cut(proxied, proxy, after):
    """O-08 an answer that is cut off leaves the last good copy, and the next sync completes it"""
    proxied.synced()
    sign_in(proxied.server, OWNER).api(
        "/api/products/product-001/transfer", "POST", document={"to": NEW_OWNER.email})
    proxy.cut(after)

    proxied.button("Refresh").click()
    expect(proxied.banner if after < 900 else proxied.page.locator("#found")).to_be_visible()
    proxied.page.wait_for_timeout(500)
    if after < 900:
        proxied.counts(60)
        expect(proxied.banner).to_contain_text(OFFLINE)
    proxy.fair()

    expect(proxied.page.locator("#found")).to_have_text("59 products", timeout=30_000)
    expect(proxied.banner).to_have_count(0)


def test_first_sync_cut(chrome, server, proxy):
    """O-08 an interrupted first sync continues from its last page after a restart of the app"""
    add_products(server, NEW_OWNER, 1500)
    proxied = ProxiedApp(chrome, server, proxy).open()
    pages = []

    def drop(route):
        # Two pages arrive. The third is cut off, and so is every later one.
        pages.append(route.request.url)
        route.continue_() if len(pages) < 3 else route.abort()

    proxied.page.route("**/api/products*", drop)
    proxied.sign_in(NEW_OWNER)
    proxied.says("Please connect to the internet to sync your products")
    expect(proxied.rows).to_have_count(0)
    kept = proxied.page.evaluate(PIECES)
    assert "shelf/products/next" in kept and "shelf/products/head" not in kept and len(kept) == 3

    proxied.page.unroute("**/api/products*")
    proxied.calls.clear()
    proxied.page.reload()

    proxied.counts(1500)
    requests = [url for _, url in proxied.calls if url.startswith("/api/products")]
    assert len(requests) < len(pages) + 1 and all("cursor=" in url for url in requests), requests
    assert pages[2].endswith(requests[0])
    proxied.stored()
    assert "shelf/products/next" not in proxied.page.evaluate(PIECES)
    proxied.close()


@pytest.mark.parametrize("sends_event", [True, False], ids=["offline-event", "silence"])
def test_other_networks(chrome, server, proxy, sends_event):
    """O-09 a sync continues through changing networks and repeats only pages that were cut off"""
    add_products(server, NEW_OWNER, 3000)
    proxied = ProxiedApp(chrome, server, proxy).open()
    proxy.paths = ("/api/products",)
    proxy.turns = {2: proxy.cellular, 5: proxy.silent}
    proxied.sign_in(NEW_OWNER)
    for _ in range(300):
        if proxy.is_silent:
            break
        proxied.page.wait_for_timeout(100)
    assert proxy.is_silent
    proxied.context.set_offline(sends_event)

    # The app does not wait for the network.
    proxied.button("Account").click()
    expect(proxied.button("Sign out")).to_be_visible(timeout=1000)
    proxied.page.keyboard.press("Escape")
    proxied.page.wait_for_timeout(1000)
    proxy.change()
    proxied.context.set_offline(False)

    expect(proxied.page.locator("#found")).to_have_text("3,000 products", timeout=45_000)
    expect(proxied.banner).to_have_count(0)
    requests = collections.Counter(
        url for _, url in proxied.calls if url.startswith("/api/products"))
    again = {url: count for url, count in requests.items() if count > 1}
    # Each of the three changes cut off one page.
    assert len(requests) >= 6 and sum(count - 1 for count in again.values()) <= 3, requests
    proxied.close()


def test_lost_answer(proxied, proxy):
    """O-03 a request whose answer was lost is sent again and recorded once"""
    proxied.synced()
    proxied.open_card("Dishwasher SilentLine 60")
    proxied.button("Raise Service Request").click()
    proxied.page.get_by_label("What is wrong?").fill("It hums.")
    proxy.cut(10)
    proxied.button("Send request").click()
    expect(proxied.banner).to_contain_text(OFFLINE)
    proxy.fair()
    expect(proxied.banner).to_have_count(0, timeout=30_000)

    proxied.button("Send request").click()

    proxied.says("Service request sent.")
    listed = administrator(proxied.server).api("/admin/service-requests").json["service_requests"]
    assert len(listed) == 1


def times(app, count, rounds=7):
    """Milliseconds from the read of storage to the first row drawn, for some reloads."""
    found = []
    for _ in range(rounds):
        app.page.reload()
        app.counts(count)
        app.page.wait_for_function("() => window.times.drawn")
        found.append(app.page.evaluate(OPENING))
    return found


def test_opening(chrome, server):
    """O-09 sixty products are shown in much less than half a second"""
    app = measured_app(chrome, server, OWNER, 60)

    found = times(app, 60)

    print(f"60 products: storage read to first row drawn, ms: {sorted(round(t) for t in found)}")
    assert statistics.median(found) < 500
    # The first frame has the rows in view, and a later one has all.
    assert app.page.evaluate("() => window.times.rows") == 20
    expect(app.rows).to_have_count(60)
    app.close()


def test_ten_thousand(chrome, server):
    """O-09 ten thousand products open, scroll, are searched and synced without a pause"""
    add_products(server, NEW_OWNER, 1000)
    app = measured_app(chrome, server, NEW_OWNER, 1000)
    few = statistics.median(times(app, 1000, rounds=5))
    admin = add_products(server, NEW_OWNER, 10_000)
    app.button("Refresh").click()
    app.counts(10_000)
    many = statistics.median(times(app, 10_000, rounds=5))
    print(f"storage read to first row drawn, ms: 1,000 products {few:.0f}, 10,000 {many:.0f}")
    # `make bench` measures the limit in milliseconds. A loaded machine does not change the ratio.
    assert many < 10 * few

    app.page.wait_for_timeout(1500)
    app.page.evaluate("() => { window.times.core = [] }")
    rename_products(admin, NEW_OWNER, range(0, 10_000, 1000))
    app.button("Refresh").click()
    app.search.fill("Changed 05000")
    expect(app.rows).to_have_count(1)
    core = app.page.evaluate("() => window.times.core")
    print(f"delta of 10 in 10,000 and a search: core calls, ms: "
          f"{[round(t, 1) for t in core if t > 2]}")
    app.search.fill("")
    app.counts(10_000)

    app.page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    expect(app.page.get_by_role("button", name="Thing 09999")).to_be_visible()
    assert app.rows.count() <= 80
    assert app.rows.last.get_attribute("aria-posinset") == "10000"
    app.assert_accessible()
    app.close()
