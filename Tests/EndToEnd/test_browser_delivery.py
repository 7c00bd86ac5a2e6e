"""What the app says about the message with the code when providers are slow, lose it, or call."""
import re

import pytest
from playwright.sync_api import expect

from browser import App, DESKTOP, PHONE, RIDER, RiderApp, wrong
from harness import TECHNICIAN
from operator_tools import until
from provider import Provider
from test_messages import clients, hook, receipt

ON_ITS_WAY = "We've sent your code."
DELIVERED = "Delivered to your phone."
DELAYED = "Your message is delayed. Check your signal, or request a new code."
OVERDUE = "No message yet? Check your signal, or request a new code."
LOST = "We could not deliver your message. Check the number, or request a new code."
LOST_ON_ACCOUNT = (
    "We could not deliver your message. Request a new code, or ask to correct your number.")

TURN = """state => {
  Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})
  document.dispatchEvent(new Event('visibilitychange'))
}"""


# Records every announcement of the live regions.
RECORD_ANNOUNCEMENTS = """
  window.announcements = []
  document.addEventListener('DOMContentLoaded', () => {
    for (const region of document.querySelectorAll('#polite, #assertive')) {
      new MutationObserver(() => window.announcements.push(`${region.id}: ${region.textContent}`))
        .observe(region, {childList: true, characterData: true, subtree: true})
    }
  })
"""


@pytest.fixture
def providers():
    made = [Provider(), Provider(secret="voice-secret")]
    yield made
    for provider in made:
        provider.close()


@pytest.fixture
def delivery_server(new_server, providers, tmp_path):
    """A server that sends messages through the first provider and calls through the second."""
    server = new_server().start({"clients": clients(), "messengers": [
        hook(providers[0], "texts", tmp_path),
        hook(providers[1], "calls", tmp_path, kind="voice-webhook")]})
    yield server
    server.close()


@pytest.fixture
def open_app(chrome, delivery_server):
    """Opens an app with a clock that the test can move."""
    apps = []

    def begin(kind, **look):
        app = kind(chrome, delivery_server, **look)
        app.page.clock.install()
        app.page.add_init_script(RECORD_ANNOUNCEMENTS)
        apps.append(app)
        return app.open()
    yield begin
    for app in apps:
        app.close()


def note(app):
    return app.page.locator("#note")


def shows(app, words):
    """Moves the time until the note has this text. A clock jump can lose a status request."""
    for _ in range(6):
        try:
            return expect(note(app)).to_have_text(words, timeout=2000)
        except AssertionError:
            app.wait(6)
    expect(note(app)).to_have_text(words)


def announcements(app):
    return app.page.evaluate("window.announcements")


def count_status_requests(app):
    """Counts the status requests from now on."""
    app.status_requests = 0

    def count_request(request):
        if request.url.endswith("/oauth/challenge") and "status=true" in (request.post_data or ""):
            app.status_requests += 1
    app.page.on("request", count_request)


def test_delivered(open_app, delivery_server, providers):
    """R-12 the screen says that the message is on its way, and then that it arrived"""
    app = open_app(RiderApp)
    count_status_requests(app)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]

    app.wait(3)
    shows(app, ON_ITS_WAY)
    receipt(delivery_server, providers[0], "texts", {"id": id, "status": "delivered"})
    app.wait(4)
    shows(app, DELIVERED)
    assert f"polite: {DELIVERED}" in announcements(app)
    status_requests = app.status_requests
    for _ in range(3):
        app.wait(20)

    assert app.status_requests == status_requests >= 2
    assert app.page.locator("#note .symbol").count() == 1


def test_delayed(open_app, delivery_server, providers):
    """R-12 if no provider answers, the screen says so, and the code arrives later"""
    for provider in providers:
        provider.fault = lambda number: Provider.HANG
        provider.hang_seconds = 1
    app = open_app(RiderApp)
    code = app.reach_code()

    app.wait(12)
    shows(app, DELAYED)
    for provider in providers:
        provider.fault = lambda number: None
    app.wait(30)
    # The provider whose pause ends first gets the message.
    until(lambda: providers[0].taken or providers[1].taken, seconds=30)
    app.verify(code)

    app.at_dashboard()


def test_lost(open_app, delivery_server, providers):
    """R-12 a lost message is announced, and another can be sent at once"""
    app = open_app(RiderApp)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    expect(app.button("Resend OTP")).to_be_disabled()

    receipt(delivery_server, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(3)
    shows(app, LOST)
    assert f"assertive: {LOST}" in announcements(app)
    expect(app.button("Resend OTP")).to_be_enabled()
    sent = len(delivery_server.messages(RIDER.phone))
    app.button("Resend OTP").click()
    app.says("We've sent a new code.")
    app.verify(delivery_server.code(RIDER.phone, sent))

    app.at_dashboard()


def test_call_instead(open_app, delivery_server, providers):
    """R-12 if no message arrives, a call reads the code aloud, and the code opens the app"""
    app = open_app(RiderApp)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    receipt(delivery_server, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(3)
    sent = len(delivery_server.messages(RIDER.phone))

    app.button("Get a call instead").click()
    call = providers[1].wait(1)[0]
    app.says("We'll call")
    code = delivery_server.code(RIDER.phone, sent)
    app.wait(3)
    shows(app, "Calling you…")
    app.verify(code)

    assert ", ".join(code) in call["speech"]
    app.at_dashboard()


def test_change_the_number(open_app, delivery_server, providers):
    """R-02 a rider whose message was lost can change the phone number"""
    app = open_app(RiderApp)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    receipt(delivery_server, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(3)
    shows(app, LOST)

    app.button("Change").click()

    expect(app.phone).to_be_focused()
    expect(app.phone).to_be_editable()


def test_technician(open_app, delivery_server, providers):
    """T-08, R-12 a technician learns that a message was lost, and who can correct the number"""
    app = open_app(App)
    app.reach_code(TECHNICIAN)
    id = providers[0].wait(1)[0]["id"]
    app.wait(3)
    shows(app, ON_ITS_WAY)

    receipt(delivery_server, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(4)

    app.says(LOST_ON_ACCOUNT)
    expect(app.button("Resend OTP")).to_be_enabled()


def test_reset_conceals_the_delivery(open_app, delivery_server, providers):
    """T-03, T-11 for every e-mail a reset says that its message may be late, and nothing else"""
    app = open_app(App)
    count_status_requests(app)
    app.email.fill("unknown@example.com")
    app.button("Forgot Password?").click()
    app.button("Send OTP").click()
    expect(app.code).to_be_visible()

    app.wait(31)

    expect(note(app)).to_have_text(OVERDUE)
    assert app.status_requests == 0
    assert providers[0].calls == []


def test_no_status_requests_while_hidden(open_app, delivery_server, providers):
    """R-12 the app sends no status request while it is hidden or after the screen was left"""
    app = open_app(RiderApp)
    count_status_requests(app)
    app.reach_code()
    app.page.evaluate(TURN, "hidden")
    for _ in range(3):
        app.wait(10)
    assert app.status_requests == 0

    app.page.evaluate(TURN, "visible")
    app.wait(1)
    shows(app, OVERDUE)
    app.button("Change").click()
    status_requests = app.status_requests
    for _ in range(3):
        app.wait(10)

    assert app.status_requests == status_requests


@pytest.mark.long
def test_few_status_requests(open_app, delivery_server, providers):
    """R-12 the app sends at most ten status requests during the life of a code"""
    app = open_app(RiderApp)
    count_status_requests(app)
    app.reach_code()

    for _ in range(32):
        app.wait(10)

    assert 5 <= app.status_requests <= 10
    app.says(re.compile("OTP has expired"))


@pytest.mark.parametrize("locale, words", [
    ("hi-IN", "हम आपका संदेश नहीं पहुँचा सके। नंबर जाँचें या नया कोड मँगाएँ।"),
    ("nb-NO", "Vi kunne ikke levere meldingen. Sjekk nummeret, eller be om en ny kode."),
])
def test_languages(chrome, delivery_server, providers, locale, words):
    """T-15 what happened to the message is said in the person's language"""
    app = RiderApp(chrome, delivery_server, locale=locale)
    app.page.clock.install()
    app.open()
    app.page.locator("#phone").fill("9812345678")
    app.page.locator("#send_code").click()
    expect(app.page.locator("#code")).to_be_visible()
    id = providers[0].wait(1)[0]["id"]
    receipt(delivery_server, providers[0], "texts", {"id": id, "status": "undelivered"})

    app.wait(3)

    shows(app, words)
    app.assert_accessible()
    app.close()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(open_app, delivery_server, providers, viewport, scheme):
    """T-15 every text about a message has enough contrast, and Resend does not move"""
    app = open_app(RiderApp, viewport=viewport, scheme=scheme)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    resend = app.button("Resend OTP")
    before = resend.bounding_box()["y"]
    late = re.compile(re.escape(OVERDUE) + "|" + re.escape(DELAYED))
    for status, words in [("delayed", late), ("delivered", DELIVERED)]:
        receipt(delivery_server, providers[0], "texts", {"id": id, "status": status})
        app.wait(31)
        shows(app, words)
        app.assert_accessible()
        assert resend.bounding_box()["y"] == before
    app.verify(wrong(delivery_server.code(RIDER.phone)))
    app.says("Invalid OTP. Please try again.")
