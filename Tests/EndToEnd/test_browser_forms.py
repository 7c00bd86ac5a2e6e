"""The forms of a sign-in in a real browser: when a code is submitted, and what stays visible."""
import pytest
from playwright.sync_api import expect

from browser import App, PHONE, REFUSED_CODE, wrong
from harness import TECHNICIAN


def test_resend_after_expiry(timed_app):
    """T-12 after the end of the code Enter in its field requests another, which signs in"""
    app = timed_app
    app.reach_code(TECHNICIAN)
    expect(app.page.locator(".button.primary")).to_have_text("Verify")
    app.wait(301)

    expect(app.page.locator(".button.primary")).to_have_text("Resend OTP")
    app.assert_accessible()
    app.code.press("Enter")
    app.says("We've sent a new code.")
    expect(app.page.locator(".button.primary")).to_have_text("Verify")
    expect(app.code).to_be_focused()
    app.verify(app.server.code(TECHNICIAN.phone, after=1))
    app.at_jobs()


# A phone whose keyboard covers the page, as on an iPhone. The test sets the height that is left.
COVERED = """(() => {
  const viewport = Object.assign(new EventTarget(), { offsetTop: 0, scale: 1 })
  viewport.height = innerHeight
  Object.defineProperty(window, 'visualViewport', { value: viewport })
  window.openKeyboard = (height) => {
    viewport.height = height
    viewport.dispatchEvent(new Event('resize'))
  }
})()"""


@pytest.mark.parametrize("is_covered", [False, True], ids=["resized", "covered"])
def test_button_above_the_keyboard(chrome, server, is_covered):
    """T-09 while a keyboard is open, the field in focus and Login are both visible"""
    left = 330
    app = App(chrome, server, viewport=PHONE)
    if is_covered:
        app.page.add_init_script(COVERED)
    app.open()
    app.email.click()
    if is_covered:
        app.page.evaluate("(height) => window.openKeyboard(height)", left)
    else:
        app.page.set_viewport_size({"width": PHONE["width"], "height": left})
    for field in (app.email, app.password):
        field.click()
        app.until("""(height) => [document.activeElement, document.getElementById('login')]
          .every((part) => part.getBoundingClientRect().bottom <= height
            && part.getBoundingClientRect().top >= 0)""", left)
    app.close()


@pytest.mark.parametrize("way", ["typed", "pasted"])
def test_last_digit(app, way):
    """T-09 the last digit of a typed or pasted code submits it, once"""
    code = app.reach_code(TECHNICIAN)
    before = app.count("/oauth/challenge")
    if way == "typed":
        app.code.press_sequentially(code)
    else:
        app.context.grant_permissions(["clipboard-read", "clipboard-write"])
        app.page.evaluate("text => navigator.clipboard.writeText(text)", code)
        app.code.press("Control+V")

    app.at_jobs()
    assert app.count("/oauth/challenge") == before + 1


def test_last_digit_after_an_error(app):
    """T-06 T-09 after a wrong code the last digit does not submit, and Verify does"""
    code = app.reach_code(TECHNICIAN)
    app.code.press_sequentially(wrong(code))
    app.says(REFUSED_CODE)
    before = app.count("/oauth/challenge")

    app.code.press_sequentially(code)
    expect(app.button("Verify")).to_be_enabled()
    assert app.count("/oauth/challenge") == before
    app.button("Verify").click()

    app.at_jobs()
    assert app.count("/oauth/challenge") == before + 1
