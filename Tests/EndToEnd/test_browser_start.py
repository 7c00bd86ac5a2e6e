"""The start page of development, and the identity of each app."""

import json
import re
import struct
import urllib.parse

import pytest

from browser import App, expect, in_every_look
from harness import TECHNICIAN

APPS = ["technician-app", "rider-app", "mentor-app", "product-app", "console"]
# The requests of a start, up to the first screen that can be used.
START_REQUESTS = 12
# Playwright reports neither of them.
UNREPORTED = ["manifest.webmanifest", "sw.js"]


class StartPage(App):
    name = ""

    def open(self):
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.goto(self.server.base + "/")
        self.page.evaluate("size => { document.documentElement.style.fontSize = size }",
                           f"{self.text_percent}%")
        return self


@pytest.fixture
def start(chrome, server):
    page = StartPage(chrome, server).open()
    yield page
    page.close()


def test_sign_in_as_a_demo_person(start):
    """The start page gives all that is needed to sign in as a demo person"""
    page = start.page
    for name, text in (("email", TECHNICIAN.email), ("password", TECHNICIAN.password)):
        page.get_by_role("button", name=f"Copy {name} of Tara Lind").click()
        assert page.evaluate("() => navigator.clipboard.readText()") == text
    with page.expect_popup() as app:
        page.get_by_role("link", name="Open the app of Tara Lind").click()
    app.value.get_by_label("Email").fill(TECHNICIAN.email)
    app.value.get_by_label("Password", exact=True).fill(TECHNICIAN.password)
    app.value.get_by_role("button", name="Login").click()
    expect(app.value.get_by_role("button", name="Verify")).to_be_visible()

    with page.expect_popup() as phone:
        page.get_by_role("link", name="Open the phone of Tara Lind").click()

    expect(phone.value.get_by_text(f"For {TECHNICIAN.phone}")).to_be_visible()
    expect(phone.value.get_by_role("button", name=re.compile("Copy [0-9]{6}"))).to_have_count(1)


PEOPLE = {
    "technician-app": ("Tara Lind", "Technician"), "rider-app": ("Ravi Kumar", "Rider"),
    "mentor-app": ("Maja Solberg", "Peer mentor"), "product-app": ("Olivia Berg", "Product owner"),
    "console": ("Ada Holm", "Administrator"),
}


@pytest.mark.parametrize("app", APPS)
def test_card(start, app):
    """The start page has a card for each app, with its icon; the app and the phone open"""
    name, role = PEOPLE[app]
    card = start.page.get_by_role("listitem").filter(has_text=name)
    expect(card).to_have_count(1)
    expect(card.get_by_role("heading")).to_have_text(f"{name} {role}")
    icon = card.locator("img")
    assert icon.get_attribute("src") == f"/app/{app}/icons/logo.svg"
    assert icon.evaluate("(image) => image.complete && image.naturalWidth > 0")
    phone = card.get_by_text(re.compile(r"^\+[0-9]+$")).inner_text()
    way = card.get_by_role("link", name=f"Open the phone of {name}")
    assert way.get_attribute("href").endswith(urllib.parse.quote(phone))
    with start.page.expect_popup() as opened:
        card.get_by_role("link", name=f"Open the app of {name}").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert opened.value.url.endswith(f"/app/{app}/")


def test_move_the_clock(start):
    """The start page moves the server's clock and says what it shows"""
    before = start.server.now()

    start.page.get_by_role("button", name="15 minutes").click()

    expect(start.page.get_by_text("The server's clock shows")).to_be_visible()
    start.server.advance(1)
    assert start.server.now() >= before + 901


@in_every_look
def test_accessible(chrome, server, look):
    """axe finds nothing on the start page and in the inbox, light or dark, at 200 % text"""
    page = StartPage(chrome, server, **look).open()

    page.assert_accessible()
    page.page.goto(f"{server.base}/dev/messages")
    page.assert_accessible()

    page.close()


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return f"{width}x{height}"


def test_five_apps(server):
    """Each app is installed as its own app: with its own id, names, colour and icons"""
    seen = {"id": set(), "name": set(), "short_name": set(), "theme_color": set(), "icon": set()}
    for app in APPS:
        base = f"/app/{app}/"
        manifest = json.loads(server.get(base + "manifest.webmanifest").body)
        assert manifest["id"] == base
        assert urllib.parse.urljoin(base, manifest["start_url"]).startswith(base)
        for member in ("name", "short_name", "description"):
            assert set(manifest[member + "_localized"]) == {"hi", "nb"}
        for shortcut in manifest["shortcuts"]:
            assert urllib.parse.urljoin(base, shortcut["url"]).startswith(base)
            assert set(shortcut["name_localized"]) == {"hi", "nb"}
        purposes = set()
        for icon in manifest["icons"]:
            data = server.get(base + icon["src"]).body
            purposes.add(icon["purpose"])
            if icon["type"] == "image/png":
                assert png_size(data) == icon["sizes"]
            else:
                seen["icon"].add(data)
                assert manifest["theme_color"].encode() in data
        assert purposes == {"any", "maskable", "monochrome"}
        for member in ("id", "name", "short_name", "theme_color"):
            seen[member].add(manifest[member])
    assert {name: len(values) for name, values in seen.items()} == dict.fromkeys(seen, len(APPS))


def first_screen(page):
    expect(page.locator("#screen input").first).to_be_visible()


@pytest.mark.parametrize("name", APPS)
def test_requests_of_a_start(chrome, server, name):
    """A cold start makes at most twelve requests, and a warm start makes none for files"""
    app = App(chrome, server)
    app.name = name
    app.open()
    first_screen(app.page)
    asked = [path for _, path in app.calls if not path.endswith(tuple(UNREPORTED))]
    assert f"/app/{name}/app.js" in asked
    assert len(asked) + len(UNREPORTED) <= START_REQUESTS, asked

    app.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    answers = []
    app.page.on("response", lambda answer: answers.append(answer))
    app.page.reload()
    first_screen(app.page)
    files = [answer for answer in answers if f"/app/{name}/" in answer.url]
    assert 0 < len(files) <= START_REQUESTS
    assert [answer.url for answer in files if not answer.from_service_worker] == []
    app.close()
