"""A device of one person: its key, its proofs, and the sign-in as an app does it."""
import base64
import hashlib
import json
import secrets

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature, encode_dss_signature)

from harness import secret


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def json_part(members):
    return base64url(json.dumps(members).encode())


def sha256(text):
    return hashlib.sha256(text.encode()).digest()


def public_jwk(key):
    numbers = key.public_key().public_numbers()
    return {"kty": "EC", "crv": "P-256", "x": base64url(numbers.x.to_bytes(32, "big")),
            "y": base64url(numbers.y.to_bytes(32, "big"))}


def thumbprint(jwk):
    """RFC 7638."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    text = json.dumps(members, sort_keys=True, separators=(",", ":"))
    return base64url(sha256(text))


def es256(key, text):
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def public_key(jwk):
    x, y = (int.from_bytes(unbase64url(jwk[name]), "big") for name in "xy")
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def verify_es256(key, text, signature):
    """Whether the signature has 64 bytes (RFC 7518, section 3.4) and fits this key."""
    if len(signature) != 64:
        return False
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    try:
        key.verify(encode_dss_signature(r, s), text.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def read_token(token, keys):
    """The header and claims of a token, whose signature one of the server's keys must have made."""
    head, claims, signature = token.split(".")
    header = json.loads(unbase64url(head))
    jwk = next(k for k in keys["keys"] if k["kid"] == header["kid"])
    assert verify_es256(public_key(jwk), f"{head}.{claims}", unbase64url(signature)), \
        "the signature does not belong to the published key"
    return header, json.loads(unbase64url(claims))


HOME_SCOPES = {"rider-app": "dashboard", "product-app": "products", "mentor-app": "activities",
               "console": "admin"}


def full_scope(client):
    """The scope that the app itself asks for."""
    return f"openid offline_access account {HOME_SCOPES.get(client, 'jobs')}"


class Device:
    """One device: its key and its tokens."""

    def __init__(self, server, client="technician-app", scope=None):
        self.server, self.client = server, client
        self.scope = full_scope(client) if scope is None else scope
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.verifier = self.auth_session = self.tokens = None

    # MARK: Proofs

    def proof(self, method, url, token=None, *, header=None, claims=None, key=None):
        """Makes a DPoP proof; `header` and `claims` change members, and `None` removes one."""
        key = key or self.key
        heading = {"typ": "dpop+jwt", "alg": "ES256", "jwk": public_jwk(key)}
        body = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url.split("?")[0],
                "iat": int(self.server.now())}
        if token:
            body["ath"] = base64url(sha256(token))
        heading.update(header or {})
        body.update(claims or {})
        parts = [{n: v for n, v in members.items() if v is not None} for members in (heading, body)]
        text = ".".join(json_part(part) for part in parts)
        return text + "." + es256(key, text)

    def url(self, path):
        return path if path.startswith("http") else self.server.base + path

    def send(self, method, path, *, token=None, proof=None, scheme="DPoP", **more):
        """Sends a request with a proof; `token` is the access token."""
        url = self.url(path)
        headers = [("DPoP", proof or self.proof(method, url, token))]
        if token:
            headers.append(("Authorization", f"{scheme} {token}"))
        return self.server.call(method, url, headers=headers, **more)

    # MARK: Sign-in

    def challenge(self, **parameters):
        answer = self.send("POST", self.server.endpoint("authorization_challenge_endpoint"),
                           form={"client_id": self.client, **parameters})
        members = answer.json if answer.body else {}
        self.auth_session = secret(members.get("auth_session")) or self.auth_session
        secret(members.get("authorization_code"))
        return answer

    def first_call(self, **more):
        """The parameters of a first call, with a new verifier."""
        self.verifier = secret(base64url(secrets.token_bytes(32)))
        return {"response_type": "code", "scope": self.scope, "code_challenge_method": "S256",
                "code_challenge": base64url(sha256(self.verifier)), **more}

    def login(self, username, password, **more):
        secret(password)
        return self.challenge(**self.first_call(username=username, password=password, **more))

    def verify(self, code):
        return self.challenge(auth_session=self.auth_session, otp=code)

    def resend(self):
        return self.challenge(auth_session=self.auth_session, resend="true")

    def token(self, **parameters):
        answer = self.send("POST", self.server.endpoint("token_endpoint"),
                           form={"client_id": self.client, **parameters})
        if answer.status == 200:
            for name in ("access_token", "refresh_token", "id_token"):
                secret(answer.json.get(name))
        return answer

    def redeem(self, authorization_code, **changes):
        answer = self.token(**{"grant_type": "authorization_code", "code": authorization_code,
                               "code_verifier": self.verifier, **changes})
        if answer.status == 200:
            self.tokens = answer.json
        return answer

    def refresh(self, token=None, **changes):
        return self.token(**{"grant_type": "refresh_token",
                             "refresh_token": token or self.tokens["refresh_token"], **changes})

    def revoke(self, token=None):
        return self.send("POST", self.server.endpoint("revocation_endpoint"),
                         form={"client_id": self.client,
                               "token": token or self.tokens["refresh_token"]})

    def prove(self, person, **more):
        """Submits password and code; returns the authorization code."""
        sent = len(self.server.messages(person.phone))
        first = self.login(person.email, person.password, **more)
        assert first.error == "insufficient_authorization", first
        done = self.verify(self.server.code(person.phone, sent))
        assert done.status == 200, done
        return done.json["authorization_code"]

    def sign_in(self, person, **more):
        """Signs in completely; returns the answer of the token endpoint."""
        answer = self.redeem(self.prove(person, **more))
        assert answer.status == 200, answer
        return answer.json

    # MARK: Data

    def api(self, path, method="GET", *, token=None, **more):
        return self.send(method, path, token=token or self.tokens["access_token"], **more)
