"""Measures the speed of the apps in a real browser and prints each figure beside its limit.

    .venv/bin/python Tests/EndToEnd/bench_browser.py FOLDER

Nothing fails when a figure exceeds its limit. Run nothing else at the same time: the browser, the
server and this program share the processors.
"""
import os
import pathlib
import statistics
import sys

from browser import App, chromium
from harness import TECHNICIAN, Server
from products import NEW_OWNER, OWNER, add_products, measured_app, rename_products
from timing import OPENING, RESUMED, RESUMING

ROUNDS = 15
# Playwright checks a condition inside the page, so the interval is longer than the measured time.
SETTLE_MILLISECONDS = 400
DELTAS = 7
CHANGES = 10
MANY = 10_000
FIRST_JOB = "Install washing machine"

# Finds what delayed the next frame of the page, and for how long: gaps between turns of the event
# loop during a sync, and the long frames that the browser reports.
LISTEN = """() => {
  window.gaps = []
  window.frames = []
  let last = performance.now()
  const channel = new MessageChannel()
  channel.port1.onmessage = () => {
    const now = performance.now()
    window.gaps.push(now - last)
    last = now
    if (window.gaps.length < 200000 && !window.isOver) channel.port2.postMessage(0)
  }
  channel.port2.postMessage(0)
  window.observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.frames.push(entry.duration)
  })
  window.observer.observe({ type: 'long-animation-frame' })
  window.times.core = []
}"""

HEARD = """() => {
  window.isOver = true
  window.observer.disconnect()
  return {
    gap: window.gaps.reduce((most, gap) => Math.max(most, gap), 0),
    frames: window.frames,
    core: Math.max(...window.times.core),
  }
}"""


def figure(name, measured, limit, unit="ms"):
    verdict = "met" if measured < limit else "missed"
    print(f"{name:<66} {measured:>8.1f} {unit:<3} bar {limit:>6} {verdict}")


def opening(app, count):
    """Milliseconds from the read of storage to the first row drawn."""
    found = []
    for _ in range(ROUNDS):
        app.page.reload()
        app.page.wait_for_timeout(SETTLE_MILLISECONDS)
        app.counts(count)
        app.page.wait_for_function("() => window.times.drawn")
        found.append(app.page.evaluate(OPENING))
    return statistics.median(found)


def resuming(browser, server):
    """Milliseconds from the first read of storage to the first job when the app opens."""
    app = App(browser, server)
    app.open()
    app.sign_in(TECHNICIAN)
    app.says(FIRST_JOB)
    app.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    app.page.add_init_script(RESUMED)
    found = []
    for _ in range(ROUNDS):
        app.page.reload()
        app.page.wait_for_timeout(SETTLE_MILLISECONDS)
        app.says(FIRST_JOB)
        found.append(app.page.evaluate(RESUMING))
    app.close()
    return statistics.median(found)


def delta(app, admin, number):
    """Bytes of one sync of a few changes, and milliseconds in which the page could not draw."""
    sizes = []
    cdp = app.context.new_cdp_session(app.page)
    cdp.send("Network.enable")
    asked = set()
    cdp.on("Network.requestWillBeSent", lambda event: asked.add(event["requestId"])
           if "/api/products" in event["request"]["url"] else None)
    cdp.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"])
           if event["requestId"] in asked else None)
    rename_products(
        admin, NEW_OWNER, range(number, MANY, MANY // CHANGES), name=f"Changed {number}")
    app.page.evaluate(LISTEN)
    app.button("Refresh").click()
    app.page.wait_for_timeout(1500)
    heard = app.page.evaluate(HEARD)
    cdp.detach()
    return sum(sizes), heard


def main(folder):
    server = Server(pathlib.Path(folder) / "browser").start()
    print(f"\nIn Chromium, load average {os.getloadavg()[0]:.1f} before")
    with chromium() as browser:
        figure("P-11 opened again: first read of storage to first job drawn, median",
               resuming(browser, server), 50)
        app = measured_app(browser, server, OWNER, 60)
        figure("O-09 60 products: storage read to first row drawn, median", opening(app, 60), 20)
        app.close()
        admin = add_products(server, NEW_OWNER, MANY)
        app = measured_app(browser, server, NEW_OWNER, MANY)
        figure("O-09 10,000 products: storage read to first row drawn, median",
               opening(app, MANY), 150)
        app.page.wait_for_timeout(1000)
        found = [delta(app, admin, number) for number in range(DELTAS)]
        app.close()
    figure("O-05 sync of 10 changes among 10,000 products: bytes moved",
           max(size for size, _ in found), 10_000, "B")
    figure("O-05 the same: longest time without a turn of the event loop, median",
           statistics.median(heard["gap"] for _, heard in found), 16)
    figure("O-05 the same: longest call of the core, median",
           statistics.median(heard["core"] for _, heard in found), 16)
    frames = [duration for _, heard in found for duration in heard["frames"]]
    figure("O-05 the same: longest frame of over 50 ms that Chromium reports", max(frames, default=0),
           50)
    print(f"load average {os.getloadavg()[0]:.1f} after")
    server.close()


if __name__ == "__main__":
    main(sys.argv[1])
