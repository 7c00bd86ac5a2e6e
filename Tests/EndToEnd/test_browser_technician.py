"""The technician's sign-in in a real browser: every screen, sentence, key and place of storage."""
import re

import pytest
from playwright.sync_api import expect

import browser as web
from browser import App, in_every_look, tab_to, wrong
from harness import FORMER, Person, SECRETS, TECHNICIAN, account, secret, shown
from walks import technician_walk

NINA = Person("nina@example.com", secret("correct horse battery"), "+15550109999")


# MARK: Signing in


def test_sign_in(app):
    """T-01 the right e-mail, password and code lead to the assigned jobs"""
    app.sign_in(TECHNICIAN)

    app.says("Install washing machine")
    assert len(app.server.messages(TECHNICIAN.phone)) == 1


def test_code_after_closed_page(app):
    """L-47 a page that was closed at the code screen returns to it, and the code signs in"""
    code = app.reach_code(TECHNICIAN)
    app.page.close()
    app.page = app.context.new_page()
    app.open()

    expect(app.code).to_be_focused()
    app.verify(code)
    app.at_jobs()
    assert len(app.server.messages(TECHNICIAN.phone)) == 1


def test_wrong_password(app):
    """T-02 a wrong password shows its sentence, clears the field and sends no code"""
    app.log_in(TECHNICIAN.email, "wrong-guess")

    app.says(web.INVALID)
    expect(app.password).to_have_value("")
    expect(app.email).to_have_value(TECHNICIAN.email)
    expect(app.password).to_be_focused()
    expect(app.code).to_have_count(0)
    expect(app.button("Login")).to_be_disabled()


def test_unknown_e_mail(app):
    """T-03 an unknown e-mail shows the same sentence as a wrong password"""
    app.log_in("unknown@example.com", "wrong-guess")

    app.says(web.INVALID)
    expect(app.code).to_have_count(0)


def test_unknown_e_mail_looks_the_same(app):
    """T-03, L-12 no word on the page differs between an unknown e-mail and a wrong password"""
    pages = []
    for email in (TECHNICIAN.email, "unknown@example.com"):
        app.log_in(email, "wrong-guess")
        app.says(web.INVALID)
        expect(app.button("Signing in")).to_have_count(0)
        app.email.fill("")
        pages.append(app.page.get_by_role("main").inner_html())

    assert pages[0] == pages[1]


def test_deactivated(app):
    """T-04 a deactivated account is reported only after the right password"""
    app.log_in(FORMER.email, FORMER.password)

    app.says(web.DEACTIVATED)
    expect(app.code).to_have_count(0)


def test_lockout(timed_app):
    """T-05 after five failures the app says how long to wait, and sends nothing in the meantime"""
    app = timed_app
    for _ in range(4):
        app.log_in(TECHNICIAN.email, "wrong-guess")
        app.says(web.INVALID)
    app.log_in(TECHNICIAN.email, "wrong-guess")
    app.says(web.LOCKED)
    requests = app.count("/oauth/challenge")

    app.button("Use another account").click()
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)

    app.says("Your account is temporarily locked.")
    assert app.count("/oauth/challenge") == requests


# The known lockouts as stored, without the session.
LOCKOUTS = """async () => {
  const open = indexedDB.open('fieldpass-technician-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const get = base.transaction('records').objectStore('records').get('lockouts')
  const found = await new Promise((done) => { get.onsuccess = () => done(get.result) })
  base.close()
  if (!found) return null
  const { sealingKey: { key }, record: { iv, sealed } } = found
  const additionalData = new TextEncoder().encode('lockouts')
  return new TextDecoder().decode(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed))
}"""


def test_lockout_after_a_reload(app):
    """T-05 after a reload, in a second tab and after a colleague's sign-in a lockout is known"""
    waiting = app.context.new_page()
    waiting.goto(f"{app.server.base}/app/{app.name}/")
    expect(waiting.get_by_label("Email", exact=True)).to_be_visible()
    for _ in range(5):
        app.log_in(FORMER.email, "wrong-guess")
        expect(app.button("Signing in")).to_have_count(0)
        expect(app.password.or_(app.heading("Account locked"))).to_be_visible()
    app.says(web.LOCKED)
    stored = app.page.evaluate(LOCKOUTS)
    assert '"lockouts":[{' in stored and FORMER.email.partition("@")[0] not in stored
    requests = app.count("/oauth/challenge")

    app.page.reload()
    app.log_in(FORMER.email, FORMER.password)
    app.says("Your account is temporarily locked.")
    assert app.count("/oauth/challenge") == requests
    sent = []
    waiting.on("request", lambda request: sent.append(request.url))
    waiting.get_by_label("Email", exact=True).fill(FORMER.email)
    waiting.get_by_label("Password", exact=True).fill(FORMER.password)
    waiting.get_by_role("button", name="Login").click()
    expect(waiting.get_by_role("heading", name="Account locked")).to_be_visible()
    assert not [url for url in sent if "/oauth/challenge" in url]
    waiting.close()

    app.button("Use another account").click()
    app.sign_in(TECHNICIAN)
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")
    requests = app.count("/oauth/challenge")
    app.log_in(FORMER.email, FORMER.password)
    app.says("Your account is temporarily locked.")
    assert app.count("/oauth/challenge") == requests


def test_end_of_lockout(timed_app):
    """T-05 the form returns when the lockout ends, and the right answers sign in"""
    app = timed_app
    for _ in range(5):
        app.log_in(TECHNICIAN.email, "wrong-guess")
        expect(app.password.or_(app.heading("Account locked"))).to_be_visible()
        expect(app.button("Signing in")).to_have_count(0)
    app.says(web.LOCKED)

    app.wait(15 * 60 + 1)

    expect(app.password).to_be_visible()
    app.sign_in(TECHNICIAN)


def test_lockout_on_every_device(chrome, app):
    """T-05 a lockout applies on every device, and the next one is twice as long"""
    for _ in range(5):
        app.log_in(TECHNICIAN.email, "wrong-guess")
        expect(app.button("Signing in")).to_have_count(0)
        expect(app.password.or_(app.heading("Account locked"))).to_be_visible()
    app.says(web.LOCKED)

    other = App(chrome, app.server).open()
    other.log_in(TECHNICIAN.email, TECHNICIAN.password)
    other.says(web.LOCKED)
    app.server.advance(15 * 60 + 1)
    other.page.reload()
    for _ in range(5):
        other.log_in(TECHNICIAN.email, "wrong-guess")
        expect(other.button("Signing in")).to_have_count(0)
        expect(other.password.or_(other.heading("Account locked"))).to_be_visible()
    other.says("Please try again in 30 minutes or reset your password.")
    other.close()


def test_wrong_code(app):
    """T-06 a wrong code shows its sentence, clears the field and can be corrected"""
    code = app.reach_code(TECHNICIAN)
    app.verify(wrong(code))

    app.says(web.REFUSED_CODE)
    expect(app.code).to_have_value("")
    expect(app.code).to_be_focused()
    app.verify(code)
    app.at_jobs()


def test_last_try(app):
    """T-06 the last wrong code leads away from the code screen"""
    code = app.reach_code(TECHNICIAN)
    for _ in range(5):
        app.verify(wrong(code))
        expect(app.code.or_(app.heading("Account locked"))).to_be_visible()
        expect(app.button("Checking the code")).to_have_count(0)

    app.says(web.LOCKED)
    expect(app.code).to_have_count(0)


@pytest.mark.parametrize("step", ["login", "verify", "resend"])
def test_no_network(timed_app, step):
    """T-07 without a network every step says so, loses nothing, and works when it is back"""
    app = timed_app
    code = app.reach_code(TECHNICIAN) if step != "login" else None
    app.wait(61)
    app.context.set_offline(True)
    if step == "login":
        app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    elif step == "verify":
        app.verify(code)
    else:
        app.button("Resend OTP").click()

    app.says(web.NO_CONNECTION)
    app.context.set_offline(False)
    if step == "login":
        expect(app.password).to_have_value(TECHNICIAN.password)
        app.button("Login").click()
        expect(app.code).to_be_visible()
    elif step == "verify":
        expect(app.code).to_have_value(code)
        app.button("Verify").click()
        app.at_jobs()
    else:
        app.button("Resend OTP").click()
        app.verify(app.server.code(TECHNICIAN.phone, after=1))
        app.at_jobs()


def test_resend(timed_app):
    """T-08 Resend counts down sixty seconds visibly, then sends a new code and counts again"""
    app = timed_app
    old = app.reach_code(TECHNICIAN)
    resend = app.button("Resend OTP")
    expect(resend).to_be_disabled()
    expect(app.page.get_by_text(re.compile(r"in (1:00|0:5\d)")).first).to_be_visible()

    app.wait(30)
    expect(app.page.get_by_text(re.compile(r"in 0:(30|2\d)")).first).to_be_visible()
    expect(resend).to_be_disabled()
    app.wait(31)
    expect(resend).to_be_enabled()
    resend.click()

    new = app.server.code(TECHNICIAN.phone, after=1)
    expect(resend).to_be_disabled()
    app.verify(old)
    app.says("This is an earlier code. A newer code is on its way. Enter that one.")
    app.verify(new)
    app.at_jobs()


def test_where_the_code_went(app):
    """T-10 the code screen shows the masked destination and has the code field in focus"""
    app.reach_code(TECHNICIAN)

    app.says(web.CODE_SENT)
    expect(app.code).to_be_focused()
    assert TECHNICIAN.phone not in app.page.content()


def test_old_code(timed_app):
    """T-12 a code of more than five minutes is refused, and another can be requested"""
    app = timed_app
    code = app.reach_code(TECHNICIAN)
    app.wait(301)
    app.verify(code)

    app.says(web.REFUSED_CODE)
    expect(app.button("Resend OTP")).to_be_enabled()


def test_life_of_an_account(timed_app):
    """T-16, T-11, T-04 an operator creates, deactivates and reactivates a technician"""
    app = timed_app
    made = shown(account(app.server, "create", "--role", "technician", "--name", "Nina",
                         "--email", NINA.email, "--phone", NINA.phone, "--json"))
    app.email.fill(NINA.email)
    app.button("Forgot Password?").click()
    app.button("Send OTP").click()
    app.code.fill(app.server.code(NINA.phone))
    app.new_password.fill(NINA.password)
    app.button("Change password").click()
    app.says("Password changed.")
    app.wait(61)
    app.sign_in(NINA)
    app.says("No jobs assigned")

    assert account(app.server, "deactivate", made["id"]).returncode == 0
    app.says(web.DEACTIVATED)
    app.log_in(NINA.email, NINA.password)
    app.says(web.DEACTIVATED)
    assert account(app.server, "reactivate", made["id"]).returncode == 0
    app.wait(61)
    app.sign_in(NINA)


def test_no_secret_in_sight(app):
    """T-14 no address and no console line of the browser contains a secret of a sign-in"""
    lines = []
    app.page.on("console", lambda message: lines.append(message.text))
    app.sign_in(TECHNICIAN)
    app.says("Install washing machine")

    lines += [url for _, url in app.calls]
    assert not [line for line in lines if any(text in line for text in SECRETS)]


# MARK: The form


def test_login_form(app):
    """T-09 the form has labels, the right keyboards and autofill, and no Login while it is empty"""
    expect(app.email).to_have_attribute("type", "email")
    expect(app.email).to_have_attribute("autocomplete", re.compile("username"))
    expect(app.password).to_have_attribute("type", "password")
    expect(app.password).to_have_attribute("autocomplete", "current-password")
    expect(app.page.get_by_text("Forgot Password?")).to_be_visible()
    expect(app.button("Login")).to_be_disabled()
    app.email.fill(TECHNICIAN.email)
    expect(app.button("Login")).to_be_disabled()
    app.password.fill("x")
    expect(app.button("Login")).to_be_enabled()
    app.email.fill("")
    expect(app.button("Login")).to_be_disabled()


@pytest.mark.parametrize("way", ["mouse", "enter"])
def test_empty_fields(app, way):
    """P-01, T-09 Login with empty fields explains each of them and sends nothing"""
    login = app.button("Login")
    expect(login).to_have_attribute("aria-disabled", "true")
    assert not login.evaluate("(button) => button.disabled")

    if way == "mouse":
        login.click(force=True)
    else:
        app.password.press("Enter")

    for field, words in ((app.email, "Enter your email."), (app.password, "Enter your password.")):
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(words)
        app.says(words)
    expect(app.email).to_be_focused()
    expect(app.page.locator("#assertive")).to_contain_text(
        "Enter your email. Enter your password.")
    assert app.count("/oauth/") == 0
    app.assert_accessible()
    app.email.fill(TECHNICIAN.email)
    expect(app.email).not_to_have_attribute("aria-invalid", "true")


def test_empty_code(app):
    """P-01 Verify explains an empty code or too few digits, and no attempt is counted"""
    app.reach_code(TECHNICIAN)
    calls = app.count("/oauth/")
    for typed, words in (("", "Enter the code."), ("123", "Enter all 6 digits of the code.")):
        app.code.fill(typed)
        app.button("Verify").click(force=True)
        expect(app.code).to_have_accessible_description(words)
        expect(app.code).to_be_focused()
    assert app.count("/oauth/") == calls
    app.assert_accessible()


def test_show_password(app):
    """T-09 the password can be shown and hidden, and stays as typed"""
    app.password.fill("demo-Technician-1")
    app.button("Show password").click()
    expect(app.password).to_have_attribute("type", "text")
    expect(app.password).to_have_value("demo-Technician-1")
    app.button("Hide password").click()
    expect(app.password).to_have_attribute("type", "password")


def test_code_form(app):
    """T-09 the code field asks for digits, is filled by the phone, and takes a code with a space"""
    code = app.reach_code(TECHNICIAN)

    expect(app.code).to_have_attribute("inputmode", "numeric")
    expect(app.code).to_have_attribute("autocomplete", "one-time-code")
    expect(app.button("Verify")).to_be_disabled()
    app.verify(f"{code[:3]} {code[3:]}")
    app.at_jobs()


def test_enter_submits(app):
    """T-09 Enter submits both forms"""
    sent = len(app.server.messages(TECHNICIAN.phone))
    app.email.fill(TECHNICIAN.email)
    app.password.fill(TECHNICIAN.password)
    app.password.press("Enter")
    expect(app.code).to_be_visible()
    code = app.server.code(TECHNICIAN.phone, sent)
    app.verify(wrong(code))
    app.says(web.REFUSED_CODE)
    app.code.fill(code)
    app.code.press("Enter")
    app.at_jobs()


def test_busy(app):
    """T-09, P-08 while the server works the button says so, and a second press does nothing"""
    held = []
    app.page.route("**/oauth/challenge", lambda route: held.append(route))
    with app.page.expect_request("**/oauth/challenge"):
        app.log_in(TECHNICIAN.email, TECHNICIAN.password)

    app.says("Signing in…")
    app.button("Signing in").click(force=True)
    for _ in range(100):
        if held:
            break
        app.page.wait_for_timeout(50)
    app.page.wait_for_timeout(200)
    assert len(held) == 1
    held[0].continue_()
    expect(app.code).to_be_visible()


def test_long_wait(timed_app):
    """T-09 a long wait is explained after five seconds and can be cancelled after fifteen"""
    app, held = timed_app, []
    app.page.route("**/oauth/challenge", lambda route: held.append(route))
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    app.says("Signing in…")

    app.page.clock.fast_forward(6_000)
    app.says("This is taking longer than usual.")
    app.page.clock.fast_forward(10_000)
    app.says("Still no answer. Keep waiting or cancel.")
    app.button("Cancel").click()

    expect(app.button("Login")).to_be_enabled()
    expect(app.email).to_have_value(TECHNICIAN.email)
    for route in held:
        route.abort()


def test_dismissible_banner(app):
    """T-09 the banner can be dismissed"""
    app.log_in(TECHNICIAN.email, "wrong-guess")
    app.says(web.INVALID)

    app.button("Dismiss").click()

    expect(app.button("Dismiss")).to_have_count(0)
    expect(app.page.get_by_role("main").get_by_text(web.INVALID)).to_have_count(0)


# MARK: Accessibility


@in_every_look
def test_accessible(chrome, server, look):
    """T-15 axe finds nothing on any screen, light or dark, at 200 % text, phone and desktop"""
    app = App(chrome, server, **look).open()

    technician_walk(app, lambda app, name: app.assert_accessible())

    app.close()


def test_keyboard_alone(app):
    """T-15 the whole way from sign-in to sign-out works with the keyboard alone"""
    keys = app.page.keyboard
    sent = len(app.server.messages(TECHNICIAN.phone))
    expect(app.email).to_be_visible()
    tab_to(app, app.email)
    keys.type(TECHNICIAN.email)
    tab_to(app, app.password)
    keys.type(TECHNICIAN.password)
    tab_to(app, app.button("Login"))
    keys.press("Enter")
    expect(app.code).to_be_focused()
    keys.type(app.server.code(TECHNICIAN.phone, sent))
    app.at_jobs()
    tab_to(app, app.button("Account"))
    keys.press("Enter")
    tab_to(app, app.button("Sign out"))
    keys.press("Enter")

    app.says("You're signed out.")
