"""A forgotten password over the wire: a code, then a new password."""
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
    """T-11 a code and a new password: sessions end, the old password is dead, the new one works"""
    device.sign_in(TECHNICIAN)
    sent = len(server.messages(TECHNICIAN.phone))
    first = forget(server, **{"document": None, encoding: as_document(TECHNICIAN.email)["document"]})
    code = server.code(TECHNICIAN.phone, sent)

    done = reset(server, first.json["reset_session"], code, encoding=encoding)

    assert first.json["challenge"]["destination"] == "***-***-1234"
    assert (done.status, done.body) == (204, b"")
    assert device.api("/api/me").status == 401
    ended = device.refresh()
    assert (ended.error, ended.json["reason"]) == ("invalid_grant", "password_changed")
    assert Device(server).login(TECHNICIAN.email, TECHNICIAN.password).error == "invalid_credentials"
    server.advance(61)
    assert Device(server).login(TECHNICIAN.email, NEW).error == "insufficient_authorization"
    assert reset(server, first.json["reset_session"], code).error == "invalid_session"


def test_opens_a_lock(server, device):
    """T-11, T-05 an account that is locked may be reset, and is open then"""
    for _ in range(5):
        answer = device.login(TECHNICIAN.email, "wrong")
    assert answer.error == "account_locked"

    first = forget(server)
    assert reset(server, first.json["reset_session"], server.code(TECHNICIAN.phone)).status == 204

    assert device.login(TECHNICIAN.email, NEW).error == "insufficient_authorization"


def test_wrong_codes(server, device):
    """T-11, L-03 wrong codes of a reset lock the account, and resets with it"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)

    answers = [reset(server, session, wrong(code)) for _ in range(5)]

    assert [a.json.get("attempts_left") for a in answers] == [4, 3, 2, 1, None]
    assert answers[4].error == "account_locked"
    assert reset(server, session, code).error == "account_locked"
    assert forget(server).error == "account_locked"
    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"


def test_another_reset(server, device):
    """L-11, T-11 a reset code fits no other reset session, with a proved key or without"""
    def begin(who):
        answer = who.send("POST", "/password/forgot", **as_document(TECHNICIAN.email))
        secret(answer.json["reset_session"])
        return answer.json["reset_session"]

    own = begin(device)
    code = server.code(TECHNICIAN.phone)
    stranger = Device(server)
    theirs, keyless = begin(stranger), forget(server).json["reset_session"]

    def answer(who, session):
        members = {"reset_session": session, "otp": code, "password": NEW}
        return who.send("POST", "/password/reset", document=members)

    assert answer(stranger, theirs).error == "otp_expired"
    assert reset(server, keyless, code).error == "otp_expired"
    assert len(server.messages(TECHNICIAN.phone)) == 1
    assert answer(device, begin(device)).status == 204
    assert answer(device, own).error == "invalid_session"


def test_known_device_keeps_its_reset(server, device):
    """L-39, T-11 wrong reset codes of unknown devices leave a known device's way back open"""
    device.sign_in(TECHNICIAN)
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone, after=1)
    for _ in range(5):
        locked = reset(server, session, wrong(code))
    assert locked.error == forget(server).error == "account_locked"

    own = device.send("POST", "/password/forgot", **as_document(TECHNICIAN.email))
    secret(own.json["reset_session"])
    members = {"reset_session": own.json["reset_session"], "password": NEW,
               "otp": server.code(TECHNICIAN.phone, after=2)}

    assert device.send("POST", "/password/reset", document=members).status == 204


def test_lock_survives_a_power_cut(server):
    """L-08, T-11 the lock of resets survives a power cut"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)
    for _ in range(5):
        reset(server, session, wrong(code))

    server.kill()
    server.start()

    assert forget(server).error == "account_locked"


def test_concealed(server):
    """T-11, L-12 unknown, deactivated and known addresses: same status, headers, form and waits"""
    known = forget(server)
    others = [forget(server, FORMER.email), forget(server, "nobody@example.com")]

    for other in others:
        assert other.status == known.status == 200
        assert other.lasting_fields == known.lasting_fields
        assert len(other.body) == len(known.body)
        same = {"type", "channel", "digits", "expires_at", "resend_at", "attempts_left"}
        assert {n: other.json["challenge"][n] for n in same} == {
            n: known.json["challenge"][n] for n in same}
    again = forget(server, "nobody@example.com").json["challenge"]["destination"]
    assert again == others[1].json["challenge"]["destination"]
    server.code(TECHNICIAN.phone)
    assert server.messages(FORMER.phone) == []
    answers = [reset(server, others[1].json["reset_session"], "123456") for _ in range(5)]
    assert [a.error for a in answers] == ["invalid_otp"] * 4 + ["account_locked"]
    assert forget(server, "nobody@example.com").error == "account_locked"


@pytest.mark.parametrize("password, error", [
    ("1234567", "password_too_short"), ("x " * 513, "password_too_long"),
    ("Password1!", "password_too_common"), ("tech@example.com", "password_too_common"),
])
def test_refused_passwords(server, password, error):
    """T-11 a password that may not be one is refused, and the code lives on"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)

    answer = reset(server, session, code, password)

    assert (answer.status, answer.error) == (400, error)
    assert reset(server, session, code).status == 204


def test_registration(server):
    """R-11 a rider registers and waits; a number that is known is answered the same"""
    def register(number, **more):
        members = {"client_id": "rider-app", "phone_number": number, "name": "Asha Rao"}
        return server.post("/accounts", document=members | more)

    answers = [register("+919800000001"), register("+919800000001"), register("+919812345678")]

    assert [(a.status, a.json) for a in answers] == [(202, {"status": "pending"})] * 3
    assert register("+4790000009").error == "invalid_request"
    assert register("+919800000002", name="a\u202eb").error == "invalid_request"
    rider = Device(server, client="rider-app")
    asked = rider.challenge(**rider.first_call(phone_number="+919800000001"))
    assert asked.error == "account_not_registered"
    assert server.messages("+919800000001") == []
