"""The security log as an operator reads it."""
import contextlib
import json
import sqlite3
import subprocess

from harness import TECHNICIAN


def events(server, *arguments):
    return subprocess.run(
        [server.binary, "events", *arguments, "--data", server.data],
        capture_output=True, text=True, timeout=20)


def test_listed(server, device):
    """T-14, R-04 the log says who, when and from which address, and contains no secret"""
    device.sign_in(TECHNICIAN)
    for _ in range(5):
        device.login(TECHNICIAN.email, "wrong-guess-1")

    listed = events(server, "list", "--account", "technician")
    lines = [json.loads(line) for line in listed.stdout.splitlines()]

    assert listed.returncode == 0, listed
    assert [line["code"] for line in lines] == [
        "sign_in.locked", *["sign_in.password_refused"] * 5, "sign_in.completed",
        "sign_in.code_accepted", "sign_in.code_sent"]
    assert {line["peer"] for line in lines} == {"127.0.0.1"}
    assert len({line["proof_key"] for line in lines}) == 1
    for text in ("wrong-guess-1", TECHNICIAN.email, TECHNICIAN.phone, TECHNICIAN.password):
        assert text not in listed.stdout
    assert len(events(server, "list", "--limit", "2").stdout.splitlines()) == 2
    metrics = server.metrics().body.decode()
    assert 'fieldpass_events_total{code="sign_in.password_refused"} 5' in metrics


def test_tampering(server, device):
    """The log is verified while the server runs, and the first changed event is named"""
    device.sign_in(TECHNICIAN)

    sound = events(server, "verify")
    with contextlib.closing(sqlite3.connect(server.data / "fieldpass.db")) as database:
        database.execute("DROP TRIGGER security_events_are_not_changed")
        database.execute("UPDATE security_events SET account = 'owner' WHERE sequence = 2")
        database.commit()
    changed = events(server, "verify")

    assert (sound.returncode, sound.stdout.split(",")[0]) == (0, "3 events")
    assert (changed.returncode, changed.stdout) == (1, "")
    assert "broken at event 2" in changed.stderr and "hint:" in changed.stderr


def test_refused(server):
    """A wrong folder and a wrong command are reported in the same format"""
    nowhere = subprocess.run([server.binary, "events", "verify", "--data", server.data / "none"],
                             capture_output=True, text=True, timeout=20)

    assert nowhere.returncode == 1 and nowhere.stderr.startswith("fieldpass: error: ")
    assert not (server.data / "none").exists()
    for arguments in (["drop"], ["list", "--limit", "0"], ["list", "--limit", "1001"],
                      ["verify", "--limit", "5"]):
        answer = events(server, *arguments)
        assert answer.returncode == 64 and "fieldpass help" in answer.stderr
