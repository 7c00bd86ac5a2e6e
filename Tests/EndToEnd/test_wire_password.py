"""A forgotten password over HTTP: a code, then a new password."""
import pytest

from device import Device
from harness import FORMER, TECHNICIAN, secret

NEW = secret("mossy stones & lichen")


def forget(server, username=TECHNICIAN.email, **more):
    answer = server.post("/password/forgot", **as_document(username) | more)
    if answer.status == 200:
        secret(answer.json["reset_session"])
    return answer


def as_document(username, client="technician-app"):
    return {"document": {"client_id": client, "username": username}}


def reset(server, session, code, password=NEW, encoding="document"):
    members = {"reset_session": session, "otp": code, "password": password}
    return server.post("/password/reset", **{encoding: members})


def wrong(code):
    return f"{(int(code) + 1) % 1_000_000:06}"


@pytest.mark.parametrize("encoding", ["document", "form"])
def test_reset(server, device, encoding):
    """T-11 a code sets a new password, ends the sessions and makes the old password useless"""
    device.sign_in(TECHNICIAN)
    sent = len(server.messages(TECHNICIAN.phone))
    first = forget(server, **{"document": None, encoding: as_document(TECHNICIAN.email)["document"]})
    code = server.code(TECHNICIAN.phone, sent)

    done = reset(server, first.json["reset_session"], code, encoding=encoding)

    # A device that does not know the account gets no digits of its number.
    assert first.json["challenge"]["destination"] == "***-***-****"
    assert (done.status, done.body) == (204, b"")
    assert device.api("/api/me").status == 401
    ended = device.refresh()
    assert (ended.error, ended.json["reason"]) == ("invalid_grant", "password_changed")
    assert Device(server).login(TECHNICIAN.email, TECHNICIAN.password).error == "invalid_credentials"
    server.advance(61)
    assert Device(server).login(TECHNICIAN.email, NEW).error == "insufficient_authorization"
    assert reset(server, first.json["reset_session"], code).error == "invalid_session"


def test_ends_a_lockout(server, device):
    """T-11, T-05 a reset ends a lockout"""
    for _ in range(5):
        answer = device.login(TECHNICIAN.email, "wrong")
    assert answer.error == "account_locked"

    first = forget(server)
    assert reset(server, first.json["reset_session"], server.code(TECHNICIAN.phone)).status == 204

    assert device.login(TECHNICIAN.email, NEW).error == "insufficient_authorization"


def test_wrong_codes(server, device):
    """T-11, L-03 wrong codes of a reset start a lockout, which stops resets as well"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)

    answers = [reset(server, session, wrong(code)) for _ in range(5)]

    assert [a.json.get("attempts_left") for a in answers] == [4, 3, 2, 1, None]
    assert answers[4].error == "account_locked"
    assert reset(server, session, code).error == "account_locked"
    assert forget(server).error == "account_locked"
    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"


def test_another_reset(server, device):
    """L-11, T-11 a reset code works in its own reset session only, with a device key or without"""
    def begin(sender):
        answer = sender.send("POST", "/password/forgot", **as_document(TECHNICIAN.email))
        secret(answer.json["reset_session"])
        return answer.json["reset_session"]

    own = begin(device)
    code = server.code(TECHNICIAN.phone)
    other_device = Device(server)
    other, keyless = begin(other_device), forget(server).json["reset_session"]

    def answer(sender, session):
        members = {"reset_session": session, "otp": code, "password": NEW}
        return sender.send("POST", "/password/reset", document=members)

    assert answer(other_device, other).error == "otp_expired"
    assert reset(server, keyless, code).error == "otp_expired"
    assert len(server.messages(TECHNICIAN.phone)) == 1
    assert answer(device, begin(device)).status == 204
    assert answer(device, own).error == "invalid_session"


def test_known_device_keeps_its_reset(server, device):
    """L-39, T-11 wrong reset codes on unknown devices do not stop a reset on a known device"""
    device.sign_in(TECHNICIAN)
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone, after=1)
    for _ in range(5):
        locked = reset(server, session, wrong(code))
    assert locked.error == forget(server).error == "account_locked"

    own = device.send("POST", "/password/forgot", **as_document(TECHNICIAN.email))
    secret(own.json["reset_session"])
    assert own.json["challenge"]["destination"] == "***-***-1234"
    members = {"reset_session": own.json["reset_session"], "password": NEW,
               "otp": server.code(TECHNICIAN.phone, after=2)}

    assert device.send("POST", "/password/reset", document=members).status == 204


def test_lockout_survives_a_power_cut(server):
    """L-08, T-11 the lockout of resets survives a power cut"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)
    for _ in range(5):
        reset(server, session, wrong(code))

    server.kill()
    server.start()

    assert forget(server).error == "account_locked"


def validity(answer):
    """The seconds between the end of the wait for another code and the end of the code.

    Two answers can be written in different seconds, so their times themselves can differ.
    """
    return answer.json["challenge"]["expires_at"] - answer.json["challenge"]["resend_at"]


def test_concealed(server):
    """T-11, L-12 every kind of account gets the same status, headers, members and waits"""
    known = forget(server)
    others = [forget(server, FORMER.email), forget(server, "unknown@example.com")]

    for other in others:
        assert other.status == known.status == 200
        assert other.lasting_fields == known.lasting_fields
        assert len(other.body) == len(known.body)
        same = {"type", "channel", "digits", "attempts_left"}
        assert {n: other.json["challenge"][n] for n in same} == {
            n: known.json["challenge"][n] for n in same}
        assert validity(other) == validity(known)
        assert abs(other.json["challenge"]["resend_at"] - server.now() - 60) <= 3
    assert {a.json["challenge"]["destination"] for a in [known, *others]} == {"***-***-****"}
    server.code(TECHNICIAN.phone)
    assert server.messages(FORMER.phone) == []
    answers = [reset(server, others[1].json["reset_session"], "123456") for _ in range(5)]
    assert [a.error for a in answers] == ["invalid_otp"] * 4 + ["account_locked"]
    assert forget(server, "unknown@example.com").error == "account_locked"


@pytest.mark.parametrize("password, error", [
    ("1234567", "password_too_short"), ("x " * 513, "password_too_long"),
    ("Password1!", "password_too_common"), ("tech@example.com", "password_too_common"),
])
def test_refused_passwords(server, password, error):
    """T-11 a password that is not allowed is refused, and the code stays valid"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)

    answer = reset(server, session, code, password)

    assert (answer.status, answer.error) == (400, error)
    assert reset(server, session, code).status == 204


def test_registration(server):
    """R-11 a rider registers and waits; a known number gets the same answer"""
    def register(number, **more):
        members = {"client_id": "rider-app", "phone_number": number, "name": "Asha Rao"}
        return server.post("/accounts", document=members | more)

    answers = [register("+919800000001"), register("+919800000001"), register("+919812345678")]

    assert [(a.status, a.json) for a in answers] == [(202, {"status": "pending"})] * 3
    assert register("+4790000009").error == "invalid_request"
    assert register("+919800000002", name="a\u202eb").error == "invalid_request"
    rider = Device(server, client="rider-app")
    answer = rider.challenge(**rider.first_call(phone_number="+919800000001"))
    assert answer.error == "account_not_registered"
    assert server.messages("+919800000001") == []
