"""Chromium, driven by Playwright."""
from playwright.sync_api import Error

from browser import PHONE
from engine import Browser, Page
from localhost import Authenticator


class Chromium(Browser):
    """Each first page has its own context, with its own storage."""
    name = "chromium"

    def __init__(self, browser):
        self.browser = browser
        self.contexts = []

    def open(self, address):
        context = self.browser.new_context(
            viewport=PHONE, locale="en-GB", reduced_motion="reduce")
        # The headless shell has no user who can allow it.
        context.grant_permissions(["clipboard-write"])
        self.contexts.append(context)
        return ChromiumPage(context.new_page()).open(address)

    def set_offline(self, is_offline):
        for context in self.contexts:
            context.set_offline(is_offline)

    def add_authenticator(self, page):
        return Authenticator(page.page)

    def close_pages(self):
        while self.contexts:
            self.contexts.pop().close()

    def close(self):
        """The fixture that started the process ends it."""
        self.close_pages()


class ChromiumPage(Page):
    passing_errors = (Error,)

    def __init__(self, page):
        self.page = page
        page.set_default_timeout(10_000)

    def open(self, address):
        self.page.goto(address)
        return self

    def new_tab(self, address):
        return ChromiumPage(self.page.context.new_page()).open(address)

    def show(self):
        self.page.bring_to_front()

    def reload(self):
        self.page.reload()

    def evaluate(self, function, *arguments):
        return self.page.evaluate(f"(all) => ({function})(...all)", list(arguments))

    def element(self, function, *arguments):
        return self.page.evaluate_handle(
            f"(all) => ({function})(...all)", list(arguments)).as_element()

    def press(self, element):
        element.click(timeout=2000)

    def type(self, element, text):
        element.fill(text, timeout=2000)

    def screenshot(self, path):
        self.page.screenshot(path=path, animations="disabled")
