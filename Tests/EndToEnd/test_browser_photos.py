"""Photos of products in a real browser, with and without a server."""
import struct
import zlib

import pytest
from playwright.sync_api import expect

from products import ProductApp, administrator

NAME = "Dishwasher SilentLine 60"
PATH = "/admin/products/product-001/photo"


def chunk(kind, content):
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


# A picture of one point, in the PNG format.
POINT = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
         + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b""))
STORED = """async () => {
  const open = indexedDB.open('fieldpass-product-app')
  const base = await new Promise((done, fail) => {
    open.onsuccess = () => done(open.result); open.onerror = fail })
  const range = IDBKeyRange.bound('photo/', 'photo/\\uffff')
  const keys = base.transaction('records').objectStore('records').getAllKeys(range)
  await new Promise(done => { keys.onsuccess = done })
  base.close()
  return keys.result.length
}"""


@pytest.fixture
def app(chrome, server):
    """The product owner's app, opened for the first time."""
    app = ProductApp(chrome, server).open()
    yield app
    app.close()


def stores(app, count):
    app.until(f"async () => (await ({STORED})()) === {count}")


def picture(app):
    return app.page.locator("[data-part=photo] img")


def shows(app, width):
    """Waits until the picture has this width in points of its own."""
    expect(picture(app)).to_be_visible()
    app.until(f"() => document.querySelector('[data-part=photo] img').naturalWidth === {width}")


def size(app):
    found = app.page.locator("[data-part=photo]").bounding_box()
    return (found["width"], found["height"])


def thumbnail(app, name):
    return app.page.locator("#rows li").filter(has_text=name).locator(".photo img")


def row_heights(app):
    return {row["height"] for row in (item.bounding_box() for item in app.rows.all()[:6])}


def test_offline(app):
    """O-02, O-10 photos in the list and on the card are there without a server, after a restart"""
    admin = administrator(app.server)
    assert admin.api("/admin/products/product-003/photo", "PUT", body=POINT).status == 200
    app.synced()
    stores(app, 3)
    app.ready()
    expect(thumbnail(app, NAME)).to_be_visible()
    assert thumbnail(app, NAME).get_attribute("alt") == ""
    assert len(row_heights(app)) == 1
    app.open_card(NAME)
    shows(app, 160)
    expect(picture(app)).to_have_attribute("alt", "")
    expect(app.page.get_by_role("img", name=NAME)).to_have_count(0)
    online = size(app)

    app.server.kill()
    app.context.set_offline(True)
    app.page.reload()

    expect(app.page.get_by_role("heading", name="Warranty card")).to_be_visible()
    shows(app, 160)
    assert size(app) == online
    app.button("My products").click()
    expect(thumbnail(app, NAME)).to_be_visible()
    assert len(row_heights(app)) == 1


def test_absent(app):
    """O-02 a card without its photo has a neutral picture of the same size"""
    app.context.route("**/photo", lambda route: route.abort())
    app.synced()
    app.open_card(NAME)

    expect(app.page.locator("[data-part=photo]")).to_be_visible()
    expect(picture(app)).to_be_hidden()
    neutral = size(app)
    app.context.unroute("**/photo")
    app.page.reload()

    shows(app, 160)
    assert size(app) == neutral


def test_replaced_and_removed(app):
    """O-05, O-08 a replaced photo is shown after the next sync, and a removed one is deleted"""
    admin = administrator(app.server)
    app.synced()
    stores(app, 2)
    app.open_card(NAME)
    shows(app, 160)

    assert admin.api(PATH, "PUT", body=POINT).status == 200
    app.page.reload()
    shows(app, 1)
    stores(app, 2)
    assert admin.api(PATH, "DELETE").status == 204
    app.page.reload()

    stores(app, 1)
    expect(app.page.locator("[data-part=photo]")).to_have_count(0)


def test_signed_out(app):
    """S-04 a sign-out deletes the stored photos"""
    app.synced()
    stores(app, 2)

    app.button("Account").click()
    app.button("Sign out").click()
    app.says("You're signed out.")

    stores(app, 0)
