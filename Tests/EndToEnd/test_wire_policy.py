"""Policies over HTTP: a value that an administrator changes or an operator configures applies to
its app or organization only, at once and after a power cut."""
import json
import subprocess

import pytest

from device import Device
from harness import ADMINISTRATOR, BINARY, TECHNICIAN, Person, secret

OWNER = Person("owner@example.com", "demo-Owner-1", "+15550101236")
# The app whose policy is changed, and another app whose policy must stay the same.
CHANGED, OTHER = ("technician-app", TECHNICIAN), ("product-app", OWNER)


def administrator(server):
    device = Device(server, client="console")
    device.sign_in(ADMINISTRATOR)
    return device


@pytest.fixture
def admin(server):
    return administrator(server)


def change(admin, path, patch):
    answer = admin.api(path, "PATCH", document=patch)
    assert answer.status == 200, answer
    return answer


def fail(server, app, person, times, **more):
    return [Device(server, app).login(person.email, f"wrong-guess-{n}", **more)
            for n in range(times)]


def begin(server, app, person, **more):
    device = Device(server, app)
    return device, device.login(person.email, person.password, **more)


# MARK: The effect of each value in one app for one person


def unknown_account(server, app, person, **more):
    return Device(server, app).login("unknown@example.com", "wrong-guess", **more).error


def failures_to_lockout(server, app, person, **more):
    for number in range(1, 21):
        if fail(server, app, person, 1, **more)[0].error == "account_locked":
            return number
    raise AssertionError("there is no lockout after twenty failures")


def first_lockout(server, app, person, **more):
    return fail(server, app, person, 5, **more)[4].json["retry_in"]


def second_lockout(server, app, person, **more):
    server.advance(first_lockout(server, app, person, **more))
    return first_lockout(server, app, person, **more)


def after_ten_failures(server, app, person, **more):
    for _ in range(2):
        server.advance(first_lockout(server, app, person, **more))
    server.advance(24 * 3600)
    return begin(server, app, person, **more)[1].error


def digits(server, app, person, **more):
    sent = len(server.messages(person.phone))
    device, first = begin(server, app, person, **more)
    code = server.code(person.phone, sent)
    assert len(code) == first.json["challenge"]["digits"]
    assert device.verify(code).status == 200
    return len(code)


def tries_of_a_code(server, app, person, **more):
    return begin(server, app, person, **more)[1].json["challenge"]["attempts_left"]


def code_after(seconds):
    """The error of a right code after this time, to the second."""
    def observe(server, app, person, **more):
        sent = len(server.messages(person.phone))
        device, _ = begin(server, app, person, **more)
        code = server.code(person.phone, sent)
        server.advance(seconds)
        return device.verify(code).error
    return observe


def resend_after(seconds):
    def observe(server, app, person, **more):
        sent = len(server.messages(person.phone))
        device, _ = begin(server, app, person, **more)
        # A message that is still in the outbox when a second one replaces it is never sent.
        server.code(person.phone, sent)
        server.advance(seconds)
        return device.resend().error
    return observe


def next_sign_in_after(seconds):
    def observe(server, app, person, **more):
        sent = len(server.messages(person.phone))
        begin(server, app, person, **more)
        server.code(person.phone, sent)
        server.advance(seconds)
        return begin(server, app, person, **more)[1].error
    return observe


def third_sign_in(server, app, person, **more):
    # At most two are sent. One of them can be an administrator's own code.
    for _ in range(2):
        begin(server, app, person, **more)
        server.advance(3700)
    return begin(server, app, person, **more)[1].error


def first_call(server, app, person, **more):
    return begin(server, app, person, **more)[1].error


def message(server, app, person, **more):
    sent = len(server.messages(person.phone))
    begin(server, app, person, **more)
    code = server.code(person.phone, sent)
    return server.messages(person.phone)[0]["text"].replace(code, "…")


def reset_message(server, app, person, **more):
    sent = len(server.messages(person.phone))
    answer = server.post(
        "/password/forgot", document={"client_id": app, "username": person.email})
    secret(answer.json["reset_session"])
    code = server.code(person.phone, sent)
    return server.messages(person.phone)[0]["text"].replace(code, "…")


def tokens(server, app, person, **more):
    return Device(server, app).sign_in(person, **more)


def access_token_life(*where, **more):
    return tokens(*where, **more)["expires_in"]


def session_life(server, *where, **more):
    # To ten seconds, because the test cannot know the moment of the answer.
    ends = tokens(server, *where, **more)["session"]["expires_at"]
    return round((ends - server.now()) / 10) * 10


def of_session(member):
    return lambda *where, **more: tokens(*where, **more)["session"][member]


CODE_SENT, LIMITED = "insufficient_authorization", "rate_limited"
STANDARD = "… is your Fieldpass code. It expires in 5 minutes."
STANDARD_RESET = "… is your Fieldpass code to set a new password. It expires in 5 minutes."

# The change, the function that shows its effect, and the results without and with the change.
CASES = {
    "disclosure": ({"disclosure": "disclosed"}, unknown_account,
                   "invalid_credentials", "account_not_registered"),
    "failures": ({"lockout": {"failures": 3}}, failures_to_lockout, 5, 3),
    "tries": ({"lockout": {"failures": 3}}, tries_of_a_code, 5, 3),
    "lock": ({"lockout": {"lock_seconds": 120}}, first_lockout, 900, 120),
    "doubling": ({"lockout": {"lock_seconds": 120, "longest_lock_seconds": 200}}, second_lockout,
                 1800, 200),
    "stop": ({"lockout": {"stop_after": 10}}, after_ten_failures, CODE_SENT, "account_locked"),
    "digits-7": ({"code": {"digits": 7}}, digits, 6, 7),
    "digits-8": ({"code": {"digits": 8}}, digits, 6, 8),
    "life": ({"code": {"life_seconds": 120}}, code_after(120), None, "otp_expired"),
    "life-before": ({"code": {"life_seconds": 120}}, code_after(119), None, None),
    "cooldown": ({"code": {"resend_seconds": 30}}, resend_after(30), "resend_too_soon", CODE_SENT),
    "number-hourly": ({"messages": {"per_number_per_hour": 1}}, next_sign_in_after(60),
                      CODE_SENT, LIMITED),
    "number-daily": ({"messages": {"per_number_per_hour": 1, "per_number_per_day": 1}},
                     next_sign_in_after(3700), CODE_SENT, LIMITED),
    "prefix": ({"messages": {"per_prefix_per_day": 2}}, third_sign_in, CODE_SENT, LIMITED),
    "conversion": ({"messages": {"conversion_checked_after": 1, "minimum_conversion_percent": 100}},
                   next_sign_in_after(3700), CODE_SENT, LIMITED),
    "app-daily": ({"messages": {"per_day": 0}}, first_call, CODE_SENT, LIMITED),
    "countries": ({"countries": ["+47"]}, first_call, CODE_SENT, LIMITED),
    "text": ({"texts": {"sign_in": "Code: {code}"}}, message, STANDARD, "Code: …"),
    "text-in-english": ({"texts": {"sign_in_en": "English: {code}"}}, message, STANDARD,
                        "English: …"),
    "reset-text": ({"texts": {"password_reset": "Reset: {code}"}}, reset_message, STANDARD_RESET,
                   "Reset: …"),
    "access-token": ({"access_token_seconds": 60}, access_token_life, 300, 60),
    "session": ({"session_seconds": 7200}, session_life, 2_592_000, 7200),
    "idle": ({"idle_seconds": 600}, of_session("idle_timeout"), 604_800, 600),
    "background": ({"background_seconds": 42}, of_session("background_timeout"), 300, 42),
    "unlock": ({"unlock": "biometric"}, of_session("unlock"), "none", "biometric"),
}


def keys(patch):
    """The keys of a patch as events name them, such as `lockout.failures`."""
    return [f"{outer}.{inner}" if isinstance(value, dict) else outer
            for outer, value in patch.items()
            for inner in (value if isinstance(value, dict) else [outer])]


def recorded(event, subject):
    """The changed values in an event, by key: the old one and the new one."""
    who, where, values = event["detail"].split(" ", 2)
    assert (who, where) == ("administrator", subject)
    return json.loads(values)


def values(patch):
    """The values of a patch by the keys that events have."""
    return {key: patch[key] if key in patch else patch[key.split(".")[0]][key.split(".")[1]]
            for key in keys(patch)}


def near(seen, wanted):
    """Two values are equal when they differ by at most two seconds."""
    return seen == wanted or (isinstance(seen, int) and wanted - 2 <= seen < wanted)


def expect(server, observe, without, with_it):
    """Checks that the change is visible in one app and not in the other."""
    assert near(observe(server, *CHANGED), with_it)
    server.advance(61)
    assert near(observe(server, *OTHER), without)


# MARK: Apps


@pytest.mark.parametrize("name", CASES)
def test_changed(server, admin, name):
    """T-16, T-05, T-08, L-16 a value changed under /admin applies at once, to that app only"""
    patch, observe, without, with_it = CASES[name]

    changed = change(admin, "/admin/clients/technician-app", patch)
    event = admin.api("/admin/events?limit=1").json["events"][0]

    assert changed.json["changes"] == patch
    assert event["code"] == "policy.client_changed"
    found = recorded(event, "technician-app")
    assert {key: new for key, (_, new) in found.items()} == values(patch)
    assert all(old != new for old, new in found.values())
    expect(server, observe, without, with_it)


@pytest.mark.parametrize("name", CASES)
def test_changed_and_restarted(server, admin, name):
    """T-16, L-15 a changed value applies after a power cut too"""
    patch, observe, without, with_it = CASES[name]
    change(admin, "/admin/clients/technician-app", patch)

    server.kill()
    server.start()

    expect(server, observe, without, with_it)


def clients(patch):
    """The two apps as an operator configures them, the first with a policy."""
    budget = {"messages": {"per_number_per_hour": 12, "per_number_per_day": 60}}
    password = {"sign_in": "password_and_code"}
    first = {"id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
             "roles": ["technician"], "scopes": ["openid", "offline_access", "jobs"]}
    second = {"id": "product-app", "name": "My products", "home": "products", "roles": ["owner"],
              "scopes": ["openid", "offline_access", "products"]}
    patched = budget | patch | {"messages": budget["messages"] | patch.get("messages", {})}
    return [first | password | patched, second | password | budget]


def configured(patch, **more):
    return {"clients": clients(patch), "messengers": [{"name": "inbox", "kind": "inbox"}]} | more


@pytest.fixture
def start(new_server):
    """Starts a development server that follows a configuration."""
    servers = []

    def begin(configuration):
        servers.append(new_server())
        return servers[-1].start(configuration)
    yield begin
    for server in servers:
        server.close()


@pytest.mark.parametrize("name", CASES)
def test_configured(start, name):
    """P-09, T-05, T-08, L-16 the same value in the configuration has the same effect"""
    patch, observe, without, with_it = CASES[name]

    expect(start(configured(patch)), observe, without, with_it)


def test_price(start):
    """L-16 a limit on the daily cost of messages applies if prices are known"""
    prices = [{"country": "+1", "millionths": 50_000}]
    server = start(configured({"messages": {"price_per_day": 90_000}}, prices=prices))

    seen = next_sign_in_after(3700)(server, *CHANGED)

    assert seen == LIMITED
    assert next_sign_in_after(3700)(server, *OTHER) == CODE_SENT


@pytest.mark.parametrize("digits_wanted", [4, 5])
def test_weak_codes(start, digits_wanted, new_server):
    """R-08 codes of four or five digits need allow_weak_codes, which no administrator can set"""
    weak = {"code": {"digits": digits_wanted}}
    refused = new_server()
    path = refused.data.with_suffix(".json")
    path.write_text(json.dumps(configured(weak)))

    answer = refused.run("--development", "--listen", "127.0.0.1:0", "--config", path)
    server = start(configured(weak | {"allow_weak_codes": True}))

    assert answer.returncode != 0 and "allow_weak_codes" in answer.stderr
    assert digits(server, *CHANGED) == digits_wanted
    assert "allow_weak_codes" in server.log_text()
    server.advance(61)
    assert digits(server, *OTHER) == 6


@pytest.mark.parametrize("number", [4, 5, 9])
def test_refused_digits(server, admin, number):
    """R-08 an administrator may set codes of six to eight digits and of no other length"""
    refused = admin.api(
        "/admin/clients/technician-app", "PATCH", document={"code": {"digits": number}})

    assert (refused.status, refused.error) == (422, "invalid_policy")
    assert digits(server, *CHANGED) == 6


# MARK: Limits


def patch_of(path, value):
    for key in reversed(path.split(".")):
        value = {key: value}
    return value


def is_problem(answer):
    """RFC 9457, with every mistake and its place."""
    return (answer["Content-Type"] == "application/problem+json" and answer.status == 422
            and answer.json["type"] and answer.json["title"] and answer.json["status"] == 422
            and answer.json["code"] == "invalid_policy"
            and all({"path", "problem", "remedy"} == set(m) for m in answer.json["mistakes"]))


def test_limits(admin):
    """T-16, L-16 every number is accepted at both displayed limits and refused beyond them"""
    sheet = admin.api("/admin/clients/technician-app/policy").json
    numbers = [v for v in sheet["values"] if v["form"] == "number"]
    known = {v["key"] for v in numbers}

    for entry in numbers:
        for number, is_right in [(entry["minimum"] - 1, False), (entry["minimum"], True),
                                 (entry["maximum"], True), (entry["maximum"] + 1, False)]:
            patch = patch_of(entry["key"], number)
            answer = admin.api("/admin/clients/technician-app", "PATCH", document=patch)
            assert answer.status == (200 if is_right else 422), (entry, number, answer)
            if not is_right:
                assert is_problem(answer), answer
                # If two numbers contradict each other, the error may name either.
                assert {m["path"] for m in answer.json["mistakes"]} <= known
            change(admin, "/admin/clients/technician-app", patch_of(entry["key"], None))
    assert len(numbers) >= 24


@pytest.mark.parametrize("patch, path", [
    ({"disclosure": "open"}, "disclosure"), ({"unlock": True}, "unlock"),
    ({"countries": []}, "countries"), ({"countries": ["47"]}, "countries[0]"),
    ({"countries": ["+47", "+0"]}, "countries[1]"), ({"countries": "+47"}, "countries"),
    ({"texts": {"sign_in": "no place for it"}}, "texts.sign_in"),
    ({"texts": {"sign_in": "{code}" + "x" * 195}}, "texts.sign_in"),
    ({"texts": {"sign_in": "{code} {name}"}}, "texts.sign_in"),
    ({"lockout": {"failures": "5"}}, "lockout.failures"),
    ({"lockout": {"failures": 4.5}}, "lockout.failures"), ({"lockout": 5}, "lockout"),
    ({"lockout": {"tries": 5}}, "lockout.tries"), ({"id": "other-app"}, "id"),
    ({"roles": ["administrator"]}, "roles"), ({"allow_weak_codes": True}, "allow_weak_codes"),
    ({"code": {"life_seconds": 60, "resend_seconds": 61}}, "code.resend_seconds"),
])
def test_mistakes(admin, patch, path):
    """T-16, L-13 a value that is not allowed is refused with its place, and nothing is changed"""
    answer = admin.api("/admin/clients/technician-app", "PATCH", document=patch)

    assert is_problem(answer), answer
    assert path in {mistake["path"] for mistake in answer.json["mistakes"]}
    assert admin.api("/admin/clients/technician-app").json["changes"] == {}


def test_back_to_the_configuration(server, admin):
    """T-16 null returns to the configuration, and each change is one event of the chained log"""
    path = "/admin/clients/technician-app"
    before = admin.api("/admin/clients/technician-app/policy").json["values"]
    change(admin, path, {"lockout": {"failures": 3}, "unlock": "biometric"})
    change(admin, path, {"lockout": None})
    change(admin, path, {"unlock": None})

    after = admin.api("/admin/clients/technician-app/policy").json["values"]

    assert after == before
    listed = subprocess.run([BINARY, "events", "list", "--data", server.data],
                            capture_output=True, text=True, timeout=20)
    codes = [json.loads(line)["code"] for line in listed.stdout.splitlines()]
    assert codes.count("policy.client_changed") == 3
    verified = subprocess.run([BINARY, "events", "verify", "--data", server.data],
                              capture_output=True, text=True, timeout=20)
    assert verified.returncode == 0, verified
    assert failures_to_lockout(server, *CHANGED) == 5
