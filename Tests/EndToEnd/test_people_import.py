"""`fieldpass account import` and `edit`."""
import json
import time

from device import Device
from harness import Person, account, secret, shown

HEADER = "name,role,email,phone_number,organizations,password_hash\n"
# The bcrypt hash of "correct horse battery", with cost 8.
BCRYPT = "$2b$08$wH8d9fTq3mZ5yR1kL7vN2uI6JiVSmptuH5KwkMy3wCipov4rQmm/K"


def accounts(server, path, *options):
    return account(server, "import", "--development", *options, path)


def test_mistakes(server, tmp_path):
    """Every mistake of a file is reported with line and column, and nothing is written"""
    file = tmp_path / "people.csv"
    file.write_text(
        HEADER + "Nina,technician,nina@example.com,+15550107100,north,\n"
        + "Ola,technician,ola,15550107101,east,secret-hash\n"
        + "Kari,technician,tech@example.com,+15550107102,north,\n")

    refused = accounts(server, file)

    assert refused.returncode == 2 and "nothing was imported" in refused.stderr
    for place in (":3:3: email:", ":3:4: phone_number:", ":3:5: organizations:",
                  ":3:6: password_hash:", ":4: email: an account has this address already"):
        assert place in refused.stderr, place
    assert "secret-hash" not in refused.stderr
    assert "the organization `east` is not configured; configured: north, south" in refused.stderr
    assert "5 mistakes" in refused.stderr and "--skip-existing" in refused.stderr
    mistakes = json.loads(accounts(server, file, "--json").stdout)["mistakes"]
    assert {(entry["line"], entry.get("column")) for entry in mistakes} >= {(3, 3), (3, 4), (3, 5)}
    assert account(server, "show", "nina@example.com").returncode == 2


def test_semicolons(server, tmp_path):
    """A table with semicolons is refused once, and the message says what to write"""
    file = tmp_path / "people.csv"
    file.write_text(HEADER.replace(",", ";") + "Nina;technician;;+15550107100;north;\n")

    refused = accounts(server, file)

    assert refused.stderr.count(str(file)) == 2, refused.stderr
    assert ":1:1: the first row has semicolons; write commas" in refused.stderr


def test_no_configuration(server, tmp_path):
    """Without a configuration one mistake says that no organization is known"""
    file = tmp_path / "people.csv"
    rows = [f"Nina,technician,n{row}@example.com,+1555010710{row},north," for row in range(3)]
    file.write_text(HEADER + "\n".join(rows) + "\n")

    refused = account(server, "import", file)

    assert refused.returncode == 2
    assert refused.stderr.count("name the configuration with --config") == 1, refused.stderr


def test_hash(server, tmp_path):
    """A person with an imported bcrypt hash signs in and then has an Argon2id hash"""
    nina = Person("nina@example.com", secret("correct horse battery"), "+15550107100")
    file = tmp_path / "people.csv"
    file.write_text(HEADER + f"Nina,technician,{nina.email},{nina.phone},north,{BCRYPT}\n")
    assert accounts(server, file, "--dry-run").stdout == "1 account can be imported\n"
    assert account(server, "show", nina.email).returncode == 2
    done = accounts(server, file)
    assert done.stdout.startswith("1 account created"), done.stderr

    wrong = Device(server).login(nina.email, "correct horse batterz")
    assert wrong.json["error"] == "invalid_credentials"
    Device(server).sign_in(nina)
    server.advance(61)
    Device(server).sign_in(nina)

    again = accounts(server, file)
    assert again.returncode == 2 and "already" in again.stderr
    assert "--skip-existing" in again.stderr
    assert "1 skipped" in accounts(server, file, "--skip-existing").stdout


def test_many(server, tmp_path):
    """T-16 ten thousand accounts are imported in less than a minute while the server runs"""
    file = tmp_path / "people.csv"
    with file.open("w") as lines:
        lines.write(HEADER)
        for number in range(10_000):
            hashed = BCRYPT if number % 2 else ""
            lines.write(f"Person {number},technician,p{number}@example.com,"
                        f"+1555{number + 1_000_000},north,{hashed}\n")
    began = time.monotonic()

    done = account(server, "import", "--development", "--json", file)

    assert json.loads(done.stdout)["created"] == 10_000
    assert time.monotonic() - began < 60
    assert server.get("/readyz").status == 200


def test_invited(server, tmp_path):
    """Imported people without a password get an invitation and choose a password with it"""
    nina = Person("nina@example.com", secret("correct horse battery"), "+15550107100")
    file = tmp_path / "people.csv"
    file.write_text(HEADER + f"Nina,technician,{nina.email},{nina.phone},north,\n")
    app = "http://127.0.0.1/app/technician-app/"

    done = accounts(server, file, "--invite", "--app", app, "--json")

    assert json.loads(done.stdout)["invited"] == 1, done.stderr
    text = notice(server, nina.phone)
    invitation = text.split("#invitation=")[1].split()[0]
    chosen = server.post("/password/invitation", document={
        "client_id": "technician-app", "invitation": secret(invitation),
        "password": nina.password})
    assert chosen.status == 204
    Device(server).sign_in(nina)


def notice(server, phone):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = server.get(f"/dev/messages?kind=notice&to={phone.replace('+', '%2B')}").json
        if found:
            return found[0]["text"]
        time.sleep(0.2)
    raise AssertionError("no notice came")


def test_edit(server):
    """T-16 a command changes only the named values, with the same refusals as over HTTP"""
    changed = shown(account(
        server, "edit", "--name", "Tore Hansen", "--phone", "+15550107200", "--json",
        "tech@example.com"))
    assert (changed["name"], changed["phone_number"]) == ("Tore Hansen", "+15550107200")
    assert changed["phone_number_unverified_since"] > 0
    taken = account(server, "edit", "--email", "owner@example.com", "tech@example.com")
    assert taken.returncode == 2
    assert account(server, "edit", "tech@example.com").returncode == 64
    marks = account(server, "create", "--role", "rider", "--phone", "+15550107201",
                    "--name", "Z" + "\u0301" * 60)
    assert marks.returncode == 64
