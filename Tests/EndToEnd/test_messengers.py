"""Each kind of messenger against a simulator of its vendor or the vendor's own signer."""
import base64
import hashlib
import hmac
import json
import signal
import subprocess
import time
import urllib.parse
import urllib.request

import pytest

from device import Device
from harness import ADMINISTRATOR, BINARY, TECHNICIAN, Server, secret
from vendors import Azure, Gateway, Twilio, amazon


def secret_file(folder, text):
    path = folder / "secret"
    path.write_text(secret(text) + "\n")
    path.chmod(0o600)
    return str(path)


def client(name, role, **more):
    return {"id": name, "name": name, "home": "assigned_jobs", "sign_in": "password_and_code",
            "roles": [role], "scopes": ["openid", "offline_access", "admin"]} | more


@pytest.fixture
def start(new_server, tmp_path):
    """Starts a development server with these messengers, at an address that is known before."""
    servers = []

    def begin(*messengers, **members):
        from production import free_port
        server = new_server()
        server.port = free_port()
        configuration = {
            "issuer": f"http://127.0.0.1:{server.port}",
            "clients": [client("technician-app", "technician"),
                        client("console", "administrator", home="console")],
            "messengers": list(messengers)} | members
        path = tmp_path / f"{server.data.name}.json"
        path.write_text(json.dumps(configuration))
        server.configuration = str(path)
        launch = server.launch
        server.launch = lambda *arguments: launch("--config", str(path), *arguments)
        servers.append(server)
        return server.start()
    yield begin
    for server in servers:
        server.close()


def ask(server, person=TECHNICIAN):
    device = Device(server)
    answer = device.challenge(**device.first_call(**person.credentials))
    assert answer.error == "insufficient_authorization", answer
    return device


def entry(server, wanted):
    """Waits until the newest message in the delivery log has the wanted values."""
    admin = getattr(server, "administrator", None)
    if not admin:
        admin = server.administrator = Device(server, client="console", scope="openid admin")
        admin.challenge(**admin.first_call(**ADMINISTRATOR.credentials))
        verified = admin.verify(server.code(ADMINISTRATOR.phone))
        assert admin.redeem(verified.json["authorization_code"]).status == 200
    until = time.monotonic() + 10
    while True:
        entries = admin.api("/admin/messages").json["messages"]
        found = [entry for entry in entries if entry["to"].endswith(TECHNICIAN.phone[-4:])][0]
        if all(found.get(name) == value for name, value in wanted.items()):
            return found
        assert time.monotonic() < until, (found, wanted)
        time.sleep(0.1)


def receipt(server, name, body, headers=(), query=""):
    return server.post(f"/messages/receipts/{name}{query}", body=body, headers=dict(headers))


def wait(condition, seconds=8):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


# MARK: AWS SNS


@pytest.fixture(scope="module")
def sns():
    with amazon() as url:
        yield url


def aws(url, folder, **more):
    return {"name": "sns", "kind": "aws-sns", "region": "ap-south-1", "endpoint": url,
            "access_key_id": "AKIDEXAMPLE",
            "secret_access_key_file": secret_file(folder, "wJalrXUtnFEMI")} | more


def test_amazon(start, sns, tmp_path):
    """R-12 moto's SNS takes the message, and its identifier for it is stored"""
    server = start(aws(
        sns, tmp_path, sender_id="FIELDPS", entity_id="1101456324675322134",
        template_id="1107160412653314461"))

    ask(server)
    found = entry(server, {"state": "handed_over"})

    assert found["messenger"] == "sns"
    data = json.loads(urllib.request.urlopen(sns + "/moto-api/data.json").read())
    assert "sns" in data
    assert TECHNICIAN.phone in json.dumps(data["sns"])


# MARK: Azure Communication Services


@pytest.fixture
def azure():
    service = Azure()
    yield service
    service.close()


def communication(azure, folder):
    return {"name": "azure", "kind": "azure-communication-services", "endpoint": azure.url,
            "access_key_file": secret_file(folder, azure.key), "from": "+18001110000"}


def test_azure(start, azure, tmp_path):
    """T-17 the vendor's own library makes our signature, and its message identifier is stored"""
    server = start(communication(azure, tmp_path))

    ask(server)
    entry(server, {"state": "handed_over", "messenger": "azure"})

    message = azure.calls[0]
    assert message["from"] == "+18001110000"
    assert message["smsRecipients"][0]["to"] == TECHNICIAN.phone
    assert message["message"].startswith(server.code(TECHNICIAN.phone))
    assert message["smsSendOptions"]["enableDeliveryReport"] is True


def test_azure_repeats_its_identifiers(start, azure, tmp_path):
    """L-06 a message whose answer was lost is sent again with the same identifiers"""
    azure.fault = lambda number: "broken" if number == 1 else None
    server = start(communication(azure, tmp_path))

    ask(server)
    entry(server, {"state": "handed_over"})

    mine = [call for call in azure.calls
            if call["smsRecipients"][0]["to"] == TECHNICIAN.phone]
    assert len(mine) == 2 and mine[0] == mine[1]
    # The second message is the administrator's own code.
    assert len(azure.known) == 2


def test_azure_refuses_the_item(start, azure, tmp_path):
    """L-06 an answer that accepts the request can refuse the one message in it"""
    azure.fault = lambda number: "refused" if number == 1 else None
    server = start(communication(azure, tmp_path))

    ask(server)

    entry(server, {"state": "failed"})


def event(kind, **data):
    return json.dumps([{"eventType": kind, "data": data}]).encode()


def test_azure_receipts(start, azure, tmp_path):
    """Event Grid's handshake is answered and its reports are stored, with the URL's key only"""
    server = start(communication(azure, tmp_path))
    ask(server)
    entry(server, {"state": "handed_over"})
    key = hmac.new(base64.b64decode(azure.key), b"receipts of azure", hashlib.sha256)
    query = "?key=" + key.hexdigest()[:32]
    report = event("Microsoft.Communication.SMSDeliveryReportReceived", messageId="azure-1",
                   deliveryStatus="Delivered")

    handshake = receipt(
        server, "azure", event("Microsoft.EventGrid.SubscriptionValidationEvent",
                               validationCode="512d38b6"), query=query)
    forged = [receipt(server, "azure", report, query=wrong).status
              for wrong in ("", "?key=", "?key=" + "0" * 32, query + "0")]
    true = receipt(server, "azure", report, query=query)

    assert handshake.json == {"validationResponse": "512d38b6"}
    assert forged == [401] * 4
    assert true.status == 204
    entry(server, {"receipt": "delivered"})


# MARK: Twilio


@pytest.fixture
def twilio():
    service = Twilio()
    yield service
    service.close()


def messages_api(twilio, folder):
    return {"name": "twilio", "kind": "twilio", "endpoint": twilio.url, "account_sid": "AC1",
            "auth_token_file": secret_file(folder, twilio.token), "from": "+18001110000"}


def signed(server, twilio, members):
    url = f"{server.base}/messages/receipts/twilio"
    text = url + "".join(name + members[name] for name in sorted(members))
    code = hmac.new(twilio.token.encode(), text.encode(), hashlib.sha1).digest()
    return {"X-Twilio-Signature": base64.b64encode(code).decode(),
            "Content-Type": "application/x-www-form-urlencoded"}


def test_twilio(start, twilio, tmp_path):
    """R-12 Twilio gets the message with its validity period and the address for reports"""
    server = start(messages_api(twilio, tmp_path))

    ask(server)
    entry(server, {"state": "handed_over", "messenger": "twilio"})

    call = twilio.calls[0]
    assert (call["To"], call["From"]) == (TECHNICIAN.phone, "+18001110000")
    assert call["Body"].startswith(server.code(TECHNICIAN.phone))
    assert 290 <= int(call["ValidityPeriod"]) <= 300
    assert call["StatusCallback"] == server.base + "/messages/receipts/twilio"


def calls_for_technician(twilio):
    """How often Twilio was called for a message to the technician."""
    return sum(call["To"] == TECHNICIAN.phone for call in twilio.calls)


def test_stop_while_handing_over(start, twilio, tmp_path):
    """L-06 after SIGTERM a hand-over that has started is completed before the server stops"""
    server = start(messages_api(twilio, tmp_path))
    twilio.may_answer.clear()
    ask(server)
    wait(lambda: twilio.calls)

    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    assert server.process.poll() is None
    twilio.may_answer.set()
    assert server.process.wait(10) == 0

    server.start()
    entry(server, {"state": "handed_over", "messenger": "twilio"})
    server.advance(30)
    time.sleep(1.5)
    assert calls_for_technician(twilio) == 1


def test_killed_while_stopping(start, twilio, tmp_path):
    """L-06 a kill during a stop does not repeat a message to a messenger without message tokens"""
    server = start(messages_api(twilio, tmp_path))
    twilio.may_answer.clear()
    ask(server)
    wait(lambda: twilio.calls)

    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    server.kill()
    twilio.may_answer.set()
    server.start()

    server.advance(30)
    entry(server, {"state": "failed"})
    assert calls_for_technician(twilio) == 1


def test_twilio_receipts(start, twilio, tmp_path):
    """a status callback needs the account's signature, and a delivered message stays delivered"""
    server = start(messages_api(twilio, tmp_path))
    ask(server)
    entry(server, {"state": "handed_over"})
    delivered = {"MessageSid": "SM1", "MessageStatus": "delivered", "To": TECHNICIAN.phone}
    body = urllib.parse.urlencode(delivered).encode()
    headers = signed(server, twilio, delivered)

    forged = receipt(server, "twilio", body, headers | {"X-Twilio-Signature": "AAAA"})
    moved = receipt(server, "twilio", body.replace(b"SM1", b"SM2"), headers)
    unsigned = receipt(server, "twilio", body)
    first = receipt(server, "twilio", body, headers)
    again = receipt(server, "twilio", body, headers)
    late = delivered | {"MessageStatus": "undelivered"}
    receipt(server, "twilio", urllib.parse.urlencode(late).encode(), signed(server, twilio, late))

    assert [answer.status for answer in (forged, moved, unsigned)] == [401] * 3
    assert [answer.status for answer in (first, again)] == [204] * 2
    entry(server, {"receipt": "delivered"})


@pytest.mark.parametrize("status, code, state", [
    (400, 21211, "failed"), (400, 21614, "failed"), (400, 21408, "failed"),
    (401, 20003, "failed"), (429, 20429, "handed_over")])
def test_twilio_errors(start, twilio, tmp_path, status, code, state):
    """L-06 a final refusal of Twilio is not tried again; a temporary one is"""
    twilio.answers = [(status, code)]
    server = start(messages_api(twilio, tmp_path))

    ask(server)
    entry(server, {"state": state})


# MARK: SMPP


@pytest.fixture
def gateway():
    made = Gateway()
    yield made
    made.close()


def smpp(gateway, folder, **more):
    return {"name": "smpp", "kind": "smpp", "host": "127.0.0.1", "port": gateway.port,
            "system_id": "fieldpass", "source": "Fieldpass",
            "password_file": secret_file(folder, gateway.password)} | more


def test_smpp(start, gateway, tmp_path):
    """R-12 a gateway decodes what we submit, and its receipt is stored"""
    server = start(smpp(gateway, tmp_path))

    ask(server)
    entry(server, {"state": "handed_over", "messenger": "smpp"})
    submit = gateway.submits[0]
    gateway.report("00000001", "DELIVRD")
    entry(server, {"receipt": "delivered"})

    assert submit["destination_addr"].decode() == TECHNICIAN.phone[1:]
    assert submit["source_addr"] == b"Fieldpass"
    assert submit["source_addr_ton"].name == "ALPHANUMERIC"
    assert submit["registered_delivery"].receipt.name == "SMSC_DELIVERY_RECEIPT_REQUESTED"
    assert submit["short_message"].startswith(server.code(TECHNICIAN.phone).encode())
    wait(lambda: any(command.name == "deliver_sm_resp" for command in gateway.commands))


def test_smpp_reconnects(start, gateway, tmp_path):
    """R-12 a closed connection is opened again, and the next code goes out"""
    server = start(smpp(gateway, tmp_path))
    ask(server)
    wait(lambda: len(gateway.submits) == 1)
    gateway.drop()
    wait(lambda: gateway.binds == 2)

    server.advance(61)
    ask(server)

    wait(lambda: len(gateway.submits) == 2)


def test_smpp_throttled(start, gateway, tmp_path):
    """L-06 a busy gateway gets the same message again after the wait"""
    gateway.status = lambda number: "ESME_RTHROTTLED" if number == 1 else "ESME_ROK"
    server = start(smpp(gateway, tmp_path))

    ask(server)
    wait(lambda: len(gateway.submits) == 2)

    assert gateway.submits[0]["short_message"] == gateway.submits[1]["short_message"]


def test_smpp_wrong_password(start, gateway, azure, tmp_path):
    """R-12 after a gateway refuses our password, the next messenger is used"""
    entry_with_wrong = smpp(gateway, tmp_path)
    gateway.password = "another"
    folder = tmp_path / "azure"
    folder.mkdir()
    server = start(entry_with_wrong, communication(azure, folder))

    ask(server)

    entry(server, {"state": "handed_over", "messenger": "azure"})
    assert gateway.submits == []


# MARK: Command line


def run_send(server, *arguments):
    return subprocess.run(
        [BINARY, "messages", "send", "--development", "--config", server.configuration,
         *arguments], capture_output=True, text=True, timeout=30)


def test_send_by_command(start, gateway, twilio, tmp_path):
    """`fieldpass messages send` tries one messenger and prints its answer"""
    folder = tmp_path / "twilio"
    folder.mkdir()
    server = start(smpp(gateway, tmp_path), messages_api(twilio, folder))

    taken = run_send(server, "--to", "+4790000001", "--via", "smpp")
    other = run_send(server, "--to", "+4790000001", "--via", "twilio")
    twilio.answers = [(401, 20003)]
    refused = run_send(server, "--to", "+4790000001", "--via", "twilio")
    unknown = run_send(server, "--to", "+4790000001", "--via", "pigeon")
    malformed = run_send(server, "--to", "4790000001", "--via", "smpp")

    assert (taken.returncode, "smpp accepted" in taken.stdout) == (0, True)
    assert (other.returncode, "SM1" in other.stdout) == (0, True)
    assert refused.returncode == 2 and "hint: check its credentials" in refused.stderr
    assert unknown.returncode == 2 and "smpp, twilio" in unknown.stderr
    assert malformed.returncode == 64
    assert all(twilio.token not in run.stderr for run in (taken, other, refused, unknown))


def test_secrets_are_checked_at_start(new_folder, production, tmp_path):
    """P-09 every secret that cannot be read or is malformed is reported at once"""
    empty = tmp_path / "empty"
    empty.write_text("\n")
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("s3cr3t-2!")
    for path in (empty, nonsense):
        path.chmod(0o600)
    server = Server(new_folder())
    path = server.data.with_suffix(".json")
    hook = {"kind": "webhook", "url": "https://sms.example.com/"}
    path.write_text(json.dumps(production | {"messengers": [
        hook | {"name": "a", "secret_file": str(empty)},
        hook | {"name": "b", "secret_file": "/no/such/file"},
        hook | {"name": "c", "secret_env": "FIELDPASS_NO_SUCH_VARIABLE"},
        {"name": "d", "kind": "azure-communication-services", "from": "+1",
         "endpoint": "https://a.example.com", "access_key_file": str(nonsense)}]}))

    run = server.run("--config", str(path))

    assert run.returncode == 1
    assert all(f"messenger `{name}`" in run.stderr for name in "abcd")
    assert "s3cr3t-2" not in run.stderr


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_secrets_others_can_read(new_folder, production, tmp_path, mode):
    """S-01 a messenger's secret that others can read prevents the start and is not printed"""
    path = tmp_path / "secret"
    path.write_text("s3cr3t-3")
    path.chmod(mode)
    server = Server(new_folder())
    configuration = server.data.with_suffix(".json")
    configuration.write_text(json.dumps(production | {"messengers": [
        {"name": "hook", "kind": "webhook", "url": "https://sms.example.com/",
         "secret_file": str(path)}]}))

    run = server.run("--config", str(configuration))

    assert run.returncode == 1
    assert "messenger `hook`" in run.stderr and f"chmod 600 {path}" in run.stderr
    assert "s3cr3t-3" not in run.stderr


def test_remote_gateway_without_tls(new_folder, production, tmp_path):
    """A gateway on another machine needs TLS, or a setting of which every start warns"""
    gateway = {"name": "gw", "kind": "smpp", "host": "192.0.2.1", "port": 2775, "system_id": "a",
               "source": "F", "password_file": secret_file(tmp_path, "p4ssw0rd")}
    server = Server(new_folder())
    configuration = server.data.with_suffix(".json")

    configuration.write_text(json.dumps(production | {"messengers": [gateway]}))
    run = server.run("--config", str(configuration))
    assert run.returncode == 1
    assert "`tls` is off" in run.stderr and "allow_plaintext" in run.stderr

    gateway["allow_plaintext"] = True
    configuration.write_text(json.dumps(production | {"messengers": [gateway]}))
    server.launch("--config", str(configuration))
    assert server.stop() == 0
    assert "messenger gw sends codes and its password unencrypted" in server.log_text()
    server.close()
