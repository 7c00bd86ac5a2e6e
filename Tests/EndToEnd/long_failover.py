"""Faults of nodes, of the database and of the network, while people use four nodes.

`Scripts/failover` runs this file; FAILOVER_SECONDS is the length of the run. pytest does not collect
it by itself, because it is part of `make test-long`.
"""
import json
import os
import time

import pytest

from device import Device
from fleet import Fleet
from harness import TECHNICIAN
from ledger import Crowd, Ledger
from operator_tools import until
from patroni import PatroniCluster

SECONDS = float(os.environ.get("FAILOVER_SECONDS", "180"))
ACCOUNTS = 2000
# How long a node may need to notice that its database is back.
RETURN_SECONDS = 30
CUT_SECONDS = 25
# How long a node lets a request wait whose database does not answer.
ANSWER_SECONDS = 22


@pytest.fixture
def fleet(tmp_path):
    cluster = PatroniCluster()
    try:
        fleet = Fleet(tmp_path, cluster)
        try:
            yield fleet.open(ACCOUNTS)
        finally:
            fleet.close()
    finally:
        cluster.close()


class Faults:
    """Makes one fault after the other, and measures the longest time without an answer."""

    def __init__(self, fleet, ledger):
        self.fleet, self.ledger, self.measured, self.times = fleet, ledger, [], {}

    def wait(self, name, condition, seconds):
        """Waits until a condition is true, and measures how long that takes."""
        began = time.monotonic()
        until(condition, seconds)
        self.times[name] = round(time.monotonic() - began, 1)

    def out_of_use(self, node):
        self.wait("until out of use", lambda: not self.fleet.in_use(node), 15)

    def in_use_again(self, node):
        self.wait("until in use", lambda: self.fleet.in_use(node), RETURN_SECONDS)

    def round(self):
        for fault in (self.node_is_lost, self.node_is_stopped, self.database_is_lost,
                      self.network_is_cut, self.nodes_are_replaced):
            began, before, self.times = time.monotonic(), dict(self.ledger.count), {}
            fault()
            time.sleep(2)
            self.ledger.check_all()
            changed = {name: self.ledger.count[name] - before.get(name, 0) for name in (
                "503", "502", "504", "unanswered", "sign-ins", "sign-ins to begin again")}
            self.measured.append({
                "fault": fault.__name__, "longest gap": round(self.ledger.gap(began), 1),
                "seconds": round(time.monotonic() - began, 1), **self.times, **changed})
            print(json.dumps(self.measured[-1]), flush=True)

    def node_is_lost(self):
        """One node is killed, and starts again."""
        node = self.fleet.nodes[0]
        node.kill()
        self.out_of_use(node)
        time.sleep(3)
        node.close()
        node.open()
        self.in_use_again(node)

    def node_is_stopped(self):
        """One node is stopped without a command to haproxy, and starts again."""
        node = self.fleet.nodes[1]
        assert node.stop() == 0
        self.out_of_use(node)
        node.close()
        node.open()
        self.in_use_again(node)

    def database_is_lost(self):
        """The machine of the primary is lost; later it returns as the replica."""
        lost = self.fleet.cluster.primary()
        lost.lose()
        moment = time.monotonic()
        self.wait("until promoted", self.fleet.cluster.is_reachable, 90)
        assert not lost.is_primary
        for node in self.fleet.nodes:
            self.in_use_again(node)
        self.ledger.check_proofs(before=moment)
        self.ledger.check_all()
        lost.program.start()
        began = time.monotonic()
        self.fleet.cluster.whole()
        self.times["until replicated"] = round(time.monotonic() - began, 1)

    def network_is_cut(self):
        """One node cannot reach the database, and the others serve everyone."""
        node = self.fleet.nodes[-1]
        device = Device(node)
        self.fleet.link.cut()
        began = time.monotonic()
        self.out_of_use(node)
        asked = time.monotonic()
        answer = device.login(TECHNICIAN.email, "wrong-guess")
        seconds = self.times["until refused"] = round(time.monotonic() - asked, 1)
        assert (answer.status, answer.error) == (503, "temporarily_unavailable"), answer
        assert 1 <= int(answer["Retry-After"]) <= 60 and seconds < ANSWER_SECONDS, seconds
        assert not self.fleet.in_use(node)
        time.sleep(max(0, CUT_SECONDS - (time.monotonic() - began)))
        self.fleet.link.heal()
        self.in_use_again(node)

    def nodes_are_replaced(self):
        """Each node is replaced as upgrade.md describes it, and no request is refused."""
        self.ledger.is_strict = True
        statuses = [self.fleet.replace(node) for node in self.fleet.nodes]
        time.sleep(1)
        self.ledger.is_strict = False
        assert statuses == [0] * len(statuses)


def test_faults(fleet):
    """R-13 faults of nodes, database and network undo nothing that was answered

    No answered sign-in, lock, revocation or message is lost, no code is accepted twice, and no person
    is signed out.
    """
    ledger = Ledger(fleet)
    faults = Faults(fleet, ledger)
    end = time.monotonic() + SECONDS
    with Crowd(ledger, ACCOUNTS):
        time.sleep(10)
        while not faults.measured or time.monotonic() < end:
            faults.round()
    print(json.dumps({"counts": dict(ledger.count), "slowest": {
        name: round(seconds, 2) for name, seconds in ledger.slowest.items()}}), flush=True)

    assert ledger.broken == []
    assert ledger.count["sign-ins"] > 0 and ledger.count["ended sessions"] > 0
    assert ledger.count["deactivated accounts"] > 0 and ledger.count["locked accounts"] > 0
