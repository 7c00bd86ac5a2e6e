"""The product owner's app in a real browser, and the products that tests add."""
import json

from playwright.sync_api import TimeoutError, expect

from browser import DESKTOP, App
from device import Device, unbase64url
from harness import ADMINISTRATOR, Person
from timing import WATCH

OWNER = Person("owner@example.com", "demo-Owner-1", "+15550101236")
NEW_OWNER = Person("new-owner@example.com", "demo-Owner-2", "+15550101237")

# The most products that one request may add.
BATCH = 200
SCOPE = "openid offline_access account products"
NEEDS_CONNECTION = "This feature requires an internet connection"
FIRST_SYNC = "Please connect to the internet to sync your products"
OFFLINE = "Offline Mode"
VIEWING = "Viewing offline data"
SYNC_ATTEMPTS = 20


# The nonce that seals the head of the offline copy. Each write makes a new one.
HEAD = """async () => {
  const open = indexedDB.open('fieldpass-product-app')
  const base = await new Promise((done, fail) => {
    open.onsuccess = () => done(open.result); open.onerror = fail })
  const head = base.transaction('records').objectStore('records').get('shelf/products/head')
  await new Promise(done => { head.onsuccess = done })
  base.close()
  return head.result ? [...new Uint8Array(head.result.iv)].join(' ') : null
}"""


def lease_seconds(token):
    claims = json.loads(unbase64url(token.split(".")[1]))
    return claims["exp"] - claims["iat"]


class ProductApp(App):
    """The product owner's app."""
    name = "product-app"

    def at_home(self):
        expect(self.page.get_by_role("heading", name="My products")).to_be_visible()

    def sign_in(self, person=OWNER):
        code = self.reach_code(person)
        with self.page.expect_response("**/oauth/token") as answer:
            self.verify(code)
        self.tokens = answer.value.json()
        self.at_home()

    def synced(self, person=OWNER, count=60):
        """Signs in and waits for the products."""
        self.sign_in(person)
        self.counts(count)
        self.stored()
        return self

    def counts(self, count):
        words = "1 product" if count == 1 else f"{count:,} products"
        expect(self.page.locator("#found")).to_have_text(words)

    def stored(self, after=None):
        """Waits for a new head of the offline copy on the device; returns it."""
        self.until(f"async () => ![null, {json.dumps(after)}].includes(await ({HEAD})())")
        return self.page.evaluate(HEAD)

    def synced_for(self, seconds):
        """Waits until the stored offline copy has a lease of this length.

        The head is also written without a sync, so that a new head alone does not show a new
        lease. Heads are written in order, so the first one after two such answers has it.
        """
        found = 0
        for _ in range(SYNC_ATTEMPTS):
            before = self.page.evaluate(HEAD)
            try:
                with self.page.expect_response("**/api/products*", timeout=2000) as answer:
                    self.button("Refresh").click()
            except TimeoutError:
                continue
            # Only the last page of a sync has a lease.
            lease = answer.value.json().get("lease")
            found += lease is not None and lease_seconds(lease) == seconds
            self.stored(before)
            if found == 2:
                return
        raise AssertionError(f"no sync with a lease of {seconds} seconds")

    def ready(self):
        """Waits until the worker can open the app without a network."""
        self.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")

    @property
    def banner(self):
        return self.page.locator("#status")

    @property
    def rows(self):
        return self.page.locator("#rows li")

    @property
    def search(self):
        return self.page.get_by_label("Search by name, model or serial number")

    def open_card(self, name):
        self.button(name).first.click()
        expect(self.page.get_by_role("heading", name="Warranty card")).to_be_visible()


def measured_app(browser, server, person, count):
    """A product owner's app on a desktop. The page measures its own times."""
    app = ProductApp(browser, server, viewport=DESKTOP)
    app.page.add_init_script(WATCH)
    app.open().synced(person, count)
    app.ready()
    return app


def sign_in(server, person, client="product-app", scope=SCOPE):
    device = Device(server, client=client, scope=scope)
    # The last code was sent just now. Without this the resend cooldown would refuse the next one.
    server.advance(61)
    device.sign_in(person)
    return device


def administrator(server):
    return sign_in(server, ADMINISTRATOR, "console", "openid offline_access admin")


def add_products(server, person, count, *, name="Thing"):
    """Adds products for an owner, as an administrator does."""
    admin = administrator(server)
    for start in range(0, count, BATCH):
        entries = [{
            "id": f"bulk-{number:05}", "name": f"{name} {number:05}", "model": f"T-{number % 9}",
            "serial_number": f"TH{number:08}", "category": "Thing",
            "warranty_provider": "Provider", "purchased_on": "2025-01-31",
            "warranty_expires_on": f"20{26 + number % 5}-06-30",
        } for number in range(start, min(count, start + BATCH))]
        answer = admin.api("/admin/products", "POST",
                           document={"owner": person.email, "products": entries})
        assert answer.status == 201, answer
    return admin


def rename_products(admin, person, numbers, name="Changed"):
    """Gives some of the products another name."""
    entries = [{"id": f"bulk-{n:05}", "name": f"{name} {n:05}", "model": "X",
                "serial_number": f"X{n}", "category": "Thing"} for n in numbers]
    answer = admin.api("/admin/products", "POST",
                       document={"owner": person.email, "products": entries})
    assert answer.status == 201, answer
