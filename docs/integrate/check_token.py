"""Checks access tokens of Fieldpass at an API of your own. Needs PyJWT with cryptography:

    pip install "pyjwt[crypto]"
"""
import base64
import hashlib
import hmac
import json
import threading
import time

import jwt

PROOF_SECONDS = 60
"""How old a proof may be, and how far its clock may be ahead."""


class Refused(Exception):
    """Why a request is refused; `code` is the error of RFC 6750 or RFC 9449."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code

    @property
    def challenge(self):
        """The value of `WWW-Authenticate`."""
        return f'DPoP error="{self.code}", algs="ES256"'


class TokenCheck:
    """One per process: it remembers the keys of the server and the proofs that were used."""

    def __init__(self, issuer, audience, ssl_context=None):
        """`ssl_context` is for a server whose certificate is from a private authority."""
        self.issuer, self.audience = issuer, audience
        # Reads the keys again after five minutes, and at once for a key that it does not know.
        self.keys = jwt.PyJWKClient(issuer + "/jwks.json", lifespan=300, ssl_context=ssl_context)
        self.used = {}
        self.lock = threading.Lock()

    def check(self, authorization, proofs, method, url, scope=None):
        """The claims of the token in `authorization`, the value of the Authorization field.

        `proofs` are the values of the DPoP field. `url` is what the app called: behind a gateway
        that is the public address, not the one that reaches this process.
        """
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() not in ("dpop", "bearer") or not token:
            raise Refused("invalid_token", "an access token is needed")
        claims = self.claims(token)
        key = claims.get("cnf", {}).get("jkt")
        if key is not None:
            # A bound token that came as Bearer may have been stolen (RFC 9449, section 7.2).
            if scheme.lower() != "dpop" or len(proofs) != 1:
                raise Refused("invalid_token", "the token needs the DPoP scheme and one proof")
            self.check_proof(proofs[0], token, key, method, url)
        elif scheme.lower() != "bearer":
            raise Refused("invalid_token", "the token needs the Bearer scheme")
        if scope and scope not in claims.get("scope", "").split():
            raise Refused("insufficient_scope", f"the scope {scope} is needed")
        return claims

    def claims(self, token):
        try:
            key = self.keys.get_signing_key_from_jwt(token)
            whole = jwt.decode_complete(
                token, key, algorithms=["ES256"], issuer=self.issuer, audience=self.audience,
                options={"require": ["exp", "iat", "sub", "client_id"]})
        except jwt.PyJWKClientConnectionError:
            raise
        except jwt.PyJWTError as error:
            raise Refused("invalid_token", str(error)) from None
        # An ID token is signed by the same key and is no access token (RFC 9068, section 4).
        if whole["header"].get("typ", "").lower() not in ("at+jwt", "application/at+jwt"):
            raise Refused("invalid_token", "this is no access token")
        return whole["payload"]

    def check_proof(self, proof, token, thumbprint, method, url):
        try:
            header = jwt.get_unverified_header(proof)
            if not isinstance(header.get("jwk"), dict):
                raise jwt.InvalidTokenError("the proof has no key")
            key = jwt.PyJWK.from_dict(header["jwk"], algorithm="ES256")
            claims = jwt.decode(
                proof, key, algorithms=["ES256"],
                options={"require": ["jti", "iat", "htm", "htu", "ath"], "verify_iat": False})
            if not all(isinstance(claims[name], str) for name in ("jti", "htm", "htu", "ath")):
                raise jwt.InvalidTokenError("a claim of the proof is not text")
            proved = jwk_thumbprint(header["jwk"])
        # The sender writes the proof: anything in it may have a wrong type.
        except (jwt.PyJWTError, KeyError, TypeError, ValueError) as error:
            raise Refused("invalid_dpop_proof", str(error)) from None
        now = time.time()
        ath = base64url(hashlib.sha256(token.encode()).digest())
        rules = {
            "typ": header.get("typ") == "dpop+jwt" and "d" not in header["jwk"],
            "key": hmac.compare_digest(proved, thumbprint),
            "htm": claims["htm"] == method,
            "htu": claims["htu"].split("?")[0].split("#")[0] == url.split("?")[0],
            "ath": hmac.compare_digest(claims["ath"].encode(), ath.encode()),
            "iat": isinstance(claims["iat"], (int, float))
            and abs(now - claims["iat"]) <= PROOF_SECONDS,
        }
        for name, is_right in rules.items():
            if not is_right:
                raise Refused("invalid_dpop_proof", f"{name} of the proof is wrong")
        self.use(f"{thumbprint} {claims['jti']}", now)

    def use(self, name, now):
        """Refuses a proof that came before. Several processes must share this memory."""
        with self.lock:
            self.used = {used: until for used, until in self.used.items() if until > now}
            if name in self.used:
                raise Refused("invalid_dpop_proof", "this proof was used before")
            self.used[name] = now + 2 * PROOF_SECONDS


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jwk_thumbprint(jwk):
    """RFC 7638, for keys of elliptic curves."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    text = json.dumps(members, sort_keys=True, separators=(",", ":"))
    return base64url(hashlib.sha256(text.encode()).digest())
