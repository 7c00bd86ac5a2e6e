"""Limits over HTTP: how often, for which device, and from which address."""
import pytest

from device import Device
from harness import TECHNICIAN, Person
from production import ConfiguredServer

RIDER = Person("", "", "+919812345678")
# The limit of messages to one number in an hour, in the configuration of the demo.
HOURLY = 12


def ask(device):
    return device.challenge(**device.first_call(phone_number=RIDER.phone))


def fail(device, times, email=TECHNICIAN.email):
    return [device.login(email, f"wrong-guess-{n}").error for n in range(times)]


def let_wait(server, seconds=60):
    server.advance(seconds)


# MARK: Numbers


def test_messages_of_an_hour(server):
    """L-16 a number gets a limited number of messages an hour; the next is refused with the wait"""
    device = Device(server, client="rider-app")
    for sent in range(HOURLY):
        assert ask(device).error == "insufficient_authorization"
        server.code(RIDER.phone, sent)
        let_wait(server)

    refused = ask(device)

    assert (refused.status, refused.error) == (429, "rate_limited")
    assert abs(refused.json["retry_in"] - (3600 - 60 * HOURLY)) <= 2
    assert refused["Retry-After"] == str(refused.json["retry_in"])
    assert "auth_session" not in refused.json and "challenge" not in refused.json
    assert len(server.messages(RIDER.phone)) == HOURLY
    let_wait(server, refused.json["retry_in"])
    assert ask(device).error == "insufficient_authorization"


def test_limit_survives_a_power_cut(server):
    """L-16 the count of messages survives a power cut, and includes every other device"""
    for _ in range(HOURLY):
        assert ask(Device(server, client="rider-app")).error == "insufficient_authorization"
        let_wait(server)

    server.kill()
    server.start()
    # The test sets the clock to whole seconds only, so it moves past the cooldown.
    let_wait(server, 5)

    assert ask(Device(server, client="rider-app")).error == "rate_limited"


def test_resend_is_a_message(server, device):
    """L-16 a refused resend leaves the open code and its attempts unchanged"""
    device.login(TECHNICIAN.email, TECHNICIAN.password)
    # A message that still waits when its code is replaced is never sent.
    server.code(TECHNICIAN.phone, 0)
    for sent in range(1, HOURLY):
        let_wait(server)
        assert device.resend().error == "insufficient_authorization"
        server.code(TECHNICIAN.phone, sent)
    let_wait(server)

    refused = device.resend()

    assert (refused.status, refused.error) == (429, "rate_limited")
    assert len(server.messages(TECHNICIAN.phone)) == HOURLY
    assert device.verify(server.code(TECHNICIAN.phone)).status == 200


def test_completed_sign_ins(server):
    """L-16 complete sign-ins are limited only by the cooldown"""
    for _ in range(HOURLY + 8):
        Device(server).sign_in(TECHNICIAN)
        let_wait(server)


# MARK: Devices


def test_known_device_has_its_own_messages(server):
    """L-39 an unknown device uses up neither the messages nor the cooldown of a known one"""
    device = Device(server, client="rider-app")
    ask(device)
    done = device.verify(server.code(RIDER.phone))
    assert device.redeem(done.json["authorization_code"]).status == 200
    other = Device(server, client="rider-app")
    for sent in range(1, HOURLY + 1):
        let_wait(server)
        assert ask(other).error == "insufficient_authorization"
        server.code(RIDER.phone, sent)
    assert ask(other).error == "resend_too_soon"
    sent = len(server.messages(RIDER.phone))

    answer = ask(device)

    assert answer.error == "insufficient_authorization"
    assert device.verify(server.code(RIDER.phone, sent)).status == 200
    let_wait(server)
    assert ask(other).error == "rate_limited"


def test_unknown_devices_are_locked_out(server, device):
    """T-05 failures on an unknown device lock out all unknown devices, and not the known one"""
    device.sign_in(TECHNICIAN)
    let_wait(server)
    unknown_device = Device(server)

    assert fail(unknown_device, 5)[-1] == "account_locked"

    assert Device(server).login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"
    assert device.sign_in(TECHNICIAN)
    assert unknown_device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"


def test_known_device_is_locked_out(server, device):
    """T-05 a known device has five attempts of its own"""
    device.sign_in(TECHNICIAN)
    let_wait(server)

    assert fail(device, 5) == ["invalid_credentials"] * 4 + ["account_locked"]

    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"
    assert Device(server).login(TECHNICIAN.email, TECHNICIAN.password).error == (
        "insufficient_authorization")


# MARK: Addresses


def test_development_has_no_limit_by_address(server, device):
    """In development neither address nor device is limited, because all tests share one"""
    errors = {fail(device, 1, f"unknown-{n}@example.com")[0] for n in range(40)}

    assert errors == {"invalid_credentials"}


@pytest.fixture
def proxied(folder, production):
    server = ConfiguredServer(folder / "proxied").begin(
        production | {"trusted_proxies": ["127.0.0.1"]})
    yield server
    server.close()


def guess(server, number, address):
    """A wrong password that reaches the server through a proxy."""
    device = Device(server)
    url = server.endpoint("authorization_challenge_endpoint")
    form = device.first_call(client_id="technician-app", password="wrong-guess",
                             username=f"unknown-{number}@example.com")
    headers = [("DPoP", device.proof("POST", url)), ("X-Forwarded-For", address)]
    return server.call("POST", url, headers=headers, form=form)


def test_failures_of_an_address(proxied):
    """L-09 one address may send a hundred wrong answers an hour; other addresses are not affected"""
    for number in range(100):
        # The text of the caller comes before the address that the proxy appends.
        answer = guess(proxied, number, f"203.0.113.{number}, 192.0.2.1")
        assert answer.error == "invalid_credentials"

    refused = guess(proxied, 100, "192.0.2.1")

    assert (refused.status, refused.error) == (429, "rate_limited")
    assert int(refused["Retry-After"]) == refused.json["retry_in"] > 3500
    assert guess(proxied, 100, "192.0.2.1, 192.0.2.2").error == "invalid_credentials"
