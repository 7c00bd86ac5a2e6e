"""People see where their sessions began, with the operator's file of places."""
import pytest
from playwright.sync_api import expect

from console import Console
from harness import ROOT
from localhost import MENTOR, NamedServer, client
from test_browser_lock import MentorApp

PLACES = ROOT / "Tests/PlaceFilesTests/places.mmdb"


class PlacedServer(NamedServer):
    """A server with a file of places."""
    clients = (
        client("mentor-app"),
        {"id": "console", "name": "Console", "home": "console", "sign_in": "password_and_code",
         "roles": ["administrator"], "scopes": ["openid", "offline_access", "admin"]})
    more = {"places_file": str(PLACES)}


@pytest.fixture
def placed(new_server):
    server = PlacedServer(new_server().data).start()
    yield server
    server.close()


def test_own_sessions(chrome, placed):
    """S-08 the list of devices says where each session began, in the person's language"""
    app = MentorApp(chrome, placed).open()
    app.sign_in(MENTOR)
    app.page.goto(f"{placed.base}/app/{app.name}/devices")
    expect(app.page.get_by_text("Oslo, Norway")).to_be_visible()
    app.assert_accessible()
    app.button("Account").click()
    app.page.locator("#language").select_option("nb")
    expect(app.page.get_by_text("Oslo, Norge")).to_be_visible()
    app.close()


def test_sessions_of_an_account(chrome, placed):
    """S-08 the console says where the sessions of an account began"""
    app = MentorApp(chrome, placed).open()
    app.sign_in(MENTOR)
    console = Console(chrome, placed).open()
    console.sign_in()
    console.open_account("Maja Solberg")
    expect(console.page.get_by_text("Oslo, Norway").first).to_be_visible()
    console.close()
    app.close()


def test_malformed_file(new_server, tmp_path):
    """A start with a file of another format is refused with its name"""
    path = tmp_path / "configuration.json"
    (tmp_path / "places.mmdb").write_bytes(b"not a file of places")
    path.write_text('{"places_file": "places.mmdb"}')
    refused = new_server().run("--development", "--listen", "127.0.0.1:0", "--config", path)
    assert refused.returncode == 1
    assert "places.mmdb" in refused.stderr and "MaxMind DB" in refused.stderr, refused.stderr
