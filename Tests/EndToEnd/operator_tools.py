"""What an operator does beside a running server, while people use the server."""
import contextlib
import json
import subprocess
import threading
import time

from device import Device
from harness import BINARY, Person


def command(*arguments, folder=None):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60,
                          cwd=folder)


def assert_refused(run, *words, status=None):
    """Checks that a command changed nothing, and said what is wrong and what to do."""
    assert run.returncode != 0 if status is None else run.returncode == status, run
    assert run.stdout == "", run
    assert "fieldpass: error: " in run.stderr and "\nhint: " in run.stderr, run.stderr
    for word in words:
        assert word in run.stderr, (word, run.stderr)


def load_person(number):
    return Person(f"load-{number:04}@example.com", "demo-Load-1", f"+1555020{number:04}")


def signed_in(server, count):
    """So many devices, each of another person who is signed in."""
    assert server.post("/dev/accounts", document={"count": count}).status == 200
    devices = []
    for number in range(1, count + 1):
        device = Device(server)
        device.sign_in(load_person(number))
        devices.append(device)
    return devices


def until(condition, seconds=10):
    """Waits until a condition is true; returns its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not become so")


def log_lines(server, level=None):
    lines = [json.loads(line) for line in server.log_text().splitlines() if line.startswith("{")]
    return [line["what"] for line in lines if level in (None, line["level"])]


def metric(server, name):
    counted = dict(line.rsplit(" ", 1) for line in server.metrics().body.decode().splitlines())
    return int(counted[name])


class Load:
    """Repeats calls on its own threads until the block ends, and counts them."""

    def __init__(self, *calls):
        self.calls, self.count, self.mistakes = calls, 0, []
        self.has_ended = threading.Event()

    def __enter__(self):
        self.threads = [threading.Thread(target=self.go_on, args=(call,)) for call in self.calls]
        for thread in self.threads:
            thread.start()
        return self

    def go_on(self, call):
        while not self.has_ended.is_set():
            try:
                call()
                self.count += 1
            except Exception as mistake:
                self.mistakes.append(repr(mistake))
                return

    def __exit__(self, *_):
        self.has_ended.set()
        for thread in self.threads:
            thread.join()

    def goes_on(self, more=20):
        """Waits until so many more calls were answered."""
        before = self.count
        until(lambda: self.mistakes or self.count >= before + more, 30)
        assert not self.mistakes, self.mistakes


@contextlib.contextmanager
def stopped(process):
    """Ends a process after the block."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(30)
        if process.stdout:
            process.stdout.close()
