"""Messages through real gateways of other projects, and over TLS, with their receipts."""
import datetime
import ssl
import time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from device import Device
from gateways import Centre, Kannel
from harness import TECHNICIAN
from provider import Provider
from test_messages import hook, receipt
from test_messengers import ask, entry, secret_file, smpp, start, wait
from vendors import Gateway

__all__ = ["start"]


@pytest.fixture
def centre():
    made = Centre()
    yield made
    made.close()


@pytest.fixture
def kannel(tmp_path):
    folder = tmp_path / "kannel"
    folder.mkdir()
    made = Kannel(folder)
    yield made
    made.close()


def smpp_messenger(centre, folder, **more):
    return {"name": "smpp", "kind": "smpp", "host": "127.0.0.1", "port": centre.port,
            "system_id": centre.system_id, "source": "Fieldpass",
            "password_file": secret_file(folder, centre.password)} | more


# MARK: Net::SMPP


def test_net_smpp(start, centre, tmp_path):
    """R-12 Debian's Net::SMPP binds, takes the code and reports that it was delivered"""
    server = start(smpp_messenger(centre, tmp_path))

    ask(server)
    submit = centre.wait("submit_sm")[0]
    entry(server, {"state": "handed_over", "messenger": "smpp"})
    centre.command("report", "00000001", "DELIVRD")
    entry(server, {"receipt": "delivered"})
    centre.command("ask")

    bind = centre.of("bind_transceiver")[0]
    assert (bind["system_id"], bind["password"]) == ("fieldpass", "smpp-pw")
    assert submit["destination_addr"] == TECHNICIAN.phone[1:]
    assert (submit["source_addr"], submit["source_addr_ton"]) == ("Fieldpass", 5)
    assert submit["registered_delivery"] == 1
    assert submit["short_message"].startswith(server.code(TECHNICIAN.phone))
    centre.wait("deliver_sm_resp")
    assert centre.wait("enquire_link_resp")[0]["status"] == 0


def test_net_smpp_hindi(start, centre, tmp_path):
    """R-12 letters outside the basic alphabet go as UCS-2, which Net::SMPP decodes correctly"""
    server = start(smpp_messenger(centre, tmp_path))
    device = Device(server)
    device.challenge(**device.first_call(**TECHNICIAN.credentials, ui_locales="hi-IN"))

    submit = centre.wait("submit_sm")[0]

    assert submit["data_coding"] == 8
    text = submit.get("message_payload") or submit["short_message"]
    assert text.encode("latin-1").decode("utf-16-be") == server.messages(
        TECHNICIAN.phone)[0]["text"]


@pytest.mark.parametrize("state, receipt_state", [
    ("UNDELIV", "undelivered"), ("EXPIRED", "undelivered"), ("ENROUTE", "delayed")])
def test_net_smpp_reports(start, centre, tmp_path, state, receipt_state):
    """R-12 the centre's report about a message is stored with the right meaning"""
    server = start(smpp_messenger(centre, tmp_path))
    ask(server)
    entry(server, {"state": "handed_over"})

    centre.command("report", "00000001", state)

    entry(server, {"receipt": receipt_state})


def test_net_smpp_closes_the_connection(start, centre, tmp_path):
    """R-12 after the centre closes the connection a new one opens, and the next code goes out"""
    server = start(smpp_messenger(centre, tmp_path))
    ask(server)
    centre.wait("submit_sm")

    centre.command("drop")
    centre.wait("bind_transceiver", 2)
    server.advance(61)
    ask(server)

    assert len(centre.wait("submit_sm", 2)) == 2


def test_net_smpp_wrong_password(start, centre, tmp_path):
    """R-12 a centre that refuses our password gets no message, and the message fails"""
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    password = {"password_file": secret_file(wrong, "zq7wrong")}
    server = start(smpp_messenger(centre, tmp_path) | password)

    ask(server)
    entry(server, {"state": "failed"})

    assert centre.of("submit_sm") == []


# MARK: kannel


def test_smpp_through_kannel(start, centre, kannel, tmp_path):
    """R-12 Net::SMPP receives a code by SMPP, the test forwards it to kannel's fake SMSC, and the
    delivery report returns"""
    ids = {}

    def pass_on(number, unit):
        ids[f"{number:08x}"] = unit
        kannel.send("+" + unit["destination_addr"], unit["short_message"], f"{number:08x}")

    def pass_back(id, kind):
        if kind == Kannel.DELIVERED:
            centre.command("report", id, "DELIVRD")

    centre.submitted, kannel.heard = pass_on, pass_back
    server = start(smpp_messenger(centre, tmp_path))

    ask(server)
    entry(server, {"state": "handed_over", "receipt": "delivered"})

    source, to, text = kannel.arrived[0]
    assert (source, to) == ("Fieldpass", TECHNICIAN.phone)
    assert text.startswith(server.code(TECHNICIAN.phone))


class KannelHook(Provider):
    """An operator's small program between the webhook and kannel."""

    def __init__(self, kannel):
        super().__init__()
        self.kannel = kannel
        self.statuses = []

    def answer(self, request):
        before = len(self.taken)
        super().answer(request)
        for message in self.messages[before:]:
            self.statuses.append(
                self.kannel.send(message["to"], message["text"], message["id"]))


def test_webhook_through_kannel(start, kannel, tmp_path):
    """R-12 kannel behind our webhook: its fake SMSC gets the code, and its report is stored"""
    bridge = KannelHook(kannel)
    server = start(hook(bridge, "kannel", tmp_path))

    def pass_back(id, kind):
        if kind == Kannel.DELIVERED:
            assert receipt(server, bridge, "kannel", {"id": id, "status": "delivered"}) == 204
    kannel.heard = pass_back

    ask(server)
    entry(server, {"state": "handed_over", "messenger": "kannel", "receipt": "delivered"})

    assert set(bridge.statuses) == {202}
    source, to, text = kannel.arrived[0]
    assert (source, to) == ("Fieldpass", TECHNICIAN.phone)
    assert text.startswith(server.code(TECHNICIAN.phone))
    bridge.close()


# MARK: TLS


def certificate(folder, name):
    """A self-signed certificate for this name, and a TLS context that presents it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    today = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256()))
    path, key_path = folder / f"{name}.pem", folder / f"{name}-key.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, key_path)
    return path, context


@pytest.fixture
def secure(tmp_path, monkeypatch):
    """A gateway with TLS whose certificate the machine trusts."""
    path, context = certificate(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    made = Gateway(context=context)
    yield made
    made.close()


def over_tls(gateway, folder):
    return smpp(gateway, folder, host="localhost", tls=True)


def test_tls(start, secure, tmp_path):
    """R-12, P-04 over TLS a gateway takes the code, and its receipt is stored"""
    server = start(over_tls(secure, tmp_path))

    ask(server)
    entry(server, {"state": "handed_over", "messenger": "smpp"})
    secure.report("00000001", "DELIVRD")
    entry(server, {"receipt": "delivered"})

    assert secure.connections[0].version() in ("TLSv1.2", "TLSv1.3")
    assert secure.submits[0]["short_message"].startswith(server.code(TECHNICIAN.phone).encode())


@pytest.mark.parametrize("name, is_trusted", [
    ("localhost", False), ("gateway.example.com", True)])
def test_tls_wrong_certificate(start, tmp_path, monkeypatch, name, is_trusted):
    """R-12, P-04 a gateway with a wrong certificate gets neither password nor code"""
    path, context = certificate(tmp_path, name)
    other, _ = certificate(tmp_path, "other.example.com")
    monkeypatch.setenv("SSL_CERT_FILE", str(path if is_trusted else other))
    gateway, provider = Gateway(context=context), Provider()
    server = start(over_tls(gateway, tmp_path), hook(provider, "second", tmp_path))

    ask(server)
    provider.wait(1)

    assert gateway.binds == 0 and gateway.submits == []
    assert entry(server, {"state": "handed_over"})["messenger"] == "second"
    gateway.close()
    provider.close()


def test_authorities(start, tmp_path, monkeypatch):
    """P-04 a call trusts the authorities that the configuration names, without a variable"""
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    path, context = certificate(tmp_path, "localhost")
    secure = Provider(context=context)
    server = start(hook(secure, "secure", tmp_path), authorities_file=str(path))

    ask(server)
    secure.wait(1)

    assert entry(server, {"state": "handed_over"})["messenger"] == "secure"
    secure.close()


@pytest.mark.parametrize("name, is_trusted", [
    ("localhost", True), ("localhost", False), ("provider.example.com", True)])
def test_webhook_over_tls(start, tmp_path, monkeypatch, name, is_trusted):
    """R-12, P-04 a webhook gets the code over TLS only if its certificate is right"""
    path, context = certificate(tmp_path, name)
    other, _ = certificate(tmp_path, "other.example.com")
    monkeypatch.setenv("SSL_CERT_FILE", str(path if is_trusted else other))
    secure, second = Provider(context=context), Provider()
    server = start(hook(secure, "secure", tmp_path), hook(second, "second", tmp_path))

    ask(server)
    used = secure if is_trusted and name == "localhost" else second
    used.wait(1)

    assert entry(server, {"state": "handed_over"})["messenger"] == (
        "secure" if used is secure else "second")
    assert bool(secure.calls) == (used is secure)
    secure.close()
    second.close()


def request_codes(server, count):
    """Requests codes for so many people at once."""
    server.post("/dev/accounts", document={"count": count})
    for number in range(count):
        device = Device(server)
        answer = device.challenge(**device.first_call(
            username=f"load-{number + 1:04}@example.com", password="demo-Load-1"))
        assert answer.error == "insufficient_authorization"


def test_tls_window(start, secure, tmp_path):
    """R-12 at most ten messages wait for answers at once; each answer allows the next message"""
    secure.holds_back = True
    server = start(over_tls(secure, tmp_path))
    wait(lambda: secure.binds == 1)

    request_codes(server, 13)
    wait(lambda: len(secure.submits) == 10)
    time.sleep(0.3)
    assert len(secure.submits) == 10
    secure.holds_back = False
    secure.release()

    # On a slow machine the first answers can be too late. The server then pauses the gateway.
    wait(lambda: len(secure.submits) >= 13, seconds=20)


def test_tls_closes_during_a_window(start, secure, tmp_path):
    """L-06, R-12 a connection that ends early loses no code and repeats each at most once"""
    secure.holds_back = True
    server = start(over_tls(secure, tmp_path))
    wait(lambda: secure.binds == 1)
    request_codes(server, 13)
    wait(lambda: len(secure.submits) == 10)

    secure.holds_back = False
    secure.held_back = []
    secure.drop()

    def numbers():
        return [submit["destination_addr"] for submit in secure.submits]
    wait(lambda: secure.binds == 2 and len(set(numbers())) == 13, seconds=20)
    time.sleep(2)
    assert all(numbers().count(number) <= 2 for number in numbers())
