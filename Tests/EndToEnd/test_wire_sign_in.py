"""The technician's sign-in over HTTP: what only the server can enforce."""
import pytest

from device import Device
from harness import ADMINISTRATOR, FORMER, TECHNICIAN, Person

OWNER = Person("owner@example.com", "demo-Owner-1", "+15550101236")
LOCK_SECONDS = 900


def errors(answers):
    return [answer.error for answer in answers]


def fail(server, times, email=TECHNICIAN.email):
    """Tries wrong passwords, each on a new device."""
    return [Device(server).login(email, f"wrong-guess-{n}") for n in range(times)]


# MARK: Discovery


def test_discovery(server):
    """Both discovery documents say the same, and only secure options"""
    openid = server.get("/.well-known/openid-configuration")
    oauth = server.get("/.well-known/oauth-authorization-server")

    assert openid.status == oauth.status == 200
    assert openid.json == oauth.json
    meta = openid.json
    assert meta["issuer"] == server.base
    assert meta["code_challenge_methods_supported"] == ["S256"]
    assert meta["dpop_signing_alg_values_supported"] == ["ES256"]
    for name in ("authorization_challenge_endpoint", "token_endpoint", "revocation_endpoint",
                 "jwks_uri"):
        assert meta[name].startswith(server.base + "/"), name
    assert set(meta["grant_types_supported"]) >= {"authorization_code", "refresh_token"}


def test_keys(server):
    """The published keys are public P-256 keys for signing"""
    answer = server.get("/jwks.json")

    assert answer.status == 200
    assert answer.json["keys"]
    for key in answer.json["keys"]:
        assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("EC", "P-256", "ES256", "sig")
        assert key["kid"] and "d" not in key


# MARK: Right and wrong answers


def test_right_answers_sign_in(server, device):
    """T-01 the right e-mail, password and code lead to the assigned jobs"""
    device.sign_in(TECHNICIAN)

    jobs = device.api("/api/jobs")
    me = device.api("/api/me")

    assert jobs.status == 200 and jobs.json["jobs"]
    assert {"id", "title", "starts_at", "status"} <= set(jobs.json["jobs"][0])
    assert me.status == 200 and me.json["email"] == TECHNICIAN.email
    assert jobs["Cache-Control"] == me["Cache-Control"] == "no-store"
    assert jobs["Request-Id"] and jobs["Request-Id"] != me["Request-Id"]


def test_e_mail_in_other_letters(server, device):
    """L-09 an e-mail address in capitals, with spaces around it, is the same account"""
    answer = device.login("  TECH@Example.COM ", TECHNICIAN.password)

    assert answer.error == "insufficient_authorization", answer
    assert errors(fail(server, 5, "TECH@EXAMPLE.COM"))[-1] == "account_locked"
    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"


def test_wrong_password(server, device):
    """T-02 a wrong password is invalid_credentials and sends nothing"""
    answer = device.login(TECHNICIAN.email, "demo-Technician-2")

    assert (answer.status, answer.error) == (400, "invalid_credentials")
    assert "auth_session" not in answer.json and "challenge" not in answer.json
    assert answer["Cache-Control"] == "no-store"
    assert server.messages(TECHNICIAN.phone) == []


@pytest.mark.parametrize("username, password", [
    ("unknown@example.com", "wrong-guess"), ("not an e-mail", "wrong-guess"),
    (OWNER.email, OWNER.password), (FORMER.email, "wrong-guess"),
])
def test_unknown_e_mail(server, username, password):
    """T-03, L-12 an unknown e-mail gets the same status, bytes and headers as a wrong password"""
    known = Device(server).login(TECHNICIAN.email, "wrong-guess")
    unknown = Device(server).login(username, password)

    assert unknown.status == known.status == 400
    assert unknown.body == known.body
    assert unknown.lasting_fields == known.lasting_fields


def test_unknown_e_mail_is_locked_out(server):
    """T-03, L-12 five failures lock out an unknown e-mail like a known one"""
    known = fail(server, 6)
    unknown = fail(server, 6, "unknown@example.com")

    assert errors(unknown) == errors(known)
    for other, account in zip(unknown, known):
        assert set(other.json) == set(account.json)
        assert [n for n, _ in other.lasting_fields] == [n for n, _ in account.lasting_fields]
    assert abs(unknown[4].json["retry_in"] - LOCK_SECONDS) <= 1


def test_deactivated_account(server, device):
    """T-04 a deactivated account is reported only after the right password"""
    wrong = device.login(FORMER.email, "wrong-guess")
    right = device.login(FORMER.email, FORMER.password)

    assert (wrong.status, wrong.error) == (400, "invalid_credentials")
    assert (right.status, right.error) == (403, "account_deactivated")
    assert "auth_session" not in right.json
    assert server.messages(FORMER.phone) == []


# MARK: Lockout


def test_fifth_failure_locks_out(server, device):
    """T-05 the fifth failure is account_locked, and so is the right password after it"""
    answers = fail(server, 5)
    began = server.now()

    assert errors(answers) == ["invalid_credentials"] * 4 + ["account_locked"]
    fifth = answers[4]
    assert fifth.status == 403
    assert fifth.json["retry_in"] in (LOCK_SECONDS - 1, LOCK_SECONDS)
    assert abs(fifth.json["locked_until"] - (began + LOCK_SECONDS)) <= 2
    right = device.login(TECHNICIAN.email, TECHNICIAN.password)
    assert (right.status, right.error) == (403, "account_locked")
    assert server.messages(TECHNICIAN.phone) == []


def test_lockout_ends(server, device):
    """T-05 a lockout lasts fifteen minutes"""
    fail(server, 5)

    server.advance(LOCK_SECONDS - 10)
    before = device.login(TECHNICIAN.email, TECHNICIAN.password)
    server.advance(10)
    after = device.login(TECHNICIAN.email, TECHNICIAN.password)

    assert before.error == "account_locked" and before.json["retry_in"] <= 10
    assert after.error == "insufficient_authorization"


def test_lockout_survives_a_power_cut(server, device):
    """T-05, L-15 a lockout survives a power cut"""
    fail(server, 5)

    server.kill()
    server.start()

    answer = device.login(TECHNICIAN.email, TECHNICIAN.password)
    assert answer.error == "account_locked", answer
    assert answer.json["retry_in"] >= LOCK_SECONDS - 30


def test_lockout_doubles(server, device):
    """T-05 every further lockout is twice as long, until a complete sign-in on the same device"""
    def fail_here():
        return [device.login(TECHNICIAN.email, f"wrong-guess-{n}") for n in range(5)]

    seen = []
    for seconds in (900, 1800, 3600):
        seen.append(fail_here()[4].json["retry_in"])
        server.advance(seconds)
    device.sign_in(TECHNICIAN)

    seen.append(fail_here()[4].json["retry_in"])
    seen.append(fail(server, 5)[4].json["retry_in"])

    wanted = [900, 1800, 3600, 900, 900]
    assert all(abs(s - w) <= 1 for s, w in zip(seen, wanted)), seen


def test_lockout_stops_later_steps(server, device):
    """L-02, L-05 a lockout after the password stops code and resend, and sends nothing"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)
    fail(server, 5)

    server.advance(61)
    assert device.verify(code).error == "account_locked"
    assert device.resend().error == "account_locked"
    assert len(server.messages(TECHNICIAN.phone)) == 1


def test_lockout_stops_redemption(server, device):
    """L-02 a lockout after the code stops the token request"""
    authorization_code = device.prove(TECHNICIAN)
    fail(server, 5)

    answer = device.redeem(authorization_code)

    assert (answer.status, answer.error) == (403, "account_locked")


def test_lockout_leaves_sessions(server, device):
    """L-40 no lockout pauses an open session, neither the device's own nor that of others"""
    device.sign_in(TECHNICIAN)
    server.advance(61)
    fail(server, 5)
    assert device.refresh().status == 200
    device.tokens = device.refresh().json

    for _ in range(5):
        device.login(TECHNICIAN.email, "wrong-guess")

    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"
    assert device.refresh().status == 200
    assert device.api("/api/me").status == 200


def test_one_counter(server, device):
    """L-03 wrong passwords and codes share one counter, and a right password resets nothing"""
    fail(server, 2)
    first = device.login(TECHNICIAN.email, TECHNICIAN.password)

    answers = [device.verify(wrong_code(server)) for _ in range(3)]

    assert first.json["challenge"]["attempts_left"] == 3
    assert errors(answers) == ["invalid_otp", "invalid_otp", "account_locked"]
    assert [a.json.get("attempts_left") for a in answers[:2]] == [2, 1]


# MARK: Code


def wrong_code(server, phone=TECHNICIAN.phone):
    """Six digits that differ from the code that was sent."""
    return f"{(int(server.code(phone)) + 1) % 1_000_000:06}"


def test_where_the_code_went(server, device):
    """T-10 the challenge contains the masked destination and everything that a screen must show"""
    answer = device.login(TECHNICIAN.email, TECHNICIAN.password)
    now = server.now()

    assert answer.status == 403
    challenge = answer.json["challenge"]
    assert challenge["destination"] == "***-***-1234"
    assert (challenge["type"], challenge["channel"]) == ("otp", "sms")
    assert (challenge["digits"], challenge["attempts_left"]) == (6, 5)
    assert abs(challenge["expires_at"] - (now + 300)) <= 2
    assert abs(challenge["resend_at"] - (now + 60)) <= 2
    assert TECHNICIAN.phone not in answer.body.decode()


def test_wrong_code(server, device):
    """T-06 a wrong code reduces the remaining attempts, and the fifth starts a lockout"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)

    answers = [device.verify(wrong_code(server)) for _ in range(5)]

    assert errors(answers) == ["invalid_otp"] * 4 + ["account_locked"]
    assert [a.json.get("attempts_left") for a in answers[:4]] == [4, 3, 2, 1]
    assert all(a.status == 400 and a.json["auth_session"] for a in answers[:4])
    assert (answers[4].status, answers[4].json["retry_in"] >= LOCK_SECONDS - 1) == (403, True)
    assert device.verify(server.code(TECHNICIAN.phone)).error == "account_locked"


def test_right_code_after_wrong_ones(server, device):
    """T-06, L-28 four wrong codes do not end the sign-in"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    for _ in range(4):
        device.verify(wrong_code(server))

    answer = device.verify(server.code(TECHNICIAN.phone))

    assert answer.status == 200 and answer.json["authorization_code"]


def test_code_before_its_end(server, device):
    """T-12 a code is right after 299 seconds"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)
    server.advance(299)

    assert device.verify(code).status == 200


@pytest.mark.parametrize("is_right", [True, False])
def test_code_at_its_end(server, device, is_right):
    """T-12, L-15 a code, right or wrong, is otp_expired after 300 seconds"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone) if is_right else wrong_code(server)
    server.advance(300)

    answer = device.verify(code)

    assert (answer.status, answer.error) == (400, "otp_expired")
    assert answer.json["auth_session"] and answer.json["resend_at"] <= server.now()
    assert "superseded" not in answer.json
    assert device.resend().error == "insufficient_authorization"
    assert device.verify(server.code(TECHNICIAN.phone, after=1)).status == 200


# MARK: Another code


def test_resend_too_soon(server, device):
    """T-08, R-05, L-08 within sixty seconds another code is refused with the remaining seconds"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    server.code(TECHNICIAN.phone)
    server.advance(15)

    answer = device.resend()

    assert (answer.status, answer.error) == (429, "resend_too_soon")
    assert answer.json["retry_in"] in (44, 45)
    assert answer["Retry-After"] == str(answer.json["retry_in"])
    # Both are whole seconds of an earlier moment.
    assert abs(answer.json["resend_at"] - server.now() - answer.json["retry_in"]) <= 3
    assert len(server.messages(TECHNICIAN.phone)) == 1


def test_resend_sends_a_new_code(server, device):
    """T-08, L-04 after sixty seconds a new code is sent; the old one expires, the attempts stay"""
    first = device.login(TECHNICIAN.email, TECHNICIAN.password).json["challenge"]
    old = server.code(TECHNICIAN.phone)
    device.verify(wrong_code(server))
    server.advance(60)

    answer = device.resend()
    new = server.code(TECHNICIAN.phone, after=1)

    challenge = answer.json["challenge"]
    assert (answer.status, answer.error) == (403, "insufficient_authorization")
    assert challenge["expires_at"] >= first["expires_at"] + 60
    assert challenge["resend_at"] >= first["resend_at"] + 60
    assert challenge["attempts_left"] == 4
    late = device.verify(old)
    assert (late.error, "attempts_left" in late.json) == ("otp_expired", False)
    assert (late.json["superseded"], late.json["resend_at"]) == (True, challenge["resend_at"])
    assert device.resend().error == "resend_too_soon"
    assert device.verify(new).status == 200


def test_back_and_login_again(server, device):
    """L-08 Back and Login within the cooldown give the same challenge and no new message"""
    first = device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)
    server.advance(20)

    again = device.login(TECHNICIAN.email, TECHNICIAN.password)

    assert again.json["challenge"] == first.json["challenge"]
    assert len(server.messages(TECHNICIAN.phone)) == 1
    assert device.verify(code).status == 200


def test_login_from_another_device(server, device):
    """L-11 a right password from another key while a code is open is resend_too_soon"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)
    server.advance(15)

    answer = Device(server).login(TECHNICIAN.email, TECHNICIAN.password)

    assert (answer.status, answer.error) == (429, "resend_too_soon")
    assert answer.json["retry_in"] in (44, 45)
    assert "auth_session" not in answer.json and "challenge" not in answer.json
    assert len(server.messages(TECHNICIAN.phone)) == 1
    assert device.verify(code).status == 200


def test_replaced_by_another_device(server, device):
    """L-11 after the cooldown another device's code replaces the first, which gets an error"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)
    server.advance(60)
    other = Device(server)
    assert other.login(TECHNICIAN.email, TECHNICIAN.password).error == "insufficient_authorization"
    newer = server.code(TECHNICIAN.phone, after=1)

    answers = [device.verify(code), device.verify(newer),
               device.challenge(auth_session=device.auth_session, status="true")]

    assert errors(answers) == ["otp_expired"] * 3
    assert all(a.json["auth_session"] and a.json["resend_at"] > server.now() for a in answers)
    assert all((a.json["superseded"], a.json["reason"]) == (True, "another_device")
               for a in answers)
    assert other.verify(newer).status == 200


def test_known_device_keeps_its_code(server, device):
    """L-39 an unknown device neither replaces nor delays a code of a known device"""
    device.sign_in(TECHNICIAN)
    server.advance(60)
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone, after=1)

    other = Device(server)
    assert other.login(TECHNICIAN.email, TECHNICIAN.password).error == "insufficient_authorization"
    assert server.code(TECHNICIAN.phone, after=2)

    assert device.verify(code).status == 200


def test_cooldown_survives_a_power_cut(server, device):
    """L-08 a cooldown and its code survive a power cut"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)

    server.kill()
    server.start()

    assert device.resend().error == "resend_too_soon"
    assert device.verify(code).status == 200


def test_one_message_for_one_request(server, device):
    """L-06 one request sends one message, and the code is in its text"""
    device.sign_in(TECHNICIAN)

    messages = server.messages(TECHNICIAN.phone)

    assert len(messages) == 1
    assert messages[0]["to"] == TECHNICIAN.phone
    assert messages[0]["code"] in messages[0]["text"]
    assert abs(messages[0]["sent_at"] - server.now()) <= 5


# MARK: Binding to device and app


def test_other_device(server, device):
    """L-11 a sign-in cannot continue with another device's key"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    attacker = Device(server)
    attacker.auth_session = device.auth_session

    answer = attacker.verify(server.code(TECHNICIAN.phone))

    assert (answer.status, answer.error) == (400, "invalid_session")
    assert device.verify(server.code(TECHNICIAN.phone)).status == 200


def test_other_client(server, device):
    """L-11 a sign-in cannot continue in another app"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    device.client = "product-app"

    answer = device.verify(server.code(TECHNICIAN.phone))

    assert (answer.status, answer.error) == (400, "invalid_session")


@pytest.mark.parametrize("auth_session", ["unknown", "x" * 5000, "'; DROP TABLE accounts; --"])
def test_unknown_sign_in(server, device, auth_session):
    """An unknown sign-in is invalid_session"""
    answer = device.challenge(auth_session=auth_session, otp="123456")

    assert (answer.status, answer.error) == (400, "invalid_session")


def test_finished_sign_in(server, device):
    """A finished sign-in is invalid_session"""
    device.sign_in(TECHNICIAN)

    answer = device.verify("123456")

    assert (answer.status, answer.error) == (400, "invalid_session")


def test_unknown_client(server):
    """An unknown app is refused before anything is compared"""
    answer = Device(server, client="no-such-app").login(TECHNICIAN.email, TECHNICIAN.password)

    assert (answer.status, answer.error) == (401, "invalid_client")


def test_administrator(server):
    """An administrator is no account of the technicians' app"""
    answer = Device(server).login(ADMINISTRATOR.email, ADMINISTRATOR.password)

    assert answer.error == "invalid_credentials"
