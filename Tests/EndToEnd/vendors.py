"""Simulated providers, which check requests with the vendors' own code."""
import base64
import contextlib
import http.server
import json
import socket
import struct
import threading
import types
import urllib.parse
from io import BytesIO
from unittest import mock

from azure.communication.sms._shared.policy import HMACCredentialsPolicy
from moto.server import ThreadedMotoServer
from smpp.pdu import operations, pdu_types
from smpp.pdu.pdu_encoding import PDUEncoder


class Listener:
    """Answers POSTs on loopback and stores them."""

    def __init__(self):
        self.calls = []
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, answer = listener.answer(self, body)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.listener.server_address[1]}"
        self.url = f"http://{self.host}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()


class Azure(Listener):
    """Accepts what the vendor's own library signs in the same way, each identifier once."""

    def __init__(self, key=b"0123456789abcdef0123456789abcdef"):
        super().__init__()
        self.key = base64.b64encode(key).decode()
        self.fault = lambda number: None
        self.known = {}

    def signature(self, request, body):
        """The signature of `azure-communication-sms` for this request at the time in its header."""
        outgoing = types.SimpleNamespace(
            method="POST", url=self.url + request.path, body=body.decode(), headers={})
        policy = HMACCredentialsPolicy("https://" + self.host, self.key)
        with mock.patch(
                "azure.communication.sms._shared.policy.get_current_utc_time",
                return_value=request.headers["x-ms-date"]):
            policy.on_request(types.SimpleNamespace(
                http_request=outgoing, context=types.SimpleNamespace(transport=None)))
        return outgoing.headers["Authorization"]

    def answer(self, request, body):
        self.calls.append(json.loads(body))
        assert request.path == "/sms?api-version=2021-03-07"
        if self.signature(request, body) != request.headers["Authorization"]:
            return 401, b"{}"
        fault = self.fault(len(self.calls))
        recipient = self.calls[-1]["smsRecipients"][0]
        key = (recipient["repeatabilityRequestId"], recipient["repeatabilityFirstSent"])
        if fault != "refused":
            self.known.setdefault(key, f"azure-{len(self.known) + 1}")
        if fault == "broken":
            return 500, b"{}"
        item = {"to": recipient["to"], "messageId": self.known.get(key), "httpStatusCode": 202,
                "repeatabilityResult": "accepted", "successful": True}
        if fault == "refused":
            item |= {"httpStatusCode": 400, "successful": False, "errorMessage": "invalid"}
        return 202, json.dumps({"value": [item]}).encode()


class Twilio(Listener):
    """Twilio's Messages resource, as far as one message needs it."""

    def __init__(self, account="AC1", token="twilio-token"):
        super().__init__()
        self.account, self.token = account, token
        self.answers = []
        # Answers wait until this is set.
        self.may_answer = threading.Event()
        self.may_answer.set()

    def answer(self, request, body):
        wanted = "Basic " + base64.b64encode(f"{self.account}:{self.token}".encode()).decode()
        assert request.path == f"/2010-04-01/Accounts/{self.account}/Messages.json"
        if request.headers["Authorization"] != wanted:
            return 401, json.dumps({"code": 20003, "status": 401}).encode()
        self.calls.append(dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True)))
        self.may_answer.wait(30)
        if self.answers:
            status, code = self.answers.pop(0)
            return status, json.dumps({"code": code, "message": "no", "status": status}).encode()
        return 201, json.dumps({"sid": f"SM{len(self.calls)}", "status": "queued"}).encode()


@contextlib.contextmanager
def amazon():
    """Runs moto's SNS; gives its address."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


class Gateway:
    """An SMPP 3.4 gateway on loopback; smpp.pdu3 reads and writes every unit."""

    def __init__(self, password="smpp-pw", context=None):
        self.password, self.context = password, context
        self.binds, self.submits, self.commands, self.connections = 0, [], [], []
        self.status = lambda number: "ESME_ROK"
        self.is_mute = False
        # Whether answers to messages wait until `release`.
        self.holds_back, self.held_back = False, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
                if self.context:
                    connection = self.context.wrap_socket(connection, server_side=True)
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self.converse, args=(connection,), daemon=True).start()

    def converse(self, connection):
        stream = connection.makefile("rb")
        with contextlib.suppress(OSError, ValueError):
            while head := stream.read(4):
                (length,) = struct.unpack(">I", head)
                unit = PDUEncoder().decode(BytesIO(head + stream.read(length - 4)))
                self.commands.append(unit.id)
                answer = self.answer(unit)
                if answer and self.holds_back and isinstance(unit, operations.SubmitSM):
                    self.held_back.append((connection, answer))
                elif answer and not self.is_mute:
                    connection.sendall(PDUEncoder().encode(answer))

    def answer(self, unit):
        if isinstance(unit, operations.BindTransceiver):
            self.binds += 1
            good = unit.params["password"].decode() == self.password
            status = pdu_types.CommandStatus.ESME_ROK if good else (
                pdu_types.CommandStatus.ESME_RINVPASWD)
            return operations.BindTransceiverResp(
                unit.seqNum, status=status, system_id=unit.params["system_id"])
        if isinstance(unit, operations.SubmitSM):
            self.submits.append(unit.params)
            name = self.status(len(self.submits))
            return operations.SubmitSMResp(
                unit.seqNum, status=pdu_types.CommandStatus[name],
                message_id=f"{len(self.submits):08x}".encode())
        if isinstance(unit, operations.EnquireLink):
            return operations.EnquireLinkResp(unit.seqNum)
        return None

    def release(self):
        """Sends the delayed answers."""
        held_back, self.held_back = self.held_back, []
        for connection, answer in held_back:
            # A client that waited too long has closed its connection and sends the message again.
            with contextlib.suppress(OSError):
                connection.sendall(PDUEncoder().encode(answer))

    def report(self, reference, state):
        """Sends a receipt in the usual format of gateways."""
        text = (f"id:{reference} sub:001 dlvrd:001 submit date:2401011200 done date:2401011201 "
                f"stat:{state} err:000 text:123456")
        unit = operations.DeliverSM(
            77, source_addr_ton=pdu_types.AddrTon.INTERNATIONAL,
            source_addr_npi=pdu_types.AddrNpi.ISDN, source_addr=b"4790000001",
            dest_addr_ton=pdu_types.AddrTon.ALPHANUMERIC,
            dest_addr_npi=pdu_types.AddrNpi.UNKNOWN, destination_addr=b"Fieldpass",
            esm_class=pdu_types.EsmClass(
                pdu_types.EsmClassMode.DEFAULT,
                pdu_types.EsmClassType.SMSC_DELIVERY_RECEIPT),
            short_message=text.encode())
        self.connections[-1].sendall(PDUEncoder().encode(unit))

    def drop(self):
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self.connections = []

    def close(self):
        self.listener.close()
        self.drop()
