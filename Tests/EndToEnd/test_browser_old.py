"""Browsers that are too old, and the oldest supported ones."""
import pytest
from playwright.sync_api import expect

from browser import App
from harness import TECHNICIAN

# Features that an older browser lacks. Each missing one is enough for the notice.
MISSING = {
    "at": "delete Array.prototype.at",
    "channel": "delete window.BroadcastChannel",
    "dialog": "delete HTMLDialogElement.prototype.showModal",
    "uuid": "delete Crypto.prototype.randomUUID",
    # Before Safari 16 the page's policy forbids WebAssembly.
    "policy": "WebAssembly.Module = function () { throw new EvalError('forbidden'); }",
}
# Features that are newer than the oldest supported browsers, as far as the apps ask for them.
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
    # A module that loads after the notice may stop at a missing feature.
    app.problems.clear()
    app.close()


@pytest.mark.parametrize("missing", MISSING)
def test_too_old(chrome, server, missing):
    """A browser without a required feature gets a notice in one sentence, and no app starts"""
    app = opened(chrome, server, MISSING[missing])

    expect(app.heading(TOO_OLD["en-GB"])).to_be_visible()
    expect(app.page.get_by_text("Safari 16, Chrome 100, Firefox 115 or later")).to_be_visible()
    app.page.wait_for_load_state("networkidle")
    expect(app.heading(TOO_OLD["en-GB"])).to_be_visible()
    expect(app.email).to_have_count(0)
    leave(app)


@pytest.mark.parametrize("locale", TOO_OLD)
def test_language(chrome, server, locale):
    """The notice is in the person's language, if the apps have that language"""
    app = opened(chrome, server, MISSING["at"], locale=locale)

    expect(app.heading(TOO_OLD[locale])).to_be_visible()
    leave(app)


def test_chosen_language(chrome, server):
    """A language that was chosen in the app has priority over those of the browser"""
    key = f"fieldpass-{App.name}-language"
    app = opened(chrome, server, f"localStorage.setItem('{key}', 'hi'); {MISSING['at']}")

    expect(app.heading(TOO_OLD["hi-IN"])).to_be_visible()
    assert app.page.evaluate("document.documentElement.lang") == "hi"
    leave(app)


def test_oldest(chrome, server):
    """Signing in needs no feature that is newer than the oldest supported browsers"""
    app = opened(chrome, server, NEWER)

    app.sign_in(TECHNICIAN)
    app.close()


def test_oldest_without_answer(chrome, server):
    """A request without an answer ends after its timeout, without the browser's own timeout"""
    app = App(chrome, server)
    app.page.add_init_script(NEWER)
    app.page.clock.install()
    app.open()
    held = []
    app.page.route("**/oauth/challenge", lambda route: held.append(route))
    app.log_in(TECHNICIAN.email, TECHNICIAN.password)
    app.says("Signing in…")

    app.page.clock.run_for(120_000)

    app.says("The service did not answer in time. Try again.")
    for route in held:
        route.abort()
    app.close()


def test_not_too_old(chrome, server):
    """A current browser gets no notice"""
    app = opened(chrome, server, "")

    expect(app.email).to_be_visible()
    expect(app.page.locator("html[data-old-browser]")).to_have_count(0)
    app.close()
