"""Messages through providers that fail, as operators configure them."""
import hashlib
import hmac
import json
import subprocess
import time

import pytest

from device import Device
from harness import BINARY, Person
from provider import Provider, accepted_twice

RIDER = Person("", "", "+919812345678")


def clients():
    """Two apps as in the demo, with limits that allow many messages."""
    budget = {"per_number_per_hour": 20, "per_number_per_day": 20}
    return [
        {"id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
         "sign_in": "password_and_code", "roles": ["technician"],
         "scopes": ["openid", "offline_access", "jobs"], "messages": budget},
        {"id": "rider-app", "name": "Riders", "home": "dashboard", "sign_in": "phone_code",
         "roles": ["rider"], "scopes": ["openid", "offline_access", "dashboard"],
         "disclosure": "disclosed", "default_country": "+91", "messages": budget},
    ]


def hook(provider, name, folder, **more):
    secret = folder / f"{name}-secret"
    secret.write_text(provider.secret + "\n")
    secret.chmod(0o600)
    return {"name": name, "kind": "webhook", "url": provider.url, "secret_file": str(secret)} | more


@pytest.fixture
def start(new_server, tmp_path):
    """Starts a development server with these messengers."""
    servers = []

    def begin(*messengers, **members):
        server = new_server()
        path = tmp_path / f"{server.data.name}.json"
        path.write_text(json.dumps(
            {"clients": clients(), "messengers": list(messengers)} | members))
        launch = server.launch
        server.launch = lambda *arguments: launch("--config", str(path), *arguments)
        servers.append(server)
        return server.start()
    yield begin
    for server in servers:
        server.close()


@pytest.fixture
def providers():
    made = [Provider(), Provider()]
    yield made
    for provider in made:
        provider.close()


@pytest.fixture
def pair(start, providers, tmp_path):
    """A server with two webhooks: the first and the second choice."""
    first, second = providers
    return start(hook(first, "first", tmp_path), hook(second, "second", tmp_path))


def ask(server, person=RIDER):
    device = Device(server, client="rider-app")
    return device, device.challenge(**device.first_call(phone_number=person.phone))


def test_webhook(pair, providers):
    """R-12 a webhook gets the message once and signed, and the inbox shows it too"""
    device, answer = ask(pair)
    messages = providers[0].wait(1)

    assert answer.error == "insufficient_authorization"
    assert set(messages[0]) == {"id", "to", "text", "expires_at"}
    assert messages[0]["to"] == RIDER.phone
    assert messages[0]["expires_at"] == answer.json["challenge"]["expires_at"]
    assert providers[0].forged == 0
    code = pair.code(RIDER.phone)
    assert messages[0]["text"].startswith(code)
    assert device.verify(code).status == 200
    assert providers[1].calls == []


@pytest.mark.parametrize("fault", [
    Provider.HANG, Provider.CUT, Provider.BUSY, Provider.BROKEN, Provider.FORBIDDEN])
def test_fails_over(pair, providers, fault):
    """R-12 if the first provider fails, the code arrives through the second in five seconds"""
    providers[0].fault = lambda number: fault

    _, answer = ask(pair)
    answered = time.monotonic()
    providers[1].wait(1, seconds=5)

    assert answer.error == "insufficient_authorization"
    # The request waits for no provider.
    assert fault != Provider.HANG or answered < providers[1].calls[0][0]
    assert accepted_twice(*providers) == []
    assert pair.code(RIDER.phone) in providers[1].messages[0]["text"]


@pytest.mark.parametrize("fault", [Provider.TAKEN_THEN_BROKEN, Provider.TAKEN_THEN_HANG])
def test_accepted_without_an_answer(pair, providers, fault):
    """L-06 a provider that accepts a message without an answer is called again, and no other is"""
    providers[0].fault = lambda number: fault if number == 1 else None

    ask(pair)
    providers[0].wait(1)
    time.sleep(3.5)

    assert len(providers[0].calls) == 2
    assert providers[0].repeated == 1
    assert providers[1].calls == []


def test_unreachable_number(pair, providers):
    """L-06 a message to an unreachable number is tried once"""
    providers[0].fault = lambda number: Provider.NEVER

    ask(pair)
    time.sleep(2.5)

    assert len(providers[0].calls) == 1
    assert providers[1].calls == []


def test_only_provider_recovers(start, providers, tmp_path):
    """L-06, R-12 the same message goes out once the only provider works again"""
    first = providers[0]
    server = start(hook(first, "first", tmp_path))
    first.fault = lambda number: Provider.BROKEN if number <= 2 else None

    ask(server)
    first.wait(1)

    assert len({id for _, id in first.calls}) == 1
    assert server.code(RIDER.phone) in first.messages[0]["text"]


def test_known_to_fail(start, providers, tmp_path):
    """L-06 once every provider is known to fail, a request is refused at once and not counted"""
    first = providers[0]
    first.close()
    server = start(hook(first, "first", tmp_path))
    for number in range(3):
        server.post("/dev/accounts", document={"count": 3})
        device = Device(server)
        device.challenge(**device.first_call(
            username=f"load-{number + 1:04}@example.com", password="demo-Load-1"))
    time.sleep(2.5)

    _, answer = ask(server)

    assert (answer.status, answer.error) == (503, "delivery_failed")
    assert int(answer["Retry-After"]) == answer.json["retry_in"] > 0
    assert server.messages(RIDER.phone) == []
    # After this time the waiting messages have expired. They would only call the provider again.
    # A call that was in progress fails after the clock has moved, and counts as a new failure.
    def is_accepted():
        server.advance(400)
        return ask(server)[1].error == "insufficient_authorization"

    assert any(is_accepted() for _ in range(3))


def test_country_without_provider(start, providers, tmp_path):
    """L-16 a country without a messenger is refused at once"""
    server = start(hook(providers[0], "first", tmp_path, countries=["+47"]))

    assert ask(server)[1].error == "delivery_failed"


@pytest.mark.long
def test_provider_down_for_ten_minutes(pair, providers):
    """R-12, L-06 ten minutes without the first provider: each code arrives once, in five seconds"""
    first, second = providers
    first.fault = lambda number: Provider.HANG
    first.hang_seconds = 8
    pair.post("/dev/accounts", document={"count": 40})
    waits = []
    for minute in range(10):
        for number in range(4):
            device = Device(pair)
            answer = device.challenge(**device.first_call(
                username=f"load-{minute * 4 + number + 1:04}@example.com",
                password="demo-Load-1"))
            assert answer.error == "insufficient_authorization"
        began = time.monotonic()
        second.wait(minute * 4 + 4, seconds=10)
        waits.append(time.monotonic() - began)
        pair.advance(60)
    first.fault = lambda number: None
    pair.advance(60)
    ask(pair)
    first.wait(1)

    print("longest wait", max(waits))
    assert max(waits) < 5
    assert len(second.messages) == 40
    assert accepted_twice(first, second) == []


@pytest.mark.parametrize("moment", [0.0, 0.02, 0.1, 0.4])
def test_power_cut_while_sending(pair, providers, moment):
    """L-06 a power cut during sending loses no message, and doubles none with a known id"""
    first, second = providers
    first.delay = 0.1
    count = 20
    pair.post("/dev/accounts", document={"count": count})
    for number in range(count):
        device = Device(pair)
        answer = device.challenge(**device.first_call(
            username=f"load-{number + 1:04}@example.com", password="demo-Load-1"))
        assert answer.error == "insufficient_authorization"
        if number == count - 1:
            time.sleep(moment)
    pair.kill()
    first.delay = 0
    pair.start()
    pair.advance(20)

    first.wait(count, seconds=20)

    assert len(first.messages) == count
    assert second.messages == []


def test_slow_provider(pair, providers):
    """R-09, L-07 a provider that does not answer slows no request"""
    for provider in providers:
        provider.fault = lambda number: Provider.HANG
    pair.post("/dev/accounts", document={"count": 30})
    times = []
    for number in range(30):
        device = Device(pair)
        call = device.first_call(
            username=f"load-{number + 1:04}@example.com", password="demo-Load-1")
        began = time.monotonic()
        device.challenge(**call)
        times.append(time.monotonic() - began)

    # A request that waits for a provider would take the two seconds of its timeout.
    assert sorted(times)[28] < 1.9


# MARK: Receipts and cost


def receipt(server, provider, name, members, at=None, secret=None):
    """Posts a receipt as the provider's server does; a test may forge it."""
    body = json.dumps(members).encode()
    stamp = str(int(at if at is not None else server.now()))
    code = hmac.new((secret or provider.secret).encode(), stamp.encode() + b"." + body,
                    hashlib.sha256).hexdigest()
    return server.post(f"/messages/receipts/{name}", body=body,
                       headers={"Fieldpass-Signature": f"t={stamp},v1={code}"}).status


def delivery(device):
    answer = device.challenge(client_id="rider-app", auth_session=device.auth_session,
                              status="true")
    assert answer.error == "insufficient_authorization", answer
    return answer.json["challenge"]["delivery"]


def test_receipts(pair, providers):
    """R-12 only signed receipts count; late, repeated and unknown ones change nothing"""
    first = providers[0]
    device, _ = ask(pair)
    id = first.wait(1)[0]["id"]
    while (before := delivery(device)) == "sending":
        time.sleep(0.02)

    forged = [
        receipt(pair, first, "first", {"id": id, "status": "delivered"}, secret="another"),
        receipt(pair, first, "first", {"id": id, "status": "delivered"}, at=pair.now() - 400),
        receipt(pair, first, "unknown", {"id": id, "status": "delivered"}),
        pair.post("/messages/receipts/first", body=b"{}").status,
    ]
    unchanged = delivery(device)
    unknown = receipt(pair, first, "first", {"id": "nothing", "status": "delivered"})
    true = [receipt(pair, first, "first", {"id": id, "status": status})
            for status in ("delayed", "delivered", "delivered", "undelivered")]

    assert before == unchanged == "sent"
    assert forged == [401, 401, 404, 401]
    assert unknown == 204 and true == [204] * 4
    assert delivery(device) == "delivered"


def test_undelivered(pair, providers):
    """R-12 an undelivered message is reported, and another can be requested at once"""
    first = providers[0]
    device, _ = ask(pair)
    id = first.wait(1)[0]["id"]
    resend = {"client_id": "rider-app", "auth_session": device.auth_session, "resend": "true"}

    early = device.challenge(**resend)
    receipt(pair, first, "first", {"id": id, "status": "undelivered"})
    state = delivery(device)
    again = device.challenge(**resend)

    assert early.error == "resend_too_soon"
    assert state == "failed"
    assert again.error == "insufficient_authorization"
    assert len(first.wait(2)) == 2


def test_slow_receipts(pair, providers):
    """R-12 a receipt can arrive before the answer to its message, or a day later"""
    first = providers[0]
    early = []

    def overtake(number):
        # Its message has no result before this answer, and the receipt arrives first.
        id = first.calls[-1][1]
        early.append(receipt(pair, first, "first", {"id": id, "status": "delivered"}))
    first.fault = overtake
    device, _ = ask(pair)
    first.wait(1)
    until = time.monotonic() + 5
    while (state := delivery(device)) != "delivered" and time.monotonic() < until:
        time.sleep(0.05)
    first.fault = lambda number: None
    pair.advance(61)
    ask(pair)
    id = first.wait(2)[1]["id"]
    pair.advance(23 * 3600)

    late = receipt(pair, first, "first", {"id": id, "status": "delivered"})

    assert early == [204] and state == "delivered"
    assert late == 204


# MARK: Calls


def test_voice(start, providers, tmp_path, monkeypatch):
    """R-12 calls have a messenger of their own: if requested, it reads the code aloud, signed"""
    texts, calls = providers
    monkeypatch.setenv("VOICE_SECRET", calls.secret)
    server = start(hook(texts, "texts", tmp_path), {
        "name": "calls", "kind": "voice-webhook", "url": calls.url, "secret_env": "VOICE_SECRET"})
    device, _ = ask(server)
    texts.wait(1)
    server.advance(61)

    answer = device.challenge(client_id="rider-app", auth_session=device.auth_session,
                              resend="true", channel="voice")
    call = calls.wait(1)[0]
    status = receipt(server, calls, "calls", {"id": call["id"], "status": "delivered"})

    assert answer.json["challenge"]["channel"] == "voice"
    assert set(call) == {"id", "to", "speech", "expires_at"} and calls.forged == 0
    code = server.code(RIDER.phone)
    assert call["speech"].count(", ".join(code)) == 2
    assert "@" not in call["speech"] and len(texts.calls) == 1
    assert (status, delivery(device)) == (204, "delivered")
    assert device.verify(code).status == 200


def test_voice_without_a_messenger(pair, providers):
    """R-12 without a messenger for calls, the code of a requested call comes as a message"""
    device, _ = ask(pair)
    providers[0].wait(1)
    pair.advance(61)

    answer = device.challenge(client_id="rider-app", auth_session=device.auth_session,
                              resend="true", channel="voice")

    assert answer.error == "insufficient_authorization"
    assert "text" in providers[0].wait(2)[1]


def test_calls_replace_messages(start, providers, tmp_path):
    """R-12 if no text message can be sent, a call brings the code within five seconds"""
    texts, calls = providers
    texts.fault = lambda number: Provider.FORBIDDEN
    server = start(hook(texts, "texts", tmp_path),
                   hook(calls, "calls", tmp_path, kind="voice-webhook"))

    ask(server)

    assert ", ".join(server.code(RIDER.phone)) in calls.wait(1, seconds=5)[0]["speech"]


# MARK: Cost


def cost(server, *arguments):
    return subprocess.run([BINARY, "messages", "cost", "--data", server.data, *arguments],
                          capture_output=True, text=True, timeout=20)


def test_cost(start, providers, tmp_path):
    """L-16 the cost of messages is shown for the requested days, by purpose"""
    server = start(hook(providers[0], "first", tmp_path), prices=[
        {"country": "+91", "millionths": 2500}])
    device, _ = ask(server)
    while delivery(device) == "sending":
        time.sleep(0.02)
    server.advance(86400)
    ask(server)
    providers[0].wait(2)
    today, tomorrow = (time.strftime("%Y-%m-%d", time.gmtime(server.now() - ago))
                       for ago in (86400, 0))
    server.stop()

    usual = cost(server)
    both = cost(server, "--from", today, "--to", tomorrow, "--by", "day,organization")
    after = cost(server, "--from", tomorrow, "--to", "2999-01-01")
    mistakes = [cost(server, *words) for words in [
        ("--by", "pigeon"), ("--by", "day,day"), ("--from", "2026-02-30"), ("--to",),
        ("--from", tomorrow, "--to", today)]]

    assert usual.returncode == 0, usual.stderr
    assert usual.stdout.splitlines() == [
        "messenger\tcountry\tmessages\tparts\tdelivered\tundelivered\tcost\tunpriced",
        "first\t+91\t1\t1\t0\t0\t0.002500\t0"]
    assert [line.split("\t")[:3] for line in both.stdout.splitlines()[1:]] == [
        [today, "-", "1"], [tomorrow, "-", "1"]]
    assert [line.split("\t")[:3] for line in after.stdout.splitlines()[1:]] == [
        ["first", "+91", "1"]]
    assert [run.returncode for run in mistakes] == [64] * 5


def test_languages(pair, providers):
    """R-07 a message is in the language that the app asks for"""
    device = Device(pair, client="rider-app")
    device.challenge(**device.first_call(phone_number=RIDER.phone, ui_locales="hi-IN en"))

    assert "कोड" in providers[0].wait(1)[0]["text"]
