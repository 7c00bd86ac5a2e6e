"""The log of a messenger that fails, and of a stop while receipts are processed."""
import json
import subprocess
import time

import pytest

from harness import TECHNICIAN
from production import free_port
from test_messengers import ask, entry, gateway, secret_file, smpp, start

__all__ = ["gateway", "start"]


def error_lines(server):
    lines = [json.loads(line) for line in server.log_text().splitlines()]
    return [line["what"] for line in lines if line["level"] == "error"]


# Replaces two functions of the system, so that each wait for the disk takes longer.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int fsync(int file) {
  usleep(150000);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
int fdatasync(int file) {
  usleep(150000);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
"""


@pytest.fixture
def slow_disk(tmp_path, monkeypatch):
    """Slows the disk of servers that start from now on."""
    source, library = tmp_path / "disk.c", tmp_path / "disk.so"
    source.write_text(SHIM)
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    monkeypatch.setenv("LD_PRELOAD", str(library))


def test_stop_while_processing_receipts(start, gateway, tmp_path, slow_disk):
    """an orderly stop waits for receipts that are being processed, and logs no fault"""
    server = start(smpp(gateway, tmp_path))
    ask(server)
    entry(server, {"state": "handed_over", "messenger": "smpp"})

    for number in range(40):
        gateway.report(f"{0xffff + number:08x}", "DELIVRD")
        time.sleep(0.02)
    # The server has much to delete now, so the store is busy when it has to close.
    server.advance(3 * 86_400)

    assert server.stop() == 0
    assert error_lines(server) == []


def test_fault_names_its_cause(start, tmp_path):
    """T-14 an unreachable messenger is logged with the cause, and without the phone number"""
    server = start({"name": "hook", "kind": "webhook", "url": f"http://127.0.0.1:{free_port()}/",
                    "secret_file": secret_file(tmp_path, "hook-secret-4711")})

    ask(server)
    until = time.monotonic() + 10
    while not (found := [line for line in error_lines(server) if "messenger hook" in line]):
        assert time.monotonic() < until
        time.sleep(0.05)

    assert found[0].endswith(": the connection was refused"), found
    assert TECHNICIAN.phone not in server.log_text()
