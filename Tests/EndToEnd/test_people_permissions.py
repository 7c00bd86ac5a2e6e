"""Administrators of one organization, over real sockets and by command."""
import pytest

from device import Device
from harness import ADMINISTRATOR, Person, account, secret, shown
from test_wire_administration import send

LOCAL = Person("nia@example.com", secret("north and nothing else"), "+15550107001")
OLA = ("create", "--development", "--role", "technician", "--name", "Ola Vik",
       "--email", "ola@example.com", "--phone", "+15550107002", "--organization", "south")
KARI = ("create", "--development", "--role", "technician", "--name", "Kari Moe",
        "--email", "kari@example.com", "--phone", "+15550107003", "--organization", "north")


def administrator(server, permission):
    made = account(
        server, "create", "--development", "--role", "administrator", "--name", "Nia Berg",
        "--email", LOCAL.email, "--phone", LOCAL.phone, "--organization", "north",
        "--permission", permission, "--json", "--password-file", "-", typed=LOCAL.password + "\n")
    assert made.returncode == 0, made.stderr
    device = Device(server, client="console")
    device.sign_in(LOCAL)
    return device


def test_local_administrator(server):
    """T-16 an administrator of one organization sees and changes only its accounts"""
    ola = shown(account(server, *OLA, "--json"))
    kari = shown(account(server, *KARI, "--json"))
    nia = administrator(server, "administrator:north")

    listed = send(nia, "GET", "/admin/accounts").json["accounts"]
    assert kari["id"] in {entry["id"] for entry in listed}
    assert all("north" in entry["organizations"] for entry in listed)
    for method, path, body in (
            ("GET", f"/admin/accounts/{ola['id']}", None),
            ("PATCH", f"/admin/accounts/{ola['id']}", {"name": "Other"}),
            ("DELETE", f"/admin/accounts/{ola['id']}", None),
            ("GET", f"/admin/accounts/{ola['id']}/export", None)):
        answer = send(nia, method, path, body)
        assert (answer.status, answer.json["code"]) == (404, "account_not_found"), path
    assert send(nia, "PATCH", "/admin/clients/rider-app", {"idle_seconds": 60}).status == 403
    assert send(nia, "GET", "/admin/organizations/south").status == 404
    assert send(nia, "GET", f"/admin/events?account={ola['id']}").json["events"] == []

    renamed = send(nia, "PATCH", f"/admin/accounts/{kari['id']}", {"name": "Kari Lie"})
    assert (renamed.status, renamed.json["name"]) == (200, "Kari Lie")
    both = send(nia, "PATCH", "/admin/accounts/mentor", {"name": "Other"})
    assert (both.status, both.json["code"]) == (403, "permission_denied")
    above = send(nia, "POST", "/admin/accounts", {
        "name": "Eve", "role": "administrator", "email": "eve@example.com",
        "phone_number": "+15550107004", "organizations": ["north"],
        "permissions": [{"level": "administrator"}]})
    assert (above.status, above.json["code"]) == (403, "permission_denied")


def test_product_of_two_organizations(server):
    """T-16 a product is changed and given away only with every organization of its owner"""
    owners = [
        shown(account(server, "create", "--development", "--role", "owner", "--name", name,
                      "--email", f"{name.lower()}@example.com", "--phone", phone,
                      *places, "--json"))
        for name, phone, places in (
            ("Both", "+15550107005", ("--organization", "north", "--organization", "south")),
            ("Only", "+15550107006", ("--organization", "north")))]
    product = {"name": "Fridge", "model": "F-1", "serial_number": "1", "category": "Fridge",
               "warranty_expires_on": "2030-01-31"}
    everywhere = Device(server, client="console")
    everywhere.sign_in(ADMINISTRATOR)
    nia = administrator(server, "administrator:north")

    made = send(everywhere, "PUT", "/admin/products/p-1", product | {"account": owners[0]["id"]})
    taken = send(nia, "PUT", "/admin/products/~p-1", product | {"account": owners[1]["id"]})
    removed = send(nia, "DELETE", "/admin/products/p-1?organization=")
    own = send(nia, "PUT", "/admin/products/p-1", product | {"account": owners[0]["id"]})

    assert made.status == 201
    for refused in (taken, removed):
        assert (refused.status, refused.json["code"]) == (403, "permission_denied")
    assert (own.status, own.json["organization"]) == (201, "north")


@pytest.mark.parametrize("level, unlocks", (("viewer", 403), ("support", 200)))
def test_levels(server, level, unlocks):
    """T-16 a viewer reads, support helps people; neither creates accounts or sees invitations"""
    kari = shown(account(server, *KARI, "--json"))
    nia = administrator(server, f"{level}:north")
    path = f"/admin/accounts/{kari['id']}"

    assert send(nia, "GET", path).status == 200
    assert send(nia, "POST", path + "/unlock").status == unlocks
    assert send(nia, "PATCH", path, {"name": "Other"}).status == 403
    assert send(nia, "POST", path + "/invitation").status == 403
    sent = send(nia, "POST", path + "/invitation", {"send": True})
    assert sent.status == (201 if unlocks == 200 else 403)
    assert "invitation" not in sent.json


@pytest.mark.parametrize("permissions, reads, unlocks", [
    ([], "insufficient_scope", "insufficient_scope"),
    ([{"level": "viewer", "organization": "north"}], None, "permission_denied"),
    ([{"level": "support", "organization": "south"}], "account_not_found", "account_not_found")])
def test_changed_permission(server, permissions, reads, unlocks):
    """T-16 a removed, a lower and another organization's permission apply to the next request"""
    path = f"/admin/accounts/{shown(account(server, *KARI, '--json'))['id']}"
    nia = administrator(server, "support:north")
    for _ in range(3):
        assert send(nia, "GET", path).status == 200
        assert send(nia, "POST", path + "/unlock").status == 200
    admin = Device(server, client="console")
    admin.sign_in(ADMINISTRATOR)
    found = send(admin, "GET", "/admin/accounts?query=nia@").json["accounts"][0]
    assert found["permissions"] == [{"level": "support", "organization": "north"}]

    changed = send(admin, "PATCH", f"/admin/accounts/{found['id']}", {"permissions": permissions})

    assert changed.status == 200, changed
    assert send(nia, "POST", path + "/unlock").error == unlocks
    assert send(nia, "GET", path).error == reads


def test_last_administrator(server):
    """T-16 the last global administrator cannot be removed, not even by command"""
    for verb in ("erase", "deactivate"):
        refused = account(server, verb, ADMINISTRATOR.email)
        assert refused.returncode == 2 and "last global administrator" in refused.stderr
