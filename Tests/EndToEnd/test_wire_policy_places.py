"""Policies that apply only to some: the people of an organization, an address, a device key."""
import pytest

from device import Device
from harness import ADMINISTRATOR, MENTOR, TECHNICIAN, account, secret
from production import ConfiguredServer
from provider import Provider
from test_messages import hook
from test_wire_policy import (
    CODE_SENT, LIMITED, OWNER, STANDARD, access_token_life, admin, change, code_after, configured,
    digits, first_call, first_lockout, message, near, next_sign_in_after, of_session, recorded,
    resend_after, tries_of_a_code, unknown_account, values)


# MARK: Organizations


NORTH, SOUTH = {"organization": "north"}, {"organization": "south"}

ORGANIZATION_CASES = {
    "tries": ({"lockout": {"failures": 3}}, tries_of_a_code, 5, 3),
    "lock": ({"lockout": {"lock_seconds": 1200}}, first_lockout, 900, 1200),
    "digits": ({"code": {"digits": 8}}, digits, 6, 8),
    "life": ({"code": {"life_seconds": 120}}, code_after(120), None, "otp_expired"),
    "cooldown": ({"code": {"resend_seconds": 120}}, resend_after(60), CODE_SENT, "resend_too_soon"),
    "number-hourly": ({"messages": {"per_number_per_hour": 1}}, next_sign_in_after(125),
                      CODE_SENT, LIMITED),
    "organization-daily": ({"messages": {"per_organization_per_day": 0}}, first_call,
                           CODE_SENT, LIMITED),
    "countries": ({"countries": ["+46"]}, first_call, CODE_SENT, LIMITED),
    "text": ({"texts": {"sign_in": "North: {code}"}}, message, STANDARD, "North: …"),
    "access-token": ({"access_token_seconds": 60}, access_token_life, 300, 60),
    "background": ({"background_seconds": 42}, of_session("background_timeout"), 300, 42),
}


@pytest.mark.parametrize("is_restarted", [False, True], ids=["at-once", "after-a-power-cut"])
@pytest.mark.parametrize("name", ORGANIZATION_CASES)
def test_organization(server, admin, name, is_restarted):
    """T-16, S-07, L-16 an organization's value applies to its people only, also after a restart"""
    patch, observe, without, with_it = ORGANIZATION_CASES[name]

    change(admin, "/admin/organizations/north", {"policy": patch})
    event = admin.api("/admin/events?limit=1").json["events"][0]
    if is_restarted:
        server.kill()
        server.start()

    assert event["code"] == "policy.organization_changed"
    assert recorded(event, "north") == {
        key: [None, value] for key, value in values(patch).items()}
    if name in ("tries", "lock"):
        # One account has one counter for all organizations to which it signs in.
        assert near(observe(server, "mentor-app", MENTOR, **NORTH), with_it)
        return
    assert near(observe(server, "mentor-app", MENTOR, **SOUTH), without)
    server.advance(3700)
    assert near(observe(server, "mentor-app", MENTOR, **NORTH), with_it)


@pytest.mark.parametrize("patch, observe, seen", [
    ({"lockout": {"failures": 20}}, tries_of_a_code, 5),
    ({"code": {"resend_seconds": 15}}, resend_after(20), "resend_too_soon"),
    ({"disclosure": "disclosed"}, unknown_account, "invalid_credentials"),
    ({"access_token_seconds": 3600}, access_token_life, 300),
])
def test_organization_is_never_weaker(server, admin, patch, observe, seen):
    """L-16, T-03 a weaker value of an organization has no effect"""
    change(admin, "/admin/organizations/north", {"policy": patch})

    assert near(observe(server, "mentor-app", MENTOR, **NORTH), seen)


# MARK: Addresses and device keys, which development does not limit


THROTTLES = {
    "address-failures": {"throttle": {"failures_per_address_per_hour": 2}},
    "address-sends": {"throttle": {"sends_per_address_per_hour": 2}},
    "device-sends": {"throttle": {"sends_per_device_per_hour": 2}},
}
ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]


class ProxiedDevice(Device):
    """A device behind a proxy that reports its address."""
    address = ADDRESSES[0]

    def send(self, method, path, **more):
        url = self.url(path)
        token = more.pop("token", None)
        headers = [("DPoP", self.proof(method, url, token)), ("X-Forwarded-For", self.address)]
        if token:
            headers.append(("Authorization", f"DPoP {token}"))
        return self.server.call(method, url, headers=headers, **more)


class Production:
    """A production server with accounts, whose messages go to a webhook."""

    def __init__(self, folder, production, provider, first_app):
        members = configured(first_app)
        members["clients"].append({
            "id": "console", "name": "Console", "home": "console", "roles": ["administrator"],
            "sign_in": "password_and_code", "scopes": ["openid", "offline_access", "admin"]})
        members["messengers"] = [hook(provider, "hook", folder)]
        folder = folder / "production"
        self.provider = provider
        self.members = production | members | {
            "store": f"sqlite:{folder}", "trusted_proxies": ["127.0.0.1"]}
        self.server = ConfiguredServer(folder).begin(self.members)
        for role, person in [("technician", TECHNICIAN), ("owner", OWNER),
                             ("administrator", ADMINISTRATOR)]:
            made = account(self.server, "create", "--role", role, "--name", role, "--email",
                           person.email, "--phone", person.phone, "--password-file", "-",
                           typed=secret(person.password) + "\n")
            assert made.returncode == 0, made

    def administrator(self):
        device = ProxiedDevice(self.server, "console")
        device.login(ADMINISTRATOR.email, ADMINISTRATOR.password)
        message = self.provider.wait(1)[0]["text"]
        device.redeem(device.verify(message[:6]).json["authorization_code"])
        return device

    def restart(self):
        self.server.kill()
        self.server.begin(self.members)


def wrong_passwords(site, app, times, *, one_device=False, one_address=True, prefix="unknown"):
    """First requests for unknown e-mails, which count like those of known accounts."""
    device = ProxiedDevice(site.server, app)
    answers = []
    for number in range(times):
        if not one_device:
            device = ProxiedDevice(site.server, app)
        if not one_address:
            device.address = ADDRESSES[number % len(ADDRESSES)]
        answers.append(device.login(f"{prefix}-{number}@example.com", "wrong-guess"))
    return [answer.error for answer in answers]


def password_resets(site, app, times, *, one_device, one_address):
    """Password reset requests, each of which would send a message."""
    device, answers = ProxiedDevice(site.server, app), []
    for number in range(times):
        if not one_device:
            device = ProxiedDevice(site.server, app)
        if not one_address:
            device.address = ADDRESSES[number % len(ADDRESSES)]
        answers.append(device.send("POST", "/password/forgot", form={
            "client_id": app, "username": f"person-{number}@example.com"}))
    return [answer.error for answer in answers]


OBSERVE = {
    "address-failures": lambda site, app: wrong_passwords(site, app, 3),
    "address-sends": lambda site, app: password_resets(
        site, app, 3, one_device=False, one_address=True),
    "device-sends": lambda site, app: password_resets(
        site, app, 3, one_device=True, one_address=False),
}


@pytest.mark.parametrize("source", ["changed", "restarted", "configured"])
@pytest.mark.parametrize("name", THROTTLES)
def test_address_and_device_limits(tmp_path, production, name, source):
    """L-09, L-16 a limit per address or device key applies to one app, however it was set"""
    provider = Provider()
    first_app = THROTTLES[name] if source == "configured" else {}
    site = Production(tmp_path, production, provider, first_app)
    try:
        if source != "configured":
            admin = site.administrator()
            change(admin, "/admin/clients/technician-app", THROTTLES[name])
        if source == "restarted":
            site.restart()

        changed_app, other_app = (
            OBSERVE[name](site, app) for app in ("technician-app", "product-app"))

        assert changed_app[2] == LIMITED and LIMITED not in changed_app[:2]
        assert LIMITED not in other_app
    finally:
        site.server.close()
        provider.close()
