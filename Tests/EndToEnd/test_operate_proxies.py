"""The documented configurations of nginx and haproxy, run by the real programs."""
import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

import pytest

from authority import Authority
from device import Device
from harness import ROOT, TECHNICIAN, Server
from operator_tools import Load, command, stopped, until
from production import free_port

DOCUMENTS = ROOT / "docs/operate"
# An address of this machine that differs from the proxy's own.
CALLER = "127.0.0.2"


class ProxiedServer(Server):
    """A development server on loopback that is reached over TLS through a proxy.

    The development routes are called directly, because only this machine may use them.
    """

    def begin(self, authority):
        self.authority, self.proxy_port = authority, free_port()
        self.port = free_port()
        path = self.data.with_suffix(".json")
        path.write_text(json.dumps({
            "issuer": "https://localhost", "listen": f"127.0.0.1:{self.port}",
            "trusted_proxies": ["127.0.0.1"],
            "messengers": [{"name": "inbox", "kind": "inbox"}],
            "clients": [{
                "id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
                "sign_in": "password_and_code", "roles": ["technician"],
                "scopes": ["openid", "offline_access", "account", "jobs"]}]}))
        self.launch("--development", "--config", str(path))
        self.base = "https://localhost"
        return self

    def call(self, method, path, **more):
        self.is_direct = path.startswith("/dev/")
        return super().call(method, path, **more)

    def connect(self, timeout):
        if self.is_direct:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        return http.client.HTTPSConnection(
            "127.0.0.1", self.proxy_port, timeout=timeout, context=self.context(),
            source_address=(CALLER, 0))

    def context(self):
        context = self.authority.context
        context.check_hostname = False
        return context


def nginx(server, folder, certificate, key):
    """nginx as the page describes it, with this test's ports and files."""
    site = (DOCUMENTS / "nginx.conf").read_text()
    for before, after in [
            ("listen 443 ssl", f"listen 127.0.0.1:{server.proxy_port} ssl"),
            ("server 127.0.0.1:8080", f"server 127.0.0.1:{server.port}"),
            ("login.example.com", "localhost"),
            ("/var/log/nginx/fieldpass.log", str(folder / "access.log")),
            ("/etc/fieldpass/tls/certificate.pem", str(certificate)),
            ("/etc/fieldpass/tls/certificate-key.pem", str(key))]:
        assert before in site, before
        site = site.replace(before, after)
    (folder / "site.conf").write_text(site)
    paths = "\n".join(f"  {name}_temp_path {folder}/{name};" for name in (
        "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{ }}\nhttp {{\n  access_log off;\n{paths}\n  include {folder}/site.conf;\n}}\n")
    return ["/usr/sbin/nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"]


def haproxy(server, folder, certificate, key):
    """haproxy as the page describes it, with this test's ports and files."""
    (folder / "both.pem").write_bytes(certificate.read_bytes() + key.read_bytes())
    text = (DOCUMENTS / "haproxy.cfg").read_text()
    for before, after in [
            ("bind :443", f"bind 127.0.0.1:{server.proxy_port}"),
            ("127.0.0.1:8080", f"127.0.0.1:{server.port}"),
            ("/etc/haproxy/fieldpass.pem", str(folder / "both.pem"))]:
        assert before in text, before
        text = text.replace(before, after)
    (folder / "haproxy.cfg").write_text(text)
    return ["/usr/sbin/haproxy", "-db", "-f", folder / "haproxy.cfg"]


@pytest.fixture(params=[nginx, haproxy], ids=lambda value: value.__name__)
def proxied(request, new_server, tmp_path):
    """A server behind nginx or haproxy."""
    authority = Authority(tmp_path)
    certificate, key = authority.issue(tmp_path, host="localhost")
    server = ProxiedServer(new_server().data).begin(authority)
    arguments = request.param(server, tmp_path, certificate, key)
    assert shutil.which(arguments[0]), "run Scripts/setup test"
    log = open(tmp_path / "proxy.log", "wb")
    process = subprocess.Popen(arguments, stdout=log, stderr=log)
    with log, stopped(process):
        def answers():
            assert process.poll() is None, (tmp_path / "proxy.log").read_text()
            try:
                return socket.create_connection(("127.0.0.1", server.proxy_port), 1).close() or 1
            except OSError:
                return None
        until(answers)
        server.meta = server.get("/.well-known/openid-configuration").json
        yield server
    server.close()


def peers(server):
    """The addresses in the security log."""
    run = command("events", "list", "--data", server.data, "--limit", "1000")
    assert run.returncode == 0, run
    return {json.loads(line).get("peer") for line in run.stdout.splitlines()} - {None}


def test_sign_in(proxied):
    """A person signs in through the proxy, and the log has the person's address"""
    device = Device(proxied, scope="openid offline_access account jobs")

    device.sign_in(TECHNICIAN)

    assert device.api("/api/me").status == 200
    assert device.refresh().status == 200
    assert peers(proxied) == {CALLER}
    assert proxied.get("/livez")["Strict-Transport-Security"]


def test_secret_of_a_link(proxied, tmp_path):
    """The log of the proxy has no secret of a link that takes a change back"""
    assert proxied.get("/account/undo?undo=the-secret").status == 200

    log = tmp_path / "access.log"
    if log.exists():
        until(lambda: "GET /account/undo HTTP" in log.read_text())
        assert "the-secret" not in log.read_text()
    assert "the-secret" not in (tmp_path / "proxy.log").read_text()


@pytest.mark.parametrize("field, value", [
    ("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=203.0.113.9"),
    ("X-Forwarded-For", "127.0.0.1"), ("Forwarded", 'for="[2001:db8::9]:4711";proto=https')])
def test_forged_address(proxied, field, value):
    """An address that a client writes into a header itself is ignored"""
    device = Device(proxied, scope="openid offline_access account jobs")
    url = proxied.endpoint("authorization_challenge_endpoint")
    answer = proxied.post(
        url, headers=[("DPoP", device.proof("POST", url)), (field, value)],
        form={"client_id": device.client} | device.first_call(
            username=TECHNICIAN.email, password="wrong-guess"))

    assert answer.error == "invalid_credentials", answer
    assert peers(proxied) == {CALLER}


def test_waiting_for_news(proxied):
    """An app that waits for account updates gets its answer after 50 seconds, because the proxy's
    time-out is longer"""
    device = Device(proxied, scope="openid offline_access account jobs")
    device.sign_in(TECHNICIAN)
    seen = device.api("/api/session/events").json["version"]
    began = time.monotonic()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(device.api, f"/api/session/events?seen={seen}", timeout=90)
                   for _ in range(4)]
        answers = [call.result() for call in waiting]

    assert {answer.status for answer in answers} == {200}, answers
    assert 49 < time.monotonic() - began < 70


def test_news_arrive(proxied):
    """The end of a session reaches a waiting app through the proxy at once"""
    device = Device(proxied, scope="openid offline_access account jobs")
    device.sign_in(TECHNICIAN)
    seen = device.api("/api/session/events").json["version"]

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(device.api, f"/api/session/events?seen={seen}", timeout=90)
        time.sleep(1)
        began = time.monotonic()
        assert device.revoke().status == 200
        answer = waiting.result()

    assert answer.status == 401 and answer.json["reason"] == "signed_out", answer
    assert time.monotonic() - began < 5


def test_load(proxied):
    """With connections that the proxy keeps open to the server no request is refused"""
    def once():
        assert proxied.get("/jwks.json").status == 200

    with Load(*[once] * 6) as load:
        load.goes_on(300)

    assert load.mistakes == []


def test_body_that_is_too_long(proxied):
    """A body of more than 64 KiB is refused, and the next request is answered"""
    for size, statuses in [(64 << 10, {400}), ((64 << 10) + 1, {413})]:
        body = b"x" * size
        answer = raw_post(proxied, body)
        assert answer in statuses, (size, answer)
    assert proxied.get("/livez").status == 200


def raw_post(server, body):
    server.is_direct = False
    connection = server.connect(30)
    try:
        path = server.endpoint("token_endpoint").removeprefix(server.base)
        connection.request("POST", path, body=body, headers={
            "Content-Type": "application/x-www-form-urlencoded"})
        return connection.getresponse().status
    finally:
        connection.close()


def test_documents_name_the_same_ports():
    """The package's configuration and those of both proxies use the same ports"""
    members = json.loads((ROOT / "Packaging/debian/configuration.json").read_text())

    for name in ("nginx.conf", "haproxy.cfg"):
        assert members["listen"] in (DOCUMENTS / name).read_text()
    assert members["trusted_proxies"] == ["127.0.0.1"]
    assert pathlib.PurePath(members["store"].removeprefix("sqlite:")).is_absolute()
