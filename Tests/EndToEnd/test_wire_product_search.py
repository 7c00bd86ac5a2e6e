"""Searches for products and service requests over HTTP."""
from urllib.parse import urlencode

import pytest

from products import NEW_OWNER, OWNER, add_products, administrator, sign_in

# The most characters of a search.
TEXT_LIMIT = 200


def listed(admin, **filters):
    """The identifiers of all products that match, read in pages of three."""
    found, cursor = [], None
    while True:
        query = urlencode({**filters, "limit": 3, **({"cursor": cursor} if cursor else {})})
        answer = admin.api(f"/admin/products?{query}")
        assert answer.status == 200, answer
        found += [entry["id"] for entry in answer.json["products"]]
        cursor = answer.json.get("cursor")
        if not cursor:
            return found


def refused(admin, path, **filters):
    answer = admin.api(f"{path}?{urlencode(filters)}")
    return answer.status, answer.error


def test_products(server):
    """T-16 L-54 a product is found by words in any order, by its number, and by its owner"""
    admin = add_products(server, NEW_OWNER, 8)
    added = [f"bulk-{number:05}" for number in reversed(range(8))]

    assert listed(admin, query="th0000") == added
    assert listed(admin, query="th 0000-0003") == ["bulk-00003"]
    assert listed(admin, query=" THING 00005 ") == ["bulk-00005"]
    assert listed(admin, account="new-owner", query="0003") == ["bulk-00003"]
    assert listed(admin, query="00003  thing") == ["bulk-00003"]
    assert listed(admin, query="nothing") == []
    assert listed(admin, account="new-owner") == added
    assert listed(admin, account="new-owner", query="thing 00007") == ["bulk-00007"]
    assert listed(admin, account="owner", query="thing") == []
    assert listed(admin, account="unknown") == []
    assert len(listed(admin, query="")) == 68


def test_service_requests(server):
    """T-16 a service request is found by its number, and by the account that sent it"""
    owner = sign_in(server, OWNER)
    numbers = [owner.api("/api/service-requests", "POST", document={
        "product_id": product, "description": "It hums."}).json["id"]
        for product in ("product-001", "product-002")]
    admin = administrator(server)

    def found(**filters):
        answer = admin.api(f"/admin/service-requests?{urlencode(filters)}")
        assert answer.status == 200, answer
        return {entry["id"] for entry in answer.json["service_requests"]}

    assert found(query=numbers[0].upper()) == {numbers[0]}
    assert found(query=numbers[1][:10]) == {numbers[1]}
    assert found(account="owner") == set(numbers)
    assert found(account="new-owner", query=numbers[0]) == set()


@pytest.mark.parametrize("path", ["/admin/products", "/admin/service-requests"])
def test_refused(server, path):
    """L-33 a text that is too long and an account that is no identifier are refused"""
    admin = administrator(server)

    assert refused(admin, path, query="æ" * TEXT_LIMIT) == (200, None)
    assert refused(admin, path, query="æ" * (TEXT_LIMIT + 1)) == (400, "invalid_request")
    for account in ("a b", "\0", "a/b"):
        assert refused(admin, path, account=account) == (400, "invalid_request")
    assert refused(admin, path, query="\0%_'\\") == (200, None)
