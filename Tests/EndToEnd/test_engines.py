"""The main paths of the web apps in Chromium, WebKit and Firefox.

Every test runs in each engine. `lacks` of an engine names what it cannot do here, with the reason;
the test then shows what a user of such a browser sees.
"""
import browser as web
from engine_app import (
    ConsoleEngineApp, EngineApp, MentorEngineApp, ProductEngineApp, RiderEngineApp)
from harness import TECHNICIAN
from test_browser_lock import JOB, LOCKED, OFFER, ON, SET_VISIBILITY
from test_browser_offline import HEAD
from test_browser_session import KEPT

ACCESS_TOKEN_SECONDS = 300
OFFLINE = "Viewing offline data"
PRODUCT = "Dishwasher SilentLine 60"
# Longer than the server accepts, so that they stay a draft.
NOTES = "Talked about his sister. " * 200

# The length of the stored screen state, which grows by the length of a draft.
STATE_BYTES = """async () => {
  const open = indexedDB.open('fieldpass-mentor-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const read = base.transaction('records').objectStore('records').get('place')
  await new Promise((done) => { read.onsuccess = done })
  base.close()
  return read.result?.sealed.byteLength ?? 0
}"""


def test_sign_in(engine, server):
    """T-01, T-02, T-10, T-15 in each engine a technician corrects a wrong password and signs in"""
    app = EngineApp(engine, server)
    app.page.shows("field", "Email")
    app.assert_accessible()
    app.log_in("wrong-guess")
    app.page.says(web.INVALID)
    assert app.page.value("Email") == TECHNICIAN.email and app.page.value("Password") == ""

    code = app.reach_code()
    app.page.says(web.CODE_SENT)
    app.page.is_true("() => document.activeElement.matches('.code input')")
    app.assert_accessible()
    app.verify(web.wrong(code))
    app.page.says(web.REFUSED_CODE)
    app.verify(code, by_button=True)

    app.at_home()
    app.page.says(JOB)
    app.assert_accessible()


def test_code_read_elsewhere(engine, server):
    """T-01, T-10 in each engine a person leaves the code screen, reads the code and returns"""
    app = EngineApp(engine, server)
    code = app.reach_code()

    inbox = app.open_inbox()
    inbox.shows("button", f"Copy {code}")
    app.page.show()

    app.page.says(web.CODE_SENT)
    app.verify(code)
    app.at_home()


def test_cover(engine, server):
    """P-05 in each engine the screen is covered while the app is in the background"""
    app = EngineApp(engine, server)
    app.sign_in()
    app.page.says(JOB)

    assert app.page.evaluate(SET_VISIBILITY, "hidden")["covered"]
    app.page.evaluate(SET_VISIBILITY, "visible")

    app.page.is_true("() => document.getElementById('cover').hidden")
    app.page.says(JOB)


def test_no_network(engine, server):
    """T-07, P-03 in each engine a lost connection is reported, and the typed text is kept"""
    app = EngineApp(engine, server)
    app.page.shows("field", "Email")
    app.lose_server()
    app.log_in()

    app.page.says(web.UNREACHABLE if "offline" in engine.lacks else web.NO_CONNECTION)
    assert app.page.value("Password") == TECHNICIAN.password
    app.find_server()
    app.page.click("Login")
    app.page.shows("field", "6-digit code")


def test_reload_and_refresh(engine, server):
    """P-06, P-11, S-02 in each engine a reload keeps the session, also with an expired token"""
    app = EngineApp(engine, server)
    app.sign_in()
    app.page.says(JOB)

    app.page.reload()
    app.at_home()
    app.page.says(JOB)
    server.advance(ACCESS_TOKEN_SECONDS + 1)
    app.page.reload()

    app.at_home()
    app.page.until(lambda: app.page.count("/oauth/token") == 1, "the token is refreshed once")
    app.page.says(JOB)


def test_two_tabs(engine, server):
    """P-11, P-12, S-04, L-22 in each engine a second tab is signed in, and out with the first"""
    app = EngineApp(engine, server)
    app.sign_in()
    app.page.says(JOB)
    other = app.page.new_tab(app.address)
    other.says(JOB)
    app.page.show()

    app.sign_out()

    other.shows("field", "Password")
    other.reload()
    other.shows("field", "Password")


def test_storage(engine, server):
    """T-14, S-01 in each engine tokens are stored sealed, with keys that cannot leave it"""
    app = EngineApp(engine, server)
    app.sign_in()
    app.page.says(JOB)

    stored = app.page.evaluate(KEPT)

    assert (stored["local"], stored["session"], stored["cookie"]) == (0, 0, "")
    assert stored["texts"] and stored["extractable"] == []
    # Every token that is a JWT starts like this.
    assert not [text for text in stored["texts"] if "eyJ" in text or JOB in text]


def test_products_offline(engine, server):
    """O-01, O-02, O-05, O-10 in each engine products open without a server, and sync with it"""
    app = ProductEngineApp(engine, server)
    app.sign_in()
    app.page.shows("#found", text="60 products")
    app.page.is_true(HEAD, "products")
    app.ready_for_offline()
    app.lose_server()

    app.page.reload()

    app.at_home()
    app.page.shows("#status", text=OFFLINE)
    app.page.fill("Search by name, model or serial number", "SilentLine")
    app.page.click(text=PRODUCT)
    app.page.shows("heading", "Warranty card")
    app.page.click("Copy serial number")
    app.page.shows(".copy", text="Copied")
    app.assert_accessible()
    app.find_server()
    app.page.evaluate("() => dispatchEvent(new Event('online'))")
    app.page.hides("#status", text=OFFLINE)


def test_app_lock(engine, named_server):
    """P-07, S-02, S-04 in each engine with an authenticator that gives a key, it locks the app"""
    app = EngineApp(engine, named_server)
    if "authenticator" in engine.lacks:
        app.sign_in()
        app.page.says(JOB)
        app.open_menu()
        app.page.shows("button", "Sign out")
        app.page.hides("button", "Turn on app lock")
        return
    engine.add_authenticator(app.page)
    app.page.reload()
    app.sign_in()
    app.page.shows("dialog", text=OFFER)
    app.page.click("Turn on")
    app.page.says(ON)

    app.page.reload()

    app.page.shows("heading", LOCKED)
    app.page.click("Unlock")
    app.at_home()
    app.page.says(JOB)


def test_rider(engine, server):
    """R-01 in each engine a rider signs in with a number and a code"""
    app = RiderEngineApp(engine, server)
    app.sign_in()

    app.page.says("Today's deliveries")
    app.assert_accessible()


def test_mentor(engine, server):
    """S-05, S-09 in each engine a draft is there after a reload, and the organization can change"""
    app = MentorEngineApp(engine, server)
    app.sign_in()
    app.page.click(role=".row-action")
    app.page.paste("Your notes", NOTES)
    app.page.says("Your notes are too long.")
    app.page.is_true(f"async (count) => await ({STATE_BYTES})() > count", len(NOTES))

    app.page.reload()

    app.page.until(lambda: app.page.value("Your notes") == NOTES, "the draft is there")
    app.page.paste("Your notes", NOTES[:1000])
    app.page.says("Saved at")
    app.open_menu()
    app.page.click("Switch to South")
    app.page.shows(".organization", text="South")


def test_console(engine, server):
    """T-04, T-16, S-08 in each engine an administrator deactivates a technician, who sees it"""
    technician = EngineApp(engine, server)
    technician.sign_in()
    technician.page.says(JOB)
    console = ConsoleEngineApp(engine, server)
    console.sign_in()
    console.page.click("Accounts")
    console.page.click("Tara Lind")
    console.page.shows("heading", "Tara Lind")
    console.assert_accessible()

    console.page.click("Deactivate", "#actions button")
    console.page.fill("Reason", "Left the company")
    console.page.click("Deactivate", "[role=dialog] button, dialog button")

    console.page.says("Account deactivated. Its sessions have ended.")
    technician.page.show()
    technician.page.says(web.DEACTIVATED)
