"""A poor network between a browser and the server: late, slow, cut off, absent, or changed."""
import contextlib
import socket
import threading
import time
import urllib.parse


class Proxy:
    """Forwards plain HTTP; the conditions apply to paths that begin with one of `paths`."""

    def __init__(self, paths=("/api/",)):
        self.paths = paths
        # The change in the middle of the answer to the n-th request to which the conditions apply.
        self.turns, self.count = {}, 0
        self.open = set()
        self.fair()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def settings(self):
        """Settings for a browser context: loopback traffic uses the proxy too."""
        return {"server": f"http://127.0.0.1:{self.port}", "bypass": "<-loopback>"}

    # MARK: Conditions

    def fair(self):
        self.delay, self.rate, self.cut_after = 0.0, None, None
        self.is_down = self.is_silent = False

    def cellular(self):
        """Changes to another network, which is late and slow."""
        self.change()
        self.late(0.3)
        self.trickle(200_000)

    def silent(self):
        """Changes to no network: sent data is lost without an error."""
        self.change()
        self.is_silent = True

    def change(self):
        """Closes open connections, because their address belongs to the previous network."""
        self.fair()
        ended, self.open = self.open, set()
        for end in ended:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def late(self, seconds):
        self.delay = seconds

    def trickle(self, bytes_per_second):
        self.rate = bytes_per_second

    def cut(self, after):
        """Closes connections after so many bytes of an answer."""
        self.cut_after = after

    def down(self):
        self.is_down = True

    def close(self):
        self.listener.close()

    # MARK: Forwarding

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, contextlib.suppress(OSError, ValueError):
            head, rest = self.read_head(client)
            line, *fields = head.decode("latin1").split("\r\n")
            method, target, _ = line.split(" ")
            url = urllib.parse.urlsplit(target)
            path = url.path + (f"?{url.query}" if url.query else "")
            is_met = any(path.startswith(start) for start in self.paths)
            if self.is_down and is_met:
                return
            if is_met:
                self.open.add(client)
                self.count += 1
            turn = self.turns.pop(self.count, None) if is_met else None
            if is_met and self.is_silent:
                while client.recv(65536):
                    pass
                return
            kept = [f for f in fields if not f.lower().startswith(("proxy-", "connection:"))]
            length = next((int(f.split(":")[1]) for f in fields
                           if f.lower().startswith("content-length:")), 0)
            while len(rest) < length:
                rest += client.recv(65536)
            request = "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""])
            with socket.create_connection((url.hostname, url.port), timeout=30) as server:
                server.sendall(request.encode("latin1") + rest)
                if is_met:
                    time.sleep(self.delay)
                self.forward_answer(server, client, is_met, turn)

    @staticmethod
    def read_head(client):
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = client.recv(65536)
            if not chunk:
                raise ValueError("the request ended early")
            data += chunk
        head, rest = data.split(b"\r\n\r\n", 1)
        return head, rest

    def forward_answer(self, server, client, is_met, turn):
        sent = 0
        slice_bytes = max(1, self.rate // 20) if is_met and self.rate else 65536
        while chunk := server.recv(1000 if turn else slice_bytes):
            if turn and sent > 1000:
                return turn()
            if is_met and self.cut_after is not None and sent + len(chunk) > self.cut_after:
                client.sendall(chunk[:self.cut_after - sent])
                return
            client.sendall(chunk)
            sent += len(chunk)
            if is_met and self.rate:
                time.sleep(len(chunk) / self.rate)
