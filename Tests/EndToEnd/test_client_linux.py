"""The client library for Swift apps, through its sample, with a real keyring or without one."""
import os
import shutil
import subprocess
import time

import pytest

from harness import ROOT, TECHNICIAN, secret
from identity_provider import MisbehavingProvider
from test_providers import DONE, REGISTERED, configuration, query, visit

KEYRING_PASSWORD = secret("correct horse battery staple")
COLLECTION = "/org/freedesktop/secrets/collection/login"


def newest_sample():
    """The newest sample of the test builds, with coverage or without."""
    found = [ROOT / ".build" / part / "debug/sign-in-sample" for part in ("", "coverage")]
    found = [path for path in found if path.exists()]
    assert found, "the sample is missing; run `swift build --product sign-in-sample`"
    return max(found, key=lambda path: path.stat().st_mtime)


class Desktop:
    """The login session of one person: a home folder, a session bus, and optionally a keyring."""

    def __init__(self, folder, has_bus=True):
        self.home, runtime = folder / "home", folder / "runtime"
        for part in (self.home, runtime):
            part.mkdir(mode=0o700)
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self.env = {**kept, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(runtime)}
        self.bus = self.keyring = None
        if has_bus:
            self.bus = subprocess.Popen(
                ["dbus-daemon", "--session", "--nofork", "--print-address"],
                env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.env["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()

    def start_keyring(self):
        """Starts the keyring and waits until its collection is unlocked."""
        self.keyring = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"],
            env=self.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, text=True)
        self.keyring.stdin.write(KEYRING_PASSWORD)
        self.keyring.stdin.close()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            if self.is_locked() is False:
                return self
            time.sleep(0.05)
        raise AssertionError("the keyring did not start")

    def send(self, to, path, method, *arguments):
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", f"--dest={to}", path, method, *arguments],
            env=self.env, capture_output=True, text=True, timeout=20)

    def ask_keyring(self, path, method, *arguments):
        return self.send("org.freedesktop.secrets", path, method, *arguments)

    def is_locked(self):
        """`None` while no keyring is running."""
        # Without this check the bus would start another, empty keyring.
        owned = self.send("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner",
                          "string:org.freedesktop.secrets")
        if "boolean true" not in owned.stdout:
            return None
        answer = self.ask_keyring(
            COLLECTION, "org.freedesktop.DBus.Properties.Get",
            "string:org.freedesktop.Secret.Collection", "string:Locked")
        return None if answer.returncode else "boolean true" in answer.stdout

    def lock(self):
        answer = self.ask_keyring(
            "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
            f"array:objpath:{COLLECTION}")
        assert answer.returncode == 0, answer
        assert self.is_locked()

    @property
    def app_data(self):
        return self.home / ".local/share/sign-in-sample"

    def slots(self):
        """The slots that the keyring has for the sample."""
        found = self.tool("search", "--all", "app", "sign-in-sample")
        return {line.split(" = ")[1] for line in (found.stdout + found.stderr).splitlines()
                if line.startswith("attribute.slot = ")}

    def stored(self, slot):
        return self.tool("lookup", *self.names(slot)).stdout

    def store(self, slot, text):
        answer = self.tool("store", "--label=Fieldpass", *self.names(slot), typed=text)
        assert answer.returncode == 0, answer

    @staticmethod
    def names(slot):
        return ["xdg:schema", "fieldpass", "app", "sign-in-sample", "slot", slot]

    def tool(self, *arguments, typed=None):
        return subprocess.run(["secret-tool", *arguments], env=self.env, input=typed,
                              capture_output=True, text=True, timeout=20)

    def sample(self, server, **env):
        return subprocess.Popen(
            [newest_sample(), server.base, TECHNICIAN.email], env={**self.env, **env},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, server, **env):
        """Runs the sample without any input."""
        output, _ = self.sample(server, **env).communicate("", timeout=60)
        return output

    def sign_in(self, server, *wrong_codes):
        sent = len(server.messages(TECHNICIAN.phone))
        app = self.sample(server)
        app.stdin.write(secret(TECHNICIAN.password) + "\n")
        app.stdin.flush()
        code = server.code(TECHNICIAN.phone, sent)
        output, errors = app.communicate("\n".join([*wrong_codes, code]) + "\n", timeout=60)
        assert output and app.returncode == 0, (app.returncode, output, errors)
        return output

    def close(self):
        for process in (self.keyring, self.bus):
            if process:
                process.kill()
                process.wait()


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path).start_keyring()
    yield desktop
    desktop.close()


def session_of(output):
    found = [line.split()[4].rstrip(",") for line in output.splitlines()
             if line.startswith("Signed in as session ")]
    assert found, output
    return found[0]


def test_sample_is_short():
    """The sample that adopters read has fewer than sixty lines"""
    assert len((ROOT / "Tests/SignInSample/main.swift").read_text().splitlines()) < 60


def test_kept_in_the_keyring(server, desktop):
    """S-01, P-11, T-14 the session is stored only in the Secret Service, and read from it again"""
    first = desktop.sign_in(server, "000000")
    again = desktop.run(server)

    assert "***-***-1234; 5 attempts left" in first and "4 attempts left" in first
    assert first.count("kept.") == 1 and "not kept" not in first and "6 jobs" in first
    assert session_of(again) == session_of(first) and "6 jobs" in again
    for path in desktop.home.rglob("*"):
        if path.is_file():
            stored = path.read_bytes()
            assert b"access_token" not in stored and b"PRIVATE KEY" not in stored, path


def test_locked_keyring(server, desktop):
    """L-20 a locked keyring signs out no one"""
    first = desktop.sign_in(server)
    desktop.lock()
    locked = desktop.run(server)
    assert "storageUnavailable" in locked

    desktop.keyring.kill()
    desktop.keyring.wait()
    desktop.start_keyring()

    assert session_of(desktop.run(server)) == session_of(first)


def test_sign_out(server, desktop):
    """P-12 signing out removes the session from the keyring and ends it at the server"""
    desktop.sign_in(server)
    assert "6 jobs" in desktop.run(server, SIGN_OUT="1")

    assert "That did not work" in desktop.run(server)
    ended = [event for event in server.log_text().splitlines() if '"/oauth/revoke"' in event]
    assert ended


def test_reinstall(server, desktop):
    """P-12 after a removal and a new installation the app asks for a sign-in, on a real keyring"""
    desktop.sign_in(server)
    assert "6 jobs" in desktop.run(server)
    assert desktop.slots() == {"session", "seen", "key"}

    shutil.rmtree(desktop.app_data)

    assert "That did not work" in desktop.run(server)
    assert "session" not in desktop.slots()
    server.advance(61)
    first = desktop.sign_in(server)
    assert session_of(desktop.run(server)) == session_of(first)


def test_data_folder_unreadable(server, desktop):
    """L-21 an unreadable data folder does not count as a reinstall, and the session stays"""
    first = desktop.sign_in(server)
    name = desktop.app_data / "install"
    name.rename(desktop.app_data / "aside")
    name.mkdir()
    assert "storageUnavailable" in desktop.run(server)
    name.rmdir()
    (desktop.app_data / "aside").rename(name)

    assert session_of(desktop.run(server)) == session_of(first)


def test_item_without_a_name(server, desktop):
    """L-26 a session that an earlier version stored without an installation name still opens"""
    first = desktop.sign_in(server)
    for slot in desktop.slots():
        version, _, text = desktop.stored(slot).split("\n", 2)
        assert version == "1"
        desktop.store(slot, text)

    assert session_of(desktop.run(server)) == session_of(first)


def test_many_processes(server, desktop):
    """L-22 processes of one person renew one after the other, and all of them continue"""
    first = desktop.sign_in(server)
    server.advance(3600)

    # Several processes, because some end while their other threads still work.
    apps = [desktop.sample(server) for _ in range(8)]
    results = [(*app.communicate("", timeout=60), app.returncode) for app in apps]

    for output, errors, status in results:
        assert status == 0, (status, output, errors)
        assert session_of(output) == session_of(first) and "6 jobs" in output


@pytest.mark.parametrize("has_bus", [True, False])
def test_no_keyring(server, tmp_path, has_bus):
    """L-34 without a Secret Service the session is not stored, and the sample says so"""
    desktop = Desktop(tmp_path, has_bus=has_bus)
    try:
        output = desktop.sign_in(server)
    finally:
        desktop.close()

    assert "not kept" in output and "6 jobs" in output
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"access_token" not in path.read_bytes(), path


# MARK: Sign-in at a provider


@pytest.fixture
def provider():
    provider = MisbehavingProvider()
    provider.claims = {"phone_number": "+4790003333", "phone_number_verified": True}
    yield provider
    provider.close()


@pytest.fixture
def provider_server(new_server, provider, tmp_path):
    settings = configuration(tmp_path, {
        "name": "login", "issuer": provider.issuer, "label": "Example login",
        "role": "technician", "end_provider_session": True})
    settings["clients"][1] |= {
        "providers": ["login"], "redirect_uris": [REGISTERED],
        "scopes": ["openid", "offline_access", "account", "jobs"]}
    server = new_server().start(settings)
    yield server
    server.close()


def begin(desktop, server):
    """The sample that waits for the browser, and the address that it opened."""
    app = desktop.sample(server, PROVIDER="login")
    lines = [app.stdout.readline().strip() for _ in range(2)]
    assert lines[0] == "Providers: Example login", lines
    assert lines[1].startswith(f"Open {server.base}/oauth/authorize?"), lines
    return app, lines[1].removeprefix("Open ")


def browse(server, address):
    """Signs in at the provider; returns where the browser comes back to the app."""
    opened = server.get(address.removeprefix(server.base))
    answer = visit(server, opened["Location"], opened["Set-Cookie"].split(";")[0])
    assert answer.status == 303, answer
    secret(query(answer["Location"]).get("code"))
    return answer["Location"]


def test_provider(provider_server, desktop):
    """P-02 the client opens a browser for a sign-in at a provider, and resumes"""
    app, address = begin(desktop, provider_server)
    output, errors = app.communicate(browse(provider_server, address) + "\n", timeout=60)
    assert app.returncode == 0 and "jobs" in output, (output, errors)
    assert session_of(desktop.run(provider_server)) == session_of(output)


def test_provider_sign_out(provider_server, provider, desktop):
    """P-10 a sign-out returns the address at which the person signs out of the provider"""
    app, address = begin(desktop, provider_server)
    app.communicate(browse(provider_server, address) + "\n", timeout=60)
    output = desktop.run(provider_server, SIGN_OUT="1")
    page = output.split("Sign out at ")[1].strip()
    assert page.startswith(provider.issuer + "/logout?"), output
    assert query(page) == {
        "client_id": "fieldpass", "state": "technician-app",
        "post_logout_redirect_uri": provider_server.base + "/oauth/signed-out"}
    # The app has a port on loopback that is not known any more.
    back = provider_server.get("/oauth/signed-out?state=technician-app")
    assert back.status == 200 and b"href" not in back.body, back


def test_provider_after_kill(provider_server, desktop):
    """L-27 L-47 a sign-in in the browser is completed after the app was killed"""
    app, address = begin(desktop, provider_server)
    app.kill()
    app.communicate()
    assert "pending-sign-in" in desktop.slots()
    result = browse(provider_server, address)

    output = desktop.run(provider_server, PROVIDER="login", RESUME=result)
    session_of(output)
    assert "pending-sign-in" not in desktop.slots()
    # The result is used, and the person stays signed in.
    again = desktop.run(provider_server, PROVIDER="login", RESUME=result)
    assert session_of(again) == session_of(output)


def test_provider_refused(provider_server, provider, desktop):
    """P-03 the client says why a sign-in at a provider failed; a foreign result is not used"""
    app, _ = begin(desktop, provider_server)
    output, _ = app.communicate(f"{DONE}?code=a&state=b\n", timeout=60)
    assert "That did not work: The sign-in took too long" in output, output
    provider.fault = "authorize denied"
    app, address = begin(desktop, provider_server)
    output, _ = app.communicate(browse(provider_server, address) + "\n", timeout=60)
    assert "That did not work: The sign-in was cancelled." in output, output
    assert "pending-sign-in" not in desktop.slots()
