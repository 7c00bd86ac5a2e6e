"""Many calls at once, and calls in an unusual order."""
import concurrent.futures
import threading

from device import Device
from harness import ADMINISTRATOR, TECHNICIAN, secret


def at_once(calls):
    """Makes all calls at the same moment, each on a thread of its own."""
    calls = list(calls)
    gate = threading.Barrier(len(calls))

    def run(call):
        gate.wait()
        return call()

    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def errors(answers):
    return [answer.error for answer in answers]


def fail(server, times, email=TECHNICIAN.email, client="technician-app"):
    """Tries wrong passwords, each on a new device."""
    return [Device(server, client).login(email, f"wrong-guess-{n}") for n in range(times)]


def wrong_code(server):
    return f"{(int(server.code(TECHNICIAN.phone)) + 1) % 1_000_000:06}"


def test_parallel_wrong_passwords(server):
    """T-05, L-01 of two hundred wrong passwords at once at most five are evaluated"""
    devices = [Device(server) for _ in range(200)]

    answers = at_once(
        (lambda d=d, n=n: d.login(TECHNICIAN.email, f"wrong-guess-{n}"))
        for n, d in enumerate(devices))

    seen = errors(answers)
    assert set(seen) == {"invalid_credentials", "account_locked"}, set(seen)
    assert seen.count("invalid_credentials") <= 4


def test_parallel_wrong_codes(server, device):
    """T-06, L-01 of two hundred wrong codes at once at most five are evaluated"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    wrong = wrong_code(server)

    answers = at_once((lambda: device.verify(wrong)) for _ in range(200))

    seen = errors(answers)
    assert set(seen) == {"invalid_otp", "account_locked"}, set(seen)
    assert seen.count("invalid_otp") <= 4


def test_parallel_wrong_passwords_and_codes(server, device):
    """L-01, L-03 wrong passwords and wrong codes at once share their five evaluations"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    wrong = wrong_code(server)
    others = [Device(server) for _ in range(50)]

    answers = at_once(
        [lambda d=d: d.login(TECHNICIAN.email, "wrong-guess") for d in others]
        + [lambda: device.verify(wrong) for _ in range(50)])

    seen = errors(answers)
    assert set(seen) <= {"invalid_credentials", "invalid_otp", "account_locked"}, set(seen)
    assert len(seen) - seen.count("account_locked") <= 4


def test_parallel_right_passwords(server):
    """L-01, L-06 two right passwords at once from one key both succeed, with one message"""
    device = Device(server)

    answers = at_once([lambda: device.login(TECHNICIAN.email, TECHNICIAN.password)] * 2)

    assert errors(answers) == ["insufficient_authorization"] * 2
    code = server.code(TECHNICIAN.phone)
    assert len(server.messages(TECHNICIAN.phone)) == 1
    assert device.verify(code).status == 200


def test_parallel_right_codes(server, device):
    """L-01 a code that twenty calls send at once is accepted once"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    code = server.code(TECHNICIAN.phone)

    answers = at_once((lambda: device.verify(code)) for _ in range(20))

    assert [a.status for a in answers].count(200) == 1
    assert all(a.status in (200, 400) for a in answers)


def test_parallel_resends(server, device):
    """T-08, L-06 twenty requests for another code at once send one message"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    server.code(TECHNICIAN.phone)
    server.advance(60)

    answers = at_once(device.resend for _ in range(20))

    assert errors(answers).count("insufficient_authorization") == 1
    assert errors(answers).count("resend_too_soon") == 19
    server.code(TECHNICIAN.phone, after=1)
    assert len(server.messages(TECHNICIAN.phone)) == 2


def test_parallel_refreshes(device):
    """L-10, L-22 twenty refreshes at once all get the same successor, which works"""
    device.sign_in(TECHNICIAN)

    answers = at_once(device.refresh for _ in range(20))

    assert [a.status for a in answers] == [200] * 20
    assert len({a.json["refresh_token"] for a in answers}) == 1
    assert device.refresh(answers[0].json["refresh_token"]).status == 200


def test_parallel_redemptions(server, device):
    """L-18 ten calls that redeem one authorization code at once get tokens at most once"""
    code = device.prove(TECHNICIAN)

    answers = at_once((lambda: device.redeem(code)) for _ in range(10))

    assert [a.status for a in answers].count(200) <= 1
    assert {a.error for a in answers if a.status != 200} == {"invalid_grant"}
    server.advance(61)
    assert Device(server).sign_in(TECHNICIAN)


def stop(server):
    """One hundred failures in a row, and then one week without an attempt."""
    for _ in range(20):
        assert errors(fail(server, 5))[-1] == "account_locked"
        server.advance(24 * 3600)
    server.advance(7 * 24 * 3600)


def test_one_hundred_failures(server, device):
    """T-05 after one hundred failures in a row a lockout no longer ends with time"""
    stop(server)

    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"


def test_stop_is_opened_by_an_administrator(server, device):
    """T-05, T-16 an administrator opens an account that is stopped after one hundred failures"""
    stop(server)
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)

    assert admin.api("/admin/accounts/technician/unlock", "POST", document={}).status == 200

    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "insufficient_authorization"


def test_stop_is_opened_by_a_reset(server, device):
    """T-05, T-11 a reset opens an account that is stopped after one hundred failures"""
    stop(server)
    password = secret("mossy stones & lichen")
    started = server.post("/password/forgot", document={
        "client_id": "technician-app", "username": TECHNICIAN.email})
    done = server.post("/password/reset", document={
        "reset_session": secret(started.json["reset_session"]),
        "otp": server.code(TECHNICIAN.phone), "password": password})

    assert done.status == 204
    assert device.login(TECHNICIAN.email, password).error == "insufficient_authorization"


def test_lockout_discloses_nothing_in_another_app(server):
    """T-03, L-12 a lockout in one app does not disclose in another whether the account exists"""
    seen = {}
    for email in (TECHNICIAN.email, "unknown@example.com"):
        fail(server, 5, email)
        seen[email] = errors(fail(server, 1, email, client="product-app"))

    assert seen[TECHNICIAN.email] == seen["unknown@example.com"]


def test_abandoned_sign_in(server, device):
    """A sign-in without activity for an hour expires"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    server.advance(3600)

    assert device.resend().error == "invalid_session"
    assert device.verify("123456").error == "invalid_session"
