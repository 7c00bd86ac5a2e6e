"""Changes that people make in the apps are sent to an address of the company."""
import contextlib
import hashlib
import hmac
import http.server
import json
import threading
import time

import pytest

from device import Device
from harness import TECHNICIAN, secret
from services import APPS

SECRET = secret("e2e-change-secret-" + "x" * 20)
DEADLINE_SECONDS = 60


class Company(http.server.ThreadingHTTPServer):
    """Receives changes. `answers` lists its failures and hangs, in order."""

    daemon_threads = True

    def __init__(self, answers=()):
        self.answers, self.calls, self.changed = list(answers), [], threading.Condition()
        self.released = threading.Event()
        company = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                signature = self.headers["Fieldpass-Signature"]
                with company.changed:
                    answer = company.answers.pop(0) if company.answers else 204
                    company.calls.append((time.time(), body, signature))
                    company.changed.notify_all()
                if answer == "hang":
                    company.released.wait(DEADLINE_SECONDS)
                    return
                with contextlib.suppress(OSError):
                    self.send_response(answer)
                    if answer == 302:
                        self.send_header("Location", "/elsewhere")
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/changes"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def wait(self, count):
        """Waits for so many calls and returns them."""
        with self.changed:
            assert self.changed.wait_for(
                lambda: len(self.calls) >= count, DEADLINE_SECONDS), self.calls
            return self.calls[:count]

    def close(self):
        self.released.set()
        self.shutdown()
        self.server_close()


@pytest.fixture
def company():
    made = []

    def make(*answers):
        made.append(Company(answers))
        return made[-1]
    yield make
    for one in made:
        one.close()


@pytest.fixture
def start(new_server, folder):
    """Starts a development server with webhooks to these companies, by name."""
    servers = []

    def begin(**companies):
        server = new_server()
        path = folder / f"{server.data.name}.secret"
        path.write_text(SECRET + "\n")
        path.chmod(0o600)
        server.configured = {
            "clients": APPS,
            "change_webhooks": [
                {"name": name, "url": one.url, "secret_file": str(path)}
                for name, one in companies.items()],
        }
        servers.append(server)
        return server.start(server.configured)
    yield begin
    for server in servers:
        server.close()


def technician(server):
    device = Device(server)
    device.sign_in(TECHNICIAN)
    return device


def set_job_status(device, status, number=0):
    jobs = device.api("/api/jobs").json["jobs"]
    job = [job for job in jobs if job["status"] == "scheduled"][number]
    answer = device.api(f"/api/jobs/{job['id']}", "PATCH", document={"status": status})
    assert answer.status == 200, answer
    return job["id"]


def changes(call):
    return [(change["sequence"], change["id"], change["status"])
            for change in json.loads(call[1])["changes"]]


def metric(server, name, **labels):
    words = ",".join(f'{label}="{value}"' for label, value in labels.items())
    for line in server.metrics().body.decode().splitlines():
        if line.startswith(f"{name}{{{words}}} "):
            return int(line.rsplit(" ", 1)[1])
    raise AssertionError(name)


def test_recovers(start, company):
    """A signed change is sent until it is accepted; later changes follow in order"""
    planning = company(500, 302, "hang", 404)
    server = start(planning=planning)
    device = technician(server)
    first = set_job_status(device, "on_the_way")
    calls = planning.wait(1)
    second = set_job_status(device, "done", 1)

    # The receiver answers 500, 302, nothing before the deadline, 404, and then 204.
    calls = planning.wait(5)

    assert all((1, first, "on_the_way") in changes(call) for call in calls)
    assert changes(calls[4]) == [(1, first, "on_the_way"), (2, second, "done")]
    waits = [later[0] - earlier[0] for earlier, later in zip(calls, calls[1:])]
    assert waits[0] > 0.9 and waits[1] > 1.9, waits
    for moment, body, signature in calls:
        parts = dict(part.split("=", 1) for part in signature.split(","))
        expected = hmac.new(SECRET.encode(), f"{parts['t']}.".encode() + body, hashlib.sha256)
        assert hmac.compare_digest(parts["v1"], expected.hexdigest())
        assert abs(int(parts["t"]) - server.now()) < 60
    deadline = time.time() + DEADLINE_SECONDS
    while metric(server, "fieldpass_change_webhook_waiting", webhook="planning"):
        assert time.time() < deadline
        time.sleep(0.1)
    third = set_job_status(device, "done")
    assert changes(planning.wait(6)[5]) == [(3, third, "done")]
    assert metric(server, "fieldpass_change_webhook_calls_total",
                  webhook="planning", outcome="failed") == 4
    log = server.log_text()
    assert "change webhook `planning`: answered 500" in log
    assert SECRET not in log


def test_restart(start, company):
    """After a restart no accepted change is sent again; a failing webhook delays no other"""
    failing, planning = company(*[503] * 99), company()
    server = start(failing=failing, planning=planning)
    device = technician(server)
    first = set_job_status(device, "on_the_way")
    assert changes(planning.wait(1)[0]) == [(1, first, "on_the_way")]
    failing.wait(2)
    server.stop()
    server.start(server.configured)
    device = technician(server)
    second = set_job_status(device, "done")

    assert changes(planning.wait(2)[1])[-1][1:] == (second, "done")
    assert [change[0] for call in planning.calls for change in changes(call)] in (
        [1, 2], [1, 1, 2])
    assert metric(server, "fieldpass_change_webhook_waiting", webhook="failing") >= 1


def test_mistakes(new_server, folder):
    """A short secret, and a secret that others can read, prevent the start"""
    server = new_server()
    for name, text, mode in [("short", "short", 0o600), ("open", SECRET, 0o644)]:
        path = folder / f"{name}.secret"
        path.write_text(text)
        path.chmod(mode)
    hooks = [{"name": name, "url": "https://changes.example.com/",
              "secret_file": str(folder / f"{name}.secret")} for name in ("short", "open", "missing")]
    path = folder / "webhooks.json"
    path.write_text(json.dumps({"clients": APPS, "change_webhooks": hooks}))

    result = server.run("--development", "--check", "--config", str(path))

    assert result.returncode == 1
    for words in ("its secret has 5 bytes", "other users can read", "cannot read"):
        assert words in result.stderr, result.stderr
    assert SECRET not in result.stderr
