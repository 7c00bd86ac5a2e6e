"""Commands of root on a folder of another user: their rights, their files, and links as a trap."""
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
import pathlib

import pytest

from harness import BINARY
from operator_tools import assert_refused, command, until

USER = pwd.getpwnam("nobody")
ROUNDS = 12

# Replaces each draft of a command by a link to a file of root, as fast as it can.
TRAP = """
import os, sys
folder, victim = sys.argv[1:]
print("ready", flush=True)
while True:
    for name in ("signing.pem.new", "master-unrecorded.key.new"):
        try:
            os.unlink(folder + "/" + name)
            os.symlink(victim, folder + "/" + name)
        except OSError:
            pass
"""


@pytest.fixture
def place():
    """A folder of root that other users may enter."""
    assert os.geteuid() == 0, "run these tests as root: they are about commands of root"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fieldpass-root-"))
    folder.chmod(0o755)
    yield folder
    # A process that was killed leaves the removal of its draft to its publisher.
    until(lambda: not list(folder.glob("*.new")))
    shutil.rmtree(folder)


@pytest.fixture
def data(place, new_server):
    """A data folder of another user."""
    folder = place / "data"
    shutil.copytree(new_server().data, folder)
    give(folder)
    return folder


def give(folder):
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, USER.pw_uid, USER.pw_gid)


def owner(path):
    status = path.lstat()
    return status.st_uid, stat.S_IMODE(status.st_mode)


@pytest.mark.parametrize("arguments", [
    ("keys", "rotate"), ("events", "verify"), ("account", "list"), ("demo", "remove"),
    ("backup", "FILE"), ("import", "jobs", "FILE.json"), ("serve", "--development"),
    ("serve", "--development", "--check")])
def test_rights(data, place, arguments):
    """A command of root has only the rights of the folder's owner before it opens a file there"""
    key = data / "keys/master.key"
    key.unlink()
    os.mkfifo(key, 0o600)
    os.chown(key, USER.pw_uid, USER.pw_gid)
    (place / "FILE.json").write_text("[]")
    process = subprocess.Popen([BINARY, *arguments, "--data", data], cwd=place,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def waits():
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        channel = pathlib.Path(f"/proc/{process.pid}/syscall").read_text()
        # `openat` is call 257 of x86-64 and 56 of ARM.
        return fields if channel.split()[0] in ("257", "56") else None

    try:
        fields = until(waits)
    finally:
        process.kill()
        process.wait()

    assert fields["Uid"].split() == [str(USER.pw_uid)] * 4
    assert fields["Gid"].split() == [str(USER.pw_gid)] * 4
    assert str(0) not in fields["Groups"].split()


def test_no_file_is_given_away(data, place):
    """A link in the place of a draft never gives a file of root to the folder's owner"""
    victim = place / "victim"
    victim.write_text("a secret of root")
    victim.chmod(0o600)
    trap = subprocess.Popen([sys.executable, "-c", TRAP, data / "keys", victim],
                            stdout=subprocess.PIPE, user=USER.pw_uid, group=USER.pw_gid,
                            extra_groups=[])
    try:
        assert trap.stdout.readline() == b"ready\n"
        for _ in range(ROUNDS):
            command("keys", "rotate", "--distrust-old", "--data", data)
        shutil.copy(data / "keys/master.key", place / "kept")
        (data / "keys/master.key").unlink()
        for _ in range(ROUNDS):
            command("keys", "create", "--accept-loss", "--data", data)
        assert trap.poll() is None
    finally:
        trap.kill()
        trap.wait()
        trap.stdout.close()

    assert owner(victim) == (0, 0o600)
    assert victim.read_text() == "a secret of root"


def test_owner_of_new_files(data, place):
    """What root creates in the folder belongs to its owner; a backup in root's folder is root's"""
    safe = place / "safe"
    safe.mkdir(mode=0o700)
    mine = place / "mine"
    mine.mkdir(mode=0o700)
    give(mine)
    assert command("keys", "rotate", "--data", data).returncode == 0

    for folder in (safe, mine):
        made = command("backup", "--data", data, folder / "db", "--keys", folder / "keys")
        assert made.returncode == 0, made
        again = command("backup", "--data", data, folder / "db")
        assert_refused(again, "exists")
    (safe / "held.db").symlink_to(place / "elsewhere")
    assert_refused(command("backup", "--data", data, safe / "held.db"), "exists")

    until(lambda: {path.name for path in safe.iterdir()} == {"db", "keys", "held.db"})
    assert owner(safe / "db") == owner(safe / "keys") == (0, 0o600)
    assert owner(mine / "db") == owner(mine / "keys") == (USER.pw_uid, 0o600)
    assert {path.lstat().st_uid for path in data.rglob("*")} == {USER.pw_uid}
    assert not [path for path in data.iterdir() if path.suffix == ".part"]

    restored = place / "restored"
    restored.mkdir(mode=0o700)
    give(restored)
    done = command("restore", "--data", restored, "--keys", safe / "keys", safe / "db")
    assert done.returncode == 0, done
    assert {path.lstat().st_uid for path in restored.rglob("*")} == {USER.pw_uid}


def test_folder_of_others(data, place):
    """Root refuses a folder of its own into which other users may write, and names the remedy"""
    for path in [data, *data.rglob("*")]:
        os.chown(path, 0, 0)
    for mode in (0o777, 0o1777):
        data.chmod(mode)
        assert_refused(command("keys", "rotate", "--data", data), "other users may write", "chown")
    link = place / "link"
    link.symlink_to(data)
    assert_refused(command("keys", "rotate", "--data", link), "other users may write", "chown")
    data.chmod(0o700)
    os.chown(place, 0, USER.pw_gid)
    place.chmod(0o775)
    assert_refused(command("keys", "rotate", "--data", data), "may replace", f"chmod go-w {place}")
    place.chmod(0o755)
    os.chown(data / "keys", USER.pw_uid, USER.pw_gid)
    assert_refused(command("keys", "rotate", "--data", data), "does not belong to root", "chown -R")


def test_link_as_input(data, place):
    """An input file that is a link of another user is read with that user's rights"""
    secret = place / "secret.json"
    secret.write_text("[]")
    secret.chmod(0o600)
    trap = data / "jobs.json"
    trap.symlink_to(secret)
    os.chown(trap, USER.pw_uid, USER.pw_gid, follow_symlinks=False)

    assert_refused(command("import", "jobs", trap, "--data", data), "Permission denied")
    assert command("import", "jobs", secret, "--data", data).returncode == 0
