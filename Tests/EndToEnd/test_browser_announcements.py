"""What the technician's sign-in announces in a real browser, and how long."""
from playwright.sync_api import expect

import browser as web
from browser import wrong
from harness import TECHNICIAN


def test_announced(app):
    """T-15 every event is announced to screen readers in a live region"""
    app.log_in(TECHNICIAN.email, "wrong-guess")

    regions = app.page.locator("[aria-live], [role=alert], [role=status]")
    expect(regions.filter(has_text=web.INVALID).first).to_be_attached()


def test_earlier_code_after_resend(timed_app):
    """R-06, T-08 an earlier code that arrives after Resend says that a newer one is on its way"""
    app = timed_app
    old = app.reach_code(TECHNICIAN)
    app.wait(61)
    app.button("Resend OTP").click()
    app.says("We've sent a new code.")
    new = app.server.code(TECHNICIAN.phone, 1)

    app.verify(old)

    app.says("This is an earlier code. A newer code is on its way. Enter that one.")
    expect(app.code).to_be_focused()
    expect(app.code).to_have_value("")
    expect(app.button("Resend OTP")).to_be_disabled()
    app.assert_accessible()
    app.verify(new)
    app.at_jobs()


REGIONS = "() => ['polite', 'assertive'].map((id) => document.getElementById(id).textContent)"


def test_old_announcements(timed_app):
    """T-09 an announcement leaves its live region with its screen, and after three seconds"""
    app = timed_app
    app.log_in(TECHNICIAN.email, "wrong-guess")
    expect(app.page.locator("#assertive")).to_contain_text(web.INVALID)
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    expect(app.code).to_be_focused()
    assert web.INVALID not in "".join(app.page.evaluate(REGIONS))
    assert "Signing in" not in "".join(app.page.evaluate(REGIONS))

    code = wrong(app.server.code(TECHNICIAN.phone))
    app.verify(code)
    expect(app.page.locator("#assertive")).to_contain_text(web.REFUSED_CODE)
    app.wait(4)
    assert app.page.evaluate(REGIONS) == ["", ""]
