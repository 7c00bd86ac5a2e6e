"""The command that plans the capacity, and the page with its figures."""
import pathlib
import re
import subprocess

import pytest

from harness import BINARY

ROOT = pathlib.Path(__file__).parents[2]
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
# How full the pages of a database are depends on chance.
TOLERANCE = 0.15
# How many people share a commit depends on the speed of the disk.
WRITES = 0.7
CELL = re.compile(r"([\d,]+(?:\.\d+)?)(?: (B|kB|MB|GB|TB))?")


def capacity(*options):
    return subprocess.run([BINARY, "capacity", *options], capture_output=True, text=True)


def tables(text):
    """The rows of the tables of a text: the cells after the name, by the names of table and row."""
    rows, head = {}, None
    for line in text.splitlines():
        if not line.startswith("| "):
            head = None
            continue
        name, *cells = [cell.strip() for cell in line.strip("| \n").split("|")]
        head = head or name
        rows[head, name] = cells
    return rows


def amount(cell):
    found = CELL.fullmatch(cell)
    return float(found[1].replace(",", "")) * UNITS[found[2] or "B"] if found else cell


def is_near(one, other, tolerance=TOLERANCE):
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    # A digit is at least a tenth.
    return abs(one - other) <= max(tolerance * max(one, other), 0.11)


@pytest.fixture(scope="module")
def printed():
    done = capacity()
    assert done.returncode == 0, done
    return done.stdout


def test_page(printed):
    """L-58 the tables of the page about scale are those that the command measures"""
    page = tables((ROOT / "docs/scale.md").read_text())

    for name, cells in tables(printed).items():
        assert name in page, name
        written = page[name]
        assert len(written) == len(cells), name
        tolerance = WRITES if name[0] == "Operation" or "written" in name[1] else TOLERANCE
        near = [is_near(amount(a), amount(b), tolerance) for a, b in zip(written, cells)]
        assert all(near), (name, written, cells)


def test_renewals_add_no_event(printed):
    """L-58 24 renewals of a session on a day add one event, and a renewal adds no record"""
    found = tables(printed)

    assert found["Record", "security_events"][2] == "1"
    assert found["Record", "sessions"][2] == "0"


def test_own_day():
    """L-58 the plan follows the accounts and the day that the operator names"""
    few, many = (tables(capacity("--accounts", "1000", "--event-days", days).stdout)
                 for days in ("30", "300"))
    row = ("Accounts", "Bytes of security_events")

    assert few["Accounts", "Accounts"] == ["1,000"]
    assert is_near(amount(many[row][0]), 10 * amount(few[row][0]))


@pytest.mark.parametrize("options", [
    ["--accounts", "0"], ["--accounts"], ["--active-percent", "101"], ["--colour", "1"]])
def test_mistakes(options):
    """A wrong option is refused and named"""
    done = capacity(*options)

    assert done.returncode == 64
    assert options[0] in done.stderr
