"""Makes pictures of the main screens in each engine, at a phone's size, in screens/engines/."""
import contextlib
import pathlib
import tempfile

from browser import chromium
from engine_app import (
    ConsoleEngineApp, EngineApp, MentorEngineApp, ProductEngineApp, RiderEngineApp)
from engine_chromium import Chromium
from engine_firefox import Firefox
from engine_webkit import WebKit
from harness import ROOT, Server
from test_browser_lock import JOB
from test_engines import PRODUCT

FOLDER = ROOT / "screens/engines"


def technician_walk(app, look):
    app.page.shows("field", "Email")
    look("technician-1-sign-in")
    code = app.reach_code()
    look("technician-2-code")
    app.verify(code)
    app.page.says(JOB)
    look("technician-3-jobs")
    app.open_menu()
    app.page.shows("button", "Sign out")
    look("technician-4-account-menu")


def rider_walk(app, look):
    app.page.shows("field", "Mobile number")
    look("rider-1-sign-in")
    app.sign_in()
    app.page.says("Today's deliveries")
    look("rider-2-dashboard")


def mentor_walk(app, look):
    app.sign_in()
    app.page.shows(".row-action")
    look("mentor-1-activities")
    app.page.click(role=".row-action")
    app.page.shows("field", "Your notes")
    look("mentor-2-activity")


def product_walk(app, look):
    app.sign_in()
    app.page.shows("#found", text="60 products")
    look("product-1-products")
    app.page.fill("Search by name, model or serial number", "SilentLine")
    app.page.click(text=PRODUCT)
    app.page.shows("heading", "Warranty card")
    look("product-2-warranty-card")


def console_walk(app, look):
    app.sign_in()
    app.page.shows("button", "Tara Lind")
    look("console-1-accounts")
    app.page.click("Tara Lind")
    app.page.shows("heading", "Tara Lind")
    look("console-2-account")
    app.page.click("Back")
    app.page.click("Policies")
    app.page.click("Riders")
    app.page.says("Failed attempts before lockout")
    look("console-3-policy")


WALKS = [(EngineApp, technician_walk), (RiderEngineApp, rider_walk), (MentorEngineApp, mentor_walk),
         (ProductEngineApp, product_walk), (ConsoleEngineApp, console_walk)]


def photograph(browser):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(pathlib.Path(folder) / "data").start()
        for kind, walk in WALKS:
            app = kind(browser, server)

            def look(screen):
                path = FOLDER / f"{screen}-{browser.name}.png"
                app.page.evaluate("() => scrollTo(0, 0)")
                app.page.screenshot(path)
                print(path.relative_to(ROOT))

            walk(app, look)
            browser.close_pages()
        server.close()


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium() as chrome:
        for browser in (Chromium(chrome), WebKit(takes_screenshots=True), Firefox()):
            with contextlib.closing(browser):
                photograph(browser)


if __name__ == "__main__":
    main()
