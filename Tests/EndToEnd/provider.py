"""A provider of text messages on loopback that can be set to fail."""
import collections
import hashlib
import hmac
import http.server
import json
import threading
import time


class Provider:
    """Accepts messages like an operator's webhook, each identifier once.

    `fault` receives the number of the call, from 1, and returns `None` or one of the faults below.
    """

    HANG, CUT, BUSY, BROKEN, TAKEN_THEN_BROKEN, TAKEN_THEN_HANG, NEVER, FORBIDDEN = range(1, 9)

    def __init__(self, secret="hook-secret", context=None):
        self.secret = secret
        self.fault = lambda number: None
        self.delay = 0.0
        self.hang_seconds = 30.0
        self.calls = []
        self.taken = {}
        self.repeated = 0
        self.forged = 0
        self.lock = threading.Lock()
        self.released = threading.Event()
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                provider.answer(self)

            def log_message(self, *arguments):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 512

            def handle_error(self, request, address):
                """The tests make callers give up. Such an error is not reported."""

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.port = self.listener.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/messages"
        if context:
            self.listener.socket = context.wrap_socket(self.listener.socket, server_side=True)
            self.url = f"https://localhost:{self.port}/messages"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.released.set()
        self.listener.shutdown()
        self.listener.server_close()

    def is_signed(self, field, body):
        parts = dict(part.split("=", 1) for part in (field or "").split(","))
        if set(parts) != {"t", "v1"}:
            return False
        code = hmac.new(self.secret.encode(), parts["t"].encode() + b"." + body, hashlib.sha256)
        return hmac.compare_digest(code.hexdigest(), parts["v1"])

    def answer(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        message = json.loads(body)
        with self.lock:
            self.calls.append((time.monotonic(), message["id"]))
            fault = self.fault(len(self.calls))
            if not self.is_signed(request.headers.get("Fieldpass-Signature"), body):
                self.forged += 1
        time.sleep(self.delay)
        if fault == self.HANG:
            self.released.wait(self.hang_seconds)
            request.close_connection = True
            return
        if fault == self.CUT:
            request.close_connection = True
            return
        status, fields = 202, {}
        if fault == self.BUSY:
            status, fields = 429, {"Retry-After": "2"}
        elif fault in (self.BROKEN, self.TAKEN_THEN_BROKEN):
            status = 500
        elif fault == self.NEVER:
            status = 422
        elif fault == self.FORBIDDEN:
            status = 403
        if fault in (None, self.TAKEN_THEN_BROKEN, self.TAKEN_THEN_HANG):
            with self.lock:
                if message["id"] in self.taken:
                    status = 409
                    self.repeated += 1
                else:
                    self.taken[message["id"]] = (time.monotonic(), message)
        if fault == self.TAKEN_THEN_HANG:
            self.released.wait(self.hang_seconds)
            request.close_connection = True
            return
        request.send_response(status)
        for name, value in fields.items():
            request.send_header(name, value)
        request.send_header("Content-Length", "0")
        request.end_headers()

    @property
    def messages(self):
        """The accepted messages, oldest first."""
        with self.lock:
            return [message for _, message in self.taken.values()]

    def wait(self, count, seconds=10):
        """Waits until so many messages were accepted."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if len(self.taken) >= count:
                return self.messages
            time.sleep(0.01)
        raise AssertionError(f"{len(self.taken)} of {count} messages came")


def accepted_twice(*providers):
    """The identifiers that more than one provider accepted."""
    ids = collections.Counter(id for provider in providers for id in provider.taken)
    return [id for id, count in ids.items() if count > 1]
