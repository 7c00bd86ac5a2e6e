"""Every screen under other display settings: narrow, widely spaced, in forced colours, from right
to left. One sign-in is also read as a screen reader reads it."""
import pytest
from playwright.sync_api import expect

from browser import INVALID, REFUSED_CODE, App, RiderApp, tab_to, wrong
from console import Console, console_walk
from harness import TECHNICIAN
from localhost import Authenticator
from products import ProductApp
from test_browser_lock import MentorApp
from walks import lock_walk, mentor_walk, product_walk, rider_walk, technician_walk

# A desktop of 1,280 px at 400 % (WCAG 1.4.10).
NARROW = {"width": 320, "height": 640}

# WCAG 1.4.12: line height 1.5, paragraphs 2, letters 0.12 and words 0.16 of the text's size.
SPACING = """* {
  line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }"""

# Texts that overflow their box or the page, one line each.
CUT_OFF = r"""() => {
  const found = [], width = document.documentElement.clientWidth
  const isForHearing = (box) => {
    for (; box; box = box.parentElement) {
      if (box.offsetWidth <= 1 && getComputedStyle(box).overflowX === 'hidden') return true
      if (getComputedStyle(box).clipPath !== 'none') return true
    }
    return false
  }
  if (document.documentElement.scrollWidth > width) {
    found.push(`the page is ${document.documentElement.scrollWidth} px wide`)
  }
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (words.nextNode()) {
    const text = words.currentNode.data.trim(), box = words.currentNode.parentElement
    if (!text || !box.checkVisibility() || isForHearing(box)) continue
    const range = document.createRange()
    range.selectNodeContents(words.currentNode)
    for (const part of range.getClientRects()) {
      if (part.left < -1 || part.right > width + 1) found.push(`outside the page: ${text}`)
    }
    for (let frame = box; frame !== document.body; frame = frame.parentElement) {
      const style = getComputedStyle(frame), room = frame.getBoundingClientRect()
      const all = range.getBoundingClientRect()
      // Cut to a line on purpose, with an ellipsis: the whole of it is on the page of its own.
      if (style.webkitLineClamp !== 'none') break
      if (frame.matches('button, .badge, .banner, .row') || /hidden|clip/.test(style.overflowX)) {
        if (all.left < room.left - 1 || all.right > room.right + 1) {
          found.push(`beside .${frame.className}: ${text}`)
        }
      }
      if (/hidden|clip/.test(style.overflowY) && all.bottom > room.bottom + 1) {
        found.push(`below .${frame.className}: ${text}`)
      }
    }
  }
  return [...new Set(found)]
}"""

# Controls that have only their text left when backgrounds and shadows are removed.
WITHOUT_AN_EDGE = """() => [...document.querySelectorAll('button, input, select, textarea')]
  .filter(node => node.checkVisibility() && !node.closest('.spoken'))
  .filter(node => !['checkbox', 'radio'].includes(node.type))
  .filter(node => {
    for (let part = node; part && part !== document.body; part = part.parentElement) {
      const style = getComputedStyle(part)
      if (parseFloat(style.borderTopWidth) > 0 || parseFloat(style.borderBottomWidth) > 0) return false
      if (style.textDecorationLine.includes('underline')) return false
    }
    return true
  }).map(node => node.outerHTML.slice(0, 120))"""

# Blocks of text that still start at the left.
FROM_THE_LEFT = """() => [...document.querySelectorAll('main h1, main h2, main p, main label, main li')]
  .filter(node => node.checkVisibility() && !node.closest('main [dir]'))
  .filter(node => {
    const style = getComputedStyle(node)
    return style.direction !== 'rtl' || style.textAlign === 'left'
  }).map(node => node.outerHTML.slice(0, 120))"""

APPLY_STYLE = """text => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = text ? [sheet] : []
}"""

SET_DIRECTION = "direction => { document.documentElement.dir = direction }"


class DisplayChecks:
    """Checks one screen under each display setting and records what is wrong."""

    def __init__(self):
        self.found = []

    def record(self, app, screen, way, question):
        self.found += [f"{screen}, {way}: {each}" for each in app.page.evaluate(question)]

    def __call__(self, app, screen):
        page = app.page
        self.found += [f"{screen}, narrow: {each}" for each in app.axe()]
        self.record(app, screen, "narrow", CUT_OFF)
        page.evaluate(APPLY_STYLE, SPACING)
        # A list that draws only its visible rows measures them again.
        page.evaluate("() => dispatchEvent(new Event('resize'))")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        self.record(app, screen, "wide spacing", CUT_OFF)
        page.evaluate(APPLY_STYLE, "")
        page.evaluate(SET_DIRECTION, "rtl")
        self.record(app, screen, "right to left", CUT_OFF)
        self.record(app, screen, "right to left", FROM_THE_LEFT)
        page.evaluate(SET_DIRECTION, "ltr")
        page.emulate_media(forced_colors="active")
        self.record(app, screen, "forced colours", CUT_OFF)
        self.record(app, screen, "forced colours", WITHOUT_AN_EDGE)
        page.emulate_media(forced_colors="none")


@pytest.mark.parametrize(("kind", "walk"), [
    (App, technician_walk), (RiderApp, rider_walk), (MentorApp, mentor_walk),
    (ProductApp, product_walk), (Console, console_walk),
], ids=["technician", "rider", "mentor", "products", "console"])
def test_screens(chrome, server, kind, walk):
    """T-15 no screen loses content at 320 px, with text spacing, in forced colours or mirrored"""
    app, checks = kind(chrome, server, viewport=NARROW), DisplayChecks()

    walk(app.open(), checks)

    app.close()
    assert not checks.found, "\n".join(checks.found)


def test_app_lock_screens(chrome, named_server):
    """T-15 the app lock loses no content at 320 px, with text spacing, forced colours, mirrored"""
    app, checks = App(chrome, named_server, viewport=NARROW), DisplayChecks()
    app.authenticator = Authenticator(app.page)

    lock_walk(app.open(), checks)

    app.close()
    assert not checks.found, "\n".join(checks.found)


def test_focus_in_forced_colours(app):
    """T-15 an outline shows the focus in forced colours, which remove shadows"""
    app.page.emulate_media(forced_colors="active")
    app.email.fill(TECHNICIAN.email)

    for control in (app.password, app.button("Show password"), app.button("Login"),
                    app.page.get_by_label("Language")):
        tab_to(app, control)
        outline = control.evaluate("""node => {
          const style = getComputedStyle(node)
          return style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth)
        }""")
        assert outline >= 2, control


# The announcements of the live regions, in order, with their urgency.
LISTEN = """addEventListener('DOMContentLoaded', () => {
  window.announcements = []
  for (const id of ['polite', 'assertive']) {
    const region = document.getElementById(id)
    new MutationObserver(() => {
      const said = region.textContent.trim()
      if (said) announcements.push(`${id}: ${said}`)
    }).observe(region, { childList: true, characterData: true, subtree: true })
  }
})"""

SIGN_IN = """
- /children: equal
- paragraph: Fieldpass Technician app
- heading "Sign in" [level=1]
- paragraph: Sign in with your work email.
- text: Email
- textbox "Email"{email}:
  - /placeholder: name@company.com
- paragraph{email_error}
- text: Password
- textbox "Password"{password}:
  - /placeholder: Your password
- button "Show password": Show
- paragraph{password_error}
- button "Login" [disabled]
- paragraph
- button "Forgot Password?"
- combobox "Language":
  - option "English" [selected]
  - option "हिन्दी"
  - option "Norsk"
- button "Help"
"""

CODE = """
- /children: equal
- button "Back"
- heading "Enter the code" [level=1]
- paragraph: An OTP has been sent to ***-***-1234
- text: 6-digit code
- textbox "6-digit code"{invalid}:
  - /placeholder: "000000"
- paragraph{error}
- button "Verify" [disabled]
- paragraph
- button "Resend OTP" [disabled]
- paragraph: /in \\d:\\d\\d/
- combobox "Language"
- button "Help"
"""

JOBS = """
- banner:
  - heading "Assigned jobs" [level=1]
  - button "Account, Tara Lind" [expanded]: Account
  - group "Account":
    - paragraph: Tara Lind
    - paragraph: tech@example.com
    - text: Language
    - combobox "Language"
    - text: Appearance
    - combobox "Appearance"
    - button "Help"
    - button "Your devices"
    - button "Sign out"
- main:
  - paragraph:
    - text: Updated
    - time
  - button "Refresh"
  - region "In progress":
    - heading "In progress" [level=2]
    - list "In progress":
      - listitem:
        - paragraph:
          - time: /\\d\\d:\\d\\d/
          - text: –
          - time: /\\d\\d:\\d\\d/
        - text: In progress
        - heading "Dishwasher does not drain" [level=3]
        - paragraph: Café Lyng
        - paragraph: 2 Harbour Street
"""


def test_with_a_screen_reader(chrome, server):
    """T-15 a sign-in through the accessibility tree: names, roles, states, order, announcements"""
    app = App(chrome, server)
    app.page.add_init_script(LISTEN)
    app.open()
    main, body = app.page.get_by_role("main"), app.page.locator("body")
    expect(main).to_match_aria_snapshot(
        SIGN_IN.format(email="", email_error="", password="", password_error=""))

    app.button("Login").press("Enter")
    expect(main).to_match_aria_snapshot(SIGN_IN.format(
        email=" [invalid]", email_error=": Enter your email.",
        password=" [invalid]", password_error=": Enter your password."))
    expect(app.email).to_be_focused()

    app.log_in(TECHNICIAN.email, "wrong-guess")
    app.says(INVALID)
    expect(app.password).to_be_focused()
    code = app.reach_code(TECHNICIAN)
    expect(app.code).to_be_focused()
    expect(main).to_match_aria_snapshot(CODE.format(invalid="", error=""))

    app.verify(wrong(code))
    expect(main).to_match_aria_snapshot(
        CODE.format(invalid=" [invalid]", error=f": {REFUSED_CODE}"))
    expect(app.code).to_be_focused()
    app.verify(code)

    app.at_jobs()
    expect(app.heading("Assigned jobs")).to_be_focused()
    app.button("Account").click()
    expect(body).to_match_aria_snapshot(JOBS)
    app.button("Sign out").click()
    app.says("You're signed out.")
    expect(app.heading("Sign in")).to_be_focused()
    announcements = app.page.evaluate("() => announcements")
    assert announcements == [
        "assertive: Enter your email. Enter your password.",
        "polite: Signing in…",
        f"assertive: {INVALID}",
        "polite: Signing in…",
        "polite: An OTP has been sent to the number ending in 1234.",
        "polite: Checking the code…",
        f"assertive: {REFUSED_CODE}",
        "polite: Checking the code…",
        "polite: You're signed in.",
        "polite: You're signed out.",
    ], announcements
    app.close()
