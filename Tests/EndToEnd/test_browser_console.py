"""The administrators' console in a real browser: find, approve, create and deactivate."""
import pytest
from playwright.sync_api import expect

from browser import App, DESKTOP, in_every_look, tab_to
from console import Console
from device import Device
from harness import ADMINISTRATOR, Person, TECHNICIAN, secret

RANI = Person("", "", "+919812340001")
NINA = Person("nina@example.com", "mossy stones & lichen", "+4790000042")


@pytest.fixture
def console(chrome, server):
    app = Console(chrome, server, viewport=DESKTOP).open()
    yield app
    app.close()


def register(server, phone, name):
    answer = server.post("/accounts", document={
        "client_id": "rider-app", "phone_number": phone, "name": name})
    assert answer.status == 202, answer


def ask_code(server, phone):
    """Sends the first request of a rider's sign-in over HTTP."""
    device = Device(server, client="rider-app")
    return device, device.challenge(**device.first_call(phone_number=phone))


def test_rider_is_approved(console):
    """R-11 a rider registers, an administrator approves the account, and the rider signs in"""
    server = console.server
    register(server, RANI.phone, "Rani Sen")
    assert ask_code(server, RANI.phone)[1].error == "account_not_registered"

    console.sign_in()
    console.page.get_by_label("Status", exact=True).select_option(label="Waiting for approval")
    console.open_account("Rani Sen")
    console.act("Approve", "Account approved.")

    expect(console.page.get_by_role("button", name="Rani Sen")).to_be_visible()
    device, answer = ask_code(server, RANI.phone)
    assert answer.status == 403 and answer.json["challenge"]["digits"] == 6
    code = server.code(RANI.phone)
    proved = device.verify(code)
    assert device.redeem(proved.json["authorization_code"]).status == 200


def test_rider_is_rejected(console):
    """R-11 a rejected rider stays unregistered for the riders' app and can be approved later"""
    register(console.server, RANI.phone, "Rani Sen")
    console.sign_in()
    console.find("rani")
    console.open_account("Rani Sen")

    console.act("Reject", "Account rejected.")

    assert ask_code(console.server, RANI.phone)[1].error == "account_not_registered"
    expect(console.page.locator("#actions").get_by_role("button", name="Approve")).to_be_visible()


def test_technician_is_deactivated(console, chrome):
    """T-16 T-04 when a signed-in technician is deactivated, the technician's app says so"""
    technician = App(chrome, console.server).open()
    technician.sign_in(TECHNICIAN)
    console.sign_in()
    console.find("tech@example.com")
    console.open_account("Tara Lind")

    console.act("Deactivate", "Account deactivated. Its sessions have ended.")

    technician.says("Your account has been deactivated.")
    console.act("Reactivate", "Account reactivated.")
    technician.close()


def test_technician_is_created(console, chrome):
    """T-16 errors appear beside their fields, and the new technician can sign in"""
    server = console.server
    console.sign_in()
    console.button("New technician").click()
    console.button("Create technician").click()
    console.says("Enter a name.")
    expect(console.page.get_by_label("Name", exact=True)).to_be_focused()
    console.page.get_by_label("Name", exact=True).fill("Nina Dahl")
    console.email.fill(NINA.email)
    console.page.get_by_label("Mobile number").fill("900 00 042")
    console.button("Create technician").click()
    console.says("Enter the mobile number with its country code")
    console.page.get_by_label("Mobile number").fill("+47 900 00 042")
    console.button("Create technician").click()

    console.says("Account created.")
    expect(console.page.get_by_role("heading", name="Nina Dahl", level=2)).to_be_visible()
    made = [entry for entry in console.calls if entry == ("POST", "/admin/accounts")]
    assert len(made) == 1
    app = App(chrome, server).open()
    app.button("Forgot Password?").click()
    app.email.fill(NINA.email)
    app.button("Send OTP").click()
    app.code.fill(server.code(NINA.phone))
    app.new_password.fill(secret(NINA.password))
    app.button("Change password").click()
    app.says("Password changed.")
    app.close()


def test_same_email_twice(console):
    """T-16 an e-mail that another account has is refused, and the typed text stays"""
    console.sign_in()
    console.button("New technician").click()
    console.page.get_by_label("Name", exact=True).fill("Tara Again")
    console.email.fill(TECHNICIAN.email)
    console.page.get_by_label("Mobile number").fill("+4790000043")
    console.button("Create technician").click()

    console.says("An account with this email or number already exists.")
    expect(console.email).to_have_value(TECHNICIAN.email)


def test_locked_out_account(console):
    """T-16 the console shows a lockout and ends it"""
    for _ in range(5):
        Device(console.server).login(TECHNICIAN.email, "wrong-guess")
    console.sign_in()
    console.find("tech@")
    console.open_account("Tara Lind")
    expect(console.page.locator("#account-list").get_by_text("Locked")).to_be_visible()

    console.act("Unlock", "Account unlocked.")

    expect(console.page.get_by_text("Locked", exact=True)).to_have_count(0)
    assert Device(console.server).login(*TECHNICIAN.credentials.values()).status == 403


def test_own_account(console):
    """T-16 the console does not offer to deactivate the own account"""
    console.sign_in()
    console.find("admin@")
    console.open_account("Ada Holm")
    actions = console.page.locator("#actions")
    expect(actions.get_by_role("button", name="Reset password")).to_be_visible()
    expect(actions.get_by_role("button", name="Deactivate")).to_have_count(0)


def test_events_messages_and_policies(console):
    """T-16 events and messages are listed without codes; policies show the values that apply"""
    console.sign_in()
    code = console.server.messages(ADMINISTRATOR.phone)[0]["code"]
    console.tab("Events")
    console.says("sign_in.completed")
    assert not console.button("Show more").count()
    console.tab("Messages")
    console.says("***-***-1238")
    assert code not in console.page.get_by_role("main").inner_text()
    console.tab("Policies")
    console.says("Failed attempts before lockout")
    expect(console.page.get_by_role("button", name="Technicians")).to_be_visible()


def test_many_accounts(console):
    """T-16 a long list of accounts is read page by page and searched"""
    assert console.server.post("/dev/accounts", document={"count": 60}).status == 200
    console.sign_in()
    rows = console.page.locator("#account-list tbody tr")
    expect(rows).to_have_count(50)

    console.button("Show more").click()

    expect(console.button("Show more")).to_have_count(0)
    assert rows.count() > 60
    console.find("tech@example.com")
    expect(rows).to_have_count(1)
    console.find("no-such-name")
    console.says("No matching accounts")


@in_every_look
def test_accessible(chrome, server, look):
    """T-15 every screen of the console passes axe, on phone and desktop"""
    app = Console(chrome, server, **look).open()
    app.sign_in()
    app.assert_accessible()
    app.open_account("Tara Lind")
    app.assert_accessible()
    app.page.locator("#actions").get_by_role("button", name="Deactivate").click()
    expect(app.sheet).to_be_visible()
    app.assert_accessible()
    app.sheet.get_by_role("button", name="Cancel").click()
    app.button("Back").click()
    app.button("New technician").click()
    app.button("Create technician").click()
    app.assert_accessible()
    app.button("Back").click()
    for place in ["Events", "Messages", "Policies"]:
        app.tab(place)
        expect(app.page.get_by_text("Loading…")).to_have_count(0)
        app.assert_accessible()
    app.close()


def test_keyboard(console):
    """T-15 an account is opened and deactivated with the keyboard alone"""
    console.sign_in()
    console.find("tech@example.com")
    expect(console.page.locator("#account-list tbody tr")).to_have_count(1)
    row = console.page.get_by_role("button", name="Tara Lind")
    tab_to(console, row)
    console.page.keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_be_focused()
    tab_to(console, console.page.locator("#actions").get_by_role("button", name="Deactivate"))
    console.page.keyboard.press("Enter")
    expect(console.page.get_by_role("heading", name="Deactivate Tara Lind?")).to_be_focused()
    console.page.keyboard.press("Tab")
    console.page.keyboard.press("Enter")

    console.says("Account deactivated.")
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_be_focused()
