"""What programs in other languages read: tokens for their API, user info, keys, origins."""
import json

import pytest

from device import Device, read_token
from harness import TECHNICIAN

API = "https://api.example.com"
PAGE = "https://app.example.com"


@pytest.fixture
def company(new_server, tmp_path):
    """A development server whose technicians' app serves an API of the company."""
    path = tmp_path / "fieldpass.json"
    path.write_text(json.dumps({"clients": [{
        "id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
        "sign_in": "password_and_code", "roles": ["technician"],
        "scopes": ["openid", "offline_access", "profile", "email", "phone", "orders"],
        "audiences": [API], "origins": [PAGE],
        "claims": [{"name": f"{API}/role", "from": "role"}],
    }]}))
    server = new_server()
    launch = server.launch
    server.launch = lambda *arguments: launch("--config", str(path), *arguments)
    yield server.start()
    server.close()


def signed_in(server, scope="openid offline_access"):
    device = Device(server, scope=scope)
    device.sign_in(TECHNICIAN)
    return device


def claims(server, token):
    return read_token(token, server.get("/jwks.json").json)[1]


def test_audiences(company):
    """RFC 8707 a token is for every API of the app, or for the requested one"""
    device = signed_in(company)
    everywhere = claims(company, device.tokens["access_token"])
    assert everywhere["aud"] == [company.base, API]
    assert everywhere[f"{API}/role"] == "technician"
    assert device.send("GET", "/api/me", token=device.tokens["access_token"]).status == 200

    narrow = device.refresh(resource=API)
    assert narrow.status == 200
    token = narrow.json["access_token"]
    assert claims(company, token)["aud"] == API
    assert device.send("GET", "/api/me", token=token).status == 401

    refused = device.refresh(resource="https://other.example.com")
    assert (refused.status, refused.error) == (400, "invalid_target")
    # The refused call used up nothing.
    assert device.refresh().status == 200


def test_identity_token(company):
    """The ID token contains the configured claims too"""
    device = signed_in(company)

    assert claims(company, device.tokens["id_token"])[f"{API}/role"] == "technician"


@pytest.mark.parametrize("scope, names", [
    ("openid", set()), ("openid profile", {"name"}), ("openid email", {"email"}),
    ("openid profile email phone", {"name", "email", "phone_number"}),
])
def test_user_info(company, scope, names):
    """OpenID Connect Core 5.3 user info contains the claims of the granted scopes"""
    device = signed_in(company, scope)
    subject = claims(company, device.tokens["access_token"])["sub"]

    for method in ("GET", "POST"):
        answer = device.send(method, company.endpoint("userinfo_endpoint"),
                             token=device.tokens["access_token"])
        assert answer.status == 200
        assert answer.json["sub"] == subject
        assert set(answer.json) == {"sub", f"{API}/role"} | names


def test_user_info_refused(company):
    """User info needs a token with openid, in the scheme of its kind"""
    device = signed_in(company, "orders")
    address = company.endpoint("userinfo_endpoint")

    assert company.get(address).status == 401
    answer = device.send("GET", address, token=device.tokens["access_token"])
    assert answer.status == 403 and "insufficient_scope" in answer["WWW-Authenticate"]


def test_other_origin(company):
    """A page of a configured origin reads keys; a page of another one does not"""
    answer = company.call("GET", "/jwks.json", headers={"Origin": PAGE})
    assert answer["Access-Control-Allow-Origin"] == PAGE
    assert answer["Cache-Control"] == "public, max-age=300"
    other = company.call("GET", "/jwks.json", headers={"Origin": "https://evil.example"})
    assert other["Access-Control-Allow-Origin"] is None
