"""Servers that share one PostgreSQL database, over HTTP."""
import concurrent.futures
import itertools
import json
import os
import shutil
import subprocess
import time

import pytest

from device import Device, read_token
from harness import BINARY, ROOT, TECHNICIAN, secret
from operator_tools import Load, command, load_person, until
from postgres import PASSWORD, Cluster, Node, demo_configuration
from production import free_port

pytestmark = pytest.mark.xdist_group("postgres")
# How long a server may need to notice that its database is back.
RETURN_SECONDS = 20
serial = itertools.count(1)


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def nodes(cluster, folder):
    """Two servers of an empty database."""
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    base = demo_configuration()
    first, second = (Node(folder / f"node-{next(serial)}") for _ in range(2))
    first.join(cluster, base)
    second.join(cluster, base, keys=first.data)
    yield first, second
    for node in (first, second):
        node.close()


def at(device, node):
    """The same device at another server."""
    device.server = node
    return device


def sent_code(nodes, phone):
    """The code of the first message; any of the servers may have sent it."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        messages = [message for node in nodes for message in node.messages(phone)]
        if messages:
            return secret(messages[0]["code"])
        time.sleep(0.02)
    raise AssertionError(f"no message came to {phone}")


def reach_code(device, nodes):
    first = device.login(TECHNICIAN.email, TECHNICIAN.password)
    assert first.error == "insufficient_authorization", first
    return sent_code(nodes, TECHNICIAN.phone)


def sign_in(device, nodes):
    code = reach_code(device, nodes)
    done = device.verify(code)
    assert done.status == 200, done
    assert device.redeem(done.json["authorization_code"]).status == 200


def test_sign_in_across_servers(nodes):
    """R-13 each step of a sign-in may reach another server, and one code is sent"""
    first, second = nodes
    device = Device(first)
    code = reach_code(device, nodes)

    done = at(device, second).verify(code)
    tokens = at(device, first).redeem(done.json["authorization_code"])
    read = at(device, second).api("/api/me")

    assert (done.status, tokens.status, read.status) == (200, 200, 200)
    assert sum(len(node.messages(TECHNICIAN.phone)) for node in nodes) == 1


def test_lock_across_servers(nodes):
    """R-13 wrong codes at two servers count together, and the lock is everywhere at once"""
    device = Device(nodes[0])
    code = reach_code(device, nodes)
    wrong = "000000" if code != "000000" else "000001"

    answers = [at(device, nodes[number % 2]).verify(wrong) for number in range(5)]

    assert [answer.error for answer in answers] == ["invalid_otp"] * 4 + ["account_locked"]
    for node in nodes:
        assert at(device, node).verify(code).error == "account_locked"


def test_one_acceptance(nodes):
    """R-13 L-18 two servers that get one right code at the same time accept it once"""
    device = Device(nodes[0])
    code = reach_code(device, nodes)
    session = device.auth_session

    def verify(node):
        twin = Device(node)
        twin.key, twin.verifier, twin.auth_session = device.key, device.verifier, session
        return twin.verify(code)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(verify, nodes * 4))

    assert sorted(answer.status for answer in answers) == [200] + [400] * 7, answers


def test_revocation_across_servers(nodes):
    """R-13 S-04 a session that was signed out at one server is refused by another at once"""
    first, second = nodes
    device = Device(first)
    sign_in(device, nodes)
    assert at(device, second).api("/api/me").status == 200

    assert at(device, first).revoke().status == 200

    assert at(device, second).api("/api/me").status == 401
    assert at(device, second).refresh().error == "invalid_grant"


def test_proof_across_servers(nodes):
    """R-13 L-07 a proof that one server has accepted is refused by another"""
    first, second = nodes
    device = Device(first)
    sign_in(device, nodes)
    token = device.tokens["access_token"]
    proofs = [device.proof("GET", device.url("/api/me"), token) for _ in range(6)]

    def read(request):
        node, proof = request
        twin = Device(node)
        return twin.send("GET", "/api/me", token=token, proof=proof)

    assert read((first, proofs[0])).status == 200
    assert read((second, proofs[0])).error == "invalid_dpop_proof"
    for proof in proofs[1:]:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(read, [(node, proof) for node in nodes * 2]))
        assert sorted(answer.status for answer in answers) == [200, 401, 401, 401], answers


def test_renewals_across_servers(nodes):
    """R-13 L-20 two servers that renew one session at the same time end nothing"""
    device = Device(nodes[0])
    sign_in(device, nodes)
    token = device.tokens["refresh_token"]

    def refresh(node):
        twin = Device(node)
        twin.key = device.key
        return twin.refresh(token)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(refresh, nodes * 4))

    assert {answer.status for answer in answers} == {200}, answers
    assert len({answer.json["refresh_token"] for answer in answers}) == 1
    device.tokens = answers[0].json
    assert at(device, nodes[1]).api("/api/me").status == 200


def learned_after(device, nodes):
    """How long after a sign-out at one server an app that waits at another learns of it."""
    first, second = nodes
    at(device, first)
    version = device.api("/api/session/events").json["version"]
    path = f"/api/session/events?seen={version}"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(device.api, path, timeout=70)
        time.sleep(0.6)
        twin = Device(second)
        twin.key, twin.tokens = device.key, device.tokens
        assert twin.revoke().status == 200
        ended = time.monotonic()
        answer = waiting.result(70)

    assert answer.status == 401
    return time.monotonic() - ended


def test_end_reaches_waiting_apps(nodes):
    """S-08 an app that waits at one server learns that its session ended at another"""
    # A busy machine can delay one of them.
    seconds = [learned_after(device, nodes) for device in signed_in(nodes, 3)]

    assert min(seconds) < 1, seconds


def test_end_without_notifications(cluster, nodes):
    """S-08 an app learns that its session ended although the listening connections are cut"""
    [device] = signed_in(nodes, 1)
    listening = "pg_stat_activity WHERE query LIKE 'LISTEN fieldpass%'"
    until(lambda: cluster.run(f"SELECT count(*) FROM {listening}") == "2")
    cut = [0]

    def cut_again():
        cut[0] += int(cluster.run(
            f"SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM {listening}) AS ended"))
        time.sleep(0.05)

    with Load(cut_again) as cutting:
        seconds = learned_after(device, nodes)
    assert cutting.mistakes == []
    assert cut[0] >= 2 and seconds < 5


def test_rotation_across_servers(nodes):
    """R-13 a new signing key signs after all servers know it; no request is refused"""
    first, second = nodes
    devices = signed_in(nodes, 4)
    old = devices[0].tokens["access_token"]
    before = key_names(first)

    def use(device):
        turn = itertools.cycle(nodes)

        def once():
            answer = at(device, next(turn)).api("/api/me")
            assert answer.status == 200, answer
            answer = device.refresh()
            assert answer.status == 200, answer
            device.tokens = answer.json
            for node in nodes:
                assert signer(node, device.tokens["access_token"]) in key_names(node)
        return once

    config = first.data.with_suffix(".json")
    early = command("keys", "rotate", "--config", config, "--publish-seconds", "59")
    with Load(*(use(device) for device in devices)) as load:
        load.goes_on()
        rotated = command("keys", "rotate", "--config", config, "--publish-seconds", "60")
        again = command("keys", "rotate", "--config", config)
        key = dict(line.split(maxsplit=1) for line in rotated.stdout.splitlines())["key"]
        for node in nodes:
            until(lambda: key_names(node) == [key, *before])
        until(lambda: signer(second, devices[1].tokens["access_token"]) == key, 80)
        load.goes_on(40)
    assert load.mistakes == []

    assert (early.returncode, rotated.returncode, again.returncode) == (2, 0, 2), (early, rotated)
    for node in nodes:
        assert key_names(node) == [key, *before]
        assert at(devices[0], node).api("/api/me", token=old).status == 200
    leaked = command("keys", "rotate", "--config", config, "--distrust-old")
    key = dict(line.split(maxsplit=1) for line in leaked.stdout.splitlines())["key"]
    for node in nodes:
        until(lambda: key_names(node) == [key])
        assert at(devices[0], node).api("/api/me").status == 401
    devices[0].tokens = devices[0].refresh().json
    assert at(devices[0], first).api("/api/me").status == 200
    verified = command("events", "verify", "--config", config)
    assert verified.returncode == 0, verified


def test_server_with_only_the_master_key(cluster, nodes, folder):
    """R-13 a further server needs only the master key"""
    first, _ = nodes
    device = Device(first)
    sign_in(device, nodes)
    third = Node(folder / f"node-{next(serial)}")
    third.data.mkdir()
    (third.data / "keys").mkdir(0o700)
    shutil.copy2(first.data / "keys/master.key", third.data / "keys/master.key")
    base = {**demo_configuration(), "issuer": first.base}
    store = json.loads(first.data.with_suffix(".json").read_text())["store"]
    try:
        third.open(third.write(base, store | {"folder": str(third.data)}), base)

        assert key_names(third) == key_names(first)
        assert at(device, third).api("/api/me").status == 200
        assert device.refresh().status == 200
        assert not (third.data / "keys/signing.pem").exists()
    finally:
        third.close()


def signed_in(nodes, count):
    """So many devices, each of another person who is signed in."""
    assert nodes[0].post("/dev/accounts", document={"count": count}).status == 200
    devices = []
    for number in range(1, count + 1):
        device, person = Device(nodes[0]), load_person(number)
        device.login(person.email, person.password)
        done = device.verify(sent_code(nodes, person.phone))
        assert device.redeem(done.json["authorization_code"]).status == 200
        devices.append(device)
    return devices


def test_different_configuration(cluster, nodes, folder):
    """R-13 a server whose configuration differs is ready, and its log says which keys differ"""
    first, second = nodes
    third = Node(folder / f"node-{next(serial)}")
    base = {**demo_configuration(), "issuer": first.base, "event_days": 30}
    warned = "ready\nwarning: the configuration of another server differs: 1 key, see the log\n"
    named = "configuration of another server differs: event_days"

    def ready(node):
        answer = node.get("/readyz")
        assert answer.status == 200, answer
        return answer.body.decode()

    try:
        until(lambda: ready(first) == ready(second) == "ready\n", 15)
        third.join(cluster, base, keys=first.data)
        for node in (third, first, second):
            until(lambda: ready(node) == warned, 15)
            # The log is written after the answer.
            until(lambda: named in node.written_log(), 15)
        # A server that stops says so; the report of one that was killed is valid for 30 seconds.
        assert third.stop() == 0
        until(lambda: ready(first) == ready(second) == "ready\n", 15)
    finally:
        third.close()


def key_names(node):
    return [key["kid"] for key in node.get("/jwks.json").json["keys"]]


def signer(node, token):
    return read_token(token, node.get("/jwks.json").json)[0]["kid"]


def test_outage(cluster, nodes):
    """R-10 without its database a server answers 503 with a wait, and continues by itself after it"""
    device = Device(nodes[0])
    sign_in(device, nodes)

    cluster.crash()
    answers = [device.api("/api/me"), device.refresh(), device.login("a@example.com", "some words")]
    ready = nodes[0].get("/readyz")
    cluster.restart()

    for answer in answers:
        assert answer.status == 503, answer
        assert 1 <= int(answer["Retry-After"]) <= 60
        assert answer.error == "temporarily_unavailable"
    assert ready.status == 503
    until = time.monotonic() + RETURN_SECONDS
    while (answer := device.api("/api/me")).status == 503 and time.monotonic() < until:
        time.sleep(0.2)
    assert answer.status == 200
    assert device.refresh().status == 200


def recovered(cluster, base_backup, moment):
    """Restores the database as it was at a moment, as backup.md says; returns its port."""
    port, settings = free_port(), base_backup / "postgresql.auto.conf"
    with open(settings, "a") as file:
        file.write(
            f"restore_command = 'cp {cluster.folder}/archive/%f %p'\n"
            f"recovery_target_time = '{moment}'\nrecovery_target_action = 'promote'\n")
    (base_backup / "recovery.signal").touch()
    subprocess.run(["chown", "-R", "--reference", cluster.folder, base_backup], check=True)
    cluster.move(base_backup, port)
    until(lambda: cluster.answers("SELECT NOT pg_is_in_recovery()"), 30)
    cluster.run_file(ROOT / "docs/operate/after-restore.sql")
    return port


@pytest.mark.long
def test_point_in_time_recovery(folder):
    """A database that is restored to a moment has what was done before it, and nothing later"""
    cluster, base = Cluster(), demo_configuration()
    node = Node(folder / f"node-{next(serial)}")
    try:
        archive(cluster)
        node.join(cluster, base)
        before, until_then, later = (Device(node) for _ in range(3))
        before.sign_in(TECHNICIAN)
        subprocess.run(
            ["pg_basebackup", "-h", "localhost", "-p", str(cluster.port), "-U", "fieldpass", "-D",
             cluster.folder / "base", "--checkpoint=fast"],
            env=os.environ | {"PGPASSWORD": PASSWORD}, check=True, timeout=60)
        node.advance(61)
        until_then.sign_in(TECHNICIAN)
        moment = cluster.run("SELECT clock_timestamp()")
        node.advance(61)
        later.sign_in(TECHNICIAN)
        cluster.run("SELECT pg_switch_wal()")
        until(lambda: cluster.run("SELECT last_archived_wal IS NOT NULL AND last_archived_time"
                                  f" > '{moment}' FROM pg_stat_archiver") == "t")
        offset = node.offset
        node.close()
        cluster.crash()

        recovered(cluster, cluster.folder / "base", moment)
        path = node.data.with_suffix(".json")
        path.write_text(json.dumps(json.loads(path.read_text()) | {
            "store": json.loads(path.read_text())["store"] | {"port": cluster.port}}))
        verified = subprocess.run(
            [BINARY, "events", "verify", "--config", path], capture_output=True, text=True)
        node.open(path, base)
        node.advance(round(offset))

        assert verified.returncode == 0, verified
        assert before.refresh().status == 200
        assert until_then.refresh().status == 200
        assert later.refresh().error == "invalid_grant"
        assert cluster.run("SELECT last >= 1000000 FROM fieldpass.data_change_bounds") == "t"
    finally:
        node.close()
        cluster.close()


def archive(cluster):
    """Turns the archive of the write-ahead log on, as backup.md says."""
    place = cluster.folder / "archive"
    place.mkdir()
    subprocess.run(["chown", "--reference", cluster.folder, place], check=True)
    documented = (ROOT / "docs/operate/backup.md").read_text()
    command = "test ! -f /archive/%f && cp %p /archive/%f"
    assert f"archive_command = '{command}'" in documented
    cluster.run("ALTER SYSTEM SET archive_mode = on")
    cluster.run(f"ALTER SYSTEM SET archive_command = '{command.replace('/archive', str(place))}'")
    cluster.crash()
    cluster.restart()
    until(lambda: cluster.answers("SELECT true"))


def test_move_to_postgres(cluster, folder):
    """R-13 a server moves from its file to PostgreSQL, and every session continues"""
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    base = demo_configuration()
    alone = Node(folder / f"node-{next(serial)}").join_alone(base)
    moved = Node(folder / f"node-{next(serial)}")
    path = moved.configure(cluster, base, keys=alone.data)

    def migrate():
        return subprocess.run(
            [BINARY, "migrate", "--data", alone.data, "--config", path],
            capture_output=True, text=True, timeout=60)

    try:
        device, waiting = Device(alone), Device(alone)
        sign_in(device, [alone])
        before = device.api("/api/jobs").json
        refused = migrate()
        alone.advance(61)
        waiting.login(TECHNICIAN.email, TECHNICIAN.password)
        # Otherwise the other server would send it, maybe after the next code.
        until(lambda: len(alone.messages(TECHNICIAN.phone)) == 2)
        alone.stop()
        copied = migrate()
        again = migrate()
        moved.open(path, base)
        moved.advance(122)

        assert (refused.returncode, "another program uses" in refused.stderr) == (1, True), refused
        assert (copied.returncode, copied.stderr) == (0, ""), copied
        assert "accounts: " in copied.stdout and "unbroken" in copied.stdout, copied
        assert (again.returncode, "has records already" in again.stderr) == (1, True), again
        assert at(device, moved).refresh().status == 200
        assert device.api("/api/jobs").json["jobs"] == before["jobs"]
        assert at(waiting, moved).verify("000000").error == "invalid_otp"
        assert waiting.resend().error == "insufficient_authorization"
        code = sent_code([moved], TECHNICIAN.phone)
        assert waiting.verify(code).status == 200
    finally:
        alone.close()
        moved.close()
