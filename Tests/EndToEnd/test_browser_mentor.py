"""A mentor's app in a real browser: two organizations, and drafts that remain after a restart."""
import pytest
from playwright.sync_api import expect

from localhost import MENTOR
from test_browser_lock import MentorApp


@pytest.fixture
def mentor(chrome, server):
    app = MentorApp(chrome, server).open()
    yield app
    app.close()


def first_activity(app):
    return app.page.locator(".row-action").first


def switch(app, name):
    app.button("Account").click()
    with app.page.expect_response("**/oauth/token") as answer:
        app.button(f"Switch to {name}").click()
    expect(app.page.locator(".organization")).to_have_text(name)
    return answer.value.json()


def test_switch(mentor):
    """S-05 a switch of organization ends one session and starts one in the right organization"""
    mentor.sign_in(MENTOR)
    expect(mentor.page.locator(".organization")).to_have_text("North")
    expect(first_activity(mentor)).to_be_visible()
    northern = mentor.page.get_by_role("main").inner_text()

    tokens = switch(mentor, "South")

    assert tokens["session"]["organization"] == "south"
    assert tokens["session"]["id"] != mentor.tokens["session"]["id"]
    expect(first_activity(mentor)).to_be_visible()
    titles = mentor.page.locator(".row-action").all_inner_texts()
    assert titles and not [title for title in titles if title in northern]
    mentor.assert_accessible()
    mentor.page.reload()
    expect(mentor.page.locator(".organization")).to_have_text("South")
    switch(mentor, "North")


def test_draft(mentor):
    """S-09 after a restart the activity is open again with its draft"""
    mentor.sign_in(MENTOR)
    title = first_activity(mentor).inner_text()
    first_activity(mentor).click()
    notes = mentor.page.get_by_label("Your notes")
    notes.fill("Talked about his sister.")
    expect(mentor.page.get_by_text("Not saved yet. Stored on this device.")).to_be_visible()
    mentor.assert_accessible()
    mentor.page.wait_for_timeout(300)

    mentor.page.reload()

    expect(mentor.heading(title)).to_be_visible()
    expect(notes).to_have_value("Talked about his sister.")
    mentor.button("Save notes").click()
    mentor.says("Notes saved.")
    mentor.button("Back").click()
    expect(first_activity(mentor)).to_be_visible()


def test_draft_of_another_organization(mentor):
    """S-05, S-09 a draft of one organization cannot be read in the other"""
    mentor.sign_in(MENTOR)
    first_activity(mentor).click()
    mentor.page.get_by_label("Your notes").fill("Northern words.")
    switch(mentor, "South")

    expect(first_activity(mentor)).to_be_visible()
    first_activity(mentor).click()

    expect(mentor.page.get_by_label("Your notes")).not_to_have_value("Northern words.")
