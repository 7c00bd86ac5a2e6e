"""A poor network between a browser and the server: late, slow, cut off, or none."""
import contextlib
import socket
import threading
import time
import urllib.parse


class Proxy:
    """Forwards plain HTTP; what `paths` begin with meets the weather, everything else is fair."""

    def __init__(self, paths=("/api/",)):
        self.paths = paths
        self.fair()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def settings(self):
        """For a browser context: loopback goes through the proxy as well."""
        return {"server": f"http://127.0.0.1:{self.port}", "bypass": "<-loopback>"}

    # MARK: Weather

    def fair(self):
        self.delay, self.rate, self.cut_after, self.is_down = 0.0, None, None, False

    def late(self, seconds):
        self.delay = seconds

    def trickle(self, bytes_per_second):
        self.rate = bytes_per_second

    def cut(self, after):
        """Ends connections after so many bytes of an answer."""
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
                self.pour(server, client, is_met)

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

    def pour(self, server, client, is_met):
        sent = 0
        slice_bytes = max(1, self.rate // 20) if is_met and self.rate else 65536
        while chunk := server.recv(slice_bytes):
            if is_met and self.cut_after is not None and sent + len(chunk) > self.cut_after:
                client.sendall(chunk[:self.cut_after - sent])
                return
            client.sendall(chunk)
            sent += len(chunk)
            if is_met and self.rate:
                time.sleep(len(chunk) / self.rate)
