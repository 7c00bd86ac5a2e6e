"""Organizations, the end of sessions as open apps learn of it, and proofs across a restart."""
import concurrent.futures
import subprocess
import time

import pytest

from device import Device
from harness import ADMINISTRATOR, BINARY, MENTOR, TECHNICIAN

EVENTS = "/api/session/events"
# An end must be told within a second of its commit; the rest is this machine's haste.
PROMPT_SECONDS = 1.0


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


def listen(device, seen):
    """One call that waits for news; answers the answer and when it came."""
    answer = device.api(f"{EVENTS}?seen={seen}", timeout=70)
    return answer, time.monotonic()


def told(device, event):
    """What an open app is told when `event` happens, and how many seconds after it."""
    version = device.api(EVENTS).json["version"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(listen, device, version)
        time.sleep(0.6)
        assert not waiting.done()
        event()
        decided = time.monotonic()
        answer, came = waiting.result(60)
    return answer, came - decided


# MARK: Organizations


def test_two_organizations(server):
    """S-05 a mentor works for one organization at a time, and sees its activities alone"""
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
    """S-05 a switch ends the old session and begins the new one; a lost answer is given again"""
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
    gone = device.refresh(old["refresh_token"])
    assert (gone.error, gone.json["reason"]) == ("invalid_grant", "reuse_detected")


def test_no_member(server):
    """S-05 a person cannot enter an organization of others, and asking ends no session"""
    device = mentor(server)

    refused = device.refresh(organization="east")

    assert (refused.status, refused.error) == (403, "not_a_member")
    assert device.api("/api/me").status == 200
    assert device.refresh().status == 200
    stranger = Device(server)
    answer = stranger.login(TECHNICIAN.email, TECHNICIAN.password, organization="north")
    assert (answer.status, answer.error) == (403, "not_a_member")
    assert stranger.login(TECHNICIAN.email, "wrong", organization="north").error == (
        "invalid_credentials")
    assert server.messages(TECHNICIAN.phone) == []


def test_killed_in_a_switch(server):
    """L-23 a switch whose answer was lost in a crash is given again afterwards"""
    device = mentor(server)
    first = device.refresh(organization="south")
    server.kill()
    server.start()

    again = device.refresh(organization="south")

    assert again.json["refresh_token"] == first.json["refresh_token"]


def test_notes(server):
    """S-09 notes about an activity outlive a crash and the demo's own renewal"""
    device = mentor(server)
    written = device.api("/api/activities/north-2", "PATCH", document={"notes": "Ask about June"})
    assert written.status == 200
    server.kill()
    server.start()

    activities = device.api("/api/activities").json["activities"]

    assert next(a["notes"] for a in activities if a["id"] == "north-2") == "Ask about June"
    assert device.api("/api/activities/south-1", "PATCH", document={"notes": "x"}).error == (
        "activity_not_found")


# MARK: News of a session


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
    """On an unknown device, so that an administrator approves the new password."""
    asked = server.post("/password/forgot",
                        form={"client_id": "mentor-app", "username": MENTOR.email}).json
    sent = server.code(MENTOR.phone, after=1)
    form = {"reset_session": asked["reset_session"], "otp": sent, "password": "a new long password"}
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
def test_told(server, event, reason):
    """S-08 an open app is told within a second that its session ended, and why"""
    device = mentor(server)
    happen = event(server, device)

    answer, seconds = told(device, happen)

    assert (answer.status, answer.error) == (401, "session_ended"), answer
    assert answer.json["reason"] == reason
    assert 'error="invalid_token"' in answer["WWW-Authenticate"]
    assert seconds < PROMPT_SECONDS


def test_no_news(server):
    """S-08 without news a call is answered the same version when its time is up"""
    device = mentor(server)

    answer, _ = told(device, lambda: server.advance(50))

    assert answer.status == 200
    assert answer.json["session"] == device.tokens["session"]
    assert answer.json["version"] == device.api(EVENTS).json["version"]


def test_expired_session_is_told(server):
    """S-03 a session that runs out is told to have expired, though nobody ended it"""
    device = mentor(server)
    server.advance(7 * 24 * 3600 - 100)
    # The access token is over for long: the session alone is asked about, with a fresh one.
    assert device.api(EVENTS).error == "invalid_token"

    answer = device.refresh()
    device.tokens = answer.json
    told_answer, _ = told(device, lambda: server.advance(7 * 24 * 3600))

    assert (told_answer.error, told_answer.json["reason"]) == ("session_ended", "expired")


def test_stop(server):
    """A server that is told to stop answers whoever waits at once"""
    device = mentor(server)
    stopped = []

    answer, seconds = told(device, lambda: stopped.append(server.stop()))

    assert stopped == [0] and answer.status == 200
    assert seconds < PROMPT_SECONDS


# MARK: Proofs


@pytest.mark.parametrize("ends", ["kill", "stop"])
def test_replay_after_a_restart(server, ends):
    """L-18 a restart lets no proof in a second time, however the server ended"""
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
    """T-14 a nonce that is not the server's is refused with one that is"""
    url = device.url("/oauth/challenge")
    refused = device.send("POST", url, proof=device.proof("POST", url, claims={"nonce": "stale"}),
                          form={"client_id": "technician-app"})

    assert (refused.status, refused.error) == (400, "use_dpop_nonce")
    fresh = device.proof("POST", url, claims={"nonce": refused["DPoP-Nonce"]})
    again = device.send("POST", url, proof=fresh, form={"client_id": "technician-app"})
    assert again.error == "unsupported_response_type" and again["DPoP-Nonce"] is None
