"""What the log says of a messenger that fails, and of a stop while receipts are looked for."""
import json
import time

from harness import TECHNICIAN
from production import free_port
from test_messengers import ask, entry, gateway, secret_file, smpp, start

__all__ = ["gateway", "start"]


def error_lines(server):
    lines = [json.loads(line) for line in server.log_text().splitlines()]
    return [line["what"] for line in lines if line["level"] == "error"]


def test_stop_with_a_report_under_way(start, gateway, tmp_path):
    """An orderly stop waits for a receipt whose message is still looked for, and logs no fault"""
    server = start(smpp(gateway, tmp_path))
    ask(server)
    entry(server, {"state": "handed_over", "messenger": "smpp"})

    gateway.report("0000ffff", "DELIVRD")
    time.sleep(0.6)

    assert server.stop() == 0
    assert error_lines(server) == []


def test_fault_names_its_cause(start, tmp_path):
    """T-14 a messenger out of reach is logged with the cause, and without the number"""
    server = start({"name": "hook", "kind": "webhook", "url": f"http://127.0.0.1:{free_port()}/",
                    "secret_file": secret_file(tmp_path, "hook-secret-4711")})

    ask(server)
    until = time.monotonic() + 10
    while not (found := [line for line in error_lines(server) if "messenger hook" in line]):
        assert time.monotonic() < until
        time.sleep(0.05)

    assert found[0].endswith(": the connection was refused"), found
    assert TECHNICIAN.phone not in server.log_text()
