"""The samples for other APIs: tokens checked in Python, behind nginx, and by introspection."""
import base64
import http.client
import json
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from device import Device
from harness import ROOT, TECHNICIAN, secret
from production import free_port

SAMPLES = ROOT / "docs/integrate"
API = "https://api.example.com"
SECRET = "q7" * 20

sys.path.insert(0, str(SAMPLES))
from check_token import Refused, TokenCheck  # noqa: E402
from gateway_check import application  # noqa: E402


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def company(new_server, tmp_path):
    """A development server with an API of the company, and a service account for that API."""
    key = tmp_path / "orders-api-secret"
    key.write_text(SECRET + "\n")
    key.chmod(0o600)
    secret(SECRET)
    path = tmp_path / "fieldpass.json"
    path.write_text(json.dumps({
        "organizations": [{"id": "north", "name": "North"}],
        "clients": [{
            "id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
            "sign_in": "password_and_code", "roles": ["technician"],
            "scopes": ["openid", "offline_access", "orders"], "audiences": [API]}],
        "service_accounts": [
            {"id": "orders-api", "name": "Orders", "scopes": ["introspect"],
             "secret_file": str(key)},
            {"id": "north-api", "name": "North", "scopes": ["introspect"],
             "organization": "north", "secret_file": str(key)},
            {"id": "planning", "name": "Planning", "scopes": ["jobs:write"],
             "secret_file": str(key)}]}))
    server = new_server()
    launch = server.launch
    server.launch = lambda *arguments: launch("--config", str(path), *arguments)
    yield server.start()
    server.close()


@pytest.fixture
def device(company):
    device = Device(company, scope="openid offline_access orders")
    device.sign_in(TECHNICIAN)
    return device


def refused(check, *arguments, **more):
    with pytest.raises(Refused) as found:
        check.check(*arguments, **more)
    return found.value.code


def test_check_token(company, device):
    """An API in Python accepts a bound token with its proof once, and refuses any difference"""
    check = TokenCheck(company.base, API)
    token, url = device.tokens["access_token"], API + "/orders"
    held = f"DPoP {token}"

    def proof(method="GET", address=url, **more):
        return [device.proof(method, address, token, **more)]

    claims = check.check(held, proof(), "GET", url + "?page=2", scope="orders")
    assert claims["client_id"] == "technician-app"
    used = proof()
    check.check(held, used, "GET", url)
    other_device = Device(company)
    for code, arguments in {
        "used before": ("invalid_dpop_proof", (held, used, "GET", url)),
        "other method": ("invalid_dpop_proof", (held, proof("POST"), "GET", url)),
        "other address": ("invalid_dpop_proof", (held, proof(address=url + "/1"), "GET", url)),
        "other key": ("invalid_dpop_proof", (held, proof(key=other_device.key), "GET", url)),
        "old": ("invalid_dpop_proof",
                (held, proof(claims={"iat": int(time.time()) - 61}), "GET", url)),
        "no token hash": ("invalid_dpop_proof", (held, proof(claims={"ath": None}), "GET", url)),
        "other type": ("invalid_dpop_proof", (held, proof(header={"typ": "JWT"}), "GET", url)),
        "key as text": ("invalid_dpop_proof", (held, proof(header={"jwk": "key"}), "GET", url)),
        "key as list": ("invalid_dpop_proof", (held, proof(header={"jwk": [1]}), "GET", url)),
        "key without point": (
            "invalid_dpop_proof", (held, proof(header={"jwk": {"kty": "EC"}}), "GET", url)),
        "point as number": (
            "invalid_dpop_proof",
            (held, proof(header={"jwk": {"kty": "EC", "crv": "P-256", "x": 1, "y": 2}}), "GET", url)),
        "address as number": ("invalid_dpop_proof", (held, proof(claims={"htu": 1}), "GET", url)),
        "hash not ASCII": ("invalid_dpop_proof", (held, proof(claims={"ath": "é"}), "GET", url)),
        "no proof": ("invalid_token", (held, [], "GET", url)),
        "two proofs": ("invalid_token", (held, proof() + proof(), "GET", url)),
        "as Bearer": ("invalid_token", (f"Bearer {token}", proof(), "GET", url)),
        "no token": ("invalid_token", (None, proof(), "GET", url)),
        "damaged": ("invalid_token", (held[:-4] + "AAAA", proof(), "GET", url)),
        "ID token": ("invalid_token", (f"DPoP {device.tokens['id_token']}", proof(), "GET", url)),
    }.values():
        assert refused(check, *arguments) == code, arguments
    assert refused(check, held, proof(), "GET", url, scope="admin") == "insufficient_scope"
    other = TokenCheck(company.base, "https://other.example.com")
    assert refused(other, held, proof(), "GET", url) == "invalid_token"


def serve(app):
    server = make_server("127.0.0.1", 0, app, handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def api(environ, start_response):
    """The company's API, which prints what the gateway passed to it."""
    body = json.dumps({
        "subject": environ.get("HTTP_X_SUBJECT"), "token": environ.get("HTTP_AUTHORIZATION")})
    start_response("200 OK", [("Content-Type", "application/json")])
    return [body.encode()]


@pytest.fixture
def gateway(company, tmp_path):
    """nginx with the sample configuration, on ports of this machine."""
    checker = serve(application(TokenCheck(company.base, API)))
    backend = serve(api)
    port = free_port()
    sample = (SAMPLES / "nginx.conf").read_text()
    for number, server in (("9000", checker), ("9001", backend)):
        assert sample.count("127.0.0.1:" + number) == 1
        sample = sample.replace("127.0.0.1:" + number, f"127.0.0.1:{server.server_port}")
    path = tmp_path / "nginx.conf"
    folders = "".join(
        f"{name}_temp_path {tmp_path}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    path.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ access_log off; {folders}\nserver {{ listen 127.0.0.1:{port};\n{sample}\n}} }}\n")
    process = subprocess.Popen(["/usr/sbin/nginx", "-c", str(path), "-p", str(tmp_path)])
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=1).connect()
            break
        except OSError:
            time.sleep(0.05)
    yield port
    process.terminate()
    process.wait(10)
    for server in (checker, backend):
        server.shutdown()


def through(port, path, headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def test_gateway(company, device, gateway):
    """Behind nginx an API gets the account of a checked token, and no request without one"""
    token = device.tokens["access_token"]
    proof = device.proof("GET", API + "/orders", token)
    headers = {"Authorization": f"DPoP {token}", "DPoP": proof, "X-Subject": "administrator"}

    status, _, body = through(gateway, "/orders?page=2", headers)

    subject = json.loads(body)["subject"]
    assert status == 200 and json.loads(body)["token"] is None
    assert subject == json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))["sub"]
    for headers in (headers, {}, {"X-Subject": "administrator"}):
        status, fields, body = through(gateway, "/orders?page=2", headers)
        assert status == 401 and b"subject" not in body
        assert fields["WWW-Authenticate"].startswith("DPoP error=")


def introspect(server, account, token):
    body = urllib.parse.urlencode({"token": token}).encode()
    basic = base64.b64encode(f"{account}:{SECRET}".encode()).decode()
    request = urllib.request.Request(
        server.base + "/oauth/introspect", body, {"Authorization": f"Basic {basic}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_introspection(company, device):
    """RFC 7662 a service account reads what a token means, and at once when its session ends"""
    token = device.tokens["access_token"]

    described = introspect(company, "orders-api", token)
    assert described["active"] is True and described["token_type"] == "DPoP"
    assert described["client_id"] == "technician-app" and API in described["aud"]
    for other in (device.tokens["refresh_token"], device.tokens["id_token"], "x", token[:-3]):
        assert introspect(company, "orders-api", other) == {"active": False}
    # The technician belongs to no organization, so this service account may not see the technician.
    assert introspect(company, "north-api", token) == {"active": False}

    device.revoke()
    assert introspect(company, "orders-api", token) == {"active": False}


def test_introspection_refused(company, device):
    """Introspection needs a service account with the scope introspect"""
    form = {"token": device.tokens["access_token"]}
    address = company.endpoint("introspection_endpoint")

    assert company.post(address, form=form).status == 401
    wrong = company.post(address, form=form | {
        "client_id": "orders-api", "client_secret": "w" * 40})
    assert (wrong.status, wrong.error) == (401, "invalid_client")
    scope = company.post(address, form=form | {"client_id": "planning", "client_secret": SECRET})
    assert (scope.status, scope.error) == (400, "unauthorized_client")
