"""The data folder: its keys, its lock, its demo accounts, and a full disk."""
import json
import re
import resource
import shutil
import sqlite3
import subprocess
import time

import pytest

from device import Device
from harness import ADMINISTRATOR, BINARY, TECHNICIAN, Server, account
from production import ConfiguredServer


def command(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=30)


def assert_refused(run, *words):
    assert run.returncode != 0 and run.stdout == "", run
    assert "fieldpass: error: " in run.stderr and "\nhint: " in run.stderr, run.stderr
    for word in words:
        assert word in run.stderr, (word, run.stderr)


# MARK: Keys


@pytest.mark.parametrize("lost", ["master.key", "signing.pem"])
def test_restore_without_keys(new_server, lost):
    """L-45 no command silently makes a new key for a store with data"""
    server = new_server()
    key = server.data / "keys" / lost
    key.unlink()

    assert_refused(server.run("--development"), lost, "restore", "fieldpass keys create")
    assert_refused(account(server, "list"), lost, "restore")
    assert not key.exists()


def test_restore_without_the_folder_of_keys(new_server):
    """L-45 no new key is made when the whole folder of keys is missing"""
    server = new_server()
    shutil.rmtree(server.data / "keys")

    assert_refused(server.run("--development"), "master.key", "signing.pem")
    assert_refused(account(server, "show", TECHNICIAN.email), "master.key")
    assert_refused(command("events", "verify", "--data", server.data), "master.key")
    assert not (server.data / "keys").exists()


def test_create_keys(new_server):
    """L-45 lost keys are made again once the operator accepts the loss"""
    server = new_server()
    shutil.rmtree(server.data / "keys")

    refused = command("keys", "create", "--data", server.data)
    assert refused.returncode == 2
    for word in ("Password", "sessions", "security log", "--accept-loss"):
        assert word in refused.stderr
    assert not (server.data / "keys").exists()

    done = command("keys", "create", "--data", server.data, "--accept-loss")
    assert done.returncode == 0 and done.stdout.count("created ") == 2, done
    assert "You lose permanently" in done.stderr

    server.start()
    answer = Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    assert answer.error == "invalid_credentials"
    changed = account(server, "reset", TECHNICIAN.email, "--password-file", "-",
                      typed="quite-a-new-password\n")
    assert changed.returncode == 0, changed
    answer = Device(server).login(TECHNICIAN.email, "quite-a-new-password")
    assert answer.error == "insufficient_authorization", answer
    server.close()


@pytest.mark.parametrize("arguments, status", [
    (("create", "--accept-loss"), 2), (("create",), 2), (("make",), 64),
    (("create", "--force"), 64)])
def test_keys_that_are_there(new_server, arguments, status):
    """L-45 existing keys are not changed"""
    server = new_server()
    before = [path.read_bytes() for path in sorted((server.data / "keys").iterdir())]

    run = command("keys", *arguments, "--data", server.data)

    assert run.returncode == status, run
    assert [path.read_bytes() for path in sorted((server.data / "keys").iterdir())] == before


def test_other_master_key(new_server):
    """L-45 a master key that does not fit the data is refused and changes nothing"""
    server = new_server().start()
    # Every event names its key.
    Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    assert server.stop() == 0
    key = server.data / "keys/master.key"
    right = key.read_bytes()
    key.write_bytes(bytes(reversed(right)))

    assert_refused(server.run("--development"), "not the key", "backed up")
    assert_refused(account(server, "list"), "not the key", "backed up")
    assert_refused(command("demo", "remove", "--data", server.data), "not the key")
    key.write_bytes(right)

    verified = command("events", "verify", "--data", server.data)
    assert verified.returncode == 0 and "log.keyed" not in verified.stdout, verified
    server.start()
    server.close()


# MARK: One server for a folder


def test_second_server(server):
    """L-45 a second server on a folder does not start and names the process of the first one"""
    run = server.run("--development", "--listen", "127.0.0.1:0")

    assert_refused(run, f"process {server.process.pid}")
    assert server.get("/readyz").status == 200


def test_lock_after_a_kill(server):
    """L-45 a killed server leaves no lock on the folder"""
    server.kill()
    assert (server.data / "server.lock").read_text() == f"{server.process.pid}\n"

    server.start()

    assert server.get("/readyz").status == 200


def test_commands_beside_a_server(server):
    """L-45 commands work beside a running server; those that need the folder alone say so"""
    assert account(server, "list").returncode == 0
    for name in ("list", "verify"):
        assert command("events", name, "--data", server.data).returncode == 0
    assert command("messages", "cost", "--data", server.data).returncode == 0
    for name in (("demo", "remove"), ("keys", "create")):
        assert_refused(command(*name, "--data", server.data), f"process {server.process.pid}")
    assert server.get("/readyz").status == 200


# MARK: Readiness


def test_full_disk(new_server):
    """L-46 a server that cannot write is not ready, and is ready again once it can write"""
    server = new_server()
    # The limit below would also cut a log in a file.
    server.start(errors=subprocess.DEVNULL)
    Device(server).sign_in(TECHNICIAN)
    assert server.get("/readyz").status == 200

    # From now on no file may grow past this size, as on a full disk.
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    time.sleep(1.1)
    answers = [server.get("/readyz") for _ in range(20)]
    assert {answer.status for answer in answers} == {503}
    assert b"cannot record a decision" in answers[0].body
    assert server.get("/livez").status == 200

    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
                     (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    time.sleep(1.1)
    assert server.get("/readyz").status == 200
    Device(server, client="console", scope="openid admin").sign_in(ADMINISTRATOR)
    assert server.stop() == 0
    server.close()


# MARK: Demo accounts


DEMO_WORDS = re.compile(
    "technician|former-technician|rider|pending-rider|owner|new-owner|mentor|administrator"
    "|load-[0-9]{4}|[a-z-]+@example.com|[+]155501012[0-9]{2}|[+]1555020[0-9]{4}"
    "|[+]91981234567[89]|[+]4790000001")


def test_demo_in_production(folder, server, production):
    """L-42 production refuses a store with demo accounts until all of them are removed"""
    assert server.post("/dev/accounts", document={"count": 3}).status == 200
    device = Device(server)
    device.sign_in(TECHNICIAN)
    Device(server).login(TECHNICIAN.email, "wrong-guess")
    server.post("/password/forgot", document={
        "client_id": "technician-app", "username": TECHNICIAN.email})
    assert account(server, "create", "--role", "rider", "--name", "Nina",
                   "--phone", "+4790000007").returncode == 0
    assert server.stop() == 0
    path = folder / "demo-in-production.json"
    path.write_text(json.dumps(production))

    refused = server.run("--config", str(path))
    assert_refused(refused, "demo accounts", f"fieldpass demo remove --data {server.data}")

    removed = command("demo", "remove", "--data", server.data)
    assert removed.returncode == 0, removed
    assert re.fullmatch(r"removed 11 demo accounts, \d+ records in all\n", removed.stdout)
    again = command("demo", "remove", "--data", server.data)
    assert again.stdout == "removed 0 demo accounts, 0 records in all\n"
    assert not (server.data / "inbox.jsonl").exists()
    assert left_in(server.data) == []

    later = ConfiguredServer(server.data).begin(production)
    assert later.get("/readyz").status == 200
    listed = account(later, "list", "--json")
    assert [entry["name"] for entry in json.loads(listed.stdout)["accounts"]] == ["Nina"]
    assert command("events", "verify", "--data", server.data).returncode == 0
    later.close()


def left_in(data):
    """Every cell outside the security log that still contains a demo value."""
    left = []
    with sqlite3.connect(data / "fieldpass.db") as database:
        names = [name for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for name in names:
            if name == "security_events":
                continue
            rows = database.execute(f"SELECT * FROM {name}")
            columns = [column for column, *_ in rows.description]
            for row in rows:
                # The words for roles are also identifiers of the demo data.
                left += [(name, cell) for column, cell in zip(columns, row)
                         if column != "role" and DEMO_WORDS.fullmatch(
                             str(cell).removeprefix("reset|").split("/")[0])]
    database.close()
    return left


def test_demo_number_and_a_messenger_elsewhere(folder):
    """L-42 a code for a demo number stays in the inbox if the messenger is on another machine"""
    secret = folder / "hook-secret"
    secret.write_text("hook-secret-0815")
    secret.chmod(0o600)
    hook = {"name": "hook", "kind": "webhook", "url": "https://sms.invalid/",
            "secret_file": str(secret)}
    server = Server(folder / "hooked")
    server.start({"messengers": [hook], "clients": [{
        "id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
        "sign_in": "password_and_code", "roles": ["technician"],
        "scopes": ["openid", "offline_access"]}]})

    Device(server, scope="openid offline_access").login(*TECHNICIAN.credentials.values())

    assert re.fullmatch(r"\d{6}", server.code(TECHNICIAN.phone))
    assert 'messenger="hook"' not in "".join(
        line for line in server.metrics().body.decode().splitlines(True)
        if line.startswith("fieldpass_hand_overs_total"))
    server.close()


# MARK: Stopping


def test_stop_logs_no_fault(new_server):
    """An orderly stop uses the store until its end and logs no fault"""
    for _ in range(3):
        server = new_server().start()
        device = Device(server)
        device.sign_in(TECHNICIAN)
        assert server.stop() == 0
        lines = [json.loads(line) for line in server.log_text().splitlines()]
        assert [line for line in lines if line["level"] == "error"] == []
        server.close()


def test_development_on_a_folder_of_production(production, new_folder):
    """L-42 development adds no demo account to a store that production used"""
    server = ConfiguredServer(new_folder()).begin(production)
    assert server.stop() == 0
    made = account(server, "create", "--role", "technician", "--name", "Nina Dahl",
                   "--email", "nina@example.com", "--phone", "+4790000077")
    assert made.returncode == 0, made

    assert_refused(server.run("--development", "--listen", "127.0.0.1:0"),
                   "was used in production", "--data")

    listed = account(server, "list", "--json")
    assert "admin@example.com" not in listed.stdout and "nina@example.com" in listed.stdout
    server.close()
