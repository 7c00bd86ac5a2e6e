"""After an erasure only an identifier of a person is left, in the security log."""
import json
import subprocess

from device import Device
from harness import ADMINISTRATOR, BINARY, Person, account, secret, shown
from test_wire_administration import send

NINA = Person("wilhelmina@example.com", secret("correct horse battery"), "+15550109123")
NAME = "Wilhelmina Aaseth"
OLD = "+15550109124"
MARKS = (NAME, "Wilhelmina", NINA.email, "wilhelmina", NINA.phone, OLD, NINA.phone[1:])


def traces(server):
    """The texts about the person that the log or a file of the data folder still contains.

    The development inbox is left out, because it has the place of phones and mailboxes.
    """
    found = set()
    files = [path for path in server.data.rglob("*")
             if path.is_file() and path.name != "inbox.jsonl"]
    texts = [path.read_bytes() for path in files] + [server.log_text().encode()]
    for mark in MARKS:
        if any(mark.encode() in text or mark.encode("utf-16-le") in text for text in texts):
            found.add(mark)
    return found


def create_person_with_data(server, admin):
    """Creates a person who signs in, changes the number, requests a reset and has a product."""
    made = send(admin, "POST", "/admin/accounts", {
        "name": NAME, "role": "owner", "email": NINA.email, "phone_number": OLD,
        "password": NINA.password}, key="once")
    assert made.status == 201
    path = f"/admin/accounts/{made.json['id']}"
    Device(server, client="product-app").sign_in(Person(NINA.email, NINA.password, OLD))
    assert send(admin, "PATCH", path, {"phone_number": NINA.phone}).status == 200
    server.advance(61)
    device = Device(server, client="product-app")
    device.sign_in(NINA)
    added = send(admin, "POST", "/admin/products", {"owner": NINA.email, "products": [
        {"id": "erased-1", "name": "Kettle", "model": "K", "serial_number": "1",
         "category": "kitchen"}]})
    assert added.status == 201
    server.advance(61)
    server.post("/password/forgot", document={
        "client_id": "product-app", "username": NINA.email})
    # A code is waiting, or was sent just now.
    Device(server, client="product-app").login(NINA.email, NINA.password)
    return made.json["id"], device


def test_export(server):
    """T-16 an export contains what is stored about a person, and no one else's data"""
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    number, device = create_person_with_data(server, admin)

    exported = send(admin, "GET", f"/admin/accounts/{number}/export")

    assert exported.status == 200
    assert exported.json["account"]["email"] == NINA.email
    assert {entry["ended_because"] for entry in exported.json["sessions"]
            if "ended_because" in entry} == {"revoked"}
    assert {entry["id"] for entry in exported.json["products"]} == {"erased-1"}
    assert {NINA.phone, OLD} <= {entry["to"] for entry in exported.json["messages"]}
    assert "account.changed" in {entry["code"] for entry in exported.json["events"]}
    assert "tech@example.com" not in exported.body.decode()
    by_command = json.loads(account(server, "export", NINA.email).stdout)
    assert by_command["account"] == exported.json["account"]
    assert device.api("/api/me").status == 200


def test_erasure(server, tmp_path):
    """T-16 after an erasure no byte of name, address or number is left; the app is signed out"""
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    number, device = create_person_with_data(server, admin)
    assert traces(server)

    erased = send(admin, "DELETE", f"/admin/accounts/{number}")

    assert erased.status == 204
    assert traces(server) == set()
    assert device.refresh().json["reason"] == "account_deactivated"
    assert device.api("/api/me").status == 401
    assert send(admin, "GET", f"/admin/accounts/{number}").status == 404
    events = send(admin, "GET", f"/admin/events?account={number}").json["events"]
    assert events[0]["code"] == "account.erased"
    verified = subprocess.run(
        [BINARY, "events", "verify", "--data", server.data], capture_output=True, text=True,
        timeout=30)
    assert verified.returncode == 0 and "unbroken" in verified.stdout
    # Nothing returns when the server stops and starts again.
    assert server.stop() == 0
    assert traces(server) == set()
    server.start()
    # The e-mail address can be used again.
    again = send_again(server)
    assert again["id"] != number


def send_again(server):
    return shown(account(
        server, "create", "--role", "owner", "--name", "Other", "--email", NINA.email,
        "--phone", NINA.phone, "--json"))


def test_erasure_by_command(server):
    """T-16 a command erases an account while the server runs"""
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    number, _ = create_person_with_data(server, admin)

    done = account(server, "erase", NINA.email)

    assert done.returncode == 0, done.stderr
    assert traces(server) == set()
    listed = subprocess.run(
        [BINARY, "events", "list", "--data", server.data, "--account", number],
        capture_output=True, text=True, timeout=30)
    assert "account.erased" in listed.stdout
    unknown = subprocess.run(
        [BINARY, "events", "list", "--data", server.data, "--account", NINA.email],
        capture_output=True, text=True, timeout=30)
    assert unknown.returncode == 2 and "there is no account" in unknown.stderr
