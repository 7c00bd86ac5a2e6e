"""Codes that the browser reads from a text message by itself (WebOTP).

The test browser has no phone and cannot receive a text message. The test therefore replaces the
browser's function `navigator.credentials.get`.
"""
import pytest
from playwright.sync_api import expect

from browser import App, RIDER_WRONG_CODE, RiderApp, wrong
from harness import TECHNICIAN

# A browser that reads the next text message when the test calls `arrive`.
READING = """
  window.OTPCredential ??= class {};
  window.asked = [];
  navigator.credentials.get = (options) => new Promise((resolve, reject) => {
    window.asked.push(options);
    window.arrive = (code) => resolve({ code });
    options.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
  });
"""


@pytest.fixture
def reading(chrome, server):
    """Opens an app in a browser that reads text messages."""
    apps = []

    def begin(kind, script=READING):
        app = kind(chrome, server)
        app.page.clock.install()
        app.page.add_init_script(script)
        apps.append(app)
        return app.open()
    yield begin
    for app in apps:
        app.close()


def arrive(app, code):
    app.page.evaluate("(code) => window.arrive(code)", code)


def is_aborted(app, number):
    return app.page.evaluate("(number) => window.asked[number].signal.aborted", number)


def test_technician(reading):
    """T-09 the browser fills the code in, which submits itself, and stops waiting for another"""
    app = reading(App)
    code = app.reach_code(TECHNICIAN)

    options = app.page.evaluate("window.asked[0].otp")
    arrive(app, code)

    assert options == {"transport": ["sms"]}
    app.at_jobs()
    assert app.page.evaluate("window.asked.length") == 2
    assert is_aborted(app, 1)


def test_rider(reading):
    """R-07 the browser fills in the code and the resent code, and each of them submits itself"""
    app = reading(RiderApp)
    arrive(app, wrong(app.reach_code()))
    app.says(RIDER_WRONG_CODE)

    app.wait(61)
    sent = len(app.server.messages("+919812345678"))
    app.button("Resend OTP").click()
    app.says("We've sent a new code.")
    code = app.server.code("+919812345678", sent)
    arrive(app, code)

    app.at_dashboard()


def test_code_after_the_number_changed(reading):
    """R-07 a code that arrives after its field was left fills in nothing"""
    app = reading(RiderApp)
    code = app.reach_code()

    app.button("Change").click()
    expect(app.code).to_have_count(0)
    arrive(app, code)

    expect(app.phone).to_have_value("9812345678")


def test_reset(reading):
    """T-11 the browser fills in the reset code and leaves the new password empty"""
    app = reading(App)
    app.email.fill(TECHNICIAN.email)
    app.button("Forgot Password?").click()
    app.button("Send OTP").click()
    expect(app.code).to_be_visible()
    code = app.server.code(TECHNICIAN.phone)

    arrive(app, code)

    expect(app.code).to_have_value(code)
    expect(app.new_password).to_have_value("")


@pytest.mark.parametrize("script", [
    "delete window.OTPCredential",
    """window.OTPCredential ??= class {};
       navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))""",
])
def test_without_autofill(reading, script):
    """R-07 if the browser cannot or may not read messages, the user types the code"""
    app = reading(RiderApp, script)

    app.verify(app.reach_code())

    app.at_dashboard()
