"""Sign-in of the demo's mentors at the practice providers of a development server."""
import contextlib
import secrets
import subprocess
import urllib.parse

import pytest

from browser import App, in_every_look, tab_to
from device import Device, read_token
from harness import BINARY, MENTOR, secret
from operator_tools import log_lines

PROVIDERS = pytest.mark.parametrize("provider, label", [("bankid", "BankID"), ("vipps", "Vipps")])


class PracticePage(App):
    """The practice page of a new sign-in in a new browser."""
    name = "mentor-app"

    def __init__(self, chrome, server, provider, **look):
        super().__init__(chrome, server, **look)
        self.device = Device(server, client=self.name)
        self.state = secrets.token_urlsafe(16)
        # The page of the app runs no code, so that the test can redeem the code.
        self.page.route("**/*.js", lambda route: route.abort())
        answer = self.device.challenge(**self.device.first_call(
            provider=provider, state=self.state))
        assert answer.error == "redirect_to_web", answer
        self.page.goto(server.base + "/oauth/authorize?" + urllib.parse.urlencode(
            {"client_id": self.name, "request_uri": answer.json["request_uri"]}))
        assert self.page.url.startswith(f"{server.base}/practice/{provider}/authorize?")

    def person(self, name):
        return self.page.get_by_role("link", name=name)

    def result(self):
        """The parameters with which the browser came back to the app."""
        self.page.wait_for_url(self.server.base + "/app/mentor-app/**")
        found = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(self.page.url).query))
        assert found["state"] == self.state
        assert found["iss"] == self.server.base
        secret(found.get("code"))
        return found

    def sign_in_as(self, name):
        """Returns the account."""
        self.person(name).click()
        answer = self.device.redeem(self.result()["code"])
        assert answer.status == 200, answer
        token = self.device.tokens["access_token"]
        return read_token(token, self.server.get("/jwks.json").json)[1]["sub"]


@contextlib.contextmanager
def practice(chrome, server, provider, **look):
    page = PracticePage(chrome, server, provider, **look)
    yield page
    page.close()


def titles(device):
    answer = device.api("/api/activities")
    assert answer.status == 200, answer
    return [activity["title"] for activity in answer.json["activities"]]


@PROVIDERS
def test_practice_sign_in(chrome, server, provider, label):
    """P-02 in the demo people sign in with BankID and Vipps in a browser, with no account there"""
    app = server.get("/apps/mentor-app").json
    assert {"name": provider, "label": label, "available": True} in app["providers"]
    known = Device(server, client="mentor-app")
    known.sign_in(MENTOR)

    with practice(chrome, server, provider) as page:
        page.says("No real identity is checked")
        page.says(f"{label} is not contacted")
        maja = page.sign_in_as("Maja Solberg")
        assert page.device.api("/api/me").json["email"] == MENTOR.email
        assert titles(page.device) == titles(known) != []
    with practice(chrome, server, provider) as page:
        erik = page.sign_in_as("Erik Dahl")
        assert page.device.api("/api/me").json["name"] == "Erik Dahl"
        assert titles(page.device) == []
    with practice(chrome, server, provider) as page:
        assert page.sign_in_as("Erik Dahl") == erik != maja
    assert log_lines(server, "error") == log_lines(server, "warning") == []


def test_practice_after_restart(chrome, server):
    """P-02 a practice provider has a new key after a restart, and the accounts remain"""
    with practice(chrome, server, "vipps") as page:
        sunita = page.sign_in_as("Sunita Rao")
    server.stop()
    server.start()
    with practice(chrome, server, "vipps") as page:
        assert page.sign_in_as("Sunita Rao") == sunita


def test_cancel(chrome, server):
    """P-03 a person cancels at a practice provider with the keyboard, and the app is told"""
    with practice(chrome, server, "bankid") as page:
        for name in ("Maja Solberg", "Erik Dahl", "Sunita Rao", "Cancel"):
            tab_to(page, page.person(name))
        page.page.keyboard.press("Enter")
        result = page.result()
        assert (result["error"], result["reason"]) == ("access_denied", "cancelled")


@in_every_look
@pytest.mark.parametrize("locale, title", [
    ("en-GB", "Practice provider"), ("nb-NO", "Øvingsleverandør"), ("hi-IN", "अभ्यास प्रदाता")])
def test_page(chrome, server, look, locale, title):
    """the practice page is readable in every language, size and colour scheme"""
    with practice(chrome, server, "vipps", locale=locale, **look) as page:
        page.page.evaluate("size => { document.documentElement.style.fontSize = size }",
                           f"{look['text_percent']}%")
        page.heading(title).wait_for()
        page.assert_accessible()


def test_demo_removal(chrome, server):
    """L-42 the accounts that practice providers created are removed with the demo"""
    with practice(chrome, server, "vipps") as page:
        page.sign_in_as("Erik Dahl")
    server.stop()
    subprocess.run([BINARY, "demo", "remove", "--data", server.data], check=True, timeout=60)
    shown = subprocess.run([BINARY, "account", "list", "--data", server.data, "--json"],
                           capture_output=True, text=True, timeout=60)
    assert "Erik" not in shown.stdout, shown


def test_production_has_no_practice(production_server):
    """P-02 a production server has no practice provider"""
    for name in ("bankid", "vipps"):
        for path in (".well-known/openid-configuration", "keys", "authorize", "userinfo"):
            assert production_server.get(f"/practice/{name}/{path}").status == 404
        assert production_server.post(f"/practice/{name}/token", form={"code": "x"}).status == 404
