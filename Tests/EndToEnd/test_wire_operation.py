"""The server as an operator meets it: power cuts, stops, keys, logs, refusals to start."""
import concurrent.futures
import contextlib
import http.client
import json
import random
import re
import stat
import threading
import time

import pytest

from device import Device
from harness import TECHNICIAN, Person, Server

ROUNDS = 10


def load_person(number):
    return Person(f"load-{number:04}@example.com", "demo-Load-1", f"+1555020{number:04}")


class Acknowledged:
    """What the server said it had done; it must stay done."""

    def __init__(self):
        self.signed_in, self.signed_out, self.locked = [], [], []


def use_until_cut(server, numbers, seen):
    """Signs in, out, or locks one account after the other, until the server is gone."""
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
    """L-15, L-23 ten power cuts in the midst of sign-ins undo nothing that was acknowledged"""
    server = new_server().start()
    assert server.post("/dev/accounts", document={"count": 2000}).status == 200
    chance, seen = random.Random(20251120), Acknowledged()
    numbers = iter(range(1, 2001))

    for _ in range(ROUNDS):
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
    """SIGTERM stops the server with status 0, once the requests under way are answered"""
    devices = [Device(server) for _ in range(20)]

    def login(number):
        return devices[number].login(f"nobody-{number}@example.com", "wrong-guess")

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        under_way = [pool.submit(login, number) for number in range(20)]
        time.sleep(0.08)
        status = server.stop()
        answers = [call.result() for call in under_way]

    assert status == 0
    assert {a.error for a in answers} == {"invalid_credentials"}


def test_stop_when_idle(server):
    """SIGTERM ends an idle server at once, open connections or not"""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/livez")
    connection.getresponse().read()
    began = time.monotonic()

    assert server.stop() == 0
    assert time.monotonic() - began < 3
    connection.close()


def test_key_files(folder):
    """S-01, T-14 keys and data can be read by the server's user alone"""
    server = Server(folder / "private").start()
    keys = list((server.data / "keys").iterdir())

    assert keys
    for path in [server.data, server.data / "keys"]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700, path
    for path in [*keys, *(p for p in server.data.iterdir() if p.is_file())]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    server.close()


def test_keys_outlive_a_restart(server, device):
    """A second start uses the same keys: what was signed stays valid"""
    device.sign_in(TECHNICIAN)
    keys = server.get("/jwks.json").json
    assert server.stop() == 0

    server.start()

    assert server.get("/jwks.json").json == keys
    assert device.api("/api/me").status == 200
    assert device.refresh().status == 200


def test_keys_others_can_read(server):
    """Keys that others can read stop the server from starting, with a way out"""
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


def test_health(server):
    """The server says that it lives, that it is ready, and what it counted"""
    Device(server).sign_in(TECHNICIAN)
    assert server.get("/livez").status == server.get("/readyz").status == 200
    metrics = server.get("/metrics")

    assert metrics.status == 200
    assert metrics["Content-Type"].startswith("text/plain")
    for line in metrics.body.decode().splitlines():
        assert re.fullmatch(r"#.*|[a-z_]+(\{[^{}]*\})? [0-9.e+]+", line), line
    counted = dict(line.rsplit(" ", 1) for line in metrics.body.decode().splitlines())
    assert int(counted["fieldpass_hashing_threads"]) >= 1
    assert int(counted["fieldpass_hashing_busy_milliseconds_total"]) > 0


# MARK: Starting


def assert_refused(run):
    """It did not start, and said what happened and what to do, without a trace."""
    assert run.returncode != 0
    assert run.stdout == ""
    assert "fieldpass: error: " in run.stderr and "hint: " in run.stderr, run.stderr
    assert "Fatal error" not in run.stderr


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0"])
def test_plain_http_outside(new_server, listen):
    """P-04, R-10 plain HTTP is refused on addresses others can reach"""
    run = new_server().run("--development", "--listen", listen)

    assert_refused(run)


def test_port_in_use(server, new_server):
    """A port in use is said, with a way out"""
    assert_refused(new_server().run("--development", "--listen", f"127.0.0.1:{server.port}"))


@pytest.mark.parametrize("arguments", [
    ["--listen"], ["--no-such-option"], ["--development", "--listen", "nonsense"],
    ["--development", "--listen", "127.0.0.1:99999"], ["--config", "/no/such/file.json"], [],
])
def test_mistaken_commands(new_server, arguments):
    """A mistaken command is refused with a hint"""
    assert_refused(new_server().run(*arguments))


@pytest.fixture
def configured(new_server, production):
    """Runs `serve` with a production configuration, changed."""
    def run(*arguments, **changes):
        server = new_server()
        path = server.data.with_suffix(".json")
        path.write_text(json.dumps(production | changes))
        return server.run("--config", str(path), *arguments)
    return run


def test_development_in_public(configured):
    """L-14, R-14 development is refused together with a public issuer"""
    run = configured("--development", messengers=[{"name": "inbox", "kind": "inbox"}])

    assert_refused(run)
    assert "issuer" in run.stderr


def test_inbox_in_production(configured):
    """L-14, R-14 the development inbox is refused in production"""
    run = configured(messengers=[{"name": "inbox", "kind": "inbox"}])

    assert_refused(run)
    assert "messengers[0].kind" in run.stderr


def test_configuration_mistakes(configured):
    """P-09 every mistake of a configuration is shown at once"""
    run = configured(issuer="http://login.example.com", listen="nowhere", clients=[], colour="red")

    assert_refused(run)
    assert all(word in run.stderr for word in ("issuer", "listen", "clients", "colour"))


def test_secret_in_configuration(configured):
    """A secret written into the configuration is refused and not repeated"""
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


def test_no_demo_people(production_server):
    """L-14 in production the demo's people do not exist"""
    device = Device(production_server)

    assert device.login(TECHNICIAN.email, TECHNICIAN.password).error == "invalid_credentials"


def test_tls(tls_server):
    """T-14, P-04 TLS 1.3 is spoken, older versions and plain HTTP are not"""
    assert tls_server.tls_version() == "TLSv1.3"
    with pytest.raises(OSError):
        tls_server.tls_version(newest="TLSv1_2")
    assert not tls_server.raw(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP")
    assert tls_server.get("/livez")["Strict-Transport-Security"]
