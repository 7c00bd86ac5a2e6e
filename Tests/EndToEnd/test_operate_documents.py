"""Compares the pages for operators with the server."""
import json
import re

import pytest
import yaml

from device import Device
from harness import ROOT, TECHNICIAN
from operator_tools import command, until

PAGES = sorted((ROOT / "docs/operate").glob("*.md"))


def rows(page):
    """The names in the first column of a page's first table."""
    text = (ROOT / "docs/operate" / page).read_text()
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0]
    return re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE)


def test_metrics(tls_server):
    """Every exported metric has a row, and every row is a metric"""
    text = tls_server.metrics().body.decode()

    exported = re.findall(r"^# TYPE ([a-z_]+) ", text, re.MULTILINE)
    assert len(exported) > 10
    assert sorted(rows("metrics.md")) == sorted(exported)
    kinds = dict(re.findall(r"^# TYPE ([a-z_]+) ([a-z]+)$", text, re.MULTILINE))
    page = (ROOT / "docs/operate/metrics.md").read_text()
    for name, kind in kinds.items():
        assert re.search(rf"^\| `{name}` \| {kind} \|", page, re.MULTILINE), (name, kind)


def test_alerts():
    """Every alert uses metrics that exist"""
    page = (ROOT / "docs/operate/metrics.md").read_text()
    asked = set(re.findall(r"fieldpass_[a-z_]+", page.split("## Alerts")[1]))

    assert len(asked) > 8
    assert asked <= set(rows("metrics.md")), asked


def test_alert_rules():
    """The alert rules are valid YAML, and every rule has a name and an expression"""
    page = (ROOT / "docs/operate/metrics.md").read_text()
    block = re.search(r"(?:^    .*\n)+", page.split("## Alerts")[1], re.MULTILINE)[0]

    groups = yaml.safe_load(block)["groups"]

    assert len(groups) == 1 and len(groups[0]["rules"]) > 8
    for rule in groups[0]["rules"]:
        assert {"alert", "expr"} <= set(rule) <= {"alert", "expr", "for"}, rule
        assert re.fullmatch(r"Fieldpass[A-Za-z]+", rule["alert"]), rule
        assert re.fullmatch(r"[0-9]+m", rule.get("for", "1m")), rule
        assert " expr:" not in rule["expr"] and " for:" not in rule["expr"], rule


def test_log_fields(server):
    """Every field of the log has a row, and every row is a field"""
    device = Device(server)
    device.sign_in(TECHNICIAN)
    device.revoke()
    assert device.refresh().json["reason"] == "signed_out"
    server.raw(b"nonsense\r\n\r\n")
    server.get("/no/such/page")

    def seen():
        found = set()
        for line in server.log_text().splitlines():
            found |= set(json.loads(line))
        return found if {"reason", "client", "code"} <= found else None

    # Another test sends requests until the server drops lines.
    assert set(rows("log.md")) == until(seen) | {"dropped"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page):
    """Every command that a page names exists, with its options"""
    text = page.read_text().replace("\\\n", " ")
    for line in re.findall(r"(?:^ {4,}|`|-- )fieldpass ([a-z][^`\n]*)", text, re.MULTILINE):
        words = line.split()
        usage = command(words[0], "--help")
        assert usage.returncode == 0, line
        for option in re.findall(r"--[a-z-]+", line):
            assert option in usage.stdout, (line, option)
    for option in re.findall(r"`(--[a-z-]+)", text):
        assert option in command("help").stdout, option


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page):
    """Every page that a page links exists"""
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_index():
    """The index names every page"""
    text = (ROOT / "docs/operate/README.md").read_text()

    assert [page.name for page in PAGES if f"({page.name})" not in text] == ["README.md"]
