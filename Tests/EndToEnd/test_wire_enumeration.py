"""The server does not disclose who has an account: the tests compare answers byte by byte."""
import json
import re

import pytest

from device import Device
from harness import ADMINISTRATOR, FORMER, TECHNICIAN, account, secret, shown

RIDER, PENDING, DEACTIVATED, UNKNOWN = (
    "+919812345678", "+919812345679", "+919812340003", "+919812340004")


def shape(answer):
    """Status, headers and body without the values that always differ: times and random values.

    The length of each removed value stays, because a length could disclose an account too.
    """
    body = answer.body.decode()
    members = json.loads(body or "null") or {}
    for name in ("auth_session", "reset_session"):
        if name in members:
            body = body.replace(secret(members[name]), "s" * len(members[name]))
    body = re.sub(r'("(?:[a-z]+_at|[a-z]+_until|retry_in)":)(\d+)',
                  lambda m: m[1] + "0" * len(m[2]), body)
    body = re.sub(r"\*\*\*-\*\*\*-\d{4}", "***-***-0000", body)
    fields = [(n, "0" if n == "retry-after" else v) for n, v in answer.lasting_fields]
    return answer.status, fields, body


def assert_alike(answers):
    shapes = [shape(answer) for answer in answers]
    for other in shapes[1:]:
        assert other == shapes[0]
    return shapes[0]


# MARK: Technicians


PEOPLE = [TECHNICIAN.email, FORMER.email, "unknown@example.com", "owner@example.com",
          ADMINISTRATOR.email]


def test_passwords(server):
    """T-03, T-04, L-12 a wrong password gets the same bytes for every kind of account"""
    for number in range(7):
        answers = [Device(server).login(email, "wrong-guess") for email in PEOPLE]
        status, _, body = assert_alike(answers)
        assert (status, "account_locked" in body) == ((400, False) if number < 4 else (403, True))


def test_right_password_in_a_lockout(server):
    """T-03, T-05, L-12 right, wrong and unknown credentials get the same answer in a lockout"""
    for email in (TECHNICIAN.email, "unknown@example.com"):
        for _ in range(5):
            Device(server).login(email, "wrong-guess")

    assert_alike([Device(server).login(TECHNICIAN.email, TECHNICIAN.password),
                  Device(server).login(TECHNICIAN.email, "wrong-guess"),
                  Device(server).login("unknown@example.com", "wrong-guess")])


def test_sign_in_of_the_owner(server):
    """L-37, T-03 a complete sign-in between wrong passwords changes none of the answers to them"""
    owner, other = Device(server), Device(server)
    owner.sign_in(TECHNICIAN)
    for number in range(7):
        server.advance(60)
        if number in (2, 4):
            owner.sign_in(TECHNICIAN)
        answers = [other.login(email, "wrong-guess")
                   for email in (TECHNICIAN.email, "unknown@example.com")]
        status, _, body = assert_alike(answers)
        assert ("account_locked" in body) == (number >= 4), (number, status, body)


def forget(server, email):
    return server.post(
        "/password/forgot", document={"client_id": "technician-app", "username": email})


def test_forgotten_passwords(server):
    """T-11, L-12 a reset answers known and unknown accounts with the same bytes at every step"""
    started = [forget(server, email) for email in PEOPLE[:3]]
    assert_alike(started)
    sessions = [answer.json["reset_session"] for answer in started]
    server.code(TECHNICIAN.phone)
    for number in range(6):
        answers = [server.post("/password/reset", document={
            "reset_session": session, "otp": "000000", "password": "mossy stones & lichen"})
            for session in sessions]
        status, _, body = assert_alike(answers)
        assert ("account_locked" in body) == (number >= 4), (number, status, body)
    assert_alike([forget(server, email) for email in PEOPLE[:3]])


# MARK: Riders


@pytest.fixture
def concealed(server):
    """A server whose riders' app conceals who has an account."""
    made = shown(account(
        server, "create", "--json", "--role", "rider", "--name", "Lena", "--phone", DEACTIVATED))
    deactivated = shown(account(server, "deactivate", "--json", made["id"]))
    assert deactivated["status"] == "deactivated"
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    answer = admin.api("/admin/clients/rider-app", "PATCH", document={"disclosure": "concealed"})
    assert answer.status == 200
    return server


def devices(server):
    return [(Device(server, client="rider-app"), number)
            for number in (RIDER, PENDING, DEACTIVATED, UNKNOWN)]


def ask(device, number):
    return device.challenge(**device.first_call(phone_number=number))


def test_concealed_riders(concealed):
    """R-02, T-03, L-12 every kind of number gets the same bytes from a concealed app"""
    riders = devices(concealed)

    assert_alike([ask(device, number) for device, number in riders])
    assert_alike([device.resend() for device, _ in riders])
    assert_alike([ask(Device(concealed, client="rider-app"), number) for _, number in riders])
    code = concealed.code(RIDER)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for number in range(6):
        status, _, body = assert_alike([device.verify(wrong) for device, _ in riders])
        assert ("account_locked" in body) == (number >= 4), (number, status, body)
    assert_alike([device.resend() for device, _ in riders])
    assert_alike([ask(Device(concealed, client="rider-app"), number) for _, number in riders])
    assert concealed.messages(PENDING) == concealed.messages(UNKNOWN) == []


def test_concealed_deactivated_rider(concealed):
    """T-04, R-02 a concealed app reports a deactivated rider only after the right code"""
    device = Device(concealed, client="rider-app")
    ask(device, DEACTIVATED)

    answer = device.verify(concealed.code(DEACTIVATED))

    assert (answer.status, answer.error) == (403, "account_deactivated")


def test_concealed_riders_expire(concealed):
    """R-06, L-12 a code that was never sent expires like a real one"""
    riders = devices(concealed)
    for device, number in riders:
        ask(device, number)
    concealed.advance(300)

    assert_alike([device.verify("000000") for device, _ in riders])
    assert_alike([device.resend() for device, _ in riders])


def test_disclosed_riders(server):
    """R-02, L-12 a disclosed app answers that unknown and pending numbers are not registered"""
    status, _, body = assert_alike(
        [ask(Device(server, client="rider-app"), number) for number in (PENDING, UNKNOWN)])

    assert status == 400 and "account_not_registered" in body


def test_registration(server):
    """R-11, L-12 a registration gets the same answer for a new, a pending and an approved number"""
    answers = [server.post("/accounts", document={
        "client_id": "rider-app", "phone_number": number, "name": "Asha Rao"})
        for number in (UNKNOWN, PENDING, RIDER)]

    assert assert_alike(answers)[0] == 202
