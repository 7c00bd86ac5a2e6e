"""Generated requests to every operation of docs/openapi.json, for each role and without a token.

No answer is a server error, and none has a status, media type or form that the document does not
declare.
"""
import copy
import json

import pytest

from harness import ROOT

DESCRIPTION = json.loads((ROOT / "docs/openapi.json").read_text())
# The document says this once for all operations: a request can be too large as a whole, even if
# each of its parts is within its limit.
TOO_LARGE = {status: {"description": "too large"} for status in ("413", "414", "431")}
for methods in DESCRIPTION["paths"].values():
    for operation in methods.values():
        if "responses" in operation:
            operation["responses"] = TOO_LARGE | operation["responses"]
# An operation whose answer names the signed-in account, and one of that role's home screen.
HOMES = {
    "technician": "GET /api/jobs", "rider": "GET /api/dashboard", "owner": "GET /api/products",
    "mentor": "GET /api/activities", "administrator": "GET /admin/accounts",
}


@pytest.fixture(scope="module")
def generated():
    """Imported here, because schemathesis loads slowly and only these tests use it."""
    import generated
    return generated


@pytest.fixture
def explored(generated, server):
    """Makes accounts that requests may change; then sends requests as a role or without a token."""
    def explore(role=None):
        made = server.post("/dev/accounts", document={"count": generated.MOST_ACCOUNTS})
        assert made.status == 200, made
        caller = generated.Caller(server, generated.ROLES.get(role))
        statuses, mistakes = generated.explore_all(caller, DESCRIPTION)
        assert not mistakes, "\n\n".join(mistakes)
        assert all(statuses.values())
        return statuses
    return explore


def test_not_signed_in(explored):
    """Generated requests without a valid token get declared answers and reach no one's data"""
    statuses = explored()

    for home in ["GET /api/me", *HOMES.values()]:
        # A malformed or too large request is refused before its token is read.
        assert {401} <= set(statuses[home]) <= {400, 401, 413, 414, 431}


@pytest.mark.parametrize("role", HOMES)
def test_signed_in(explored, role):
    """Generated requests of each role get declared answers and no server error"""
    statuses = explored(role)

    assert 200 in statuses["GET /api/me"]
    assert 200 in statuses[HOMES[role]]


def test_undeclared_status(generated, server):
    """A status that the document does not declare is found"""
    description = copy.deepcopy(DESCRIPTION)
    del description["paths"]["/api/me"]["get"]["responses"]["401"]
    operation = generated.load(description, credentials=True)["GET /api/me"]

    statuses, mistakes = generated.explore(generated.Caller(server), operation, 1)

    assert statuses == [401]
    assert "Undocumented status code" in mistakes[0]
