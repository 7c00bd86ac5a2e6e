"""Firefox without a window, driven by its own protocol, Marionette."""
import contextlib
import pathlib
import tempfile

from marionette_driver.errors import MarionetteException
from marionette_driver.marionette import Marionette

from browser import PHONE
from engine import BACKSPACE, CALL, Browser, Page

BROWSER = "/usr/bin/firefox-esr"
# Scroll bars as on a phone, which take no space.
SETTINGS = {"intl.accept_languages": "en-GB", "ui.prefersReducedMotion": 1,
            "ui.useOverlayScrollbars": 1}

# A window of Firefox is at least as wide as its toolbar, which is wider than a phone.
RESIZE = """const [width, height] = arguments
  document.documentElement.style.setProperty('min-width', '0', 'important')
  const { clientWidth, clientHeight } = gBrowser.selectedBrowser
  window.resizeBy(width - clientWidth, height - clientHeight)
  const now = gBrowser.selectedBrowser
  return now.clientWidth === width && now.clientHeight === height"""


class Firefox(Browser):
    """Each page is a tab. Each test has its own server, so its pages have their own storage."""
    name = "firefox"
    lacks = {
        "authenticator": "the authenticator that Firefox simulates has no PRF, which gives the key",
    }

    def __init__(self):
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.marionette = Marionette(
                app="fxdesktop", bin=BROWSER, headless=True, port=0, prefs=SETTINGS,
                gecko_log=str(folder / "log"), workspace=str(folder))
            stack.callback(self.end)
            self.marionette.start_session()
            self.stack = stack.pop_all()
        self.first = self.selected = self.marionette.current_window_handle
        FirefoxPage(self, self.first).until(self.has_phone_size, "the window has a phone's size")

    def has_phone_size(self):
        return self.in_browser(RESIZE, PHONE["width"], PHONE["height"])

    def in_browser(self, script, *arguments):
        """Runs a script of the browser itself, not of a page."""
        with self.marionette.using_context("chrome"):
            return self.marionette.execute_script(script, script_args=arguments)

    def open(self, address):
        handle = self.marionette.open(type="tab", focus=True)["handle"]
        return FirefoxPage(self, handle).open(address)

    def set_offline(self, is_offline):
        self.in_browser("Services.io.offline = arguments[0]", is_offline)

    def select(self, handle):
        if self.selected != handle:
            self.marionette.switch_to_window(handle, focus=False)
            self.selected = handle

    def close_pages(self):
        self.set_offline(False)
        for handle in self.marionette.window_handles:
            if handle != self.first:
                self.select(handle)
                self.marionette.close()
        self.select(self.first)

    def end(self):
        self.marionette.cleanup()
        # The library makes another profile, and deletes it when nothing refers to it.
        self.marionette.instance = None

    def close(self):
        self.stack.close()


start = Firefox


class FirefoxPage(Page):
    passing_errors = (MarionetteException,)

    def __init__(self, browser, handle):
        self.browser, self.handle = browser, handle

    @property
    def marionette(self):
        self.browser.select(self.handle)
        return self.browser.marionette

    def open(self, address):
        self.marionette.navigate(address)
        return self

    def new_tab(self, address):
        return self.browser.open(address)

    def show(self):
        self.marionette.switch_to_window(self.handle, focus=True)

    def reload(self):
        self.marionette.refresh()

    def evaluate(self, function, *arguments):
        answer = self.marionette.execute_async_script(
            CALL % function, script_args=arguments, sandbox=None)
        if answer is None:
            raise MarionetteException("the page was left")
        if "error" in answer:
            raise MarionetteException(answer["error"])
        return answer.get("value")

    def element(self, function, *arguments):
        return self.marionette.execute_script(
            f"return ({function})(...arguments)", script_args=arguments, sandbox=None)

    def press(self, element):
        self.browser.select(self.handle)
        element.click()

    def type(self, element, text):
        self.browser.select(self.handle)
        element.send_keys(text or BACKSPACE)

    def screenshot(self, path):
        self.browser.select(self.handle)
        with open(path, "wb") as file:
            self.marionette.save_screenshot(file, full=False)
