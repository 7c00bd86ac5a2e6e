"""An invited person sets the first password in a real browser."""
from playwright.sync_api import expect

from browser import INVALID
from harness import Person, account, secret, shown

NINA = Person("nina@example.com", secret("correct horse battery"), "+15550109999")
TITLE = "Set your password"
USED = "This invitation has been used, has expired or is for another app."


def invite(app):
    """The link that an operator gives to a person whose account has no password."""
    server = app.server
    shown(account(server, "create", "--role", "technician", "--name", "Nina",
                  "--email", NINA.email, "--phone", NINA.phone, "--json"))
    made = shown(account(server, "invite", "--json", "--app",
                         f"{server.base}/app/{app.name}/", NINA.email))
    secret(made["invitation"])
    return made["link"]


def test_first_sign_in(app):
    """S-01 an invited person chooses a password and signs in with it"""
    link = invite(app)
    app.page.goto("about:blank")
    app.page.goto(link)
    expect(app.heading(TITLE)).to_be_visible()
    assert "invitation=" not in app.page.url
    app.assert_accessible()

    app.new_password.fill("short")
    app.button("Save password").click()
    app.says("at least")
    app.new_password.fill(NINA.password)
    app.button("Save password").click()

    app.says("Password saved. Sign in with it.")
    app.sign_in(NINA)
    app.at_jobs()


def test_used_link(app):
    """S-01 a link works once; an open app accepts the link too"""
    link = invite(app)
    # The app is open already, so only the part after # changes.
    app.page.goto(link)
    expect(app.heading(TITLE)).to_be_visible()
    app.new_password.fill(NINA.password)
    app.button("Save password").click()
    app.says("Password saved.")

    app.page.goto(link)
    app.new_password.fill("another long password")
    app.button("Save password").click()

    app.says(USED)
    app.log_in(NINA.email, "another long password")
    app.says(INVALID)
