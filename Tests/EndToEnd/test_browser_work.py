"""Jobs and deliveries open to a page, where the person calls, finds the way and sets the status."""
import re

import pytest
from playwright.sync_api import expect

from browser import App, RiderApp, in_every_look
from harness import TECHNICIAN

DISHWASHER = "Dishwasher does not drain"
OVEN = "Oven shows error E-21"
SERVICE = "Heat pump: annual service"
UNSENT = "Not sent yet. It will be sent when you are online."


def open_job(app, title):
    app.page.get_by_role("button", name=title).click()
    expect(app.page.get_by_role("heading", name=title, level=2)).to_be_visible()


def badge(app):
    return app.page.locator(".subject .badge")


def outcome(app):
    return app.page.locator("#outcome")


@pytest.fixture
def technician(chrome, server):
    app = App(chrome, server).open()
    app.sign_in(TECHNICIAN)
    yield app
    app.close()


@in_every_look
def test_job_page(chrome, server, look):
    """T-01 T-15 a job shows whom to call, where to go and what to know"""
    app = App(chrome, server, **look).open()
    app.sign_in(TECHNICIAN)
    open_job(app, OVEN)
    opened = app.page.locator(".split-opened")
    for text in ("Fjord Hotel, kitchen", "1 Quay Square", "Ring the bell at the back door."):
        expect(opened.get_by_text(text)).to_be_visible()
    way = app.page.get_by_role("link", name="Directions")
    assert way.get_attribute("href").endswith("query=1%20Quay%20Square")
    assert way.get_attribute("target") == "_blank"
    assert way.get_attribute("rel") == "noreferrer"
    call = app.page.get_by_role("link", name="Call").get_attribute("href")
    assert call.startswith("tel:+47") and call.removeprefix("tel:+").isdigit()
    # The number takes at most two lines, also at large text.
    number = opened.get_by_text("+4722").bounding_box()
    assert number["height"] <= 2 * 24 * app.text_percent / 100 + 1
    app.assert_accessible()
    app.close()


@pytest.mark.parametrize(("system", "start"), [
    ("(Linux; Android 13; Pixel 6)", "geo:0,0?q="),
    ("(iPhone; CPU iPhone OS 16_0 like Mac OS X)", "https://maps.apple.com/?q="),
])
def test_maps(chrome, server, system, start):
    """T-01 Directions open the map app of the device"""
    app = App(chrome, server, user_agent=f"Mozilla/5.0 {system}").open()
    app.sign_in(TECHNICIAN)
    open_job(app, OVEN)
    way = app.page.get_by_role("link", name="Directions")
    expect(way).to_have_attribute("href", f"{start}1%20Quay%20Square")
    app.close()


def test_status(technician):
    """T-01 a status is confirmed beside the buttons, nothing moves, and Cancel keeps the focus"""
    app = technician
    open_job(app, OVEN)
    expect(badge(app)).to_have_text("Scheduled")
    top = app.button("On the way").bounding_box()["y"]
    question = app.page.get_by_role("dialog")
    app.button("Problem").click()
    app.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(app.button("Problem")).to_be_focused()
    app.page.keyboard.press("Enter")
    app.assert_accessible()
    note = question.get_by_label("What happened?")
    confirm = question.get_by_role("button", name="Problem").bounding_box()
    assert confirm["y"] - note.bounding_box()["y"] - note.bounding_box()["height"] >= 16
    question.get_by_role("button", name="Problem").click()
    expect(note).to_be_focused()
    expect(question).to_contain_text("Write what happened.")
    note.fill("A part is missing.")
    question.get_by_role("button", name="Problem").click()
    expect(outcome(app)).to_contain_text("Saved at")
    expect(app.page.locator("#status-note")).to_have_text("A part is missing.")
    expect(badge(app)).to_have_text("Problem")
    assert app.button("Start").bounding_box()["y"] == pytest.approx(top, abs=60)
    app.button("Start").click()
    expect(badge(app)).to_have_text("In progress")
    widths = [app.button(name).bounding_box()["width"] for name in ("Done", "Problem")]
    assert widths[0] == pytest.approx(widths[1], abs=1)

    app.button("Done").click()
    dialog = app.page.get_by_role("dialog")
    expect(dialog).to_contain_text("You cannot change it afterwards.")
    app.assert_accessible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(app.button("Done")).to_be_focused()
    expect(badge(app)).to_have_text("In progress")
    app.button("Done").click()
    dialog.get_by_role("button", name="Done").click()

    expect(outcome(app)).to_contain_text("Saved at")
    expect(badge(app)).to_have_text("Done")
    app.page.reload()
    expect(badge(app)).to_have_text("Done")
    expect(app.page.locator("#statuses")).to_have_count(0)


def test_finished(technician):
    """T-16 finished jobs are folded; Back from one, a reload and its address show them again"""
    app = technician
    fold = app.page.locator("#toggle_fold")
    expect(app.page.get_by_text(SERVICE)).to_have_count(0)
    expect(fold).to_have_text("Finished (1)")
    fold.focus()
    app.page.keyboard.press("Enter")
    expect(fold).to_be_focused()
    expect(fold).to_have_attribute("aria-expanded", "true")
    app.assert_accessible()
    open_job(app, SERVICE)
    app.page.go_back()
    expect(app.page.get_by_role("button", name=SERVICE)).to_be_visible()
    assert app.page.url.endswith("/technician-app/?finished=true")
    app.page.reload()
    expect(app.page.get_by_role("button", name=SERVICE)).to_be_visible()
    fold.click()
    expect(app.page.get_by_text(SERVICE)).to_have_count(0)
    expect(app.page).to_have_url(re.compile("/technician-app/$"))


def test_in_progress(technician):
    """T-16 what is in progress comes first, and the next job is below it"""
    app = technician
    regions = app.page.locator("#jobs").get_by_role("region")
    expect(regions.nth(0)).to_have_accessible_name("In progress")
    expect(regions.nth(0)).to_contain_text(DISHWASHER)
    expect(regions.nth(1)).to_have_accessible_name("Next job")
    expect(regions.nth(1)).not_to_contain_text(DISHWASHER)
    open_job(app, DISHWASHER)
    app.button("Done").click()
    app.page.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(outcome(app)).to_contain_text("Saved at")
    app.page.go_back()
    expect(regions.nth(0)).to_have_accessible_name("Next job")


def test_offline(technician):
    """O-05 a status set without a network is kept over a reload and sent when it returns"""
    app = technician
    app.until("""() => navigator.serviceWorker.ready.then(
      ({ active }) => active.state === 'activated')""")
    open_job(app, "Replace door seal, fridge")
    app.context.set_offline(True)
    app.button("On the way").click()
    expect(outcome(app)).to_have_text(UNSENT)
    expect(badge(app)).to_have_text("On the way")
    app.assert_accessible()
    app.page.reload()
    expect(badge(app)).to_have_text("On the way")
    expect(outcome(app)).to_have_text(UNSENT)
    app.button("Back").click()
    expect(app.page.locator(".row", has_text="Replace door seal")).to_contain_text(
        "Not sent yet. Stored on this device.")
    app.assert_accessible()
    open_job(app, "Replace door seal, fridge")

    app.context.set_offline(False)

    expect(outcome(app)).to_contain_text("Saved at", timeout=15_000)


def test_delivery(chrome, server):
    """R-01 a rider opens a delivery and records it; the counts of the day change"""
    app = RiderApp(chrome, server).open()
    app.verify(app.reach_code())
    app.at_dashboard()
    finished = app.page.locator("#toggle_fold")
    expect(app.page.locator(".next")).to_contain_text("Dr. Fernandes")
    expect(finished).to_have_text("Finished (4)")
    remaining = app.page.locator("#summary .figure").first.locator("dd")
    before = int(remaining.inner_text())
    open_job(app, "Rohan Desai")
    expect(badge(app)).to_have_text("Picked up")
    delivered = app.page.get_by_role("button", name="Delivered", exact=True)
    delivered.click()
    app.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(delivered).to_be_focused()
    delivered.click()
    app.page.get_by_role("dialog").get_by_role("button", name="Delivered").click()
    expect(outcome(app)).to_contain_text("Saved at")
    app.assert_accessible()
    app.page.go_back()
    expect(remaining).to_have_text(str(before - 1))
    expect(finished).to_have_text("Finished (5)")
    expect(app.page.get_by_text("Rohan Desai")).to_have_count(0)
    app.close()
