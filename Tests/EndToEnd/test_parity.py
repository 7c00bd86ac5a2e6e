"""The portable core makes the same decisions in the browser and on this machine, to the byte."""
import json
import os
import subprocess

import pytest

from event_generator import EventGenerator
from harness import ROOT

SEEDS = range(48)
EVENTS_PER_SEED = 1200


def build_replay():
    """The path of the program, from the build with coverage if that exists."""
    tests = ROOT / ".build/coverage"
    own = ["--scratch-path", tests, "--enable-code-coverage"] if tests.exists() else []
    build = ["swift", "build", "--product", "fieldpass-replay", *own]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    shown = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True)
    return shown.stdout.decode().strip() + "/fieldpass-replay"


def replay_here(program, seed):
    """Generates events on the way; returns them and the answers of this machine."""
    generator, events, answers = EventGenerator(seed), [], []
    # Random events cover code without testing it, so their coverage does not count.
    env = {**os.environ, "LLVM_PROFILE_FILE": os.devnull}
    with subprocess.Popen(
            [program, generator.app], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as process:
        first = [json.dumps({"at": generator.at} | generator.started()),
                 json.dumps({"at": generator.at} | generator.read("storage_read"))]
        for number in range(EVENTS_PER_SEED):
            event = first[number] if number < len(first) else generator.next_event()
            process.stdin.write(event.encode() + b"\n")
            process.stdin.flush()
            answer = process.stdout.readline().decode().rstrip("\n")
            generator.observe(json.loads(answer))
            events.append(event)
            answers.append(answer)
        process.stdin.close()
    return events, answers


REPLAY = """async ([app, events]) => {
  let exports
  const bytes = (at, count) => new Uint8Array(exports.memory.buffer, at, count)
  const host = {random: (at, count) => crypto.getRandomValues(bytes(at, count))}
  const {instance} = await WebAssembly.instantiateStreaming(fetch(`../${app}/core.wasm`), {host})
  exports = instance.exports
  return events.map(event => {
    const text = new TextEncoder().encode(event)
    const room = exports.core_input(text.length)
    bytes(room, text.length).set(text)
    const count = exports.core_handle(text.length)
    return new TextDecoder().decode(bytes(exports.core_output(), count))
  })
}"""


@pytest.mark.long
def test_parity(app):
    """T-09 thousands of events give the same screens and effects here and in the browser"""
    program, screens, languages, notes = build_replay(), set(), set(), set()

    for seed in SEEDS:
        events, here = replay_here(program, seed)
        there = app.page.evaluate(REPLAY, [EventGenerator(seed).app, events])
        for number, (one, other) in enumerate(zip(here, there, strict=True)):
            assert one == other, f"seed {seed}, event {number}: {events[number]}"
        shown = [json.loads(answer).get("screen", {}) for answer in here]
        screens |= {screen.get("id") for screen in shown}
        languages |= {(screen.get("id"), screen.get("language")) for screen in shown}
        notes |= {part.get("severity") for screen in shown for part in screen.get("parts", [])
                  if part["part"] == "note"}

    assert {"opening", "storage", "credentials", "code", "locked", "reset", "reset-code", "jobs",
            "rider", "rider-locked", "sign-up", "signed-up", "dashboard",
            "products", "card", "request", "transfer", "confirmation",
            "app-lock", "confirming", "sessions", "activities", "activity", "switching",
            "console-accounts", "console-events", "console-messages",
            "console-policies", "console-policy", "console-products", "console-requests"} <= screens
    assert {"neutral", "success", "warning", "error"} <= notes
    assert {(screen, language) for screen in ("credentials", "code", "jobs", "rider", "dashboard")
            for language in ("en", "hi", "nb")} <= languages
