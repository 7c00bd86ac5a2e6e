"""Codes that the browser reads out of a text message by itself (WebOTP).

No browser here has a phone beside it, and none can be told of a text message from outside: the
browser's own part, `navigator.credentials.get`, is played by the test.
"""
import pytest
from playwright.sync_api import expect

from browser import App, RiderApp
from harness import TECHNICIAN

# A browser that reads the next text message when the test says so.
READING = """
  window.OTPCredential ??= class {};
  window.asked = [];
  navigator.credentials.get = (wish) => new Promise((resolve, reject) => {
    window.asked.push(wish);
    window.arrive = (code) => resolve({ code });
    wish.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
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


def is_over(app, number):
    return app.page.evaluate("(number) => window.asked[number].signal.aborted", number)


def test_technician(reading):
    """T-09 the browser fills the code in where it can, and stops listening on another screen"""
    app = reading(App)
    code = app.reach_code(TECHNICIAN)

    wish = app.page.evaluate("window.asked[0].otp")
    arrive(app, code)

    assert wish == {"transport": ["sms"]}
    expect(app.code).to_have_value(code)
    expect(app.button("Verify")).to_be_enabled()
    assert app.page.evaluate("window.asked.length") == 2
    assert not is_over(app, 1)
    app.button("Back").click()
    expect(app.code).to_have_count(0)
    assert is_over(app, 1)


def test_rider(reading):
    """R-07 a rider's code fills itself, also the next one, and opens the app"""
    app = reading(RiderApp)
    first = app.reach_code()
    arrive(app, first)
    expect(app.code).to_have_value(first)

    app.wait(61)
    sent = len(app.server.messages("+919812345678"))
    app.button("Resend OTP").click()
    app.says("A new code is on its way.")
    code = app.server.code("+919812345678", sent)
    arrive(app, code)
    expect(app.code).to_have_value(code)
    app.button("Verify").click()

    app.at_dashboard()


def test_rider_who_changed_the_number(reading):
    """R-07 a code that comes after its field was left fills in nothing"""
    app = reading(RiderApp)
    code = app.reach_code()

    app.button("Change").click()
    expect(app.code).to_have_count(0)
    arrive(app, code)

    expect(app.phone).to_have_value("9812345678")


def test_reset(reading):
    """T-11 the code of a reset fills itself, and the new password is left alone"""
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
def test_without(reading, script):
    """R-07 a browser that cannot, or may not, leaves the code to be typed"""
    app = reading(RiderApp, script)

    app.verify(app.reach_code())

    app.at_dashboard()
