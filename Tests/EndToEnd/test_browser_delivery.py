"""What people see of their code's message while providers delay it, lose it or call instead."""
import re

import pytest
from playwright.sync_api import expect

from browser import App, DESKTOP, PHONE, RIDER, RiderApp, wrong
from harness import TECHNICIAN
from provider import Provider
from test_messages import clients, hook, receipt

ON_ITS_WAY = "Your code is on its way."
DELIVERED = "Delivered to your phone."
DELAYED = "Your message is delayed. Check your signal, or ask for another code."
OVERDUE = "No message yet? Check your signal, or ask for another code."
LOST = "Your message could not be delivered. Check the number, or ask for another code."
LOST_ON_ACCOUNT = (
    "Your message could not be delivered. Ask for another code, or have the number corrected.")

TURN = """state => {
  Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})
  document.dispatchEvent(new Event('visibilitychange'))
}"""


# Everything the live regions have said.
HEARING = """
  window.heard = []
  document.addEventListener('DOMContentLoaded', () => {
    for (const region of document.querySelectorAll('#polite, #assertive')) {
      new MutationObserver(() => window.heard.push(`${region.id}: ${region.textContent}`))
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
def carried(new_server, providers, tmp_path):
    """A server whose messages go through the first provider, and whose calls through the second."""
    server = new_server().start({"clients": clients(), "messengers": [
        hook(providers[0], "texts", tmp_path),
        hook(providers[1], "calls", tmp_path, kind="voice-webhook")]})
    yield server
    server.close()


@pytest.fixture
def open_app(chrome, carried):
    """Opens an app with a clock that the test can move."""
    apps = []

    def begin(kind, **look):
        app = kind(chrome, carried, **look)
        app.page.clock.install()
        app.page.add_init_script(HEARING)
        apps.append(app)
        return app.open()
    yield begin
    for app in apps:
        app.close()


def note(app):
    return app.page.locator("#note")


def says(app, words):
    """Lets time pass until the line says this: a question may be lost when the clock jumps."""
    for _ in range(6):
        try:
            return expect(note(app)).to_have_text(words, timeout=2000)
        except AssertionError:
            app.wait(6)
    expect(note(app)).to_have_text(words)


def heard(app):
    return app.page.evaluate("window.heard")


def count_questions(app):
    """Counts from now on how often it is asked what became of the message."""
    app.questions = 0

    def note_question(request):
        if request.url.endswith("/oauth/challenge") and "status=true" in (request.post_data or ""):
            app.questions += 1
    app.page.on("request", note_question)


def test_delivered(open_app, carried, providers):
    """R-12 the screen says that the message is on its way, and then that it has arrived"""
    app = open_app(RiderApp)
    count_questions(app)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]

    app.wait(3)
    says(app, ON_ITS_WAY)
    receipt(carried, providers[0], "texts", {"id": id, "status": "delivered"})
    app.wait(4)
    says(app, DELIVERED)
    assert f"polite: {DELIVERED}" in heard(app)
    questions = app.questions
    for _ in range(3):
        app.wait(20)

    assert app.questions == questions >= 2
    assert app.page.locator("#note .symbol").count() == 1


def test_delayed(open_app, carried, providers):
    """R-12 a provider that does not answer: the screen says so, and the code comes all the same"""
    for provider in providers:
        provider.fault = lambda number: Provider.HANG
        provider.hang_seconds = 1
    app = open_app(RiderApp)
    code = app.reach_code()

    app.wait(12)
    says(app, DELAYED)
    for provider in providers:
        provider.fault = lambda number: None
    app.wait(30)
    providers[0].wait(1)
    app.verify(code)

    app.at_dashboard()


def test_lost(open_app, carried, providers):
    """R-12 a message that reached nobody: said aloud, and another may be sent at once"""
    app = open_app(RiderApp)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    expect(app.button("Resend OTP")).to_be_disabled()

    receipt(carried, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(3)
    says(app, LOST)
    assert f"assertive: {LOST}" in heard(app)
    expect(app.button("Resend OTP")).to_be_enabled()
    sent = len(carried.messages(RIDER.phone))
    app.button("Resend OTP").click()
    app.says("A new code is on its way.")
    app.verify(carried.code(RIDER.phone, sent))

    app.at_dashboard()


def test_call_instead(open_app, carried, providers):
    """R-12 where no message comes a call reads the code out, and the code opens the app"""
    app = open_app(RiderApp)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    receipt(carried, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(3)
    sent = len(carried.messages(RIDER.phone))

    app.button("Get a call instead").click()
    call = providers[1].wait(1)[0]
    app.says("A call to")
    code = carried.code(RIDER.phone, sent)
    app.wait(3)
    says(app, "Calling you…")
    app.verify(code)

    assert ", ".join(code) in call["speech"]
    app.at_dashboard()


def test_change_the_number(open_app, carried, providers):
    """R-02 a rider whose message was lost can change the number it went to"""
    app = open_app(RiderApp)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    receipt(carried, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(3)
    says(app, LOST)

    app.button("Change").click()

    expect(app.phone).to_be_focused()
    expect(app.phone).to_be_editable()


def test_technician(open_app, carried, providers):
    """T-08, R-12 a technician learns the same, and whom to ask about the number"""
    app = open_app(App)
    app.reach_code(TECHNICIAN)
    id = providers[0].wait(1)[0]["id"]
    app.wait(3)
    says(app, ON_ITS_WAY)

    receipt(carried, providers[0], "texts", {"id": id, "status": "undelivered"})
    app.wait(4)

    app.says(LOST_ON_ACCOUNT)
    expect(app.button("Resend OTP")).to_be_enabled()


def test_reset_tells_nothing(open_app, carried, providers):
    """T-03, T-11 a reset says nothing of its message, and for everybody when it is late"""
    app = open_app(App)
    count_questions(app)
    app.email.fill("nobody@example.com")
    app.button("Forgot Password?").click()
    app.button("Send OTP").click()
    expect(app.code).to_be_visible()

    app.wait(31)

    expect(note(app)).to_have_text(OVERDUE)
    assert app.questions == 0
    assert providers[0].calls == []


def test_nobody_looks(open_app, carried, providers):
    """R-12 nothing is asked while the app is hidden, and nothing once it was left"""
    app = open_app(RiderApp)
    count_questions(app)
    app.reach_code()
    app.page.evaluate(TURN, "hidden")
    for _ in range(3):
        app.wait(10)
    assert app.questions == 0

    app.page.evaluate(TURN, "visible")
    app.wait(1)
    says(app, OVERDUE)
    app.button("Change").click()
    questions = app.questions
    for _ in range(3):
        app.wait(10)

    assert app.questions == questions


@pytest.mark.long
def test_bounded(open_app, carried, providers):
    """R-12 a code's whole life is asked about ten times at most"""
    app = open_app(RiderApp)
    count_questions(app)
    app.reach_code()

    for _ in range(32):
        app.wait(10)

    assert 5 <= app.questions <= 10
    app.says(re.compile("OTP has expired"))


@pytest.mark.parametrize("locale, words", [
    ("hi-IN", "आपका संदेश नहीं पहुँच सका। नंबर जाँचें या नया कोड मँगाएँ।"),
    ("nb-NO", "Meldingen kunne ikke leveres. Sjekk nummeret, eller be om en ny kode."),
])
def test_languages(chrome, carried, providers, locale, words):
    """T-15 what became of the message is said in the person's language"""
    app = RiderApp(chrome, carried, locale=locale)
    app.page.clock.install()
    app.open()
    app.page.locator("#phone").fill("9812345678")
    app.page.locator("#send_code").click()
    expect(app.page.locator("#code")).to_be_visible()
    id = providers[0].wait(1)[0]["id"]
    receipt(carried, providers[0], "texts", {"id": id, "status": "undelivered"})

    app.wait(3)

    says(app, words)
    app.assert_accessible()
    app.close()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(open_app, carried, providers, viewport, scheme):
    """T-15 every word of a message has contrast enough, and Resend stays where it was"""
    app = open_app(RiderApp, viewport=viewport, scheme=scheme)
    app.reach_code()
    id = providers[0].wait(1)[0]["id"]
    resend = app.button("Resend OTP")
    before = resend.bounding_box()["y"]
    late = re.compile(re.escape(OVERDUE) + "|" + re.escape(DELAYED))
    for status, words in [("delayed", late), ("delivered", DELIVERED)]:
        receipt(carried, providers[0], "texts", {"id": id, "status": status})
        app.wait(31)
        says(app, words)
        app.assert_accessible()
        assert resend.bounding_box()["y"] == before
    app.verify(wrong(carried.code(RIDER.phone)))
    app.says("Invalid OTP. Please try again.")
