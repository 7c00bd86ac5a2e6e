"""Each place of an app has an address: it can be reloaded, sent, and left with Back."""
import re

import httpx
import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE, App
from console import Console
from device import Device
from harness import TECHNICIAN
from localhost import MENTOR
from products import ProductApp
from test_browser_lock import MentorApp


def address(app):
    """The path below the address of the app, with the query."""
    return app.page.evaluate("() => location.pathname + location.search").removeprefix(
        f"/app/{app.name}/")


def at(app, place):
    """Waits for the address, which follows the screen."""
    app.until("path => location.pathname + location.search === path", f"/app/{app.name}/{place}")


@pytest.fixture
def mentor(chrome, server):
    app = MentorApp(chrome, server).open()
    app.sign_in(MENTOR)
    yield app
    app.close()


@pytest.fixture
def console(chrome, server):
    app = Console(chrome, server, viewport=DESKTOP).open()
    app.sign_in()
    yield app
    app.close()


def test_reload_and_back(mentor):
    """S-09 an activity has an address; reload shows it again, Back and Forward lead out and in"""
    # What is new about the account is shown above the list until the page is loaded again.
    mentor.page.reload()
    mentor.page.locator("#toggle_fold").click()
    at(mentor, "?earlier=true")
    row = mentor.page.locator(".row-action").last
    row.scroll_into_view_if_needed()
    mentor.page.wait_for_timeout(200)
    top = mentor.page.evaluate("() => scrollY")
    assert top > 0
    title = row.inner_text()
    row.click()
    expect(mentor.heading(title)).to_be_visible()
    assert address(mentor).startswith("activities/")
    assert mentor.page.title() == f"{title} – Fieldpass"
    mentor.assert_accessible()

    mentor.page.reload()
    expect(mentor.heading(title)).to_be_visible()

    mentor.page.go_back()
    expect(mentor.page.locator(".row-action").last).to_be_visible()
    at(mentor, "?earlier=true")
    mentor.until("top => Math.abs(scrollY - top) < 2", top)

    mentor.page.go_forward()
    expect(mentor.heading(title)).to_be_visible()
    length = mentor.page.evaluate("() => history.length")
    mentor.button("Back").click()
    expect(mentor.page.locator(".row-action").last).to_be_visible()
    mentor.until("top => Math.abs(scrollY - top) < 2", top)
    assert mentor.page.evaluate("() => history.length") == length


def test_sent_address(chrome, server, mentor):
    """S-09 an address that was sent opens its place after sign-in, also without a network"""
    mentor.page.locator(".row-action").first.click()
    expect(mentor.page.get_by_label("Your notes")).to_be_visible()
    sent, title = mentor.page.url, mentor.page.title()

    other = MentorApp(chrome, server)
    other.page.goto(sent)
    other.sign_in(MENTOR)
    expect(other.page.get_by_label("Your notes")).to_be_visible()
    assert (other.page.url, other.page.title()) == (sent, title)

    other.until("() => navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')")
    other.context.set_offline(True)
    other.page.goto(sent)
    expect(other.page.get_by_label("Your notes")).to_be_visible()
    other.close()


def test_unknown_address(mentor, server):
    """S-09 an unknown address has a page for people, in the app and outside it"""
    mentor.page.goto(f"{server.base}/app/mentor-app/nothing/here")
    expect(mentor.heading("This page does not exist").first).to_be_visible()
    mentor.assert_accessible()
    mentor.button("Activities").click()
    expect(mentor.page.locator(".row-action").first).to_be_visible()
    at(mentor, "")

    page = httpx.get(f"{server.base}/nothing", headers={
        "accept": "text/html", "accept-language": "nb"})
    assert page.status_code == 404
    assert "Denne siden finnes ikke" in page.text
    data = httpx.get(f"{server.base}/app/mentor-app/nothing.js")
    assert data.status_code == 404
    assert data.headers["content-type"] == "application/problem+json"


def test_devices(mentor):
    """S-09 the list of devices has an address; Back returns to the page before it"""
    mentor.page.locator(".row-action").first.click()
    notes = mentor.page.get_by_label("Your notes")
    expect(notes).to_be_visible()
    mentor.button("Account").click()
    mentor.button("Your devices").click()
    expect(mentor.heading("Your devices")).to_be_focused()
    at(mentor, "devices")
    mentor.page.reload()
    expect(mentor.heading("Your devices")).to_be_visible()
    mentor.page.go_back()
    expect(notes).to_be_visible()


def test_devices_on_a_desktop(chrome, server):
    """S-08 on a desktop the devices are in columns with their buttons in one line"""
    for _ in range(2):
        Device(server, "mentor-app").sign_in(MENTOR)
        server.advance(61)
    app = MentorApp(chrome, server, viewport=DESKTOP).open()
    app.sign_in(MENTOR)
    app.page.goto(f"{server.base}/app/mentor-app/devices")
    cards = app.page.locator("#sessions > li")
    expect(cards).to_have_count(3)

    def edges(nodes, name):
        return {round(node.bounding_box()[name]) for node in nodes.all()}
    assert len(edges(cards, "x")) == 3 and len(edges(cards, "y")) == 1
    assert len(edges(cards.get_by_role("button"), "y")) == 1
    app.assert_accessible()
    app.page.set_viewport_size(PHONE)
    assert len(edges(cards, "x")) == 1 and len(edges(cards, "y")) == 3
    app.close()


def test_console(console):
    """T-16 accounts, lists and filters of the console have addresses"""
    console.find("tara")
    expect(console.page.get_by_role("button", name="Maja Solberg", exact=True)).to_have_count(0)
    console.until("() => location.search === '?query=tara' && location.pathname.endsWith('/accounts')")
    console.open_account("Tara Lind")
    account = address(console)
    assert account.startswith("accounts/")
    assert console.page.title() == "Tara Lind – Fieldpass"

    console.page.reload()
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_be_visible()
    listed = console.page.locator("#account-list button[aria-current=true]")
    expect(listed).to_have_text("Tara Lind")
    console.page.go_back()
    expect(console.page.get_by_label("Name, email or number")).to_have_value("tara")
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_have_count(0)
    console.tab("Events")
    at(console, "events")
    console.page.go_back()
    console.page.go_forward()
    expect(console.page.get_by_role("heading", name="Events", level=1)).to_be_visible()

    console.page.goto(f"{console.server.base}/app/console/accounts/missing")
    expect(console.heading("This page does not exist")).to_be_visible()


def test_form_of_an_account(console):
    """T-16 a reload opens the form of an account again, with the filter of the list beside it"""
    page = console.page
    page.get_by_label("Status").select_option(label="Active")
    console.find("tara")
    expect(page.get_by_role("button", name="Maja Solberg", exact=True)).to_have_count(0)
    console.open_account("Tara Lind")
    console.until("() => location.search === '?query=tara&status=active'")
    length = page.evaluate("() => history.length")
    console.edit()
    console.until("() => location.search === '?edit&query=tara&status=active'")
    page.get_by_label("Name", exact=True).fill("Tara Berg")

    # The text is not stored, so the form has the stored values again.
    page.reload()

    name = page.get_by_label("Name", exact=True)
    expect(name).to_have_value("Tara Lind")
    expect(page.get_by_role("heading", name="Edit ")).to_be_focused()
    assert page.url.endswith("?edit&query=tara&status=active")
    expect(page.get_by_label("Name, email or number")).to_have_value("tara")
    expect(page.get_by_label("Status")).to_have_value("active")
    listed = page.locator("#account-list button[aria-current=true]")
    expect(listed).to_have_text("Tara Lind")
    expect(page.locator("#account-list tbody tr")).to_have_count(1)
    page.go_back()
    expect(name).to_have_count(0)
    expect(page.get_by_role("heading", name="Tara Lind", level=2)).to_be_visible()
    console.until("() => location.search === '?query=tara&status=active'")
    assert page.evaluate("() => history.length") == length + 1


def test_filter_beside_an_account(console):
    """T-16 a reload and Back keep the filter beside an account, also one that changed there"""
    page = console.page
    page.get_by_label("Status").select_option(label="Active")
    at(console, "accounts?status=active")
    page.locator("#account-list th .row-action").first.click()
    expect(page.locator("#account")).to_be_visible()
    account = address(console).split("?")[0]
    at(console, account + "?status=active")
    length = page.evaluate("() => history.length")

    page.reload()
    expect(page.locator("#account")).to_be_visible()
    expect(page.get_by_label("Status")).to_have_value("active")
    page.get_by_label("Name, email or number").fill("e")
    at(console, account + "?query=e&status=active")
    page.go_back()

    expect(page.locator("#account")).to_have_count(0)
    expect(page.get_by_label("Name, email or number")).to_have_value("e")
    at(console, "accounts?query=e&status=active")
    page.go_forward()
    expect(page.locator("#account")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#account")).to_have_count(0)
    at(console, "accounts?query=e&status=active")
    assert page.evaluate("() => history.length") == length


def test_form_of_a_new_account(console):
    """T-16 a reload opens the form for a new account again"""
    console.find("tara")
    console.button("New account").click()
    at(console, "accounts?new&query=tara")
    console.page.reload()
    expect(console.page.get_by_label("Role", exact=True)).to_be_visible()
    expect(console.page.get_by_label("Name, email or number")).to_have_value("tara")
    at(console, "accounts?new&query=tara")
    console.button("Back").click()
    at(console, "accounts?query=tara")


def test_older_event(console):
    """T-16 an event that is not on the first page of the list is shown again after a reload"""
    server = console.server
    assert server.post("/dev/accounts", document={"count": 60}).status == 200
    for number in range(60):
        Device(server).login(f"load-{number + 1:04}@example.com", "wrong-guess")
    console.tab("Events")
    rows = console.page.locator("#events th .row-action")
    expect(rows).to_have_count(50)
    console.button("Show more").click()
    row = rows.nth(55)
    row.click()
    record = console.page.locator("#record")
    expect(record).to_be_focused()
    place, shown = address(console), row.get_attribute("id")

    console.page.reload()

    expect(record).to_be_visible()
    assert address(console) == place
    marked = console.page.locator("#events [aria-current=true]")
    expect(marked).to_have_id(shown)
    console.button("Refresh").click()
    expect(record).to_be_visible()
    expect(marked).to_have_id(shown)


def test_search_beside_a_card(chrome, server):
    """O-02 a search stays in the address of a card, over a reload and Back, also if it changes"""
    app = ProductApp(chrome, server, viewport=DESKTOP).open().synced()
    found = app.page.locator("#found")
    app.search.fill("oven")
    expect(found).to_contain_text(" of 60 products")
    shown = found.inner_text()
    app.rows.first.get_by_role("button").click()
    expect(app.page.locator("#record")).to_be_focused()
    app.page.reload()
    expect(found).to_have_text(shown)
    expect(app.search).to_have_value("oven")
    expect(app.page.locator("#record")).to_be_visible()
    length = app.page.evaluate("() => history.length")

    app.search.fill("fridge")
    app.until("() => location.search === '?query=fridge'")
    app.page.go_back()

    expect(app.page.locator("#record")).to_have_count(0)
    expect(app.search).to_have_value("fridge")
    at(app, "?query=fridge")
    assert app.page.evaluate("() => history.length") == length
    app.close()


def test_fold_beside_a_job(chrome, server):
    """T-16 Back closes the job and not the finished jobs that were shown beside it"""
    app = App(chrome, server, viewport=DESKTOP).open()
    app.sign_in(TECHNICIAN)
    fold, record = app.page.locator("#toggle_fold"), app.page.locator("#record")
    app.page.locator(".row-action").first.click()
    expect(record).to_be_focused()
    job, length = address(app), app.page.evaluate("() => history.length")
    fold.click()
    at(app, job + "?finished=true")
    app.page.go_back()
    expect(record).to_have_count(0)
    expect(fold).to_have_attribute("aria-expanded", "true")
    at(app, "?finished=true")
    app.page.go_forward()
    expect(record).to_be_visible()
    fold_state = fold.get_attribute("aria-expanded")
    app.page.keyboard.press("Escape")
    expect(record).to_have_count(0)
    expect(fold).to_have_attribute("aria-expanded", fold_state)
    assert app.page.evaluate("() => history.length") == length
    app.close()


def test_sign_out_forgets_the_place(chrome, server):
    """P-12 after a sign-out the address names no place any more"""
    app = App(chrome, server).open()
    app.sign_in(TECHNICIAN)
    app.button("Account").click()
    app.button("Your devices").click()
    at(app, "devices")
    app.button("Account").click()
    app.button("Sign out").click()
    expect(app.email).to_be_visible()
    app.until("() => location.pathname === '/app/technician-app/'")
    app.close()


def test_status_filter(chrome, server):
    """O-02 the status filters the products; Back from a card and a reload keep the filter"""
    app = ProductApp(chrome, server).open().synced()
    found = app.page.locator("#found")
    for status, label in (("expired", "Expired"), ("expiring", "Expiring soon")):
        app.page.locator(f"#tab-{status}").click()
        expect(found).to_have_text(re.compile(r"^[1-9][0-9]* of 60 products$"))
        expect(app.rows.filter(has_text=label)).to_have_count(int(found.inner_text().split()[0]))
    expect(app.page.locator("[aria-current]")).to_have_text("Expiring soon")
    app.assert_accessible()
    shown = found.inner_text()
    app.rows.first.get_by_role("button").click()
    expect(app.page.locator("#record")).to_be_visible()
    app.page.go_back()
    expect(found).to_have_text(shown)
    app.page.reload()
    expect(found).to_have_text(shown)
    assert app.page.url.endswith("/product-app/?status=expiring")
    app.search.fill("zzzz")
    app.says("No matching products.")
    app.page.locator("#tab-all").click()
    app.search.fill("")
    app.counts(60)
    app.close()
