"""Lost keys of servers that share one PostgreSQL database."""
import shutil

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from device import Device
from operator_tools import command
from postgres import demo_configuration
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
