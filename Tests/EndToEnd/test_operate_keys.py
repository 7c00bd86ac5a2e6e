"""A new signing key while the server runs, and the security log after a lost master key."""
import shutil
import sqlite3

import pytest

from device import Device, read_token
from harness import ADMINISTRATOR, TECHNICIAN
from operator_tools import (
    Load, assert_refused, command, log_lines, signed_in, until)

OVERLAP = 3660


def rotate(server, *arguments):
    run = command("keys", "rotate", "--data", server.data, *arguments)
    assert run.returncode == 0, run
    return dict(line.split(maxsplit=1) for line in run.stdout.splitlines())


def key_names(server):
    return [key["kid"] for key in server.get("/jwks.json").json["keys"]]


def signer(server, token):
    """The key id of a token, which must be one of the published keys."""
    return read_token(token, server.get("/jwks.json").json)[0]["kid"]


def use(device):
    """Repeats what an app does: it reads data and sometimes renews its tokens."""
    def once():
        for _ in range(3):
            answer = device.api("/api/me")
            assert answer.status == 200, answer
        answer = device.refresh()
        assert answer.status == 200, answer
        device.tokens = answer.json
    return once


def verify(server):
    """Repeats what an adopter's API does with a token of this server."""
    device = Device(server)
    device.sign_in(TECHNICIAN)

    def once():
        answer = device.refresh(scope="openid")
        assert answer.status == 200, answer
        device.tokens = answer.json
        for name in ("access_token", "id_token"):
            assert signer(server, device.tokens[name]) in key_names(server)
    return once


def test_rotation_under_load(server):
    """A new signing key under load: no request is refused, and every session continues"""
    devices = signed_in(server, 6)
    old = devices[0].tokens["access_token"]
    before = key_names(server)

    with Load(*(use(device) for device in devices), verify(server)) as load:
        load.goes_on()
        rotation = rotate(server, "--publish-seconds", "2")
        until(lambda: key_names(server) == [rotation["key"], *before])
        until(lambda: signer(server, devices[1].tokens["access_token"]) == rotation["key"], 20)
        load.goes_on(100)
    assert load.mistakes == []

    assert signer(server, old) == before[0]
    assert devices[0].api("/api/me", token=old).status == 200
    for device in devices:
        device.tokens = device.refresh(scope="openid").json
        assert signer(server, device.tokens["access_token"]) == rotation["key"]
        assert signer(server, device.tokens["id_token"]) == rotation["key"]
    assert [line for line in log_lines(server, "error")] == []
    events = command("events", "list", "--data", server.data, "--limit", "1000").stdout
    assert f'"code":"signing_key.rotated","detail":"{rotation["key"]}"' in events
    assert command("events", "verify", "--data", server.data).returncode == 0


def test_old_key_ends(server):
    """The old key and its file are removed after its last token expired; the session continues"""
    admin, device = Device(server, client="console"), Device(server)
    admin.sign_in(ADMINISTRATOR)
    longest = {"access_token_seconds": 3600}
    assert admin.api("/admin/clients/technician-app", "PATCH", document=longest).status == 200
    old = device.sign_in(TECHNICIAN)["access_token"]
    assert [device.api("/api/me", token=old).status for _ in range(3)] == [200] * 3
    before = key_names(server)
    rotation = rotate(server, "--publish-seconds", "0")
    until(lambda: key_names(server) == [rotation["key"], *before])
    files = sorted(path.name for path in (server.data / "keys").iterdir())
    assert len(files) == 3 and files[1].startswith("signing-until-"), files

    # The new key signs from the next second on.
    until(lambda: signer(server, device.refresh().json["access_token"]) == rotation["key"])
    device.tokens = device.refresh().json
    server.advance(3400)
    for token in (old, device.tokens["access_token"]):
        assert [device.api("/api/me", token=token).status for _ in range(3)] == [200] * 3
    server.advance(OVERLAP - 60 - 3400)
    assert key_names(server) == [rotation["key"], *before]
    server.advance(120)
    until(lambda: key_names(server) == [rotation["key"]])
    until(lambda: len(list((server.data / "keys").iterdir())) == 2)
    assert device.api("/api/me", token=old).status == 401
    device.tokens = device.refresh().json
    assert device.api("/api/me").status == 200


def test_rotation_and_a_restart(server):
    """After a restart the server signs with the new key and accepts tokens of the old one"""
    device = Device(server)
    device.sign_in(TECHNICIAN)
    rotation = rotate(server, "--publish-seconds", "0")
    assert server.stop() == 0

    server.start()

    assert key_names(server)[0] == rotation["key"] and len(key_names(server)) == 2
    assert device.api("/api/me").status == 200
    # The new key signs from the next second on.
    until(lambda: signer(server, device.refresh().json["access_token"]) == rotation["key"])


def test_published_before_it_signs(server):
    """The new key is published ten minutes before it signs; until then no other can follow"""
    device = Device(server)
    device.sign_in(TECHNICIAN)
    before = key_names(server)
    rotation = rotate(server)
    until(lambda: key_names(server) == [rotation["key"], *before])

    assert_refused(command("keys", "rotate", "--data", server.data), "does not sign before",
                   status=2)
    device.tokens = device.refresh().json
    assert signer(server, device.tokens["access_token"]) == before[0]
    server.advance(602)
    assert signer(server, device.refresh().json["access_token"]) == rotation["key"]


def test_leaked_key(server):
    """After a key leaked, its tokens are refused at once, and apps renew their tokens"""
    device = Device(server)
    old = device.sign_in(TECHNICIAN)["access_token"]
    # The server remembers the token and its key.
    assert [device.api("/api/me").status for _ in range(3)] == [200] * 3
    rotate(server, "--publish-seconds", "86400")
    assert device.api("/api/me").status == 200

    rotation = rotate(server, "--distrust-old")

    until(lambda: key_names(server) == [rotation["key"]])
    assert rotation["earlier"] == "refused"
    assert device.api("/api/me").status == 401
    device.tokens = device.refresh().json
    assert device.api("/api/me").status == 200
    assert device.api("/api/me", token=old).status == 401
    assert sorted(path.name for path in (server.data / "keys").iterdir()) == [
        "master.key", "signing.pem"]


@pytest.mark.parametrize("arguments, status", [
    (["--publish-seconds", "-1"], 64), (["--publish-seconds", "0"], 0),
    (["--publish-seconds", "1"], 0), (["--publish-seconds", "86399"], 0),
    (["--publish-seconds", "86400"], 0), (["--publish-seconds", "86401"], 64),
    (["--publish-seconds"], 64), (["--distrust-old", "--publish-seconds", "1"], 64),
    (["--force"], 64)])
def test_options(new_server, arguments, status):
    """A key is published for up to one day before it signs; wrong options change nothing"""
    server = new_server()
    before = sorted((server.data / "keys").iterdir())

    run = command("keys", "rotate", "--data", server.data, *arguments)

    assert run.returncode == status, run
    assert (sorted((server.data / "keys").iterdir()) == before) == (status != 0)


def test_interrupted_rotation(new_server):
    """After an interrupted rotation the old key stays in use, and the next rotation works"""
    server = new_server()
    keys = server.data / "keys"
    shutil.copy2(keys / "signing.pem", keys / "signing-until-4102444800.pem")
    (keys / "signing.pem.new").write_text("half a k")
    server.start()
    before = key_names(server)
    assert len(before) == 1

    rotation = rotate(server, "--publish-seconds", "0")

    until(lambda: key_names(server) == [rotation["key"], *before])
    server.close()


def test_unreadable_key(server):
    """A key file without a key is reported in the log, and the keys in use stay"""
    device = Device(server)
    device.sign_in(TECHNICIAN)
    before = key_names(server)
    path = server.data / "keys/signing.pem"
    right = path.read_bytes()

    path.write_text("no key")
    until(lambda: [line for line in log_lines(server, "error") if "not a P-256" in line])
    assert key_names(server) == before
    assert device.api("/api/me").status == 200 and device.refresh().status == 200

    path.write_bytes(right)
    until(lambda: [line for line in log_lines(server, "info") if "signing keys read" in line])
    assert key_names(server) == before


def test_commands_with_a_configuration(new_server, folder):
    """`keys` and `demo` find the folder through the server's configuration"""
    server = new_server()
    config = folder / "place.json"
    config.write_text(f'{{"store": "sqlite:{server.data}"}}')

    assert command("keys", "rotate", "--config", config).returncode == 0
    assert_refused(command("keys", "create", "--config", config), "no key is missing", status=2)
    removed = command("demo", "remove", "--config", config)
    assert removed.returncode == 0 and removed.stdout.startswith("removed "), removed


# MARK: The security log after a lost master key


@pytest.fixture
def with_new_key(new_server):
    """A server with a new master key after a loss, and the event of that change."""
    server = new_server().start()
    Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    assert server.stop() == 0
    (server.data / "keys/master.key").unlink()
    assert command("keys", "create", "--data", server.data, "--accept-loss").returncode == 0
    server.start()
    Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    assert server.stop() == 0
    server.close()
    with sqlite3.connect(server.data / "fieldpass.db") as database:
        [[changed]] = database.execute(
            "SELECT sequence FROM security_events WHERE code = 'log.keyed'")
    database.close()
    return server, changed


def test_verify_after_a_lost_key(with_new_key):
    """After new keys `events verify` reports what it cannot check, and checks the rest"""
    server, changed = with_new_key
    verify_log = ("events", "verify", "--data", server.data)

    whole = command(*verify_log)
    assert_refused(whole, f"events before {changed} were linked with another key",
                   f"from {changed} on are unbroken", f"--from {changed}")
    rest = command(*verify_log, "--from", str(changed))
    assert rest.returncode == 0 and "unbroken" in rest.stdout, rest
    assert f"before {changed}" in rest.stderr and "not checked" in rest.stderr
    for number in (changed - 1, changed + 1):
        assert_refused(command(*verify_log, "--from", str(number)), f"--from {changed}")
    for mistaken in ("0", "x", "9223372036854775808"):
        assert command(*verify_log, "--from", mistaken).returncode == 64


def test_tampering_after_a_lost_key(with_new_key):
    """A change after the new key is found, and the event before the change cannot move"""
    server, changed = with_new_key

    def tampered(sequence):
        with sqlite3.connect(server.data / "fieldpass.db") as database:
            trigger = database.execute(
                "SELECT sql FROM sqlite_schema WHERE name = 'security_events_are_not_changed'"
            ).fetchone()[0]
            database.execute("DROP TRIGGER security_events_are_not_changed")
            before = database.execute("SELECT hash FROM security_events WHERE sequence = ?",
                                      [sequence]).fetchone()[0]
            database.execute("UPDATE security_events SET hash = ? WHERE sequence = ?",
                             [bytes(32), sequence])
            database.commit()
            run = command("events", "verify", "--data", server.data, "--from", str(changed))
            database.execute("UPDATE security_events SET hash = ? WHERE sequence = ?",
                             [before, sequence])
            database.execute(trigger)
        database.close()
        return run

    assert_refused(tampered(changed - 1), f"broken at event {changed}")
    assert_refused(tampered(changed), f"broken at event {changed}")
    assert_refused(tampered(changed + 1), f"broken at event {changed + 1}")
