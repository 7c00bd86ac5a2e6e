"""Administrators see and change policies in the console, and the changes apply."""
import pytest
from playwright.sync_api import expect

from browser import DESKTOP, in_every_look, tab_to
from console import Console
from device import Device
from harness import ADMINISTRATOR, MENTOR, TECHNICIAN

RULE = "Failed attempts before lockout"


@pytest.fixture
def console(chrome, server):
    app = Console(chrome, server, viewport=DESKTOP).open()
    app.sign_in()
    app.tab("Policies")
    yield app
    app.close()


def errors(server, times):
    return [Device(server).login(TECHNICIAN.email, "wrong-guess").error for _ in range(times)]


def right(control):
    box = control.bounding_box()
    return box["x"] + box["width"]


def save(console, value, *, weaker=False):
    console.value.fill(value)
    console.button("Save").click()
    if weaker:
        console.sheet.get_by_role("button", name="Use weaker value").click()
    console.says("Saved.")


def test_edit_and_put_back(console):
    """T-16 T-05 a changed value applies at once and can be set back to the configured one"""
    console.open_policy("Technicians")
    expect(console.row(RULE)).to_contain_text("Default")
    expect(console.row(RULE)).to_contain_text("3 to 20")
    console.open_rule(RULE)

    save(console, "3")

    changed = console.row(RULE).locator(".badge")
    expect(changed).to_have_text("Changed in the console")
    assert right(changed) <= right(console.row(RULE))
    assert errors(console.server, 3)[-1] == "account_locked"
    console.server.advance(901)
    console.button("Restore configured value").click()
    expect(console.sheet).to_contain_text("Failed attempts before lockout: from 3 to 5")
    console.sheet.get_by_role("button", name="Use weaker value").click()
    console.says("Configured value restored.")
    expect(console.row(RULE)).to_contain_text("Default")
    assert errors(console.server, 5) == ["invalid_credentials"] * 4 + ["account_locked"]
    assert console.count("/admin/clients/technician-app/policy") == 3


def test_weaker_is_confirmed(console):
    """T-16 a weaker value is saved only after a confirmation"""
    console.open_policy("Technicians")
    console.open_rule(RULE)
    console.value.fill("9")
    console.button("Save").click()
    expect(console.page.get_by_role("heading", name="Use a weaker value?")).to_be_focused()
    console.sheet.get_by_role("button", name="Cancel").click()

    expect(console.sheet).to_have_count(0)
    expect(console.value).to_have_value("9")
    expect(console.row(RULE)).to_contain_text("Default")
    assert ("PATCH", "/admin/clients/technician-app") not in console.calls
    save(console, "9", weaker=True)
    expect(console.row(RULE)).to_contain_text("Changed in the console")


@pytest.mark.parametrize("typed", ["2", "21", "", "five", "3.5", "-3"])
def test_values_out_of_range(console, typed):
    """T-16 a value that is not allowed is refused beside its field, and nothing is sent"""
    console.open_policy("Technicians")
    console.open_rule(RULE)
    console.value.fill(typed)
    console.button("Save").click()

    console.says("Enter a whole number from 3 to 20.")
    expect(console.value).to_be_focused()
    expect(console.value).to_have_attribute("aria-invalid", "true")
    assert ("PATCH", "/admin/clients/technician-app") not in console.calls


def test_times(console):
    """T-16 a time is shown and entered with its unit, and no second of it is lost"""
    console.open_policy("Technicians")
    console.open_rule("Code expires after")
    expect(console.value).to_have_value("5")
    expect(console.unit).to_have_value("minutes")
    console.value.fill("11")
    console.button("Save").click()
    console.says("Enter a time from 1 minute to 10 minutes, as a whole number.")
    expect(console.value).to_be_focused()

    console.unit.select_option(label="Seconds")
    save(console, "61")

    expect(console.row("Code expires after")).to_contain_text("61 seconds")
    expect(console.value).to_have_value("61")
    expect(console.unit).to_have_value("seconds")


def test_budget(console):
    """T-16 L-16 money is shown and entered with decimals"""
    console.open_policy("Technicians")
    expect(console.row("Daily message budget")).to_contain_text("1,000.00")
    console.open_rule("Daily message budget")
    expect(console.value).to_have_value("1000.00")
    console.value.fill("1,5")
    console.button("Save").click()
    console.says("Enter an amount from 0.00 to 1,000,000.00, with at most 6 decimals.")

    save(console, "999.5")

    expect(console.row("Daily message budget")).to_contain_text("999.50")


def test_refused_by_the_server(console):
    """T-16 a mistake that only the server can find is shown, and the typed text stays"""
    console.open_policy("Riders")
    console.open_rule("Countries that can receive messages")
    console.value.fill("+47, +46")
    console.button("Save").click()
    console.sheet.get_by_role("button", name="Use weaker value").click()

    console.says("The list must include the app's own country. Nothing was changed. Add the country.")
    expect(console.value).to_have_value("+47, +46")
    console.value.fill("+91, +47")
    console.button("Save").click()
    console.sheet.get_by_role("button", name="Use weaker value").click()
    console.says("Saved.")
    expect(console.row("Countries that can receive messages")).to_contain_text("+91, +47")


def test_change_by_another_administrator(console, server):
    """T-16 a change by another administrator is shown before it can be overwritten"""
    console.open_policy("Technicians")
    console.open_rule(RULE)
    expect(console.value).to_have_value("5")
    other = Console(console.context.browser, server, viewport=DESKTOP).open()
    server.advance(61)
    other.sign_in()
    other.tab("Policies")
    other.open_policy("Technicians")
    other.open_rule(RULE)
    save(other, "3")
    other.close()

    console.value.fill("4")
    console.button("Save").click()

    console.says("These settings have just changed.")
    expect(console.row(RULE).get_by_role("cell").first).to_contain_text("3")
    expect(console.value).to_have_value("4")


def test_lost_answer(console):
    """T-16 a request whose answer was lost is repeated with the same key, and changes once"""
    console.open_policy("Technicians")
    console.open_rule(RULE)
    keys = []

    def lose(route):
        if route.request.method != "PATCH":
            return route.continue_()
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            return route.continue_()
        # The server makes the change, and the answer is lost.
        route.fetch()
        return route.abort()
    console.page.route("**/admin/clients/technician-app", lose)
    console.value.fill("4")
    console.button("Save").click()
    console.says("Service unavailable")
    console.button("Save").click()

    console.says("Saved.")
    assert len(keys) == 2 and keys[0] == keys[1]


def test_organization(console):
    """T-16 S-07 an organization's page shows each app, and a change applies to its people"""
    console.open_policy("North")
    expect(console.row("Code length")).to_contain_text("App")
    app = console.page.get_by_label("App", exact=True)
    app.select_option(label="Peer mentors")
    expect(console.row("App lock")).to_contain_text("Fingerprint or face")
    console.open_rule("Code length")

    save(console, "8")

    expect(console.row("Code length")).to_contain_text("Changed in the console")
    sent = [Device(console.server, "mentor-app").login(
        MENTOR.email, MENTOR.password, organization=name) for name in ["north"]]
    assert sent[0].json["challenge"]["digits"] == 8
    app.select_option(label="Riders")
    expect(console.row("Code length")).to_contain_text("8")
    console.page.locator("#back").click()
    expect(console.row("North")).to_contain_text("1 value differs from the apps")


def test_weaker_organization(console):
    """T-16 L-16 a value that is weaker than the app's is shown as having no effect"""
    console.open_policy("North")
    console.open_rule(RULE)
    console.value.fill("9")
    console.button("Save").click()
    console.sheet.get_by_role("button", name="Use weaker value").click()

    console.says("Saved.")
    console.says("so it has no effect here.")
    expect(console.row(RULE).get_by_role("cell").first).to_contain_text("5")


def test_filter(console):
    """T-16 the values are searched, and only those that differ are shown; both can be undone"""
    page, rows = console.page, console.page.locator("#policy-split tbody tr")
    console.open_policy("Technicians")
    every = rows.count()
    expect(console.row(RULE)).to_contain_text("How many wrong answers in a row lock the account.")

    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    for text in ["WRONG account", "failed lock", "lockout.failures"]:
        page.locator("#search").fill(text)
        expect(console.row(RULE)).to_be_visible()
        expect(page.locator("#found")).to_have_text(f"{rows.count()} of {every} settings")
    expect(rows).to_have_count(1)
    page.locator("#search").fill("zzzz")
    console.says("No setting with “zzzz” was found")
    console.assert_accessible()
    console.button("Clear search").click()
    expect(page.locator("#search")).to_be_focused()
    expect(page.locator("#search")).to_have_value("")
    expect(rows).to_have_count(every)

    page.get_by_label("Only what differs").check()
    console.says("Nothing differs")
    console.button("Show all settings").click()
    console.open_rule(RULE)
    save(console, "3")
    page.get_by_label("Only what differs").check()
    expect(rows).to_have_count(1)
    expect(console.row(RULE)).to_contain_text("Changed in the console")
    console.assert_accessible()


def test_address_of_a_value(console):
    """T-16 a reload keeps the search, the switch and the open value; Back leaves the value"""
    page = console.page
    console.open_policy("Technicians")
    page.locator("#search").fill("lock")
    console.until("() => location.search === '?query=lock'")
    length = page.evaluate("() => history.length")
    console.open_rule(RULE)
    console.until("() => location.search === '?lockout.failures&query=lock'")

    page.reload()

    expect(page.get_by_role("heading", name=RULE, level=2)).to_be_focused()
    expect(console.value).to_have_value("5")
    expect(page.locator("#search")).to_have_value("lock")
    # The search changes beside the value, and Back does not undo it.
    page.locator("#search").fill("lockout")
    page.get_by_label("Only what differs").check()
    console.until("() => location.search === '?lockout.failures&query=lockout&changed=true'")
    console.button("Close").click()
    expect(console.value).to_have_count(0)
    console.until("() => location.search === '?query=lockout&changed=true'")
    assert page.evaluate("() => history.length") == length + 1
    page.go_forward()
    expect(page.get_by_role("heading", name=RULE, level=2)).to_be_focused()
    page.go_back()
    expect(console.value).to_have_count(0)
    expect(page.get_by_role("heading", name="Technicians", level=2)).to_be_visible()


def test_values_in_the_record(console):
    """T-16 the record of a change has the old and the new values with their units"""
    page = console.page
    console.open_policy("Technicians")
    console.open_rule(RULE)
    save(console, "8", weaker=True)
    console.button("Close").click()
    console.open_rule("Code expires after")
    save(console, "2")
    console.tab("Events")
    row = page.get_by_role("row").filter(has_text="code.life_seconds")
    assert "[300" not in row.inner_text()
    row.locator("th .row-action").click()
    record = page.get_by_role("region", name="Policy of an app changed by Ada Holm")
    expect(record).to_contain_text("Policy of")
    expect(record).to_contain_text("Technicians")
    expect(record).to_contain_text("Code expires after")
    expect(record).to_contain_text("5 minutes → 2 minutes")
    console.assert_accessible()
    page.get_by_role("row").filter(has_text="Policy of an app").nth(1).locator(
        "th .row-action").click()
    expect(record).to_contain_text(RULE)
    expect(record).to_contain_text("5 → 8")


def test_enter_in_a_search(console):
    """T-16 Enter in a search does not save a value, also on a page without a list"""
    page = console.page
    console.open_policy("Technicians")
    console.open_rule(RULE)
    console.value.fill("4")
    for is_list in (True, False):
        if not is_list:
            # Every search of the console is in a list, which has its own rule for Enter.
            page.locator(".split-list").evaluate("list => { list.className = 'column' }")
        page.locator("#search").focus()
        page.keyboard.press("Enter")
        page.locator("#search").press_sequentially("lock")
        console.until("() => location.search.includes('query=lock')")
        page.locator("#search").fill("")
    assert ("PATCH", "/admin/clients/technician-app") not in console.calls
    expect(console.value).to_have_value("4")
    console.value.press("Enter")
    console.says("Saved.")


def test_escape_cancels(console):
    """T-16 Escape answers a question with Cancel, and typed text stays"""
    console.open_policy("Technicians")
    console.open_rule(RULE)
    console.value.fill("9")
    console.button("Save").click()
    expect(console.page.get_by_role("heading", name="Use a weaker value?")).to_be_focused()
    console.page.keyboard.press("Escape")
    expect(console.sheet).to_have_count(0)
    expect(console.value).to_have_value("9")
    assert ("PATCH", "/admin/clients/technician-app") not in console.calls

    console.page.get_by_role("navigation").get_by_role("button", name="Accounts").click()
    console.asks_to_discard()
    console.page.keyboard.press("Escape")
    expect(console.sheet).to_have_count(0)
    expect(console.value).to_have_value("9")


@pytest.mark.parametrize("locale, saved", [
    ("hi-IN", "सेव हो गया।"),
    ("nb-NO", "Lagret."),
])
def test_languages(chrome, server, locale, saved):
    """T-15 a policy is changed in Hindi and in Norwegian, without any English text"""
    console = Console(chrome, server, viewport=DESKTOP, locale=locale).open()
    console.page.locator("#email").fill(ADMINISTRATOR.email)
    console.page.locator("#password").fill(ADMINISTRATOR.password)
    console.page.locator("#login").click()
    console.verify(server.code(ADMINISTRATOR.phone))
    console.page.locator("#tab-policies").click()
    console.page.locator("#policy-apps-client-technician-app").click()
    console.page.locator('[id="policy-locks-lockout.failures"]').click()
    console.page.locator("#policy_value").fill("4")
    console.page.locator("#save_value").click()

    console.says(saved)
    text = console.page.get_by_role("main").inner_text()
    for english in ["Failed attempts", "Default", "Changed", "Allowed", "hour", "Save"]:
        assert english not in text
    console.close()


@in_every_look
def test_accessible(chrome, server, look):
    """T-15 every page of the policies passes axe and fits: phone, desktop, large text"""
    app = Console(chrome, server, **look).open()
    app.sign_in()
    app.tab("Policies")
    app.says("Choose an app or an organization")
    app.assert_accessible()
    app.open_policy("Technicians")
    app.says(RULE)
    app.assert_accessible()
    app.open_rule(RULE)
    app.value.fill("21")
    app.button("Save").click()
    app.says("Enter a whole number from 3 to 20.")
    app.assert_accessible()
    app.value.fill("9")
    app.button("Save").click()
    expect(app.sheet).to_be_visible()
    app.assert_accessible()
    app.sheet.get_by_role("button", name="Use weaker value").click()
    app.says("Saved.")
    app.assert_accessible()
    app.button("Close").click()
    app.open_rule("Sign-in message")
    app.assert_accessible()
    app.close()


def test_keyboard(console):
    """T-15 a rule is found, changed and left with the keyboard alone"""
    keyboard = console.page.keyboard
    tab_to(console, console.page.get_by_role("button", name="Technicians"))
    keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Technicians", level=2)).to_be_focused()
    tab_to(console, console.page.get_by_role("button", name=RULE))
    keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name=RULE, level=2)).to_be_focused()
    tab_to(console, console.value)
    keyboard.press("ControlOrMeta+a")
    keyboard.type("9")
    tab_to(console, console.button("Save"))
    keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Use a weaker value?")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Enter")

    console.says("Saved.")
    expect(console.page.get_by_role("heading", name=RULE, level=2)).to_be_focused()
    # Skip the button that dismisses the banner.
    keyboard.press("Shift+Tab")
    keyboard.press("Shift+Tab")
    expect(console.button("Close")).to_be_focused()
    keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Technicians", level=2)).to_be_focused()
