"""The rider's sign-in over HTTP: a number, then a code."""
import pytest

from device import Device
from harness import Person

RIDER = Person("", "", "+919812345678")
PENDING = Person("", "", "+919812345679")
UNKNOWN = Person("", "", "+919800000000")


@pytest.fixture
def device(server):
    return Device(server, client="rider-app")


def ask(device, person=RIDER, **changes):
    return device.challenge(**device.first_call(phone_number=person.phone) | changes)


def wrong_code(server):
    return f"{(int(server.code(RIDER.phone)) + 1) % 1_000_000:06}"


def test_right_code(server, device):
    """R-01 number and code give an access token and a refresh token"""
    first = ask(device)
    done = device.verify(server.code(RIDER.phone))
    tokens = device.redeem(done.json["authorization_code"])

    assert (first.status, first.error) == (403, "insufficient_authorization")
    assert first.json["challenge"]["destination"] == "***-***-5678"
    assert tokens.status == 200 and tokens.json["refresh_token"]
    assert device.api("/api/me").json["role"] == "rider"


@pytest.mark.parametrize("person", [PENDING, UNKNOWN], ids=["unapproved", "unknown"])
def test_not_registered(server, device, person):
    """R-02, L-05 an unknown or unapproved number is refused as such, and nothing is sent"""
    answer = ask(device, person)

    assert (answer.status, answer.error) == (400, "account_not_registered")
    assert "auth_session" not in answer.json
    assert server.messages(person.phone) == []


def test_technician_is_no_rider(server, device):
    """R-02 an account of another role does not exist for this app"""
    assert ask(device, Person("", "", "+15550101234")).error == "account_not_registered"
    assert server.messages("+15550101234") == []


def test_wrong_code(server, device):
    """R-03 a wrong code is counted, and can be corrected"""
    ask(device)

    wrong = device.verify(wrong_code(server))

    assert (wrong.status, wrong.error, wrong.json["attempts_left"]) == (400, "invalid_otp", 4)
    assert device.verify(server.code(RIDER.phone)).status == 200


def test_lockout(server, device):
    """R-04 the fifth wrong code locks out requests and codes for fifteen minutes"""
    ask(device)
    answers = [device.verify(wrong_code(server)) for _ in range(5)]
    server.advance(61)

    assert [a.error for a in answers] == ["invalid_otp"] * 4 + ["account_locked"]
    assert device.verify(server.code(RIDER.phone)).error == "account_locked"
    assert ask(device).error == "account_locked"
    assert len(server.messages(RIDER.phone)) == 1
    server.advance(900)
    assert ask(device).error == "insufficient_authorization"


def test_request_too_soon(server, device):
    """R-05, L-08 another request within sixty seconds is refused with the remaining seconds"""
    ask(device)
    server.code(RIDER.phone)
    server.advance(15)

    answer = ask(Device(server, client="rider-app"))

    assert (answer.status, answer.error) == (429, "resend_too_soon")
    assert answer.json["retry_in"] in (44, 45)
    assert answer["Retry-After"] == str(answer.json["retry_in"])
    assert len(server.messages(RIDER.phone)) == 1


def test_expired_code(server, device):
    """R-06 a code of five minutes has expired, has its own error, and can be replaced"""
    ask(device)
    code = server.code(RIDER.phone)
    server.advance(300)

    assert device.verify(code).error == "otp_expired"
    assert device.resend().error == "insufficient_authorization"
    assert device.verify(server.code(RIDER.phone, after=1)).status == 200


def test_number_in_other_spelling(server, device):
    """L-09 a number with spaces and hyphens is the same number and shares its cooldown"""
    ask(device)

    answer = ask(Device(server, client="rider-app"), phone_number="+91 98123-45678")

    assert answer.error == "resend_too_soon"


@pytest.mark.parametrize("number", [
    "9812345678", "+91", "+91981234567x", "+" + "9" * 40,
    "'; DROP TABLE accounts; --",
])
def test_malformed_number(device, number):
    """R-10 a number that is not in E.164 form is refused before any lookup"""
    answer = ask(device, phone_number=number)

    assert (answer.status, answer.error) == (400, "invalid_request")
