"""The technicians' web app in a real browser, used through its labels and roles."""
import contextlib
import json
import re
import shutil
import time

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright

import description
from harness import Person, ROOT, TECHNICIAN, secret

# The headless shell has the same engine and draws no windows. It needs a third of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium-headless-shell"
MODULES = ROOT / "Apps/Web/shell"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
         "resultTypes": ["violations"]}
# Each screen size with each colour scheme, and each of them with both text sizes.
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
UNREACHABLE = "Service unavailable. We cannot reach it right now. Try again in a moment."
FAULT = "Something went wrong on our side. Try again."
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
    """Starts one browser for the whole run."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class App:
    """The app in its own browser context, with its own storage, workers and cookies."""
    name = "technician-app"

    def __init__(self, browser, server, *, viewport=None, scheme="light", text_percent=100,
                 locale="en-GB", time_zone=None, user_agent=None):
        self.server, self.text_percent = server, text_percent
        self.context = browser.new_context(
            viewport=viewport or PHONE, color_scheme=scheme, locale=locale,
            timezone_id=time_zone, reduced_motion="reduce", user_agent=user_agent)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.calls, self.problems, self.tokens = [], [], None
        self.page.on("request", lambda request: self.calls.append(
            (request.method, request.url.removeprefix(server.base))))
        self.page.on("response", self.note_answer)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def note_answer(self, response):
        """Checks an answer against its description and records every secret in it.

        The logs and the storage are then searched for these secrets.
        """
        path = response.url.removeprefix(self.server.base)
        # Every answer of the server has a request id. An answer that a test made up has none.
        method, is_own = response.request.method, "request-id" in response.headers
        # The worker sends only files of the app, also at the end of a redirect.
        is_own = is_own and not response.from_service_worker
        if not is_own or description.operation(method, path) is None:
            return
        # A page that was closed in the meantime has no body.
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

    def open_modules(self):
        """Opens the app with the modules of the source, so that a test can import one of them.

        A built app has one script. The app has no service worker here, which would answer with it.
        """
        prefix = f"{self.server.base}/app/{self.name}/"
        self.page.evaluate("() => navigator.serviceWorker.ready.then((found) => found.unregister())")
        self.page.add_init_script("delete Navigator.prototype.serviceWorker")
        self.page.route(
            re.compile(re.escape(prefix) + r".*\.js$"),
            lambda route: route.fulfill(path=MODULES / route.request.url.removeprefix(prefix)))
        return self.open()

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
        """Waits until the text is visible, not only announced."""
        expect(self.page.get_by_role("main").get_by_text(text).first).to_be_visible()

    def until(self, condition, argument=None):
        """Evaluates an expression, or its promise, in the page until it is true."""
        for _ in range(100):
            if self.page.evaluate(condition, argument):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"this never became true: {condition}")

    # MARK: Steps

    def log_in(self, email, password):
        self.email.fill(email)
        self.password.fill(secret(password))
        self.button("Login").click()

    def reach_code(self, person):
        """Submits e-mail and password; returns the code that was sent."""
        sent = len(self.server.messages(person.phone))
        self.log_in(person.email, person.password)
        expect(self.code).to_be_visible()
        return self.server.code(person.phone, sent)

    def verify(self, code):
        """Enters a code and waits for the result.

        The last digit submits the code. If it does not, as after an error, Verify does.
        """
        expect(self.page.locator("#code")).to_be_editable()
        self.page.evaluate(ENTER_CODE, code)
        expect(self.page.locator("#verify[aria-busy]")).to_have_count(0)

    def sign_in(self, person):
        code = self.reach_code(person)
        with self.page.expect_response("**/oauth/token") as answer:
            self.verify(code)
        self.tokens = answer.value.json()
        self.at_jobs()

    def at_jobs(self):
        expect(self.heading("Assigned jobs")).to_be_visible()

    def wait(self, seconds):
        """Moves the clocks of the app and of the server; needs `page.clock.install` before."""
        self.server.advance(seconds)
        # The server updates its `Date` header once a second, and the app reads the time from it.
        time.sleep(1.1)
        self.page.clock.fast_forward(seconds * 1000)

    # MARK: Accessibility

    def axe(self):
        """The violations that axe-core reports, one line each."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        # As text, because handing over the report value by value takes longer than making it.
        found = json.loads(self.page.evaluate(
            "rules => axe.run(rules).then(report => JSON.stringify(report.violations))", RULES))
        return [f"{v['id']}: {v['help']}: {node['target']} {node.get('failureSummary', '')}"
                for v in found for node in v["nodes"]]

    def assert_accessible(self):
        found = self.axe()
        assert not found, found
        overflow = self.page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        wide = self.page.evaluate("""() => [...document.querySelectorAll('body *')]
          .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth)
          .map(one => one.outerHTML.slice(0, 120))""")
        assert overflow <= 0, f"the page is {overflow} px too wide: {wide}"

    def focus_is_visible(self):
        # A row draws the outline around the whole of it, with a pseudo-element.
        return self.page.evaluate("""() => [null, '::after'].some(part => {
          const style = getComputedStyle(document.activeElement, part)
          return style.outlineStyle !== 'none' || style.boxShadow !== 'none'
        })""")


class RiderApp(App):
    """The riders' app, which has a form of its own."""
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
        """Requests a code; returns the code that was sent."""
        sent = len(self.server.messages(person.phone))
        self.ask(person)
        expect(self.code).to_be_visible()
        return self.server.code(person.phone, sent)

    def at_dashboard(self):
        expect(self.heading("Dashboard")).to_be_visible()
        expect(self.heading("Today's deliveries")).to_be_visible()

    def register(self, name="Asha Rao", number=NEWCOMER.phone):
        """From the phone number screen to the end of the form, which the server may refuse."""
        self.button("Sign up").click()
        self.name_field.fill(name)
        self.phone.fill(number)
        self.button("Sign up").click()


# Enters a code in one step of the page. So no answer can come between the last digit and the button.
ENTER_CODE = """code => {
  const field = document.getElementById('code')
  field.focus()
  field.value = code
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  const button = document.getElementById('verify')
  if (button && !button.hasAttribute('aria-busy')) button.click()
}"""


def tab_to(app, control):
    """Presses Tab until the control has the focus. Fails if the focus is not visible."""
    for _ in range(25):
        if control.evaluate("control => control === document.activeElement"):
            assert app.focus_is_visible(), control
            return
        app.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {control}")


def wrong(code):
    """A code of six digits that differs from the given one."""
    return f"{(int(code) + 1) % 1_000_000:06}"
