"""Backups while people work, and a server made from a backup."""
import json
import os
import shutil
import sqlite3
import stat

import pytest

from device import Device
from harness import TECHNICIAN, Server
from operator_tools import Load, assert_refused, command, signed_in, until
from test_operate_keys import key_names, rotate, use


@pytest.fixture
def restored(tmp_path):
    """Restores a backup into a new folder; returns a server on it that is not started yet."""
    def restore(*arguments):
        data = tmp_path / "restored"
        run = command("restore", "--data", data, *arguments)
        assert run.returncode == 0, run
        return Server(data)
    return restore


def back_up(server, folder, *arguments):
    run = command("backup", "--data", server.data, folder / "backup.db", *arguments)
    assert run.returncode == 0, run
    return run


def test_backup_under_load(server, restored, tmp_path):
    """A backup under load refuses no request and is complete; its sessions continue elsewhere"""
    busy = signed_in(server, 6)
    quiet = [Device(server) for _ in range(2)]
    for number, device in enumerate(quiet):
        device.sign_in(TECHNICIAN)
        server.advance(61)
    rotate(server, "--publish-seconds", "0")
    until(lambda: len(key_names(server)) == 2)

    with Load(*(use(device) for device in busy)) as load:
        load.goes_on()
        backup = back_up(server, tmp_path, "--keys", tmp_path / "backup.keys")
        load.goes_on()
    assert load.mistakes == []
    keys = key_names(server)
    assert server.stop() == 0

    for path in (tmp_path / "backup.db", tmp_path / "backup.keys"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "unbroken" in backup.stdout and "not in this backup" not in backup.stderr
    other = restored("--keys", tmp_path / "backup.keys", tmp_path / "backup.db")
    # Refresh tokens and proofs contain the address.
    other.port, other.offset = server.port, server.offset
    other.start()
    for device in quiet:
        device.server = other
        answer = device.refresh()
        assert answer.status == 200, answer
        device.tokens = answer.json
        assert device.api("/api/me").status == 200
    assert key_names(other) == keys
    assert Device(other).login(TECHNICIAN.email, TECHNICIAN.password).error in (
        "insufficient_authorization", "resend_too_soon")
    assert command("events", "verify", "--data", other.data).returncode == 0
    for path in [other.data, other.data / "keys"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in [*(other.data / "keys").iterdir(), other.data / "fieldpass.db"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert other.stop() == 0
    other.close()


def test_backup_without_keys(new_server, tmp_path):
    """A backup without the keys says so and contains no key"""
    server = new_server()

    run = back_up(server, tmp_path)

    assert "The keys are not in this backup" in run.stderr
    content = (tmp_path / "backup.db").read_bytes()
    assert (server.data / "keys/master.key").read_bytes() not in content
    assert b"PRIVATE KEY" not in content
    assert_refused(command("restore", tmp_path / "backup.db", "--data", tmp_path / "new"), "--keys",
                   status=64)


def test_restore_with_a_copy_of_the_keys(new_server, restored, tmp_path):
    """The folder of keys, copied by hand, works like the file of keys"""
    server = new_server()
    back_up(server, tmp_path)
    shutil.copytree(server.data / "keys", tmp_path / "keys")

    other = restored(tmp_path / "backup.db", "--keys", tmp_path / "keys").start()

    assert other.get("/readyz").status == 200
    other.close()


def test_change_numbers(new_server, restored, tmp_path):
    """After a restore no number is given to a second change: receivers compare all records"""
    server = new_server()
    with sqlite3.connect(server.data / "fieldpass.db") as database:
        database.execute("INSERT INTO data_changes (sequence, at, kind, record, act, account)"
                         " VALUES (1, 0, 'job', 'job-1', 'status_changed', 'technician')")
        database.execute("UPDATE data_change_bounds SET last = 1")
    database.close()
    back_up(server, tmp_path)
    shutil.copytree(server.data / "keys", tmp_path / "keys")

    other = restored(tmp_path / "backup.db", "--keys", tmp_path / "keys")

    with sqlite3.connect(other.data / "fieldpass.db") as database:
        assert database.execute("SELECT count(*) FROM data_changes").fetchone() == (0,)
        assert database.execute("SELECT removed, last FROM data_change_bounds").fetchone() == (
            1_000_001, 1_000_001)
    database.close()
    other.start()
    assert other.get("/readyz").status == 200
    other.close()


def test_deleted_data(new_server, tmp_path):
    """A backup does not contain data that was deleted before it"""
    server = new_server()
    word = b"a-word-that-was-deleted" * 40
    with sqlite3.connect(server.data / "fieldpass.db") as database:
        database.execute("CREATE TABLE waste (word BLOB)")
        database.execute("INSERT INTO waste VALUES (?)", [word])
        database.commit()
        database.execute("PRAGMA secure_delete = OFF")
        database.execute("DROP TABLE waste")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    assert word[:23] in (server.data / "fieldpass.db").read_bytes()

    back_up(server, tmp_path)

    assert word[:23] not in (tmp_path / "backup.db").read_bytes()


@pytest.mark.parametrize("name", ["backup.db", "backup.keys"])
def test_no_file_is_replaced(new_server, tmp_path, name):
    """A backup replaces no file, not even a dangling link, and leaves no partial file"""
    server = new_server()
    for make in (lambda path: path.write_text("mine"),
                 lambda path: path.symlink_to(tmp_path / "nowhere")):
        make(tmp_path / name)
        run = command("backup", "--data", server.data, tmp_path / "backup.db",
                      "--keys", tmp_path / "backup.keys")
        assert_refused(run, f"{name}` exists")
        assert os.listdir(tmp_path) == [name]
        (tmp_path / name).unlink()


def test_folders_that_cannot_be_used(new_server, tmp_path):
    """A backup into a missing folder and one of a folder without a database are refused"""
    server = new_server()

    assert_refused(command("backup", "--data", server.data, tmp_path / "absent/backup.db"),
                   "No such file")
    assert_refused(command("backup", "--data", tmp_path, tmp_path / "backup.db"), "no database")
    shutil.rmtree(server.data / "keys")
    assert_refused(command("backup", "--data", server.data, tmp_path / "backup.db"), "master.key")
    assert os.listdir(tmp_path) == []


def test_restore_into_a_used_folder(new_server, tmp_path):
    """A backup cannot be restored over existing data"""
    server = new_server()
    back_up(server, tmp_path, "--keys", tmp_path / "backup.keys")
    used = tmp_path / "used"
    used.mkdir()
    (used / ".hidden").write_text("mine")
    restore = ("restore", tmp_path / "backup.db", "--keys", tmp_path / "backup.keys", "--data")

    assert_refused(command(*restore, used), "is not empty")
    assert_refused(command(*restore, server.data), "is not empty")
    assert os.listdir(used) == [".hidden"]
    (used / ".hidden").unlink()
    (used / "lost+found").mkdir()
    assert command(*restore, used).returncode == 0


def other_keys(files, new_server):
    files["keys"].write_text(json.dumps({"fieldpass_keys": 1, "files": []}))
    return "does not contain the keys"


def keys_of_another_server(files, new_server):
    folder = new_server().data
    master = folder / "keys/master.key"
    master.write_bytes(bytes(reversed(master.read_bytes())))
    files["keys"] = folder / "keys"
    return "another master key"


def open_keys(files, new_server):
    files["keys"].chmod(0o644)
    return "other users can read"


def damaged(files, new_server):
    content = bytearray(files["file"].read_bytes())
    content[8192:9000] = bytes(808)
    files["file"].write_bytes(content)
    return "damaged"


def cut_off(files, new_server):
    content = files["file"].read_bytes()
    files["file"].write_bytes(content[:len(content) // 2])
    return "damaged"


def no_database(files, new_server):
    files["file"].write_text("this is no database")
    return "is not a database of Fieldpass"


def newer(files, new_server):
    with sqlite3.connect(files["file"]) as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()
    return "schema 9999"


def copied_by_hand(files, new_server):
    files["file"].unlink()
    shutil.copy(new_server().data / "fieldpass.db", files["file"])
    return "is a manual copy of a data folder"


@pytest.mark.parametrize("damage", [
    other_keys, keys_of_another_server, open_keys, damaged, cut_off, no_database, newer,
    copied_by_hand], ids=lambda value: value.__name__)
def test_unusable_backup(server, new_server, tmp_path, damage):
    """A backup or keys that do not fit are refused with the reason, and no file is left"""
    Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    back_up(server, tmp_path, "--keys", tmp_path / "backup.keys")
    files = {"file": tmp_path / "backup.db", "keys": tmp_path / "backup.keys"}
    words = damage(files, new_server)

    run = command("restore", files["file"], "--keys", files["keys"], "--data", tmp_path / "new")

    assert_refused(run, words)
    assert not (tmp_path / "new").exists()


def test_backup_of_a_broken_log(server, tmp_path):
    """A database with a changed log is copied, and the command reports the change"""
    Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    # This links the events of the sign-in.
    assert command("events", "verify", "--data", server.data).returncode == 0
    with sqlite3.connect(server.data / "fieldpass.db") as database:
        database.execute("DROP TRIGGER security_events_are_not_changed")
        database.execute("UPDATE security_events SET at = at + 1 WHERE sequence = 1")
    database.close()

    run = command("backup", "--data", server.data, tmp_path / "backup.db")

    assert run.returncode == 2 and "broken at event 1" in run.stderr, run
    assert (tmp_path / "backup.db").exists()


@pytest.mark.parametrize("arguments", [
    [], ["a", "b"], ["a", "--keys"], ["a", "--keys", "a"], ["a", "--force", "b"]])
def test_wrong_commands(arguments):
    """A wrong command line is refused as such"""
    assert command("backup", *arguments).returncode == 64
    assert command("restore", *arguments).returncode == 64 or arguments == ["a", "--keys", "a"]
