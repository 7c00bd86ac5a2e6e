"""Measures how many requests for codes four nodes take, compared with one.

    .venv/bin/python Tests/EndToEnd/bench_nodes.py FOLDER [ROUNDS [DELAY-MILLISECONDS]]

It needs the release build of `fieldpass`, root, and control groups of the kernel. Each node gets at
most a tenth of a core, as a container with `cpu: 100m`, so that the nodes are the limit and not the
machine. All requests are for one app and one organization. With a delay, each packet between a node
and the database waits for that time, in each direction.
"""
import asyncio
import contextlib
import http.client
import itertools
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import time
import types
import urllib.parse

from bench_postgres import durable, say, used_seconds
from device import Device
from fleet import MESSAGES
from operator_tools import load_person
from postgres import PASSWORD, Cluster, Node, demo_configuration

NODES = 4
PERIOD_MICROSECONDS, QUOTA_MICROSECONDS = 100_000, 10_000
WARM_SECONDS, SECONDS = 4, 15
CONNECTIONS = 16
PEOPLE = 9_900
# So many requests come from one device; its own limit is not measured here.
REQUESTS_OF_DEVICE = 4


def app_configuration():
    base = demo_configuration()
    base["clients"] = [{
        "id": "rider-app", "name": "Riders", "home": "dashboard", "sign_in": "phone_code",
        "roles": ["technician"], "disclosure": "disclosed", "messages": MESSAGES,
        "scopes": ["openid", "offline_access", "account", "dashboard"]}]
    return base


class ProcessorLimit:
    """A control group of the kernel in which a process gets at most a tenth of a core."""

    def __init__(self, name):
        root = pathlib.Path("/sys/fs/cgroup")
        self.is_second = (root / "cgroup.controllers").exists()
        self.folder = (root if self.is_second else root / "cpu") / f"fieldpass-{name}"

    def apply(self, process):
        self.folder.mkdir()
        if self.is_second:
            self.write("cpu.max", f"{QUOTA_MICROSECONDS} {PERIOD_MICROSECONDS}")
        else:
            self.write("cpu.cfs_period_us", PERIOD_MICROSECONDS)
            self.write("cpu.cfs_quota_us", QUOTA_MICROSECONDS)
        self.write("cgroup.procs", process)

    def write(self, name, value):
        (self.folder / name).write_text(str(value))

    def remove(self):
        with contextlib.suppress(OSError):
            self.folder.rmdir()


def run_seconds(process):
    """The processor time of a process.

    The times in `stat` are samples, which miss a process that is always stopped at the same time.
    """
    total = 0
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((thread / "schedstat").read_text().split()[0])
    return total / 1e9


# MARK: Delay


class DelayedEnd(asyncio.Protocol):
    """One end of a connection, which passes data to the other end after the delay."""

    def __init__(self, delay, target=None):
        self.delay, self.target = delay, target
        self.transport = self.other = None
        self.waiting = []

    def connection_made(self, transport):
        self.transport = transport
        if self.target:
            asyncio.ensure_future(self.connect())

    async def connect(self):
        loop = asyncio.get_running_loop()
        _, far = await loop.create_connection(
            lambda: DelayedEnd(self.delay), "127.0.0.1", self.target)
        far.other, self.other = self, far
        for data in self.waiting:
            self.data_received(data)

    def data_received(self, data):
        if not self.other:
            self.waiting.append(data)
            return
        asyncio.get_running_loop().call_later(self.delay, self.other.transport.write, data)

    def connection_lost(self, fault):
        if self.other:
            self.other.transport.close()


def forward(port, delay, sender):
    async def run():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: DelayedEnd(delay, port), "127.0.0.1", 0)
        sender.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()
    asyncio.run(run())


@contextlib.contextmanager
def distant(cluster, milliseconds):
    """The database as nodes reach it, with a delay in each direction."""
    if not milliseconds:
        yield cluster
        return
    receiver, sender = multiprocessing.Pipe()
    process = multiprocessing.Process(
        target=forward, args=(cluster.port, milliseconds / 1000, sender), daemon=True)
    process.start()
    try:
        yield types.SimpleNamespace(port=receiver.recv(), folder=cluster.folder)
    finally:
        process.kill()
        process.join()


def round_trip_milliseconds(cluster, folder):
    """The time of one statement without work, as a node has it."""
    script = folder / "nothing.sql"
    script.write_text("SELECT 1;\n")
    result = subprocess.run(
        ["pgbench", "-h", "localhost", "-p", str(cluster.port), "-U", "fieldpass", "-n", "-M",
         "prepared", "-t", "200", "-f", script, "postgres"],
        env=os.environ | {"PGPASSWORD": PASSWORD}, capture_output=True, text=True, check=True)
    line = next(line for line in result.stdout.splitlines() if "latency average" in line)
    return float(line.split("=")[1].split()[0])


# MARK: Load


def request_codes(port, base, meta, numbers, began, sender):
    """Requests codes over one connection, and sends the times at which they were answered."""
    server = types.SimpleNamespace(base=base, now=time.time)
    url = meta["authorization_challenge_endpoint"]
    path = urllib.parse.urlsplit(url).path
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    times, wrong = [], []
    for count in itertools.count():
        if time.monotonic() > began + WARM_SECONDS + SECONDS or not numbers:
            break
        if count % REQUESTS_OF_DEVICE == 0:
            device = Device(server, client="rider-app")
        phone = load_person(numbers.pop()).phone
        body = urllib.parse.urlencode(
            {"client_id": "rider-app", **device.first_call(phone_number=phone)})
        connection.request("POST", path, body, {
            "Content-Type": "application/x-www-form-urlencoded",
            "DPoP": device.proof("POST", url)})
        answer = connection.getresponse()
        text = answer.read()
        if b"insufficient_authorization" in text:
            times.append(time.monotonic())
        else:
            wrong.append((answer.status, text[:200]))
    sender.send((times, wrong, not numbers))


def answered_in_second(nodes, numbers):
    """The requests that these nodes answer in a second, with all their connections in use."""
    began = time.monotonic()
    workers = []
    each = len(numbers) // (len(nodes) * CONNECTIONS)
    for index, node in enumerate(node for _ in range(CONNECTIONS) for node in nodes):
        receiver, sender = multiprocessing.Pipe()
        own = numbers[index * each:(index + 1) * each]
        worker = multiprocessing.Process(target=request_codes, args=(
            node.port, node.base, node.meta, own, began, sender))
        worker.start()
        workers.append((worker, receiver))
    time.sleep(max(0, began + WARM_SECONDS - time.monotonic()))
    before = [run_seconds(node.process.pid) for node in nodes]
    time.sleep(max(0, began + WARM_SECONDS + SECONDS - time.monotonic()))
    used = [run_seconds(node.process.pid) - start for node, start in zip(nodes, before)]
    count = 0
    for worker, receiver in workers:
        times, wrong, is_out = receiver.recv()
        worker.join()
        assert not wrong and not is_out, (wrong[:3], is_out)
        count += sum(0 <= moment - began - WARM_SECONDS <= SECONDS for moment in times)
    return count / SECONDS, sum(used) / SECONDS / len(nodes)


def measure(cluster, database, folder, count, numbers):
    """The requests of these nodes in a second, and the cores that a node and the database used."""
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    base, nodes, limits = app_configuration(), [], []
    folder.mkdir()
    # The accounts are made without the delay.
    first = Node(folder / "first").join(cluster, base)
    try:
        assert first.post("/dev/accounts", document={"count": PEOPLE}).status == 200
        first.stop()
        for index in range(count):
            nodes.append(Node(folder / f"node-{index}").join(database, base, first.data))
        for index, node in enumerate(nodes):
            limits.append(ProcessorLimit(f"{os.getpid()}-{index}"))
            limits[-1].apply(node.process.pid)
        began = used_seconds(cluster), time.monotonic()
        rate, share = answered_in_second(nodes, numbers)
        busy = (used_seconds(cluster) - began[0]) / (time.monotonic() - began[1])
        return rate, share, busy
    finally:
        for node in [first, *nodes]:
            node.close()
        for limit in limits:
            limit.remove()


def compare(cluster, database, folder, rounds):
    ratios = []
    for number in range(rounds):
        rates = []
        for count in (1, NODES):
            rate, share, busy = measure(
                cluster, database, folder / f"{number}-{count}", count, list(range(1, PEOPLE)))
            rates.append(rate)
            say(f"Nodes: {count}; requests for codes in a second",
                f"{rate:.1f}; a node used {share:.3f} cores, the database {busy:.2f}")
        ratios.append(rates[1] / rates[0])
        say(f"{NODES} nodes against one", f"{ratios[-1]:.2f} times")
    say(f"{NODES} nodes against one, median of {rounds}",
        f"{statistics.median(ratios):.2f} times")


def main(folder, rounds, delay):
    cluster = Cluster()
    try:
        durable(cluster)
        with distant(cluster, delay) as database:
            say("A round trip to the database", f"{round_trip_milliseconds(database, folder)} ms")
            compare(cluster, database, folder, rounds)
    finally:
        cluster.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3,
         float(sys.argv[3]) if len(sys.argv) > 3 else 0)
