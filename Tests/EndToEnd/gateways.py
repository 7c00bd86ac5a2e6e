"""Real gateways of other projects: kannel with its fake SMSC, and an SMPP centre on Net::SMPP."""
import http.server
import json
import pathlib
import re
import subprocess
import threading
import time
import urllib.parse
import urllib.request

from production import free_port

BEARERBOX, SMSBOX = "/usr/sbin/bearerbox", "/usr/sbin/smsbox"
FAKE_SMSC = "/usr/lib/kannel/test/fakesmsc"
HERE = pathlib.Path(__file__).parent

CONFIGURATION = """
group = core
admin-port = {admin}
admin-interface = 127.0.0.1
smsbox-port = {boxes}
smsbox-interface = 127.0.0.1
admin-password = {password}
box-deny-ip = "*.*.*.*"
box-allow-ip = "127.0.0.1"
dlr-storage = internal
store-type = file
store-location = {folder}/messages

group = smsc
smsc = fake
smsc-id = fake
port = {centre}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {send}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = fieldpass
password = {password}
forced-smsc = fake
"""


class Kannel:
    """The two programs of kannel and its fake SMSC, on free ports and in one folder."""

    # The values of `%d` in a delivery report.
    DELIVERED, UNDELIVERED, BUFFERED, ACCEPTED, REFUSED = 1, 2, 4, 8, 16

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.password = "kannel-password"
        self.ports = {name: free_port() for name in ("admin", "boxes", "centre", "send")}
        path = self.folder / "kannel.conf"
        path.write_text(CONFIGURATION.format(
            folder=self.folder, password=self.password, **self.ports))
        self.processes = []
        self.heard = lambda id, kind: None
        kannel = self

        class Reports(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                report = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                kannel.heard(report["id"], int(report["type"]))

            def log_message(self, *arguments):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Reports)
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        self.begin("bearerbox", BEARERBOX, "-v", "1", str(path))
        self.wait_for("bearerbox", "entering mainloop")
        self.begin("fakesmsc", FAKE_SMSC, "-H", "127.0.0.1", "-r", str(self.ports["centre"]),
                   "-m", "0", "1 2 text nothing")
        self.begin("smsbox", SMSBOX, "-v", "0", str(path))
        self.wait_for("bearerbox", "Fakesmsc client connected")
        self.wait_for("bearerbox", "Client connected from <127.0.0.1>")

    def begin(self, name, *command):
        log = open(self.folder / f"{name}.log", "ab")
        self.processes.append(subprocess.Popen(
            command, stdout=log, stderr=log, cwd=self.folder))

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def wait_for(self, name, words, seconds=20):
        until = time.monotonic() + seconds
        while words not in self.log(name):
            assert time.monotonic() < until, self.log(name)[-2000:]
            time.sleep(0.05)

    def send(self, to, text, id):
        """Sends a message through kannel's HTTP interface; returns the status."""
        report = f"http://127.0.0.1:{self.listener.server_address[1]}/?type=%d&id="
        query = urllib.parse.urlencode({
            "username": "fieldpass", "password": self.password, "from": "Fieldpass", "to": to,
            "text": text, "charset": "UTF-8", "coding": 0 if text.isascii() else 2,
            "dlr-mask": 31, "dlr-url": report + urllib.parse.quote(id)})
        address = f"http://127.0.0.1:{self.ports['send']}/cgi-bin/sendsms?{query}"
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status

    @property
    def arrived(self):
        """The messages that the fake SMSC received: sender, number and first line."""
        found = re.findall(r"Got message \d+: <(\S+) (\S+) text (.*)>", self.log("fakesmsc"))
        return [(source, to, urllib.parse.unquote_plus(text)) for source, to, text in found]

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.listener.shutdown()
        self.listener.server_close()


class Centre:
    """An SMPP 3.4 centre that reads and writes every unit with Debian's Net::SMPP."""

    def __init__(self, system_id="fieldpass", password="smpp-pw"):
        self.system_id, self.password = system_id, password
        self.port = free_port()
        self.units = []
        self.submitted = lambda number, unit: None
        self.process = subprocess.Popen(
            ["/usr/bin/perl", HERE / "smpp_gateway.pl", str(self.port), system_id, password],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="latin-1")
        threading.Thread(target=self.listen, daemon=True).start()
        self.wait("listening")

    def listen(self):
        for line in self.process.stdout:
            unit = json.loads(line)
            self.units.append(unit)
            if unit["unit"] == "submit_sm":
                self.submitted(len(self.of("submit_sm")), unit)

    def of(self, name):
        return [unit for unit in self.units if unit["unit"] == name]

    def wait(self, name, count=1, seconds=10):
        """Waits for so many units of this name and returns them."""
        until = time.monotonic() + seconds
        while len(self.of(name)) < count:
            assert time.monotonic() < until, (name, self.units)
            time.sleep(0.02)
        return self.of(name)

    def command(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
