"""The server's use of the machine: the cipher suites that it accepts, and no other program."""
import socket
import ssl
import subprocess

import pytest

from harness import BINARY
from production import ConfiguredServer

MODERN = ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
          "ECDHE-ECDSA-CHACHA20-POLY1305"]
# Cipher suites for the server's kind of key, but in CBC mode.
WEAK = ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384"]
# Functions of the C library that start a program.
STARTERS = ("exec", "vfork", "posix_spawn", "system", "popen")
# The Swift runtime is linked statically and can start its own tool after a crash. It does so only
# if SWIFT_BACKTRACE requests it.
OF_THE_RUNTIME = {"execvpe"}


@pytest.fixture(scope="module")
def older_tls_server(folder, production):
    """A server whose operator allows TLS 1.2."""
    members = production | {
        "tls": production["tls"] | {"allow_tls_1_2": True}, "store": f"sqlite:{folder / 'tls-1-2'}"}
    server = ConfiguredServer(folder / "tls-1-2-log").begin(members)
    yield server
    server.close()


def agreed(server, suite):
    """The suite of a connection for which the client offers TLS 1.2 with this suite only."""
    context = server.context(newest="TLSv1_2")
    context.set_ciphers(suite + ":@SECLEVEL=0")
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as session:
            return session.cipher()[0]


@pytest.mark.parametrize("suite", MODERN)
def test_modern_suites(older_tls_server, suite):
    """R-10 TLS 1.2 accepts suites with forward secrecy and authenticated encryption"""
    assert agreed(older_tls_server, suite) == suite


@pytest.mark.parametrize("suite", WEAK)
def test_weak_suites(older_tls_server, suite):
    """R-10 TLS 1.2 accepts no weaker suite"""
    with pytest.raises(ssl.SSLError):
        agreed(older_tls_server, suite)


def test_no_other_program():
    """The server's own code uses no function of the machine that starts a program"""
    run = subprocess.run(["nm", "-D", "--undefined-only", BINARY], capture_output=True, text=True,
                         timeout=60)
    assert run.returncode == 0, run.stderr
    names = [line.split()[-1].split("@")[0] for line in run.stdout.splitlines()]

    assert "socket" in names
    starters = {name for name in names if name.startswith(STARTERS)}
    assert starters - OF_THE_RUNTIME == set()
