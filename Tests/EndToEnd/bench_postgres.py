"""Measures what a rider's sign-in costs with PostgreSQL, and prints each figure.

    .venv/bin/python Tests/EndToEnd/bench_postgres.py FOLDER [SIGN-INS]

It needs the release builds of `fieldpass` and `fieldpass-bench`. It prints the processor time of the
server and of the database for each sign-in, the processor time of the same statements in pgbench, the
bytes of each record, and the memory of a node with ten thousand idle connections. Processor time
includes no waiting, so other programs change it little.
"""
import contextlib
import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import time

from device import Device
from harness import BINARY, LAUNCHED, ROOT
from operator_tools import load_person
from patroni import children, processor_seconds
from postgres import PASSWORD, Cluster, Node, demo_configuration
from production import ConfiguredServer, configuration

BENCH = ROOT / ".build/release/fieldpass-bench"
IDLE_CONNECTIONS = 10_000
TABLES = ["accounts", "sessions", "security_events", "outbox", "sign_in_attempts", "known_devices"]
PGBENCH_CLIENTS, PGBENCH_RUNS = 4, 500
PEOPLE, RENEWALS, TECHNICIANS = 50, 20, 250


def say(what, value):
    print(f"{what:64} {value}", flush=True)


def used_seconds(cluster):
    """The processor time of the database server since its start."""
    return sum(processor_seconds(process) for process in [cluster.pid, *children(cluster.pid)])


def psql(cluster, database, *arguments):
    return subprocess.run(
        ["psql", "-X", "-h", "localhost", "-p", str(cluster.port), "-U", "fieldpass", "-d", database,
         "-At", *arguments], env=os.environ | {"PGPASSWORD": PASSWORD}, capture_output=True,
        text=True, timeout=120)


def store(cluster, node):
    """The store of a node, as in its configuration."""
    return json.loads(node.data.with_suffix(".json").read_text())["store"]


def durable(cluster):
    """The tests turn these off, and servers of people do not."""
    for setting in ("fsync", "full_page_writes"):
        cluster.run(f"ALTER SYSTEM SET {setting} = on")
    cluster.run("SELECT pg_reload_conf()")


# MARK: Sign-ins


def signed_in(cluster, folder, number, sign_ins):
    """The processor seconds of the database and the sizes after a run, and the bench's report."""
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    node = Node(folder / f"bench-{number}")
    node.configure(cluster, demo_configuration())
    began = used_seconds(cluster)
    report = subprocess.run(
        [BENCH, BINARY, folder / f"run-{number}", "1", "riders", str(sign_ins)],
        env=os.environ | {"FIELDPASS_BENCH_STORE": json.dumps(store(cluster, node))},
        capture_output=True, text=True, timeout=3000)
    assert report.returncode == 0, report
    return used_seconds(cluster) - began, sizes(cluster), report.stdout


def log_bytes(cluster):
    """The bytes of the write-ahead log since the database was made."""
    return int(cluster.run("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"))


def sizes(cluster):
    """The rows and the bytes with indexes of each table."""
    found = {}
    for table in TABLES:
        rows, size = cluster.run(
            f"SELECT count(*), pg_total_relation_size('fieldpass.{table}') FROM fieldpass.{table}"
        ).split("|")
        found[table] = int(rows), int(size)
    return found


def measure_sign_ins(cluster, folder, sign_ins):
    for name in ("run-1", "run-2"):
        (folder / name).mkdir()
    small, few, _ = signed_in(cluster, folder, 1, sign_ins // 3)
    large, many, report = signed_in(cluster, folder, 2, sign_ins)
    rounds = 1920
    runs = [-(-count // rounds) * rounds for count in (sign_ins // 3, sign_ins)]
    each = (large - small) / (runs[1] - runs[0])
    print(report)
    say("PostgreSQL, processor time for each sign-in", f"{each * 1000:.2f} ms")
    for table in TABLES:
        (rows, size), (before, size_before) = many[table], few[table]
        if rows > before:
            say(f"{table}: bytes for each further row, with indexes",
                f"{(size - size_before) / (rows - before):.0f}")
        if rows:
            say(f"{table}: rows, and bytes for each row with indexes",
                f"{rows}, {size / rows:.0f}")
    return each


# MARK: The same statements in pgbench


def one_sign_in(cluster, folder):
    """The statements of one sign-in, and a database as it was before it."""
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    base = rider_configuration()
    node = Node(folder / "statements").join(cluster, base)
    assert node.post("/dev/accounts", document={"count": 2000}).status == 200
    sign_in(node, load_person(1))
    node.stop()
    node.close()
    made = psql(cluster, "template1", "-c", "CREATE DATABASE replay TEMPLATE postgres")
    assert made.returncode == 0, made
    node.open(node.data.with_suffix(".json"), base)
    # Each connection prepares its statements before.
    for number in range(2, 30):
        sign_in(node, load_person(number))
    cluster.run("ALTER SYSTEM SET log_statement = 'all'")
    cluster.run("ALTER SYSTEM SET log_line_prefix = '%p '")
    cluster.run("SELECT pg_reload_conf()")
    time.sleep(1)
    log = cluster.data / "server.log"
    start = log.stat().st_size
    sign_in(node, load_person(1000))
    time.sleep(0.3)
    text = log.read_bytes()[start:].decode(errors="replace")
    cluster.run("ALTER SYSTEM SET log_statement = 'none'")
    cluster.run("SELECT pg_reload_conf()")
    node.close()
    return statements(text)


def rider_configuration():
    base = demo_configuration()
    base["clients"].append({
        "id": "rider-app", "name": "Riders", "home": "dashboard", "sign_in": "phone_code",
        "roles": ["technician"], "disclosure": "disclosed",
        "scopes": ["openid", "offline_access", "account", "dashboard"]})
    return base


def sign_in(node, person):
    device = Device(node, client="rider-app")
    first = device.challenge(**device.first_call(phone_number=person.phone))
    assert first.error == "insufficient_authorization", first
    done = device.verify(node.code(person.phone))
    assert device.redeem(done.json["authorization_code"]).status == 200
    return device


def statements(log):
    """The statements of a log with their values."""
    found = []
    entries = re.split(r"^(?=\d+ (?:LOG|DETAIL|ERROR|STATEMENT|HINT|FATAL|WARNING):)", log, flags=re.M)
    for entry in entries:
        entry = re.sub(r"\n\t", " ", entry).strip()
        match = re.match(r"\d+ LOG: +(?:execute [^:]+|statement): (.*)", entry, re.S)
        if match:
            found.append([" ".join(match[1].split()), []])
        match = re.match(r"\d+ DETAIL: +parameters: (.*)", entry, re.S)
        if match and found:
            found[-1][1] = re.findall(r"\$\d+ = (NULL|'(?:[^']|'')*')", match[1])
    return [(text, values) for text, values in found
            if not re.match(r"ALTER SYSTEM|SELECT pg_reload_conf|SET ", text)]


def literal(value, is_typed):
    if value == "NULL" or not is_typed:
        return value
    if re.fullmatch(r"'-?\d+'", value):
        return f"CAST({value} AS bigint)"
    return f"CAST({value} AS bytea)" if value.startswith("'\\x") else f"CAST({value} AS text)"


def with_values(text, values, is_typed):
    return re.sub(r"\$(\d+)", lambda match: literal(values[int(match[1]) - 1], is_typed), text)


def measure_pgbench(cluster, folder):
    """Runs the statements of one sign-in and takes them back, and measures commits apart."""
    log = one_sign_in(cluster, folder)
    commits = sum(1 for text, _ in log if text == "COMMIT")
    body = [entry for entry in log
            if not re.match(r"BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE", entry[0])]
    lines = [with_values(*entry, is_typed=False) for entry in body]
    for index, entry in enumerate(body):
        tried = psql(cluster, "replay", "-v", "ON_ERROR_STOP=1", "-c", "SET search_path TO fieldpass",
                     "-c", "PREPARE s AS " + lines[index])
        if tried.returncode:
            lines[index] = with_values(*entry, is_typed=True)
    script = folder / "sign-in.sql"
    script.write_text("SET search_path TO fieldpass;\nBEGIN;\n" + "".join(
        f"{line};\n" for line in lines) + "ROLLBACK;\n")
    tried = psql(cluster, "replay", "-v", "ON_ERROR_STOP=1", "-f", str(script))
    assert tried.returncode == 0, tried.stderr
    commit = folder / "commit.sql"
    commit.write_text("INSERT INTO written VALUES (1);\n")
    psql(cluster, "replay", "-c", "CREATE TABLE written (number bigint)")
    runs = {}
    for path in (script, commit):
        began = used_seconds(cluster)
        result = subprocess.run(
            ["pgbench", "-h", "localhost", "-p", str(cluster.port), "-U", "fieldpass", "-n", "-M",
             "prepared", "-c", str(PGBENCH_CLIENTS), "-t", str(PGBENCH_RUNS), "-f", path, "replay"],
            env=os.environ | {"PGPASSWORD": PASSWORD}, capture_output=True, text=True, timeout=300)
        assert result.returncode == 0 and "failed transactions: 0 (" in result.stdout, result
        runs[path] = (used_seconds(cluster) - began) / (PGBENCH_CLIENTS * PGBENCH_RUNS)
    say("Statements and commits of one sign-in", f"{len(body)}, {commits}")
    say("pgbench, processor time of the statements", f"{runs[script] * 1000:.2f} ms")
    say("pgbench, processor time of one commit with one row", f"{runs[commit] * 1000:.2f} ms")
    return runs[script] + commits * runs[commit]


# MARK: Renewals and technicians


def measure_renewals(cluster, folder):
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    node = Node(folder / "renewals").join(cluster, rider_configuration())
    assert node.post("/dev/accounts", document={"count": PEOPLE}).status == 200
    began = log_bytes(cluster)
    devices = [sign_in(node, load_person(number)) for number in range(1, PEOPLE + 1)]
    say("Write-ahead log for each sign-in", f"{(log_bytes(cluster) - began) / PEOPLE:.0f} bytes")
    for count in (0, RENEWALS):
        began = used_seconds(cluster), processor_seconds(node.process.pid), log_bytes(cluster)
        for device in devices * (count or 1):
            answer = device.refresh()
            assert answer.status == 200, answer
            device.tokens = answer.json
    each = PEOPLE * RENEWALS
    say("Renewal of tokens, processor time of PostgreSQL and of the node",
        f"{(used_seconds(cluster) - began[0]) / each * 1000:.2f} ms, "
        f"{(processor_seconds(node.process.pid) - began[1]) / each * 1000:.2f} ms")
    say("Write-ahead log for each renewal", f"{(log_bytes(cluster) - began[2]) / each:.0f} bytes")
    node.close()


def measure_technicians(cluster, folder):
    cluster.run("DROP SCHEMA IF EXISTS fieldpass CASCADE")
    node = Node(folder / "technicians").join(cluster, demo_configuration())
    assert node.post("/dev/accounts", document={"count": TECHNICIANS}).status == 200
    # The first ones prepare the statements of each connection.
    for number in range(1, TECHNICIANS + 1):
        if number == PEOPLE + 1:
            began = used_seconds(cluster), processor_seconds(node.process.pid)
        Device(node).sign_in(load_person(number))
    count = TECHNICIANS - PEOPLE
    say("Technician's sign-in, processor time of PostgreSQL and of the node",
        f"{(used_seconds(cluster) - began[0]) / count * 1000:.1f} ms, "
        f"{(processor_seconds(node.process.pid) - began[1]) / count * 1000:.1f} ms")
    node.close()


# MARK: Connections


def measure_idle_connections(folder):
    """The memory with idle connections, each after one request."""
    limit = IDLE_CONNECTIONS + 500
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    members = configuration(folder) | {
        "issuer": "https://localhost", "messengers": [{"name": "inbox", "kind": "inbox"}]}
    secured = ConfiguredServer(folder / "secured").begin(members, "--development")
    plain = Node(folder / "plain").join_alone(demo_configuration())
    for name, node, wrap in [
            ("HTTP", plain, lambda connection: connection),
            ("TLS", secured, lambda connection: secured.context().wrap_socket(
                connection, server_hostname="127.0.0.1"))]:
        before = node.rss_mb
        with contextlib.ExitStack() as stack:
            for _ in range(IDLE_CONNECTIONS):
                connection = stack.enter_context(
                    wrap(socket.create_connection(("127.0.0.1", node.port), 10)))
                connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert connection.recv(65536).startswith(b"HTTP/1.1 200")
            say(f"Memory of a node, and with {IDLE_CONNECTIONS} idle connections, {name}",
                f"{before:.0f} MB, {node.rss_mb:.0f} MB")
        node.close()


def main(folder, sign_ins):
    cluster = Cluster()
    try:
        durable(cluster)
        each = measure_sign_ins(cluster, folder, sign_ins)
        floor = measure_pgbench(cluster, folder)
        say("pgbench, processor time with all commits", f"{floor * 1000:.2f} ms")
        say("PostgreSQL for a sign-in against pgbench", f"{each / floor:.2f} times")
        measure_renewals(cluster, folder)
        measure_technicians(cluster, folder)
    finally:
        close_servers()
        cluster.close()
    try:
        measure_idle_connections(folder)
    finally:
        close_servers()


def close_servers():
    """Closes the servers that a failed measurement left running."""
    for server in LAUNCHED:
        server.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 12_000)
