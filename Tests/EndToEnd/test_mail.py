"""Notices through a real mail server, over TLS with a password. Codes never go by e-mail."""
import time

import pytest

from device import Device
from harness import TECHNICIAN, secret
from mail import PASSWORD, USER, MailServer
from test_messengers import start

__all__ = ["start"]


@pytest.fixture
def mail(tmp_path):
    made = []

    def begin(protection="starttls", **more):
        made.append(MailServer(tmp_path / "mail", protection, **more))
        return made[-1]
    yield begin
    for server in made:
        server.close()


@pytest.fixture
def trust(monkeypatch):
    def begin(server):
        monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    return begin


def mail_messenger(server, folder, **more):
    path = folder / "mail-password"
    path.write_text(secret(PASSWORD) + "\n")
    path.chmod(0o600)
    return {"name": "mail", "kind": "smtp", "host": "127.0.0.1", "port": server.port,
            "from": "login@fieldpass.example", "user": USER,
            "password_file": str(path)} | more


def sign_in_twice(server):
    """Signs in on two devices, so that the second is a new one."""
    for _ in range(2):
        sent = len(server.messages(TECHNICIAN.phone))
        device = Device(server)
        assert device.login(**TECHNICIAN.credentials).error == "insufficient_authorization"
        verified = device.verify(server.code(TECHNICIAN.phone, sent))
        assert device.redeem(verified.json["authorization_code"]).status == 200
        server.advance(61)
    return device


def wait_for_message(mail, count=1):
    until = time.monotonic() + 15
    while len(mail.messages) < count:
        assert time.monotonic() < until, mail.messages
        time.sleep(0.05)
    return mail.messages[-1]


def notices(server):
    return server.get("/dev/messages?kind=notice").json


@pytest.mark.parametrize("protection", ["starttls", "implicit"])
def test_new_device(start, mail, trust, tmp_path, protection):
    """A sign-in on a new device sends a notice by e-mail, over TLS and with a password"""
    mailbox = mail(protection)
    trust(mailbox)
    server = start({"name": "texts", "kind": "inbox"},
                   mail_messenger(mailbox, tmp_path, tls=protection))

    sign_in_twice(server)

    message = wait_for_message(mailbox)
    assert message.envelope == ("login@fieldpass.example", [TECHNICIAN.email])
    assert message.was_encrypted
    assert message["Subject"] == "New sign-in to your Fieldpass account"
    assert message["To"] == TECHNICIAN.email
    assert message["Date"].datetime and message["Message-ID"]
    assert "A new device signed in" in message.get_content()
    assert b"\r\n" in message.raw and b"\n" not in message.raw.replace(b"\r\n", b"")
    assert len(mailbox.messages) == 1
    assert [entry["to"] for entry in notices(server)] == [TECHNICIAN.email]
    assert all(entry["code"] for entry in server.get("/dev/messages").json)


def test_refusals(start, mail, trust, tmp_path):
    """A notice that the mail server refuses for now goes to the next messenger for mail"""
    mailbox = mail()
    trust(mailbox)
    mailbox.box.refusals = ["451 try later"]
    server = start({"name": "texts", "kind": "inbox"}, mail_messenger(mailbox, tmp_path, tls=True))

    sign_in_twice(server)

    until = time.monotonic() + 15
    retried = 'fieldpass_hand_overs_total{messenger="mail",outcome="retry"} 1'
    while retried not in server.metrics().body.decode():
        assert time.monotonic() < until, "the mail server was not called"
        time.sleep(0.05)
    assert mailbox.messages == [] and mailbox.box.refusals == []
    assert [entry["to"] for entry in notices(server)] == [TECHNICIAN.email]


@pytest.mark.parametrize("members, words", [
    ({"host": "mail.example.com", "tls": "none"}, "in the clear"),
    ({"host": "mail.example.com", "tls": False}, "in the clear"),
    ({"from": "no-address"}, "is not an e-mail address"),
    ({"user": None}, "required with a password"),
])
def test_mistakes(new_server, tmp_path, members, words):
    """A mail server that would get the password unencrypted is refused at the start"""
    import json
    import subprocess

    from harness import BINARY

    class FakeServer:
        port = 2525

    entry = {name: value for name, value in (mail_messenger(FakeServer, tmp_path) | members).items()
             if value is not None}
    path = tmp_path / "configuration.json"
    path.write_text(json.dumps({
        "clients": [{"id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
                     "sign_in": "password_and_code", "roles": ["technician"],
                     "scopes": ["openid"]}],
        "messengers": [entry]}))
    result = subprocess.run(
        [BINARY, "serve", "--development", "--listen", "127.0.0.1:0", "--config", path,
         "--data", tmp_path / "data"], capture_output=True, text=True, timeout=20)
    assert result.returncode == 1
    assert words in result.stderr
