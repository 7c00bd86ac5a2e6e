"""Makes a picture of every screen in screens/, and docs/sign-in.png for the README."""
import pathlib
import tempfile

from browser import App, DESKTOP, PHONE, RiderApp, chromium, rider_walk, walk
from harness import ROOT, Server

LOOKS = [
    ("phone-light", PHONE, "light", 100), ("phone-dark", PHONE, "dark", 100),
    ("phone-large-text", PHONE, "light", 200), ("desktop-light", DESKTOP, "light", 100),
    ("desktop-dark", DESKTOP, "dark", 100),
]


APPS = [(App, walk), (RiderApp, rider_walk)]


def photograph(kind, walk, browser, server, name, viewport, scheme, percent):
    folder = ROOT / "screens"
    folder.mkdir(exist_ok=True)
    app = kind(browser, server, viewport=viewport, scheme=scheme, text_percent=percent).open()

    def look(app, screen):
        path = folder / f"{screen}-{name}.png"
        app.page.screenshot(path=path, full_page=True, animations="disabled")
        print(path.relative_to(ROOT))

    walk(app, look)
    app.close()


def photograph_for_readme(browser, server):
    """The first screen people see, on a phone of twice the density."""
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
        for name, *look in LOOKS:
            server = Server(pathlib.Path(folder) / name).start()
            for kind, walk in APPS:
                photograph(kind, walk, browser, server, name, *look)
            if name == "phone-light":
                photograph_for_readme(browser, server)
            server.close()


if __name__ == "__main__":
    main()
