"""What the tests of several browser engines need of a browser. Each engine has its own file."""
import time

SECONDS = 15
PAUSE = 0.02
BACKSPACE = "\ue003"

# Calls a function of a test in the page and waits for its promise. The last argument is the
# function that ends an asynchronous script of WebDriver.
CALL = """const [done, ...values] = [...arguments].reverse()
  Promise.resolve().then(() => (%s)(...values.reverse()))
    .then((value) => done({ value }), (error) => done({ error: String(error) }))"""

# The elements with a role. The web apps use elements that have it by themselves.
ROLES = {"button": "button", "heading": "h1, h2, h3", "field": "input, textarea, select",
         "dialog": "[role=dialog], dialog"}

# The first visible element that has this accessible name, or contains this text.
FIND = """(selector, name, text) => {
  const plain = (words) => words.replace(/\\s+/g, ' ').trim()
  const spoken = (node) => node.nodeType === Node.TEXT_NODE ? node.data
    : node.ariaHidden === 'true' ? '' : [...node.childNodes].map(spoken).join(' ')
  const nameOf = (element) => plain(element.getAttribute('aria-label')
    ?? ([...element.labels ?? []].map(spoken).join(' ') || spoken(element)))
  return [...document.querySelectorAll(selector)].find((element) =>
    element.getClientRects().length > 0
    && (name === null || nameOf(element) === name)
    && (text === null || plain(element.innerText).includes(text))) ?? null
}"""

# How often the page has sent a request whose path begins so.
COUNT = """(path) => performance.getEntriesByType('resource')
  .filter(({ name }) => new URL(name).pathname.startsWith(path)).length"""

# The reasons why the app could not start or could not continue.
FAILURES = "() => performance.getEntriesByName('fieldpass:failure').map(({ detail }) => detail)"

# Only then can the app be opened without a server.
WORKER_READY = "() => navigator.serviceWorker.ready.then(() => true)"


class Browser:
    """One process of a browser.

    `lacks` names what the engine cannot do in these tests, with the reason.
    """
    name = None
    lacks = {}

    def open(self, address):
        """Opens a page in a window of a phone's size."""
        raise NotImplementedError

    def set_offline(self, is_offline):
        """Simulates the loss of the network, if the engine does not lack `offline`."""
        raise NotImplementedError

    def add_authenticator(self, page):
        """Simulates an authenticator, if the engine does not lack `authenticator`."""
        raise NotImplementedError

    def close_pages(self):
        """Closes the pages of one test."""
        raise NotImplementedError

    def close(self):
        raise NotImplementedError


class Page:
    """A tab or a window."""
    # The errors of the engine if the page changes during a step. The step is then repeated.
    passing_errors = ()

    # MARK: What each engine does in its own way

    def open(self, address):
        raise NotImplementedError

    def new_tab(self, address):
        """Opens another page of the same browser, which is then in front."""
        raise NotImplementedError

    def show(self):
        """Brings this page to the front."""
        raise NotImplementedError

    def reload(self):
        raise NotImplementedError

    def evaluate(self, function, *arguments):
        """Calls a function, or waits for its promise, in the page."""
        raise NotImplementedError

    def element(self, function, *arguments):
        """The element that a function in the page returns, or `None`."""
        raise NotImplementedError

    def press(self, element):
        """Presses an element as a user does: it must be visible and not covered."""
        raise NotImplementedError

    def type(self, element, text):
        """Types into an element, whose text is selected."""
        raise NotImplementedError

    def screenshot(self, path):
        raise NotImplementedError

    # MARK: Waiting

    def until(self, condition, words):
        """Waits until a condition is true; returns its value."""
        end, error = time.monotonic() + SECONDS, None
        while time.monotonic() < end:
            try:
                if value := condition():
                    return value
            except self.passing_errors as problem:
                error = problem
            time.sleep(PAUSE)
        raise AssertionError(f"this never became true: {words}; the page: {self.text()}; "
                             f"failures of the app: {self.evaluate(FAILURES)}") from error

    def find(self, role, name=None, text=None):
        return self.element(FIND, ROLES.get(role, role), name, text)

    def shows(self, role, name=None, text=None):
        """Waits until there is such an element."""
        return self.until(lambda: self.find(role, name, text), f"{role} {name or text}")

    def hides(self, role, name=None, text=None):
        self.until(lambda: self.find(role, name, text) is None, f"no {role} {name or text}")

    def says(self, text):
        self.shows("main", text=text)

    def is_true(self, function, *arguments):
        self.until(lambda: self.evaluate(function, *arguments), function)

    # MARK: Steps

    def click(self, name=None, role="button", text=None):
        def pressed():
            element = self.find(role, name, text)
            if element is None:
                return False
            self.press(element)
            return True
        self.until(pressed, f"{role} {name or text} can be pressed")

    def fill(self, name, text):
        def filled():
            element = self.element(f"""(...what) => {{
              const field = ({FIND})(...what)
              field?.select()
              return field }}""", ROLES["field"], name, None)
            if element is None:
                return False
            self.type(element, text)
            return True
        self.until(filled, f"field {name} can be filled")

    def paste(self, name, text):
        """Fills a field at once. Typing is one step for each character."""
        self.shows("field", name)
        self.evaluate(f"""(text, ...what) => {{
          const field = ({FIND})(...what)
          field.value = text
          field.dispatchEvent(new Event('input', {{ bubbles: true }}))
        }}""", text, ROLES["field"], name, None)

    def value(self, name):
        return self.evaluate(f"(...what) => ({FIND})(...what)?.value", ROLES["field"], name, None)

    def text(self):
        return self.evaluate("() => document.body?.innerText")

    def count(self, path):
        return self.evaluate(COUNT, path)

    def axe(self, script, rules):
        """The violations that axe-core reports, one line each."""
        return self.evaluate(f"""async (rules) => {{
          if (!('axe' in window)) {{ {script} }}
          const report = await axe.run(rules)
          return report.violations.flatMap(({{ id, help, nodes }}) => nodes.map((node) =>
            [id, help, node.target, node.failureSummary].join(' ')))
        }}""", rules)
