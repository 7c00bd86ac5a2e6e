"""Identity providers: one that others wrote, and one that misbehaves as a test says."""
import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import pathlib
import re
import shutil
import socketserver
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from harness import secret
from production import free_port

CLIENT_ID = "fieldpass"
# Only a part of a form or a field; it is searched for in all logs.
CLIENT_SECRET = secret("a-client-secret-7Qe0vR2m")


@contextlib.contextmanager
def standard_provider(folder, *people):
    """Starts the provider `oidc-provider-mock`, which is built on Authlib."""
    port = free_port()
    program = pathlib.Path(sys.executable).with_name("oidc-provider-mock")
    arguments = [argument for person in people
                 for argument in ("--user-claims", json.dumps(person))]
    with open(folder / "provider.log", "wb") as log:
        process = subprocess.Popen([program, "-p", str(port), *arguments], stdout=log, stderr=log)
    issuer = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(issuer + "/.well-known/openid-configuration", timeout=5)
                break
            time.sleep(0.05)
        yield issuer
    finally:
        process.terminate()
        process.wait(10)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(members):
    return base64url(json.dumps(members).encode())


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class MisbehavingProvider:
    """An OpenID provider on this machine. `fault` decides what it does wrong."""

    def __init__(self):
        self.fault, self.key, self.key_id, self.asked = None, new_key(), "k1", []
        self.claims, self.subject = {}, "subject-1"
        self.nonces, self.released = {}, threading.Event()
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                provider.get(self)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                provider.post(self, dict(urllib.parse.parse_qsl(body)))

        class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.listener.server_port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.released.set()
        self.listener.shutdown()
        self.listener.server_close()

    def rotate(self):
        self.key, self.key_id = new_key(), f"k{int(self.key_id[1:]) + 1}"

    # MARK: Answers

    def get(self, handler):
        url = urllib.parse.urlparse(handler.path)
        self.asked.append(url.path)
        if url.path == "/.well-known/openid-configuration":
            self.answer(handler, "discovery", {
                "issuer": self.issuer, "authorization_endpoint": self.issuer + "/authorize",
                "token_endpoint": self.issuer + "/token", "jwks_uri": self.issuer + "/keys",
                "end_session_endpoint": self.issuer + "/logout",
                "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"]})
        elif url.path == "/keys":
            self.answer(handler, "keys", {"keys": [self.jwk()]})
        elif url.path == "/authorize":
            asked = dict(urllib.parse.parse_qsl(url.query))
            self.nonces["code"] = asked["nonce"]
            result = ({"error": "access_denied"} if self.fault == "authorize denied"
                      else {"code": "code"})
            back = urllib.parse.urlencode(result | {"state": asked["state"]})
            self.send(handler, 302, b"", ("Location", f"{asked['redirect_uri']}?{back}"))
        else:
            self.send(handler, 404, b"")

    def post(self, handler, form):
        self.asked.append(handler.path)
        self.form, self.authorization = form, handler.headers["Authorization"]
        self.answer(handler, "token", {
            "access_token": "an-access-token", "token_type": "Bearer",
            "id_token": self.id_token()})

    def answer(self, handler, place, document):
        """Sends the document, or what the fault at this place says."""
        where, _, kind = (self.fault or "").partition(" ")
        if where != place:
            kind = ""
        if kind == "hang":
            self.released.wait(30)
        elif kind == "slow":
            handler.send_response(200)
            handler.send_header("Content-Length", "100000")
            handler.end_headers()
            with contextlib.suppress(OSError):
                while not self.released.wait(0.2):
                    handler.wfile.write(b" ")
                    handler.wfile.flush()
        elif kind == "gigabyte":
            handler.send_response(200)
            handler.send_header("Content-Length", str(1 << 30))
            handler.end_headers()
            self.sent = 0
            with contextlib.suppress(OSError):
                while self.sent < 1 << 30:
                    handler.wfile.write(b" " * 65536)
                    self.sent += 65536
            handler.close_connection = True
        elif kind == "redirect":
            self.send(handler, 302, b"", ("Location", "http://169.254.169.254/latest"))
        elif kind == "error":
            self.send(handler, 500, b"{}")
        elif kind == "html":
            self.send(handler, 200, b"<html>")
        else:
            self.send(handler, 200, json.dumps(document).encode())

    @staticmethod
    def send(handler, status, body, *fields):
        handler.send_response(status)
        for name, value in (("Content-Type", "application/json"),
                            ("Content-Length", str(len(body))), *fields):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    # MARK: Tokens

    def jwk(self):
        jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return jwk | {"kid": self.key_id, "use": "sig", "alg": "RS256"}

    def id_token(self):
        now = int(time.time())
        digest = hashlib.sha256(b"an-access-token").digest()[:16]
        claims = {
            "iss": self.issuer, "aud": CLIENT_ID, "sub": self.subject, "iat": now,
            "exp": now + 300, "nonce": self.nonces["code"],
            "at_hash": base64url(digest)}
        claims = {name: value for name, value in (claims | self.claims).items()
                  if value is not None}
        if self.fault == "alg none":
            return jwt.encode(claims, None, "none", headers={"kid": self.key_id})
        if self.fault == "alg confused":
            # The public key as the secret of a MAC. A library refuses to make such a token.
            public = self.key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            text = ".".join(part(members) for members in (
                {"alg": "HS256", "kid": self.key_id}, claims))
            return text + "." + base64url(hmac.digest(public, text.encode(), "sha256"))
        key = new_key() if self.fault == "alg stranger" else self.key
        return jwt.encode(claims, key, "RS256", headers={"kid": self.key_id})


class GlewlwydAPI:
    """The administration of a Glewlwyd server, with one session."""

    def __init__(self, base, user, password):
        self.base = base
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.call("POST", "/api/auth/", {"username": user, "password": password})

    def call(self, method, path, document):
        request = urllib.request.Request(
            self.base + path, json.dumps(document).encode(),
            {"Content-Type": "application/json"}, method=method)
        with self.opener.open(request, timeout=30) as answer:
            return answer.read()


def glewlwyd_plugin(issuer):
    """An OpenID provider with codes only, which requires PKCE with S256."""
    key = new_key()
    private = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key))
    keys = {"keys": [private | {"kid": "rsa-1", "use": "sig", "alg": "RS256"}]}
    flows = {f"auth-type-{name}-enabled": name == "code" for name in (
        "code", "token", "id-token", "password", "client", "device", "refresh", "none")}
    return {
        "iss": issuer, "jwks-private": json.dumps(keys), "jwks-uri": "", "default-kid": "rsa-1",
        "access-token-duration": 3600, "refresh-token-duration": 3600, "code-duration": 600,
        "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
        "auth-type-code-revoke-replayed": True, "scope": [], "additional-parameters": [],
        "claims": [], "name-claim": "mandatory", "email-claim": "mandatory",
        "name-claim-scope": ["openid"], "email-claim-scope": ["openid"],
        "address-claim": {"type": "no"}, "secret-type": "public", "subject-type": "public",
        "jwks-show": True, "jwks-x5c": [], "request-parameter-allow": False,
        "request-maximum-exp": 3600, "pkce-allowed": True, "pkce-method-plain-allowed": False,
        "pkce-required": True, "pkce-scopes": [], "session-management-allowed": False,
        "register-client-allowed": False, "oauth-dpop-allowed": False, "oauth-par-allowed": False,
        "introspection-revocation-allowed": False, "resource-allowed": False,
        "encrypt-out-token-allow": False} | flows


@contextlib.contextmanager
def glewlwyd(folder, redirect_uri):
    """Starts Debian's Glewlwyd with one user, `alice` with the password `wonderland1`."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    tables = pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3").read_text()
    with contextlib.closing(sqlite3.connect(folder / "glewlwyd.db")) as database:
        database.executescript(tables)
    # Debian's link to the settings of the pages names a folder, and the font is not installed.
    pages = shutil.copytree(
        "/usr/share/glewlwyd/webapp", folder / "pages", ignore=lambda *_: [
            "config.json", "fork-awesome.min.css", "v5-compat.min.css"])
    shutil.copy("/etc/glewlwyd/config-2.7.json/config.json", pages)
    settings = pathlib.Path("/etc/glewlwyd/glewlwyd.conf").read_text()
    for pattern, value in {
            r"^port=.*": f"port={port}", r"^external_url=.*": f'external_url="{base}"',
            r"^log_mode=.*": 'log_mode="console"',
            r"^# static_files_path=.*": f'static_files_path="{pages}/"',
            r"^@include .*": f'database={{type="sqlite3" path="{folder}/glewlwyd.db"}};'}.items():
        settings = re.sub(pattern, lambda _, value=value: value, settings, flags=re.MULTILINE)
    (folder / "glewlwyd.conf").write_text(settings)
    with open(folder / "glewlwyd.log", "wb") as log:
        process = subprocess.Popen(
            ["glewlwyd", "-c", str(folder / "glewlwyd.conf")], stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(base + "/config", timeout=5)
                break
            time.sleep(0.05)
        issuer = base + "/api/oidc"
        admin = GlewlwydAPI(base, "admin", "password")
        admin.call("POST", "/api/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OIDC", "order_rank": 0,
            "enabled": True, "parameters": glewlwyd_plugin(issuer)})
        admin.call("POST", "/api/client/?source=database", {
            "client_id": CLIENT_ID, "name": "Fieldpass", "enabled": True, "confidential": True,
            "password": CLIENT_SECRET, "client_secret": CLIENT_SECRET, "scope": ["openid"],
            "redirect_uri": [redirect_uri], "authorization_type": ["code"],
            "token_endpoint_auth_method": ["client_secret_basic"]})
        admin.call("POST", "/api/user/?source=database", {
            "username": "alice", "name": "Alice", "email": "alice@example.com",
            "password": "wonderland1", "enabled": True, "scope": ["openid", "g_profile"]})
        GlewlwydAPI(base, "alice", "wonderland1").call(
            "PUT", "/api/auth/grant/" + CLIENT_ID, {"scope": "openid"})
        yield issuer
    finally:
        process.terminate()
        process.wait(10)


def glewlwyd_subject(folder):
    """The identifier that Glewlwyd gave to its user at the first sign-in."""
    with contextlib.closing(sqlite3.connect(folder / "glewlwyd.db")) as database:
        rows = database.execute(
            "SELECT gposi_sub FROM gpo_subject_identifier WHERE gposi_username = 'alice'")
        return rows.fetchone()[0]
