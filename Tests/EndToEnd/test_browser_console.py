"""The administrators' console in a real browser: find, approve, create and deactivate."""
import pytest
from playwright.sync_api import expect

from browser import App, DESKTOP, PHONE, in_every_look, tab_to
from console import Console
from device import Device
from harness import ADMINISTRATOR, Person, TECHNICIAN, account, secret
from test_people_import import notice

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

    console.act(
        "Deactivate", "Account deactivated. Its sessions have ended.", reason="Left the company")

    technician.says("Your account has been deactivated.")
    console.act("Reactivate", "Account reactivated.")
    technician.close()


def test_technician_is_created(console, chrome):
    """T-16 errors appear beside their fields, and the new technician can sign in"""
    server = console.server
    console.sign_in()
    console.button("New account").click()
    expect(console.page.get_by_role("heading", name="New account", level=2)).to_be_focused()
    console.button("Create account").click()
    console.says("Enter a name.")
    expect(console.page.get_by_label("Name", exact=True)).to_be_focused()
    console.page.get_by_label("Name", exact=True).fill("Nina Dahl")
    console.email.fill(NINA.email)
    console.page.get_by_label("Mobile number").fill("900 00 042")
    console.button("Create account").click()
    console.says("Enter the mobile number with its country code")
    console.page.get_by_label("Mobile number").fill("+47 900 00 042")
    console.button("Create account").click()

    console.says("Account created. Send the person an invitation to set a password.")
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


def test_invitation_is_sent(console, chrome):
    """T-16 the server sends the invitation of a new account, and the person sets the password"""
    server = console.server
    console.sign_in()
    console.new_account("Technician", "Nina Dahl", NINA.email, NINA.phone)
    console.button("Create account").click()
    console.says("Account created.")

    console.act("Send invitation", "Invitation sent. The Messages tab shows its delivery.")

    invitation = console.page.get_by_role("region", name="Invitation")
    expect(invitation.get_by_text("Expires")).to_be_visible()
    expect(console.page.get_by_text("#invitation=")).to_have_count(0)
    console.assert_accessible()
    text = notice(server, NINA.phone)
    link = next(word for word in text.split() if "#invitation=" in word)
    person = chrome.new_context().new_page()
    person.goto(server.base + link[link.index("/app/"):])
    person.get_by_label("New password", exact=True).fill(secret(NINA.password))
    person.get_by_role("button", name="Save password").click()
    expect(person.get_by_role("main").get_by_text("Password saved")).to_be_visible()
    person.context.close()
    console.tab("Messages")
    console.says("n***@example.com")


def test_rider_is_created(console):
    """T-16 a rider needs no e-mail and signs in at once; no invitation is offered"""
    server = console.server
    console.sign_in()
    console.new_account("Rider", "Rani Sen", "", RANI.phone)
    console.says("Optional for riders.")
    console.button("Create account").click()
    console.says("Account created.")

    expect(console.button("Send invitation")).to_have_count(0)
    device, answer = ask_code(server, RANI.phone)
    assert answer.status == 403, answer
    assert device.verify(server.code(RANI.phone)).status == 200


def test_administrator_is_created(console):
    """T-16 a new administrator gets the chosen permissions, and another one changes them"""
    console.sign_in()
    console.new_account("Administrator", "Nia Berg", NINA.email, NINA.phone)
    console.button("Create account").click()
    console.says("Choose at least one permission.")
    expect(console.level("all organizations")).to_be_focused()
    console.level("all organizations").select_option(label="Viewer")
    console.level("North").select_option(label="Support")
    console.assert_accessible()
    console.button("Create account").click()
    console.says("Viewer in all organizations, Support in North")

    console.edit()
    expect(console.level("all organizations")).to_have_value("viewer")
    console.level("all organizations").select_option(label="None")
    console.level("North").select_option(label="Administrator")
    console.button("Save").click()
    console.says("Changes saved.")
    console.says("Administrator in North")
    expect(console.page.get_by_text("in all organizations")).to_have_count(0)
    console.tab("Events")
    console.says("Permissions changed by Ada Holm")


def typed(console):
    """The form of an account with a new name that is not saved."""
    console.sign_in()
    console.open_account("Tara Lind")
    console.edit()
    console.page.get_by_label("Name", exact=True).fill("Tara Berg")


@pytest.mark.parametrize("leave", [
    lambda console: console.button("Back").click(),
    lambda console: console.page.go_back(),
    lambda console: console.page.locator("#tab-events").click(),
    lambda console: console.page.get_by_role("button", name="Maja Solberg", exact=True).click(),
    lambda console: console.button("New account").click(),
], ids=["button", "browser", "tab", "row", "new"])
def test_typed_text_is_kept(console, leave):
    """T-16 no way out of a form discards typed text without a question"""
    typed(console)
    for _ in range(2):
        leave(console)
        console.keep_editing()
        expect(console.page.get_by_label("Name", exact=True)).to_have_value("Tara Berg")
    leave(console)
    console.asks_to_discard()
    console.assert_accessible()

    console.discard()

    expect(console.page.get_by_role("heading", name="Edit Tara Lind")).to_have_count(0)
    assert not [call for call in console.calls if call[0] == "PATCH"]


def test_escape_keeps_typed_text(console):
    """T-16 Escape does not close the form, and answers the question with Keep editing"""
    typed(console)
    for _ in range(3):
        console.page.keyboard.press("Escape")
    expect(console.page.get_by_label("Name", exact=True)).to_have_value("Tara Berg")
    console.button("Back").click()
    console.asks_to_discard()
    for _ in range(3):
        console.page.keyboard.press("Escape")
    expect(console.sheet).to_have_count(0)
    expect(console.page.get_by_label("Name", exact=True)).to_have_value("Tara Berg")


def test_same_email_twice(console):
    """T-16 an e-mail that another account has is refused, and the typed text stays"""
    console.sign_in()
    console.new_account("Technician", "Tara Again", TECHNICIAN.email, "+4790000043")
    console.button("Create account").click()

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

    expect(console.page.locator("#account-list").get_by_text("Locked")).to_have_count(0)
    assert Device(console.server).login(*TECHNICIAN.credentials.values()).status == 403


def test_own_account(console):
    """T-16 the console does not offer to deactivate or reset the own account"""
    console.sign_in()
    console.find("admin@")
    console.open_account("Ada Holm")
    actions = console.page.locator("#actions")
    expect(actions.get_by_role("button").first).to_be_visible()
    for action in ("Reset password", "Deactivate"):
        expect(actions.get_by_role("button", name=action)).to_have_count(0)


def test_events_messages_and_policies(console):
    """T-16 events and messages are listed without codes; policies show the values that apply"""
    console.sign_in()
    code = console.server.messages(ADMINISTRATOR.phone)[0]["code"]
    console.tab("Events")
    row = console.page.get_by_role("row").filter(has_text="sign_in.completed")
    expect(row.get_by_role("rowheader")).to_have_text("Signed in")
    expect(row.get_by_role("button", name="Ada Holm")).to_be_visible()
    assert not console.button("Show more").count()
    console.tab("Messages")
    console.says("***-***-1238")
    row = console.page.locator("#messages tbody tr").filter(has_text="***-***-1238").first
    expect(console.page.locator("#messages thead th").nth(1)).to_have_text("Kind")
    expect(row.locator("td .cell").first).to_have_text("Code")
    assert code not in console.page.get_by_role("main").inner_text()
    console.tab("Policies")
    console.says("Failed attempts before lockout")
    expect(console.page.get_by_role("button", name="Technicians")).to_be_visible()


def test_event_opens_its_account(console):
    """T-16 an event names its account; the link opens it, and Back returns to the events"""
    Device(console.server).login(TECHNICIAN.email, "wrong-guess")
    console.sign_in()
    console.tab("Events")
    row = console.page.get_by_role("row").filter(has_text="sign_in.password_refused")
    expect(row.get_by_role("rowheader")).to_have_text("Wrong email or password")
    row.get_by_role("button", name="Tara Lind").click()
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_be_focused()

    console.page.go_back()

    expect(console.page.get_by_role("heading", name="Events", level=1)).to_be_focused()
    expect(row.get_by_role("button", name="Tara Lind")).to_be_visible()


@pytest.mark.parametrize("locale, sentence", [
    ("nb-NO", "Logget inn"), ("hi-IN", "साइन इन किया")], ids=["nb", "hi"])
def test_events_in_other_languages(chrome, server, locale, sentence):
    """T-15 T-16 events are sentences in the reader's language, with the code beside them"""
    english = Console(chrome, server, viewport=DESKTOP).open()
    english.sign_in()
    english.close()
    server.advance(61)
    app = Console(chrome, server, viewport=DESKTOP, locale=locale).open()
    page = app.page
    page.locator("#email").fill(ADMINISTRATOR.email)
    page.locator("#password").fill(ADMINISTRATOR.password)
    sent = len(server.messages(ADMINISTRATOR.phone))
    page.locator("#login").click()
    expect(page.locator("#code")).to_be_visible()
    app.verify(server.code(ADMINISTRATOR.phone, sent))
    page.locator("#tab-events").click()
    row = page.get_by_role("row").filter(has_text="sign_in.completed").first
    expect(row.get_by_role("rowheader")).to_have_text(sentence)
    app.close()


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
    console.says("No account with “no-such-name” was found")


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
    app.button("New account").click()
    app.button("Create account").click()
    app.assert_accessible()
    app.button("Back").click()
    for place in ["Events", "Messages", "Policies"]:
        app.tab(place)
        expect(app.page.get_by_text("Loading…")).to_have_count(0)
        app.assert_accessible()
    app.close()


LONG_EMAIL = "a." + "very-long-local-part-" * 2 + "x@subdomain.of-a-very-long-organization.example"


def scrolls(console, selector):
    return console.page.locator(selector).evaluate(
        "frame => frame.scrollWidth - frame.clientWidth")


def test_long_email(console):
    """T-15 a very long e-mail breaks, so that the list beside an open account does not scroll"""
    made = account(
        console.server, "create", "--development", "--role", "technician", "--name", "Nina Dahl",
        "--email", LONG_EMAIL, "--phone", NINA.phone)
    assert made.returncode == 0, made
    console.sign_in()
    console.open_account("Nina Dahl")

    frame = ".split-list .table-frame"
    assert scrolls(console, frame) == 0
    assert not console.page.locator(frame).get_attribute("tabindex")
    # A usual word stays in one piece.
    role = console.page.get_by_role("cell", name="Administrator").locator(".cell")
    assert role.bounding_box()["height"] < 30
    console.assert_accessible()


def test_scrollable_table(console):
    """T-15 a table that is too wide is a named region, and the keyboard scrolls it"""
    console.sign_in()
    console.page.set_viewport_size({"width": 700, "height": 800})
    region = console.page.get_by_role("region", name="Accounts")
    expect(console.page.locator("#account-list")).to_be_visible()
    expect(region).to_have_count(0)
    # The texts of another language or a larger font need more width.
    console.page.evaluate(
        "() => { document.getElementById('account-list').style.minInlineSize = '60rem' }")

    expect(region).to_be_visible()
    assert scrolls(console, ".table-frame") > 0
    console.assert_accessible()
    tab_to(console, region)
    console.page.keyboard.press("ArrowRight")
    console.until("() => document.querySelector('.table-frame').scrollLeft > 0")


@pytest.mark.parametrize("place", ["Accounts", "Policies"])
def test_header_with_large_text(chrome, server, place):
    """T-15 with text of 200 % on a phone the header leaves most of the height to the content"""
    app = Console(chrome, server, viewport=PHONE, text_percent=200).open()
    app.sign_in()
    if place != "Accounts":
        app.tab(place)
    header = app.page.locator(".header")
    assert header.bounding_box()["height"] <= 130
    button = app.page.locator(".account-button")
    size = button.bounding_box()
    assert size["width"] >= 48 and size["height"] >= 48
    button.click()
    expect(app.page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
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
    expect(console.sheet.get_by_label("Reason")).to_be_focused()
    console.page.keyboard.type("Left the company")
    console.page.keyboard.press("Tab")
    console.page.keyboard.press("Enter")

    console.says("Account deactivated.")
    expect(console.page.get_by_role("heading", name="Tara Lind", level=2)).to_be_focused()


def test_overview(console):
    """T-16 the overview counts a sign-in, and leads to the lists that need attention"""
    register(console.server, RANI.phone, "Rani Sen")
    console.sign_in()
    console.tab("Overview")
    page = console.page
    expect(page.locator("#today")).to_contain_text("Sign-ins today1")
    table = page.get_by_role("table", name="Sign-ins by day")
    expect(table).to_have_count(0)
    page.get_by_text("Show as table").first.press("Enter")
    expect(table.get_by_role("row")).to_have_count(15)
    expect(table.get_by_role("row").last).to_contain_text("1")

    page.get_by_role("button", name="Accounts waiting for approval").click()
    expect(console.heading("Accounts")).to_be_visible()
    console.until("() => location.search === '?status=pending'")
    expect(page.get_by_label("Status")).to_have_value("pending")
    page.go_back()
    expect(console.heading("Overview")).to_be_visible()


def test_dense_tables(console):
    """T-16 a table has rows of 40 px, and its head stays in view"""
    console.sign_in()
    rows = console.page.locator("tbody tr")
    expect(rows.first).to_be_visible()
    heights = [row.bounding_box()["height"] for row in rows.all()[1:]]
    assert max(heights) <= 40.5, heights
    # Fourteen rows of 40 px end above the lower edge of the page.
    assert rows.first.bounding_box()["y"] + 14 * 40 <= 800
    for name in ("Accounts", "Events", "Messages"):
        console.tab(name)
        head = console.page.locator("thead th").first
        assert head.evaluate("cell => getComputedStyle(cell).position") == "sticky"


def test_one_session_ends(console, chrome):
    """T-16 an administrator signs one device out; the question names the person and the device"""
    device = Device(console.server)
    device.sign_in(TECHNICIAN)
    console.sign_in()
    console.find("tara")
    console.open_account("Tara Lind")
    console.page.locator("#sessions").get_by_role("button").click()
    expect(console.sheet).to_contain_text("Sign out Tara Lind on ")
    console.sheet.get_by_role("button", name="Sign out this device").click()
    console.says("The device is signed out.")
    console.says("Not signed in on any device.")
