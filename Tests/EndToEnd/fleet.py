"""Four nodes behind haproxy, with one database cluster, a message gateway and a cuttable network."""
import contextlib
import http.client
import http.server
import json
import re
import socket
import subprocess
import threading
import time

from authority import Authority
from harness import BINARY, Server, secret
from operator_tools import until
from patroni import PASSWORD, Program, filled
from production import free_port

NODES = 4
# More than any test sends to one block of numbers or in one day.
UNLIMITED = 10_000_000
MESSAGES = {"per_prefix_per_day": UNLIMITED, "per_day": UNLIMITED,
            "conversion_checked_after": UNLIMITED}


class Gateway:
    """A provider of messages: stores each message once under its identifier."""

    def __init__(self):
        self.messages, self.lock = {}, threading.Condition()
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status = gateway.take(json.loads(body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_address[1]}/"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def take(self, message):
        with self.lock:
            known = self.messages.setdefault(message["to"], {})
            if message["id"] in known:
                return 409
            code = re.search(r"\b\d{6}\b", message["text"])
            known[message["id"]] = (time.monotonic(), secret(code and code.group()))
            self.lock.notify_all()
            return 200

    def codes(self, phone):
        """The codes that were sent to a number, oldest first."""
        with self.lock:
            return [code for _, code in self.messages.get(phone, {}).values() if code]

    def code(self, phone, after, seconds):
        """The newest code, once there are more than `after`; `None` if it does not come in time."""
        until = time.monotonic() + seconds
        with self.lock:
            while True:
                codes = [code for _, code in self.messages.get(phone, {}).values() if code]
                if len(codes) > after:
                    return codes[-1]
                if (left := until - time.monotonic()) <= 0:
                    return None
                self.lock.wait(left)

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()


class Link:
    """A network connection to a port, which can stop to forward data without an error."""

    def __init__(self, target):
        self.target = target
        self.fair = threading.Event()
        self.fair.set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def cut(self):
        self.fair.clear()

    def heal(self):
        self.fair.set()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        self.fair.wait()
        with near, contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.target), timeout=5) as far:
                far.settimeout(None)
                back = threading.Thread(target=self.pump, args=(far, near), daemon=True)
                back.start()
                self.pump(near, far)
                back.join()

    def pump(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.fair.wait()
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.fair.set()
        self.listener.close()


class FleetNode(Server):
    """One node, which is also asked directly."""
    place = ()

    def __init__(self, data, fleet, store):
        super().__init__(data)
        self.fleet, self.store = fleet, store
        self.port, self.base = free_port(), fleet.base
        self.name, self.path = self.data.name, self.data.with_suffix(".json")

    def configure(self, keys=None):
        self.data.mkdir()
        if keys:
            subprocess.run(["cp", "-a", keys / "keys", self.data / "keys"], check=True)
        self.path.write_text(json.dumps(self.fleet.configuration | {
            "listen": f"127.0.0.1:{self.port}", "metrics_listen": "127.0.0.1:0",
            "store": self.store | {"folder": str(self.data)}}))

    def open(self):
        self.launch("--config", str(self.path), "--development")
        self.meta = self.fleet.meta = self.get("/.well-known/openid-configuration").json
        return self

    def connect(self, timeout):
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=timeout, context=self.fleet.context)


class Front(Server):
    """The address that people use: haproxy, over TLS. Each thread keeps its connection open."""

    def __init__(self, data, fleet):
        super().__init__(data)
        self.log.touch()
        self.fleet, self.base = fleet, fleet.base
        self.threads = threading.local()

    @property
    def meta(self):
        return self.fleet.meta

    @meta.setter
    def meta(self, value):
        pass

    def connect(self, timeout):
        return Kept(self.threads, lambda: http.client.HTTPSConnection(
            "localhost", self.fleet.public_port, timeout=timeout, context=self.fleet.context))


    def is_answered_by(self, answer):
        return answer["Request-Id"] is not None


class Kept:
    """A connection that stays open for the next request.

    As in browsers, a request on an open connection that closes without an answer is sent once more.
    """

    def __init__(self, place, make):
        self.place, self.make, self.request = place, make, []

    def putrequest(self, *words):
        self.request.append(("putrequest", words))

    def putheader(self, *words):
        self.request.append(("putheader", words))

    def endheaders(self, body):
        self.request.append(("endheaders", (body,)))

    def getresponse(self):
        open_one = getattr(self.place, "connection", None)
        if open_one:
            with contextlib.suppress(http.client.RemoteDisconnected, BrokenPipeError):
                return self.exchange(open_one)
            open_one.close()
            self.place.was_sent_again = True
        self.place.connection = self.make()
        return self.exchange(self.place.connection)

    def exchange(self, connection):
        try:
            for name, words in self.request:
                getattr(connection, name)(*words)
            return connection.getresponse()
        except (OSError, http.client.HTTPException):
            self.place.connection = None
            connection.close()
            raise

    def close(self):
        pass


class Fleet:
    """Nodes 1 and 2 reach the database through haproxy, node 3 by the list of both machines, and
    node 4 through haproxy and a network that can be cut."""

    def __init__(self, folder, cluster):
        self.folder, self.cluster = folder, cluster
        self.base, self.public_port, self.meta = "https://localhost", free_port(), None
        self.authority = Authority(folder)
        self.certificate, self.key = self.authority.issue(folder, host="localhost")
        self.context = self.authority.context
        self.gateway, self.link = Gateway(), Link(cluster.proxy_port)
        self.socket = folder / "admin.sock"
        password, hook = folder / "database.password", folder / "hook.secret"
        for path, text in [(password, PASSWORD), (hook, secret("hook-secret-" + "x" * 30))]:
            path.write_text(text)
            path.chmod(0o600)
        self.configuration = self.configure(hook)
        store = {"kind": "postgres", "database": "fieldpass", "user": "fieldpass",
                 "password_file": str(password), "authorities_file": str(cluster.authority.file)}
        places = [("localhost", cluster.proxy_port)] * 2 + [
            ("127.0.0.11,127.0.0.12", cluster.port), ("localhost", self.link.port)]
        self.nodes = [
            FleetNode(folder / f"node{number}", self, store | {"host": host, "port": port})
            for number, (host, port) in enumerate(places, 1)]
        self.front = Front(folder / "front", self)
        self.proxy = None

    def configure(self, hook):
        def app(name, home, sign_in, roles, scopes, **more):
            return {"id": name, "name": name, "home": home, "sign_in": sign_in, "roles": roles,
                    "scopes": ["openid", "offline_access", "account", scopes], **more}
        return {
            "issuer": self.base, "trusted_proxies": ["127.0.0.1"],
            "tls": {"certificate": str(self.certificate), "key": str(self.key)},
            "clients": [
                app("technician-app", "assigned_jobs", "password_and_code", ["technician"],
                    "jobs", messages=MESSAGES),
                app("rider-app", "dashboard", "phone_code", ["technician"], "dashboard",
                    disclosure="disclosed", messages=MESSAGES),
                app("console", "console", "password_and_code", ["administrator"], "admin")],
            "messengers": [{"name": "gateway", "kind": "webhook", "url": self.gateway.url,
                            "secret_file": str(hook)}],
        }

    def open(self, accounts):
        first, *others = self.nodes
        first.configure()
        first.open()
        for node in others:
            node.configure(keys=first.data)
            node.open()
        assert first.post("/dev/accounts", document={"count": accounts}).status == 200
        both = self.folder / "both.pem"
        both.write_bytes(self.certificate.read_bytes() + self.key.read_bytes())
        (self.folder / "haproxy.cfg").write_text(filled(
            "haproxy-nodes.cfg", ("bind :443", f"bind 127.0.0.1:{self.public_port}"),
            ("/etc/haproxy/fieldpass.pem", both), ("/run/haproxy/admin.sock", self.socket),
            ("/etc/haproxy/nodes-ca.pem", self.authority.file),
            *((f"10.0.0.3{number}:8443", f"127.0.0.1:{node.port}")
              for number, node in enumerate(self.nodes, 1))))
        self.proxy = Program(["/usr/sbin/haproxy", "-db", "-f", self.folder / "haproxy.cfg"],
                             self.folder, "haproxy", as_database_user=False).start()
        until(lambda: all(self.in_use(node) for node in self.nodes), 30)
        return self

    def command(self, text):
        """Gives haproxy a command, as the page describes it."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            connection.sendall(text.encode() + b"\n")
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def state(self, node):
        """The row of a node in haproxy's statistics."""
        with contextlib.suppress(OSError):
            head, *rows = self.command("show stat").lstrip("# ").splitlines()
            for row in rows:
                values = dict(zip(head.split(","), row.split(",")))
                if (values.get("pxname"), values.get("svname")) == ("fieldpass", node.name):
                    return values
        return {}

    def in_use(self, node):
        return self.state(node).get("status") == "UP"

    def replace(self, node):
        """Replaces one node as upgrade.md describes it; returns its exit status."""
        self.command(f"set server fieldpass/{node.name} state drain")
        until(lambda: self.state(node).get("scur") == "0", 80)
        status = node.stop()
        node.close()
        node.open()
        self.command(f"set server fieldpass/{node.name} state ready")
        until(lambda: self.in_use(node), 30)
        return status

    def verify_events(self):
        return subprocess.run(
            [BINARY, "events", "verify", "--config", self.nodes[0].path],
            capture_output=True, text=True, timeout=120)

    def close(self):
        for node in self.nodes:
            node.close()
        if self.proxy:
            self.proxy.stop()
        self.gateway.close()
        self.link.close()
