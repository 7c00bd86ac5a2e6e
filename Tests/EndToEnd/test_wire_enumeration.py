"""Nobody learns from the server who has an account: answers are compared byte by byte."""
import json
import re

import pytest

from device import Device
from harness import ADMINISTRATOR, FORMER, TECHNICIAN, account, secret, shown

RIDER, PENDING, LEAVER, NOBODY = (
    "+919812345678", "+919812345679", "+919812340003", "+919812340004")


def shape(answer):
    """Status, headers and body with what passes by taken out: times, and what is drawn by chance.

    What is taken out leaves its length, so that it tells nothing either.
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


def all_alike(answers):
    shapes = [shape(answer) for answer in answers]
    for other in shapes[1:]:
        assert other == shapes[0]
    return shapes[0]


# MARK: Technicians


PEOPLE = [TECHNICIAN.email, FORMER.email, "nobody@example.com", "owner@example.com",
          ADMINISTRATOR.email]


def test_passwords(server):
    """T-03, T-04, L-12 known, deactivated, unknown and others' addresses: same bytes to a wrong password, up to the lock and in it"""
    for number in range(7):
        answers = [Device(server).login(email, "wrong-guess") for email in PEOPLE]
        status, _, body = all_alike(answers)
        assert (status, "account_locked" in body) == ((400, False) if number < 4 else (403, True))


def test_right_password_while_locked(server):
    """T-03, T-05, L-12 in a lock a right password is answered like a wrong one, and like nobody's"""
    for email in (TECHNICIAN.email, "nobody@example.com"):
        for _ in range(5):
            Device(server).login(email, "wrong-guess")

    all_alike([Device(server).login(TECHNICIAN.email, TECHNICIAN.password),
               Device(server).login(TECHNICIAN.email, "wrong-guess"),
               Device(server).login("nobody@example.com", "wrong-guess")])


def test_sign_in_of_the_owner(server):
    """L-37, T-03 a complete sign-in between wrong passwords changes none of the answers to them"""
    owner, prober = Device(server), Device(server)
    owner.sign_in(TECHNICIAN)
    for number in range(7):
        server.advance(60)
        if number in (2, 4):
            owner.sign_in(TECHNICIAN)
        answers = [prober.login(email, "wrong-guess")
                   for email in (TECHNICIAN.email, "nobody@example.com")]
        status, _, body = all_alike(answers)
        assert ("account_locked" in body) == (number >= 4), (number, status, body)


def forget(server, email):
    return server.post(
        "/password/forgot", document={"client_id": "technician-app", "username": email})


def test_forgotten_passwords(server):
    """T-11, L-12 a reset is begun, refused and locked in the same bytes for whoever has no account"""
    begun = [forget(server, email) for email in PEOPLE[:3]]
    all_alike(begun)
    sessions = [answer.json["reset_session"] for answer in begun]
    server.code(TECHNICIAN.phone)
    for number in range(6):
        answers = [server.post("/password/reset", document={
            "reset_session": session, "otp": "000000", "password": "mossy stones & lichen"})
            for session in sessions]
        status, _, body = all_alike(answers)
        assert ("account_locked" in body) == (number >= 4), (number, status, body)
    all_alike([forget(server, email) for email in PEOPLE[:3]])


# MARK: Riders


@pytest.fixture
def concealed(server):
    """A server whose riders' app conceals who has an account."""
    made = shown(account(
        server, "create", "--json", "--role", "rider", "--name", "Lena", "--phone", LEAVER))
    gone = shown(account(server, "deactivate", "--json", made["id"]))
    assert gone["status"] == "deactivated"
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    answer = admin.api("/admin/clients/rider-app", "PATCH", document={"disclosure": "concealed"})
    assert answer.status == 200
    return server


def devices(server):
    return [(Device(server, client="rider-app"), number)
            for number in (RIDER, PENDING, LEAVER, NOBODY)]


def ask(device, number):
    return device.challenge(**device.first_call(phone_number=number))


def test_concealed_riders(concealed):
    """R-02, T-03, L-12 a concealed app answers approved, waiting, deactivated and unknown numbers in the same bytes"""
    riders = devices(concealed)

    all_alike([ask(device, number) for device, number in riders])
    all_alike([device.resend() for device, _ in riders])
    all_alike([ask(Device(concealed, client="rider-app"), number) for _, number in riders])
    code = concealed.code(RIDER)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for number in range(6):
        status, _, body = all_alike([device.verify(wrong) for device, _ in riders])
        assert ("account_locked" in body) == (number >= 4), (number, status, body)
    all_alike([device.resend() for device, _ in riders])
    all_alike([ask(Device(concealed, client="rider-app"), number) for _, number in riders])
    assert concealed.messages(PENDING) == concealed.messages(NOBODY) == []


def test_concealed_leaver(concealed):
    """T-04, R-02 in a concealed app a deactivated rider is told so once the code proved right"""
    device = Device(concealed, client="rider-app")
    ask(device, LEAVER)

    answer = device.verify(concealed.code(LEAVER))

    assert (answer.status, answer.error) == (403, "account_deactivated")


def test_concealed_riders_expire(concealed):
    """R-06, L-12 a code that nobody was sent expires as a real one does"""
    riders = devices(concealed)
    for device, number in riders:
        ask(device, number)
    concealed.advance(300)

    all_alike([device.verify("000000") for device, _ in riders])
    all_alike([device.resend() for device, _ in riders])


def test_disclosed_riders(server):
    """R-02, L-12 a disclosed app tells unknown and waiting numbers alike that they are not registered"""
    status, _, body = all_alike(
        [ask(Device(server, client="rider-app"), number) for number in (PENDING, NOBODY)])

    assert status == 400 and "account_not_registered" in body


def test_registration(server):
    """R-11, L-12 whoever registers is told the same, whether the number is new, waiting or approved"""
    answers = [server.post("/accounts", document={
        "client_id": "rider-app", "phone_number": number, "name": "Asha Rao"})
        for number in (NOBODY, PENDING, RIDER)]

    assert all_alike(answers)[0] == 202
