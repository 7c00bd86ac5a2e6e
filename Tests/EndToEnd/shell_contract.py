"""Runs the scenarios of the shell contract in the web shell, in a browser of any engine.

The pages have the real `app.js` and the real storage. The core and the renderer are those of
`Tests/ShellContract`: the core is a script, and both write a log.
"""
import contextlib
import functools
import http.server
import itertools
import json
import pathlib
import threading
import time

from harness import ROOT

PAUSE = 0.005
# Longer than a shell that does not wait needs for its next step.
BUSY = 0.04
# How long a screen waits for its offline copy. A busy machine may need more than the 50 ms of the
# app to read one.
COPY_WAIT = (b"COPY_MILLISECONDS = 50;", b"COPY_MILLISECONDS = 300;")
FOLDER = ROOT / "Tests/ShellContract"
SHELL = ROOT / "Apps/Web/shell"
DOCUMENT = json.loads((FOLDER / "scenarios.json").read_text())
# The text that the shell stores for each name.
VALUES = {name: json.dumps(value) for name, value in DOCUMENT["values"].items()}
SCENARIOS = [one for one in DOCUMENT["scenarios"] if "web" not in one.get("lacks", {})]
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css",
         ".svg": "image/svg+xml", ".png": "image/png"}

# The contents of the effects, after their names in the scenarios.
MEMBERS = {
    "save_session": ["value"], "replace_session": ["old", "value"],
    "save_pending_revocation": ["value"], "erase_session_if_unchanged": ["value"],
    "save_last_seen": ["value"], "save_pending_sign_in": ["value"], "set_lock": ["value"],
    "remove_lock": ["value"], "save_lockouts": ["value"],
    "save_screen_state": ["session", "value"], "read_screen_state": ["session"],
    "send_request": ["path"], "open_browser": ["path"],
}
COPY = {"copy": "products", "binding": "account"}
FIXED = {
    "send_request": {"request": 1, "method": "GET", "authorization": "none", "timeout": 30},
    "set_lock": {"account_summary": "Tara"},
    "read_offline_copy": COPY, "erase_offline_copy": COPY,
    "write_offline_copy": COPY | {"pieces": [{"key": "one", "text": "a piece"}], "kept": []},
}


def effect(words):
    """The JSON of an effect, as the core writes it."""
    name, *contents = words.split()
    named = zip(MEMBERS.get(name, []), contents, strict=True)
    # Sessions are named as such in screen states, and by their text elsewhere.
    members = {key: VALUES[text] if key in ("value", "old") else text for key, text in named}
    return {"effect": name} | FIXED.get(name, {}) | members


class Site(http.server.ThreadingHTTPServer):
    """Serves the shell. Each folder is an app of its own, with its own storage."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.numbers = itertools.count(1)
        # The files with a planted defect, by app and name.
        self.changed = {}

    @property
    def blank(self):
        return f"http://localhost:{self.server_port}/blank/away"

    def new_app(self, defect=None):
        name = f"app-{next(self.numbers)}"
        if defect:
            file, old, new = defect
            text = (SHELL / file).read_text()
            if text.count(old) != 1:
                raise ValueError(f"{file} has this text not once: {old}")
            self.changed[name, file] = text.replace(old, new).encode()
        return name, f"http://localhost:{self.server_port}/{name}/"

    def content(self, app, file):
        if file == "app-name.js":
            return f"export const folder = '/{app}/';\nexport const app = '{app}';\n".encode()
        if file == "away":
            return b"<!doctype html>"
        folder = FOLDER if file in ("core.js", "renderer.js") else SHELL
        # There is no service worker, which would answer with files of another app.
        path = folder / (file or "index.html")
        if file == "sw.js" or not path.is_file():
            return None
        content = self.changed.get((app, file)) or path.read_bytes()
        if file == "app.js":
            if COPY_WAIT[0] not in content:
                raise ValueError("the wait for an offline copy is not where it was")
            content = content.replace(*COPY_WAIT)
        if file == "core.js":
            content = content.replace(b"{/* VALUES */}", json.dumps(VALUES).encode())
        return content


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, app, *rest = self.path.split("/")
        file = "/".join(rest)
        content = self.server.content(app, file)
        self.send_response(200 if content is not None else 404)
        self.send_header("content-type", TYPES.get(pathlib.PurePath(file).suffix, "text/html"))
        self.send_header("content-length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *_):
        """Writes nothing."""


@contextlib.contextmanager
def site():
    server = Site()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class Broken(AssertionError):
    """The shell breaks the law of a scenario."""


class Tabs:
    """Two tabs of a browser. All scenarios use them, because tabs open slowly."""

    def __init__(self, browser, site):
        self.site, self.lacks = site, browser.lacks
        other = browser.open(site.blank)
        # The newest tab is in front. In the others, the timers of the app are slow.
        self.pages = {"a": other.new_tab(site.blank), "b": other}
        if "authenticator" not in browser.lacks:
            browser.add_authenticator(self.pages["a"])

    def run(self, scenario, seconds=5, defect=None):
        """Runs a scenario; returns what is broken, or `None`."""
        if scenario.get("needs") in self.lacks:
            return None
        try:
            Run(self.pages, self.site.new_app(defect), scenario, seconds).run()
        except Broken as broken:
            return f"{scenario['name']}: {broken}"
        return None


class Run:
    """One scenario in two tabs."""

    def __init__(self, pages, app, scenario, seconds):
        self.scenario, self.seconds = scenario, seconds
        self.app, self.address = app
        self.pages = {}
        has_other = any("b" in step.values() for step in scenario["steps"])
        for tab in "ab" if has_other else "a":
            self.pages[tab] = pages[tab].open(self.address)
            self.wait(f"{tab} opened")

    # MARK: The log

    def entries(self, tabs=None):
        """What the shells of the tabs did, in order of time."""
        found = []
        for tab in tabs or self.pages:
            text = self.stored_log(self.pages[tab])
            found += [(at, tab, words) for at, words in json.loads(text or "[]")]
        shared = ("held", "freed")
        return [words if words.startswith(shared) else f"{tab} {words}"
                for _, tab, words in sorted(found, key=lambda entry: entry[0])]

    def stored_log(self, page):
        """A page that is being left cannot answer, so it is asked again."""
        end = time.monotonic() + self.seconds
        while True:
            try:
                return page.evaluate("(key) => sessionStorage.getItem(key)", f"log of {self.app}")
            except page.passing_errors:
                if time.monotonic() > end:
                    raise
            time.sleep(PAUSE)

    def wait(self, words, count=1):
        def is_there():
            return sum(entry.startswith(words) for entry in self.entries(words[0])) >= count
        end = time.monotonic() + self.seconds
        while not is_there():
            if time.monotonic() > end:
                raise Broken(f"never: {words}; {self.entries()}")
            time.sleep(PAUSE)

    # MARK: Steps

    def run(self):
        for step in self.scenario["steps"]:
            if step.get("only", "web") == "web":
                self.perform(step)
        self.judge()

    def perform(self, step):
        action, value = next(iter(step.items()))
        tab = step.get("tab", "a")
        match action:
            case "perform":
                self.call(tab, "perform", [effect(words) for words in value],
                          step.get("screen"), step.get("next_screen"))
            case "await":
                self.wait(value, step.get("count", 1))
            case "reads":
                self.expect_reading(tab, value)
            case "hold":
                self.call(tab, "hold", value)
            case "free":
                time.sleep(BUSY)
                self.call(tab, "free", value)
            case "refuse":
                self.call(value, "refuse")
            case "tell":
                self.call("a", "tell")
            case "kill":
                # The page may be another one by now, or between two pages.
                with contextlib.suppress(*self.pages[value].passing_errors):
                    self.pages[value].evaluate("() => globalThis.contract?.note('killed')")
                opened = self.entries().count(f"{value} opened")
                self.pages[value].open(self.address)
                self.wait(f"{value} opened", opened + 1)
            case "hide":
                self.call(value, "setVisibility", "hidden")
            case "show":
                self.call(tab, "answer", "shown", [effect(words) for words in value],
                          step.get("screen"))
                self.call(tab, "setVisibility", "visible")
            case "disk_lacks":
                self.expect(not self.call(tab, "diskHas", value), f"the disk has {value}")
            case "copy_session":
                self.call(value, "copySession")
            case "copy_opens":
                self.expect(self.call(tab, "copyOpens") is value, f"the copy opens: {not value}")
            case _:
                raise ValueError(f"unknown step: {step}")

    def call(self, tab, function, *arguments):
        return self.pages[tab].evaluate(
            f"(...all) => contract.{function}(...all.map((one) => one ?? undefined))", *arguments)

    def expect_reading(self, tab, reading):
        before = f"{tab} event storage_read"
        count = sum(entry.startswith(before) for entry in self.entries())
        self.call(tab, "perform", [{"effect": "read_session"}])
        self.wait(before, count + 1)
        found = [entry for entry in self.entries() if entry.startswith(before)][-1]
        self.expect(found == f"{before} {reading}", f"{found}, not {reading}")

    # MARK: Judging

    def expect(self, is_kept, words):
        if not is_kept:
            raise Broken(f"{words}; {self.entries()}")

    def judge(self):
        entries = self.entries()

        def first(words):
            return next((index for index, entry in enumerate(entries) if entry.startswith(words)),
                        None)
        for earlier, later in self.scenario.get("order", []):
            places = first(earlier), first(later)
            self.expect(None not in places and places[0] < places[1], f"{earlier}, then {later}")
        for words in self.scenario.get("once", []):
            self.expect(sum(entry.startswith(words) for entry in entries) == 1, f"once: {words}")
        for words in self.scenario.get("never", []):
            self.expect(first(words) is None, f"never: {words}")
