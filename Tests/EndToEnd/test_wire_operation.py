"""The server for an operator: power cuts, stops, keys, logs, refusals to start."""
import concurrent.futures
import contextlib
import fcntl
import http.client
import json
import os
import pathlib
import random
import re
import socket
import stat
import threading
import time

import pytest

from device import Device
from harness import TECHNICIAN, Person, Server
from production import ConfiguredServer

ROUNDS = 10


def load_person(number):
    return Person(f"load-{number:04}@example.com", "demo-Load-1", f"+1555020{number:04}")


class Acknowledged:
    """The confirmed results of the server, which must remain."""

    def __init__(self):
        self.signed_in, self.signed_out, self.locked = [], [], []


def use_until_cut(server, numbers, seen):
    """Signs in, signs out, or locks out one account after the other, until the server has ended."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        for number in numbers:
            person, device = load_person(number), Device(server)
            if number % 5 == 0:
                wrong = [Device(server).login(person.email, "wrong-guess") for _ in range(5)]
                assert wrong[-1].error == "account_locked", wrong[-1]
                seen.locked.append(person)
                continue
            device.sign_in(person)
            if number % 3:
                device.tokens = device.refresh().json
                seen.signed_in.append(device)
            else:
                assert device.revoke().status == 200
                seen.signed_out.append(device)


def assert_still_done(server, seen):
    for device in seen.signed_in:
        assert device.api("/api/me").status == 200
        refreshed = device.refresh()
        assert refreshed.status == 200, refreshed
        device.tokens = refreshed.json
    for device in seen.signed_out:
        assert device.api("/api/me").status == 401
        assert device.refresh().json["reason"] == "signed_out"
    for person in seen.locked:
        answer = Device(server).login(person.email, person.password)
        assert answer.error == "account_locked", answer


def test_power_cuts(new_server):
    """L-15, L-23 ten power cuts during sign-ins undo no confirmed result"""
    server = new_server().start()
    assert server.post("/dev/accounts", document={"count": 2000}).status == 200
    chance, seen = random.Random(20251120), Acknowledged()
    numbers = iter(range(1, 2001))

    # On a busy machine, few sign-outs complete before a power cut.
    for done in range(5 * ROUNDS):
        if done >= ROUNDS and min(len(seen.signed_in), len(seen.signed_out)) >= ROUNDS:
            break
        users = [threading.Thread(target=use_until_cut, args=(server, numbers_of(numbers), seen))
                 for _ in range(3)]
        for user in users:
            user.start()
        time.sleep(0.3 + chance.random() * 0.4)
        server.kill()
        for user in users:
            user.join()
        server.start()
        assert_still_done(server, seen)

    assert len(seen.signed_in) >= ROUNDS and len(seen.signed_out) >= ROUNDS
    server.close()


lock = threading.Lock()


def numbers_of(numbers):
    """Takes numbers from an iterator that several threads share."""
    while True:
        with lock:
            number = next(numbers)
        yield number


def test_orderly_stop(server):
    """SIGTERM stops the server with status 0, once the pending requests are answered"""
    devices = [Device(server) for _ in range(20)]

    def login(number):
        return devices[number].login(f"unknown-{number}@example.com", "wrong-guess")

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        under_way = [pool.submit(login, number) for number in range(20)]
        time.sleep(0.08)
        status = server.stop()
        answers = [call.result() for call in under_way]

    assert status == 0
    assert {a.error for a in answers} == {"invalid_credentials"}


def test_stop_when_idle(server):
    """SIGTERM ends an idle server at once, with open connections or without"""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/livez")
    connection.getresponse().read()
    began = time.monotonic()

    assert server.stop() == 0
    assert time.monotonic() - began < 5
    connection.close()


def test_key_files(folder):
    """S-01, T-14 only the server's user can read keys and data"""
    server = Server(folder / "private").start()
    keys = list((server.data / "keys").iterdir())

    assert keys
    for path in [server.data, server.data / "keys"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700, path
    for path in [*keys, *(p for p in server.data.iterdir() if p.is_file())]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    server.close()


def test_keys_after_a_restart(server, device):
    """A second start uses the same keys, so that earlier signatures stay valid"""
    device.sign_in(TECHNICIAN)
    keys = server.get("/jwks.json").json
    assert server.stop() == 0

    server.start()

    assert server.get("/jwks.json").json == keys
    assert device.api("/api/me").status == 200
    assert device.refresh().status == 200


def test_keys_others_can_read(server):
    """Keys that others can read prevent the start, with a way to correct this"""
    server.stop()
    next((server.data / "keys").iterdir()).chmod(0o644)

    run = server.run()

    assert_refused(run)


def test_log_lines(server, device):
    """T-14 the log is one JSON object a line, with the request's identifier"""
    device.sign_in(TECHNICIAN)
    answer = device.api("/api/me")

    lines = [json.loads(line) for line in server.log_text().splitlines()]

    assert answer["Request-Id"] in [line.get("request_id") for line in lines]


def test_last_line(new_server):
    """T-14 a stop writes the line of a request that was answered just before"""
    server = new_server()
    server.start()
    answers = [server.get("/livez")["Request-Id"] for _ in range(20)]

    assert server.stop() == 0

    lines = [json.loads(line) for line in server.written_log().splitlines()]
    written = [line["request_id"] for line in lines if line.get("request_id") in answers]
    assert written == answers
    server.close()


def test_health(server):
    """The server reports that it is alive, that it is ready, and its counters"""
    Device(server).sign_in(TECHNICIAN)
    assert server.get("/livez").status == server.get("/readyz").status == 200
    metrics = server.metrics()

    assert metrics.status == 200
    assert metrics["Content-Type"].startswith("text/plain")
    for line in metrics.body.decode().splitlines():
        assert re.fullmatch(r"#.*|[a-z_]+(\{[^{}]*\})? [0-9.e+]+", line), line
    counted = dict(line.rsplit(" ", 1) for line in metrics.body.decode().splitlines())
    assert int(counted["fieldpass_hashing_threads"]) >= 1
    assert int(counted["fieldpass_hashing_busy_milliseconds_total"]) > 0


def test_metrics_listener(server, production_server):
    """L-37 the public address has no metrics, in development and in production"""
    for running in (server, production_server):
        assert running.get("/metrics").status == 404
        assert running.metrics_port not in (0, running.port)
        assert running.metrics().status == 200
        with socket.create_connection(("127.0.0.1", running.metrics_port), timeout=5) as other:
            other.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert other.makefile("rb").readline() == b"HTTP/1.1 404 Not Found\r\n"


def test_standard_error_that_is_not_read(new_server):
    """A blocked standard error delays no request, no /livez and no stop"""
    server = new_server()
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"x" * 4096)
    os.set_blocking(writing, True)
    server.start(errors=writing)

    for _ in range(12):
        with contextlib.closing(server.connect(10)) as connection:
            for _ in range(1000):
                connection.request("GET", "/api/me")
                assert connection.getresponse().read()
    began = time.monotonic()
    assert server.get("/livez").status == 200
    assert time.monotonic() - began < 5

    counted = dict(line.rsplit(" ", 1) for line in server.metrics().body.decode().splitlines())
    dropped = int(counted["fieldpass_log_lines_dropped_total"])
    assert dropped > 0
    assert server.stop() == 0
    os.close(writing)
    os.close(reading)
    server.close()


def test_dropped_lines_are_reported(new_server):
    """Once standard error is read again, the next line says how many were dropped"""
    server = new_server()
    reading, writing = os.pipe()
    server.start(errors=writing)
    os.close(writing)
    for _ in range(12):
        with contextlib.closing(server.connect(10)) as connection:
            for _ in range(1000):
                connection.request("GET", "/api/me")
                assert connection.getresponse().read()
    counted = dict(line.rsplit(" ", 1) for line in server.metrics().body.decode().splitlines())
    dropped = int(counted["fieldpass_log_lines_dropped_total"])
    assert dropped > 0

    with open(reading, encoding="utf-8") as log:
        line, count = {}, 0
        while "dropped" not in line:
            if count % 500 == 0:
                server.get("/livez")
            line, count = json.loads(log.readline()), count + 1
        assert line["dropped"] >= dropped
        assert server.stop() == 0
    server.close()


# MARK: Starting


def assert_refused(run):
    """Checks that the server did not start, and said what happened and what to do."""
    assert run.returncode != 0
    assert run.stdout == ""
    assert "fieldpass: error: " in run.stderr and "hint: " in run.stderr, run.stderr
    assert "Fatal error" not in run.stderr


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0"])
def test_plain_http_outside(new_server, listen):
    """P-04, R-10 plain HTTP is refused on addresses that others can reach"""
    run = new_server().run("--development", "--listen", listen)

    assert_refused(run)


def test_port_in_use(server, new_server):
    """A used port is reported with a way to correct this"""
    assert_refused(new_server().run("--development", "--listen", f"127.0.0.1:{server.port}"))


@pytest.mark.parametrize("arguments", [
    ["--listen"], ["--no-such-option"], ["--development", "--listen", "nonsense"],
    ["--development", "--listen", "127.0.0.1:99999"], ["--config", "/no/such/file.json"], [],
])
def test_wrong_commands(new_server, arguments):
    """A wrong command is refused with a hint"""
    assert_refused(new_server().run(*arguments))


@pytest.fixture
def configured(new_folder, production):
    """Runs `serve` with a changed production configuration."""
    def run(*arguments, **changes):
        server = Server(new_folder())
        path = server.data.with_suffix(".json")
        path.write_text(json.dumps(production | changes))
        return server.run("--config", str(path), *arguments)
    return run


def test_development_in_public(configured):
    """L-14, R-14 development is refused together with a public issuer"""
    run = configured("--development", messengers=[{"name": "inbox", "kind": "inbox"}])

    assert_refused(run)
    assert "issuer" in run.stderr


@pytest.mark.parametrize("key", ["listen", "metrics_listen"])
@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0"])
def test_development_elsewhere(configured, key, address):
    """L-42 development is refused if others could reach a listener, with TLS too"""
    inbox = [{"name": "inbox", "kind": "inbox"}]

    run = configured("--development", issuer="https://localhost", messengers=inbox,
                     **{key: address})

    assert_refused(run)
    assert key in run.stderr


def test_development_elsewhere_by_option(configured):
    """L-42 --listen cannot open a development server to others either"""
    run = configured("--development", "--listen", "0.0.0.0:0", issuer="https://localhost",
                     messengers=[{"name": "inbox", "kind": "inbox"}])

    assert_refused(run)
    assert "--development" in run.stderr


@pytest.mark.parametrize("headers", [
    {"Host": "evil.example"}, {"Host": "127.0.0.1", "Sec-Fetch-Site": "cross-site"}])
def test_development_routes_for_other_sites(server, headers):
    """L-42 a page of another site can neither read codes nor move the clock"""
    requests = [("GET", "/dev/messages", b""), ("POST", "/dev/clock", b'{"advance": 60}'),
                ("POST", "/dev/accounts", b'{"count": 1}')]
    for method, path, body in requests:
        lines = [f"{method} {path} HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items()),
                 f"Content-Length: {len(body)}", "Connection: close", "", ""]
        assert b" 403 " in server.raw("\r\n".join(lines).encode() + body).splitlines()[0]
    assert abs(server.now() - time.time()) < 5


def test_metrics_port_in_use(configured):
    """A used metrics port is reported with the key to change"""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        run = configured(metrics_listen=f"127.0.0.1:{listener.getsockname()[1]}")

    assert_refused(run)
    assert "metrics_listen" in run.stderr


def test_certificate_key_others_can_read(configured, production, tmp_path):
    """S-01 a TLS key that others can read prevents the start, with a way to correct this"""
    key = tmp_path / "key.pem"
    key.write_bytes(pathlib.Path(production["tls"]["key"]).read_bytes())
    key.chmod(0o640)

    run = configured(tls=production["tls"] | {"key": str(key)})

    assert_refused(run)
    assert "tls.key" in run.stderr and f"chmod 600 {key}" in run.stderr


def test_inbox_in_production(configured):
    """L-14, R-14 the development inbox is refused in production"""
    run = configured(messengers=[{"name": "inbox", "kind": "inbox"}])

    assert_refused(run)
    assert "messengers[0].kind" in run.stderr


def test_configuration_mistakes(configured):
    """P-09 every mistake of a configuration is reported at once"""
    run = configured(issuer="http://login.example.com", listen="nowhere", clients=[], colour="red")

    assert_refused(run)
    assert all(word in run.stderr for word in ("issuer", "listen", "clients", "colour"))


def test_secret_in_configuration(configured):
    """A secret inside the configuration is refused and not printed"""
    hook = {"name": "hook", "kind": "webhook", "url": "https://sms.example.com/"}

    run = configured(messengers=[hook | {"secret": "s3cr3t-1"}])

    assert_refused(run)
    assert "s3cr3t-1" not in run.stderr


# MARK: Production


def test_no_development_routes(production_server):
    """L-14, R-14 in production no route reads codes, moves the clock or makes accounts"""
    for method, path in [("GET", "/dev/messages?to=%2B15550101234"), ("POST", "/dev/clock"),
                         ("POST", "/dev/accounts"), ("GET", "/dev/messages")]:
        assert production_server.call(method, path).status == 404


@pytest.mark.parametrize("path", [
    "/", "/index.html", "/app/", "/app/index.html", "/app/dev/messages.html",
    "/dev/messages.html", "/app/dev/messages.js", "/site.css", "/app/site.css"])
def test_no_demo_pages(production_server, path):
    """L-42, R-14 production serves neither the demo page nor the inbox page"""
    assert production_server.get("/app/technician-app/").status == 200
    assert production_server.get(path, headers={"Accept": "text/html"}).status == 404


def test_no_demo_people(production_server):
    """L-14 in production the people of the demo data do not exist"""
    device = Device(production_server)

    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "invalid_credentials"


@pytest.fixture
def limited(new_folder, production):
    """Starts a production server that allows sixteen connections for each address."""
    servers = []

    def begin(**members):
        server = ConfiguredServer(new_folder())
        servers.append(server)
        return server.begin(production | {"connections_per_address": 16} | members)
    yield begin
    for server in servers:
        server.close()


def count_answered(server, count):
    """The number of connections, of so many at once, that get an answer."""
    with contextlib.ExitStack() as stack:
        answers = 0
        for _ in range(count):
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = stack.enter_context(contextlib.closing(server.connect(5)))
                connection.request("GET", "/livez")
                answers += connection.getresponse().status == 200
        return answers


@pytest.mark.parametrize("count", [15, 16, 17])
def test_connections_of_one_address(limited, count):
    """One address may have its limit of connections, and a trusted proxy any number"""
    assert count_answered(limited(), count) == min(count, 16)


def test_connections_of_a_proxy(limited, server):
    """A trusted proxy may have any number of connections, and development has no limit"""
    assert count_answered(limited(trusted_proxies=["127.0.0.1"]), 40) == 40
    assert count_answered(server, 40) == 40


def test_tls(tls_server):
    """T-14, P-04 TLS 1.3 is accepted; older versions and plain HTTP are not"""
    assert tls_server.tls_version() == "TLSv1.3"
    with pytest.raises(OSError):
        tls_server.tls_version(newest="TLSv1_2")
    assert not tls_server.raw(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP")
    assert tls_server.get("/livez")["Strict-Transport-Security"]
