"""Two tabs of one browser: a change of the session in one reaches the other, in either order."""
import re

import pytest
from playwright.sync_api import expect

from harness import TECHNICIAN
from localhost import MENTOR, Authenticator
from test_browser_lock import JOB, LOCKED, ON, MentorApp, sign_in_with_lock
from test_browser_mentor import switch
from browser import App


@pytest.fixture
def device(chrome, named_server):
    """The technicians' app on a device with an authenticator."""
    app = App(chrome, named_server)
    app.authenticator = Authenticator(app.page)
    yield app.open()
    app.close()


# A call of the watching tab may be refused before the tab reads what the other has stored. Then it
# shows the reason that the server gives.
SIGNED_OUT = re.compile("You're signed out\\.|You signed out in another tab")


def second_tab(app):
    page = app.context.new_page()
    page.goto(f"{app.server.base}/app/{app.name}/")
    return page


def in_order(app, page, is_first):
    """The tab that acts and the tab that watches."""
    return (app.page, page) if is_first else (page, app.page)


@pytest.mark.parametrize("is_first", [True, False])
def test_signed_out_in_one_tab(app, is_first):
    """S-04, L-22 signing out in one tab signs the other out at once, in either order of opening"""
    app.sign_in(TECHNICIAN)
    app.says(JOB)
    actor, watcher = in_order(app, second_tab(app), is_first)
    expect(watcher.get_by_text(JOB)).to_be_visible()
    expect(actor.get_by_text(JOB)).to_be_visible()

    actor.get_by_role("button", name="Account").click()
    actor.get_by_role("button", name="Sign out").click()

    expect(watcher.get_by_role("main").get_by_text(SIGNED_OUT)).to_be_visible()
    expect(watcher.get_by_label("Password", exact=True)).to_be_visible()
    watcher.reload()
    expect(watcher.get_by_label("Password", exact=True)).to_be_visible()


@pytest.mark.parametrize("is_first", [True, False])
def test_killed_after_signing_out(app, is_first):
    """S-04, L-32 a tab that is killed right after its sign-out leaves no other tab signed in"""
    app.sign_in(TECHNICIAN)
    app.says(JOB)
    actor, watcher = in_order(app, second_tab(app), is_first)
    expect(watcher.get_by_text(JOB)).to_be_visible()
    expect(actor.get_by_text(JOB)).to_be_visible()
    actor.route("**/oauth/revoke", lambda route: route.abort())

    actor.get_by_role("button", name="Account").click()
    actor.get_by_role("button", name="Sign out").click()
    expect(actor.get_by_role("main").get_by_text("You're signed out.")).to_be_visible()
    actor.close()

    expect(watcher.get_by_role("main").get_by_text("You're signed out.")).to_be_visible()
    expect(watcher.get_by_label("Password", exact=True)).to_be_visible()


def test_locked_in_one_tab(device):
    """S-02, L-22 setting an app lock in one tab locks the other, which is unlocked separately"""
    app = device
    app.sign_in(TECHNICIAN)
    app.button("Not now").click()
    app.says(JOB)
    other = second_tab(app)
    expect(other.get_by_text(JOB)).to_be_visible()
    # The device verifies its owner only for the front tab.
    app.page.bring_to_front()

    app.button("Account").click()
    app.button("Turn on app lock").click()
    app.says(ON)

    expect(other.get_by_role("heading", name=LOCKED)).to_be_visible()
    expect(other.locator("html")).not_to_contain_text(JOB)
    app.says(JOB)


def test_another_way_ends_the_other_session(device):
    """S-08, L-30 signing in another way ends the session that stayed locked at the server"""
    app = device
    sign_in_with_lock(app)
    app.authenticator.forget()
    app.page.reload()
    app.button("Use another way").click()
    app.server.advance(61)
    app.sign_in(TECHNICIAN)
    app.button("Not now").click()
    app.says(JOB)

    app.button("Account").click()
    app.button("Your devices").click()

    expect(app.page.get_by_text("This device")).to_be_visible()
    expect(app.button("Sign out this device")).to_have_count(0)


def test_signed_in_in_both_tabs(app):
    """S-04, S-08 a sign-in ends the session that another tab started during it at the server"""
    first = app.page
    first.clock.install()
    app.reach_code(TECHNICIAN)
    second = second_tab(app)
    app.wait(61)
    app.page = second
    # The second tab shows the code screen of the first one too.
    app.button("Back").click()
    app.sign_in(TECHNICIAN)
    app.page = first
    app.wait(61)
    sent = len(app.server.messages(TECHNICIAN.phone))
    app.button("Resend OTP").click()
    app.says("We've sent a new code.")

    code = app.server.code(TECHNICIAN.phone, sent)
    with first.expect_response("**/oauth/revoke") as ended:
        app.verify(code)

    assert ended.value.status == 200
    app.says(JOB)
    app.button("Account").click()
    app.button("Your devices").click()
    expect(first.get_by_text("This device")).to_be_visible()
    expect(app.button("Sign out this device")).to_have_count(0)


def test_organization_changed_in_one_tab(chrome, server):
    """S-05 switching the organization in one tab switches the other, and ends no session"""
    app = MentorApp(chrome, server).open()
    app.sign_in(MENTOR)
    expect(app.page.locator(".organization")).to_have_text("North")
    other = second_tab(app)
    expect(other.locator(".organization")).to_have_text("North")

    switch(app, "South")

    expect(other.locator(".organization")).to_have_text("South")
    expect(other.get_by_role("heading", name="Activities")).to_be_visible()
    app.close()


def test_draft_outlives_the_lock(chrome, named_server):
    """S-09, P-07 unsent notes stay when the app lock is set, and after the restart that follows"""
    app = MentorApp(chrome, named_server)
    Authenticator(app.page)
    app.open().sign_in(MENTOR)
    app.button("Not now").click()
    app.page.locator(".row-action").first.click()
    notes = app.page.get_by_label("Your notes")
    app.page.route("**/api/activities/*", lambda route: route.abort())
    notes.fill("Before the lock.")
    expect(app.page.locator("#outcome").get_by_text("Not sent yet.")).to_be_visible()

    app.button("Account").click()
    app.button("Turn on app lock").click()
    app.says(ON)
    app.page.wait_for_timeout(300)
    app.page.reload()
    app.button("Unlock").click()

    expect(notes).to_have_value("Before the lock.")
    app.close()
