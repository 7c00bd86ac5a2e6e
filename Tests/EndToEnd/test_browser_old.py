"""Browsers that are too old, and the oldest ones that are served."""
import pytest
from playwright.sync_api import expect

from browser import App
from harness import TECHNICIAN

# What an older browser lacks, each enough to be told.
MISSING = {
    "at": "delete Array.prototype.at",
    "channel": "delete window.BroadcastChannel",
    "dialog": "delete HTMLDialogElement.prototype.showModal",
    "uuid": "delete Crypto.prototype.randomUUID",
    # Before Safari 16 the page's policy forbids WebAssembly.
    "policy": "WebAssembly.Module = function () { throw new EvalError('forbidden'); }",
}
# What came after the oldest browsers that are served, as far as the apps ask for it.
NEWER = """
  delete AbortSignal.any;
  delete AbortSignal.timeout;
  delete PublicKeyCredential.getClientCapabilities;
"""
TOO_OLD = {
    "en-GB": "This browser is too old for Fieldpass",
    "hi-IN": "यह ब्राउज़र Fieldpass के लिए बहुत पुराना है",
    "nn-NO": "Denne nettleseren er for gammel for Fieldpass",
    "fr-FR": "This browser is too old for Fieldpass",
}


def opened(chrome, server, script, **more):
    app = App(chrome, server, **more)
    app.page.add_init_script(script)
    return app.open()


def leave(app):
    # A module that is read after the notice may stop at what is missing.
    app.problems.clear()
    app.close()


@pytest.mark.parametrize("missing", MISSING)
def test_too_old(chrome, server, missing):
    """A browser that lacks what the app needs is told so in a sentence, and no app starts"""
    app = opened(chrome, server, MISSING[missing])

    expect(app.heading(TOO_OLD["en-GB"])).to_be_visible()
    expect(app.page.get_by_text("Safari 16, Chrome 100 or Firefox 115")).to_be_visible()
    app.page.wait_for_load_state("networkidle")
    expect(app.heading(TOO_OLD["en-GB"])).to_be_visible()
    expect(app.email).to_have_count(0)
    leave(app)


@pytest.mark.parametrize("locale", TOO_OLD)
def test_language(chrome, server, locale):
    """The notice is in the person's language, as far as the apps speak it"""
    app = opened(chrome, server, MISSING["at"], locale=locale)

    expect(app.heading(TOO_OLD[locale])).to_be_visible()
    leave(app)


def test_chosen_language(chrome, server):
    """A language that was chosen in the app comes before those of the browser"""
    key = f"fieldpass-{App.name}-language"
    app = opened(chrome, server, f"localStorage.setItem('{key}', 'hi'); {MISSING['at']}")

    expect(app.heading(TOO_OLD["hi-IN"])).to_be_visible()
    assert app.page.evaluate("document.documentElement.lang") == "hi"
    leave(app)


def test_oldest(chrome, server):
    """What came after the oldest browsers is not needed to sign in"""
    app = opened(chrome, server, NEWER)

    app.sign_in(TECHNICIAN)
    app.close()


def test_oldest_without_answer(chrome, server):
    """A request without an answer ends after its time, without the browser's own limit"""
    app = App(chrome, server)
    app.page.add_init_script(NEWER)
    app.page.clock.install()
    app.open()
    held = []
    app.page.route("**/oauth/challenge", lambda route: held.append(route))
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    app.says("Signing in…")

    app.page.clock.run_for(120_000)

    app.says("The service did not answer in time. Please try again.")
    for route in held:
        route.abort()
    app.close()


def test_not_too_old(chrome, server):
    """A browser of today sees no notice"""
    app = opened(chrome, server, "")

    expect(app.email).to_be_visible()
    expect(app.page.locator("html[data-old-browser]")).to_have_count(0)
    app.close()
