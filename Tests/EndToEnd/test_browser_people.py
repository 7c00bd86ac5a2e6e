"""People in the console: an administrator changes, exports and erases an account in a browser."""
import json

import pytest
from playwright.sync_api import expect

from browser import App, DESKTOP, PHONE, tab_to
from console import Console
from device import Device
from harness import Person, TECHNICIAN, account, secret, shown
from test_people_erasure import MARKS, NAME, NINA, OLD, create_person_with_data, traces
from test_people_import import notice
from test_people_permissions import KARI, LOCAL, OLA, administrator
from test_wire_administration import send

NEW_PHONE = "+15550107555"


@pytest.fixture
def console(chrome, server):
    app = Console(chrome, server, viewport=DESKTOP).open()
    yield app
    app.close()


def patches(console):
    return [url for method, url in console.calls if method == "PATCH"]


def phone(app):
    return app.page.get_by_label("Mobile number", exact=True)


def name(app):
    return app.page.get_by_label("Name", exact=True)


def test_edit(console, chrome):
    """T-16 an edit signs the person's app out, and the next code goes to the new number"""
    technician = App(chrome, console.server).open()
    technician.sign_in(TECHNICIAN)
    console.sign_in()
    console.open_account("Tara Lind")
    console.edit()
    name(console).fill("Tara Berg")
    phone(console).fill("+1 555 010 7555")
    console.says("The next code goes to this number")
    console.page.get_by_role("checkbox", name="North").check()
    console.button("Save").click()

    console.says("Changes saved. Every session has ended")
    expect(console.page.get_by_role("heading", name="Tara Berg", level=2)).to_be_focused()
    console.says("Number unconfirmed since")
    expect(console.page.locator("#account-list").get_by_text("Tara Berg")).to_be_visible()
    technician.says("Sign in again")
    assert "changed" in notice(console.server, TECHNICIAN.phone)
    device = Device(console.server)
    console.server.advance(61)
    device.sign_in(Person(TECHNICIAN.email, TECHNICIAN.password, NEW_PHONE))
    console.button("Back").click()
    console.open_account("Tara Berg")
    expect(console.page.get_by_text("Number unconfirmed since")).to_have_count(0)
    technician.close()


def test_mistakes(console):
    """T-16 each mistake is shown at its field, nothing is sent, and no typed text is lost"""
    console.sign_in()
    console.open_account("Tara Lind")
    console.edit()
    console.button("Save").click()
    console.says("You have not changed anything yet.")
    name(console).fill(" ")
    console.email.fill("")
    phone(console).fill("900 00 001")
    console.button("Save").click()

    console.says("Enter a name.")
    console.says("Enter an email address. It is optional only for riders.")
    console.says("Enter the mobile number with its country code")
    expect(name(console)).to_be_focused()
    assert not patches(console)
    name(console).fill("Tara Lind")
    phone(console).fill("+15550101234")
    console.email.fill("owner@example.com")
    console.button("Save").click()
    console.says("Another account has this email address.")
    expect(console.email).to_be_focused()
    expect(console.email).to_have_value("owner@example.com")
    assert len(patches(console)) == 1


def test_lost_network(console):
    """T-16 without a network the form says so and keeps the typed text; then it is saved once"""
    console.sign_in()
    console.open_account("Tara Lind")
    console.edit()
    name(console).fill("Tara Berg")
    console.context.set_offline(True)
    console.button("Save").click()
    console.says("No internet connection.")
    expect(name(console)).to_have_value("Tara Berg")

    console.context.set_offline(False)
    console.button("Save").click()
    console.says("Changes saved.")


def test_own_account(console):
    """T-16 for the own account the console offers to change the name, and never to erase it"""
    console.sign_in()
    console.open_account("Ada Holm")
    expect(console.button("Download data")).to_be_visible()
    expect(console.button("Erase")).to_have_count(0)
    console.edit()
    expect(phone(console)).to_have_count(0)
    expect(console.email).to_have_count(0)
    name(console).fill("Ada Lunde")
    console.button("Save").click()
    console.says("Changes saved.")


def stored_by_browser(console):
    """Everything that the browser stores for the page."""
    return console.page.evaluate("""async () => {
      const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie]
      for (const { name } of await indexedDB.databases()) {
        const opened = await new Promise((resolve) => {
          const asked = indexedDB.open(name)
          asked.onsuccess = () => resolve(asked.result)
        })
        for (const store of opened.objectStoreNames) {
          const all = opened.transaction(store).objectStore(store).getAll()
          await new Promise((resolve) => { all.onsuccess = resolve })
          texts.push(JSON.stringify(all.result))
        }
        opened.close()
      }
      for (const key of await caches.keys()) {
        const cache = await caches.open(key)
        for (const request of await cache.keys()) texts.push(request.url)
      }
      return texts.join('\\n')
    }""")


def test_export(console):
    """T-16 an export is a downloaded file, requested with a proof; the browser stores no copy"""
    server = console.server
    admin = Device(server, client="console")
    admin.sign_in(Person("admin@example.com", "demo-Admin-1", "+15550101238"))
    create_person_with_data(server, admin)
    server.advance(61)
    console.sign_in()
    console.find(NINA.email)
    console.open_account(NAME)
    console.button("Download data").click()
    expect(console.sheet).to_be_visible()
    with console.page.expect_request("**/export") as asked, \
            console.page.expect_download() as saved:
        console.sheet.get_by_role("button", name="Download data").click()

    console.says("File downloaded.")
    headers = asked.value.headers
    assert headers["authorization"].startswith("DPoP ") and headers["dpop"]
    assert NINA.email not in saved.value.suggested_filename
    document = json.loads(open(saved.value.path(), encoding="utf-8").read())
    assert document["account"]["email"] == NINA.email
    assert {entry["id"] for entry in document["products"]} == {"erased-1"}
    assert {NINA.phone, OLD} <= {entry["to"] for entry in document["messages"]}
    left = stored_by_browser(console)
    assert left and not [mark for mark in MARKS if mark in left]
    console.tab("Events")
    console.says("account.exported")


def test_erase(console):
    """T-16 an erased person is no longer in the list, the data folder and the log"""
    server = console.server
    admin = Device(server, client="console")
    admin.sign_in(Person("admin@example.com", "demo-Admin-1", "+15550101238"))
    number, device = create_person_with_data(server, admin)
    assert traces(server)
    server.advance(61)
    console.sign_in()
    console.find(NINA.email)
    console.open_account(NAME)
    console.button("Erase").click()
    erase = console.sheet.get_by_role("button", name="Erase")
    expect(erase).to_be_disabled()
    console.confirmation.fill("Wilhelmina")
    expect(erase).to_be_disabled()
    console.confirmation.fill(NAME)
    erase.click()

    console.says("Person erased.")
    expect(console.page.get_by_role("heading", name="Accounts", level=1)).to_be_focused()
    expect(console.page.get_by_role("button", name=NAME)).to_have_count(0)
    assert traces(server) == set()
    assert send(admin, "GET", f"/admin/accounts/{number}").status == 404
    assert device.refresh().json["reason"] == "account_deactivated"
    left = stored_by_browser(console)
    assert left and not [mark for mark in MARKS if mark in left]
    console.tab("Events")
    console.says("account.erased")
    assert server.stop() == 0
    assert traces(server) == set()


def test_erase_by_keyboard(console):
    """T-15 T-16 a person is found, opened and erased with the keyboard alone"""
    console.sign_in()
    console.find("mentor@example.com")
    expect(console.page.locator("#account-list tbody tr")).to_have_count(1)
    keyboard = console.page.keyboard
    tab_to(console, console.page.get_by_role("button", name="Maja Solberg"))
    keyboard.press("Enter")
    tab_to(console, console.button("Erase"))
    keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Erase Maja Solberg")).to_be_focused()
    keyboard.press("Enter")
    keyboard.press("Tab")
    expect(console.confirmation).to_be_focused()
    keyboard.type("maja solberg")
    keyboard.press("Enter")
    expect(console.sheet).to_be_visible()
    keyboard.press("Tab")
    expect(console.sheet.get_by_role("button", name="Erase")).to_be_focused()
    keyboard.press("Enter")

    console.says("Person erased.")


def local_console(chrome, server, permission):
    administrator(server, permission)
    server.advance(61)
    app = Console(chrome, server, viewport=DESKTOP).open()
    app.sign_in(LOCAL)
    return app


def test_local_administrator(chrome, server):
    """T-16 an administrator of one organization is offered only allowed actions and its policy"""
    account(server, *KARI)
    account(server, *OLA)
    app = local_console(chrome, server, "administrator:north")
    expect(app.page.get_by_role("button", name="Ola Vik")).to_have_count(0)
    app.open_account("Kari Moe")
    app.edit()
    expect(app.page.get_by_role("checkbox")).to_have_count(1)
    app.page.get_by_role("checkbox", name="North").uncheck()
    app.button("Save").click()
    app.says("Choose at least one organization.")
    app.button("Back").click()
    app.discard()
    app.button("Back").click()
    app.open_account("Maja Solberg")
    expect(app.button("Erase")).to_have_count(0)
    app.edit()
    app.says("You can only remove it from yours.")
    expect(app.page.get_by_role("checkbox", name="south")).to_be_disabled()
    app.button("Back").click()
    app.tab("Policies")
    app.says("Choose an organization to see the settings")
    expect(app.page.get_by_role("button", name="Technicians")).to_have_count(0)
    app.open_policy("North")
    app.says("Failed attempts before lockout")
    app.open_rule("Lock after in background")
    app.unit.select_option(label="Seconds")
    app.value.fill("60")
    app.button("Save").click()
    app.says("Saved.")
    app.close()


def test_new_account_of_an_organization(chrome, server):
    """T-16 an administrator of one organization creates accounts and grants levels only in it"""
    app = local_console(chrome, server, "administrator:north")
    app.new_account("Administrator", "Nils Dahl", "nils@example.com", "+4790000043")
    expect(app.page.get_by_role("checkbox")).to_have_count(1)
    expect(app.page.get_by_role("checkbox", name="North")).to_be_checked()
    expect(app.level("all organizations")).to_have_count(0)
    app.level("North").select_option(label="Support")
    app.button("Create account").click()
    app.says("Account created.")
    app.says("Support in North")
    app.close()


@pytest.mark.parametrize("permission", ("viewer:north", "support:north"))
def test_lower_levels(chrome, server, permission):
    """T-16 viewers and support are not offered actions that their permission excludes"""
    shown(account(server, *KARI, "--json"))
    app = local_console(chrome, server, permission)
    expect(app.button("New account")).to_have_count(0)
    app.open_account("Kari Moe")
    expect(app.page.get_by_text("Not signed in on any device.")).to_be_visible()
    for button in ("Edit", "Deactivate", "Download data", "Erase"):
        expect(app.page.get_by_role("button", name=button, exact=True)).to_have_count(0)
    is_support = permission.startswith("support")
    expect(app.button("Show invitation link")).to_have_count(0)
    invite = app.page.locator("#actions").get_by_role("button", name="Send invitation")
    expect(invite).to_have_count(1 if is_support else 0)
    if is_support:
        app.act("Send invitation", "Invitation sent.")
        app.assert_accessible()
    app.tab("Policies")
    app.open_policy("North")
    app.says("Your permissions let you view these settings, but not change them.")
    app.open_rule("Code expires after")
    expect(app.button("Save")).to_have_count(0)
    app.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessible(chrome, server, viewport, scheme):
    """T-15 the form, its mistakes and its questions pass axe, on phone and desktop"""
    app = Console(chrome, server, viewport=viewport, scheme=scheme).open()
    app.sign_in()
    people_walk(app, lambda shown, _: shown.assert_accessible())
    app.close()


def people_walk(app, look):
    """Visits every screen of changing, exporting and erasing, and calls `look` on each."""
    app.open_account("Maja Solberg")
    expect(app.page.get_by_text("Not signed in on any device.")).to_be_visible()
    look(app, "people-01-account")
    app.edit()
    expect(app.page.get_by_role("checkbox", name="North")).to_be_visible()
    look(app, "people-02-edit")
    name(app).fill("")
    phone(app).fill("+15550107555")
    app.page.get_by_label("Role").select_option(label="Administrator")
    app.button("Save").click()
    app.says("Enter a name.")
    look(app, "people-03-mistake")
    name(app).fill("Maja Berg")
    app.page.get_by_label("Role").select_option(label="Peer mentor")
    app.button("Save").click()
    app.says("Changes saved.")
    look(app, "people-04-saved")
    app.button("Download data").click()
    expect(app.sheet).to_be_visible()
    look(app, "people-05-export")
    app.sheet.get_by_role("button", name="Cancel").click()
    app.button("Erase").click()
    expect(app.sheet).to_be_visible()
    look(app, "people-06-erase")
    app.confirmation.fill("Maja Berg")
    look(app, "people-07-confirmed")
    app.sheet.get_by_role("button", name="Erase").click()
    app.says("Person erased.")
    look(app, "people-08-erased")
