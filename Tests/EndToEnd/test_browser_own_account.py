"""A person changes the own number and asks for the erasure of the account, in a real browser."""
import re
import urllib.parse

from playwright.sync_api import expect

from device import Device
from harness import TECHNICIAN, secret

NEW_NUMBER = "+15550101555"


def open_form(app):
    app.button("Account").click()
    app.button("Your devices").click()
    app.button("Your details").click()
    expect(app.heading("Your details")).to_be_visible()


def fill_password(app, password=TECHNICIAN.password):
    app.page.get_by_label("Current password", exact=True).fill(secret(password))


def link(server, recipient):
    """The link in the newest message to this recipient."""
    query = urllib.parse.urlencode({"to": recipient, "kind": "notice"})
    text = server.get("/dev/messages?" + query).json[0]["text"]
    return re.search(r"https?://\S+/account/undo\?undo=\S+", text).group()


def follow(app, address, button, result):
    page = app.context.new_page()
    page.goto(address)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", name=result)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=result)).to_be_visible()
    page.close()


def test_number_is_changed_and_taken_back(app):
    """T-16 a code proves the new number, and the link in the message to the old one takes it back"""
    app.sign_in(TECHNICIAN)
    app.server.advance(61)
    open_form(app)
    app.assert_accessible()
    app.page.get_by_label("New email or phone number").fill("+1 555 010 1555")
    fill_password(app, "not the one")
    app.button("Send OTP").click()
    app.says("This is not your current password. Try again.")
    fill_password(app)
    app.button("Send OTP").click()
    code = app.server.code(NEW_NUMBER)
    app.code.fill(code)
    app.assert_accessible()
    app.button("Verify").click()
    app.says("Your account is updated.")

    follow(app, link(app.server, TECHNICIAN.phone), "Take it back", "The change was taken back")

    app.page.reload()
    expect(app.email).to_be_visible()
    app.server.advance(61)
    device = Device(app.server)
    device.sign_in(TECHNICIAN)
    assert device.api("/api/me").json["phone"].endswith(TECHNICIAN.phone[-4:])


def test_erasure_is_requested_and_cancelled(app):
    """A requested erasure is shown with its time, and the person or the link cancels it"""
    app.sign_in(TECHNICIAN)
    app.server.advance(61)
    open_form(app)
    name = app.page.get_by_label("Name", exact=True)
    name.fill("Tessa Lund")
    app.button("Save name").click()
    app.says("Name saved.")
    for step in ("app", "link"):
        fill_password(app)
        app.button("Erase my account").click()
        app.page.get_by_role("dialog").get_by_role("button", name="Erase my account").click()
        app.says("Your account will be erased on")
        app.assert_accessible()
        if step == "app":
            app.button("Keep my account").click()
            app.says("Your account stays.")
    follow(app, link(app.server, TECHNICIAN.email), "Keep the account", "Your account stays")
    app.server.advance(8 * 24 * 60 * 60)
    assert Device(app.server).login(TECHNICIAN.email, TECHNICIAN.password).error \
        == "insufficient_authorization"
