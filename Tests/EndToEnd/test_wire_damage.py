"""A damaged database: the server notices and reports it, and serves the other accounts."""
import sqlite3

from device import Device
from harness import ADMINISTRATOR, TECHNICIAN

PAGE_BYTES = 4096


def counted(server):
    lines = server.metrics().body.decode().splitlines()
    return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))


def test_unreadable_record(new_server):
    """An unreadable record answers 503 for its account only"""
    server = new_server()
    with sqlite3.connect(server.data / "fieldpass.db") as database:
        database.execute("UPDATE accounts SET role = 'zebra' WHERE email = ?", [TECHNICIAN.email])
    database.close()
    server.start()

    for _ in range(3):
        answer = Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
        assert (answer.status, answer.error) == (503, "temporarily_unavailable"), answer
    other = Device(server, client="console", scope="openid admin")
    other.sign_in(ADMINISTRATOR)
    accounts = other.api("/admin/accounts").json["accounts"]
    assert accounts and TECHNICIAN.email not in [account.get("email") for account in accounts]

    assert server.get("/readyz").status == 200
    assert int(counted(server)["fieldpass_store_unreadable_records_total"]) >= 3
    assert "column `role` has content that this program cannot read" in server.log_text()
    server.close()


def test_damaged_page(new_server):
    """A damaged page is reported in log, metric and readyz, and other accounts work"""
    server = new_server()
    path = server.data / "fieldpass.db"
    with sqlite3.connect(path) as database:
        page, = database.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'deliveries'").fetchone()
    database.close()
    with open(path, "r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(b"\xff" * 12)

    server.start()

    ready = server.get("/readyz")
    assert (ready.status, ready.body) == (503, b"the database is damaged: see the log\n")
    assert server.get("/livez").status == 200
    assert int(counted(server)["fieldpass_store_damage"]) >= 1
    assert "the database is damaged" in server.log_text()
    device = Device(server)
    device.sign_in(TECHNICIAN)
    assert device.api("/api/jobs").status == 200
    assert server.stop() == 0
    server.close()


def test_sound_database(server):
    """An undamaged database is ready and counts no damage"""
    assert server.get("/readyz").status == 200
    assert counted(server)["fieldpass_store_damage"] == "0"
