"""Sign-in at an identity provider from the web app."""
import pytest
from playwright.sync_api import expect

from browser import App
from identity_provider import MisbehavingProvider, standard_provider
from lemonldap import lemonldap
from operator_tools import until
from test_providers import ANN, configuration, put

LABEL = "Example login"
BUTTON = f"Sign in with {LABEL}"


# A stored session replaces the stored sign-in.
IS_STORED = """() => new Promise((resolve) => {
  indexedDB.open('fieldpass-mentor-app').onsuccess = ({target: {result: database}}) => {
    database.transaction('records').objectStore('records').get('pending-sign-in').onsuccess =
      (event) => { database.close(); resolve(event.target.result === undefined); };
  };
})"""


class MentorApp(App):
    name = "mentor-app"

    def at_jobs(self):
        expect(self.page.get_by_role("heading", name="Activities", exact=True)).to_be_visible()


def web_configuration(folder, *providers):
    """The mentors' app is the web app of this server, which needs no other address."""
    settings = configuration(folder, *providers)
    del settings["clients"][0]["redirect_uris"]
    settings["clients"][0]["scopes"].append("account")
    return settings


@pytest.fixture
def at_standard(chrome, new_server, tmp_path):
    """The mentors' app of a server with a provider that others wrote."""
    with standard_provider(tmp_path, ANN) as issuer:
        server = new_server().start(web_configuration(tmp_path, {
            "name": "login", "issuer": issuer, "label": LABEL,
            "email_domains": ["example.net"]}))
        app = MentorApp(chrome, server)
        # The provider's style sheet is on another server.
        app.context.route("https://**", lambda route: route.abort())
        yield app.open()
        app.close()
        server.close()


@pytest.fixture
def provider():
    provider = MisbehavingProvider()
    yield provider
    provider.close()


@pytest.fixture
def at_bad(chrome, new_server, provider, tmp_path):
    """The mentors' app of a server with a provider that misbehaves."""
    server = new_server().start(web_configuration(
        tmp_path, {"name": "login", "issuer": provider.issuer, "label": LABEL},
        {"name": "gone", "issuer": "http://127.0.0.1:9", "label": "Old login"}))
    app = MentorApp(chrome, server)
    yield app.open()
    app.close()
    server.close()


def choose(app):
    app.button(BUTTON).click()
    app.page.get_by_placeholder("sub").wait_for()


def authorize(page):
    page.get_by_placeholder("sub").fill("ann")
    page.get_by_role("button", name="Authorize").click()


def test_sign_in(at_standard):
    """P-02 P-10 a person signs in at a provider, comes back to the app, and stays signed in"""
    app = at_standard
    app.button(BUTTON).wait_for()
    app.assert_accessible()
    choose(app)
    authorize(app.page)
    app.at_jobs()

    assert app.page.url == f"{app.server.base}/app/mentor-app/"
    app.page.reload()
    app.at_jobs()
    app.button("Account").click()
    app.button("Sign out").click()
    app.button(BUTTON).wait_for()
    app.says("Last used")
    # The next start shows the button before the server answers.
    app.page.route("**/apps/mentor-app", lambda route: route.abort())
    app.page.reload()
    app.button(BUTTON).wait_for()


def test_sign_out_at_provider(chrome, new_server, tmp_path):
    """P-10 a sign-out leads to the sign-out of LemonLDAP::NG, and from there back to the app"""
    server = new_server().start(web_configuration(tmp_path))
    with lemonldap(tmp_path, server.base + "/providers/login/callback",
                   server.base + "/oauth/signed-out") as issuer:
        server.stop()
        server.start(web_configuration(tmp_path, {
            "name": "login", "issuer": issuer, "label": LABEL, "scopes": ["openid", "profile"],
            "client_authentication": "post", "end_provider_session": True}))
        app = MentorApp(chrome, server).open()
        app.button(BUTTON).click()
        app.page.locator("input[name=user]").fill("dwho")
        app.page.locator("input[name=password]").fill("dwho")
        app.page.keyboard.press("Enter")
        app.page.get_by_role("button", name="Accept").click()
        app.at_jobs()
        # Debian's version would return to the page of the sign-in, which this cookie still names.
        app.context.clear_cookies(name="lemonldappdata")
        app.button("Account").click()
        app.button("Sign out").click()
        app.page.wait_for_url(issuer + "/**")
        app.page.get_by_role("button", name="Accept").click()
        app.page.get_by_role("heading", name="You are signed out").wait_for()
        app.page.get_by_role("link", name="Back to the app").click()
        app.button(BUTTON).click()
        # Without that sign-out, the provider would not ask for the password again.
        app.page.locator("input[name=password]").wait_for()
        app.close()
    server.close()


def test_changed_number(chrome, new_server, tmp_path):
    """T-16 the web app asks about a number and an address that the provider has changed"""
    with standard_provider(tmp_path, ANN) as issuer:
        server = new_server().start(web_configuration(
            tmp_path, {"name": "login", "issuer": issuer, "label": LABEL}))
        app = MentorApp(chrome, server)
        app.context.route("https://**", lambda route: route.abort())
        app.open()
        choose(app)
        authorize(app.page)
        app.at_jobs()
        app.button("Account").click()
        app.button("Sign out").click()
        app.button(BUTTON).wait_for()

        put(issuer, ANN | {"phone_number": "+4790003333", "email": "ann.new@example.net"})
        choose(app)
        authorize(app.page)
        app.says(f"{LABEL} says your phone number is now +4790003333. Use it here?")
        app.assert_accessible()
        app.button("Use the new number").click()
        app.says("Your account is updated.")
        app.says(f"{LABEL} says your email is now ann.new@example.net. Use it here?")
        app.button("Keep the old one").click()
        app.button("Keep the old one").wait_for(state="detached")
        app.page.reload()
        app.at_jobs()
        expect(app.button("Use the new email")).to_have_count(0)
        app.close()
        server.close()


def test_by_email(at_standard):
    """P-10 an e-mail address without a password leads to the provider of its domain"""
    app = at_standard
    app.says("Leave this empty if you sign in with your organization.")
    app.email.fill("ann@example.net")
    app.page.keyboard.press("Enter")
    authorize(app.page)
    app.at_jobs()


def test_by_other_email(at_standard):
    """P-01 if no provider has the domain, the person is asked for the password"""
    app = at_standard
    app.says("Leave this empty if you sign in with your organization.")
    app.email.fill("ann@example.org")
    app.page.keyboard.press("Enter")
    expect(app.password).to_be_focused()
    expect(app.email).to_have_value("ann@example.org")


def test_back(at_standard):
    """P-03 a person who goes back from the provider learns that the sign-in is not complete"""
    app = at_standard
    choose(app)
    app.page.go_back()
    app.says(f"The sign-in with {LABEL} is not complete.")
    choose(app)
    authorize(app.page)
    app.at_jobs()


def close_at_provider(app):
    """Closes the app at the provider; returns where the provider sends the browser."""
    held = []

    def hold(route):
        if route.request.method == "GET":
            route.continue_()
            return
        held.append(route.fetch(max_redirects=0).headers["location"])
        route.abort()
    app.page.route("**/oauth2/authorize?*", hold)
    authorize(app.page)
    until(lambda: held or app.page.wait_for_timeout(50))
    app.page.close()
    return held[0]


def test_other_tab(at_standard):
    """L-27 L-47 after the app was closed, the result completes the sign-in in a new tab"""
    app = at_standard
    choose(app)
    address = close_at_provider(app)
    app.page = app.context.new_page()
    app.page.goto(f"{app.server.base}/app/mentor-app/")
    app.says(f"The sign-in with {LABEL} is not complete.")
    app.page.goto(address)
    app.at_jobs()
    # The same address again changes nothing, because the answer was used.
    app.page.goto(address)
    app.at_jobs()


def test_foreign_link(chrome, at_standard):
    """L-19 a link with the result of another device signs no one in"""
    app = at_standard
    choose(app)
    answer = app.context.request.get(close_at_provider(app), max_redirects=0)
    assert answer.status == 303, answer
    link = answer.headers["location"]
    victim = MentorApp(chrome, app.server)
    victim.page.goto(link)
    victim.says("This sign-in took too long, or it began on another device. Start it again.")
    assert victim.count("/oauth/token") == 0
    victim.close()
    # A session here does not end because of it either.
    app.page = app.context.new_page()
    app.page.goto(link)
    app.at_jobs()
    app.until(IS_STORED)
    app.page.goto(link)
    app.at_jobs()


def test_cancelled(at_bad, provider):
    """P-03 a sign-in that was cancelled at the provider says so"""
    provider.fault = "authorize denied"
    at_bad.button(BUTTON).click()
    at_bad.says(f"The sign-in with {LABEL} was cancelled.")
    assert "?" not in at_bad.page.url
    at_bad.assert_accessible()


def test_faults(at_bad, provider):
    """P-03 each fault of a provider has its own sentence"""
    for fault, text in (
            ("token error", f"Sign-in with {LABEL} is not available now."),
            ("token html", f"Sign-in with {LABEL} is not set up correctly."),
            ("alg none", f"the answer of {LABEL} failed a security check")):
        provider.fault = fault
        at_bad.button(BUTTON).click()
        at_bad.says(text)


def test_unavailable(at_bad):
    """P-03 the button of a provider that cannot be reached is disabled and says so"""
    until(lambda: any(not known["available"] for known
                      in at_bad.server.get("/apps/mentor-app").json["providers"]))
    at_bad.page.reload()
    expect(at_bad.button("Sign in with Old login")).to_be_disabled()
    at_bad.says("Not available now")


def test_no_answer(at_bad, provider):
    """P-03 if the server does not answer after the provider, the person can try again"""
    provider.claims = {"phone_number": "+4790003333", "phone_number_verified": True}
    at_bad.page.route("**/oauth/token", lambda route: route.abort())
    at_bad.button(BUTTON).click()
    at_bad.button("Try again").wait_for()
    at_bad.assert_accessible()
    at_bad.page.unroute("**/oauth/token")
    at_bad.button("Try again").click()
    at_bad.at_jobs()


def test_other_apps(chrome, server):
    """P-10 an app without providers shows none"""
    app = App(chrome, server).open()
    app.email.wait_for()
    until(lambda: app.count("/apps/technician-app") or app.page.wait_for_timeout(50))
    expect(app.page.get_by_role("button", name="Sign in with")).to_have_count(0)
    app.close()


def test_queries_of_others(app):
    """L-56 a result without state leaves the address bar, and an address may have any query"""
    address = f"{app.server.base}/app/{app.name}/"
    for query, kept in (("?error=access_denied&error_description=no", ""),
                        ("?code=unknown&iss=elsewhere", ""), ("?utm=a|b&q=100%", "?utm=a|b&q=100%")):
        app.page.goto("about:blank")
        opened = app.page.goto(address + query)
        assert opened.status == 200
        expect(app.button("Login")).to_be_visible()
        assert app.page.evaluate("location.search") == kept
