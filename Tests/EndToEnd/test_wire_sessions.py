"""Organizations, the end of sessions as open apps learn of it, and proofs across a restart."""
import concurrent.futures
import subprocess
import time

import pytest

from device import Device
from harness import ADMINISTRATOR, BINARY, MENTOR, TECHNICIAN

EVENTS = "/api/session/events"
# A waiting app must get the end of its session within a second of the commit.
PROMPT_SECONDS = 5


def mentor(server, organization=None):
    device = Device(server, client="mentor-app")
    device.sign_in(MENTOR, **({"organization": organization} if organization else {}))
    return device


def administrator(server):
    device = Device(server, client="console")
    device.sign_in(ADMINISTRATOR)
    return device


def titles(device):
    return {entry["title"] for entry in device.api("/api/activities").json["activities"]}


def request_news(device, seen):
    """One call that waits for account updates; returns the answer and its time."""
    answer = device.api(f"{EVENTS}?seen={seen}", timeout=70)
    return answer, time.monotonic()


def wait_for_update(device, event):
    """The answer that an open app gets when `event` happens, and how many seconds later."""
    version = device.api(EVENTS).json["version"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(request_news, device, version)
        time.sleep(0.6)
        assert not waiting.done()
        event()
        decided = time.monotonic()
        answer, came = waiting.result(60)
    return answer, came - decided


# MARK: Organizations


def test_two_organizations(server):
    """S-05 a mentor works for one organization at a time and sees only its activities"""
    north = mentor(server)
    server.advance(61)
    south = mentor(server, "south")

    me = north.api("/api/me").json
    assert me["organizations"] == [{"id": "north", "name": "North"},
                                   {"id": "south", "name": "South"}]
    assert me["session"]["organization"] == "north"
    assert south.api("/api/me").json["session"]["organization"] == "south"
    assert titles(north) and titles(south) and not titles(north) & titles(south)


def test_switch(server):
    """S-05 a switch ends one session and starts the new one; a lost answer is repeated"""
    device = mentor(server, "north")
    old = dict(device.tokens)

    first = device.refresh(organization="south")
    again = device.refresh(organization="south")

    assert first.status == again.status == 200
    assert first.json["refresh_token"] == again.json["refresh_token"] != old["refresh_token"]
    assert first.json["session"]["organization"] == "south"
    assert first.json["session"]["id"] != old["session"]["id"]
    assert first.json["session"]["expires_at"] == old["session"]["expires_at"]
    assert device.api("/api/activities").status == 401
    device.tokens = first.json
    assert "First meeting" in titles(device)
    assert device.refresh().status == 200
    reused = device.refresh(old["refresh_token"])
    assert (reused.error, reused.json["reason"]) == ("invalid_grant", "reuse_detected")


def test_no_member(server):
    """S-05 a person cannot enter an organization of others, and the attempt ends no session"""
    device = mentor(server)

    refused = device.refresh(organization="east")

    assert (refused.status, refused.error) == (403, "not_a_member")
    assert device.api("/api/me").status == 200
    assert device.refresh().status == 200
    other_device = Device(server)
    answer = other_device.login(TECHNICIAN.email, TECHNICIAN.password, organization="north")
    assert (answer.status, answer.error) == (403, "not_a_member")
    assert other_device.login(TECHNICIAN.email, "wrong", organization="north").error == (
        "invalid_credentials")
    assert server.messages(TECHNICIAN.phone) == []


def test_killed_in_a_switch(server):
    """L-23 a switch whose answer was lost in a crash is repeated afterwards"""
    device = mentor(server)
    first = device.refresh(organization="south")
    server.kill()
    server.start()

    again = device.refresh(organization="south")

    assert again.json["refresh_token"] == first.json["refresh_token"]


def test_notes(server):
    """S-09 notes about an activity survive a crash and the reset of the demo data"""
    device = mentor(server)
    written = device.api("/api/activities/north-2", "PATCH", document={"notes": "Ask about June"})
    assert written.status == 200
    server.kill()
    server.start()

    activities = device.api("/api/activities").json["activities"]

    assert next(a["notes"] for a in activities if a["id"] == "north-2") == "Ask about June"
    assert device.api("/api/activities/south-1", "PATCH", document={"notes": "x"}).error == (
        "activity_not_found")


# MARK: Account updates


def end_by_administrator(server, device):
    admin = administrator(server)
    path = "/admin/accounts/mentor/sessions"
    return lambda: admin.api(path, "DELETE")


def deactivate(server, device):
    admin = administrator(server)
    change = {"status": "deactivated"}
    return lambda: admin.api("/admin/accounts/mentor", "PATCH", document=change)


def deactivate_by_shell(server, device):
    command = [BINARY, "account", "deactivate", "--data", server.data, MENTOR.email]
    return lambda: subprocess.run(command, check=True, capture_output=True, timeout=30)


def sign_out_elsewhere(server, device):
    server.advance(61)
    other = mentor(server)
    return lambda: other.api("/api/sessions", "DELETE")


def sign_out(server, device):
    return lambda: device.revoke()


def switch(server, device):
    return lambda: device.refresh(organization="south")


def change_password(server, device):
    """On an unknown device, so an administrator has to approve the new password."""
    started = server.post("/password/forgot",
                          form={"client_id": "mentor-app", "username": MENTOR.email}).json
    sent = server.code(MENTOR.phone, after=1)
    form = {"reset_session": started["reset_session"], "otp": sent,
            "password": "a new long password"}
    answer = server.post("/password/reset", form=form)
    assert answer.status == 202
    admin = administrator(server)
    return lambda: admin.api("/admin/accounts/mentor/password-reset/approval", "POST",
                             document={"available_at": answer.json["available_at"]})


def reuse(server, device):
    first = device.tokens["refresh_token"]
    second = device.refresh(first).json["refresh_token"]
    device.refresh(second)
    return lambda: device.refresh(first)


@pytest.mark.parametrize("event, reason", [
    (end_by_administrator, "revoked"), (deactivate, "account_deactivated"),
    (deactivate_by_shell, "account_deactivated"), (sign_out_elsewhere, "revoked"),
    (sign_out, "signed_out"), (switch, "signed_out"), (change_password, "password_changed"),
    (reuse, "reuse_detected")])
def test_open_app_learns_of_the_end(server, event, reason):
    """S-08 an open app learns within a second that its session ended, and why"""
    device = mentor(server)
    end_session = event(server, device)

    answer, seconds = wait_for_update(device, end_session)

    assert (answer.status, answer.error) == (401, "session_ended"), answer
    assert answer.json["reason"] == reason
    assert 'error="invalid_token"' in answer["WWW-Authenticate"]
    assert seconds < PROMPT_SECONDS


def test_no_news(server):
    """S-08 without an account update a call gets the same version at the end of its time"""
    device = mentor(server)

    answer, _ = wait_for_update(device, lambda: server.advance(50))

    assert answer.status == 200
    assert answer.json["session"] == device.tokens["session"]
    assert answer.json["version"] == device.api(EVENTS).json["version"]


def test_expired_session(server):
    """S-03 an expired session is reported as expired"""
    device = mentor(server)
    server.advance(7 * 24 * 3600 - 100)
    # The access token has expired long ago. A new one is needed to ask about the session.
    assert device.api(EVENTS).error == "invalid_token"

    answer = device.refresh()
    device.tokens = answer.json
    update, _ = wait_for_update(device, lambda: server.advance(7 * 24 * 3600))

    assert (update.error, update.json["reason"]) == ("session_ended", "expired")


def test_stop(server):
    """A server that has to stop answers the waiting calls at once"""
    device = mentor(server)
    stopped = []

    answer, seconds = wait_for_update(device, lambda: stopped.append(server.stop()))

    assert stopped == [0] and answer.status == 200
    assert seconds < PROMPT_SECONDS


# MARK: Proofs


@pytest.mark.parametrize("ends", ["kill", "stop"])
def test_replay_after_a_restart(server, ends):
    """L-18 after a restart no proof is accepted a second time, however the server ended"""
    device = mentor(server)
    url = device.url("/api/me")
    proof = device.proof("GET", url, device.tokens["access_token"])
    assert device.api("/api/me", proof=proof).status == 200
    getattr(server, ends)()
    server.start()

    replayed = device.api("/api/me", proof=proof)

    assert (replayed.status, replayed.error) == (401, "invalid_dpop_proof")
    assert device.api("/api/me").status == 200


def test_stale_nonce(server, device):
    """T-14 a wrong nonce is refused with the right one"""
    url = device.url("/oauth/challenge")
    refused = device.send("POST", url, proof=device.proof("POST", url, claims={"nonce": "stale"}),
                          form={"client_id": "technician-app"})

    assert (refused.status, refused.error) == (400, "use_dpop_nonce")
    fresh = device.proof("POST", url, claims={"nonce": refused["DPoP-Nonce"]})
    again = device.send("POST", url, proof=fresh, form={"client_id": "technician-app"})
    assert again.error == "unsupported_response_type" and again["DPoP-Nonce"] is None
