"""Sign-in at a provider that misbehaves: its tokens, its answers, and no answer at all."""
import threading
import time

import pytest

from device import Device
from harness import TECHNICIAN
from identity_provider import CLIENT_ID
from operator_tools import log_lines, until
from test_providers import (
    app_page, at_app, authorize, bad_provider, bad_server, configuration, journey, known, mentor,
    push, redeemed, subject)

__all__ = ["app_page", "bad_provider", "bad_server", "known"]

# The server waits 4.5 s, which a unit test proves. The provider would answer after 30 s. Twenty
# sign-ins at once on a busy machine need some seconds of their own.
HANG_SECONDS = 15

WRONG_CLAIMS = {
    "iss": {"iss": "https://evil.example"}, "aud": {"aud": "other"},
    "more-audiences": {"aud": [CLIENT_ID, "other"]}, "azp": {"azp": "other"},
    "nonce": {"nonce": "other"}, "no-nonce": {"nonce": None}, "at_hash": {"at_hash": "AAAA"},
    "expired": {"exp": int(time.time()) - 3600}, "future": {"iat": int(time.time()) + 3600},
    "old": {"iat": int(time.time()) - 7200}, "no-subject": {"sub": ""},
}


def test_wrong_tokens(bad_server, bad_provider, known):
    """S-09 an ID token with a wrong claim, without a signature or of another key is refused"""
    reasons = {}
    for name, claims in WRONG_CLAIMS.items():
        bad_provider.claims = claims
        reasons[name] = journey(bad_server)[1].get("reason")
    bad_provider.claims = {}
    for fault in ("alg none", "alg confused", "alg stranger"):
        bad_provider.fault = fault
        reasons[fault] = journey(bad_server)[1].get("reason")
    bad_provider.fault = None

    assert set(reasons.values()) == {"untrusted_answer"}, reasons
    device, result = journey(bad_server)
    redeemed(device, result)
    assert subject(device) == known
    refused = [line for line in log_lines(bad_server, "error") if "an answer was refused" in line]
    assert len(refused) == len(reasons), refused


@pytest.mark.parametrize("kind, reason", [
    ("redirect", "provider_misconfigured"), ("error", "provider_unavailable"),
    ("html", "provider_misconfigured"), ("gigabyte", "provider_unavailable")])
def test_bad_token_endpoint(bad_server, bad_provider, known, kind, reason):
    """S-09 a redirect to a private address or an endless answer ends the sign-in and nothing else"""
    bad_provider.fault = f"token {kind}"
    began = time.monotonic()

    result = journey(bad_server)[1]

    assert result["reason"] == reason
    assert time.monotonic() - began < 5
    if kind == "gigabyte":
        assert bad_provider.sent < 64 << 20
        assert bad_server.rss_mb < 300


@pytest.mark.parametrize("place", ["token hang", "token slow"])
def test_hanging_provider(bad_server, bad_provider, known, place):
    """S-09 a provider that hangs is refused before it answers and delays no text message"""
    bad_provider.fault = place
    results = []

    def wait():
        began = time.monotonic()
        result = journey(bad_server)[1]
        results.append((result["reason"], time.monotonic() - began))
    waiting = [threading.Thread(target=wait) for _ in range(20)]
    for thread in waiting:
        thread.start()
    time.sleep(0.5)
    began = time.monotonic()
    Device(bad_server).sign_in(TECHNICIAN)
    assert time.monotonic() - began < 3
    for thread in waiting:
        thread.join(30)
    assert {reason for reason, _ in results} == {"provider_unavailable"}
    assert len(results) == 20 and max(seconds for _, seconds in results) < HANG_SECONDS


def test_cancelled(bad_server, bad_provider):
    """P-03 a person who refuses at the provider comes back to the app with a reason"""
    bad_provider.fault = "authorize denied"

    result = journey(bad_server)[1]

    assert (result["error"], result["reason"]) == ("access_denied", "cancelled")
    assert "/token" not in bad_provider.asked


def test_key_rotation(bad_server, bad_provider, known):
    """S-09 a key that changes during a sign-in is fetched again, at most once a minute"""
    bad_server.advance(60)
    bad_provider.rotate()
    bad_provider.claims = {"iat": int(bad_server.now()), "exp": int(bad_server.now()) + 300}
    device, result = journey(bad_server)
    redeemed(device, result)
    assert subject(device) == known
    fetched = bad_provider.asked.count("/keys")
    bad_provider.rotate()
    assert journey(bad_server)[1]["reason"] == "untrusted_answer"
    assert bad_provider.asked.count("/keys") == fetched


def test_restart(new_server, bad_provider, tmp_path):
    """P-03 after a restart the stored metadata and keys are used; a broken provider says so"""
    server = new_server()
    settings = configuration(
        tmp_path, {"name": "login", "issuer": bad_provider.issuer},
        {"name": "gone", "issuer": "http://127.0.0.1:9"})
    server.start(settings)
    bad_provider.claims = {"phone_number": "+4790003333", "phone_number_verified": True}
    redeemed(*journey(server))
    asked = list(bad_provider.asked)
    providers = until(lambda: [p for p in server.get("/apps/mentor-app").json["providers"]
                               if not p["available"]])
    assert [provider["name"] for provider in providers] == ["gone"]
    device = mentor(server)
    answer = server.get(authorize(device, push(device, "gone")))
    assert at_app(device, answer["Location"])["reason"] == "provider_unavailable"

    assert server.stop() == 0
    bad_provider.fault = "discovery error"
    server.start(settings)
    device, result = journey(server)
    assert "code" in result
    assert bad_provider.asked.count("/keys") == asked.count("/keys")
    server.close()
