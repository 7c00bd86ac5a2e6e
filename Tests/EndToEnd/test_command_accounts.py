"""`fieldpass account`: what operators do with a shell while the server runs."""
import concurrent.futures
import subprocess

import pytest

from device import Device
from harness import BINARY, TECHNICIAN, Person, account, secret, shown

NINA = Person("nina@example.com", secret("correct horse battery"), "+15550109999")
CREATE = ("create", "--role", "technician", "--name", "Nina", "--email", NINA.email,
          "--phone", NINA.phone)


def test_whole_life(server):
    """T-16 an operator creates, deactivates and reactivates a technician while the server runs"""
    made = shown(account(server, *CREATE, "--json", "--password-file", "-",
                         typed=NINA.password + "\n"))
    device = Device(server)
    device.sign_in(NINA)

    deactivated = shown(account(server, "deactivate", "--json", NINA.email))
    assert (deactivated["id"], deactivated["status"]) == (made["id"], "deactivated")
    assert device.api("/api/me").status == 401
    assert device.refresh().json["reason"] == "account_deactivated"

    assert shown(account(server, "reactivate", "--json", made["id"]))["status"] == "active"
    server.advance(61)
    Device(server).sign_in(NINA)


def test_password_file(server, tmp_path):
    """T-14 a password comes from a file that only the operator can read, and is never printed"""
    file = tmp_path / "password"
    file.write_text(NINA.password + "\nsecond line\n")
    file.chmod(0o644)
    open_to_all = account(server, *CREATE, "--password-file", file)
    file.chmod(0o600)
    made = account(server, *CREATE, "--password-file", file)

    assert open_to_all.returncode == 1 and "chmod 600" in open_to_all.stderr
    assert made.returncode == 0
    for text in (open_to_all.stderr, made.stdout, made.stderr):
        assert NINA.password not in text
    Device(server).sign_in(NINA)


@pytest.mark.parametrize("encoding, hint", [("utf-8-sig", None), ("utf-16", "save it as UTF-8")])
def test_password_file_with_a_mark(server, tmp_path, encoding, hint):
    """L-54 the byte order mark of an editor belongs to no password, and UTF-16 is refused by name"""
    file = tmp_path / "password"
    file.write_bytes((NINA.password + "\r\n").encode(encoding))
    file.chmod(0o600)

    made = account(server, *CREATE, "--password-file", file)

    if hint:
        assert made.returncode == 1 and hint in made.stderr
    else:
        assert made.returncode == 0
        Device(server).sign_in(NINA)


def test_first_password(server):
    """T-11 and T-16 an account without a password gets its first one through Forgot password"""
    made = shown(account(server, *CREATE, "--json"))
    assert made["has_password"] is False

    started = server.post("/password/forgot", document={
        "client_id": "technician-app", "username": NINA.email})
    done = server.post("/password/reset", document={
        "reset_session": secret(started.json["reset_session"]), "otp": server.code(NINA.phone),
        "password": NINA.password})

    assert (started.status, done.status) == (200, 204)
    server.advance(61)
    Device(server).sign_in(NINA)


def test_pending_rider(server):
    """R-11 an operator approves a pending rider, or rejects one"""
    rejected = shown(account(server, "reject", "--json", "pending-rider"))
    approved = shown(account(server, "approve", "--json", "pending-rider"))
    refused = account(server, "reject", "pending-rider")

    assert (rejected["status"], approved["status"]) == ("rejected", "active")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.startswith("fieldpass: error: the account is active")
    assert "\nhint: " in refused.stderr


def test_without_phone(server):
    """T-16 an operator creates an account without a phone number, and adds a number later"""
    made = shown(account(server, *CREATE[:-2], "--json"))
    table = account(server, "list", "--query", NINA.email).stdout.splitlines()
    invited = account(server, "invite", NINA.email)
    added = shown(account(server, "edit", "--phone", NINA.phone, "--json", NINA.email))

    assert "phone_number" not in made
    assert table[1].split()[3:] == ["-", NINA.email, "Nina"]
    assert invited.returncode == 2 and "no phone_number" in invited.stderr
    assert added["phone_number"] == NINA.phone


@pytest.mark.parametrize("verb", ["unlock", "reset"])
def test_lockout(server, verb):
    """T-05 an operator ends a lockout"""
    for guess in range(5):
        Device(server).login(TECHNICIAN.email, f"wrong-guess-{guess}")
    assert Device(server).login(*TECHNICIAN.credentials.values()).error == "account_locked"
    assert shown(account(server, "show", "--json", TECHNICIAN.email))["failures_in_row"] == 5

    opened = shown(account(server, verb, "--json", TECHNICIAN.email))

    assert opened["failures_in_row"] == 0
    error = Device(server).login(*TECHNICIAN.credentials.values()).error
    expected = "insufficient_authorization" if verb == "unlock" else "invalid_credentials"
    assert error == expected


def test_list(server):
    """T-16 accounts are listed in columns for people and as JSON for programs"""
    table = account(server, "list", "--role", "rider").stdout.splitlines()
    document = shown(account(server, "list", "--query", "+91 98123", "--json"))

    assert table[0].split() == ["ID", "STATUS", "ROLE", "PHONE", "EMAIL", "NAME"]
    assert {line.index("rider ", 20) for line in table[1:]} == {table[0].index("ROLE")}
    assert {entry["id"] for entry in document["accounts"]} == {"rider", "pending-rider"}


@pytest.mark.parametrize("arguments, status, words", [
    (("frob",), 64, "has no verb"),
    (("show",), 64, "needs one ACCOUNT"),
    (("list", "rider"), 64, "takes no ACCOUNT"),
    (("list", "--password", "x"), 64, "does not take"),
    (("list", "--status"), 64, "needs a value"),
    (("list", "--status", "odd"), 64, "no status"),
    (("create", "--role", "king", "--name", "x", "--phone", "+15550109999"), 64, "no role"),
    (("create", "--role", "rider", "--name", "x", "--phone", "1"), 64, "phone number"),
    (("create", "--role", "rider"), 64, "needs --role"),
    (("create", "--role", "rider", "--name", "x"), 64, "phone number is missing"),
    (("edit", "--phone", "+15550109999", "--remove-phone", "x"), 64, "both given and removed"),
    (("edit", "--remove-phone", TECHNICIAN.email), 2, "no identity"),
    (("show", "unknown"), 2, "no such account"),
    (("show", "--", "--unknown"), 2, "no such account"),
    (("approve", "former-technician"), 2, "deactivated"),
    ((*CREATE[:-1], TECHNICIAN.phone), 2, "phone_number"),
])
def test_mistakes(server, arguments, status, words):
    """Each mistake has its exit status, and the message says what to do"""
    result = account(server, *arguments)

    assert result.returncode == status, result
    assert result.stdout == ""
    assert result.stderr.startswith("fieldpass: error: ") and words in result.stderr
    assert "\nhint: " in result.stderr


def test_no_database(tmp_path):
    """A folder without a database is not changed"""
    result = subprocess.run([BINARY, "account", "list", "--data", tmp_path / "typo"],
                            capture_output=True, text=True, timeout=30)

    assert result.returncode == 1 and "there is no database" in result.stderr
    assert not (tmp_path / "typo").exists()


def test_beside_the_server(server):
    """T-16 eight operators and a server that signs people in do not disturb each other"""
    def create(number):
        return account(server, "create", "--role", "rider", "--name", f"Rider {number}",
                       "--phone", f"+9198123450{number:02}")

    with concurrent.futures.ThreadPoolExecutor(9) as pool:
        commands = [pool.submit(create, number) for number in range(16)]
        Device(server).sign_in(TECHNICIAN)
        results = [command.result() for command in commands]

    assert [result.returncode for result in results] == [0] * 16
