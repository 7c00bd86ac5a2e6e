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


def outcome(app):
    return app.page.locator("#outcome")


def test_notes_save_themselves(mentor):
    """S-09 notes are saved while the mentor types, and neither focus nor caret moves"""
    mentor.sign_in(MENTOR)
    first_activity(mentor).click()
    notes = mentor.page.get_by_label("Your notes")
    notes.fill("Before. ")
    expect(outcome(mentor)).to_contain_text("Saved at")
    notes.press_sequentially("We walked", delay=20)
    expect(outcome(mentor)).to_have_text("Saving…")
    notes.press("Home")
    top = notes.bounding_box()["y"]
    expect(outcome(mentor)).to_contain_text("Saved at")
    assert notes.bounding_box()["y"] == top
    expect(notes).to_be_focused()
    assert notes.evaluate("(field) => field.selectionStart") == 0
    mentor.assert_accessible()

    mentor.page.reload()

    expect(notes).to_have_value("Before. We walked")


def test_draft(mentor):
    """S-09 notes without a network remain after a restart, and are sent when it returns"""
    mentor.sign_in(MENTOR)
    mentor.until("""() => navigator.serviceWorker.ready.then(
      ({ active }) => active.state === 'activated')""")
    title = first_activity(mentor).inner_text()
    first_activity(mentor).click()
    notes = mentor.page.get_by_label("Your notes")
    mentor.context.set_offline(True)
    notes.fill("Talked about his sister.")
    expect(outcome(mentor)).to_contain_text("Not sent yet")
    mentor.assert_accessible()

    mentor.page.reload()

    expect(mentor.heading(title)).to_be_visible()
    expect(notes).to_have_value("Talked about his sister.")
    mentor.button("Account").click()
    mentor.button("Sign out").click()
    dialog = mentor.page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 change is not sent")
    mentor.assert_accessible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(mentor.button("Account")).to_be_focused()
    mentor.context.set_offline(False)
    expect(outcome(mentor)).to_contain_text("Saved at", timeout=15_000)
    mentor.button("Account").click()
    mentor.button("Sign out").click()
    expect(mentor.page.get_by_label("Email")).to_be_visible()


def test_draft_of_another_organization(mentor):
    """S-05, S-09 a draft of one organization cannot be read in the other"""
    mentor.sign_in(MENTOR)
    first_activity(mentor).click()
    mentor.page.get_by_label("Your notes").fill("Northern words.")
    expect(outcome(mentor)).to_contain_text("Saved at")
    switch(mentor, "South")

    expect(first_activity(mentor)).to_be_visible()
    first_activity(mentor).click()

    expect(mentor.page.get_by_label("Your notes")).not_to_have_value("Northern words.")
