"""Products and warranty cards in a real browser, with and without a server."""
import re
import time

import pytest
from playwright.sync_api import expect

from browser import in_every_look
from harness import SECRETS
from products import (
    FIRST_SYNC, NEEDS_CONNECTION, NEW_OWNER, OFFLINE, OWNER, VIEWING, ProductApp, administrator,
    add_products, rename_products, sign_in)
from test_browser_session import KEPT


@pytest.fixture
def products(chrome, server):
    """The product owner's app, opened for the first time."""
    app = ProductApp(chrome, server).open()
    yield app
    app.close()


def go_offline(app):
    """Removes the server and the network at once."""
    app.server.kill()
    app.context.set_offline(True)


def go_online(app):
    app.server.start()
    app.context.set_offline(False)


def test_synced_and_offline(products):
    """O-01, O-10 the list is there without a server, and after a restart of the app"""
    app = products.synced()
    app.ready()

    go_offline(app)
    expect(app.banner).to_contain_text(OFFLINE)
    expect(app.banner).to_contain_text(VIEWING)
    expect(app.banner).to_contain_text(re.compile(r"data from .*\d"))
    app.counts(60)
    app.page.reload()

    app.at_home()
    app.counts(60)
    expect(app.banner).to_contain_text(VIEWING)
    app.says("Dishwasher SilentLine 60") if app.rows.count() == 60 else app.search.fill("SilentLine")
    expect(app.button("Dishwasher SilentLine 60")).to_be_visible()


def card_of(app):
    terms = app.page.locator("[data-part=record] dt").all_inner_texts()
    values = app.page.locator("[data-part=record] dd").all_inner_texts()
    badge = app.page.locator("[data-part=record] .badge")
    return (dict(zip(terms, values)), badge.inner_text(), badge.get_attribute("class"),
            app.page.locator("[data-part=record] h2").inner_text())


def test_card(products):
    """O-02, O-10 the warranty card shows every field, and the same fields offline"""
    app = products.synced()
    app.ready()
    app.open_card("Vacuum cleaner Cyclone 3")
    online = card_of(app)

    fields, badge, style, name = online
    assert name == "Vacuum cleaner Cyclone 3" and badge == "Expiring soon" and "warning" in style
    assert set(fields) == {"Model", "Serial number", "Category", "Purchase date",
                           "Warranty expiry date", "Warranty provider"}
    assert fields["Warranty provider"] == "Dustline"
    go_offline(app)
    expect(app.banner).to_contain_text(OFFLINE)
    app.page.reload()
    expect(app.page.get_by_role("heading", name="Warranty card")).to_be_visible()

    assert card_of(app) == online
    expect(app.banner).to_contain_text(VIEWING)


def test_badges(products):
    """O-02, O-10 the status has a word and a colour; the card says when a date is missing"""
    app = products.synced()

    for name, badge, style in [("Dishwasher SilentLine 60", "Active", "success"),
                               ("Kettle", "Expiring soon", "warning"),
                               ("Oven PyroClean 71", "Expired", "error")]:
        app.open_card(name)
        assert card_of(app)[1] == badge and style in card_of(app)[2]
        app.button("My products").click()
    app.open_card("Bathroom scales")
    fields = card_of(app)[0]
    assert fields["Purchase date"] == "Unknown"
    assert fields["Warranty expiry date"] == "No end date"


def test_actions_offline(products):
    """O-03, O-07 offline actions are disabled, are announced so, and say why when they are tried"""
    app = products.synced()
    app.ready()
    app.open_card("Dishwasher SilentLine 60")
    go_offline(app)
    expect(app.banner).to_contain_text(OFFLINE)
    calls = app.count("/api/")

    for name in ["Raise Service Request", "Transfer Ownership"]:
        button = app.button(name)
        expect(button).to_have_attribute("aria-disabled", "true")
        button.focus()
        app.page.keyboard.press("Enter")
        app.says(NEEDS_CONNECTION)
        expect(app.page.locator("#assertive")).to_contain_text(NEEDS_CONNECTION)
        app.assert_accessible()

    assert {method for method, url in app.calls if url.startswith("/api/")} == {"GET"}
    assert app.count("/api/") - calls <= 3


def test_first_use(products):
    """O-04 without a sync and a network, one sentence says what to do"""
    app = products
    app.page.route("**/api/products*", lambda route: route.abort())
    app.sign_in()
    app.says(FIRST_SYNC)
    expect(app.rows).to_have_count(0)
    app.assert_accessible()

    app.page.unroute("**/api/products*")
    app.button("Refresh").click()

    app.counts(60)
    expect(app.banner).to_have_count(0)


def test_first_use_restarted(products):
    """O-04, O-10 if the app opens again without a sync and a server, it does not crash"""
    app = products
    app.page.route("**/api/products*", lambda route: route.abort())
    app.sign_in()
    app.says(FIRST_SYNC)
    app.ready()
    app.page.wait_for_timeout(500)
    go_offline(app)

    app.page.reload()

    app.at_home()
    app.says(FIRST_SYNC)
    expect(app.rows).to_have_count(0)
    app.button("Refresh").click()
    app.says(FIRST_SYNC)
    app.page.unroute("**/api/products*")
    go_online(app)
    expect(app.page.locator("#found")).to_have_text("60 products", timeout=20_000)


def test_back_online(products):
    """O-05 the server's answer ends the offline mode, and the list gets the changes"""
    app = products.synced()
    app.ready()
    go_offline(app)
    expect(app.banner).to_contain_text(OFFLINE)

    app.server.start()
    sign_in(app.server, OWNER).api(
        "/api/products/product-001/transfer", "POST", document={"to": NEW_OWNER.email})
    app.context.set_offline(False)

    expect(app.banner).to_have_count(0, timeout=20_000)
    app.counts(59)
    app.search.fill("a")
    assert app.search.input_value() == "a"


def test_not_by_the_network(products):
    """L-25 only the server's answers decide whether the app is online, not the network's events"""
    app = products.synced()
    app.server.kill()
    app.page.evaluate("() => dispatchEvent(new Event('online'))")

    expect(app.banner).to_contain_text(OFFLINE)

    app.server.start()
    expect(app.banner).to_have_count(0, timeout=20_000)
    app.page.evaluate("() => dispatchEvent(new Event('offline'))")
    app.page.wait_for_timeout(1000)
    expect(app.banner).to_have_count(0)


def test_foreground(products):
    """O-08 returning to the app shows the changes made in the meantime"""
    app = products.synced()
    owner = sign_in(app.server, OWNER)
    owner.api("/api/products/product-002/transfer", "POST", document={"to": NEW_OWNER.email})

    app.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")

    app.counts(59)


def test_sealed_storage(products):
    """O-06 no synced data is readable in storage"""
    app = products.synced()

    kept = app.page.evaluate(KEPT)

    assert (kept["local"], kept["session"], kept["cookie"]) == (0, 0, "")
    assert kept["extractable"] == [] and len(kept["texts"]) >= 3
    text = "\n".join(kept["texts"])
    for word in ["Dishwasher", "BOX-DW", "Borealis", "product-001", "owner", "2026-", "cursor",
                 "lease", "ثلاجة"]:
        assert word not in text, word
    assert not [url for url in kept["cached"] if "/api/" in url]


SPOIL = """async ([what, other]) => {
  const open = indexedDB.open('fieldpass-product-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const transaction = base.transaction('records', 'readwrite')
  const store = transaction.objectStore('records')
  const asked = (request) => new Promise((done) => { request.onsuccess = () => done(request.result) })
  const keys = (await asked(store.getAllKeys())).filter((key) => key.startsWith('shelf/'))
  const parts = keys.filter((key) => !key.endsWith('/head'))
  const head = await asked(store.get('shelf/products/head'))
  const part = await asked(store.get(parts[0]))
  if (what === 'tampered') {
    new Uint8Array(part.sealed)[100] ^= 1
    store.put(part, parts[0])
  }
  if (what === 'truncated') store.put({ iv: part.iv, sealed: part.sealed.slice(0, 50) }, parts[0])
  if (what === 'swapped') store.put(part, 'shelf/products/head')
  if (what === 'missing') store.delete(parts[0])
  if (what === 'no head') store.delete('shelf/products/head')
  if (what === 'older') store.put({ text: 'plain' }, 'shelf/products/head')
  await new Promise((done) => { transaction.oncomplete = done })
  base.close()
}"""


@pytest.mark.parametrize(
    "what", ["tampered", "truncated", "swapped", "missing", "no head", "older"])
def test_damaged_storage(products, what):
    """O-06, S-08 a damaged copy, or one of another account, is not shown and is fetched again"""
    app = products.synced()
    app.ready()
    app.page.evaluate(SPOIL, [what, ""])
    go_offline(app)

    app.page.reload()

    app.at_home()
    app.says(FIRST_SYNC)
    expect(app.rows).to_have_count(0)
    go_online(app)
    expect(app.page.locator("#found")).to_have_text("60 products", timeout=20_000)


def test_two_accounts(products):
    """O-06, L-33 two accounts that use one device after each other see nothing of each other"""
    app = products.synced()
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")
    kept = app.page.evaluate("""async () => {
      const open = indexedDB.open('fieldpass-product-app')
      const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
      const keys = base.transaction('records').objectStore('records').getAllKeys()
      await new Promise((done) => { keys.onsuccess = done })
      base.close()
      return keys.result.filter((key) => key.startsWith('shelf/'))
    }""")
    assert kept == []

    app.sign_in(NEW_OWNER)

    app.says("No products yet")
    expect(app.rows).to_have_count(0)


# Puts the stored records of one account in the place of another account's.
MOVE_RECORDS = """async (put) => {
  const open = indexedDB.open('fieldpass-product-app')
  const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
  const asked = (request) => new Promise((done) => { request.onsuccess = () => done(request.result) })
  const transaction = base.transaction('records', 'readwrite')
  const store = transaction.objectStore('records')
  const range = IDBKeyRange.bound('shelf/', 'shelf/\uffff')
  if (put) {
    await asked(store.delete(range))
    for (const [name, record] of window.taken) store.put(record, name)
  } else {
    const names = await asked(store.getAllKeys(range))
    const records = await asked(store.getAll(range))
    window.taken = names.map((name, index) => [name, records[index]])
  }
  await new Promise((done) => { transaction.oncomplete = done })
  base.close()
}"""


def test_storage_of_another_account(products):
    """O-06, L-33 a copy that another account sealed on the same device does not open"""
    app = products.synced()
    app.ready()
    app.page.evaluate(MOVE_RECORDS, False)
    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")
    add_products(app.server, NEW_OWNER, 1)
    app.server.advance(61)
    app.sign_in(NEW_OWNER)
    app.counts(1)
    app.stored()
    app.page.evaluate(MOVE_RECORDS, True)
    go_offline(app)

    app.page.reload()

    app.at_home()
    app.says(FIRST_SYNC)
    expect(app.rows).to_have_count(0)


def test_ended_at_the_server(products):
    """O-06, S-03 a session that was ended at the server deletes the copy at the first contact"""
    app = products.synced()
    answer = administrator(app.server).api("/admin/accounts/owner/sessions", "DELETE")
    assert answer.status == 204

    expect(app.email).to_be_visible()
    assert "shelf/" not in str(app.page.evaluate("""async () => {
      const open = indexedDB.open('fieldpass-product-app')
      const base = await new Promise((done) => { open.onsuccess = () => done(open.result) })
      const keys = base.transaction('records').objectStore('records').getAllKeys()
      await new Promise((done) => { keys.onsuccess = done })
      base.close()
      return keys.result
    }"""))


NO_SPACE = "not have enough space to store this list"


def set_quota(app, cdp, size=None):
    """Limits what this origin may store, as a full phone does; `None` removes the limit."""
    cdp.send("Storage.overrideQuotaForOrigin", {
        "origin": app.server.base, **({} if size is None else {"quotaSize": size})})


@pytest.mark.long
def test_quota(chrome, server):
    """O-09 a device without space says so, and the last good copy stays after a restart"""
    app = ProductApp(chrome, server).open().synced()
    app.ready()
    cdp = app.context.new_cdp_session(app.page)
    # The space is enough for the present copy and not for six thousand products more. The browser
    # reads the quota once in half a minute.
    usage = cdp.send("Storage.getUsageAndQuota", {"origin": server.base})["usage"]
    set_quota(app, cdp, int(usage) + 200_000)
    app.page.wait_for_timeout(31_000)
    add_products(app.server, OWNER, 6000)

    app.button("Refresh").click()

    expect(app.page.locator("#found")).to_have_text("6,060 products", timeout=30_000)
    app.says(NO_SPACE)
    app.assert_accessible()
    go_offline(app)
    app.page.reload()
    app.at_home()
    app.counts(60)
    set_quota(app, cdp)
    app.page.wait_for_timeout(31_000)
    go_online(app)
    expect(app.page.locator("#found")).to_have_text("6,060 products", timeout=60_000)
    app.page.wait_for_timeout(1000)
    expect(app.page.get_by_text(NO_SPACE)).to_have_count(0)
    app.close()


def test_service_request(products):
    """O-03 a service request is described, sent once, and seen by an administrator"""
    app = products.synced()
    app.open_card("Dishwasher SilentLine 60")
    app.button("Raise Service Request").click()
    app.assert_accessible()
    app.button("Send request").click()
    app.says("Describe what is wrong.")
    app.page.get_by_label("What is wrong?").fill("It hums.\nLoudly.")
    app.button("Send request").click()

    app.says("Service request sent.")
    listed = administrator(app.server).api("/admin/service-requests").json["service_requests"]
    assert [entry["description"] for entry in listed] == ["It hums.\nLoudly."]


def test_transfer(products):
    """O-03 a transfer is confirmed, and the product moves from one list to the other"""
    app = products.synced()
    app.open_card("Dishwasher SilentLine 60")
    app.button("Transfer Ownership").click()
    app.page.get_by_label("New owner's email").fill("new-owner")
    app.button("Continue").click()
    app.says("Enter a complete email address.")
    app.page.get_by_label("New owner's email").fill(NEW_OWNER.email)
    app.button("Continue").click()
    app.says("Transfer this product to")
    app.assert_accessible()
    app.button("Transfer now").click()

    app.says("Product transferred.")
    app.counts(59)
    other = sign_in(app.server, NEW_OWNER).api("/api/products").json
    assert [product["id"] for product in other["products"]] == ["product-001"]


def test_copy(products):
    """O-02 a serial number is read in groups and copied whole"""
    app = products.synced()
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.open_card("Dishwasher SilentLine 60")
    groups = app.page.locator(".groups span").all_inner_texts()

    app.button("Copy serial number").click()

    assert all(len(group) <= 4 for group in groups)
    assert app.page.evaluate("() => navigator.clipboard.readText()") == "".join(groups)


def test_search(products):
    """O-01 products are found by parts of words, without case and accents"""
    app = products.synced()

    for text, found in [("OVEN", "Oven PyroClean 71"), ("ثلاج", "ثلاجة بابين مع موزع ماء"),
                        ("box-mw", "Microwave with grill")]:
        app.search.fill(text)
        expect(app.rows.first).to_contain_text(found)
    app.search.fill("zzzz")
    app.says("No matching products.")
    app.assert_accessible()


@pytest.mark.parametrize("count", [0, 1, 5])
def test_few(products, count):
    """O-09 no product, one product and a few products are listed"""
    app = products
    if count:
        add_products(app.server, NEW_OWNER, count)
    app.sign_in(NEW_OWNER)

    if count == 0:
        app.says("No products yet")
    else:
        app.counts(count)
        expect(app.rows).to_have_count(count)
    app.assert_accessible()


@in_every_look
def test_accessible(chrome, server, look):
    """T-15, O-10 list, card and forms meet WCAG 2.1 AA, also at twice the text size"""
    app = ProductApp(chrome, server, **look).open()
    app.synced()
    app.assert_accessible()
    app.open_card("Fridge-freezer")
    app.assert_accessible()
    app.button("Raise Service Request").click()
    app.assert_accessible()
    app.close()


def test_keyboard(products):
    """T-15 a card is opened and left, and the list is searched, with the keyboard alone"""
    app = products.synced()
    app.search.focus()
    app.page.keyboard.type("kettle")
    expect(app.rows).to_have_count(1)
    # The filters are between the search and the list.
    for _ in range(4):
        app.page.keyboard.press("Tab")
    expect(app.rows.first.get_by_role("button")).to_be_focused()
    app.page.keyboard.press("Enter")

    expect(app.page.locator("#record")).to_be_focused()
    app.page.keyboard.press("Tab")
    app.page.keyboard.press("Tab")
    assert app.focus_is_visible()
    app.page.go_back()
    app.at_home()
    assert app.search.input_value() == "kettle"
