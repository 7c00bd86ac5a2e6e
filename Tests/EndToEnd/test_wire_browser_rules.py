"""The rules for browsers in every answer of a production server, and what no answer discloses."""
import pytest

# A page, data, a refusal of each kind, and two requests that are refused before they are parsed.
REQUESTS = [
    ("GET", "/app/technician-app/"), ("GET", "/jwks.json"), ("GET", "/livez"), ("GET", "/api/me"),
    ("GET", "/nothing"), ("POST", "/api/me"), ("POST", "/oauth/token"), ("BREW", "/livez"),
    ("TRACE", "/livez"),
]
HIDDEN = [
    "/.git/HEAD", "/.git/config", "/app/.git/HEAD", "/app/", "/app/technician-app/assets/",
    "/app/technician-app/../../etc/passwd", "/app/technician-app/%2e%2e/index.html",
    "/configuration.json", "/keys/", "/dev/", "/Package.swift",
]
YEAR = 365 * 24 * 3600


@pytest.fixture(params=REQUESTS, ids=" ".join)
def answer(request, production_server):
    return production_server.call(*request.param)


def directives(answer):
    parts = [part.split() for part in answer["Content-Security-Policy"].split(";")]
    return {part[0]: part[1:] for part in parts}


def test_only_tls_from_now_on(answer):
    """Every answer requires TLS for this host and its subdomains for at least a year"""
    value = answer["Strict-Transport-Security"]

    assert int(value.split("max-age=")[1].split(";")[0]) >= YEAR
    assert "includeSubDomains" in value


def test_content_policy(answer):
    """Every answer allows only content of this server: no plug-ins, no base and no frames"""
    policy = directives(answer)

    for name in ("default-src", "object-src", "base-uri", "frame-ancestors"):
        assert policy[name] == ["'none'"], name
    # A page shows photos that it has unsealed in its memory.
    assert set(policy.pop("img-src", [])) <= {"'self'", "blob:"}
    allowed = {source for name, sources in policy.items() for source in sources}
    assert allowed <= {"'none'", "'self'", "'wasm-unsafe-eval'"}


def test_other_fields(answer):
    """No answer's type is guessed, and no answer sends its address or content to other origins"""
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


def test_no_cookie(answer):
    """No answer sets a cookie or allows pages of other origins"""
    names = {name.lower() for name, _ in answer.fields}

    assert "set-cookie" not in names
    assert not [name for name in names if name.startswith("access-control-")]


def test_content_type(answer):
    """Every answer with a body has a content type, and text has an encoding"""
    kind = answer["Content-Type"]

    assert kind
    assert not kind.startswith("text/") or kind.endswith("; charset=utf-8")
    assert not kind.startswith("application/") or kind.endswith("json")


def test_not_kept(answer):
    """Browsers and proxies do not store an answer with data"""
    kept = answer["Cache-Control"]

    if "text/html" in answer["Content-Type"]:
        assert kept == "no-cache"
    elif answer["ETag"]:
        assert kept == "public, max-age=300" and b'"keys"' in answer.body
    else:
        assert kept == "no-store"


@pytest.mark.parametrize("method", ["OPTIONS", "POST", "GET"])
def test_other_origin(production_server, method):
    """A page of another origin may not send a proof or a token"""
    answer = production_server.call(method, "/oauth/token", headers={
        "Origin": "https://evil.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "dpop, authorization"})

    assert answer.status >= 400
    assert answer["Access-Control-Allow-Origin"] is None


def test_no_trace(production_server):
    """TRACE is not supported"""
    answer = production_server.call("TRACE", "/livez", headers={"Authorization": "DPoP secret"})

    assert answer.status == 501
    assert b"secret" not in answer.body


@pytest.mark.parametrize("path", HIDDEN)
def test_hidden(production_server, path):
    """No folder is listed, and only the files of the web apps are served"""
    assert production_server.get(path).status == 404


@pytest.mark.parametrize("path", [
    "/oauth/challenge", "/oauth/token", "/oauth/revoke", "/password/forgot", "/password/reset",
    "/accounts"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT"])
def test_safe_methods(production_server, method, path):
    """Changes need POST, and no method that browsers send by themselves"""
    answer = production_server.call(method, path)

    assert answer.status in (405, 501)
