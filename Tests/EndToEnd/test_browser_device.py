"""What the apps offer on a device: the colours, the help and the installation."""
import pytest
from playwright.sync_api import expect

from browser import App, RiderApp
from harness import TECHNICIAN
from products import ProductApp

OFFER = """() => {
  const event = new Event('beforeinstallprompt', { cancelable: true })
  event.prompt = async () => { document.documentElement.dataset.prompted = 'yes' }
  return !dispatchEvent(event)
}"""
GROUND = "() => getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(245, 246, 243)", "rgb(14, 20, 18)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"


@pytest.fixture
def technician(chrome, server):
    app = App(chrome, server).open()
    app.sign_in(TECHNICIAN)
    yield app
    app.close()


def test_appearance(technician):
    """T-15 the person chooses dark colours on a light device, and they stay after a restart"""
    app = technician
    assert app.page.evaluate(GROUND) == LIGHT
    app.button("Account").click()
    for label in ("Language", "Appearance"):
        expect(app.page.locator("label", has_text=label)).to_be_visible()
    app.page.get_by_label("Appearance").select_option("Dark")
    assert app.page.evaluate(GROUND) == DARK
    app.assert_accessible()
    app.page.reload()
    expect(app.page.locator(".header")).to_be_visible()
    assert app.page.evaluate(GROUND) == DARK
    app.page.emulate_media(color_scheme="dark")
    app.button("Account").click()
    app.page.get_by_label("Appearance").select_option("Light")
    assert app.page.evaluate(GROUND) == LIGHT
    root = app.page.locator("html")
    assert root.evaluate("(node) => getComputedStyle(node).colorScheme") == "light"
    app.page.get_by_label("Appearance").select_option("As the device")
    assert app.page.evaluate(GROUND) == DARK


def test_help(chrome, server):
    """T-11 the help says what to do without a code, and closing it loses nothing that was typed"""
    app = App(chrome, server).open()
    email = app.page.get_by_label("Email")
    email.fill("tech@example.com")
    app.button("Help").click()
    dialog = app.page.get_by_role("dialog")
    expect(dialog).to_contain_text("No code arrives")
    expect(dialog).to_contain_text("Ask your administrator")
    app.assert_accessible()
    app.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(app.button("Help")).to_be_focused()
    expect(email).to_have_value("tech@example.com")
    app.close()


def test_help_of_each_app(chrome, server):
    """T-11 R-07 the help of riders names no password, and owners ask the company"""
    for kind, present, absent in (
            (RiderApp, "the office that plans your deliveries", "password"),
            (ProductApp, "the company that sold you the products", "administrator")):
        app = kind(chrome, server).open()
        app.button("Help").click()
        dialog = app.page.get_by_role("dialog")
        expect(dialog).to_contain_text(present)
        expect(dialog).not_to_contain_text(absent)
        app.close()


def test_words(technician):
    """T-15 the words that the page shows without the core exist in each language"""
    technician.open_modules()
    of = {}
    for language in ("en", "hi", "nb"):
        of[language] = technician.page.evaluate(
            f"async () => (await import('/app/technician-app/words.js')).wordsIn('{language}')")
    for language in ("hi", "nb"):
        assert of[language].keys() == of["en"].keys()
        assert len(of[language]["topics"]) == len(of["en"]["topics"])
        for name, words in of[language].items():
            assert words != of["en"][name], (language, name)


def test_install(technician):
    """P-01 the installation is offered once, after the browser allows it, and nothing moves"""
    app = technician
    offer = app.page.get_by_role("region", name="Open this app from your home screen")
    expect(offer).to_have_count(0)
    top = app.page.locator(".row").first.bounding_box()["y"]
    assert app.page.evaluate(OFFER)
    expect(offer).to_be_visible()
    assert app.page.locator(".row").first.bounding_box()["y"] == top
    app.assert_accessible()
    offer.get_by_role("button", name="Install").click()
    expect(offer).to_have_count(0)
    assert app.page.evaluate("() => document.documentElement.dataset.prompted") == "yes"
    app.page.reload()
    expect(app.page.locator(".row").first).to_be_visible()
    app.page.evaluate(OFFER)
    expect(offer).to_have_count(0)


def test_install_refused(technician):
    """P-01 an installation that the person does not want is not offered again"""
    app = technician
    app.page.evaluate(OFFER)
    app.button("Not now").click()
    app.page.reload()
    expect(app.page.locator(".row").first).to_be_visible()
    app.page.evaluate(OFFER)
    expect(app.button("Not now")).to_have_count(0)


def test_install_on_apple(chrome, server):
    """P-01 Safari has no event for an installation, so the app says what to press there"""
    app = App(chrome, server, user_agent=IPHONE)
    app.page.add_init_script("""
      Object.defineProperty(navigator, 'standalone', { value: false })
      Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })""")
    app.open()
    app.sign_in(TECHNICIAN)
    expect(app.page.get_by_text("Choose Share, then “Add to Home Screen”.")).to_be_visible()
    app.button("Not now").click()
    expect(app.page.get_by_text("Add to Home Screen")).to_be_hidden()
    app.close()
