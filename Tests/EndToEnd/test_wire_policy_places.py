"""Policies that hold for some only: the people of an organization, an address, a device's key."""
import pytest

from device import Device
from harness import ADMINISTRATOR, MENTOR, TECHNICIAN, account, secret
from production import ConfiguredServer
from provider import Provider
from test_messages import hook
from test_wire_policy import (
    ASKED, LIMITED, OWNER, STANDARD, access_token_life, admin, change, code_after, configured,
    digits, first_call, first_lock, keys, message, near, next_sign_in_after, of_session,
    resend_after, tries_of_a_code, unknown_account)


# MARK: Organizations


NORTH, SOUTH = {"organization": "north"}, {"organization": "south"}

ORGANIZATION_CASES = {
    "tries": ({"lockout": {"failures": 3}}, tries_of_a_code, 5, 3),
    "lock": ({"lockout": {"lock_seconds": 1200}}, first_lock, 900, 1200),
    "digits": ({"code": {"digits": 8}}, digits, 6, 8),
    "life": ({"code": {"life_seconds": 120}}, code_after(120), None, "otp_expired"),
    "cooldown": ({"code": {"resend_seconds": 120}}, resend_after(60), ASKED, "resend_too_soon"),
    "number-hourly": ({"messages": {"per_number_per_hour": 1}}, next_sign_in_after(125),
                      ASKED, LIMITED),
    "organization-daily": ({"messages": {"per_organization_per_day": 0}}, first_call,
                           ASKED, LIMITED),
    "countries": ({"countries": ["+46"]}, first_call, ASKED, LIMITED),
    "text": ({"texts": {"sign_in": "North: {code}"}}, message, STANDARD, "North: …"),
    "access-token": ({"access_token_seconds": 60}, access_token_life, 300, 60),
    "background": ({"background_seconds": 42}, of_session("background_timeout"), 300, 42),
}


@pytest.mark.parametrize("is_restarted", [False, True], ids=["at-once", "after-a-power-cut"])
@pytest.mark.parametrize("name", ORGANIZATION_CASES)
def test_organization(server, admin, name, is_restarted):
    """T-16, S-07, L-16 an organization's value holds for its people alone, also after a power cut"""
    patch, see, without, with_it = ORGANIZATION_CASES[name]

    change(admin, "/admin/organizations/north", {"policy": patch})
    event = admin.api("/admin/events?limit=1").json["events"][0]
    if is_restarted:
        server.kill()
        server.start()

    assert event["code"] == "policy.organization_changed"
    assert event["detail"] == " ".join(["administrator", "north", *keys(patch)])
    if name in ("tries", "lock"):
        # One account has one counter, whichever organization it signs in to.
        assert near(see(server, "mentor-app", MENTOR, **NORTH), with_it)
        return
    assert near(see(server, "mentor-app", MENTOR, **SOUTH), without)
    server.advance(3700)
    assert near(see(server, "mentor-app", MENTOR, **NORTH), with_it)


@pytest.mark.parametrize("patch, see, seen", [
    ({"lockout": {"failures": 20}}, tries_of_a_code, 5),
    ({"code": {"resend_seconds": 15}}, resend_after(20), "resend_too_soon"),
    ({"disclosure": "disclosed"}, unknown_account, "invalid_credentials"),
    ({"access_token_seconds": 3600}, access_token_life, 300),
])
def test_organization_is_never_looser(server, admin, patch, see, seen):
    """L-16, T-03 what would let in more has no effect when an organization says it"""
    change(admin, "/admin/organizations/north", {"policy": patch})

    assert near(see(server, "mentor-app", MENTOR, **NORTH), seen)


# MARK: Places, which development does not hold anything against


PLACES = {
    "address-failures": {"throttle": {"failures_per_address_per_hour": 2}},
    "address-sends": {"throttle": {"sends_per_address_per_hour": 2}},
    "device-sends": {"throttle": {"sends_per_device_per_hour": 2}},
}
ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]


class Place(Device):
    """A device behind a proxy that says from where it calls."""
    address = ADDRESSES[0]

    def send(self, method, path, **more):
        url = self.url(path)
        token = more.pop("token", None)
        headers = [("DPoP", self.proof(method, url, token)), ("X-Forwarded-For", self.address)]
        if token:
            headers.append(("Authorization", f"DPoP {token}"))
        return self.server.call(method, url, headers=headers, **more)


class Production:
    """A server in production with accounts, whose messages a webhook takes."""

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
        device = Place(self.server, "console")
        device.login(ADMINISTRATOR.email, ADMINISTRATOR.password)
        message = self.provider.wait(1)[0]["text"]
        device.redeem(device.verify(message[:6]).json["authorization_code"])
        return device

    def restart(self):
        self.server.kill()
        self.server.begin(self.members)


def guesses(place, app, times, *, one_device=False, one_address=True, prefix="nobody"):
    """First calls for addresses nobody has, which count like those of people."""
    device = Place(place.server, app)
    answers = []
    for number in range(times):
        if not one_device:
            device = Place(place.server, app)
        if not one_address:
            device.address = ADDRESSES[number % len(ADDRESSES)]
        answers.append(device.login(f"{prefix}-{number}@example.com", "wrong-guess"))
    return [answer.error for answer in answers]


def forgotten(place, app, times, *, one_device, one_address):
    """Wishes for a code to set a new password: each would send a message."""
    device, answers = Place(place.server, app), []
    for number in range(times):
        if not one_device:
            device = Place(place.server, app)
        if not one_address:
            device.address = ADDRESSES[number % len(ADDRESSES)]
        answers.append(device.send("POST", "/password/forgot", form={
            "client_id": app, "username": f"person-{number}@example.com"}))
    return [answer.error for answer in answers]


SEE = {
    "address-failures": lambda place, app: guesses(place, app, 3),
    "address-sends": lambda place, app: forgotten(
        place, app, 3, one_device=False, one_address=True),
    "device-sends": lambda place, app: forgotten(
        place, app, 3, one_device=True, one_address=False),
}


@pytest.mark.parametrize("how", ["changed", "restarted", "configured"])
@pytest.mark.parametrize("name", PLACES)
def test_places(tmp_path, production, name, how):
    """L-09, L-16 limits of an address and of a device key hold for one app, however they were set"""
    provider = Provider()
    place = Production(tmp_path, production, provider, PLACES[name] if how == "configured" else {})
    try:
        if how != "configured":
            admin = place.administrator()
            change(admin, "/admin/clients/technician-app", PLACES[name])
        if how == "restarted":
            place.restart()

        here, there = (SEE[name](place, app) for app in ("technician-app", "product-app"))

        assert here[2] == LIMITED and LIMITED not in here[:2]
        assert LIMITED not in there
    finally:
        place.server.close()
        provider.close()
