"""Each route for data needs the scope in the contract, and nothing happens without it."""
import pytest

from device import Device, full_scope
from harness import ADMINISTRATOR, MENTOR, TECHNICIAN
from products import OWNER

# Who may read which data through which app.
PEOPLE = [
    ("technician-app", TECHNICIAN, {"/api/me": "openid", "/api/sessions": "account",
                                    "/api/jobs": "jobs"}),
    ("mentor-app", MENTOR, {"/api/activities": "activities"}),
    ("product-app", OWNER, {"/api/products": "products"}),
    ("console", ADMINISTRATOR, {"/admin/accounts": "admin", "/admin/events": "admin"}),
]


@pytest.mark.parametrize("client, person, paths", PEOPLE, ids=[client for client, *_ in PEOPLE])
def test_scopes(server, client, person, paths):
    """L-43 a list is read with its scope and refused with every other scope"""
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
    """L-43 a token without a scope reads nothing, ends no session and changes no password"""
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
