"""Jobs, deliveries, activities and products that other systems write."""
import contextlib
import os
import socket

import pytest

from device import Device
from harness import TECHNICIAN
from products import OWNER
from services import Program, configuration, job


@pytest.fixture
def served(new_server, folder):
    server = new_server()
    yield server.start(configuration(folder / f"{server.data.name}-services"))
    server.close()


@pytest.fixture
def planning(served):
    return Program(served).authenticate()


def test_job(served, planning):
    """A planned job reaches the technician, its status goes back, and its removal arrives"""
    made = planning.call("PUT", "/admin/jobs/plan-1", job())
    technician = Device(served)
    technician.sign_in(TECHNICIAN)
    assert "plan-1" in [entry["id"] for entry in technician.api("/api/jobs").json["jobs"]]

    done = technician.api("/api/jobs/plan-1", "PATCH", document={"status": "done"})
    again = technician.api("/api/jobs/plan-1", "PATCH", document={"status": "scheduled"})
    changes = planning.call("GET", "/admin/changes").json
    assert (made.status, done.status, again.error) == (201, 200, "illegal_transition")
    assert [(entry["id"], entry["status"]) for entry in changes["changes"]] == [("plan-1", "done")]
    after = planning.call("GET", f"/admin/changes?after={changes['cursor']}").json
    assert after["changes"] == [] and after["complete"]

    stale = planning.call("PUT", "/admin/jobs/plan-1", job(title="Other"), if_match=made["ETag"])
    assert (stale.status, stale.error) == (412, "precondition_failed")
    assert planning.call("DELETE", "/admin/jobs/plan-1", if_match=stale["ETag"]).status == 204
    assert "plan-1" not in [entry["id"] for entry in technician.api("/api/jobs").json["jobs"]]


def test_batch(planning):
    """Five hundred jobs of usual size are written at once; a second write changes nothing"""
    items = [job(id=f"plan-{number:04}", title="Boiler inspection and repair " * 5)
             for number in range(500)]
    first = planning.call("POST", "/admin/jobs:batch", {"items": items})
    again = planning.call("POST", "/admin/jobs:batch", {"items": items})
    more = planning.call("POST", "/admin/jobs:batch", {"items": items + [job(id="one-more")]})

    assert {entry["result"] for entry in first.json["results"]} == {"created"}
    assert [entry["id"] for entry in first.json["results"]] == [entry["id"] for entry in items]
    assert {entry["result"] for entry in again.json["results"]} == {"unchanged"}
    assert (more.status, more.error) == (400, "invalid_request")


def test_large_bodies(served, planning):
    """A batch may be larger than any other request, up to one mebibyte"""
    small = {"items": [job(id="a")], "x": "y" * 70_000}
    refused = planning.call("PUT", "/admin/jobs/a", small)
    assert refused.status == 413 and "65536 bytes" in refused.json["detail"]
    assert planning.call("POST", "/admin/jobs:batch", small).status == 400
    large = {"items": [job(id="a")], "x": "y" * (1 << 20)}
    assert planning.call("POST", "/admin/jobs:batch", large).status == 413


def test_organization(served):
    """A service account of one organization reaches no account outside it"""
    robot = Program(served, "robot")
    robot.token = robot.ask_assertion(robot.assertion()).json["access_token"]
    planning = Program(served).authenticate()
    assert planning.call("PUT", "/admin/jobs/plan-1", job()).status == 201

    assert robot.call("GET", "/admin/jobs/plan-1").error == "job_not_found"
    assert robot.call("DELETE", "/admin/jobs/plan-1").error == "job_not_found"
    assert robot.call("PUT", "/admin/jobs/plan-2", job()).error == "account_not_found"
    assert robot.call("PUT", "/admin/jobs/plan-2", job("mentor")).status == 201
    assert robot.call("PUT", "/admin/products/p", job()).error == "insufficient_scope"


def test_product(served, planning):
    """At the owner's next sync a removed product is in the list of removals"""
    product = {"account": OWNER.email, "name": "Fridge", "model": "F-1", "serial_number": "1",
               "category": "Fridge", "warranty_expires_on": "2030-01-31"}
    assert planning.call("PUT", "/admin/products/plan-1", product).status == 201
    owner = Device(served, client="product-app")
    owner.sign_in(OWNER)
    first = owner.api("/api/products").json
    assert "plan-1" in [entry["id"] for entry in first["products"]]

    assert planning.call("DELETE", "/admin/products/plan-1").status == 204

    after = owner.api(f"/api/products?cursor={first['cursor']}").json
    assert after["removed"] == ["plan-1"]


def test_few_large_bodies(served, planning):
    """Only a few large bodies are received at once; others get 503 and succeed later"""
    head = ("POST /admin/jobs:batch HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n"
            "Content-Type: application/json\r\n\r\n{").encode()
    connections = []
    for _ in range(8 * (os.cpu_count() or 1) + 8):
        connections.append(socket.create_connection(("127.0.0.1", served.port), timeout=5))
        connections[-1].sendall(head)
    refused = 0
    for connection in connections:
        connection.settimeout(0.5)
        with contextlib.suppress(TimeoutError):
            refused += connection.recv(100).startswith(b"HTTP/1.1 503")
        connection.close()
    assert refused >= 8

    batch = {"items": [job(id="late", title="t" * 190)] + [
        {"id": f"none-{number}" + "y" * 50, "deleted": True} for number in range(499)]}
    assert planning.call("POST", "/admin/jobs:batch", batch).status == 200
    large = {"items": [job(id=f"l-{number}", title="t" * 190) for number in range(400)]}
    assert planning.call("POST", "/admin/jobs:batch", large).status == 200
