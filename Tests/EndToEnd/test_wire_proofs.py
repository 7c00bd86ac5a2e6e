"""Forged and stolen proofs and tokens (RFC 9449, section 11; RFC 8725): each is refused."""
import hashlib
import hmac
import json
import secrets

import pytest

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from device import Device, base64url, es256, json_part, public_jwk, unbase64url
from harness import TECHNICIAN

OTHER_KEY = ec.generate_private_key(ec.SECP256R1())


def parts(jwt):
    head, claims, signature = jwt.split(".")
    return json.loads(unbase64url(head)), json.loads(unbase64url(claims)), signature


def unsigned(jwt):
    """`alg: none`, in the form of RFC 7515."""
    head, claims, _ = parts(jwt)
    return f"{json_part(head | {'alg': 'none'})}.{json_part(claims)}."


def with_public_key_as_secret(jwt, jwk):
    """HS256 whose secret is the public key."""
    head, claims, _ = parts(jwt)
    text = f"{json_part(head | {'alg': 'HS256'})}.{json_part(claims)}"
    mac = hmac.new(json.dumps(jwk).encode(), text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64url(mac)}"


def with_broken_signature(jwt):
    text, signature = jwt.rsplit(".", 1)
    raw = bytearray(unbase64url(signature))
    raw[40] ^= 1
    return f"{text}.{base64url(bytes(raw))}"


def private_jwk(key):
    number = key.private_numbers().private_value
    return public_jwk(key) | {"d": base64url(number.to_bytes(32, "big"))}


def off_the_curve(key):
    return public_jwk(key) | {"y": base64url(b"\x01" * 32)}


# Each makes a forged proof for a call from a proof of the device.
FORGERIES = {
    "alg none": lambda d, m, u, t: unsigned(d.proof(m, u, t)),
    "alg HS256": lambda d, m, u, t: with_public_key_as_secret(d.proof(m, u, t), public_jwk(d.key)),
    "alg RS256": lambda d, m, u, t: d.proof(m, u, t, header={"alg": "RS256"}),
    "no alg": lambda d, m, u, t: d.proof(m, u, t, header={"alg": None}),
    "private key": lambda d, m, u, t: d.proof(m, u, t, header={"jwk": private_jwk(d.key)}),
    "no key": lambda d, m, u, t: d.proof(m, u, t, header={"jwk": None}),
    "key off the curve": lambda d, m, u, t: d.proof(m, u, t, header={"jwk": off_the_curve(d.key)}),
    "another key's signature": lambda d, m, u, t: d.proof(
        m, u, t, key=OTHER_KEY, header={"jwk": public_jwk(d.key)}),
    "broken signature": lambda d, m, u, t: with_broken_signature(d.proof(m, u, t)),
    "plain JWT": lambda d, m, u, t: d.proof(m, u, t, header={"typ": "JWT"}),
    "unknown crit": lambda d, m, u, t: d.proof(m, u, t, header={"crit": ["b64"], "b64": False}),
    "wrong method": lambda d, m, u, t: d.proof(m, u, t, claims={"htm": "PUT"}),
    "wrong path": lambda d, m, u, t: d.proof(m, u, t, claims={"htu": u + "/more"}),
    "wrong host": lambda d, m, u, t: d.proof(
        m, u, t, claims={"htu": u.replace("127.0.0.1", "evil.example")}),
    "no method": lambda d, m, u, t: d.proof(m, u, t, claims={"htm": None}),
    "no address": lambda d, m, u, t: d.proof(m, u, t, claims={"htu": None}),
    "no identifier": lambda d, m, u, t: d.proof(m, u, t, claims={"jti": None}),
    "huge identifier": lambda d, m, u, t: d.proof(m, u, t, claims={"jti": "x" * 4000}),
    "no time": lambda d, m, u, t: d.proof(m, u, t, claims={"iat": None}),
    "time as text": lambda d, m, u, t: d.proof(m, u, t, claims={"iat": "now"}),
    "future": lambda d, m, u, t: d.proof(m, u, t, claims={"iat": int(d.server.now()) + 600}),
    "past": lambda d, m, u, t: d.proof(m, u, t, claims={"iat": int(d.server.now()) - 600}),
    "end of time": lambda d, m, u, t: d.proof(m, u, t, claims={"iat": 2 ** 63 - 1}),
    "not a JWT": lambda d, m, u, t: "not-a-proof",
    "four parts": lambda d, m, u, t: d.proof(m, u, t) + ".more",
    "deep JSON": lambda d, m, u, t: base64url(b"[" * 3000) + ".e30.e30",
}


@pytest.fixture(scope="module")
def signed_in(new_server):
    """One device that signed in once. Refused proofs change nothing for it."""
    server = new_server().start()
    device = Device(server)
    device.sign_in(TECHNICIAN)
    yield device
    server.close()


def assert_refused_by_api(answer):
    assert answer.status == 401, answer
    assert answer["WWW-Authenticate"].startswith("DPoP "), answer.fields
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.error in ("invalid_token", "invalid_dpop_proof"), answer


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_proof_for_tokens(signed_in, name):
    """L-18 a forged proof gets no tokens"""
    url = signed_in.server.endpoint("token_endpoint")
    proof = FORGERIES[name](signed_in, "POST", url, None)

    answer = signed_in.send("POST", url, proof=proof, form={
        "grant_type": "refresh_token", "client_id": signed_in.client,
        "refresh_token": signed_in.tokens["refresh_token"]})

    assert (answer.status, answer.error) == (400, "invalid_dpop_proof"), answer


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_proof_for_data(signed_in, name):
    """L-18 a forged proof gets no data"""
    token = signed_in.tokens["access_token"]
    proof = FORGERIES[name](signed_in, "GET", signed_in.url("/api/me"), token)

    assert_refused_by_api(signed_in.api("/api/me", proof=proof))


@pytest.mark.parametrize("ath", [None, "", base64url(hashlib.sha256(b"another").digest())])
def test_proof_of_another_token(signed_in, ath):
    """L-18 a proof is bound to one access token"""
    token = signed_in.tokens["access_token"]
    proof = signed_in.proof("GET", signed_in.url("/api/me"), token, claims={"ath": ath})

    assert_refused_by_api(signed_in.api("/api/me", proof=proof))


def test_proof_of_another_device(signed_in):
    """L-18 a stolen access token is useless with another key"""
    attacker = Device(signed_in.server)

    assert_refused_by_api(attacker.api("/api/me", token=signed_in.tokens["access_token"]))


def test_replayed_proof(signed_in):
    """L-18 a proof is accepted once"""
    token = signed_in.tokens["access_token"]
    proof = signed_in.proof("GET", signed_in.url("/api/me"), token)

    assert signed_in.api("/api/me", proof=proof).status == 200
    assert_refused_by_api(signed_in.api("/api/me", proof=proof))


def test_replayed_proof_at_sign_in(signed_in):
    """L-18 a proof is accepted once at the sign-in too"""
    url = signed_in.server.endpoint("authorization_challenge_endpoint")
    proof = signed_in.proof("POST", url)
    form = {"client_id": signed_in.client, "auth_session": "unknown", "otp": "123456"}

    first = signed_in.send("POST", url, proof=proof, form=form)
    second = signed_in.send("POST", url, proof=proof, form=form)

    assert first.error == "invalid_session"
    assert (second.status, second.error) == (400, "invalid_dpop_proof")


def test_two_proofs(signed_in):
    """L-18 two proofs in one request are refused"""
    server, token = signed_in.server, signed_in.tokens["access_token"]
    proofs = [signed_in.proof("GET", signed_in.url("/api/me"), token) for _ in range(2)]

    apart = server.get("/api/me", headers=[
        ("DPoP", proofs[0]), ("DPoP", proofs[1]), ("Authorization", f"DPoP {token}")])
    joined = signed_in.api("/api/me", proof=", ".join(proofs))

    assert_refused_by_api(apart)
    assert_refused_by_api(joined)


@pytest.mark.parametrize("endpoint", ["authorization_challenge_endpoint", "token_endpoint"])
def test_no_proof(signed_in, endpoint):
    """L-18 without a proof there is no sign-in and no token"""
    server = signed_in.server

    answer = server.post(server.endpoint(endpoint), form={
        "client_id": signed_in.client, "grant_type": "refresh_token", "response_type": "code",
        "refresh_token": signed_in.tokens["refresh_token"], "code_challenge": "A" * 43,
        "code_challenge_method": "S256", **TECHNICIAN.credentials})

    assert (answer.status, answer.error) == (400, "invalid_dpop_proof"), answer


def test_bound_token_as_bearer(signed_in):
    """L-18 a bound token sent as Bearer is refused, with and without a proof"""
    server, token = signed_in.server, signed_in.tokens["access_token"]

    alone = server.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    proved = signed_in.api("/api/me", scheme="Bearer")

    for answer in (alone, proved):
        assert answer.status == 401
        assert answer["WWW-Authenticate"]


def test_no_token(signed_in):
    """Data needs a token"""
    answer = signed_in.server.get("/api/jobs")

    assert answer.status == 401
    assert answer["WWW-Authenticate"].startswith("DPoP")
    assert answer["Content-Type"] == "application/problem+json"


def test_two_tokens(signed_in):
    """L-18 two access tokens in one request are refused"""
    token = signed_in.tokens["access_token"]
    proof = signed_in.proof("GET", signed_in.url("/api/me"), token)

    answer = signed_in.server.get("/api/me", headers=[
        ("DPoP", proof), ("Authorization", f"DPoP {token}"), ("Authorization", f"DPoP {token}")])

    assert answer.status in (400, 401)


def signed_by(key, header, claims):
    text = f"{json_part(header)}.{json_part(claims)}"
    return f"{text}.{es256(key, text)}"


def forged_tokens(token, jwk):
    header, claims, signature = parts(token)
    later = claims | {"exp": claims["exp"] + 10 ** 6}
    return {
        "alg none": unsigned(token),
        "alg HS256": with_public_key_as_secret(token, jwk),
        "broken signature": with_broken_signature(token),
        "longer life": f"{json_part(header)}.{json_part(later)}.{signature}",
        "own key": signed_by(OTHER_KEY, header, claims),
        "own key named": signed_by(OTHER_KEY, header | {"jwk": public_jwk(OTHER_KEY)}, claims),
        "own key address": signed_by(
            OTHER_KEY, header | {"jku": "http://127.0.0.1:9/jwks.json"}, claims),
        "kid traversal": signed_by(OTHER_KEY, header | {"kid": "../../dev/null"}, claims),
        "kid injection": signed_by(OTHER_KEY, header | {"kid": "x' OR '1'='1"}, claims),
        "no signature": token.rsplit(".", 1)[0] + ".",
        "random": secrets.token_urlsafe(40),
    }


def test_forged_access_tokens(signed_in):
    """L-18 an access token with any forged part gets no data"""
    jwk = signed_in.server.get("/jwks.json").json["keys"][0]

    for name, token in forged_tokens(signed_in.tokens["access_token"], jwk).items():
        answer = signed_in.api("/api/me", token=token)
        assert (name, answer.status) == (name, 401)


def test_token_for_others(signed_in):
    """L-18 a token of the server is refused for another audience, issuer or type"""
    pem = (signed_in.server.data / "keys/signing.pem").read_bytes()
    key = load_pem_private_key(pem, password=None)
    header, claims, _ = parts(signed_in.tokens["access_token"])

    def status(header, claims):
        return signed_in.api("/api/me", token=signed_by(key, header, claims)).status

    assert status(header, claims) == 200
    for name in ("aud", "iss"):
        assert status(header, claims | {name: "https://login.example.com"}) == 401, name
        assert status(header, {n: v for n, v in claims.items() if n != name}) == 401, name
    for kind in ("JWT", "dpop+jwt", None):
        assert status(header | {"typ": kind}, claims) == 401, kind
    assert status(header, claims | {"exp": int(signed_in.server.now())}) == 401


def test_id_token_as_access_token(signed_in):
    """L-18 an ID token is not accepted as an access token"""
    assert_refused_by_api(signed_in.api("/api/me", token=signed_in.tokens["id_token"]))


def test_still_signed_in(signed_in):
    """L-18 none of these attempts ended the session of the device"""
    assert signed_in.api("/api/me").status == 200
