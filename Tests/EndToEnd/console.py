"""The administrators' console in a real browser."""
from playwright.sync_api import expect

from browser import App
from harness import ADMINISTRATOR


class Console(App):
    """The same core, opened as the console."""
    name = "console"

    def sign_in(self, person=ADMINISTRATOR):
        self.code.fill(self.reach_code(person))
        with self.page.expect_response("**/oauth/token") as answer:
            self.button("Verify").click()
        self.tokens = answer.value.json()
        expect(self.heading("Accounts")).to_be_visible()

    def find(self, text):
        self.page.get_by_label("Name, email or number").fill(text)

    def open_account(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        expect(self.page.get_by_role("heading", name=name, level=2)).to_be_visible()

    def act(self, action, done):
        """Presses an action, means it, and waits to be told."""
        self.page.locator("#actions").get_by_role("button", name=action).click()
        self.sheet.get_by_role("button", name=action).click()
        self.says(done)

    def edit(self):
        self.page.get_by_role("button", name="Edit", exact=True).click()
        expect(self.page.get_by_role("heading", name="Edit ")).to_be_focused()

    @property
    def confirmation(self):
        return self.sheet.get_by_label("Name or email of the person")

    @property
    def sheet(self):
        return self.page.get_by_role("dialog")

    def tab(self, name):
        self.page.get_by_role("navigation").get_by_role("button", name=name).click()
        expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()

    def open_policy(self, name):
        """From the list of policies to every value of one app or organization."""
        self.page.get_by_role("button", name=name, exact=True).click()
        expect(self.page.get_by_role("heading", name=name, level=2)).to_be_visible()

    def row(self, rule):
        """The row of one rule, on the page of a policy."""
        return self.page.get_by_role("row").filter(
            has=self.page.get_by_role("button", name=rule, exact=True))

    def open_rule(self, rule):
        self.page.get_by_role("button", name=rule, exact=True).click()
        expect(self.page.get_by_role("heading", name=rule, level=2)).to_be_focused()

    @property
    def value(self):
        return self.page.get_by_label("New value")


def console_walk(app, look):
    """Visits every screen of the console and looks at each."""
    app.sign_in()
    look(app, "console-01-accounts")
    app.open_account("Tara Lind")
    look(app, "console-02-account")
    app.button("Back").click()
    app.tab("Policies")
    app.says("Choose an app, or an organization")
    look(app, "console-03-policies")
    app.open_policy("Riders")
    app.says("Wrong answers before a lock")
    look(app, "console-04-policy")
    app.open_rule("A code lives")
    look(app, "console-05-rule")
    app.value.fill("601")
    app.button("Save").click()
    app.says("Enter a whole number from 60 to 600.")
    look(app, "console-06-refused-value")
    app.value.fill("600")
    app.button("Save").click()
    expect(app.sheet).to_be_visible()
    look(app, "console-07-weaker")
    app.sheet.get_by_role("button", name="Make it weaker").click()
    app.says("Saved. It holds from the next decision on.")
    look(app, "console-08-saved")
    app.button("Back to the configured value").click()
    app.says("The configured value holds again.")
    app.button("Close").click()
    app.open_rule("Message with a code to sign in")
    look(app, "console-09-message")
    app.button("Close").click()
    app.page.locator("#back").click()
    app.open_policy("North")
    app.says("Wrong answers before a lock")
    look(app, "console-10-organization")
