"""Each route of data needs the scope that the contract names, and nothing happens without it."""
import contextlib
import sqlite3

import pytest

from device import Device, full_scope
from harness import ADMINISTRATOR, MENTOR, TECHNICIAN
from products import OWNER

# Who may read what, through which app.
PEOPLE = [
    ("technician-app", TECHNICIAN, {"/api/me": "openid", "/api/sessions": "account",
                                    "/api/jobs": "jobs"}),
    ("mentor-app", MENTOR, {"/api/activities": "activities"}),
    ("product-app", OWNER, {"/api/products": "products"}),
    ("console", ADMINISTRATOR, {"/admin/accounts": "admin", "/admin/events": "admin"}),
]


@pytest.mark.parametrize("client, person, paths", PEOPLE, ids=[client for client, *_ in PEOPLE])
def test_scopes(server, client, person, paths):
    """L-43 with its scope a list is read, and with every other scope it is refused"""
    whole = Device(server, client=client)
    whole.sign_in(person)
    assert set(whole.tokens["scope"].split()) == set(full_scope(client).split())
    for path, scope in paths.items():
        assert whole.api(path).status == 200, path
        server.advance(61)
        rest = set(full_scope(client).split()) - {scope}
        device = Device(server, client=client, scope=" ".join(sorted(rest)))
        device.sign_in(person)
        refused = device.api(path)
        assert (refused.status, refused.error) == (403, "insufficient_scope"), path
        assert f'scope="{scope}"' in refused["WWW-Authenticate"]


def test_no_scope(server):
    """L-43 a token with no scope reads nothing, ends no session and changes no password"""
    whole = Device(server)
    whole.sign_in(TECHNICIAN)
    server.advance(61)
    device = Device(server, scope="")
    device.sign_in(TECHNICIAN)
    own = whole.api("/api/sessions").json["sessions"]
    ids = [entry["id"] for entry in own]
    assert len(ids) == 2

    for method, path in [("GET", "/api/me"), ("GET", "/api/jobs"), ("GET", "/api/sessions"),
                         ("DELETE", "/api/sessions"), ("DELETE", f"/api/sessions/{ids[0]}"),
                         ("POST", "/api/password"), ("GET", "/admin/accounts")]:
        assert device.api(path, method).error == "insufficient_scope", (method, path)

    assert [entry["id"] for entry in whole.api("/api/sessions").json["sessions"]] == ids


def test_upgrade(server):
    """L-26, L-43 a session that an earlier version began keeps its list, and gets no other one"""
    device = Device(server, scope="openid offline_access")
    device.sign_in(TECHNICIAN)
    assert device.api("/api/jobs").error == "insufficient_scope"
    server.stop()
    # What the migration writes into every session of a database from before.
    with contextlib.closing(sqlite3.connect(server.data / "fieldpass.db")) as base, base:
        base.execute("UPDATE sessions SET predates_scopes = 1")

    server.start()

    assert device.api("/api/jobs").status == 200
    assert len(device.api("/api/sessions").json["sessions"]) == 1
    assert device.api("/api/products").error == "insufficient_scope"
    granted = device.refresh().json["scope"]
    assert set(granted.split()) == {"openid", "offline_access", "account", "jobs"}
