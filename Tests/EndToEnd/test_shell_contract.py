"""The shell contract: the laws of storage and order, in the web shell of each engine.

`Tests/ShellContract/scenarios.json` has the scenarios. The Swift client and the simulated shell run
the same ones in `ShellContractTests`.
"""
import pytest

from engine_chromium import Chromium
from shell_contract import SCENARIOS, Tabs, site


@pytest.fixture(scope="module")
def pages():
    with site() as server:
        yield server


def test_laws(engine, pages):
    """L-22, L-23, L-32, S-01, S-04, P-11 in each engine the web shell obeys the shell contract"""
    tabs = Tabs(engine, pages)

    broken = [tabs.run(scenario) for scenario in SCENARIOS]

    assert [words for words in broken if words] == []


def test_planted_defects(chrome, pages):
    """Each scenario is broken if a line of the web shell is changed"""
    browser = Chromium(chrome)
    tabs = Tabs(browser, pages)

    found = {one["name"]: tabs.run(one, 0.5, one["defects"]["web"]) for one in SCENARIOS}

    assert [name for name, broken in found.items() if broken is None] == []
    browser.close()
