"""Products, service requests and transfers in the console, in a real browser."""
import pytest
from playwright.sync_api import expect

from browser import DESKTOP, in_every_look, PHONE
from console import Console
from harness import ADMINISTRATOR
from products import NEW_OWNER, OWNER, sign_in
from test_people_permissions import LOCAL, administrator

PRODUCT = "product-001"
DESCRIPTION = "It hums, and then it stops. " * 8


@pytest.fixture
def console(chrome, server):
    app = Console(chrome, server, viewport=DESKTOP).open()
    yield app
    app.close()


def raise_request(server, product=PRODUCT):
    owner = sign_in(server, OWNER)
    answer = owner.api("/api/service-requests", "POST", document={
        "product_id": product, "description": DESCRIPTION})
    assert answer.status == 201, answer
    server.advance(61)
    return answer.json


def rows(console, table):
    return console.page.locator(f"#{table} th .row-action")


def open_product(console, product=PRODUCT):
    """Opens a product of the list, which may be on a later page."""
    console.tab("Products")
    expect(rows(console, "products").first).to_be_visible()
    title = console.page.locator(f"#products-{product}")
    while not title.count():
        count = rows(console, "products").count()
        console.button("Show more").click()
        expect(rows(console, "products").nth(count)).to_be_visible()
    name = title.inner_text()
    title.click()
    expect(console.page.locator("#record")).to_be_focused()
    return name


def ask_transfer(console, address):
    console.button("Transfer Ownership").click()
    expect(console.page.get_by_role("heading", name="Transfer ")).to_be_focused()
    console.sheet.get_by_label("New owner's email").fill(address)
    console.sheet.get_by_role("button", name="Transfer now").click()


def holder(server, product=PRODUCT):
    """The owner or the address of a product, as the server has it."""
    admin = sign_in(server, ADMINISTRATOR, "console", "openid offline_access admin")
    record = admin.api(f"/admin/products/{product}", "GET").json
    return record.get("account") or record["awaiting"]


def test_products(console):
    """T-16 a product is beside its list, its owner is a link, and its address brings it back"""
    page = console.page
    console.sign_in()
    name = open_product(console)
    assert page.url.endswith(f"/products/{PRODUCT}")
    assert page.title().startswith(name)
    record = page.get_by_role("region", name=name)
    expect(record).to_contain_text("Olivia Berg")
    expect(record).to_contain_text("Serial number")
    title = page.locator(f"#products-{PRODUCT}")
    expect(title).to_have_attribute("aria-current", "true")
    assert page.locator("#record").bounding_box()["x"] > title.bounding_box()["x"] + 400
    # A badge without words begins where its column begins.
    cell = page.locator("#products tbody td").last
    padding = cell.evaluate("cell => parseFloat(getComputedStyle(cell).paddingInlineStart)")
    badge = cell.locator(".badge").bounding_box()
    assert badge["x"] == pytest.approx(cell.bounding_box()["x"] + padding, abs=1)
    console.assert_accessible()

    page.reload()
    expect(page.locator("#record")).to_have_text(name)
    expect(title).to_have_attribute("aria-current", "true")

    console.button("Open Olivia Berg").click()
    expect(page.get_by_role("heading", name="Olivia Berg", level=2)).to_be_visible()
    page.go_back()
    expect(page.locator("#record")).to_have_text(name)
    page.locator("#record").focus()
    page.keyboard.press("Escape")
    expect(title).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#record")).to_be_focused()
    assert not page.url.endswith(f"/products/{PRODUCT}")
    page.set_viewport_size(PHONE)
    expect(page.locator("#record")).to_be_visible()
    expect(title).to_be_hidden()


def test_search(console):
    """T-16 O-03 a product is found by its serial number, and a reload keeps the search"""
    page = console.page
    console.sign_in()
    console.tab("Products")
    row = page.locator("#products tbody tr").nth(5)
    name, serial = row.locator("th").inner_text(), row.locator("td .cell").nth(1).inner_text()
    page.locator("h1").click()
    page.keyboard.press("/")
    search = page.get_by_label("Serial number or name")
    expect(search).to_be_focused()
    page.keyboard.type(f"{serial[:3].lower()} {serial[3:9]}")
    expect(rows(console, "products")).to_have_text([name])
    page.reload()
    expect(rows(console, "products")).to_have_text([name])
    expect(search).to_have_value(f"{serial[:3].lower()} {serial[3:9]}")
    rows(console, "products").first.click()
    expect(page.locator("#record")).to_be_focused()
    assert "?query=" in page.url
    page.go_back()
    expect(page.locator("#record")).to_have_count(0)
    expect(rows(console, "products")).to_have_count(1)

    search.fill("zzz")
    console.says("No product with “zzz” was found")
    console.assert_accessible()
    console.button("Clear search").click()
    expect(search).to_be_focused()
    expect(rows(console, "products").nth(5)).to_be_visible()
    assert page.url.endswith("/products")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_products_of_account(chrome, server, viewport):
    """T-16 O-03 the page of an owner leads to the owner's products, and from there to all"""
    app = Console(chrome, server, viewport=viewport).open()
    app.sign_in()
    app.open_account("Noah Dahl")
    app.button("Products of Noah Dahl").click()
    expect(app.page.locator("#owner")).to_contain_text("Products of Noah Dahl")
    app.says("No products yet")
    app.assert_accessible()
    app.page.go_back()
    expect(app.page.get_by_role("heading", name="Noah Dahl", level=2)).to_be_visible()
    app.button("Products of Noah Dahl").click()
    app.button("All products").click()
    expect(rows(app, "products").first).to_be_visible()
    expect(app.page.locator("#owner")).to_have_count(0)
    app.close()


def test_requests(console):
    """T-16 O-03 a service request has its number and whole description, and leads to its product"""
    request = raise_request(console.server)
    page = console.page
    console.sign_in()
    console.tab("Requests")
    row = page.locator("#requests tbody tr").first
    expect(row).to_contain_text(request["id"])
    expect(row).to_contain_text("Olivia Berg")
    expect(row).not_to_contain_text(DESCRIPTION.strip())
    rows(console, "requests").first.click()
    expect(page.locator("#record")).to_have_text(request["product_name"])
    record = page.get_by_role("region", name=request["product_name"])
    expect(record).to_contain_text(DESCRIPTION.strip())
    expect(record).to_contain_text(request["id"])
    console.assert_accessible()
    page.reload()
    expect(record).to_contain_text(request["id"])

    console.button("Show product").click()
    expect(page.locator("#record")).to_have_text(request["product_name"])
    assert page.url.endswith(f"/products/{PRODUCT}")
    page.go_back()
    expect(record).to_contain_text(request["id"])


def test_transfer(console):
    """T-16 O-03 a product is transferred once, after its address was refused at the field"""
    page = console.page
    console.sign_in()
    name = open_product(console)
    ask_transfer(console, "new-owner")
    console.says("Enter a complete email address.")
    receiver = console.sheet.get_by_label("New owner's email")
    expect(receiver).to_be_focused()
    receiver.fill(OWNER.email)
    console.sheet.get_by_role("button", name="Transfer now").click()
    console.says("This person owns the product already.")
    expect(receiver).to_be_focused()
    console.assert_accessible()
    console.sheet.get_by_role("button", name="Cancel").click()
    expect(console.sheet).to_have_count(0)
    sent = [path for method, path in console.calls if method == "POST" and "transfer" in path]
    assert len(sent) == 1

    ask_transfer(console, NEW_OWNER.email)
    console.says("Product transferred.")
    expect(page.get_by_role("region", name=name)).to_contain_text("Noah Dahl")
    expect(console.button("Open Noah Dahl")).to_be_visible()
    expect(page.locator(f"#products-{PRODUCT}")).to_be_visible()
    console.assert_accessible()
    console.server.advance(61)
    assert holder(console.server) == "new-owner"


def test_transfer_waits(console):
    """T-16 O-03 a product without an owner waits for the address, and the page says so"""
    console.sign_in()
    name = open_product(console)
    ask_transfer(console, "later@example.com")
    console.says("Product transferred.")
    record = console.page.get_by_role("region", name=name)
    expect(record).to_contain_text("Waits for later@example.com")
    expect(console.button("Open Olivia Berg")).to_have_count(0)
    console.page.reload()
    expect(record).to_contain_text("Waits for later@example.com")
    console.server.advance(61)
    assert holder(console.server) == "later@example.com"


def test_transfer_is_repeated(console):
    """T-16 O-03 a transfer whose answer was lost is sent again with the same key"""
    keys = []

    def lose(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    console.sign_in()
    open_product(console)
    console.page.route(f"**/admin/products/*{PRODUCT}/transfer", lose)
    ask_transfer(console, NEW_OWNER.email)
    expect(console.sheet).to_have_count(0)
    console.button("Transfer Ownership").click()
    expect(console.sheet.get_by_label("New owner's email")).to_have_value(NEW_OWNER.email)
    console.sheet.get_by_role("button", name="Transfer now").click()
    console.says("Product transferred.")
    assert len(keys) == 2 and len(set(keys)) == 1


def test_viewer(console):
    """T-16 O-03 an administrator without the permission is not offered a transfer"""
    administrator(console.server, "viewer")
    console.server.advance(61)
    console.sign_in(LOCAL)
    open_product(console)
    expect(console.button("Open Olivia Berg")).to_be_visible()
    expect(console.button("Transfer Ownership")).to_have_count(0)


@in_every_look
def test_accessible(chrome, server, look):
    """T-15 T-16 products, service requests and the question before a transfer pass axe"""
    raise_request(server)
    app = Console(chrome, server, **look).open()
    app.sign_in()
    for place in ("Requests", "Products"):
        app.tab(place)
        expect(rows(app, place.lower()).first).to_be_visible()
        app.assert_accessible()
        rows(app, place.lower()).first.click()
        expect(app.page.locator("#record")).to_be_focused()
        app.assert_accessible()
    app.button("Transfer Ownership").click()
    expect(app.sheet).to_be_visible()
    app.assert_accessible()
    app.close()
