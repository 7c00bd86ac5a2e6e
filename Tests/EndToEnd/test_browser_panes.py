"""From 900 px a list and the page of its chosen item are side by side in every app."""
import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, App, RiderApp
from harness import TECHNICIAN
from localhost import MENTOR
from products import ProductApp
from test_browser_accessibility import DisplayChecks
from test_browser_lock import MentorApp


def technician(app):
    app.sign_in(TECHNICIAN)


def rider(app):
    app.verify(app.reach_code())
    app.at_dashboard()


def mentor(app):
    app.sign_in(MENTOR)


def owner(app):
    app.synced()


APPS = {
    "technician": (App, technician, "Choose a job to see it here."),
    "rider": (RiderApp, rider, "Choose a delivery to see it here."),
    "mentor": (MentorApp, mentor, "Choose an activity to see it here."),
    "products": (ProductApp, owner, "Choose a product to see its warranty card here."),
}

# The sum of the layout shifts that no press of a key or a button has caused.
WATCH_SHIFTS = """
  window.shifts = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
"""

# A header covers the upper edge of the page, so the row is in its middle.
TO_THE_MIDDLE = "row => row.scrollIntoView({ block: 'center' })"


class Panes:
    def __init__(self, app):
        self.app, self.page = app, app.page
        self.list = app.page.locator(".panes > .split-list")
        self.opened = app.page.locator(".panes > .split-opened")
        self.rows = self.list.locator("[data-item]")
        self.marked = self.list.locator("[data-item][aria-current=true]")
        self.record = self.opened.locator("#record")

    def top(self):
        return self.page.evaluate("() => Math.round(scrollY)")


def opened_app(kind, enter, browser, server, viewport, **look):
    app = kind(browser, server, viewport=viewport, **look)
    app.page.add_init_script(WATCH_SHIFTS)
    enter(app.open())
    # What is new about the account is shown above the list until the page is loaded again.
    app.page.reload()
    panes = Panes(app)
    expect(panes.rows.first).to_be_visible()
    return app, panes


@pytest.mark.parametrize("name", APPS)
def test_desktop(chrome, server, name):
    """T-01 R-01 O-02 S-09 on a desktop the list stays, marks its row, and the item is beside it"""
    kind, enter, advice = APPS[name]
    app, panes = opened_app(kind, enter, chrome, server, DESKTOP)
    expect(panes.opened).to_have_text(advice)
    expect(panes.marked).to_have_count(0)
    first, last = panes.rows.first, panes.rows.nth(2)

    first.click()
    expect(panes.record).to_be_focused()
    expect(panes.marked).to_have_id(first.get_attribute("id"))
    expect(panes.list).to_be_visible()
    expect(app.page.locator("#back")).to_be_hidden()
    list_box, opened_box = panes.list.bounding_box(), panes.opened.bounding_box()
    assert list_box["x"] + list_box["width"] < opened_box["x"]
    first_title, first_url = panes.record.inner_text(), app.page.url
    assert app.page.title().startswith(first_title)

    # Another row is opened without a way back to the list, which stays where it is.
    last.evaluate(TO_THE_MIDDLE)
    top = panes.top()
    last.click()
    expect(panes.record).not_to_have_text(first_title)
    expect(panes.record).to_be_focused()
    assert panes.top() == top
    title, url = panes.record.inner_text(), app.page.url
    assert url != first_url

    app.page.reload()
    expect(panes.record).to_have_text(title)
    expect(panes.marked).to_have_count(1)
    app.until("top => Math.abs(scrollY - top) < 2", top)
    app.page.go_back()
    expect(panes.record).to_have_text(first_title)
    app.page.go_forward()
    expect(panes.record).to_have_text(title)

    app.page.keyboard.press("Escape")
    expect(panes.opened).to_have_text(advice)
    expect(last).to_be_focused()
    expect(panes.marked).to_have_count(0)
    assert app.page.evaluate("() => window.shifts") < 0.001
    app.close()


@pytest.mark.parametrize("name", APPS)
def test_phone(chrome, server, name):
    """T-15 on a phone either the list or the item is shown, and Tab reaches only that one"""
    kind, enter, _ = APPS[name]
    app, panes = opened_app(kind, enter, chrome, server, PHONE)
    expect(panes.opened).to_be_hidden()
    row = panes.rows.nth(2)
    row.evaluate(TO_THE_MIDDLE)
    app.page.wait_for_timeout(200)
    top = panes.top()
    row.click()
    expect(panes.record).to_be_focused()
    expect(panes.list).to_be_hidden()
    assert panes.top() == 0
    for _ in range(15):
        app.page.keyboard.press("Tab")
        assert not panes.list.evaluate("list => list.contains(document.activeElement)")
    app.page.locator("#back").click()
    expect(row).to_be_visible()
    expect(panes.opened).to_be_hidden()
    app.until("top => Math.abs(scrollY - top) < 2", top)
    app.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", APPS)
def test_accessible(chrome, server, name, scheme):
    """T-15 both panes are accessible, in forced colours, with wide spacing and mirrored"""
    kind, enter, _ = APPS[name]
    app, panes = opened_app(kind, enter, chrome, server, DESKTOP, scheme=scheme)
    checks = DisplayChecks()
    checks(app, f"{name} list")
    panes.rows.first.click()
    expect(panes.record).to_be_visible()
    checks(app, f"{name} item")
    # On a wide screen with large text there is no room for both.
    app.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    expect(panes.list).to_be_hidden()
    expect(app.page.locator("#back")).to_be_visible()
    app.assert_accessible()
    assert not checks.found, "\n".join(checks.found)
    app.close()


def test_work_beside_the_list(chrome, server):
    """T-01 a new status changes the row beside the page"""
    app, panes = opened_app(App, technician, chrome, server, DESKTOP)
    panes.rows.nth(2).click()
    app.button("On the way").click()
    expect(app.page.locator("#outcome")).to_contain_text("Saved at")
    expect(panes.list.locator("li.current")).to_contain_text("On the way")
    expect(app.button("Start")).to_be_visible()
    app.close()


def test_products_beside_a_card(chrome, server):
    """O-02 the list is searched while a card is open, and its forms are beside the list"""
    app, panes = opened_app(ProductApp, owner, chrome, server, DESKTOP)
    panes.rows.first.click()
    title = panes.record.inner_text()
    app.search.fill("zzzz")
    app.says("No matching products.")
    expect(panes.record).to_have_text(title)
    app.search.fill("")
    expect(panes.marked).to_have_count(1)
    app.button("Raise Service Request").click()
    expect(panes.list).to_be_visible()
    expect(panes.record).to_be_focused()
    app.page.get_by_label("What is wrong?").fill("It beeps.")
    app.button("Back").click()
    expect(app.button("Transfer Ownership")).to_be_visible()
    app.close()
