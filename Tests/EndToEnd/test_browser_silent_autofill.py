"""Fields that a password manager or the browser fills in without an event."""
from playwright.sync_api import expect

from harness import TECHNICIAN

# As an extension does it that writes into the page: without an event, and without a pointer.
FILL = "([label, text]) => { document.getElementById(label).value = text }"
PRESS = "(label) => { document.getElementById(label).click() }"


def fill(app, **texts):
    for field, text in texts.items():
        app.page.evaluate(FILL, [field, text])


def test_login(app):
    """T-01 fields that were filled in without an event are read when Login is pressed"""
    expect(app.email).to_be_visible()
    fill(app, email=TECHNICIAN.email, password=TECHNICIAN.password)

    app.page.evaluate(PRESS, "login")

    expect(app.code).to_be_focused()


def test_missing_fields(app):
    """T-01 after the error of an empty field, a text without an event is read as well"""
    app.button("Login").click(force=True)
    app.says("Enter your email")
    fill(app, email=TECHNICIAN.email, password=TECHNICIAN.password)

    app.page.evaluate(PRESS, "login")

    expect(app.code).to_be_focused()
    expect(app.page.get_by_text("Enter your email")).to_have_count(0)


def test_redrawn(app):
    """T-01 a screen that is drawn again keeps a text that was filled in without an event"""
    expect(app.email).to_be_visible()
    fill(app, email=TECHNICIAN.email, password=TECHNICIAN.password)
    app.page.evaluate("() => { document.querySelector('.reveal').click() }")
    expect(app.password).to_have_attribute("type", "text")
    expect(app.email).to_have_value(TECHNICIAN.email)

    app.page.evaluate(PRESS, "login")

    expect(app.code).to_be_focused()


def test_other_buttons(app):
    """T-11 a button that sends no form reads the fields too"""
    expect(app.email).to_be_visible()
    fill(app, email=TECHNICIAN.email)

    app.page.evaluate(PRESS, "forgot_password")

    expect(app.heading("Reset your password")).to_be_visible()
    expect(app.email).to_have_value(TECHNICIAN.email)
