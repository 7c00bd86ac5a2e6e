"""A signed-in person changes the password over HTTP."""
from device import Device
from harness import TECHNICIAN, secret

NEW = secret("mossy stones & lichen")


def change(device, current=TECHNICIAN.password, new=NEW):
    members = {"current_password": current, "new_password": new}
    return device.api("/api/password", "POST", document=members)


def test_change(server, device):
    """The new password applies, every other session ends, and this one continues"""
    device.sign_in(TECHNICIAN)
    server.advance(61)
    other = Device(server)
    other.sign_in(TECHNICIAN)

    done = change(device)

    assert (done.status, done.body) == (204, b"")
    assert device.api("/api/me").status == 200
    assert "access_token" in device.refresh().json
    assert other.api("/api/me").status == 401
    assert other.refresh().json["reason"] == "password_changed"
    assert Device(server).login(TECHNICIAN.email, TECHNICIAN.password).error == "invalid_credentials"
    server.advance(61)
    assert Device(server).login(TECHNICIAN.email, NEW).error == "insufficient_authorization"


def test_wrong(server, device):
    """Wrong current passwords count like those of a sign-in; the session itself continues"""
    device.sign_in(TECHNICIAN)

    codes = [change(device, "wrong") for _ in range(5)]

    assert [answer.error for answer in codes] == ["invalid_credentials"] * 4 + ["account_locked"]
    assert codes[-1].json["locked_until"] > server.now()
    refused = change(device)
    assert (refused.status, refused.error) == (403, "account_locked")
    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "account_locked"
    assert device.api("/api/jobs").status == 200


def test_refused(device):
    """A password that is not allowed is refused, and so is a body without both passwords"""
    device.sign_in(TECHNICIAN)

    assert change(device, new="short").error == "password_too_short"
    assert change(device, new="password").error == "password_too_common"
    assert device.api("/api/password", "POST", document={"new_password": NEW}).error \
        == "invalid_request"
    assert change(device).status == 204
