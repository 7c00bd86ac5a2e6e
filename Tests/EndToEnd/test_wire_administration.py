"""`/admin` and a person's own sessions over real sockets, and the document that describes them."""
import concurrent.futures
import subprocess

import jsonschema
import pytest

from device import Device
from harness import ADMINISTRATOR, BINARY, ROOT, TECHNICIAN

NINA = {"name": "Nina", "role": "technician", "email": "nina@example.com",
        "phone_number": "+15550109999"}


@pytest.fixture
def admin(server):
    device = Device(server, client="console")
    device.sign_in(ADMINISTRATOR)
    return device


def send(device, method, path, document=None, key=None):
    url = device.url(path)
    token = device.tokens["access_token"]
    headers = [("DPoP", device.proof(method, url, token)), ("Authorization", f"DPoP {token}")]
    if key:
        headers.append(("Idempotency-Key", key))
    return device.server.call(method, url, headers=headers, document=document)


def fits(description, answer, method, path):
    """Checks a real answer against the published schema."""
    response = description["paths"][path][method.lower()]["responses"][str(answer.status)]
    media_type = answer["Content-Type"].split(";")[0]
    schema = response["content"][media_type]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": description["components"]}).validate(
        answer.json)


def test_description(server, admin):
    """The OpenAPI document is the published one, and real answers fit it"""
    answer = server.get("/openapi.json")
    description = answer.json

    assert answer.body == (ROOT / "docs/openapi.json").read_bytes()
    printed = subprocess.run([BINARY, "openapi"], capture_output=True, timeout=20)
    assert printed.stdout == answer.body
    for name, schema in description["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
    fits(description, server.get("/.well-known/openid-configuration"),
         "GET", "/.well-known/openid-configuration")
    for path in ("/admin/accounts", "/admin/clients", "/admin/messages", "/admin/organizations",
                 "/admin/events", "/api/me", "/api/sessions"):
        fits(description, send(admin, "GET", path), "GET", path)
        fits(description, server.get(path), "GET", path)
    fits(description, send(admin, "POST", "/admin/accounts", {}), "POST", "/admin/accounts")


def test_life(server, admin):
    """T-16 and T-04 an administrator deactivates a technician, whose app gets the reason"""
    technician = Device(server)
    technician.sign_in(TECHNICIAN)
    path = "/admin/accounts/technician"

    assert send(admin, "PATCH", path, {"status": "deactivated"}).json["status"] == "deactivated"
    assert technician.api("/api/me").status == 401
    assert technician.refresh().json["reason"] == "account_deactivated"
    server.advance(61)
    assert Device(server).login(*TECHNICIAN.credentials.values()).error == "account_deactivated"
    illegal = send(admin, "PATCH", path, {"status": "rejected"})
    assert (illegal.status, illegal.error) == (409, "illegal_transition")
    assert send(admin, "PATCH", path, {"status": "active"}).status == 200
    Device(server).sign_in(TECHNICIAN)


def test_idempotency(server, admin):
    """One idempotency key creates one account, even at once and again after a crash"""
    def create(_):
        return send(admin, "POST", "/admin/accounts", NINA, key="one")

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(8)))
    server.kill()
    server.start()
    again = create(0)
    other = send(admin, "POST", "/admin/accounts", {**NINA, "name": "Nora"}, key="one")

    assert {answer.status for answer in [*answers, again]} == {201}
    assert {answer.body for answer in [*answers, again]} == {again.body}
    assert (other.status, other.error) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("path", [
    "/admin/accounts/", "/admin/accounts/..", "/admin/accounts/%2e%2e", "/admin/accounts/a%2fb",
    "/admin/accounts//sessions", "/admin/accounts/%zz", "/admin/accounts/%00",
    "/admin/accounts/%ff", "/admin/accounts/x/y"])
def test_odd_paths(server, path):
    """L-13 a path that two programs could read differently belongs to no account"""
    assert server.get(path).status in (400, 404)


def test_scope(server):
    """A technician's token opens no path under /admin"""
    technician = Device(server, scope="openid offline_access admin")
    technician.sign_in(TECHNICIAN)

    refused = send(technician, "GET", "/admin/accounts")

    assert (refused.status, refused.error) == (403, "insufficient_scope")


def test_own_sessions(server):
    """A person ends one of the own sessions, and then all of them"""
    phone, tablet = Device(server), Device(server)
    phone.sign_in(TECHNICIAN)
    server.advance(61)
    tablet.sign_in(TECHNICIAN)
    sessions = send(phone, "GET", "/api/sessions").json["sessions"]
    other = next(session["id"] for session in sessions if not session["current"])

    assert send(phone, "DELETE", f"/api/sessions/{other}").status == 204
    assert tablet.refresh().json["reason"] == "revoked"
    assert send(phone, "DELETE", "/api/sessions").status == 204
    assert phone.refresh().json["reason"] == "signed_out"
