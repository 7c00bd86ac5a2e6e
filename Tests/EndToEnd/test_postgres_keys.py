"""Lost keys of servers that share one PostgreSQL database."""
import hashlib
import json
import shutil
import signal
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from device import Device
from harness import BINARY
from operator_tools import command, until
from postgres import demo_configuration
from production import free_port
from test_postgres import at, cluster, key_names, nodes, sign_in

pytestmark = pytest.mark.xdist_group("postgres")
__all__ = ["cluster", "nodes"]


def test_lost_master_key(cluster, nodes, folder):
    """L-45 a lost master key is replaced if no server has it and the operator accepts the loss"""
    first, second = nodes
    device = Device(first)
    sign_in(device, nodes)
    config = first.data.with_suffix(".json")
    key = first.data / "keys/master.key"
    lost = key.read_bytes()
    base = {**demo_configuration(), "issuer": first.base}
    assert first.stop() == 0
    key.unlink()

    def create(*more):
        return command("keys", "create", "--config", config, *more)

    begun = command("serve", "--development", "--config", config)
    assert begun.returncode != 0 and "keys create --config FILE" in begun.stderr, begun
    asked, early = create(), create("--accept-loss")
    assert not key.exists()
    assert asked.returncode == early.returncode == 2
    for word in ("Password", "Access tokens", "--accept-loss"):
        assert word in asked.stderr, asked
    assert "a running server uses" in early.stderr and "copy `keys/master.key`" in early.stderr, early

    second.stop()
    done = create("--accept-loss")
    assert done.returncode == 0 and done.stdout == f"created {key}\n", done
    assert create("--accept-loss").returncode == 2
    refused = command("serve", "--development", "--config", second.data.with_suffix(".json"))
    assert refused.returncode != 0 and "is not the key" in refused.stderr, refused
    first.open(config, base)
    assert at(device, first).api("/api/me").status == 401
    shutil.copy2(key, second.data / "keys/master.key")
    second.open(second.data.with_suffix(".json"), base)
    assert key_names(first) == key_names(second) and len(key_names(first)) == 1
    assert key.read_bytes() != lost


def replacing(node):
    return [BINARY, "keys", "create", "--config", node.data.with_suffix(".json"), "--accept-loss"]


def without_key(nodes):
    """Stops the servers and removes their master keys; returns the paths of these."""
    keys = [node.data / "keys/master.key" for node in nodes]
    for node, key in zip(nodes, keys):
        assert node.stop() == 0
        key.unlink()
    return keys


def test_two_new_keys(cluster, nodes):
    """L-45 of two `keys create` on two machines at once one succeeds, and the other says so"""
    keys = without_key(nodes)
    runs = [subprocess.Popen(replacing(node), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True) for node in nodes]
    ends = [(run.communicate(timeout=60)[1], run.returncode) for run in runs]

    assert sorted(status for _, status in ends) == [0, 2], ends
    [refused] = [text for text, status in ends if status == 2]
    assert "has just created a key" in refused and "copy `keys/master.key`" in refused, refused
    assert [key.exists() for key in keys] == [status == 0 for _, status in ends]
    for node in nodes:
        assert not list((node.data / "keys").glob("*unrecorded*"))


def test_killed_while_a_key_is_created(cluster, nodes):
    """L-45 `keys create` that was killed before or after its decision is finished by the next one"""
    first = nodes[0]
    [key, _] = without_key(nodes)
    unrecorded = key.with_name("master-unrecorded.key")
    config = first.data.with_suffix(".json")
    # An interrupted call can leave an empty file on a disk without links.
    unrecorded.touch(0o600)
    lock = -1 - (int.from_bytes(hashlib.sha256(b"installation").digest()[:8], "big") & (2**63 - 1))
    with cluster.waiting(f"SELECT pg_advisory_lock({lock})"):
        run = subprocess.Popen(replacing(first), stderr=subprocess.PIPE, text=True)
        until(lambda: run.poll() is not None or cluster.answers(
            "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
        assert run.poll() is None, run.communicate()
        assert unrecorded.stat().st_size == 32
        run.kill()
        run.wait(30)
    assert not key.exists()
    refused = command("serve", "--development", "--config", config)
    assert refused.returncode == 1 and "was interrupted: run it again" in refused.stderr, refused

    done = command(*replacing(first)[1:])
    assert done.returncode == 0 and done.stdout == f"created {key}\n", done
    assert key.exists() and not unrecorded.exists()

    # The decision was made, but the file did not get its name.
    made = key.read_bytes()
    key.rename(unrecorded)
    done = command(*replacing(first)[1:])
    assert done.returncode == 0 and key.read_bytes() == made, done
    assert not unrecorded.exists()
    first.open(config, {**demo_configuration(), "issuer": first.base})
    assert len(key_names(first)) == 1


def test_no_database_for_a_new_key(cluster, nodes):
    """L-45 `keys create` leaves no file if it cannot reach the database"""
    [key, _] = without_key(nodes)
    config = nodes[0].data.with_suffix(".json")
    members = json.loads(config.read_text())
    members["store"]["port"] = free_port()
    config.write_text(json.dumps(members))
    run = command(*replacing(nodes[0])[1:])
    assert run.returncode == 1, run
    assert not [path.name for path in key.parent.iterdir() if path.name.startswith("master")]


def test_key_replaced_while_a_server_was_stopped(cluster, nodes):
    """L-45 a server that finds another key at its next report stops, and says what to do"""
    first, second = nodes
    assert second.stop() == 0
    cluster.run("DELETE FROM fieldpass.node_reports")
    first.process.send_signal(signal.SIGSTOP)
    cluster.run("DELETE FROM fieldpass.node_reports")
    (second.data / "keys/master.key").unlink()
    # The server may have been suspended in a decision, which the database ends after a few seconds.
    until(lambda: command(*replacing(second)[1:]).returncode == 0, 60)
    first.process.send_signal(signal.SIGCONT)

    assert first.process.wait(20) == 1
    assert "the master key of the database was replaced" in first.written_log()


def test_empty_key_table(cluster, nodes):
    """R-13 a server that stores the keys of its folder in an emptied table says so"""
    node = nodes[1]
    removal, warning = "remove `signing.pem`", "got those of this folder"
    base = {**demo_configuration(), "issuer": node.base}

    def start_again():
        assert node.stop() == 0
        node.open(node.data.with_suffix(".json"), base)
        return node.written_log()

    log = start_again()
    assert removal not in log and warning not in log
    file = node.data / "keys/signing.pem"
    file.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    file.chmod(0o600)
    before = key_names(node)
    log = start_again()
    assert removal in log and warning not in log and key_names(node) == before
    cluster.run("DELETE FROM fieldpass.signing_keys")
    log = start_again()
    assert warning in log and key_names(node) != before
