"""A database of another version of the program."""
import sqlite3

import pytest

from harness import account
from operator_tools import assert_refused, command


def set_schema(server, change):
    """Changes the number of the schema; returns the previous one."""
    with sqlite3.connect(server.data / "fieldpass.db") as database:
        number = database.execute("PRAGMA user_version").fetchone()[0]
        database.execute(f"PRAGMA user_version = {number + change}")
    database.close()
    return number


@pytest.fixture
def newer(new_server):
    """A folder that a later version has used, and the schema number of this version."""
    server = new_server()
    return server, set_schema(server, +1)


def test_downgrade(newer):
    """A database of a later version is refused with both numbers and is not changed"""
    server, number = newer
    content = (server.data / "fieldpass.db").read_bytes()

    assert_refused(server.run("--development", "--listen", "127.0.0.1:0"),
                   f"schema {number + 1}", f"newer than the {number}", "backup")
    assert_refused(account(server, "list"), f"schema {number + 1}")

    assert (server.data / "fieldpass.db").read_bytes() == content


def test_backup_of_a_later_version(newer, tmp_path):
    """A backup of a later version is neither made nor restored, because it cannot be checked"""
    server, number = newer

    run = command("backup", "--data", server.data, tmp_path / "backup.db")

    assert_refused(run, f"schema {number + 1}")
    assert list(tmp_path.iterdir()) == []
