"""An adopter's own package: it signs in with its own client id and calls its own API.

The package's manifest, its program and the server's configuration come from docs/swift-client.md.
"""
import http.server
import json
import os
import re
import subprocess
import threading
import time

import pytest

from device import base64url, public_key, read_token, sha256, thumbprint, unbase64url, verify_es256
from harness import ROOT, TECHNICIAN, secret

# Compiled once for all tests, beside the tests' own build.
SCRATCH = ROOT / ".build/client-package"

pytestmark = pytest.mark.long


def documented(language, beginning):
    """The block of code in the document that begins with this text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs/swift-client.md").read_text(), re.S)
    return next(block for block in blocks if block.startswith(beginning))


API = "https://api.example.com"
CONFIGURATION = {"clients": [json.loads(documented("json", '{ "id": "orders-app"'))]}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Builds the program of the document in a package outside the repository."""
    folder = tmp_path_factory.mktemp("adopter")
    (folder / "fieldpass").symlink_to(ROOT)
    package = folder / "orders-app"
    sources = package / "Sources/orders-app"
    sources.mkdir(parents=True)
    (package / "Package.swift").write_text(documented("swift", "// swift-tools-version"))
    (sources / "OrdersApp.swift").write_text(documented("swift", "import Foundation\n"))
    began = time.monotonic()
    built = subprocess.run(
        ["swift", "build", "--package-path", package, "--scratch-path", SCRATCH],
        capture_output=True, text=True, timeout=900)
    assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-2000:]
    print(f"built in {time.monotonic() - began:.1f} s")
    return SCRATCH / "debug/orders-app"


class OrdersAPI(http.server.ThreadingHTTPServer):
    """An adopter's API that accepts only tokens of this server with a proof (RFC 9449)."""

    def __init__(self, login):
        super().__init__(("127.0.0.1", 0), OrdersHandler)
        self.login, self.seen, self.requests = login, set(), []
        self.keys = login.get("/jwks.json").json
        self.address = f"http://127.0.0.1:{self.server_port}/orders"
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.shutdown()
        self.thread.join()
        self.server_close()

    def refusal(self, method, url, authorization, proof):
        """The reason why a request is refused; `None` if it is accepted."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme != "DPoP" or not proof:
            return "no token, or no proof"
        try:
            header, claims = read_token(token, self.keys)
        except (AssertionError, StopIteration, ValueError):
            return "not a token of this server"
        now, issuer = self.login.now(), self.login.meta["issuer"]
        if header["typ"] != "at+jwt" or header["alg"] != "ES256":
            return "not an access token"
        if claims["iss"] != issuer or API not in claims["aud"]:
            return "for another API"
        if claims["exp"] <= now or claims["client_id"] != "orders-app":
            return "expired, or of another app"
        if "orders" not in claims["scope"].split():
            return "without the scope"
        return self.proof_refusal(method, url, token, claims["cnf"]["jkt"], proof)

    def proof_refusal(self, method, url, token, key, proof):
        head, body, signature = proof.split(".")
        header, claims = json.loads(unbase64url(head)), json.loads(unbase64url(body))
        if header["typ"] != "dpop+jwt" or header["alg"] != "ES256":
            return "not a proof"
        if thumbprint(header["jwk"]) != key:
            return "the key of another device"
        if not verify_es256(public_key(header["jwk"]), f"{head}.{body}", unbase64url(signature)):
            return "a wrong signature"
        if (claims["htm"], claims["htu"]) != (method, url.split("?")[0]):
            return "for another request"
        if abs(claims["iat"] - self.login.now()) > 60 or claims["jti"] in self.seen:
            return "too old, or used before"
        if claims["ath"] != base64url(sha256(token)):
            return "for another token"
        self.seen.add(claims["jti"])
        return None


class OrdersHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        api = self.server
        url = f"http://{self.headers['Host']}{self.path}"
        request = ("GET", url, self.headers["Authorization"], self.headers["DPoP"])
        secret((request[2] or "").partition(" ")[2])
        api.requests.append(request)
        refusal = api.refusal(*request)
        body = json.dumps({"refused": refusal} if refusal else {"orders": ["drill", "ladder"]})
        self.send_response(401 if refusal else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture
def login(new_server):
    server = new_server().start(configuration=CONFIGURATION)
    yield server
    server.close()


@pytest.fixture
def api(login):
    api = OrdersAPI(login)
    yield api
    api.close()


def run(program, login, address, home):
    """Signs in with typed input, as a person does; returns the output of the program."""
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    sent = len(login.messages(TECHNICIAN.phone))
    app = subprocess.Popen(
        [program, login.base, address, TECHNICIAN.email], env={**kept, "HOME": str(home)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    app.stdin.write(secret(TECHNICIAN.password) + "\n")
    app.stdin.flush()
    code = login.code(TECHNICIAN.phone, sent)
    output, errors = app.communicate(code + "\n", timeout=60)
    return app.returncode, output, errors


def test_own_api(program, login, api, tmp_path):
    """An adopter's package signs in with its own client id, and its own API checks its token"""
    status, output, errors = run(program, login, api.address, tmp_path / "home")

    assert status == 0, (output, errors)
    assert '{"orders": ["drill", "ladder"]}' in output
    assert "***-***-1234" in output
    # The log that the program writes has the requests and no secret.
    assert "POST /oauth/token: 200" in errors
    for hidden in (TECHNICIAN.password, TECHNICIAN.email, api.requests[0][2][5:], api.requests[0][3]):
        assert hidden not in errors

    # The API refuses the same request a second time, and one without its proof.
    method, url, authorization, proof = api.requests[0]
    assert api.refusal(method, url, authorization, proof) == "too old, or used before"
    assert api.refusal(method, url + "/1", authorization, proof) == "for another request"
    assert api.refusal(method, url, authorization, None) == "no token, or no proof"
    assert api.refusal(method, url, authorization[:-4] + "AAAA", proof) == "not a token of this server"


def test_wrong_password(program, login, api, tmp_path):
    """A wrong password gives an error in words, and no request reaches the adopter's API"""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    typed = "wrong password\n"

    app = subprocess.run(
        [program, login.base, api.address, TECHNICIAN.email], input=typed, text=True,
        env={**kept, "HOME": str(tmp_path), "LANG": "en"}, capture_output=True, timeout=60)

    assert app.returncode == 1
    assert "Invalid email or password." in app.stdout
    assert api.requests == []
