"""PostgreSQL with a replica under Patroni and etcd, and haproxy in front, all on loopback.

Every program starts in a folder of its own and is ended by its process.
"""
import contextlib
import ipaddress
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from authority import Authority
from harness import ROOT
from operator_tools import until
from production import free_port

DOCUMENTS = ROOT / "docs/operate"
PASSWORD = "correct-password"
# The addresses of the database machines in the documents, and those of this test.
MACHINES = {"db1": ("10.0.0.11", "127.0.0.11"), "db2": ("10.0.0.12", "127.0.0.12")}


def filled(name, *changes):
    """A document of docs/operate with this test's ports and files; each change must apply."""
    text = (DOCUMENTS / name).read_text()
    for before, after in changes:
        assert before in text, (name, before)
        text = text.replace(before, str(after))
    return text


class Program:
    """A program in its own folder, as the user of the database if this process is root."""

    def __init__(self, command, folder, name, as_database_user=True):
        self.command, self.folder, self.name = [str(word) for word in command], folder, name
        self.as_database_user = as_database_user and os.geteuid() == 0
        self.process = None

    def start(self):
        user = {}
        if self.as_database_user:
            user = {"user": "postgres", "group": "postgres", "extra_groups": [],
                    "env": os.environ | {"HOME": str(self.folder)}}
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.folder, **user)
        return self

    def log_text(self):
        return (self.folder / f"{self.name}.log").read_text(errors="replace")

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self, seconds=30):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()


class Member:
    """One database machine: Patroni and its PostgreSQL server."""

    def __init__(self, name, cluster):
        self.name, self.cluster = name, cluster
        self.address = MACHINES[name][1]
        self.data = cluster.folder / name / "data"
        self.rest = f"http://{self.address}:{cluster.rest_port}"
        path = cluster.folder / name / "patroni.yml"
        path.parent.mkdir()
        path.write_text(filled(
            "patroni.yml", ("db1", name), ("10.0.0.11", self.address),
            (f"{self.address}:8008", f"{self.address}:{cluster.rest_port}"),
            (f"{self.address}:5432", f"{self.address}:{cluster.port}"),
            ("[10.0.0.21:2379, 10.0.0.22:2379, 10.0.0.23:2379]", f"[{cluster.etcd_address}]"),
            ("/var/lib/postgresql/15/fieldpass", self.data),
            ("/var/run/postgresql", path.parent),
            ("/etc/postgresql/server", cluster.folder / "server"),
            ("10.0.0.0/24", "127.0.0.0/8")))
        path.chmod(0o644)
        self.program = Program(["/usr/bin/patroni", path], path.parent, "patroni")

    def prepare(self):
        if os.geteuid() == 0:
            shutil.chown(self.cluster.folder / self.name, "postgres", "postgres")
        return self

    def asks(self, path):
        """Whether Patroni answers 200 to this question."""
        try:
            with urllib.request.urlopen(self.rest + path, timeout=2) as answer:
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False

    @property
    def is_primary(self):
        return self.asks("/primary")

    @property
    def is_synchronous(self):
        return self.asks("/synchronous")

    @property
    def postmaster(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def processes(self):
        """The database server and its own processes."""
        first = self.postmaster
        return [first, *children(first)]

    def lose(self):
        """Ends everything on this machine at once, like a power cut."""
        self.program.kill()
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def processor_seconds(self):
        """The processor time of all processes that the database server has had."""
        return sum(processor_seconds(process) for process in self.processes())

    def stop(self):
        self.program.stop()
        with contextlib.suppress(OSError, ValueError, IndexError):
            for process in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


def children(parent):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(path.read_text().rsplit(")", 1)[1].split()[1]) == parent:
                found.append(int(path.parent.name))
    return found


def processor_seconds(process):
    """The used time of a process and of its children that have ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return sum(int(number) for number in fields[11:15]) / os.sysconf("SC_CLK_TCK")


class PatroniCluster:
    """A primary and a synchronous replica; `port` leads to the primary."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fieldpass-patroni-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.port, self.rest_port, self.proxy_port = free_port(), free_port(), free_port()
        self.programs, self.members = [], []
        try:
            self.open()
        except BaseException:
            self.close()
            raise

    def open(self):
        self.write_certificate()
        # Another program may take a port first, so several are tried.
        assert any(self.has_etcd(number) for number in range(5)), "etcd does not start"
        self.members = [Member(name, self).prepare() for name in MACHINES]
        self.members[0].program.start()
        self.wait(lambda: self.members[0].is_primary, 90)
        self.members[1].program.start()
        (self.folder / "haproxy.cfg").write_text(filled(
            "haproxy-database.cfg", ("127.0.0.1:5432", f"127.0.0.1:{self.proxy_port}"),
            ("10.0.0.11:5432 check port 8008",
             f"127.0.0.11:{self.port} check port {self.rest_port}"),
            ("10.0.0.12:5432 check port 8008",
             f"127.0.0.12:{self.port} check port {self.rest_port}")))
        self.run("/usr/sbin/haproxy", "-db", "-f", self.folder / "haproxy.cfg",
                 folder=self.folder, as_database_user=False)
        self.whole()
        primary = self.primary()
        self.superuser("CREATE ROLE fieldpass LOGIN PASSWORD '" + PASSWORD + "'", primary)
        self.superuser("CREATE DATABASE fieldpass OWNER fieldpass", primary)
        until(self.is_reachable, 20)

    def has_etcd(self, number):
        """Starts etcd on free ports; returns whether it answers."""
        own, peer = (f"127.0.0.1:{free_port()}" for _ in range(2))
        place = self.folder / f"etcd-{number}"
        place.mkdir()
        if os.geteuid() == 0:
            shutil.chown(place, "postgres", "postgres")
        program = self.run(
            "/usr/bin/etcd", "--name", "etcd", "--data-dir", place / "data",
            "--listen-client-urls", f"http://{own}", "--advertise-client-urls", f"http://{own}",
            "--listen-peer-urls", f"http://{peer}", "--initial-advertise-peer-urls", f"http://{peer}",
            "--initial-cluster", f"etcd=http://{peer}", "--log-level", "error", folder=place)
        self.etcd_address = own

        def answers():
            if program.process.poll() is not None:
                return "ended"
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(f"http://{own}/health", timeout=2).status == 200
            return False

        return until(answers, 30) != "ended"

    def write_certificate(self):
        """A certificate for the names of both machines and of the proxy, as the page says."""
        self.authority = Authority(self.folder)
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.DNSName("localhost"), *(
            x509.IPAddress(ipaddress.ip_address(address))
            for _, address in MACHINES.values())])
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        certificate = self.authority.signed(name, key.public_key(), -1, 30, (names, False))
        (self.folder / "server.pem").write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM))
        path = self.folder / "server.key"
        path.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        path.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(path, "postgres", "postgres")

    def run(self, *command, folder, as_database_user=True):
        name = pathlib.Path(command[0]).name
        program = Program(command, folder, name, as_database_user).start()
        self.programs.append(program)
        return program

    def wait(self, condition, seconds):
        try:
            return until(condition, seconds)
        except AssertionError:
            logs = [member.program.log_text()[-1500:] for member in self.members
                    if member.program.process]
            raise AssertionError("\n".join(logs)) from None

    # MARK: State

    def primary(self):
        return next((member for member in self.members if member.is_primary), None)

    def replica(self):
        return next(member for member in self.members if not member.is_primary)

    def whole(self, seconds=90):
        """Waits until there is a primary and a synchronous replica."""
        self.wait(lambda: self.primary() and any(m.is_synchronous for m in self.members), seconds)

    def is_reachable(self):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            return self.query("SELECT NOT pg_is_in_recovery()") == "t"
        return False

    def query(self, statement, port=None):
        """Runs a statement as the user of the server; returns its rows as text."""
        result = subprocess.run(
            ["psql", "-X", "-h", "localhost", "-p", str(port or self.proxy_port), "-U", "fieldpass",
             "-d", "fieldpass", "-At", "-c", statement], capture_output=True, text=True,
            timeout=30, check=True,
            env=os.environ | {"PGPASSWORD": PASSWORD, "PGCONNECT_TIMEOUT": "3",
                              "PGSSLMODE": "verify-full",
                              "PGSSLROOTCERT": str(self.authority.file)})
        return result.stdout.strip()

    def superuser(self, statement, member=None, database="postgres"):
        """Runs a statement on the machine of a member."""
        member = member or self.primary()
        user = {"user": "postgres"} if os.geteuid() == 0 else {}
        result = subprocess.run(
            ["psql", "-X", "-h", self.folder / member.name, "-p", str(self.port), "-U", "postgres",
             "-d", database, "-At", "-c", statement], capture_output=True, text=True, timeout=30,
            **user)
        assert result.returncode == 0, result
        return result.stdout.strip()

    def close(self):
        for member in self.members:
            member.stop()
        for program in reversed(self.programs):
            program.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
