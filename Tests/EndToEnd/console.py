"""The administrators' console in a real browser."""
from playwright.sync_api import expect

from browser import App
from harness import ADMINISTRATOR


class Console(App):
    """The console in its own browser context."""
    name = "console"

    def sign_in(self, person=ADMINISTRATOR):
        code = self.reach_code(person)
        with self.page.expect_response("**/oauth/token") as answer:
            self.verify(code)
        self.tokens = answer.value.json()
        expect(self.heading("Overview")).to_be_visible()
        self.tab("Accounts")

    def find(self, text):
        self.page.get_by_label("Name, email or number").fill(text)

    def open_account(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        expect(self.page.get_by_role("heading", name=name, level=2)).to_be_visible()

    def act(self, action, done, reason=None):
        """Presses an action, confirms it, and waits for the message that it is done."""
        self.page.locator("#actions").get_by_role("button", name=action).click()
        if reason:
            expect(self.sheet.get_by_role("button", name=action)).to_be_disabled()
            self.sheet.get_by_label("Reason").fill(reason)
        self.sheet.get_by_role("button", name=action).click()
        self.says(done)

    def edit(self):
        self.page.get_by_role("button", name="Edit", exact=True).click()
        expect(self.page.get_by_role("heading", name="Edit ")).to_be_focused()

    def new_account(self, role, name, email, phone):
        """Opens the form for a new account and fills it in."""
        self.button("New account").click()
        self.page.get_by_label("Role", exact=True).select_option(label=role)
        self.page.get_by_label("Name", exact=True).fill(name)
        self.email.fill(email)
        self.page.get_by_label("Mobile number").fill(phone)

    def level(self, place):
        """The level in one organization, or in `all organizations`."""
        return self.page.get_by_label(f"Permissions in {place}", exact=True)

    def asks_to_discard(self):
        expect(self.page.get_by_role("heading", name="Discard your changes?")).to_be_focused()

    def keep_editing(self):
        self.asks_to_discard()
        self.sheet.get_by_role("button", name="Keep editing").click()
        expect(self.sheet).to_have_count(0)

    def discard(self):
        self.asks_to_discard()
        self.sheet.get_by_role("button", name="Discard").click()
        expect(self.sheet).to_have_count(0)

    @property
    def confirmation(self):
        return self.sheet.get_by_label("Person's name or email")

    @property
    def sheet(self):
        return self.page.get_by_role("dialog")

    def tab(self, name):
        self.page.get_by_role("navigation").get_by_role("button", name=name).click()
        expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()

    def open_policy(self, name):
        """Opens the page with every value of one app or organization."""
        self.page.get_by_role("button", name=name, exact=True).click()
        expect(self.page.get_by_role("heading", name=name, level=2)).to_be_visible()

    def row(self, rule):
        """The row of one rule on the page of a policy."""
        return self.page.get_by_role("row").filter(
            has=self.page.get_by_role("button", name=rule, exact=True))

    def open_rule(self, rule):
        self.page.get_by_role("button", name=rule, exact=True).click()
        expect(self.page.get_by_role("heading", name=rule, level=2)).to_be_focused()

    @property
    def value(self):
        return self.page.get_by_label("New value")

    @property
    def unit(self):
        return self.page.get_by_label("Unit", exact=True)


def console_walk(app, look):
    """Visits every screen of the console and calls `look` on each."""
    app.sign_in()
    look(app, "console-01-accounts")
    app.open_account("Tara Lind")
    look(app, "console-02-account")
    app.button("Back").click()
    app.button("New account").click()
    app.page.get_by_label("Role", exact=True).select_option(label="Administrator")
    expect(app.level("all organizations")).to_be_visible()
    app.button("Create account").click()
    app.says("Choose at least one permission.")
    look(app, "console-11-new-account")
    app.button("Back").click()
    app.asks_to_discard()
    look(app, "console-12-discard")
    app.discard()
    app.tab("Overview")
    expect(app.page.get_by_role("heading", name="Sign-ins by day")).to_be_visible()
    app.page.get_by_text("Show as table").first.focus()
    app.page.keyboard.press("Enter")
    expect(app.page.get_by_role("table", name="Sign-ins by day")).to_be_visible()
    look(app, "console-14-overview")
    app.tab("Events")
    expect(app.page.get_by_role("button", name="Ada Holm").first).to_be_visible()
    look(app, "console-13-events")
    app.tab("Products")
    app.page.locator("#products th .row-action").first.click()
    expect(app.page.locator("#record")).to_be_focused()
    look(app, "console-15-product")
    app.button("Transfer Ownership").click()
    expect(app.sheet).to_be_visible()
    look(app, "console-16-transfer")
    app.sheet.get_by_role("button", name="Cancel").click()
    app.tab("Requests")
    look(app, "console-17-requests")
    app.tab("Policies")
    app.says("Choose an app or an organization")
    look(app, "console-03-policies")
    app.open_policy("Riders")
    app.says("Failed attempts before lockout")
    look(app, "console-04-policy")
    app.open_rule("Code expires after")
    look(app, "console-05-rule")
    app.value.fill("11")
    app.button("Save").click()
    app.says("Enter a time from 1 minute to 10 minutes, as a whole number.")
    look(app, "console-06-refused-value")
    app.value.fill("10")
    app.button("Save").click()
    expect(app.sheet).to_be_visible()
    look(app, "console-07-weaker")
    app.sheet.get_by_role("button", name="Use weaker value").click()
    app.says("Saved.")
    look(app, "console-08-saved")
    app.button("Restore configured value").click()
    app.says("Configured value restored.")
    app.button("Close").click()
    app.open_rule("Sign-in message")
    look(app, "console-09-message")
    app.button("Close").click()
    app.page.locator("#back").click()
    app.open_policy("North")
    app.says("Failed attempts before lockout")
    look(app, "console-10-organization")
