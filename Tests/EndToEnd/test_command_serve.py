"""What `serve` reports before it starts: mistakes, help and folders."""
import hashlib
import json
import os
import re
import socket
import subprocess

import pytest

from harness import BINARY, ROOT, account
from production import ConfiguredServer, write_certificate


def fieldpass(*arguments, folder=None, environment=None):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=30,
                          cwd=folder, env=environment)


def reported(run):
    """The reported mistakes, one line each; a hint follows each of them."""
    lines = [line for line in run.stderr.splitlines() if "fieldpass: warning: " not in line]
    assert all(line.startswith("hint: ") for line in lines[1::2]), run.stderr
    return [line.removeprefix("fieldpass: error: ") for line in lines[::2]]


@pytest.fixture
def check(production, tmp_path):
    """Runs `serve --check` with a changed production configuration."""
    def run(*arguments, **changes):
        path = tmp_path / "configuration.json"
        path.write_text(json.dumps(production | changes))
        return fieldpass("serve", "--check", "--config", path, "--data", tmp_path / "data",
                         *arguments)
    return run


def test_no_mistake(check, tmp_path):
    """P-09 --check of a correct configuration exits with 0, and starts and creates nothing"""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        run = check(listen=f"127.0.0.1:{taken.getsockname()[1]}")

    assert run.returncode == 0, run
    assert run.stdout == "the configuration and the files it names have no mistakes\n"
    assert "fieldpass: warning: no messenger is configured" in run.stderr
    assert not (tmp_path / "data").exists()


def test_all_mistakes(check, tmp_path):
    """P-09 one run reports all mistakes in the configuration, its files and its folders"""
    (tmp_path / "key.pem").write_text("no key")
    (tmp_path / "key.pem").chmod(0o644)
    (tmp_path / "data").write_text("no folder")
    hook = {"kind": "webhook", "url": "https://sms.example.com/"}

    run = check(
        "--web", tmp_path / "web", issuer="https://login.example.com/fieldpass", colour="red",
        tls={"certificate": str(tmp_path / "missing.pem"), "key": str(tmp_path / "key.pem")},
        breached_passwords_file=str(tmp_path / "breached"),
        messengers=[hook | {"name": "one", "secret_file": str(tmp_path / "secret")},
                    hook | {"name": "two", "secret_env": "FIELDPASS_NOT_SET"}])

    assert run.returncode == 1 and run.stdout == ""
    wrong = reported(run)
    for part in ["`issuer` has a path", "`colour` is an unknown key", "tls.key: other users can read",
                 "missing.pem`: No such file", "key.pem` contains no private key",
                 "messenger `one`: cannot read", "messenger `two`: the variable",
                 "breached`", "data` is not a folder", "no web apps in"]:
        assert sum(part in line for line in wrong) == 1, (part, wrong)
    assert len(wrong) == 10, wrong


@pytest.mark.parametrize("store, expected", [
    (7, "is a number where text is expected"), ("sqlite:", "names no folder"),
    ("postgres://db/fieldpass", "names a server in a text"),
    ("/var/lib", "is not the location of a store"),
])
def test_store(check, store, expected):
    """P-09 a store that this version cannot use is refused, and the hint names one that it can"""
    run = check(store=store)

    assert run.returncode == 1 and reported(run) == [f"`store` {expected}"]
    assert "hint: write sqlite: and a folder, such as sqlite:/var/lib/fieldpass, or" in run.stderr


def test_started_with_mistakes(production, tmp_path):
    """P-09 a start reports the same mistakes as --check, all at once"""
    path = tmp_path / "configuration.json"
    path.write_text(json.dumps(production | {"colour": "red"}))
    arguments = ("serve", "--config", path, "--data", tmp_path / "data", "--web", tmp_path / "web")

    started, checked = fieldpass(*arguments), fieldpass(*arguments, "--check")

    assert started.returncode == checked.returncode == 1
    assert len(reported(started)) == 2 and reported(started) == reported(checked)


def write_pair(folder, **changes):
    certificate, key = write_certificate(folder, **changes)
    return {"certificate": str(certificate), "key": str(key)}


@pytest.mark.parametrize("changes, expected", [
    ({"first": -9, "last": -2}, "tls.certificate expired at 20"),
    ({"first": 2, "last": 9}, "tls.certificate is not valid before 20"),
    ({"host": "other.example.com"}, "tls.certificate does not cover login.example.com"),
])
def test_certificates(check, tmp_path, changes, expected):
    """P-09 a certificate that no app would trust is refused before the start"""
    run = check(tls=write_pair(tmp_path, **changes))

    assert run.returncode == 1 and [expected in line for line in reported(run)] == [True]


@pytest.mark.parametrize("days, is_warned", [(9, True), (20, True), (22, False)])
def test_certificate_that_ends(check, tmp_path, days, is_warned):
    """P-09 --check warns of a certificate that ends soon"""
    run = check(tls=write_pair(tmp_path, last=days))

    assert run.returncode == 0, run
    assert ("the certificate in use expires in" in run.stderr) == is_warned, run.stderr


@pytest.mark.parametrize("owner, group, mode, is_accepted", [
    (0, os.getegid(), 0o440, True), (0, os.getegid(), 0o640, os.geteuid() != 0), (0, 65534, 0o440, False),
    (0, os.getegid(), 0o444, False), (0, os.getegid(), 0o460, False),
    (65534, os.getegid(), 0o440, False), (0, 65534, 0o400, True)])
def test_secret_of_the_group(check, tmp_path, owner, group, mode, is_accepted):
    """P-09 a secret may belong to root and be readable for the server's group, and for no other user"""
    secret = tmp_path / "secret"
    secret.write_text("s" * 40)
    secret.chmod(mode)
    os.chown(secret, owner, group)
    run = check(messengers=[{"name": "one", "kind": "webhook", "url": "https://sms.example.com/",
                             "secret_file": str(secret)}])

    assert (run.returncode == 0) == is_accepted, run
    # A command of root takes the rights of the file's owner, who may not enter this test's folder.
    is_refused = "other users can read" in run.stderr or "Permission denied" in run.stderr
    assert is_refused == (not is_accepted)


SECRET = "s" * 40
HIDDEN = "has an invisible character"


@pytest.mark.parametrize("place, text, expected", [
    (place, text, expected) for text, expected in [
    ("\ufeff" + SECRET + " \r\n", None), ("\ufeff\ufeff" + SECRET, HIDDEN),
    (SECRET + "\ufeff" + SECRET, HIDDEN), (SECRET + "\u200b\n", HIDDEN), (SECRET + "\0", HIDDEN),
    (SECRET + "\0" + SECRET, HIDDEN), (SECRET + "\n" + SECRET + "\n", "has several lines"),
    ("\n" + SECRET, "has several lines")]
    for place in ("file", "env") if place == "file" or "\0" not in text])
def test_invisible_secret(check, tmp_path, monkeypatch, place, text, expected):
    """L-54 a secret that differs from what an editor shows is refused by name"""
    file = tmp_path / "secret"
    file.write_bytes(text.encode())
    file.chmod(0o600)
    if place == "env":
        monkeypatch.setenv("HOOK_SECRET", text)
    where = {"secret_file": str(file)} if place == "file" else {"secret_env": "HOOK_SECRET"}
    run = check(messengers=[{"name": "one", "kind": "webhook", "url": "https://sms.example.com/"}
                            | where])

    if expected is None:
        assert run.returncode == 0, run
        return
    assert run.returncode == 1 and SECRET not in run.stderr
    name = f"`{file}`" if place == "file" else "the variable `HOOK_SECRET`"
    assert [line for line in reported(run) if f"{name} {expected}" in line] == reported(run)


def test_authorities(check, tmp_path, production):
    """P-09 authorities_file names a PEM file with certificates"""
    empty = tmp_path / "empty.pem"
    empty.write_text("")

    assert "contains no certificate" in reported(check(authorities_file=str(empty)))[0]
    assert "authorities_file: cannot read" in reported(check(authorities_file="/none.pem"))[0]
    right = check(authorities_file=production["tls"]["certificate"])
    assert right.returncode == 0, right


def test_database(check, tmp_path, production, monkeypatch):
    """P-09 --check reads the password of a database and the authorities of its certificate"""
    secret, empty = tmp_path / "password", tmp_path / "empty"
    secret.write_text("s3cret")
    secret.chmod(0o600)
    empty.write_text("\n")
    empty.chmod(0o600)
    shown = tmp_path / "shown"
    shown.write_text("s3cret")
    shown.chmod(0o644)
    monkeypatch.setenv("EMPTY_PASSWORD", "")
    monkeypatch.delenv("NO_PASSWORD", raising=False)

    def run(**changes):
        return check(store={"kind": "postgres", "host": "db.example.com", "database": "fieldpass",
                            "user": "fieldpass", "folder": str(tmp_path / "data")} | changes)

    for changes, expected in [
            ({"password_env": "NO_PASSWORD"}, "the variable `NO_PASSWORD` is not set"),
            ({"password_env": "EMPTY_PASSWORD"}, "its secret is empty"),
            ({"password_file": str(tmp_path / "none")}, "cannot read"),
            ({"password_file": str(empty)}, "its secret is empty"),
            ({"password_file": str(shown)}, "other users can read"),
            ({"authorities_file": "nope.pem"}, "store.authorities_file: cannot read"),
            ({"authorities_file": str(empty)}, "store.authorities_file: `")]:
        refused = run(**changes)
        assert refused.returncode == 1 and [expected in line for line in reported(refused)] == [True]
    right = run(password_file=str(secret), authorities_file=production["tls"]["certificate"])
    assert right.returncode == 0, right


def test_warnings_at_a_start(production, tmp_path):
    """R-08 the warnings of a start are in the log with the level warning"""
    server = ConfiguredServer(tmp_path / "data").begin(production)
    lines = [json.loads(line) for line in server.log_text().splitlines() if line.startswith("{")]
    server.close()

    levels = {line["what"]: line["level"] for line in lines}
    assert levels["no messenger is configured: no code can be sent"] == "warning"


def test_key_of_another_certificate(check, tmp_path, production):
    """P-09 a key that does not belong to the certificate is refused before the start"""
    pair = write_pair(tmp_path)

    run = check(tls=production["tls"] | {"key": pair["key"]})

    assert run.returncode == 1
    assert reported(run) == ["tls.key and tls.certificate are not a pair"]


def test_certificate_behind_a_proxy(check, tmp_path):
    """Behind a proxy a certificate may have another name; the start warns of it"""
    run = check(tls=write_pair(tmp_path, host="inner.example.com"), trusted_proxies=["127.0.0.1"])

    assert run.returncode == 0
    assert "warning: tls.certificate does not cover login.example.com" in run.stderr


def test_unknown_scope(check, production):
    """P-09 the start warns of a scope that no route has, because it may belong to another API"""
    client = production["clients"][0] | {"scopes": ["openid", "jobz"]}

    run = check(clients=[client])

    assert run.returncode == 0
    assert "warning: `jobz` in the scopes of" in run.stderr


@pytest.mark.parametrize("text, expected", [
    (None, "numbers`: No such file"), ("+919800000001\n\n98000\n", "numbers` line 3 is no phone number"),
])
def test_registration_numbers(check, production, tmp_path, text, expected):
    """P-09 a list of numbers that cannot be read, or a line that is no number, is reported"""
    if text is not None:
        (tmp_path / "numbers").write_text(text)
    client = production["clients"][0] | {
        "sign_in": "phone_code", "roles": ["rider"], "default_country": "+91",
        "allow_registration": True, "registration_approval": "list",
        "registration_numbers_file": str(tmp_path / "numbers")}

    run = check(clients=[client])

    assert run.returncode == 1
    assert sum(expected in line for line in reported(run)) == 1, run.stderr


def test_example(tmp_path):
    """P-09 the documented example has no mistake once its secret file exists"""
    text = (ROOT / "docs/examples/configuration.json").read_text()
    (tmp_path / "configuration.json").write_text(text)
    arguments = ("serve", "--check", "--config", "configuration.json")

    without = fieldpass(*arguments, folder=tmp_path)
    secret = tmp_path / "webhook-secret"
    secret.write_text("a secret of the gateway")
    secret.chmod(0o600)
    run = fieldpass(*arguments, folder=tmp_path)

    assert without.returncode == 1 and len(reported(without)) == 1
    assert "webhook-secret" in without.stderr
    assert run.returncode == 0, run.stderr


def test_relative_paths(production, tmp_path):
    """P-09 relative paths in a configuration start at its folder, for every command"""
    folder = tmp_path / "etc"
    folder.mkdir()
    write_certificate(folder)
    (folder / "breached").write_text(f"{'0' * 40}:1\n")
    members = production | {
        "store": "sqlite:state", "breached_passwords_file": "breached",
        "tls": {"certificate": "certificate.pem", "key": "certificate-key.pem"},
        "organizations": [{"id": "north", "name": "North"}]}
    (folder / "configuration.json").write_text(json.dumps(members))
    config = ("--config", "etc/configuration.json")

    process = subprocess.Popen([BINARY, "serve", *config], cwd=tmp_path, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout.readline().startswith("listening on https://127.0.0.1:")
        created = fieldpass(
            "account", "create", *config, "--role", "mentor", "--name", "Ole", "--email",
            "ole@example.com", "--phone", "+4790000009", "--organization", "north", folder=tmp_path)
        unknown = fieldpass(
            "account", "create", *config, "--role", "mentor", "--name", "Ola", "--email",
            "ola@example.com", "--phone", "+4790000008", "--organization", "west", folder=tmp_path)
        shown = fieldpass("account", "list", *config, "--json", folder=tmp_path)
        log = fieldpass("events", "list", *config, "--limit", "1", folder=tmp_path)
        costs = fieldpass("messages", "cost", *config, folder=tmp_path)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()

    assert (folder / "state" / "fieldpass.db").exists()
    assert created.returncode == 0, created
    assert unknown.returncode == 2 and "organizations" in unknown.stderr, unknown
    assert [e["name"] for e in json.loads(shown.stdout)["accounts"]] == ["Ole"]
    assert "account." in log.stdout and json.loads(log.stdout)
    assert costs.returncode == 0 and costs.stdout.startswith("messenger\t")


def test_organization_without_configuration(server):
    """T-16 an organization is refused if no configuration defines it"""
    creation = ("create", "--role", "mentor", "--name", "Ole", "--email", "ole@example.com",
                "--phone", "+4790000009", "--organization")

    unknown = account(server, *creation, "north")
    wrong = account(server, *creation, "nowhere", "--development")
    right = account(server, *creation, "north", "--development")

    assert unknown.returncode == 64 and "--config" in unknown.stderr
    assert wrong.returncode == 2 and "organizations" in wrong.stderr
    assert right.returncode == 0, right


def test_breached_password(server, tmp_path):
    """T-16 a password from the list of breached passwords is refused, as over HTTP"""
    password = "correct horse battery staple"
    digest = hashlib.sha1(password.encode()).hexdigest().upper()
    (tmp_path / "breached").write_text(f"{digest}:9\n")
    (tmp_path / "password").write_text(password)
    (tmp_path / "password").chmod(0o600)
    config = tmp_path / "configuration.json"
    config.write_text(json.dumps({"breached_passwords_file": "breached"}))

    run = account(server, "create", "--config", config, "--role", "technician", "--name", "Nina",
                  "--email", "nina@example.com", "--phone", "+15550109999",
                  "--password-file", tmp_path / "password")

    assert run.returncode == 2 and "password" in run.stderr, run


def test_listening(production, tmp_path):
    """The first line is the listening address, with the port that the system chose"""
    server = ConfiguredServer(tmp_path / "production")
    path = server.data.with_suffix(".json")
    path.write_text(json.dumps(production | {"listen": "127.0.0.1:0"}))
    line = server.launch("--config", str(path))
    found = re.fullmatch(r"listening on https://127\.0\.0\.1:([0-9]+)", line)

    assert found and int(found[1]) != 0, line
    server.port = int(found[1])
    server.base = production["issuer"]
    server.certificate_file = production["tls"]["certificate"]
    assert server.get("/.well-known/openid-configuration").json["issuer"] == production["issuer"]
    server.close()


COMMANDS = [
    ["serve"], ["account"], ["events"], ["events", "list"], ["events", "verify"], ["messages"],
    ["messages", "send"], ["messages", "cost"], ["keys"], ["keys", "create"], ["keys", "rotate"],
    ["backup"], ["restore"], ["migrate"], ["demo"], ["demo", "remove"], ["openapi"], ["help"], ["version"],
    *(["account", verb] for verb in (
        "create", "list", "show", "deactivate", "reactivate", "approve", "reject", "unlock",
        "reset", "invite", "approve-reset")),
]


@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help(command, option):
    """Every command prints its usage on standard output and exits with 0"""
    run = fieldpass(*command, option)

    assert run.returncode == 0 and run.stderr == ""
    assert f"fieldpass {command[0]}" in run.stdout
    assert command[-1] in run.stdout


def test_help_lists_every_command():
    """The help names every command, and an unknown command has no help"""
    text = fieldpass("help").stdout

    assert all(f"fieldpass {command[0]}" in text for command in COMMANDS)
    assert fieldpass("frob", "--help").returncode == 64
