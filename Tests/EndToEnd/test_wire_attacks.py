"""Many attacks at once on riders, resets and registrations, over real sockets."""
import pytest

from device import Device
from harness import ADMINISTRATOR, TECHNICIAN, secret
from test_wire_races import at_once, errors

RIDER = "+919812345678"
NEWCOMER = "+919800000003"
NEW_PASSWORD = secret("mossy stones & lichen")


@pytest.fixture
def rider(server):
    return Device(server, client="rider-app")


@pytest.fixture
def admin(server):
    device = Device(server, client="console")
    device.sign_in(ADMINISTRATOR)
    return device


def ask(device, number=RIDER):
    return device.challenge(**device.first_call(phone_number=number))


def wrong(code):
    return f"{(int(code) + 1) % 1_000_000:06}"


def forget(server, username=TECHNICIAN.email):
    answer = server.post(
        "/password/forgot", document={"client_id": "technician-app", "username": username})
    if answer.status == 200:
        secret(answer.json["reset_session"])
    return answer


def reset(server, session, code, password=NEW_PASSWORD):
    members = {"reset_session": session, "otp": code, "password": password}
    return server.post("/password/reset", document=members)


def set_status(admin, account, status):
    answer = admin.api(
        f"/admin/accounts/{account}", "PATCH", document={"status": status})
    assert answer.status == 200, answer


# MARK: Riders


def test_parallel_wrong_codes_of_a_rider(server, rider):
    """R-03, R-04, L-01 of two hundred wrong codes of a rider at once at most five are evaluated"""
    ask(rider)
    code = server.code(RIDER)

    answers = at_once((lambda: rider.verify(wrong(code))) for _ in range(200))

    seen = errors(answers)
    assert set(seen) == {"invalid_otp", "account_locked"}, set(seen)
    assert seen.count("invalid_otp") <= 4
    assert rider.verify(code).error == "account_locked"
    assert ask(Device(server, client="rider-app")).error == "account_locked"


def test_parallel_requests_of_a_rider(server):
    """R-05, L-06 two hundred requests for a rider's code at once send one message"""
    devices = [Device(server, client="rider-app") for _ in range(200)]

    answers = at_once((lambda d=d: ask(d)) for d in devices)

    assert errors(answers).count("insufficient_authorization") == 1
    assert errors(answers).count("resend_too_soon") == 199
    server.code(RIDER)
    assert len(server.messages(RIDER)) == 1


def test_parallel_right_codes_of_a_rider(server, rider):
    """R-01, L-01 a rider's right code that twenty calls send at once is accepted once"""
    ask(rider)
    code = server.code(RIDER)

    answers = at_once((lambda: rider.verify(code)) for _ in range(20))

    assert [a.status for a in answers].count(200) == 1


def test_parallel_registrations(server, admin):
    """R-11 fifty registrations of one number at once create one pending account"""
    members = {"client_id": "rider-app", "phone_number": NEWCOMER, "name": "Asha Rao"}

    answers = at_once((lambda: server.post("/accounts", document=members)) for _ in range(50))

    assert {a.status for a in answers} <= {202, 429}, answers
    found = admin.api("/admin/accounts?status=pending").json["accounts"]
    assert [a["phone_number"] for a in found].count(NEWCOMER) == 1
    assert ask(Device(server, client="rider-app"), NEWCOMER).error == "account_not_registered"
    assert server.messages(NEWCOMER) == []


# MARK: Resets


def test_parallel_wrong_reset_codes(server):
    """T-11, L-01 of two hundred wrong codes of a reset at once at most five are evaluated"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)

    answers = at_once((lambda: reset(server, session, wrong(code))) for _ in range(200))

    seen = errors(answers)
    assert set(seen) == {"invalid_otp", "account_locked"}, set(seen)
    assert seen.count("invalid_otp") <= 4
    assert reset(server, session, code).error == "account_locked"


def test_parallel_right_reset_codes(server, device):
    """T-11, L-01 a reset's right code that twenty calls send at once sets one password"""
    device.sign_in(TECHNICIAN)
    sent = len(server.messages(TECHNICIAN.phone))
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone, sent)
    passwords = [secret(f"moss on stone {number}") for number in range(20)]

    answers = at_once((lambda p=p: reset(server, session, code, p)) for p in passwords)

    assert [a.status for a in answers].count(204) == 1, answers
    assert device.refresh().json["reason"] == "password_changed"
    server.advance(61)
    held = passwords[[a.status for a in answers].index(204)]
    assert Device(server).login(TECHNICIAN.email, held).error == "insufficient_authorization"


def test_parallel_forgotten_passwords(server):
    """T-11, L-06, L-11 fifty reset requests at once send one message, which fits one of them"""
    answers = at_once((lambda: forget(server)) for _ in range(50))

    assert {a.status for a in answers} == {200}
    code = server.code(TECHNICIAN.phone)
    assert len(server.messages(TECHNICIAN.phone)) == 1
    done = [reset(server, answer.json["reset_session"], code) for answer in answers]
    seen = [answer.error if answer.body else answer.status for answer in done]
    fitting = seen.index(204)
    assert set(seen[:fitting]) <= {"otp_expired"}
    assert set(seen[fitting + 1:]) <= {"invalid_session"}


# MARK: Deactivation during a sign-in


def test_deactivation_before_the_code(server, device, admin):
    """L-17, T-04 a deactivation between password and code stops the sign-in"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)

    set_status(admin, "technician", "deactivated")

    assert device.verify(code).error == "account_deactivated"
    assert device.resend().error == "account_deactivated"
    assert len(server.messages(TECHNICIAN.phone)) == 1


def test_deactivation_before_the_token(server, device, admin):
    """L-17, T-04 a deactivation between code and token stops the sign-in"""
    code = device.prove(TECHNICIAN)

    set_status(admin, "technician", "deactivated")

    refused = device.redeem(code)
    assert (refused.error, refused.json["reason"]) == ("invalid_grant", "account_deactivated")


def test_deactivation_before_the_new_password(server, admin):
    """L-17, L-05, T-11 a deactivation stops a started reset, and another reset sends nothing"""
    session = forget(server).json["reset_session"]
    code = server.code(TECHNICIAN.phone)

    set_status(admin, "technician", "deactivated")

    assert reset(server, session, code).error == "invalid_session"
    server.advance(61)
    assert forget(server).status == 200
    server.advance(1)
    assert len(server.messages(TECHNICIAN.phone)) == 1


def test_deactivation_under_load(server, device, admin):
    """L-17 of fifty refreshes around a deactivation none succeeds after its confirmation"""
    device.sign_in(TECHNICIAN)
    done = []

    def refresh():
        is_after = bool(done)
        return is_after, device.refresh().status

    def deactivate():
        set_status(admin, "technician", "deactivated")
        done.append(True)
        return False, 0

    answers = at_once([refresh] * 25 + [deactivate] + [refresh] * 25)

    assert [status for after, status in answers if after and status == 200] == []
    assert device.refresh().json["reason"] == "account_deactivated"
