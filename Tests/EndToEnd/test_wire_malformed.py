"""Hostile input: each gets its defined answer, memory stays bounded, no internal detail leaks."""
import concurrent.futures
import re
import socket
import time
import urllib.parse

import pytest

from device import Device
from harness import TECHNICIAN, secret

RSS_LIMIT_MB = 150
BODY_LIMIT = 64 * 1024
# An answer must never contain these: traces, SQL, file paths, our own source.
INSIDES = re.compile(
    rb"(?i)stack trace|traceback|fatal error|precondition|\.swift|sqlite|select .* from|"
    rb"syntax error|/home/|/root/|/tmp/|/usr/|/var/|/opt/|\.sql|\bnil\b|optional\(")


@pytest.fixture(scope="module")
def server(new_server):
    """One server for all tests of this file, so that each test meets the results of the others."""
    server = new_server().start()
    yield server
    assert server.process.poll() is None, "the server has ended"
    assert server.get("/readyz").status == 200
    assert server.rss_mb < RSS_LIMIT_MB, server.rss_mb
    server.close()


@pytest.fixture(autouse=True)
def alive(server):
    yield
    assert server.process.poll() is None, "the server has ended"
    assert server.get("/livez").status == 200


def first_status(received):
    """The status of the first answer among raw bytes; `None` if there is none."""
    assert not INSIDES.search(received), received
    match = re.match(rb"HTTP/1\.1 (\d{3}) ", received)
    return int(match[1]) if match else None


def answer_count(received):
    return len(re.findall(rb"HTTP/1\.1 \d{3} ", received))


# MARK: Typed input


@pytest.mark.parametrize("password", [
    "p\0assword-with-nul", "\U0001f511" * 5, "päss-wörd", "x" * 1024, "x" * 1025, "x" * 8192,
    "' OR '1'='1' --", "{{7*7}}${7*7}", "\r\nSet-Cookie: a=b", "\u202e\ufeffpassword",
])
def test_hostile_password(server, password):
    """L-13 a password with any content is a wrong password"""
    name = f"unknown-{len(password)}-{ord(password[0])}@example.com"

    answer = Device(server).login(name, password)

    assert (answer.status, answer.error) == (400, "invalid_credentials"), answer
    assert not INSIDES.search(answer.body)


@pytest.mark.parametrize("name", ["username", "password"])
def test_longest_value(server, name):
    """L-13 a value above the limit of a form is refused before it is compared"""
    form = {"username": "unknown@example.com", "password": "wrong", name: "x" * 8193}

    answer = Device(server).login(form["username"], form["password"])

    assert (answer.status, answer.error) == (400, "invalid_request"), answer


@pytest.mark.parametrize("username", [
    "a\0@example.com", "\U0001f511@example.com", "@", "a@b@c", "x" * 8192, " " * 8190 + "@a",
    "tech@example.com'; DROP TABLE accounts; --", "../../etc/passwd", "tech%40example.com",
])
def test_hostile_e_mail(server, username):
    """T-03, L-13 an e-mail address with any content is an unknown account"""
    began = time.monotonic()

    answer = Device(server).login(username, "wrong-guess")

    assert (answer.status, answer.error) == (400, "invalid_credentials"), answer
    assert time.monotonic() - began < 5


@pytest.fixture
def at_code(server):
    """A device that waits for its code."""
    server.advance(3600 * 25)
    device = Device(server)
    sent = len(server.messages(TECHNICIAN.phone))
    assert device.login(TECHNICIAN.email, TECHNICIAN.password).status == 403
    device.code = server.code(TECHNICIAN.phone, sent)
    return device


@pytest.mark.parametrize("code", [
    "１２３４５６", "12345", "1234567", "000000x", "-12345", "1e5", "0x1E240", "\0\0\0\0\0\0",
    "123456\n", "٣٤٥٦٧٨", "9" * 5000,
])
def test_hostile_code(server, at_code, code):
    """T-06, L-13 a code with any other content is a wrong code and counts as an attempt"""
    answer = at_code.verify(code)

    assert (answer.status, answer.error) == (400, "invalid_otp"), answer
    assert answer.json["attempts_left"] == 4
    assert at_code.verify(at_code.code).status == 200


def test_code_with_spaces(at_code):
    """T-06, L-13 a code pasted with spaces is the same code"""
    answer = at_code.verify(f" {at_code.code[:3]} {at_code.code[3:]} ")

    assert answer.status == 200, answer
    at_code.redeem(answer.json["authorization_code"])


@pytest.mark.parametrize("pairs", [
    [("otp[]", "123456")], [("otp", "")], [], [("otp", "123456"), ("otp", "123456")],
    [("otp", "123456"), ("resend", "true")], [("resend", "yes")],
    [("otp", "1")] + [(f"extra{n}", "x") for n in range(500)],
])
def test_hostile_parameters(at_code, pairs):
    """L-13 a missing, repeated, contradictory or excessive parameter is invalid_request"""
    form = [("client_id", at_code.client), ("auth_session", at_code.auth_session), *pairs]

    answer = at_code.send(
        "POST", at_code.server.endpoint("authorization_challenge_endpoint"), form=form)

    assert (answer.status, answer.error) == (400, "invalid_request"), answer
    assert at_code.verify(at_code.code).status == 200


@pytest.mark.parametrize("name", ["client_id", "username", "password", "code_challenge", "scope"])
def test_repeated_parameter(server, name):
    """L-13 a repeated parameter is invalid_request, even with the same value"""
    device = Device(server)
    form = device.first_call(client_id=device.client, **TECHNICIAN.credentials)

    answer = device.send("POST", server.endpoint("authorization_challenge_endpoint"),
                         form=[*form.items(), (name, form[name])])

    assert (answer.status, answer.error) == (400, "invalid_request"), answer


@pytest.mark.parametrize("body", [
    b"%ff%fe", b"client_id=%zz", b"client_id=%", b"\xff\xfe\x00", b"&&&&", b"=", b"=&=", b"[]",
    b"client_id=technician-app" + b"&a=b" * 5000,
])
def test_hostile_body(server, body):
    """L-13 a body that is no form is refused"""
    device = Device(server)

    answer = device.send("POST", server.endpoint("token_endpoint"), body=body)

    assert answer.status in (400, 415), answer
    assert answer.error == "invalid_request"


@pytest.mark.parametrize("media_type", [
    "application/json", "text/plain", "multipart/form-data; boundary=x", "",
    "application/x-www-form-urlencoded-not",
])
def test_wrong_media_type(server, media_type):
    """A body with the media type of something else is refused"""
    device = Device(server)
    form = device.first_call(client_id=device.client, **TECHNICIAN.credentials)
    url = server.endpoint("authorization_challenge_endpoint")

    answer = server.post(url, body=urllib.parse.urlencode(form).encode(), headers={
        "DPoP": device.proof("POST", url), "Content-Type": media_type})

    assert answer.status in (400, 415), answer


def test_two_hundred_logins(server):
    """L-13 two hundred people at once each get an answer, with bounded memory"""
    def login(number):
        return Device(server).login(f"person-{number}@example.com", "wrong-guess")

    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        answers = list(pool.map(login, range(200)))

    assert {a.error for a in answers} <= {"invalid_credentials", "temporarily_unavailable"}
    assert [a.status for a in answers].count(400) >= 50
    assert all(a["Retry-After"] for a in answers if a.status == 503)
    assert server.rss_mb < RSS_LIMIT_MB


# MARK: Requests


@pytest.mark.parametrize("method, path, allowed", [
    ("GET", "/oauth/token", "POST"), ("PUT", "/oauth/challenge", "POST"),
    ("DELETE", "/oauth/revoke", "POST"), ("POST", "/api/jobs", "GET"),
    ("POST", "/jwks.json", "GET"), ("DELETE", "/livez", "GET"), ("GET", "/dev/clock", "POST"),
])
def test_wrong_method(server, method, path, allowed):
    """A wrong method gets 405 with the allowed methods"""
    answer = server.call(method, path)

    assert answer.status == 405
    assert allowed in re.split(r",\s*", answer["Allow"])
    assert answer["Request-Id"]


@pytest.mark.parametrize("path", [
    "/api/none", "/admin", "/..%2f..%2fetc/passwd", "/app/../../etc/passwd", "/app/%2e%2e/%2e%2e/x",
    "/oauth/token/", "//oauth/token", "/app/technician-app/%00", "/.git/config",
])
def test_unknown_path(server, path):
    """Every unknown path gets 404"""
    answer = server.get(path)

    assert answer.status in (400, 404), answer
    assert not INSIDES.search(answer.body), answer
    assert b"root:" not in answer.body


HEAD = b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
POST = b"POST /oauth/token HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"


@pytest.mark.parametrize("status, request_bytes", [
    (400, POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (400, POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (400, POST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
    (400, POST + b"Content-Length: 4, 4\r\n\r\nabcd"),
    (400, POST + b"Content-Length: -1\r\n\r\n"),
    (400, POST + b"Content-Length: +4\r\n\r\nabcd"),
    (400, POST + b"Content-Length: 0x4\r\n\r\nabcd"),
    (413, POST + b"Content-Length: 99999999999999999999999999\r\n\r\n"),
    (400, POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    (400, POST + b"Transfer-Encoding: chunked\r\n\r\n4;ext=1\r\nabcd\r\n0\r\n\r\n"),
    (400, POST + b"Transfer-Encoding: chunked\r\n\r\n4\r\nabcdX\r\n0\r\n\r\n"),
    (413, POST + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"),
    (400, b"GET /livez HTTP/1.1\nHost: a\n\n"),
    (400, b"GET /livez HTTP/1.1\r\nHost: a\nConnection: close\r\n\r\n"),
    (400, b"GET /livez HTTP/1.1\r\n\r\n"),
    (400, b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
    (400, HEAD + b" folded: yes\r\n\r\n"),
    (400, HEAD + b"X : y\r\n\r\n"),
    (400, HEAD + b"X\0Y: z\r\n\r\n"),
    (400, HEAD + b"X: a\0b\r\n\r\n"),
    (400, HEAD + b"X: a\rb\r\n\r\n"),
    (400, b"GET  /livez HTTP/1.1\r\nHost: a\r\n\r\n"),
    (200, b"GET http://other.example/livez HTTP/1.1\r\nHost: a\r\n\r\n"),
    (400, b"GET ftp://other.example/livez HTTP/1.1\r\nHost: a\r\n\r\n"),
    (400, b"GET livez HTTP/1.1\r\nHost: a\r\n\r\n"),
    (400, b"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
    (400, b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n"),
    (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    (400, b"GET /livez\r\n\r\n"),
    (501, b"BREW /livez HTTP/1.1\r\nHost: a\r\n\r\n"),
    (505, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    (505, b"GET /livez HTTP/3.1\r\nHost: a\r\n\r\n"),
    (431, HEAD + b"X-Bomb: 1\r\n" * 500 + b"\r\n"),
    (431, HEAD + b"X-Bomb: " + b"a" * 100_000 + b"\r\n\r\n"),
    (414, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    (501, POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n"),
])
def test_hostile_request(server, status, request_bytes):
    """L-13 a request that two parsers could read differently is refused, never repaired"""
    received = server.raw(request_bytes)

    assert first_status(received) == status, received
    assert answer_count(received) == 1, received


@pytest.mark.parametrize("count", [BODY_LIMIT + 1, 1 << 20, 16 << 20])
def test_body_over_the_limit(server, count):
    """L-13 a body over the limit gets 413 and is not read to its end"""
    received = server.raw(POST + b"Content-Length: %d\r\n\r\n" % count, b"a" * min(count, 1 << 20))

    assert first_status(received) == 413, received
    assert server.rss_mb < RSS_LIMIT_MB


def test_password_of_a_megabyte(server):
    """L-13 a password of one megabyte gets 413"""
    secret("x" * 100)
    body = b"client_id=technician-app&password=" + b"x" * 1_000_000

    received = server.raw(
        POST.replace(b"/oauth/token", b"/oauth/challenge")
        + b"Content-Type: application/x-www-form-urlencoded\r\n"
        + b"Content-Length: %d\r\n\r\n" % len(body), body)

    assert first_status(received) == 413, received


def test_chunks_over_the_limit(server):
    """L-13 chunks that add up to more than the limit get 413"""
    chunk = b"1000\r\n" + b"a" * 0x1000 + b"\r\n"

    received = server.raw(POST + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 20)

    assert first_status(received) == 413, received


def test_http_1_0(server):
    """HTTP/1.0 without a host is answered and closed"""
    received = server.raw(b"GET /livez HTTP/1.0\r\n\r\n")

    assert first_status(received) == 200
    assert b"transfer-encoding" not in received.lower()


def test_pipelining(server):
    """Pipelined requests are answered in their order"""
    one = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
    other = b"GET /nothing-here HTTP/1.1\r\nHost: a\r\n\r\n"

    received = server.raw(one + other + one + other + HEAD + b"\r\n")

    statuses = re.findall(rb"HTTP/1\.1 (\d{3}) ", received)
    assert statuses == [b"200", b"404", b"200", b"404", b"200"]


def test_hidden_request(server):
    """L-13 a request hidden in a body is never answered"""
    hidden = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"

    received = server.raw(POST + b"Content-Length: %d\r\n\r\n" % len(hidden), hidden)

    assert answer_count(received) == 1, received


def test_byte_by_byte(server):
    """A request that arrives byte by byte is answered like any other"""
    received = server.raw(*(bytes([b]) for b in HEAD + b"\r\n"), pause=0.001)

    assert first_status(received) == 200


def test_slow_requests(server):
    """L-13 a hundred requests that never end are cut off and delay no other request"""
    began = time.monotonic()
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    try:
        for connection in slow:
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\nX: ")
        waited = time.monotonic()
        assert server.get("/readyz").status == 200
        assert time.monotonic() - waited < 5
        open_ones = set(slow)
        while open_ones and time.monotonic() - began < 20:
            time.sleep(0.5)
            open_ones -= {c for c in open_ones if was_cut(c)}
        assert not open_ones
    finally:
        for connection in slow:
            connection.close()


def was_cut(connection):
    """Sends one more byte and returns whether the server has closed the connection."""
    try:
        connection.sendall(b"a")
        connection.settimeout(0.001)
        received = connection.recv(4096)
        return received == b"" or received.startswith(b"HTTP/1.1 408")
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_connections_that_leave(server):
    """L-13 five hundred connections that close during a request leave no lasting cost"""
    for number in range(500):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(POST + b"Content-Length: 1000\r\n\r\n" + b"a" * (number % 900))
        connection.close()

    assert server.get("/livez").status == 200
    assert server.rss_mb < RSS_LIMIT_MB


def test_random_bytes(server):
    """L-13 random bytes are refused and cause no harm"""
    state = 20251120
    for _ in range(200):
        noise = bytearray()
        for _ in range(300):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
            noise.append(state >> 56)
        received = server.raw(bytes(noise) + b"\r\n\r\n", seconds=0.2)
        assert first_status(received) in (None, 400, 414, 431, 501, 505)
