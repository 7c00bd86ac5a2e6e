"""The web apps in a browser of any engine."""
import urllib.parse

from axe_playwright_python.base import AXE_SCRIPT

from browser import RIDER, RULES
from engine import WORKER_READY
from harness import ADMINISTRATOR, TECHNICIAN, secret
from localhost import MENTOR
from products import OWNER


class EngineApp:
    """One of the web apps, whose owner signs in with e-mail, password and code."""
    name, person, home = "technician-app", TECHNICIAN, "Assigned jobs"

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.page = browser.open(self.address)

    @property
    def address(self):
        return f"{self.server.base}/app/{self.name}/"

    def log_in(self, password=None):
        self.page.fill("Email", self.person.email)
        self.page.fill("Password", secret(password or self.person.password))
        self.page.click("Login")

    def reach_code(self):
        """Requests a code; returns the code that was sent."""
        sent = len(self.server.messages(self.person.phone))
        self.log_in()
        self.page.shows("field", "6-digit code")
        return self.server.code(self.person.phone, sent)

    def verify(self, code, by_button=False):
        """Enters a code, whose last digit submits it unless there was an error before."""
        self.page.fill("6-digit code", code)
        if by_button:
            self.page.click("Verify")

    def sign_in(self):
        self.verify(self.reach_code())
        self.at_home()

    def at_home(self):
        self.page.shows("heading", self.home)

    def open_menu(self):
        """The name of this button contains the person's name."""
        self.page.click(role=".account-button")

    def sign_out(self):
        self.open_menu()
        self.page.click("Sign out")
        self.page.says("You're signed out.")

    def open_inbox(self):
        """Opens the page with the messages to the person, as if it was the messages app."""
        phone = urllib.parse.quote(self.person.phone)
        return self.page.new_tab(f"{self.server.base}/dev/messages?to={phone}")

    def assert_accessible(self):
        found = self.page.axe(AXE_SCRIPT, RULES)
        assert not found, found

    # MARK: Network

    def ready_for_offline(self):
        self.page.is_true(WORKER_READY)

    def lose_server(self):
        """Stops the server, and the network if the engine can simulate that."""
        self.server.kill()
        if "offline" not in self.browser.lacks:
            self.browser.set_offline(True)

    def find_server(self):
        self.server.start()
        if "offline" not in self.browser.lacks:
            self.browser.set_offline(False)


class RiderEngineApp(EngineApp):
    """The riders' app, whose owner signs in with a mobile number and a code."""
    name, person, home = "rider-app", RIDER, "Dashboard"

    def log_in(self, password=None):
        self.page.fill("Mobile number", self.person.phone.removeprefix("+91"))
        self.page.click("Send OTP")


class MentorEngineApp(EngineApp):
    name, person, home = "mentor-app", MENTOR, "Activities"


class ProductEngineApp(EngineApp):
    name, person, home = "product-app", OWNER, "My products"


class ConsoleEngineApp(EngineApp):
    name, person, home = "console", ADMINISTRATOR, "Overview"
