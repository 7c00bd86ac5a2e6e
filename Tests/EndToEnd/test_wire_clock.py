"""A machine whose clock is set while the server runs."""
import json
import re
import subprocess
import time

import pytest

from device import Device
from harness import TECHNICIAN

# Replaces the system's function and adds the value of a file to the wall clock only.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int status = real(clock, now);
  long offset = 0;
  if (clock == CLOCK_REALTIME && getenv("WALL_OFFSET_FILE")) {
    FILE *file = fopen(getenv("WALL_OFFSET_FILE"), "r");
    if (file) {
      if (fscanf(file, "%ld", &offset) != 1) offset = 0;
      fclose(file);
    }
    now->tv_sec += offset;
  }
  return status;
}
"""


@pytest.fixture
def wall(tmp_path, monkeypatch):
    """Sets the wall clock of servers that start from now on, by so many seconds."""
    source, library, offset = (tmp_path / name for name in ("wall.c", "wall.so", "offset"))
    source.write_text(SHIM)
    offset.write_text("0")
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("WALL_OFFSET_FILE", str(offset))
    return lambda seconds: offset.write_text(str(seconds))


def counted(server, name):
    for line in server.metrics().body.decode().splitlines():
        if line.startswith(name + " "):
            return int(line.rsplit(" ", 1)[1])
    raise AssertionError(name)


@pytest.mark.parametrize("seconds", [7200, -7200])
def test_clock_that_is_set(new_server, wall, seconds):
    """L-15 setting the clock ends no lockout and is reported in log and metrics"""
    server = new_server().start()
    for _ in range(5):
        locked = Device(server).login(TECHNICIAN.email, "wrong-guess")
    assert locked.error == "account_locked"
    assert counted(server, "fieldpass_clock_jumps_total") == 0

    wall(seconds)
    until = time.monotonic() + 10
    while not counted(server, "fieldpass_clock_jumps_total"):
        assert time.monotonic() < until
        time.sleep(0.1)

    answer = Device(server).login(TECHNICIAN.email, TECHNICIAN.password)
    assert answer.error == "account_locked"
    assert 800 < answer.json["retry_in"] <= 900
    left = counted(server, "fieldpass_clock_difference_milliseconds")
    assert 7_100_000 < left <= 7_201_000
    lines = [json.loads(line) for line in server.log_text().splitlines()]
    warnings = [line["what"] for line in lines if line["level"] == "warning"]
    assert len(warnings) == 1, warnings
    jump = int(re.search(r"was set by (-?\d+) ms", warnings[0])[1])
    assert abs(jump - seconds * 1000) < 1000
    assert server.stop() == 0
    server.close()
