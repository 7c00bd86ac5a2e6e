"""The lines of the log when the server is killed or stopped under load, or its reader leaves."""
import dataclasses
import json
import os
import time

from operator_tools import Load, metric, until

CONNECTIONS = 8
# How long each load lasts; longer than what may be lost.
LOAD_SECONDS = 1.5
LOST_SECONDS = 1
# A busy machine can delay the thread that writes.
ROUNDS = 3


@dataclasses.dataclass(frozen=True)
class Call:
    """One answered request, with its times by this process's clock."""
    sent: float
    answered: float


class Caller:
    """Sends requests on one connection, and preserves when each was sent and answered."""

    def __init__(self, server):
        self.connection, self.calls = server.connect(30), {}

    def __call__(self):
        sent = time.monotonic()
        self.connection.request("GET", "/api/me")
        answer = self.connection.getresponse()
        answer.read()
        number = answer.getheader("Request-Id")
        self.calls[number] = Call(sent, time.monotonic())
        return number


def under_load(server, end):
    """Ends the server under load; returns the answered requests and the time of the end."""
    callers = [Caller(server) for _ in range(CONNECTIONS)]
    until_then = time.monotonic() + LOAD_SECONDS
    with Load(*callers) as load:
        until(lambda: load.count >= 200 and time.monotonic() > until_then, 60)
        ended = time.monotonic()
        end()
    for caller in callers:
        caller.connection.close()
    return {number: call for caller in callers for number, call in caller.calls.items()}, ended


def lost_calls(text, calls):
    """The answered requests without a line. The others have one line each, in their order.

    A line is written before its answer. So a request that was sent after another was answered
    has its line after the other's, and has none if the other has none.
    """
    lines = [json.loads(line) for line in text.splitlines()]
    numbers = [line["request_id"] for line in lines if line.get("request_id") in calls]
    assert len(set(numbers)) == len(numbers)
    latest = 0
    for call in map(calls.get, numbers):
        assert call.answered >= latest, "a line came before the line of an earlier request"
        latest = max(latest, call.sent)
    lost = [call for number, call in calls.items() if number not in set(numbers)]
    assert all(call.answered >= latest for call in lost), "a line is missing between others"
    return lost


def test_killed_under_load(new_server):
    """T-14 a kill loses lines of the last moment only; the others are whole and in their order"""
    server, longest = new_server(), []
    for _ in range(ROUNDS):
        before = len(server.written_log()) if server.log.exists() else 0
        server.start()

        calls, killed = under_load(server, server.kill)

        # A kill can end the last write between two pages of the file.
        whole, _, _ = server.written_log()[before:].rpartition("\n")
        lost = lost_calls(whole, calls)
        longest.append(max((killed - call.answered for call in lost), default=0))
        server.close()
    assert min(longest) < LOST_SECONDS, longest


def test_stopped_under_load(new_server):
    """T-14 a stop under load writes the line of each answered request"""
    server = new_server().start()
    stopped = []

    calls, _ = under_load(server, lambda: stopped.append(server.stop()))

    assert stopped == [0] and len(calls) >= 200
    assert server.written_log().endswith("\n")
    assert lost_calls(server.written_log(), calls) == []
    server.close()


def lines_to(log, number):
    """The lines that come up to the line of a request."""
    lines = [json.loads(log.readline())]
    while lines[-1].get("request_id") != number:
        lines.append(json.loads(log.readline()))
    return lines


def test_reader_that_leaves(new_server, tmp_path):
    """T-14 without a reader of the log all requests are answered; the next reader gets a count"""
    server, pipe = new_server(), tmp_path / "log"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writing = os.open(pipe, os.O_WRONLY)
    os.set_blocking(reading, True)
    server.start(errors=writing)
    os.close(writing)
    server.process.stdout.close()
    caller = Caller(server)
    with open(reading, encoding="utf-8") as log:
        assert lines_to(log, caller())

    lost = [caller() for _ in range(300)]

    until(lambda: metric(server, "fieldpass_log_lines_dropped_total") >= len(lost))
    with open(pipe, encoding="utf-8") as log:
        later = [caller() for _ in range(20)]
        lines = lines_to(log, later[-1])
        # The count comes after the lines that are written with the first of these.
        later.append(caller())
        lines += lines_to(log, later[-1])
    # The last lines of the lost ones may have waited for this reader.
    numbers = [line["request_id"] for line in lines if "request_id" in line]
    assert numbers == (lost + later)[-len(numbers):] and len(numbers) >= len(later)
    counts = [line["dropped"] for line in lines if line["what"] == "lines dropped"]
    assert sum(counts) == len(lost) + len(later) - len(numbers)
    # Again without a reader.
    assert [caller() for _ in range(20)]
    assert server.stop() == 0
    server.close()
