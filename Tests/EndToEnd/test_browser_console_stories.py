"""Ten questions of an administrator, each answered with the keyboard in at most three screens."""
import datetime
import urllib.parse

import pytest
from playwright.sync_api import expect

from browser import DESKTOP, PHONE
from console import Console
from device import Device
from harness import ADMINISTRATOR, TECHNICIAN
from test_browser_console import register
from test_wire_administration import send

OWNER = "owner@example.com"
SCREENS = 3
TABS = 90


class Keys:
    """Uses the console with the keyboard alone, and counts the screens."""

    def __init__(self, console):
        self.console, self.page = console, console.page
        self.screens = [self.path(self.page.url)]
        self.page.on("framenavigated", lambda frame: self.note(frame.url))

    @staticmethod
    def path(url):
        return urllib.parse.urlsplit(url).path

    def note(self, url):
        if self.screens[-1] != self.path(url):
            self.screens.append(self.path(url))

    def to(self, control, key="Tab"):
        """Presses Tab until the control has the focus, which must be visible."""
        expect(control.first).to_be_visible()
        for _ in range(TABS):
            if control.first.evaluate("control => control === document.activeElement"):
                assert self.console.focus_is_visible(), control
                return self
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not reach {control}")

    def press(self, control, key="Enter"):
        self.to(control)
        self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def open(self, name):
        """Searches the account with the slash key, and opens it."""
        self.page.keyboard.press("/")
        expect(self.page.locator("#search")).to_be_focused()
        self.page.keyboard.type(name)
        row = self.page.get_by_role("button", name=name, exact=True)
        expect(self.page.locator("#account-list tbody tr")).to_have_count(1)
        self.press(row)
        expect(self.page.get_by_role("heading", name=name, level=2)).to_be_focused()

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def confirm(self, name):
        dialog = self.console.sheet
        expect(dialog).to_be_visible()
        self.press(dialog.get_by_role("button", name=name))

    def end(self):
        assert len(self.screens) <= SCREENS, self.screens
        self.console.assert_accessible()


@pytest.fixture
def console(chrome, server):
    app = Console(chrome, server, viewport=DESKTOP).open()
    yield app
    app.close()


@pytest.fixture
def keys(console):
    """The console on its list of accounts."""
    console.sign_in()
    return Keys(console)


def lock_owner(server):
    for _ in range(5):
        Device(server).login(OWNER, "wrong-guess")


def test_why_not(server, console):
    """T-16 the page of an account says at its top why the person cannot sign in"""
    lock_owner(server)
    console.sign_in()
    keys = Keys(console)
    keys.open("Olivia Berg")
    console.says("Olivia Berg cannot sign in: locked after failed attempts until ")
    history = console.page.get_by_role("table", name="History")
    expect(history.get_by_role("row").nth(1)).to_contain_text("Locked after failed attempts")
    keys.end()


def test_unlock(server, console):
    """T-16 the action that helps is the first one"""
    lock_owner(server)
    console.sign_in()
    keys = Keys(console)
    keys.open("Olivia Berg")
    first = console.page.locator("#actions").get_by_role("button").first
    expect(first).to_have_text("Unlock")
    keys.press(first)
    keys.confirm("Unlock")
    console.says("Account unlocked.")
    console.says("Olivia Berg can sign in.")
    expect(console.page.get_by_role("table", name="History")).to_contain_text(
        "Account unlocked by Ada Holm")
    keys.end()


def test_approve_twenty(server, console):
    """R-11 T-16 twenty riders are approved with one question, and the count is announced"""
    for number in range(20):
        register(server, f"+9198123400{number:02}", f"Rider {number:02}")
    console.sign_in()
    console.tab("Overview")
    keys = Keys(console)
    keys.press(keys.button("Accounts waiting for approval"))
    boxes = console.page.get_by_role("checkbox")
    expect(boxes).to_have_count(22)
    every = console.page.get_by_role("checkbox", name="Select all on this page")
    keys.press(every, "Space")
    expect(console.page.locator("#polite")).to_have_text("21 selected.")
    keys.to(console.page.get_by_role("checkbox", name="Select Priya Nair"))
    console.page.keyboard.press("ArrowUp")
    expect(boxes.nth(20)).to_be_focused()
    console.page.keyboard.press("Space")
    expect(boxes.nth(20)).to_be_focused()
    console.assert_accessible()
    approve = keys.button("Approve 20")
    keys.to(approve, "Shift+Tab")
    console.page.keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Approve 20 accounts?")).to_be_focused()
    keys.confirm("Approve")
    console.says("20 accounts approved.")
    expect(console.page.get_by_role("cell", name="Active")).to_have_count(20)
    expect(console.page.get_by_role("checkbox")).to_have_count(2)
    changes = [path for method, path in console.calls if method == "PATCH"]
    assert len(changes) == len(set(changes)) == 20
    keys.end()


def test_failed_message(server, console):
    """T-16 a failed message is found by its outcome, and its record is beside the list"""
    console.page.route(
        "**/admin/messages?outcome=failed*",
        lambda route: route.fulfill(json={"messages": [MESSAGE]}))
    console.sign_in()
    keys = Keys(console)
    keys.press(console.page.locator("#tab-messages"))
    keys.to(console.page.get_by_label("Outcome"))
    console.page.keyboard.type("Not")
    keys.press(keys.button("***-***-1234"))
    expect(console.page.get_by_role("heading", name="Code to ***-***-1234")).to_be_focused()
    record = console.page.get_by_role("region", name="Code to ***-***-1234")
    expect(record).to_contain_text("twilio")
    keys.end()


MESSAGE = {
    "id": "m1", "to": "***-***-1234", "state": "failed", "tries": 3, "created_at": 1_700_000_000,
    "expires_at": 1_700_000_300, "kind": "code", "channel": "sms", "segments": 1,
    "messenger": "twilio",
}


def test_stolen_phone(server, console):
    """T-16 the session of a stolen phone ends from the page of its account"""
    device = Device(server)
    device.sign_in(TECHNICIAN)
    console.sign_in()
    keys = Keys(console)
    keys.open("Tara Lind")
    keys.press(keys.button("Sign out this device"))
    keys.confirm("Sign out this device")
    console.says("The device is signed out.")
    assert device.refresh().json["reason"] == "revoked"
    keys.end()


def test_new_number(keys, console):
    """T-16 a phone number is changed on the page of the account, and Enter in the field saves it"""
    keys.open("Tara Lind")
    keys.press(keys.button("Edit"))
    keys.to(console.page.get_by_label("Mobile number"))
    keys.type("+15550105555")
    console.page.keyboard.press("Enter")
    console.says("+15550105555")
    console.says("Changes saved.")
    keys.end()


def test_deactivate(keys, console):
    """T-16 a deactivation needs a reason, which the security log shows"""
    keys.open("Tara Lind")
    keys.press(keys.button("Deactivate"))
    keys.to(console.sheet.get_by_label("Reason"))
    console.page.keyboard.type("Left the company")
    keys.confirm("Deactivate")
    console.says("Tara Lind cannot sign in: the account is deactivated.")
    keys.press(console.page.locator("#tab-events"))
    row = console.page.locator("#events").get_by_role("row").filter(
        has_text="Account deactivated by Ada Holm")
    expect(row).to_contain_text("Left the company")
    keys.end()


def test_yesterday(server, console):
    """T-16 what an administrator did yesterday is in the events of that day"""
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    assert send(admin, "POST", "/admin/accounts/technician/reset", {}).status == 200
    day = datetime.datetime.fromtimestamp(server.now(), datetime.UTC)
    server.advance(86_400)
    console.sign_in()
    keys = Keys(console)
    keys.press(console.page.locator("#tab-events"))
    keys.to(console.page.get_by_label("Kind"))
    console.page.keyboard.type("Accounts")
    for name in ("From (UTC)", "To (UTC)"):
        keys.to(console.page.get_by_label(name))
        console.page.keyboard.type(day.strftime("%m%d%Y"))
    keys.press(keys.button("Password removed by Ada Holm"))
    expect(console.page.get_by_role("heading", name="Password removed by Ada Holm")).to_be_focused()
    expect(keys.button("Open Ada Holm")).to_be_visible()
    expect(keys.button("Open Tara Lind")).to_be_visible()
    keys.end()


def test_policy_undone(keys, console):
    """T-16 a policy is changed, and the change is undone"""
    keys.press(console.page.locator("#tab-policies"))
    keys.press(keys.button("Riders"))
    keys.press(keys.button("Failed attempts before lockout"))
    keys.to(console.value)
    keys.type("4")
    keys.press(keys.button("Save"))
    console.says("Saved.")
    keys.press(keys.button("Restore configured value"))
    keys.confirm("Use weaker value")
    console.says("Configured value restored.")
    keys.end()


def test_failures_as_table(server, console):
    """T-16 the failed sign-ins are saved as a table for a spreadsheet"""
    Device(server).login(TECHNICIAN.email, "wrong-guess")
    console.sign_in()
    keys = Keys(console)
    keys.press(console.page.locator("#tab-events"))
    keys.to(console.page.get_by_label("Kind"))
    console.page.keyboard.type("Failed")
    expect(console.page.locator("#events tbody tr")).to_have_count(1)
    with console.page.expect_download() as saved:
        keys.press(keys.button("Download CSV"))
    table = saved.value.path().read_text("utf-8-sig").splitlines()
    assert saved.value.suggested_filename == "events.csv"
    assert table[0].startswith("sequence,at,code,account")
    assert [line.split(",")[2] for line in table[1:]] == ["sign_in.password_refused"]
    console.says("Saved as a file, with at most the 10,000 newest entries.")
    keys.end()


def test_record_beside_list(keys, console):
    """T-16 from 900 px on a record is beside its list: arrows, Enter and Escape move between them"""
    page = console.page
    keys.press(page.locator("#tab-events"))
    rows = page.locator("#events th .row-action")
    keys.to(rows.nth(0))
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#record")).to_be_focused()
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    expect(rows.nth(0)).to_be_visible()
    assert page.locator("#record").bounding_box()["x"] > rows.nth(0).bounding_box()["x"] + 400
    assert "/events/" in page.url
    console.assert_accessible()
    page.reload()
    expect(page.locator("#record")).to_have_text("Code accepted")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    page.locator("#record").focus()
    page.keyboard.press("Escape")
    expect(rows.nth(1)).to_be_focused()
    expect(page.locator("#record")).to_have_count(0)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#record")).to_have_text("Signed in")

    page.set_viewport_size(PHONE)
    expect(page.locator("#record")).to_be_visible()
    expect(rows.nth(0)).to_be_hidden()
    console.assert_accessible()


def test_filters_in_line(console):
    """T-16 the filters of a list are in one line, also if the name of one of them takes two"""
    console.sign_in()
    console.tab("Messages")
    filters = console.page.locator(".split-list .fields .input")
    expect(filters).to_have_count(5)
    # All at once, because the list above them can still be loading.
    ends = filters.evaluate_all(
        "filters => filters.map((one) => Math.round(one.getBoundingClientRect().bottom))")
    assert len(set(ends)) == 1, ends


def test_filters_on_phone(chrome, server):
    """T-16 on a phone the filters are behind a button, which says how many are set"""
    app = Console(chrome, server, viewport=PHONE).open()
    app.sign_in()
    app.tab("Events")
    row = app.page.locator("#events tbody tr").first
    expect(row).to_be_visible()
    assert row.bounding_box()["y"] < 370
    kind = app.page.get_by_label("Kind")
    expect(kind).to_be_hidden()
    app.button("Filters").click()
    expect(app.button("Filters")).to_have_attribute("aria-expanded", "true")
    kind.select_option(label="Sign-ins")
    app.page.get_by_label("From (UTC)").fill("2026-01-01")
    app.assert_accessible()
    app.button("Filters (2)").click()
    expect(kind).to_be_hidden()
    app.button("Filters (2)").click()
    app.page.get_by_label("To (UTC)").fill("2020-01-01")
    app.says("No matching entries")
    app.assert_accessible()
    app.close()


def test_messages_on_phone(chrome, server):
    """T-16 on a phone a message has its time and its state in one line; its record names the kind"""
    app = Console(chrome, server, viewport=PHONE).open()
    app.sign_in()
    app.tab("Messages")
    row = app.page.locator("#messages tbody tr").first
    expect(row.locator(".badge")).to_be_visible()
    expect(row.get_by_text("Code", exact=True)).to_be_hidden()
    facts = row.locator("td:visible")
    assert len({round(fact.bounding_box()["y"] / 20) for fact in facts.all()}) == 1
    row.locator(".row-action").click()
    expect(app.page.get_by_role("heading", name="Code to ***-***-1238")).to_be_visible()
    app.close()


def test_message_from_history(server, console):
    """T-16 a message in the history of an account leads to its record, and Back to the account"""
    Device(server).login(*TECHNICIAN.credentials.values())
    console.sign_in()
    keys = Keys(console)
    keys.open("Tara Lind")
    keys.press(keys.button("Show message"))
    expect(console.page.get_by_role("heading", name="Code to ***-***-1234")).to_be_visible()
    assert console.page.url.endswith("?account=technician")
    keys.end()
    console.page.go_back()
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_be_visible()
