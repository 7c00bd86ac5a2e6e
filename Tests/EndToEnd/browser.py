"""The technicians' web app in a real browser, as a person and as a screen reader meet it."""
import contextlib
import json
import shutil
import time

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright

import description
from harness import Person, TECHNICIAN, secret

# Chromium without windows of its own: the same engine, for a third of the work.
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium-headless-shell"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
         "resultTypes": ["violations"]}
# Every size of screen in every scheme, and each of them with both sizes of text.
LOOKS = {
    "phone-light-200": {"viewport": PHONE, "scheme": "light", "text_percent": 200},
    "phone-dark-100": {"viewport": PHONE, "scheme": "dark", "text_percent": 100},
    "desktop-light-100": {"viewport": DESKTOP, "scheme": "light", "text_percent": 100},
    "desktop-dark-200": {"viewport": DESKTOP, "scheme": "dark", "text_percent": 200},
}
in_every_look = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)

INVALID = "Invalid email or password"
DEACTIVATED = "Your account has been deactivated. Please contact your administrator."
LOCKED = ("Your account is temporarily locked. "
          "Please try again in 15 minutes or reset your password.")
REFUSED_CODE = "Invalid or expired OTP. Please try again."
UNREACHABLE = "Service unavailable: it cannot be reached right now. Please try again in a moment."
FAULT = "Something went wrong on our side. Please try again."
NO_CONNECTION = "No internet connection. Please check your connection and try again."
RIDER = Person("", "", "+919812345678")
PENDING = Person("", "", "+919812345679")
NEWCOMER = Person("", "", "+919800000001")
NOT_REGISTERED = ("This mobile number is not registered. "
                  "Please sign up or use a registered number.")
RIDER_WRONG_CODE = "Invalid OTP. Please try again."
RIDER_LOCKED = ("Account temporarily locked due to too many failed attempts. "
                "Please try again in 15 minutes.")
EXPIRED = "OTP has expired. Please request a new one."
CODE_SENT = "An OTP has been sent to ***-***-1234"


@contextlib.contextmanager
def chromium():
    """One browser for the whole run."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class App:
    """The app in a context of its own: no other test's storage, workers or cookies."""
    name = "technician-app"

    def __init__(self, browser, server, *, viewport=None, scheme="light", text_percent=100,
                 locale="en-GB", time_zone=None):
        self.server, self.text_percent = server, text_percent
        self.context = browser.new_context(
            viewport=viewport or PHONE, color_scheme=scheme, locale=locale,
            timezone_id=time_zone, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.calls, self.problems, self.tokens = [], [], None
        self.page.on("request", lambda request: self.calls.append(
            (request.method, request.url.removeprefix(server.base))))
        self.page.on("response", self.note_answer)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def note_answer(self, response):
        """Holds an answer against its description, and notes every secret in it.

        Logs and storage can then be searched for the secrets.
        """
        path = response.url.removeprefix(self.server.base)
        # The server names each of its answers; what a test made up has no name.
        method, is_own = response.request.method, "request-id" in response.headers
        if not is_own or description.operation(method, path) is None:
            return
        # A page that was closed meanwhile keeps no body.
        with contextlib.suppress(PlaywrightError):
            body = response.body()
            description.check(
                method, path, response.status, response.headers.get("content-type"), body)
        if "/oauth/" not in path:
            return
        with contextlib.suppress(PlaywrightError, ValueError):
            members = response.json()
            for name in ("access_token", "refresh_token", "id_token", "auth_session",
                         "authorization_code"):
                secret(members.get(name))

    def open(self):
        self.page.goto(f"{self.server.base}/app/{self.name}/")
        if self.text_percent != 100:
            self.page.evaluate(
                "size => { document.documentElement.style.fontSize = size }",
                f"{self.text_percent}%")
        return self

    def close(self):
        assert not self.problems, self.problems
        self.context.close()

    def count(self, path):
        return len([url for _, url in self.calls if url.startswith(path)])

    # MARK: Parts

    @property
    def email(self):
        return self.page.get_by_label("Email", exact=True)

    @property
    def password(self):
        return self.page.get_by_label("Password", exact=True)

    @property
    def new_password(self):
        return self.page.get_by_label("New password", exact=True)

    @property
    def code(self):
        return self.page.get_by_label("6-digit code")

    def button(self, name):
        return self.page.get_by_role("button", name=name)

    def heading(self, name):
        return self.page.get_by_role("heading", name=name)

    def says(self, text):
        """Waits until the text can be seen, not only heard."""
        expect(self.page.get_by_role("main").get_by_text(text).first).to_be_visible()

    def until(self, question, argument=None):
        """Asks the page until it says yes; what it answers may be a promise."""
        for _ in range(100):
            if self.page.evaluate(question, argument):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(question)

    # MARK: Steps

    def log_in(self, email, password):
        self.email.fill(email)
        self.password.fill(secret(password))
        self.button("Login").click()

    def reach_code(self, person):
        """Email and password; answers the code that was sent."""
        sent = len(self.server.messages(person.phone))
        self.log_in(person.email, person.password)
        expect(self.code).to_be_visible()
        return self.server.code(person.phone, sent)

    def sign_in(self, person):
        self.code.fill(self.reach_code(person))
        with self.page.expect_response("**/oauth/token") as answer:
            self.button("Verify").click()
        self.tokens = answer.value.json()
        self.at_jobs()

    def at_jobs(self):
        expect(self.heading("Assigned jobs")).to_be_visible()

    def wait(self, seconds):
        """Lets time pass for the app and for the server; needs `page.clock.install` before."""
        self.server.advance(seconds)
        # The server writes its `Date` anew once a second, and the app learns the time from it.
        time.sleep(1.1)
        self.page.clock.fast_forward(seconds * 1000)

    # MARK: Measures

    def axe(self):
        """What axe-core has to complain about, one line for each."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        # As text: the whole report, value by value, would take longer to hand over than to make.
        found = json.loads(self.page.evaluate(
            "rules => axe.run(rules).then(report => JSON.stringify(report.violations))", RULES))
        return [f"{v['id']}: {v['help']}: {node['target']} {node.get('failureSummary', '')}"
                for v in found for node in v["nodes"]]

    def assert_accessible(self):
        found = self.axe()
        assert not found, found
        overflow = self.page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 0, f"the page is {overflow} px too wide"

    def focus_is_visible(self):
        return self.page.evaluate("""() => {
          const style = getComputedStyle(document.activeElement)
          return style.outlineStyle !== 'none' || style.boxShadow !== 'none'
        }""")


class RiderApp(App):
    """The same app with the rider's form."""
    name = "rider-app"

    @property
    def phone(self):
        return self.page.get_by_label("Mobile number")

    @property
    def name_field(self):
        return self.page.get_by_label("Name", exact=True)

    def ask(self, person=RIDER):
        self.phone.fill(person.phone.removeprefix("+91"))
        self.button("Send OTP").click()

    def reach_code(self, person=RIDER):
        """Answers the code that was sent."""
        sent = len(self.server.messages(person.phone))
        self.ask(person)
        expect(self.code).to_be_visible()
        return self.server.code(person.phone, sent)

    def verify(self, code):
        self.code.fill(code)
        self.button("Verify").click()

    def at_dashboard(self):
        expect(self.heading("Dashboard")).to_be_visible()
        expect(self.heading("Today's deliveries")).to_be_visible()

    def register(self, name="Asha Rao", number=NEWCOMER.phone):
        """From the number's screen to the end of the form, which may refuse."""
        self.button("Sign up").click()
        self.name_field.fill(name)
        self.phone.fill(number)
        self.button("Sign up").click()


def tab_to(app, control):
    """Presses Tab until the control has the focus, which must be seen."""
    for _ in range(25):
        if control.evaluate("control => control === document.activeElement"):
            assert app.focus_is_visible(), control
            return
        app.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {control}")


def wrong(code):
    """Six digits that are not the code."""
    return f"{(int(code) + 1) % 1_000_000:06}"
