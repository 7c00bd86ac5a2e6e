"""Sign-in at an identity provider, in a browser, at a provider that others wrote and at a bad one."""
import contextlib
import http.server
import json
import re
import secrets
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest

from device import Device, base64url, read_token
from harness import ADMINISTRATOR, MENTOR, TECHNICIAN, secret
from identity_provider import (
    CLIENT_ID, CLIENT_SECRET, MisbehavingProvider, glewlwyd, glewlwyd_subject, standard_provider)
from lemonldap import lemonldap
from operator_tools import command, until
from production import free_port

# The app listens on a port that the system chooses, as apps on a desktop do (RFC 8252).
REGISTERED = "http://127.0.0.1/done"
DONE = f"http://127.0.0.1:{free_port()}/done"
ANN = {"sub": "ann", "name": "Ann Example", "phone_number": "+4790001111",
       "phone_number_verified": True, "email": "ann@example.net", "email_verified": True}
BOB = {"sub": "bob", "name": "Bob Example", "phone_number": "+4790002222",
       "phone_number_verified": True, "email": "ann@example.net", "email_verified": False}


def configuration(folder, *providers):
    """Demo apps, of which the mentors' app can use the providers."""
    path = folder / "client-secret"
    path.write_text(CLIENT_SECRET + "\n")
    path.chmod(0o600)
    common = {"kind": "openid", "client_id": CLIENT_ID, "client_secret_file": str(path),
              "scopes": ["openid", "profile", "email", "phone"], "create_accounts": True,
              "role": "mentor", "organization": "north"}
    return {
        "organizations": [{"id": "north", "name": "North"}, {"id": "south", "name": "South"}],
        "clients": [
            {"id": "mentor-app", "name": "Mentors", "home": "activities",
             "sign_in": "password_and_code", "roles": ["mentor"],
             "scopes": ["openid", "offline_access", "activities"],
             "redirect_uris": [REGISTERED]}
            | ({"providers": [provider["name"] for provider in providers]} if providers else {}),
            {"id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
             "sign_in": "password_and_code", "roles": ["technician"],
             "scopes": ["openid", "offline_access", "jobs"]},
            {"id": "console", "name": "Console", "home": "console",
             "sign_in": "password_and_code", "roles": ["administrator"],
             "scopes": ["openid", "offline_access", "admin"]}],
        "providers": [common | provider for provider in providers],
        "messengers": [{"name": "inbox", "kind": "inbox"}],
    }


@pytest.fixture(scope="module", autouse=True)
def app_page():
    """The page at which a browser comes back to the app."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"done")
    port = urllib.parse.urlparse(DONE).port
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield
    listener.shutdown()
    listener.server_close()


@pytest.fixture
def bad_provider():
    provider = MisbehavingProvider()
    yield provider
    provider.close()


@pytest.fixture
def bad_server(new_server, bad_provider, tmp_path):
    server = new_server().start(configuration(
        tmp_path, {"name": "login", "issuer": bad_provider.issuer}))
    yield server
    server.close()


def mentor(server):
    return Device(server, client="mentor-app", scope="openid offline_access activities")


def push(device, provider="login"):
    """The request_uri of a first call."""
    device.state = secrets.token_urlsafe(16)
    answer = device.challenge(**device.first_call(
        provider=provider, redirect_uri=DONE, state=device.state))
    assert answer.error == "redirect_to_web", answer
    return answer.json["request_uri"]


def authorize(device, request):
    return device.server.base + "/oauth/authorize?" + urllib.parse.urlencode(
        {"client_id": device.client, "request_uri": request})


def query(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlparse(address).query))


def at_app(device, address):
    """The parameters with which a browser came back to the app."""
    assert address.startswith(DONE + "?"), address
    result = query(address)
    assert result["state"] == device.state
    assert result["iss"] == device.server.base
    secret(result.get("code"))
    return result


def redeemed(device, result):
    answer = device.redeem(result["code"])
    assert answer.status == 200, answer
    return answer.json


def subject(device):
    keys = device.server.get("/jwks.json").json
    return read_token(device.tokens["access_token"], keys)[1]["sub"]


# MARK: A provider that others wrote


@contextlib.contextmanager
def browser(chrome, device, provider="login"):
    """A page of a new browser, which the server leads to the provider."""
    context = chrome.new_context()
    page = context.new_page()
    # The provider's style sheet is on another server.
    page.route("https://**", lambda route: route.abort())
    page.goto(authorize(device, push(device, provider)))
    yield page
    context.close()


def sign_in(chrome, device, person, provider="login"):
    """Signs a person in at the provider's own page."""
    with browser(chrome, device, provider) as page:
        page.get_by_placeholder("sub").fill(person)
        page.get_by_role("button", name="Authorize").click()
        page.wait_for_url(DONE + "**")
        result = at_app(device, page.url)
    redeemed(device, result)
    return subject(device)


def test_standard_provider(chrome, new_server, tmp_path):
    """P-02 P-10 people sign in at another company's provider in a browser; accounts stay separate"""
    with standard_provider(tmp_path, ANN, BOB) as issuer:
        settings = configuration(
            tmp_path, {"name": "login", "issuer": issuer, "label": "Example login"})
        server = new_server().start(settings)
        app = server.get("/apps/mentor-app").json
        ann, again, bob = mentor(server), mentor(server), mentor(server)
        first = sign_in(chrome, ann, "ann")

        assert app["providers"] == [
            {"name": "login", "label": "Example login", "available": True}]
        assert ann.api("/api/me").json["name"] == "Ann Example"
        assert ann.api("/api/activities").status == 200
        assert sign_in(chrome, again, "ann") == first
        assert sign_in(chrome, bob, "bob") != first
        claims = read_token(ann.tokens["id_token"], server.get("/jwks.json").json)[1]
        assert claims["amr"] == ["fed"]

        # The check of an operator, against the same provider.
        path = server.data.with_suffix(".json")
        check = command("provider", "check", "login", "--config", str(path), "--development")
        assert check.returncode == 0, check
        assert re.findall(r"ok +(.+)", check.stdout) == ["metadata", "keys", "client authentication"]
        strict = command("provider", "check", "login", "--config", str(path))
        assert strict.returncode == 1, strict
        server.close()


def link(server, person):
    """Links the demo's mentor with a person at the provider.

    Returns the administrator's device, the account, the path of its identities, and the new one.
    """
    admin = Device(server, client="console", scope="openid admin")
    admin.sign_in(ADMINISTRATOR)
    found = admin.api("/admin/accounts?query=" + MENTOR.email).json["accounts"][0]
    path = f"/admin/accounts/{found['id']}/identities"
    linked = admin.api(path, "POST", document={"provider": "login", "subject": person})
    assert linked.status == 200, linked
    return admin, found["id"], path, linked.json["id"]


def put(issuer, person):
    """Changes the claims of a person at the provider."""
    request = urllib.request.Request(
        f"{issuer}/users/{person['sub']}", json.dumps(person).encode(),
        {"Content-Type": "application/json"}, method="PUT")
    assert urllib.request.urlopen(request, timeout=10).status == 204


def test_claims_give_roles(chrome, new_server, tmp_path):
    """P-10 claims of a provider decide who gets an account, and its role and organization"""
    def changed(issuer, person, *groups):
        put(issuer, person | {"groups": groups})

    with standard_provider(tmp_path, ANN, BOB) as issuer:
        settings = configuration(tmp_path, {
            "name": "login", "issuer": issuer, "update_accounts": True, "account_rules": [
                {"claim": "groups", "values": ["coaches"], "role": "mentor"},
                {"claim": "groups", "values": ["south"], "role": "mentor",
                 "organization": "south"}]})
        settings["providers"][0].pop("role")
        server = new_server().start(settings)
        changed(issuer, BOB, "cooks")
        with browser(chrome, device := mentor(server)) as page:
            page.get_by_placeholder("sub").fill("bob")
            page.get_by_role("button", name="Authorize").click()
            page.wait_for_url(DONE + "**")
            assert at_app(device, page.url)["reason"] == "account_not_registered"

        changed(issuer, ANN, "cooks", "coaches")
        first, second = mentor(server), mentor(server)
        account = sign_in(chrome, first, "ann")
        keys = server.get("/jwks.json").json
        assert read_token(first.tokens["access_token"], keys)[1]["org"] == "north"
        changed(issuer, ANN, "south")
        assert sign_in(chrome, second, "ann") == account
        assert read_token(second.tokens["access_token"], keys)[1]["org"] == "south"
        assert first.api("/api/me").status == 401
        assert second.api("/api/me").status == 200
        server.close()


def test_changed_number(chrome, new_server, tmp_path):
    """T-16 the person accepts or declines what a provider changed; the old number gets a notice"""
    def device():
        return Device(server, client="mentor-app",
                      scope="openid offline_access account activities")

    def notified():
        return [entry["to"] for entry in server.get("/dev/messages?kind=notice").json]

    with standard_provider(tmp_path, ANN) as issuer:
        server = new_server().start(configuration(
            tmp_path, {"name": "login", "issuer": issuer, "label": "Example login"}))
        before, after, again = device(), device(), device()
        sign_in(chrome, before, "ann")
        put(issuer, ANN | {"phone_number": "+4790003333", "email": "ann.new@example.net"})
        sign_in(chrome, after, "ann")

        assert "contact_proposals" not in before.api("/api/me").json
        phone, email = after.api("/api/me").json["contact_proposals"]
        assert phone == {"id": phone["id"], "channel": "phone", "value": "+4790003333",
                         "provider": "Example login"}
        assert (email["channel"], email["value"]) == ("email", "ann.new@example.net")
        for way in ("POST", "DELETE"):
            refused = before.api(f"/api/contact-proposals/{phone['id']}", way)
            assert (refused.status, refused.json["code"]) == (404, "proposal_not_found")
        assert ANN["phone_number"] not in notified()

        assert after.api(f"/api/contact-proposals/{phone['id']}", "POST").status == 204
        assert after.api(f"/api/contact-proposals/{email['id']}", "DELETE").status == 204
        person = after.api("/api/me").json
        assert (person["phone"], person["email"]) == ("***-***-3333", ANN["email"])
        assert before.api("/api/me").status == 401
        assert until(lambda: ANN["phone_number"] in notified())
        sign_in(chrome, again, "ann")
        assert "contact_proposals" not in again.api("/api/me").json
        server.close()


def test_glewlwyd(chrome, new_server, tmp_path):
    """P-02 an administrator links an account with an identity at Glewlwyd, and unlinks it"""
    server = new_server().start(configuration(tmp_path))
    callback = server.base + "/providers/login/callback"
    with glewlwyd(tmp_path, callback) as issuer:
        server.stop()
        server.start(configuration(tmp_path, {
            "name": "login", "issuer": issuer, "scopes": ["openid"], "create_accounts": False}))

        def sign_in_as_alice(device):
            with browser(chrome, device) as page:
                page.locator("input[type=text]").fill("alice")
                page.locator("input[type=password]").fill("wonderland1")
                page.keyboard.press("Enter")
                page.get_by_role("button", name="Continue").click()
                page.wait_for_url(DONE + "**")
                return at_app(device, page.url)

        assert sign_in_as_alice(mentor(server))["reason"] == "account_not_registered"

        admin, account, path, identity = link(server, glewlwyd_subject(tmp_path))
        device = mentor(server)
        redeemed(device, sign_in_as_alice(device))
        assert subject(device) == account
        assert device.api("/api/activities").status == 200
        other = admin.api("/admin/accounts?query=" + TECHNICIAN.email).json["accounts"][0]
        taken = admin.api(f"/admin/accounts/{other['id']}/identities", "POST", document={
            "provider": "login", "subject": glewlwyd_subject(tmp_path)})
        assert taken.error == "identity_exists"

        unlinked = admin.api(f"{path}/{identity}", "DELETE")
        assert unlinked.status == 204, unlinked
        assert device.api("/api/me").status == 401
        assert sign_in_as_alice(mentor(server))["reason"] == "account_not_registered"
        server.close()


def test_lemonldap(chrome, new_server, tmp_path):
    """P-02 P-03 a person signs in at LemonLDAP::NG, and can also refuse to share data"""
    server = new_server().start(configuration(tmp_path))
    with lemonldap(tmp_path, server.base + "/providers/login/callback") as issuer:
        server.stop()
        server.start(configuration(tmp_path, {
            "name": "login", "issuer": issuer, "scopes": ["openid", "profile"],
            "client_authentication": "post", "create_accounts": False}))

        def sign_in_as_doctor(device, consent):
            with browser(chrome, device) as page:
                page.locator("input[name=user]").fill("dwho")
                page.locator("input[name=password]").fill("dwho")
                page.keyboard.press("Enter")
                page.get_by_role("button", name=consent).click()
                page.wait_for_url(DONE + "**")
                return at_app(device, page.url)

        refused = sign_in_as_doctor(mentor(server), "Refuse")
        assert (refused["error"], refused["reason"]) == ("access_denied", "cancelled")
        _, account, _, _ = link(server, "dwho")
        device = mentor(server)
        redeemed(device, sign_in_as_doctor(device, "Accept"))
        assert subject(device) == account
        assert device.api("/api/activities").status == 200

        check = command("provider", "check", "login", "--development", "--config",
                        str(server.data.with_suffix(".json")))
        assert check.returncode == 0, check
        server.close()


def test_answer_without_state(chrome, new_server, tmp_path):
    """P-03 a person refuses at a provider that forgets `state` then, and the app is told"""
    with standard_provider(tmp_path, ANN) as issuer:
        server = new_server().start(configuration(tmp_path, {"name": "login", "issuer": issuer}))
        device = mentor(server)
        with browser(chrome, device) as page:
            page.get_by_role("button", name="Deny").click()
            page.wait_for_url(DONE + "**")
            assert at_app(device, page.url)["reason"] == "cancelled"
            # The sign-in has ended, so the same answer leads to a page.
            page.goto(server.base + "/providers/login/callback?error=access_denied")
            page.get_by_role("heading", name="This sign-in has ended").wait_for()
        server.close()


def test_another_browser(chrome, new_server, tmp_path):
    """L-19 a sign-in that another browser began ends with a page"""
    with standard_provider(tmp_path, ANN) as issuer:
        server = new_server().start(configuration(tmp_path, {"name": "login", "issuer": issuer}))
        attacker = mentor(server)
        with browser(chrome, attacker) as page:
            link = page.url
        victim = chrome.new_context(locale="nb-NO").new_page()
        victim.goto(link)
        victim.get_by_placeholder("sub").fill("ann")
        victim.get_by_role("button", name="Authorize").click()

        victim.get_by_role(
            "heading", name="Denne innloggingen begynte i en annen nettleser").wait_for()
        assert victim.url.startswith(server.base + "/providers/login/callback?")
        victim.context.close()
        server.close()


# MARK: A provider that misbehaves


def visit(server, provider_address, cookie):
    """Follows the provider's redirect; returns where the server sends the browser."""
    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None
    opener = urllib.request.build_opener(NoRedirect)
    try:
        back = opener.open(provider_address, timeout=30).headers["Location"]
    except urllib.error.HTTPError as answer:
        back = answer.headers["Location"]
    return server.get(back.removeprefix(server.base), headers={"Cookie": cookie})


def journey(server, device=None):
    """A whole sign-in without a browser; returns the device and the result for the app."""
    device = device or mentor(server)
    opened = server.get(authorize(device, push(device)))
    assert opened.status == 303, opened
    if opened["Location"].startswith(DONE):
        return device, at_app(device, opened["Location"])
    answer = visit(server, opened["Location"], opened["Set-Cookie"].split(";")[0])
    assert answer.status == 303, answer
    return device, at_app(device, answer["Location"])


@pytest.fixture
def known(bad_server, bad_provider):
    """The person of the bad provider has an account."""
    bad_provider.claims = {"phone_number": "+4790003333", "phone_number_verified": True}
    device, result = journey(bad_server)
    redeemed(device, result)
    bad_provider.claims = {}
    return subject(device)


def test_person_without_phone(bad_server, bad_provider):
    """P-10 people without a phone number get accounts; an administrator adds and removes a number"""
    people = {}
    for name in ("dora", "emil"):
        bad_provider.claims = {"sub": name, "name": name, "phone_number": "+4790004444"}
        device, result = journey(bad_server)
        redeemed(device, result)
        people[name] = (device, subject(device))
    device, dora = people["dora"]
    me = device.api("/api/me").json
    assert me["name"] == "dora" and "phone" not in me and "email" not in me
    assert dora != people["emil"][1]

    admin = Device(bad_server, client="console", scope="openid admin")
    admin.sign_in(ADMINISTRATOR)
    path = f"/admin/accounts/{dora}"
    assert "phone_number" not in admin.api(path).json
    assert "phone_number" not in admin.api(path + "/export").json["account"]
    added = admin.api(path, "PATCH", document={"phone_number": "+4790004444"})
    assert (added.status, added.json["phone_number"]) == (200, "+4790004444")
    assert device.api("/api/me").status == 401
    taken = admin.api(f"/admin/accounts/{people['emil'][1]}", "PATCH",
                      document={"phone_number": "+4790004444"})
    assert taken.error == "account_exists"

    bad_provider.claims = {"sub": "dora"}
    device, result = journey(bad_server)
    redeemed(device, result)
    assert subject(device) == dora
    assert device.api("/api/me").json["phone"].endswith("4444")
    removed = admin.api(path, "PATCH", document={"phone_number": None})
    assert removed.status == 200 and "phone_number" not in removed.json
    assert "phone_number_unverified_since" not in removed.json
    other = admin.api("/admin/accounts?query=" + MENTOR.email).json["accounts"][0]
    needed = admin.api(f"/admin/accounts/{other['id']}", "PATCH", document={"phone_number": None})
    assert (needed.status, needed.error) == (400, "invalid_request")
    assert [mistake["path"] for mistake in needed.json["mistakes"]] == ["phone_number"]
