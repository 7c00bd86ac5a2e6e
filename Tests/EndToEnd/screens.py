"""Makes a picture of every screen in screens/, and docs/sign-in.png for the README."""
import pathlib
import tempfile

from browser import App, DESKTOP, PHONE, RiderApp, chromium
from console import Console, console_walk
from harness import ROOT, Server
from localhost import Authenticator, NamedServer
from products import ProductApp
from test_browser_lock import MentorApp
from walks import lock_walk, mentor_walk, product_walk, rider_walk, technician_walk

LOOKS = [
    ("phone-light", PHONE, "light", 100), ("phone-dark", PHONE, "dark", 100),
    ("phone-large-text", PHONE, "light", 200), ("desktop-light", DESKTOP, "light", 100),
    ("desktop-dark", DESKTOP, "dark", 100),
]

APPS = [(App, technician_walk), (RiderApp, rider_walk), (MentorApp, mentor_walk),
        (ProductApp, product_walk), (Console, console_walk)]


def photograph(app, walk, name):
    folder = ROOT / "screens"
    folder.mkdir(exist_ok=True)

    def look(app, screen):
        path = folder / f"{screen}-{name}.png"
        app.page.evaluate("() => scrollTo(0, 0)")
        app.page.screenshot(path=path, full_page=True, animations="disabled")
        print(path.relative_to(ROOT))

    walk(app.open(), look)
    app.close()


def photograph_lock(browser, server, name, viewport, scheme, percent):
    """An app lock needs a server with a host name and a device with an authenticator."""
    app = App(browser, server, viewport=viewport, scheme=scheme, text_percent=percent)
    app.authenticator = Authenticator(app.page)
    photograph(app, lock_walk, name)


def photograph_for_readme(browser, server):
    """The first screen of the app, on a phone with twice the pixel density."""
    context = browser.new_context(
        viewport={"width": 390, "height": 640}, device_scale_factor=2, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.base + "/app/technician-app/")
    page.get_by_label("Email", exact=True).wait_for()
    path = ROOT / "docs/sign-in.png"
    page.screenshot(path=path, animations="disabled")
    print(path.relative_to(ROOT))
    context.close()


def main():
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name, viewport, scheme, percent in LOOKS:
            server = Server(pathlib.Path(folder) / name).start()
            for kind, walk in APPS:
                app = kind(
                    browser, server, viewport=viewport, scheme=scheme, text_percent=percent)
                photograph(app, walk, name)
                # The last code was sent just now. Without this the resend cooldown would refuse the
                # next one.
                server.advance(61)
            if name == "phone-light":
                photograph_for_readme(browser, server)
            server.close()
            server = NamedServer(pathlib.Path(folder) / f"named-{name}").start()
            photograph_lock(browser, server, name, viewport, scheme, percent)
            server.close()


if __name__ == "__main__":
    main()
