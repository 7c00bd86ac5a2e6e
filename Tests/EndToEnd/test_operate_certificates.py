"""A new certificate while the server runs, and certificates that expire."""
import contextlib
import http.client
import json
import shutil
import signal
import socket
import subprocess

import pytest

from authority import Authority
from harness import BINARY
from operator_tools import Load, log_lines, metric, until
from production import ConfiguredServer

WARNING_DAYS = 21


def serial(server, context):
    """The serial number of the certificate that a new connection gets."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as session:
            return session.getpeercert()["serialNumber"]


class Renewable:
    """A production server with a certificate that can be replaced."""

    def __init__(self, folder, production, **certificate):
        self.folder = folder
        self.live = folder / "live"
        self.live.mkdir()
        self.authority = Authority(folder)
        self.authority.issue(self.live, **certificate)
        self.context = self.authority.context
        self.tls = {name: str(self.live / f"{file}.pem") for name, file in
                    (("certificate", "certificate"), ("key", "certificate-key"))}
        self.server = ConfiguredServer(folder / "data")
        self.server.context = lambda newest=None: self.context
        self.server.begin(production | {"tls": self.tls})

    def renew(self, **certificate):
        self.authority.issue(self.live, **certificate)

    def reload(self):
        self.server.process.send_signal(signal.SIGHUP)

    def logged(self, level, words):
        return until(lambda: [line for line in log_lines(self.server, level) if words in line])


@pytest.fixture
def renewable(tmp_path, production):
    made = []

    def make(**certificate):
        made.append(Renewable(tmp_path, production, **certificate))
        return made[-1]
    yield make
    for one in made:
        one.server.close()


def kept_open(server):
    """Calls over one connection that stays open."""
    connection = server.connect(30)
    connection.connect()
    first = connection.sock

    def once():
        connection.request("GET", "/jwks.json")
        assert connection.getresponse().read().startswith(b'{"keys"')
        assert connection.sock is first, "the connection was closed"
    return once


def opened_each_time(server):
    def once():
        assert server.get("/livez").status == 200
    return once


def test_reload_under_load(renewable):
    """A renewed certificate under load: no request is refused, and no connection closed"""
    setup = renewable()
    server = setup.server
    serials = [serial(server, setup.context)]

    calls = [kept_open(server) for _ in range(3)] + [opened_each_time(server) for _ in range(3)]
    with Load(*calls) as load:
        for _ in range(5):
            load.goes_on()
            setup.renew()
            setup.reload()
            until(lambda: serial(server, setup.context) not in serials)
            serials.append(serial(server, setup.context))
        load.goes_on()

    assert load.mistakes == []
    assert len(set(serials)) == 6
    assert metric(server, "fieldpass_certificate_refusals_total") == 0
    assert server.stop() == 0


def test_reload_with_a_ticket(renewable):
    """A client that resumes a TLS session of the old certificate gets an answer"""
    setup = renewable()
    port = setup.server.port

    def ask(session=None):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
            with setup.context.wrap_socket(
                    plain, server_hostname="127.0.0.1", session=session) as tls:
                tls.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                answer = tls.recv(100)
                return answer, tls.session, tls.session_reused

    answer, ticket, _ = ask()
    assert ask(ticket)[2]
    before = serial(setup.server, setup.context)
    setup.renew()
    setup.reload()
    until(lambda: serial(setup.server, setup.context) != before)
    answer, _, is_resumed = ask(ticket)

    assert answer.startswith(b"HTTP/1.1 200") and not is_resumed


def expired(setup):
    setup.renew(first=-9, last=-2)


def not_yet_valid(setup):
    setup.renew(first=2, last=9)


def other_host(setup):
    setup.renew(host="other.example.com")


def other_key(setup):
    other = setup.folder / "other"
    other.mkdir()
    _, key = setup.authority.issue(other)
    shutil.copy(key, setup.live / "certificate-key.pem")


def no_file(setup):
    (setup.live / "certificate.pem").unlink()


def no_certificate(setup):
    (setup.live / "certificate.pem").write_text("no certificate")


def open_key(setup):
    setup.renew()
    (setup.live / "certificate-key.pem").chmod(0o644)


@pytest.mark.parametrize("damage, words", [
    (expired, "expired at"), (not_yet_valid, "not valid before"),
    (other_host, "does not cover login.example.com"), (other_key, "are not a pair"),
    (no_file, "No such file or directory"), (no_certificate, "contains no certificate"),
    (open_key, "other users can read")], ids=lambda value: getattr(value, "__name__", None))
def test_refused_certificate(renewable, damage, words):
    """A certificate that apps would not trust is refused with the reason; the old one stays"""
    setup = renewable()
    before = serial(setup.server, setup.context)
    ending = metric(setup.server, "fieldpass_certificate_valid_through_seconds")

    damage(setup)
    setup.reload()

    [line] = setup.logged("error", "the new certificate is refused, the old one stays")
    assert words in line, line
    assert serial(setup.server, setup.context) == before
    assert metric(setup.server, "fieldpass_certificate_refusals_total") == 1
    assert metric(setup.server, "fieldpass_certificate_valid_through_seconds") == ending
    (setup.live / "certificate-key.pem").chmod(0o600)
    setup.renew()
    setup.reload()
    until(lambda: serial(setup.server, setup.context) != before)


@pytest.mark.parametrize("days, is_warned", [
    (WARNING_DAYS - 1, True), (WARNING_DAYS, True), (WARNING_DAYS + 1, False)])
def test_expiring_certificate(renewable, days, is_warned):
    """A certificate that expires within 21 days causes a warning, also after a renewal"""
    setup = renewable(last=days)
    if is_warned:
        setup.logged("warning", "the certificate in use expires in")
    else:
        assert not [line for line in log_lines(setup.server) if "expires in" in line]
    ending = metric(setup.server, "fieldpass_certificate_valid_through_seconds")

    setup.renew(last=days + 100)
    setup.reload()
    setup.logged("info", "certificate read again: valid through")

    later = metric(setup.server, "fieldpass_certificate_valid_through_seconds")
    assert abs(later - ending - 100 * 86400) < 120
    assert len([line for line in log_lines(setup.server) if "expires in" in line]) == is_warned


def test_metrics_listener_under_tls(tmp_path, production):
    """The metrics listener with TLS uses the new certificate as well"""
    live = tmp_path / "live"
    live.mkdir()
    authority = Authority(tmp_path)
    authority.issue(live)
    context = authority.context
    config = tmp_path / "configuration.json"
    config.write_text(json.dumps(production | {
        "metrics_listen": "0.0.0.0:0", "store": f"sqlite:{tmp_path / 'data'}",
        "tls": {"certificate": str(live / "certificate.pem"),
                "key": str(live / "certificate-key.pem")}}))
    process = subprocess.Popen([BINARY, "serve", "--config", config], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        process.stdout.readline()
        port = int(process.stdout.readline().rsplit(":", 1)[1])

        def number():
            with contextlib.closing(http.client.HTTPSConnection(
                    "127.0.0.1", port, timeout=10, context=context)) as connection:
                connection.connect()
                found = connection.sock.getpeercert()["serialNumber"]
                connection.request("GET", "/metrics")
                assert connection.getresponse().status == 200
                return found

        before = number()
        authority.issue(live)
        process.send_signal(signal.SIGHUP)
        until(lambda: number() != before)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def test_signal_without_tls(server):
    """SIGHUP to a server without TLS changes nothing and does not stop it"""
    server.process.send_signal(signal.SIGHUP)
    server.process.send_signal(signal.SIGHUP)

    assert server.get("/livez").status == 200
    assert server.stop() == 0
