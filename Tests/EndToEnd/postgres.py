"""A real PostgreSQL server, and servers that store their records in it."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time

from harness import ROOT, Server
from production import free_port

SCRIPT = ROOT / "Tests/PostgresStoreTests/postgres-server"
PASSWORD = "correct-password"


class Cluster:
    """An empty database server, which stops when this object is closed."""

    def __init__(self):
        self.script = subprocess.Popen(
            [SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port, folder = self.script.stdout.readline().split()
        self.port, self.folder = int(port), pathlib.Path(folder)
        self.data = self.folder / "data"
        self.restarted = None

    @property
    def pid(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def crash(self):
        """Ends the database server at once, without saving."""
        pid = self.pid
        os.kill(pid, signal.SIGQUIT)
        until = time.monotonic() + 20
        while (self.data / "postmaster.pid").exists() and time.monotonic() < until:
            time.sleep(0.05)

    def restart(self):
        """Starts the database server again, with the options of its last start."""
        self.begin((self.data / "postmaster.opts").read_text().strip())

    def begin(self, options):
        command = ["sh", "-c", f"exec {options} >> {self.folder}/data/server.log 2>&1"]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        self.restarted = subprocess.Popen(command, cwd=self.folder)

    def move(self, data, port):
        """Starts the database server with another folder, on another port."""
        options = (self.data / "postmaster.opts").read_text().strip()
        for before, after in [(f"port={self.port}", f"port={port}"), (str(self.data), str(data))]:
            assert before in options, options
            options = options.replace(before, after)
        data.chmod(0o700)
        self.data, self.port = data, port
        self.begin(options)

    def answers(self, statement):
        """Whether a statement answers yes now."""
        try:
            return self.run(statement) == "t"
        except subprocess.CalledProcessError:
            return False

    def run_file(self, path):
        return self.psql("-v", "ON_ERROR_STOP=1", "-f", str(path))

    def run(self, statement):
        """Runs a statement; returns its rows as text."""
        return self.psql("-c", statement)

    def psql(self, *arguments):
        result = subprocess.run(
            [*self.client, *arguments], env=self.environment, capture_output=True, text=True,
            timeout=30, check=True)
        return result.stdout.strip()

    @property
    def client(self):
        return ["psql", "-h", "localhost", "-p", str(self.port), "-U", "fieldpass", "-d",
                "postgres", "-At"]

    @property
    def environment(self):
        return os.environ | {"PGPASSWORD": PASSWORD}

    @contextlib.contextmanager
    def waiting(self, statement):
        """Runs a statement, and keeps its session open until the end of the block."""
        session = subprocess.Popen(
            self.client, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        session.stdin.write(statement + ";\n\\echo done\n")
        session.stdin.flush()
        while session.stdout.readline() != "done\n":
            assert session.poll() is None
        try:
            yield
        finally:
            session.communicate(timeout=30)

    def close(self):
        if self.data != self.folder / "data" and (self.data / "postmaster.pid").exists():
            self.crash()
        self.script.stdin.close()
        self.script.wait(30)
        if self.restarted:
            self.restarted.wait(30)


class Node(Server):
    """One of several servers with the same issuer, keys and database, for the demo data."""
    place = ()

    def join(self, cluster, base, keys=None):
        """Starts the node. `keys` is the folder of another node, whose keys it gets."""
        return self.open(self.configure(cluster, base, keys), base)

    def join_alone(self, base):
        """Starts the node with a file as its database."""
        self.data.mkdir()
        return self.open(self.write(base, f"sqlite:{self.data}"), base)

    def configure(self, cluster, base, keys=None):
        """Writes the configuration of the node; returns its path."""
        self.data.mkdir()
        if keys:
            subprocess.run(["cp", "-a", keys / "keys", self.data / "keys"], check=True)
        password = self.data.with_suffix(".password")
        password.write_text(PASSWORD)
        password.chmod(0o600)
        authority = self.data.with_suffix(".authority.pem")
        authority.write_text((cluster.folder / "server.pem").read_text())
        store = {
            "kind": "postgres", "host": "localhost", "port": cluster.port,
            "database": "postgres", "user": "fieldpass", "password_file": str(password),
            "authorities_file": str(authority), "folder": str(self.data)}
        return self.write(base, store)

    def write(self, base, store):
        self.port = free_port()
        path = self.data.with_suffix(".json")
        listen = {"listen": f"127.0.0.1:{self.port}", "metrics_listen": "127.0.0.1:0"}
        path.write_text(json.dumps(base | listen | {"store": store}))
        return path

    def open(self, path, base):
        self.launch("--config", str(path), "--development")
        self.base = base["issuer"]
        self.meta = self.get("/.well-known/openid-configuration").json
        return self


def demo_configuration():
    """The configuration of nodes behind one address, with the apps of technicians and
    administrators."""
    return {
        "issuer": f"http://localhost:{free_port()}",
        "clients": [{
            "id": "technician-app", "name": "Technician", "home": "assigned_jobs",
            "sign_in": "password_and_code", "roles": ["technician"],
            "scopes": ["openid", "offline_access", "account", "jobs"]}, {
            "id": "console", "name": "Console", "home": "console",
            "sign_in": "password_and_code", "roles": ["administrator"],
            "scopes": ["openid", "offline_access", "account", "admin"]}],
        "organizations": [{"id": "north", "name": "North"}, {"id": "south", "name": "South"}],
        "messengers": [{"name": "inbox", "kind": "inbox"}],
    }
