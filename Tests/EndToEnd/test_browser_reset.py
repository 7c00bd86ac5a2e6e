"""A forgotten password in a real browser: an e-mail, a code, and a new password."""
import re

import pytest
from playwright.sync_api import expect

import browser as web
from browser import App, in_every_look, tab_to, wrong
from harness import ADMINISTRATOR, Person, TECHNICIAN, secret
from test_browser_technician import LOCKOUTS

NEW = secret("mossy stones & lichen")
RENEWED = Person(TECHNICIAN.email, NEW, TECHNICIAN.phone)
WAITS = "This device is new to your account, so your new password takes effect on"
CHANGED = "Password changed. Sign in with your new password."
# A device that has not signed in before sees no digit of the number.
UNSEEN = "An OTP has been sent to ***-***-****"
RESTING = "Your account is temporarily locked. Please try again in 15 minutes."


def open_reset(app, email=TECHNICIAN.email):
    app.email.fill(email)
    app.button("Forgot Password?").click()
    expect(app.heading("Reset your password")).to_be_visible()


def ask(app, person=TECHNICIAN):
    """Submits the e-mail; returns the code that was sent."""
    sent = len(app.server.messages(person.phone))
    app.button("Send OTP").click()
    expect(app.code).to_be_visible()
    return app.server.code(person.phone, sent)


def change(app, code, password=NEW):
    app.code.fill(code)
    app.new_password.fill(password)
    app.button("Change password").click()


def lock_out(app):
    for _ in range(5):
        app.log_in(TECHNICIAN.email, "wrong-guess")
        expect(app.button("Signing in")).to_have_count(0)
        expect(app.password.or_(app.heading("Account locked"))).to_be_visible()
    app.says(web.LOCKED)


def test_reset(timed_app):
    """T-11 e-mail, code and a new password lead to the login, where only the new one works"""
    app = timed_app
    open_reset(app)
    expect(app.email).to_have_value(TECHNICIAN.email)
    code = ask(app)
    app.says(UNSEEN)
    expect(app.code).to_be_focused()
    change(app, code)

    app.says(CHANGED)
    expect(app.email).to_have_value(TECHNICIAN.email)
    expect(app.password).to_be_focused()
    expect(app.password).to_have_value("")
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    app.says(web.INVALID)
    app.wait(61)
    app.sign_in(RENEWED)


def test_password_field(app):
    """T-11, T-09 the new password can be pasted, filled in and shown; its rule is visible before"""
    open_reset(app)
    ask(app)

    expect(app.new_password).to_have_attribute("type", "password")
    expect(app.new_password).to_have_attribute("autocomplete", "new-password")
    expect(app.new_password).to_have_accessible_description(re.compile("8 characters"))
    expect(app.button("Change password")).to_be_disabled()
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.page.evaluate("text => navigator.clipboard.writeText(text)", NEW)
    app.new_password.focus()
    app.page.keyboard.press("Control+V")
    expect(app.new_password).to_have_value(NEW)
    app.button("Show password").click()
    expect(app.new_password).to_have_attribute("type", "text")
    app.button("Hide password").click()
    expect(app.new_password).to_have_attribute("type", "password")


def test_wrong_code(app):
    """T-11, T-06 a wrong code clears its field, keeps the new password and can be corrected"""
    open_reset(app)
    code = ask(app)
    change(app, wrong(code))

    app.says(web.REFUSED_CODE)
    expect(app.code).to_have_value("")
    expect(app.code).to_be_focused()
    expect(app.new_password).to_have_value(NEW)
    app.code.fill(code)
    app.button("Change password").click()
    app.says(CHANGED)


def test_expired_code(timed_app):
    """T-11, T-12, T-08 an expired code is refused, and Resend sends one that works"""
    app = timed_app
    open_reset(app)
    code = ask(app)
    expect(app.button("Resend OTP")).to_be_disabled()
    app.wait(301)
    change(app, code)

    app.says(web.REFUSED_CODE)
    app.button("Resend OTP").click()
    app.code.fill(app.server.code(TECHNICIAN.phone, after=1))
    app.button("Change password").click()
    app.says(CHANGED)


@pytest.mark.parametrize("password, words", [
    ("1234567", "Too short"), ("Password1!", "Too easy to guess"),
    (TECHNICIAN.email, "Too easy to guess"),
])
def test_refused_password(app, password, words):
    """T-11 a password that is not allowed is refused beside its field, and the code stays"""
    open_reset(app)
    code = ask(app)
    change(app, code, password)

    app.says(re.compile(words))
    expect(app.new_password).to_be_focused()
    expect(app.new_password).to_have_attribute("aria-invalid", "true")
    expect(app.code).to_have_value(code)
    app.new_password.fill(NEW)
    app.button("Change password").click()
    app.says(CHANGED)


def test_lockout_ends(timed_app):
    """T-11, T-05 a reset ends a lockout, and the account signs in with the same app"""
    app = timed_app
    lock_out(app)
    app.button("Reset password").click()
    expect(app.heading("Reset your password")).to_be_visible()
    app.button("Back").click()
    app.says(web.LOCKED)
    app.button("Reset password").click()
    expect(app.email).to_have_value(TECHNICIAN.email)
    change(app, ask(app))

    app.says(CHANGED)
    app.wait(61)
    app.sign_in(RENEWED)


def test_reset_clears_a_known_lockout(app):
    """T-05, T-11 a reset clears the lockout that the app knows, also in a second tab"""
    lock_out(app)
    other = app.context.new_page()
    other.goto(f"{app.server.base}/app/{app.name}/")
    other.get_by_label("Email", exact=True).fill(TECHNICIAN.email)
    other.get_by_label("Password", exact=True).fill("wrong-guess")
    other.get_by_role("button", name="Login").click()
    expect(other.get_by_role("heading", name="Account locked")).to_be_visible()

    app.button("Reset password").click()
    change(app, ask(app))
    app.says(CHANGED)

    expect(other.get_by_label("Password", exact=True)).to_be_visible()
    assert app.page.evaluate(LOCKOUTS) is None
    other.close()


def test_lockout_by_resets(app):
    """T-11, L-03 five wrong codes start a lockout, and no button leads to the reset again"""
    open_reset(app)
    code = ask(app)
    for _ in range(5):
        change(app, wrong(code))
        expect(app.button("Changing your password")).to_have_count(0)
        expect(app.code.or_(app.heading("Account locked"))).to_be_visible()

    app.says(RESTING)
    expect(app.button("Reset password")).to_have_count(0)
    expect(app.button("Use another account")).to_be_visible()


def test_other_sessions(chrome, server):
    """T-11, S-03 a reset ends the session on another device, and its app says so"""
    other, app = App(chrome, server).open(), App(chrome, server).open()
    # It gets no account update while it is open, so it is opened again before it knows.
    other.page.route("**/api/session/events*", lambda route: route.abort())
    other.sign_in(TECHNICIAN)
    open_reset(app)
    change(app, ask(app))
    app.says(CHANGED)

    other.page.reload()

    expect(other.email).to_be_visible()
    other.says("Your password was changed. Sign in with your new password.")
    other.close()
    app.close()


@pytest.mark.parametrize("step", ["ask", "change", "resend"])
def test_no_network(timed_app, step):
    """T-11, T-07 without a network every step says so, loses nothing, and works when it is back"""
    app = timed_app
    open_reset(app)
    code = ask(app) if step != "ask" else None
    app.wait(61)
    app.context.set_offline(True)
    match step:
        case "ask": app.button("Send OTP").click()
        case "change": change(app, code)
        case "resend": app.button("Resend OTP").click()

    app.says(web.NO_CONNECTION)
    app.context.set_offline(False)
    match step:
        case "ask": change(app, ask(app))
        case "change":
            expect(app.new_password).to_have_value(NEW)
            app.button("Change password").click()
        case "resend":
            app.button("Resend OTP").click()
            change(app, app.server.code(TECHNICIAN.phone, after=1))
    app.says(CHANGED)


def test_lost_answer(app):
    """T-11, T-07 if the answer to a change is lost, the person learns that it may have worked"""
    open_reset(app)
    code = ask(app)

    def lose(route):
        route.fetch()
        route.abort()
    app.page.route("**/password/reset", lose)
    change(app, code)
    app.says(web.UNREACHABLE)
    app.page.unroute("**/password/reset")
    app.button("Change password").click()

    app.says(re.compile("your password may have changed"))
    app.log_in(TECHNICIAN.email, NEW)
    expect(app.code).to_be_visible()


def test_back(app):
    """T-11 Back, the app's and the system's, leads one step back and keeps the e-mail"""
    open_reset(app)
    ask(app)
    app.page.go_back()
    expect(app.button("Send OTP")).to_be_visible()
    expect(app.email).to_have_value(TECHNICIAN.email)
    app.button("Back").click()
    expect(app.button("Login")).to_be_visible()
    expect(app.email).to_have_value(TECHNICIAN.email)
    expect(app.password).to_be_focused()


def test_second_request(app):
    """T-11, L-08 a second request within a minute keeps the code that was sent valid"""
    open_reset(app)
    code = ask(app)
    app.button("Back").click()
    app.button("Send OTP").click()
    expect(app.code).to_be_visible()
    change(app, code)

    app.says(CHANGED)
    assert len(app.server.messages(TECHNICIAN.phone)) == 1


def test_unknown_e_mail(app):
    """T-11, T-03 an e-mail without an account gets the same screens"""
    open_reset(app, "unknown@example.com")
    app.button("Send OTP").click()
    expect(app.code).to_be_visible()
    app.says(UNSEEN)
    change(app, "123456")

    app.says(web.REFUSED_CODE)


@pytest.mark.parametrize("name, person", [
    ("product-app", Person("owner@example.com", "", "+15550101236")),
    ("mentor-app", Person("mentor@example.com", "", "+4790000001")),
])
def test_unknown_device(chrome, server, name, person):
    """T-11, L-38 a password that was reset on an unknown device works after a day"""
    app = App(chrome, server)
    app.name = name
    app.open()
    open_reset(app, person.email)
    change(app, ask(app, person))
    app.says(WAITS)
    app.close()

    server.advance(24 * 60 * 60)
    app = App(chrome, server)
    app.name = name
    app.open()
    app.log_in(person.email, NEW)
    expect(app.code).to_be_visible()
    app.close()


def test_administrators(chrome, server):
    """L-38 an administrator's password is reset only by another administrator"""
    app = App(chrome, server)
    app.name = "console"
    app.open()
    open_reset(app, ADMINISTRATOR.email)
    app.button("Send OTP").click()
    app.says("Ask your administrator to reset your password.")
    app.close()


def test_keyboard_alone(app):
    """T-11, T-15 the whole way works with the keyboard alone, and the focus is always visible"""
    keys = app.page.keyboard
    expect(app.email).to_be_visible()
    tab_to(app, app.button("Forgot Password?"))
    keys.press("Enter")
    expect(app.email).to_be_focused()
    keys.type(TECHNICIAN.email)
    keys.press("Enter")
    expect(app.code).to_be_focused()
    keys.type(app.server.code(TECHNICIAN.phone))
    tab_to(app, app.new_password)
    keys.type(NEW)
    tab_to(app, app.button("Change password"))
    keys.press("Space")
    app.says(CHANGED)
    expect(app.password).to_be_focused()


@in_every_look
def test_accessible(chrome, server, look):
    """T-11, T-15 axe finds nothing on the reset, light or dark, at 200 % text, phone and desktop"""
    app = App(chrome, server, **look).open()
    open_reset(app)
    app.assert_accessible()
    code = ask(app)
    app.assert_accessible()
    change(app, wrong(code), "1234567")
    app.says(re.compile("Too short"))
    app.assert_accessible()
    change(app, code)
    app.says(CHANGED)
    app.assert_accessible()
    app.close()
