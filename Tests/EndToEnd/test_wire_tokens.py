"""Codes, tokens and sessions over HTTP, as an app and as an attacker use them."""
import pytest

from device import Device, public_jwk, read_token, thumbprint
from harness import TECHNICIAN


def refusal(answer):
    return answer.status, answer.error, answer.json.get("reason")


# MARK: What a sign-in gives


def test_access_token(server, device):
    """T-01, R-01 the access token is a signed JWT bound to the device (RFC 9068, RFC 9449)"""
    answer = device.sign_in(TECHNICIAN)
    now = server.now()

    header, claims = read_token(answer["access_token"], server.get("/jwks.json").json)

    assert (header["typ"], header["alg"]) == ("at+jwt", "ES256")
    assert claims["iss"] == server.base and claims["aud"] and claims["sub"] and claims["jti"]
    assert claims["client_id"] == "technician-app"
    assert set(claims["scope"].split()) == set(device.scope.split())
    assert abs(claims["iat"] - now) <= 5
    assert claims["exp"] - claims["iat"] == answer["expires_in"] <= 900
    assert claims["cnf"] == {"jkt": thumbprint(public_jwk(device.key))}


def test_token_answer(server, device):
    """T-01 the token answer says what the session may do and how long it lasts"""
    answer = device.sign_in(TECHNICIAN)

    assert answer["token_type"] == "DPoP"
    session = answer["session"]
    assert session["id"] and session["expires_at"] > server.now() + 3600
    assert session["idle_timeout"] > 0 and session["background_timeout"] >= 0
    assert session["unlock"] in ("none", "biometric")


def test_id_token(server, device):
    """The ID token repeats the nonce and says when and how the person signed in"""
    answer = device.sign_in(TECHNICIAN, nonce="n-0S6_WzA2Mj")

    header, claims = read_token(answer["id_token"], server.get("/jwks.json").json)

    _, access = read_token(answer["access_token"], server.get("/jwks.json").json)
    assert header["alg"] == "ES256"
    assert (claims["iss"], claims["aud"]) == (server.base, "technician-app")
    assert claims["sub"] == access["sub"]
    assert claims["nonce"] == "n-0S6_WzA2Mj"
    assert abs(claims["auth_time"] - server.now()) <= 5
    assert {"pwd", "otp"} <= set(claims["amr"])


def test_id_token_at_a_renewal(server, device):
    """A renewal has an ID token only if the app asks for it and may have one"""
    device.sign_in(TECHNICIAN)
    device.tokens = device.refresh().json
    assert "id_token" not in device.tokens

    device.tokens = device.refresh(scope="jobs openid").json
    _, claims = read_token(device.tokens["id_token"], server.get("/jwks.json").json)
    _, access = read_token(device.tokens["access_token"], server.get("/jwks.json").json)
    assert (claims["aud"], claims["sub"]) == ("technician-app", access["sub"])
    assert "jobs" in device.tokens["scope"].split()

    other = Device(server, scope="offline_access")
    other.sign_in(TECHNICIAN)
    assert "id_token" not in other.refresh(scope="openid").json


def test_without_openid(server):
    """Without a request there is no ID token and no refresh token"""
    answer = Device(server, scope="profile").sign_in(TECHNICIAN)

    assert "id_token" not in answer and "refresh_token" not in answer


def test_scope_out_of_reach(server):
    """A technician's app cannot get an administrator's scope"""
    device = Device(server, scope="openid admin")

    answer = device.login(TECHNICIAN.email, TECHNICIAN.password)

    if answer.error == "insufficient_authorization":
        done = device.verify(server.code(TECHNICIAN.phone))
        granted = device.redeem(done.json["authorization_code"]).json["scope"]
        assert "admin" not in granted.split()
    else:
        assert answer.error == "invalid_scope"


# MARK: Redeeming a code


@pytest.mark.parametrize("changes", [
    {"code_challenge_method": "plain"}, {"code_challenge_method": ""}, {"code_challenge": ""},
    {"code_challenge": "short"}, {"response_type": "token"},
])
def test_no_downgrade(server, device, changes):
    """L-18 without a correct S256 challenge no sign-in starts"""
    form = device.first_call(**TECHNICIAN.credentials) | changes

    answer = device.challenge(**form)

    assert answer.status == 400
    assert answer.error in ("invalid_request", "unsupported_response_type")
    assert server.messages(TECHNICIAN.phone) == []


def test_wrong_verifier(server, device):
    """L-18 a wrong verifier is refused, and the owner of the code can still use it"""
    code = device.prove(TECHNICIAN)

    wrong = device.redeem(code, code_verifier="A" * 43)
    right = device.redeem(code)

    assert refusal(wrong)[:2] == (400, "invalid_grant")
    assert right.status == 200


@pytest.mark.parametrize("verifier", ["", "A" * 42, "A" * 129, "A" * 42 + "!"])
def test_malformed_verifier(device, verifier):
    """L-18 a malformed verifier is refused"""
    answer = device.redeem(device.prove(TECHNICIAN), code_verifier=verifier)

    assert answer.status == 400
    assert answer.error in ("invalid_grant", "invalid_request")


def test_code_replay(device):
    """L-18 a second use of a code ends the session of the first"""
    code = device.prove(TECHNICIAN)
    assert device.redeem(code).status == 200

    again = device.redeem(code)

    assert refusal(again)[:2] == (400, "invalid_grant")
    assert device.api("/api/me").status == 401
    assert device.refresh().error == "invalid_grant"


def test_code_replay_by_an_attacker(server, device):
    """L-18 an attacker with a used code cannot end its session"""
    code = device.prove(TECHNICIAN)
    device.redeem(code)
    attacker = Device(server)
    attacker.verifier = device.verifier

    assert attacker.redeem(code).error == "invalid_grant"
    assert device.redeem(code, code_verifier="A" * 43).error == "invalid_grant"
    assert device.api("/api/me").status == 200


def test_code_with_another_key(server, device):
    """L-11, L-18 a code is bound to the key of the device that signed in"""
    code = device.prove(TECHNICIAN)
    attacker = Device(server)
    attacker.verifier = device.verifier

    assert refusal(attacker.redeem(code))[:2] == (400, "invalid_grant")
    assert device.redeem(code).status == 200


def test_code_with_another_client(device):
    """L-18 a code is bound to the app for which it was made"""
    code = device.prove(TECHNICIAN)
    device.client = "product-app"

    assert refusal(device.redeem(code))[:2] == (400, "invalid_grant")


def test_old_code(server, device):
    """An authorization code expires after a minute"""
    code = device.prove(TECHNICIAN)
    server.advance(61)

    assert refusal(device.redeem(code))[:2] == (400, "invalid_grant")


def test_unknown_grant(device):
    """An unsupported grant is refused as such"""
    answer = device.token(grant_type="password", username="a", password="b-secret")

    assert refusal(answer)[:2] == (400, "unsupported_grant_type")


# MARK: Refreshing


def test_refresh(server, device):
    """P-06 an expired access token is refused, and its refresh token gives new ones"""
    first = device.sign_in(TECHNICIAN)
    server.advance(first["expires_in"])

    expired = device.api("/api/jobs")
    second = device.refresh()

    assert (expired.status, expired.error) == (401, "invalid_token")
    assert second.status == 200
    assert second.json["refresh_token"] != first["refresh_token"]
    assert second.json["session"]["id"] == first["session"]["id"]
    assert device.api("/api/jobs", token=second.json["access_token"]).status == 200


def test_lost_refresh_answer(device):
    """L-10, L-23 a refresh whose answer was lost gives the same successor, as often as needed"""
    device.sign_in(TECHNICIAN)

    answers = [device.refresh() for _ in range(3)]

    assert [a.status for a in answers] == [200] * 3
    assert len({a.json["refresh_token"] for a in answers}) == 1
    successor = answers[0].json
    assert device.refresh(successor["refresh_token"]).status == 200


def test_refresh_token_theft(device):
    """L-10 a refresh token that is reused after its successor ends the session, with the reason"""
    first = device.sign_in(TECHNICIAN)["refresh_token"]
    second = device.refresh(first).json["refresh_token"]
    third = device.refresh(second).json

    theft = device.refresh(first)
    victim = device.refresh(third["refresh_token"])

    assert refusal(theft) == (400, "invalid_grant", "reuse_detected")
    assert refusal(victim) == (400, "invalid_grant", "reuse_detected")
    assert device.api("/api/me", token=third["access_token"]).status == 401


def test_two_devices(server):
    """L-10 two devices of one person never end each other's session"""
    phone, tablet = Device(server), Device(server)
    phone.sign_in(TECHNICIAN)
    server.advance(61)
    tablet.sign_in(TECHNICIAN)

    for device in (phone, tablet, phone, tablet):
        device.tokens = device.refresh().json

    assert phone.api("/api/me").status == tablet.api("/api/me").status == 200
    tablet.revoke()
    assert phone.api("/api/me").status == 200


def test_refresh_with_another_key(server, device):
    """L-18 a refresh token is useless on another device"""
    device.sign_in(TECHNICIAN)
    attacker = Device(server)

    answer = attacker.refresh(device.tokens["refresh_token"])

    assert refusal(answer)[:2] == (400, "invalid_grant")
    assert device.refresh().status == 200


@pytest.mark.parametrize("change", [
    lambda t: t[:-1] + ("A" if t[-1] != "A" else "B"), lambda t: t + "A", lambda t: "unknown",
    lambda t: t.replace(".0.", ".1.", 1), lambda t: "." * 200,
])
def test_altered_refresh_token(device, change):
    """L-18 an altered refresh token is refused and affects no session"""
    device.sign_in(TECHNICIAN)
    genuine = device.tokens["refresh_token"]
    altered = change(genuine)

    answer = device.refresh(altered if altered != genuine else "unknown")

    assert refusal(answer)[:2] == (400, "invalid_grant")
    assert device.refresh().status == 200


def test_idle_session(server, device):
    """S-03, S-07 a session that was not used for its idle timeout has expired"""
    answer = device.sign_in(TECHNICIAN)
    server.advance(answer["session"]["idle_timeout"])

    assert refusal(device.refresh()) == (400, "invalid_grant", "expired")


# MARK: Ending a session


@pytest.mark.parametrize("which", ["refresh_token", "access_token"])
def test_sign_out(device, which):
    """P-12, S-08 a revoked token ends its session at once, and the reason is signed_out"""
    device.sign_in(TECHNICIAN)

    answer = device.revoke(device.tokens[which])

    assert answer.status == 200
    assert device.api("/api/jobs").status == 401
    assert refusal(device.refresh()) == (400, "invalid_grant", "signed_out")


def test_revoking_an_unknown_token(device):
    """Revoking an unknown token succeeds (RFC 7009, section 2.2)"""
    assert device.revoke("unknown").status == 200
