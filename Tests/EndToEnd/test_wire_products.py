"""Products over HTTP: feeds, cursors, validators, transfers."""
import base64
import gzip
import json

import pytest

from device import read_token
from localhost import MENTOR
from products import NEW_OWNER, OWNER, add_products, administrator, rename_products, sign_in

MEMBERS = {"id", "name", "model", "serial_number", "purchased_on", "warranty_expires_on", "status"}


@pytest.fixture
def owner(server):
    return sign_in(server, OWNER)


def sync(device, cursor=None):
    """Everything since a cursor; returns products, removals, the cursor and the last answer."""
    products, removed = [], []
    while True:
        answer = device.api("/api/products" + (f"?cursor={cursor}" if cursor else ""))
        assert answer.status == 200, answer
        page = answer.json
        products += page["products"]
        removed += page["removed"]
        cursor = page["cursor"]
        if page["complete"]:
            return products, removed, cursor, answer


def test_first_sync(owner, server):
    """O-08 the first sync brings sixty products, complete and signed"""
    products, removed, _, answer = sync(owner)

    assert len(products) == 60 and removed == []
    assert all(MEMBERS <= set(product) for product in products)
    assert {product["status"] for product in products} == {"active", "expiring", "expired"}
    assert answer["cache-control"] == "no-store" and answer["etag"]
    header, lease = read_token(answer.json["lease"], server.get("/jwks.json").json)
    assert header["typ"] == "offline-lease+jwt" and lease["sub"] == "owner"
    assert lease["exp"] - lease["iat"] == 30 * 24 * 3600


def lease_of(device, path):
    answer = device.api(path)
    assert answer.status == 200, answer
    _, lease = read_token(answer.json["lease"], device.server.get("/jwks.json").json)
    return lease


def test_offline_periods(server):
    """O-06, S-07 every list has the shorter offline period of the app and the organization"""
    admin = administrator(server)
    owner = sign_in(server, OWNER)
    mentor = sign_in(server, MENTOR, "mentor-app", "openid offline_access activities")

    def change(path, body):
        assert admin.api(path, "PATCH", document=body).status == 200

    def seconds(device, path):
        lease = lease_of(device, path)
        return lease["shelf"], lease["exp"] - lease["iat"]

    month = 30 * 24 * 3600
    assert seconds(mentor, "/api/activities") == ("activities", month)
    change("/admin/organizations/north", {"policy": {"offline_seconds": 3600}})
    assert seconds(mentor, "/api/activities") == ("activities", 3600)
    assert lease_of(mentor, "/api/activities")["org"] == "north"
    change("/admin/organizations/north", {"policy": {"offline_seconds": month + 1}})
    assert seconds(mentor, "/api/activities") == ("activities", month)
    change("/admin/clients/product-app", {"offline_seconds": 0})
    assert seconds(owner, "/api/products") == ("products", 0)
    refused = admin.api("/admin/clients/product-app", "PATCH", document={"offline_seconds": -1})
    assert refused.status == 422, refused


def test_nothing_new(owner):
    """O-05 an unchanged feed answers 304 to its validator, and an empty page without one"""
    _, _, cursor, _ = sync(owner)
    answer = owner.api(f"/api/products?cursor={cursor}")
    url = owner.url(f"/api/products?cursor={cursor}")

    def again(tag):
        token = owner.tokens["access_token"]
        return owner.server.call("GET", url, headers={
            "DPoP": owner.proof("GET", url, token), "Authorization": f"DPoP {token}",
            "If-None-Match": tag})

    assert answer.json["products"] == [] and answer.json["removed"] == []
    assert again(answer["etag"]).status == 304
    assert again('"other"').status == 200


def test_transfer(owner, server):
    """O-03 a product moves from one feed to the other, once for each key"""
    other = sign_in(server, NEW_OWNER)
    _, _, mine, _ = sync(owner)
    _, _, theirs, _ = sync(other)

    answer = owner.api("/api/products/product-010/transfer", "POST",
                       document={"to": NEW_OWNER.email})

    assert answer.status == 200, answer
    assert sync(owner, mine)[:2] == ([], ["product-010"])
    products, removed, _, _ = sync(other, theirs)
    assert [product["id"] for product in products] == ["product-010"] and removed == []
    assert owner.api("/api/products/product-010/transfer", "POST",
                     document={"to": NEW_OWNER.email}).status == 404


def test_concealed(owner):
    """T-03 a transfer to an unknown account gets the same answer as one to a known account"""
    known, unknown = (
        owner.api(f"/api/products/{product}/transfer", "POST", document={"to": address})
        for product, address in [("product-011", NEW_OWNER.email),
                                 ("product-012", "xxx-owner@example.com")])

    assert (known.status, len(known.body)) == (unknown.status, len(unknown.body))
    assert known.lasting_fields == unknown.lasting_fields


@pytest.mark.parametrize("cursor", ["x", "AAAA", "%00", "'--", "a" * 5000])
def test_unknown_cursor(owner, cursor):
    """L-33 a cursor that this server did not make answers 410"""
    answer = owner.api(f"/api/products?cursor={cursor}")

    assert (answer.status, answer.error) == (410, "unknown_cursor")


def test_delta_size(server):
    """O-09 ten changes among ten thousand products transfer less than ten kilobytes"""
    admin = add_products(server, NEW_OWNER, 10_000)
    device = sign_in(server, NEW_OWNER)
    products, _, cursor, _ = sync(device)
    rename_products(admin, NEW_OWNER, range(0, 10_000, 1000))

    changed, _, _, answer = sync(device, cursor)

    assert len(products) == 10_000 and len(changed) == 10
    size = sum(len(n) + len(v) + 4 for n, v in answer.fields) + len(answer.body)
    print(f"delta of 10 in 10,000: {size} bytes uncompressed")
    assert size < 10_000


def test_compressed(owner):
    """O-09 the first sync is compressed"""
    url = owner.url("/api/products")
    token = owner.tokens["access_token"]
    answer = owner.server.call("GET", url, headers={
        "DPoP": owner.proof("GET", url, token), "Authorization": f"DPoP {token}",
        "Accept-Encoding": "gzip, br"})

    assert answer["content-encoding"] == "gzip" and "Accept-Encoding" in answer["vary"]
    assert len(json.loads(gzip.decompress(answer.body))["products"]) == 60
    assert len(answer.body) < 6000


def test_opaque(owner):
    """L-33 a cursor discloses nothing, and a change of any bit makes it invalid"""
    _, _, cursor, _ = sync(owner)
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))

    for index in range(0, len(raw), 5):
        raw[index] ^= 1
        turned = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
        assert owner.api(f"/api/products?cursor={turned}").status == 410
        raw[index] ^= 1
