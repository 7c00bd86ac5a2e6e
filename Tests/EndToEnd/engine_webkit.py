"""WebKit, the engine of Safari, in the test browser of WebKitGTK on a display without a screen."""
import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from browser import PHONE
from engine import BACKSPACE, CALL, Browser, Page

DRIVER = "/usr/bin/WebKitWebDriver"
BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

# An element that has not moved for this long stands still.
STILL_SECONDS = 0.03
STILL_CHECKS = 50

PAINTED = """async () => {
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
}"""


@contextlib.contextmanager
def process(*command, **more):
    """Starts a process and ends it."""
    started = subprocess.Popen(command, stderr=subprocess.DEVNULL, **more)
    try:
        yield started
    finally:
        started.terminate()
        started.wait(20)


@contextlib.contextmanager
def home():
    """Yields the settings of an empty home folder, where nothing on a page moves."""
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path(folder) / "gtk-3.0/settings.ini"
        settings.parent.mkdir()
        settings.write_text("[Settings]\ngtk-enable-animations=0\n")
        yield {f"XDG_{kind}_HOME": folder for kind in ("CACHE", "CONFIG", "DATA", "STATE")}


@contextlib.contextmanager
def display():
    """Starts an X server and a message bus; yields the environment for programs that use them."""
    reading, writing = os.pipe()
    # The server chooses a free number and writes it when it is ready.
    server = process("Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24",
                     "-nolisten", "tcp", pass_fds=[writing])
    bus = process("dbus-daemon", "--session", "--nofork", "--print-address",
                  stdout=subprocess.PIPE, text=True)
    with server, bus as started:
        os.close(writing)
        with os.fdopen(reading) as number:
            name = f":{number.readline().strip()}"
        address = started.stdout.readline().strip()
        yield os.environ | {
            "DISPLAY": name, "DBUS_SESSION_BUS_ADDRESS": address, "LANG": "en_GB.UTF-8"}


def start_driver(environment):
    options = Options()
    options.binary_location = BROWSER
    options.add_argument("--automation")
    options.add_argument("--javascript-can-open-windows-automatically=true")
    return webdriver.WebKitGTK(options=options, service=Service(DRIVER, env=environment))


class WebKit(Browser):
    """Each page has its own window, because the test browser cannot bring a tab to the front.

    Each test has its own server, so its pages have their own origin and storage.
    """
    name = "webkit"
    lacks = {
        "offline": "the driver cannot simulate the loss of the network; the server is stopped",
        "authenticator": "Debian builds WebKitGTK without WebAuthn",
    }

    def __init__(self, takes_screenshots=False):
        with contextlib.ExitStack() as stack:
            environment = stack.enter_context(display()) | stack.enter_context(home())
            if not takes_screenshots:
                # Without OpenGL, whose library sometimes ends a process. Screenshots need it.
                environment["WEBKIT_DISABLE_COMPOSITING_MODE"] = "1"
            self.driver = start_driver(environment)
            stack.callback(self.driver.quit)
            self.stack = stack.pop_all()
        self.driver.set_script_timeout(30)
        self.first = self.selected = self.driver.current_window_handle

    def open(self, address):
        """A window with a size, as pages open them, has no toolbar."""
        self.select(self.first)
        before = set(self.driver.window_handles)
        self.driver.execute_script(
            f"open('', '_blank', 'noopener,width={PHONE['width']},height={PHONE['height']}')")
        page = WebKitPage(self, self.first)
        page.handle, = page.until(lambda: set(self.driver.window_handles) - before, "a new window")
        return page.open(address)

    def select(self, handle):
        if self.selected != handle:
            self.driver.switch_to.window(handle)
            self.selected = handle

    def close_pages(self):
        for handle in self.driver.window_handles:
            if handle != self.first:
                self.select(handle)
                self.driver.close()
        self.select(self.first)

    def close(self):
        self.stack.close()


start = WebKit


class WebKitPage(Page):
    passing_errors = (WebDriverException,)

    def __init__(self, browser, handle):
        self.browser, self.handle = browser, handle

    @property
    def driver(self):
        self.browser.select(self.handle)
        return self.browser.driver

    def open(self, address):
        self.driver.get(address)
        return self

    def new_tab(self, address):
        return self.browser.open(address)

    def show(self):
        """Every window is visible."""

    def reload(self):
        self.driver.refresh()

    def evaluate(self, function, *arguments):
        answer = self.driver.execute_async_script(CALL % function, *arguments)
        if "error" in answer:
            raise WebDriverException(answer["error"])
        return answer.get("value")

    def element(self, function, *arguments):
        return self.driver.execute_script(f"return ({function})(...arguments)", *arguments)

    def press(self, element):
        """The driver does not scroll, so the page does.

        It also presses where the element was. So the element must have stopped moving.
        """
        def place():
            return self.driver.execute_script("""
              arguments[0].scrollIntoView({ block: 'center' })
              return JSON.stringify(arguments[0].getBoundingClientRect())""", element)
        last = place()
        for _ in range(STILL_CHECKS):
            time.sleep(STILL_SECONDS)
            if last == (last := place()):
                break
        element.click()

    def type(self, element, text):
        self.browser.select(self.handle)
        element.send_keys(text or BACKSPACE)

    def screenshot(self, path):
        """The driver takes what was painted last, so the page is painted first."""
        self.evaluate(PAINTED)
        self.driver.save_screenshot(str(path))
