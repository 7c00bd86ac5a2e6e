"""A change applies to the next request, although the server remembers the token and its key."""
import pytest

from device import Device
from harness import ADMINISTRATOR, TECHNICIAN, account, secret
from operator_tools import load_person
from test_postgres import at, cluster, nodes, sent_code, signed_in

__all__ = ["cluster", "nodes"]
NEW_PASSWORD = secret("mossy stones & lichen")


def use(device, *servers):
    """Uses the token of a device until each server has read it and its key from memory."""
    for server in servers or [device.server]:
        for _ in range(3):
            assert at(device, server).api("/api/me").status == 200


def assert_ended(device, tokens, reason):
    """Checks that the next request with the token is refused, and a renewal with this reason."""
    refused = device.api("/api/me", token=tokens["access_token"])
    assert (refused.status, refused.error) == (401, "invalid_token"), refused
    renewal = device.refresh(tokens["refresh_token"])
    assert (renewal.error, renewal.json["reason"]) == ("invalid_grant", reason), renewal


# MARK: What an administrator does


def administer(method, suffix="", document=None):
    """A request of an administrator about the account of a device."""
    def act(admin, number, device):
        path = f"/admin/accounts/{number}" + suffix.format(**device.tokens["session"])
        return admin.api(path, method, document=document)
    return act


ADMINISTERED = {
    "all sessions": (administer("DELETE", "/sessions"), "revoked"),
    "one session": (administer("DELETE", "/sessions/{id}"), "revoked"),
    "password": (administer("POST", "/reset", {}), "password_changed"),
    "role": (administer("PATCH", document={"role": "owner"}), "revoked"),
    "phone": (administer("PATCH", document={"phone_number": "+15550109876"}), "revoked"),
    "deactivated": (administer("PATCH", document={"status": "deactivated"}), "account_deactivated"),
    "erased": (administer("DELETE"), "account_deactivated"),
}


# MARK: What the person does, on this device or another one


def elsewhere(method, path, document=None):
    def act(server, device, other):
        return other.api(path.format(**device.tokens["session"]), method, document=document)
    return act


def sign_in_again(server, device, other):
    server.advance(61)
    device.sign_in(TECHNICIAN)


def reuse(server, device, other):
    second = device.refresh().json
    device.refresh(device.refresh(second["refresh_token"]).json["refresh_token"])
    device.refresh()


PERSONAL = {
    "sign-out": (lambda server, device, other: device.revoke(), "signed_out"),
    "sign-out by access token": (
        lambda server, device, other: device.revoke(device.tokens["access_token"]), "signed_out"),
    "ended elsewhere": (elsewhere("DELETE", "/api/sessions/{id}"), "revoked"),
    "all ended elsewhere": (elsewhere("DELETE", "/api/sessions"), "revoked"),
    "password changed elsewhere": (
        elsewhere("POST", "/api/password", {
            "current_password": TECHNICIAN.password, "new_password": NEW_PASSWORD}),
        "password_changed"),
    "same device again": (sign_in_again, "signed_out"),
    "stolen refresh token": (reuse, "reuse_detected"),
}
BY_COMMAND = {
    "deactivated": (["deactivate"], "account_deactivated"),
    "role": (["edit", "--role", "owner"], "revoked"),
    "erased": (["erase"], "account_deactivated"),
}


@pytest.fixture
def admin(server):
    device = Device(server, client="console")
    device.sign_in(ADMINISTRATOR)
    return device


@pytest.mark.parametrize("change", ADMINISTERED)
def test_administrator(server, device, admin, change):
    """L-50, T-16 the request after an administrator's change is refused, with a used token too"""
    act, reason = ADMINISTERED[change]
    device.sign_in(TECHNICIAN)
    use(device)
    use(admin)

    done = act(admin, "technician", device)

    assert done.status in (200, 204), done
    assert_ended(device, device.tokens, reason)
    assert admin.api("/api/me").status == 200


@pytest.mark.parametrize("change", PERSONAL)
def test_person(server, device, change):
    """S-04, S-08 the request after the end of the session is refused, with a used token too"""
    act, reason = PERSONAL[change]
    device.sign_in(TECHNICIAN)
    server.advance(61)
    other = Device(server)
    other.sign_in(TECHNICIAN)
    use(device)
    use(other)
    ended = device.tokens

    act(server, device, other)

    assert_ended(device, ended, reason)
    if change == "all ended elsewhere":
        assert_ended(other, other.tokens, "signed_out")
    else:
        assert other.api("/api/me").status == 200
    if change == "same device again":
        assert device.api("/api/me").status == 200


@pytest.mark.parametrize("change", BY_COMMAND)
def test_command(server, device, change):
    """T-16 the request after an operator's command is refused, with a used token too"""
    arguments, reason = BY_COMMAND[change]
    device.sign_in(TECHNICIAN)
    use(device)

    done = account(server, *arguments, TECHNICIAN.email)

    assert done.returncode == 0, done
    assert_ended(device, device.tokens, reason)


def test_keys_of_two_devices(server, device):
    """L-18 a new key has a session of its own; both keys are remembered, and none fits the other"""
    device.sign_in(TECHNICIAN)
    server.advance(61)
    renewed = Device(server)
    renewed.sign_in(TECHNICIAN)
    for one, other in ((device, renewed), (renewed, device)):
        use(one)
        use(other)
        token = one.tokens["access_token"]
        refused = one.api("/api/me", proof=one.proof(
            "GET", one.url("/api/me"), token, key=other.key))
        assert (refused.status, refused.error) == (401, "invalid_token"), refused
        assert other.refresh(one.tokens["refresh_token"]).error == "invalid_grant"
    assert device.revoke().status == 200
    assert_ended(device, device.tokens, "signed_out")
    assert renewed.api("/api/me").status == 200


# MARK: Several servers


def administrator_at(node, nodes):
    admin = Device(node, client="console")
    admin.login(ADMINISTRATOR.email, ADMINISTRATOR.password)
    done = admin.verify(sent_code(nodes, ADMINISTRATOR.phone))
    assert admin.redeem(done.json["authorization_code"]).status == 200
    return admin


def test_administrator_at_another_server(nodes):
    """R-13, L-50 the request after a change at one server is refused by another, which used it"""
    first, second = nodes
    admin = administrator_at(first, nodes)
    devices = signed_in(nodes, len(ADMINISTERED))
    for device in devices:
        use(device, *nodes)

    for number, (device, change) in enumerate(zip(devices, ADMINISTERED), 1):
        act, reason = ADMINISTERED[change]
        query = f"/admin/accounts?query={load_person(number).email}"
        [found] = admin.api(query).json["accounts"]
        done = act(admin, found["id"], device)
        assert done.status in (200, 204), (change, done)
        assert_ended(at(device, second), device.tokens, reason)


def test_policy_at_another_server(nodes):
    """R-13, L-50 a policy that changed at one server applies to the next renewal at another"""
    first, second = nodes
    admin = administrator_at(first, nodes)
    [device] = signed_in(nodes, 1)
    for seconds in (300, 60, 3600):
        answer = admin.api("/admin/clients/technician-app", "PATCH",
                           document={"access_token_seconds": seconds})
        assert answer.status == 200, answer
        for node in (second, first):
            device.tokens = at(device, node).refresh().json
            assert device.tokens["expires_in"] == seconds
            assert device.api("/api/me").status == 200
