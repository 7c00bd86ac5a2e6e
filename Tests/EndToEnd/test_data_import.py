"""`fieldpass import`: a company's data from a file."""
import csv
import json
import subprocess
import time

import pytest

from device import Device
from harness import BINARY, TECHNICIAN

HEAD = ["id", "account", "title", "customer", "place", "starts_at", "ends_at", "status"]


def run(server, kind, path, *arguments, typed=None):
    return subprocess.run([BINARY, "import", kind, path, "--data", server.data, *arguments],
                          input=typed, capture_output=True, text=True, timeout=120)


def write(path, rows, head=HEAD):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def row(number, account=TECHNICIAN.email, start="2027-01-15T08:00:00+01:00", status=""):
    return [f"plan-{number}", account, f"Boiler, \"{number}\"", "Berg", "Oslo\n2nd floor"[:4],
            start, "1800100000", status]


def test_table(server, tmp_path):
    """A table is written while the server runs; a second import of it changes nothing"""
    path = write(tmp_path / "jobs.csv", [row(number) for number in range(20)])
    preview = run(server, "jobs", path, "--dry-run", "--json")
    first = run(server, "jobs", path, "--json")
    again = run(server, "jobs", path)

    assert preview.returncode == 0, preview
    assert json.loads(preview.stdout) == {"written": False, "created": 20, "changed": 0,
                                          "unchanged": 0, "mistakes": 0, "refused": 0}
    assert json.loads(first.stdout)["created"] == 20 and first.stderr == ""
    assert "0 created, 0 changed, 20 unchanged" in again.stdout
    device = Device(server)
    device.sign_in(TECHNICIAN)
    jobs = {entry["id"]: entry for entry in device.api("/api/jobs").json["jobs"]}
    assert jobs["plan-7"]["title"] == 'Boiler, "7"'
    assert jobs["plan-7"]["starts_at"] == 1_799_996_400


def test_mistakes(server, tmp_path):
    """Each mistake has its line and column; nothing is written, or with --skip-mistakes the rest"""
    rows = [row(1), row(2, account="unknown@example.com"), row(3, start="tomorrow"),
            row(4, status="gone"), row(1), row(6)[:-1]]
    path = write(tmp_path / "jobs.csv", rows)
    refused = run(server, "jobs", path)
    mistakes = refused.stderr.splitlines()

    assert refused.returncode == 2
    places = [line.removeprefix(f"{path}:").split(" ")[0]
              for line in mistakes if "jobs.csv:" in line]
    assert places == ["3:8:", "4:51:", "5:88:", "6:1:", "7:1:"], mistakes
    assert "account names an unknown account" in mistakes[0] and "unknown@" not in refused.stderr
    assert "nothing was written" in refused.stderr
    assert "1 would be created" in refused.stdout
    skipped = run(server, "jobs", path, "--skip-mistakes", "--json")
    assert skipped.returncode == 2
    assert json.loads(skipped.stdout) | {"mistakes": 5, "created": 1, "written": True} == \
        json.loads(skipped.stdout)


@pytest.mark.parametrize("text, words", [
    ("", "the file is empty"), ("id,colour\n", "`colour` is not a member"),
    ("id,account\n", "the column `title` is missing"), ("id,id\n", "appears twice"),
    ('id,"account\n', "a quoted cell has no end"),
])
def test_wrong_header_rows(server, text, words):
    """A file whose first row is wrong is refused with the reason"""
    result = run(server, "jobs", "-", "--format", "csv", typed=text)
    assert result.returncode == 2 and words in result.stderr, result


def test_list(server, tmp_path):
    """A list of JSON objects is imported too; a mistake has the place where its record begins"""
    good = {"id": "p-1", "account": "owner@example.com", "name": "Fridge", "model": "F",
            "serial_number": "1", "category": "Fridge", "purchased_on": "2026-01-31"}
    path = tmp_path / "products.json"
    path.write_text(f"[\n  {json.dumps(good)},\n  {json.dumps(good | {'id': 'p 2'})}\n]\n")
    refused = run(server, "products", path)
    path.write_text(json.dumps([good]))
    written = run(server, "products", path)
    path.write_text('{"a": 1}')
    wrong = run(server, "products", path)

    assert (refused.returncode, written.returncode, wrong.returncode) == (2, 0, 2)
    assert f"{path}:3:3: id is malformed" in refused.stderr
    assert "1 created" in written.stdout
    assert "not a list of JSON objects" in wrong.stderr


def test_wrong_arguments(server):
    """An unknown kind and an unknown format are refused before a file is opened"""
    for arguments in (["people", "x.csv"], ["jobs"], ["jobs", "x.txt"], ["jobs", "x.csv", "--now"]):
        result = subprocess.run([BINARY, "import", *arguments], capture_output=True, text=True)
        assert result.returncode == 64 and "hint:" in result.stderr, arguments
    missing = run(server, "jobs", "/nowhere/jobs.csv")
    assert missing.returncode == 1 and "cannot read" in missing.stderr


def test_fifty_thousand(server, tmp_path):
    """Fifty thousand jobs are imported in less than a minute"""
    path = write(tmp_path / "jobs.csv", [row(number) for number in range(50_000)])
    began = time.monotonic()
    result = run(server, "jobs", path, "--json")
    seconds = time.monotonic() - began

    assert result.returncode == 0, result
    assert json.loads(result.stdout)["created"] == 50_000
    print(f"50,000 jobs in {seconds:.1f} s")
    assert seconds < 60
