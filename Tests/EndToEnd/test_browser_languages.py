"""The apps in a real browser in each language, chosen by the device or by the person."""
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from browser import App, DESKTOP, PHONE, wrong
from engine import FAILURES
from harness import TECHNICIAN, Person, secret

RIDER = Person("", "", "+919812345678")
INDIA = {"locale": "hi-IN", "time_zone": "Asia/Kolkata"}
NORWAY = {"locale": "nb-NO", "time_zone": "Europe/Oslo"}

WORDS = {
    "hi-IN": {
        "title": "साइन इन करें", "email": "ईमेल", "password": "पासवर्ड", "login": "लॉगिन करें",
        "invalid": "ईमेल या पासवर्ड गलत है", "code": "6 अंकों का कोड", "verify": "सत्यापित करें",
        "sent": "OTP ***-***-1234 पर भेजा गया है", "jobs": "सौंपे गए काम", "account": "खाता",
        "refused": "OTP गलत है या उसका समय खत्म हो गया है। कृपया फिर से कोशिश करें।",
        "sign_out": "साइन आउट करें", "signed_out": "आप साइन आउट हो गए हैं।",
        "locked": "आपका खाता कुछ समय के लिए लॉक है। कृपया 15 मिनट बाद फिर से कोशिश करें",
        "phone": "मोबाइल नंबर", "send": "OTP भेजें", "dashboard": "डैशबोर्ड",
    },
    "nb-NO": {
        "title": "Logg inn", "email": "E-post", "password": "Passord", "login": "Logg inn",
        "invalid": "Feil e-post eller passord", "code": "Kode med 6 sifre", "verify": "Bekreft",
        "sent": "En engangskode er sendt til ***-***-1234", "jobs": "Tildelte oppdrag",
        "account": "Konto", "refused": "Engangskoden er feil eller utløpt. Prøv igjen.",
        "sign_out": "Logg ut", "signed_out": "Du er logget ut.",
        "locked": "Kontoen din er midlertidig låst. Prøv igjen om 15 minutter",
        "phone": "Mobilnummer", "send": "Send engangskode", "dashboard": "Oversikt",
    },
}


class LocalizedApp(App):
    """An app whose controls have names in another language."""

    def __init__(self, browser, server, *, place, app=App.name, **look):
        super().__init__(browser, server, **place, **look)
        self.name, self.words = app, WORDS[place["locale"]]

    def open(self):
        super().open()
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        return self

    def field(self, name):
        return self.page.get_by_label(self.words[name], exact=True)

    def press(self, name):
        self.page.get_by_role("button", name=self.words[name], exact=True).click()

    def fail(self):
        self.field("email").fill(TECHNICIAN.email)
        self.field("password").fill("wrong-guess")
        self.press("login")

    def reach_code(self, person=TECHNICIAN):
        sent = len(self.server.messages(person.phone))
        if self.name == "rider-app":
            self.field("phone").fill(person.phone.removeprefix("+91"))
            self.press("send")
        else:
            self.field("email").fill(person.email)
            self.field("password").fill(secret(person.password))
            self.press("login")
        expect(self.field("code")).to_be_visible()
        return self.server.code(person.phone, sent)

    def assert_language(self, language):
        assert self.page.evaluate("() => document.documentElement.lang") == language

    def open_account(self):
        self.page.get_by_role("button", name=re.compile(f"^{self.words['account']}")).click()


@pytest.fixture(params=[INDIA, NORWAY], ids=["hindi", "norwegian"])
def place(request):
    return request.param


@pytest.mark.parametrize("scheme, percent", [("light", 200), ("dark", 100)])
def test_technician(chrome, server, place, scheme, percent):
    """T-15 a technician signs in and out in the own language, at 200 % text too"""
    app = LocalizedApp(chrome, server, place=place, scheme=scheme, text_percent=percent).open()
    app.assert_language(place["locale"][:2])
    expect(app.heading(app.words["title"])).to_be_visible()
    app.assert_accessible()
    app.fail()
    app.says(app.words["invalid"])
    app.assert_accessible()
    code = app.reach_code()
    app.says(app.words["sent"])
    app.verify(wrong(code))
    app.says(app.words["refused"])
    app.assert_accessible()
    app.verify(code)
    expect(app.heading(app.words["jobs"])).to_be_visible()
    expect(app.page.get_by_role("listitem").first).to_be_visible()
    app.assert_accessible()
    app.open_account()
    app.assert_accessible()
    app.press("sign_out")
    app.says(app.words["signed_out"])
    app.close()


@pytest.mark.parametrize("percent", [100, 200])
def test_rider(chrome, server, place, percent):
    """R-01, T-15 a rider signs in in the own language, at 200 % text too"""
    app = LocalizedApp(chrome, server, place=place, app="rider-app", text_percent=percent).open()
    app.assert_accessible()
    code = app.reach_code(RIDER)
    app.assert_accessible()
    app.verify(code)

    expect(app.heading(app.words["dashboard"])).to_be_visible()
    expect(app.page.get_by_role("listitem").first).to_be_visible()
    app.assert_accessible()
    app.close()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_lockout(chrome, server, place, viewport):
    """T-05, T-15 the lockout is explained in the person's language"""
    app = LocalizedApp(chrome, server, place=place, viewport=viewport).open()
    for _ in range(5):
        app.fail()
        expect(app.field("password").and_(app.page.locator(":not([readonly])")).or_(
            app.page.locator("#lock"))).to_be_visible()

    app.says(app.words["locked"])
    app.assert_accessible()
    app.close()


def test_language_of_messages(chrome, server, place):
    """T-15 the first request asks for messages in the language of the screen"""
    app = LocalizedApp(chrome, server, place=place).open()
    with app.page.expect_request("**/oauth/challenge") as request:
        app.fail()

    form = urllib.parse.parse_qs(request.value.post_data)
    locale = place["locale"]
    assert form["ui_locales"] == [f"{locale} {locale[:2]}"]
    app.close()


def test_chosen_while_typing(app):
    """T-15 a language chosen while typing applies at once, keeps the typed text, is remembered"""
    app.email.fill("tech@example.com")
    app.password.fill("half-a-pass")
    choose(app, "Language", "हिन्दी")

    expect(app.page.get_by_label("ईमेल", exact=True)).to_have_value("tech@example.com")
    expect(app.page.get_by_label("पासवर्ड", exact=True)).to_have_value("half-a-pass")
    expect(app.page.get_by_label("भाषा")).to_be_focused()
    assert app.page.evaluate("() => document.documentElement.lang") == "hi"
    assert app.page.title() == "साइन इन करें – Fieldpass"
    app.assert_accessible()
    app.page.reload()
    expect(app.page.get_by_label("ईमेल", exact=True)).to_be_visible()
    choose(app, "भाषा", "English")
    expect(app.email).to_be_visible()


def test_chosen_in_the_account_menu(app):
    """T-15 the account menu has the languages too, and stays open after a choice"""
    app.sign_in(TECHNICIAN)
    app.button("Account").click()
    choose(app, "Language", "Norsk")

    expect(app.heading("Tildelte oppdrag")).to_be_visible()
    expect(app.button("Logg ut")).to_be_visible()
    expect(app.page.get_by_label("Språk")).to_be_focused()
    app.assert_accessible()
    app.button("Logg ut").click()
    app.says("Du er logget ut.")


@pytest.mark.parametrize(("name", "letters"), [
    ("Tess Technician", "TT"), ("Anne Marie Øst", "AØ"), ("Åse", "Å"), (" Kai  Lund ", "KL"),
    ("कि राम", "किरा"), ("क्षितिज श्रीवास्तव", "क्षिश्री"), ("हिमांशु", "हि"),
    ("E\u0301mile A\u030asen", "E\u0301A\u030a"), ("", ""), (" ", ""),
])
def test_initials(app, name, letters):
    """T-15 the account menu shows whole letters of the first and the last name, with their marks"""
    def rename(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"name": name})
    app.page.route("**/api/me", rename)
    with app.page.expect_response("**/api/me"):
        app.sign_in(TECHNICIAN)
    expect(app.button("Account")).to_be_visible()
    initials = app.page.locator(".initials")
    if letters:
        expect(initials).to_have_text(letters)
    else:
        expect(initials.locator("use")).to_have_attribute("href", "#symbol-person")
    # A request that is still changed must not outlive the page.
    app.page.unroute_all(behavior="wait")


def test_chosen_by_keyboard(app):
    """T-15 the languages can be reached and chosen with the keyboard"""
    expect(app.email).to_be_visible()
    menu = app.page.get_by_label("Language")
    for _ in range(8):
        app.page.keyboard.press("Tab")
        if menu.evaluate("node => node === document.activeElement"):
            break
    expect(menu).to_be_focused()
    assert app.focus_is_visible()
    app.page.keyboard.press("ArrowDown")
    expect(app.page.get_by_label("भाषा")).to_be_focused()


@pytest.mark.parametrize(("locale", "zone", "written"), [
    ("en-GB", "Europe/London", r"\d\d:\d\d – \d\d:\d\d"),
    ("en-US", "America/New_York", r"\d{1,2}:\d\d\s[ap]m – \d{1,2}:\d\d\s[ap]m"),
    ("hi-IN", "Asia/Kolkata", r"(रात|सुबह|दोपहर|शाम)\s\d{1,2}:\d\d – (रात|सुबह|दोपहर|शाम)\s\d"),
    ("nb-NO", "Europe/Oslo", r"\d\d:\d\d – \d\d:\d\d"),
])
def test_times(chrome, server, locale, zone, written):
    """T-15 times have the format of the person's country and the time zone of the device"""
    app = App(chrome, server, locale=locale, time_zone=zone).open()
    sign_in_in_any_language(app)
    row = app.page.locator(".row-time").first
    expect(row).to_have_text(re.compile(written))

    # The browser's own format of the same times, in digits. A row of another day has its date too.
    assert app.page.evaluate("""locale => [...document.querySelectorAll('.row-time time')]
      .filter(node => /\\d:\\d/.test(node.textContent)).every(node => {
        const shown = node.textContent.match(/\\d+:\\d+/)[0]
        const parts = new Intl.DateTimeFormat(locale, {timeStyle: 'short', numberingSystem: 'latn'})
          .format(new Date(node.dateTime)).match(/\\d+:\\d+/)[0]
        return shown === parts
      })""", locale)
    app.close()


def test_summer_time(chrome, server):
    """T-15 a time after the end of summer time is shown in winter time"""
    app = App(chrome, server, locale="nb-NO", time_zone="Europe/Oslo")
    app.open().open_modules()

    changes = app.page.evaluate("""async () => (await import('./languages.js')).userSettings()""")

    year_and_more = [change["utc_offset"] for change in changes["clock_changes"]]
    assert set(year_and_more) == {3600, 7200} and 4 <= len(year_and_more) <= 5
    assert all(change["at"] % 3600 == 0 for change in changes["clock_changes"])
    app.close()


def test_core_does_not_load(chrome, server, place):
    """T-15 an error at the start of the app is in the person's language too"""
    app = LocalizedApp(chrome, server, place=place)
    app.page.route("**/core.wasm", lambda route: route.abort())
    app.open()

    titles = {"hi-IN": "Fieldpass शुरू नहीं हो सका", "nb-NO": "Fieldpass kunne ikke starte"}
    expect(app.page.get_by_role("heading", level=1)).to_have_text(titles[place["locale"]])
    app.assert_language(place["locale"][:2])
    assert app.page.evaluate(FAILURES) == ["TypeError: Failed to fetch"]
    app.assert_accessible()
    app.context.close()


def choose(app, menu, language):
    """Chooses a language as a person does: the menu has the focus before."""
    app.page.get_by_label(menu).focus()
    app.page.get_by_label(menu).select_option(label=language)


def sign_in_in_any_language(app):
    """Finds the controls by their ids, which are the same in every language."""
    app.page.locator("#email").fill(TECHNICIAN.email)
    app.page.locator("#password").fill(secret(TECHNICIAN.password))
    sent = len(app.server.messages(TECHNICIAN.phone))
    app.page.locator("#login").click()
    expect(app.page.locator("#code")).to_be_visible()
    app.verify(app.server.code(TECHNICIAN.phone, sent))
    expect(app.page.locator(".row-time").first).to_be_visible()
