"""Starts a real server on its own port and folder, and sends plain HTTP to it."""
import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.parse

import description

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("FIELDPASS_BINARY", ROOT / ".build/release/fieldpass"))

# Every secret that a test typed or received. No log may contain one.
SECRETS = set()
# Every log of this run, of every server.
LOGS = []
# Every server of this run.
LAUNCHED = []


def secret(text):
    """Records a text that no log may contain, and returns it."""
    if text:
        SECRETS.add(text)
    return text


@dataclasses.dataclass(frozen=True)
class Person:
    """One account of the demo data."""
    email: str
    password: str
    phone: str

    @property
    def credentials(self):
        return {"username": self.email, "password": self.password}


TECHNICIAN = Person("tech@example.com", "demo-Technician-1", "+15550101234")
FORMER = Person("former@example.com", "demo-Technician-2", "+15550101235")
MENTOR = Person("mentor@example.com", "demo-Mentor-1", "+4790000001")
ADMINISTRATOR = Person("admin@example.com", "demo-Admin-1", "+15550101238")


def account(server, verb, *arguments, typed=None):
    """Runs `fieldpass account` beside the server."""
    return subprocess.run([BINARY, "account", verb, "--data", server.data, *arguments],
                          input=typed, capture_output=True, text=True, timeout=30)


def shown(result):
    """Parses the JSON output of a command."""
    assert result.returncode == 0, result
    assert result.stderr == ""
    return json.loads(result.stdout)


class Answer:
    """One HTTP answer; `fields` preserves names, values and order as the server sent them."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def __getitem__(self, name):
        """The value of a header; `None` if it is missing."""
        for field, value in self.fields:
            if field.lower() == name.lower():
                return value
        return None

    @property
    def json(self):
        return json.loads(self.body or b"null")

    @property
    def error(self):
        """The stable code of an error answer, in either of the two formats."""
        try:
            members = self.json or {}
        except ValueError:
            return None
        return members.get("error") or members.get("code")

    @property
    def lasting_fields(self):
        """The headers without those that differ in every answer."""
        passing = {"date", "request-id"}
        return [(n.lower(), v) for n, v in self.fields if n.lower() not in passing]

    def __repr__(self):
        return f"<{self.status} {self.body[:300]!r}>"


class Server:
    """One server process with its data and its log."""

    def __init__(self, data, binary=BINARY):
        self.data, self.binary = pathlib.Path(data), binary
        self.log = self.data.with_suffix(".log")
        LOGS.append(self.log)
        self.process = self.base = self.meta = None
        self.port = self.metrics_port = 0
        self.offset = 0.0

    @property
    def place(self):
        """The options that name the store."""
        return ["--data", self.data]

    # MARK: Process

    def start(self, configuration=None, errors=None):
        """Waits until the server is ready; a second start uses the same port.

        `errors` is a file that receives the log.
        """
        arguments = ["--development", "--listen", f"127.0.0.1:{self.port}"]
        if configuration:
            path = self.data.with_suffix(".json")
            path.write_text(json.dumps(configuration))
            arguments += ["--config", str(path)]
        line = self.launch(*arguments, **({"errors": errors} if errors else {}))
        assert line.startswith("listening on http://127.0.0.1:"), line
        self.base = line.removeprefix("listening on ").strip()
        self.port = int(self.base.rsplit(":", 1)[1])
        self.meta = self.get("/.well-known/openid-configuration").json
        # A machine's clock continues through a restart. The clock that tests move starts at zero
        # again.
        self.advance(max(0, round(self.offset)))
        return self

    def launch(self, *arguments, errors=None):
        """Starts the process; returns its first line, which comes once it is ready."""
        assert self.has_ended, f"{self.data.name} runs already"
        began = time.monotonic()
        LAUNCHED.append(self)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", *self.place, *arguments],
                stdout=subprocess.PIPE, stderr=errors or log)
        line, metrics = (self.process.stdout.readline().decode().strip() for _ in range(2))
        self.ready_seconds = time.monotonic() - began
        assert line.startswith("listening on "), (line, self.written_log()[-2000:])
        assert metrics.startswith("metrics on http://127.0.0.1:"), metrics
        self.metrics_port = int(metrics.rsplit(":", 1)[1])
        return line

    def run(self, *arguments):
        """Runs `serve` in a case in which it must not start."""
        return subprocess.run(
            [self.binary, "serve", "--data", self.data, *arguments],
            capture_output=True, text=True, timeout=20)

    def kill(self):
        """Kills the process without warning, like a power cut."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Asks the server to stop; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    @property
    def has_ended(self):
        return self.process is None or self.process.poll() is not None

    def close(self):
        if not self.has_ended:
            self.kill()
        if self.process:
            self.process.stdout.close()

    @property
    def rss_mb(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise AssertionError("the process has ended")

    def log_text(self):
        """The log with the lines of all answered requests.

        A thread of the server writes the lines in their order, after the answers. So the line of
        one more request shows that the lines before it are written.
        """
        if self.process.poll() is not None:
            return self.written_log()
        last = self.get("/livez")["Request-Id"]
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            text = self.written_log()
            if last in text:
                return text
            time.sleep(0.01)
        raise AssertionError("the log does not have the line of an answered request")

    def written_log(self):
        """The lines that are written, also of a server that does not answer."""
        return self.log.read_text(errors="replace")

    # MARK: Requests

    def call(self, method, path, *, form=None, document=None, body=None, headers=(), timeout=30):
        """Sends one request on a connection of its own; `path` may be a whole URL of this server.

        `headers` is a mapping, or pairs if a name occurs twice.
        """
        fields = list(headers.items() if isinstance(headers, dict) else headers)
        if form is not None:
            body = urllib.parse.urlencode(form).encode()
            fields.append(("Content-Type", "application/x-www-form-urlencoded"))
        if document is not None:
            body = json.dumps(document).encode()
            fields.append(("Content-Type", "application/json"))
        if body is not None:
            fields.append(("Content-Length", str(len(body))))
        connection = self.connect(timeout)
        try:
            connection.putrequest(method, path.removeprefix(self.base or ""))
            for name, value in fields:
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            answer = Answer(response.status, response.getheaders(), response.read())
            if answer["Content-Encoding"] is None and self.is_answered_by(answer):
                description.check(
                    method, path.removeprefix(self.base or ""), answer.status,
                    answer["Content-Type"], answer.body)
            return answer
        finally:
            connection.close()

    def is_answered_by(self, answer):
        """Whether the server wrote an answer, and not a proxy in front of it."""
        return True

    def connect(self, timeout):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def metrics(self):
        """The metrics from their own listener."""
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=30)
        try:
            connection.request("GET", "/metrics")
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def post(self, path, **more):
        return self.call("POST", path, **more)

    def raw(self, *parts, pause=0.0, seconds=5.0):
        """Sends raw bytes; returns everything that comes back until the server closes."""
        received = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            with contextlib.suppress(ConnectionError, TimeoutError):
                for part in parts:
                    connection.sendall(part)
                    time.sleep(pause)
            with contextlib.suppress(ConnectionError, TimeoutError):
                while chunk := connection.recv(65536):
                    received += chunk
        return received

    def endpoint(self, name):
        return self.meta[name]

    # MARK: Development routes

    def now(self):
        """The server's clock in seconds. A device follows it through the `Date` of answers."""
        return time.time() + self.offset

    def advance(self, seconds):
        """Moves the server's clock forward."""
        answer = self.post("/dev/clock", document={"advance": seconds})
        assert answer.status == 200, answer
        self.offset = answer.json["now"] - time.time()

    def messages(self, phone):
        """The messages that were sent to a number, newest first."""
        answer = self.get("/dev/messages?to=" + urllib.parse.quote(phone))
        assert answer.status == 200, answer
        return answer.json

    def code(self, phone, after=0):
        """The newest code for a number, once it has more than `after` messages."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            messages = self.messages(phone)
            if len(messages) > after:
                return secret(messages[0]["code"])
            time.sleep(0.01)
        raise AssertionError(f"no message came to {phone}")
