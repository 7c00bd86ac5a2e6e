"""A new rider signs up, waits for an administrator, and signs in."""
import re

import pytest
from playwright.sync_api import expect

import browser as web
from browser import NEWCOMER, NOT_REGISTERED, tab_to
from device import Device
from harness import ADMINISTRATOR, account, shown

THANKS = "Thank you for signing up"
WAITING = re.compile(r"You signed up with \+91 9800000001\. .* has approved it\.")


def registered(server):
    """The new account as `account show` prints it; `None` if there is none."""
    found = shown(account(server, "list", "--query", NEWCOMER.phone, "--json"))["accounts"]
    return found[0] if found else None


def test_whole_way(rider):
    """R-11, R-02 a new rider signs up, waits, is approved by an operator, and signs in"""
    rider.ask(NEWCOMER)
    rider.says(NOT_REGISTERED)
    rider.button("Sign up").click()
    expect(rider.name_field).to_be_focused()
    expect(rider.phone).to_have_value("9800000001")
    rider.name_field.fill("Asha Rao")
    rider.button("Sign up").click()

    expect(rider.heading(THANKS)).to_be_visible()
    rider.says("Waiting for approval")
    rider.says(re.compile(r"An administrator will check your details\."))
    rider.says("+91 9800000001")
    assert (registered(rider.server)["name"], registered(rider.server)["status"]) == (
        "Asha Rao", "pending")

    rider.button("Back to sign in").click()
    rider.says(WAITING)
    rider.page.reload()
    rider.says(WAITING)
    rider.assert_accessible()
    expect(rider.phone).to_have_value("9800000001")
    rider.button("Send OTP").click()
    rider.says(NOT_REGISTERED)
    assert rider.server.messages(NEWCOMER.phone) == []

    assert account(rider.server, "approve", registered(rider.server)["id"]).returncode == 0
    rider.verify(rider.reach_code(NEWCOMER))
    expect(rider.heading("Dashboard")).to_be_visible()


@pytest.mark.parametrize("status", ["active", "rejected"])
def test_administrator(rider, status):
    """R-11 an administrator approves a rider over HTTP, or rejects one, who cannot sign in"""
    rider.register()
    expect(rider.heading(THANKS)).to_be_visible()
    admin = Device(rider.server, client="console")
    admin.sign_in(ADMINISTRATOR)
    path = f"/admin/accounts/{registered(rider.server)['id']}"
    assert admin.api(path, "PATCH", document={"status": status}).status == 200

    rider.button("Back to sign in").click()

    if status == "active":
        rider.verify(rider.reach_code(NEWCOMER))
        expect(rider.heading("Dashboard")).to_be_visible()
    else:
        rider.ask(NEWCOMER)
        rider.says(NOT_REGISTERED)


@pytest.mark.parametrize("approval", ["number", "administrator_after_code"])
def test_code(rider, approval):
    """R-11 where a code proves the number, the screens say who approves, and only what is true"""
    admin = Device(rider.server, client="console")
    admin.sign_in(ADMINISTRATOR)
    assert admin.api("/admin/clients/rider-app", "PATCH",
                     document={"registration_approval": approval}).status == 200
    rider.register()
    rider.says("An OTP has been sent to ***-***-0001")
    rider.assert_accessible()
    rider.verify(rider.server.code(NEWCOMER.phone))
    expect(rider.heading(THANKS)).to_be_visible()

    if approval == "number":
        rider.says("Your account is ready. Sign in with +91 9800000001.")
        rider.button("Back to sign in").click()
        rider.verify(rider.reach_code(NEWCOMER))
        expect(rider.heading("Dashboard")).to_be_visible()
    else:
        rider.says("Waiting for approval")
        rider.button("Back to sign in").click()
        rider.button("Send OTP").click()
        rider.says(re.compile(r"Your account is waiting for approval\."))


def test_known_number(rider):
    """R-11, L-12 signing up with a known number shows the same screen and changes no account"""
    before = shown(account(rider.server, "show", "--json", "rider"))

    rider.register("Somebody Else", web.RIDER.phone)

    expect(rider.heading(THANKS)).to_be_visible()
    assert shown(account(rider.server, "show", "--json", "rider")) == before
    assert rider.server.messages(web.RIDER.phone) == []


def test_bad_details(rider):
    """R-11 mistakes in name and number are shown beside their fields before anything is sent"""
    rider.button("Sign up").click()
    expect(rider.button("Sign up")).to_be_disabled()
    rider.name_field.fill("x" * 101)
    rider.phone.fill("98123")
    rider.button("Sign up").click()

    rider.says(re.compile("100 characters or fewer"))
    rider.says("Enter all 10 digits of your mobile number.")
    expect(rider.name_field).to_be_focused()
    expect(rider.name_field).to_have_attribute("aria-invalid", "true")
    expect(rider.phone).to_have_attribute("aria-invalid", "true")
    assert rider.count("/accounts") == 0
    rider.name_field.fill("Asha Rao")
    expect(rider.name_field).not_to_have_attribute("aria-invalid", "true")
    rider.phone.fill(NEWCOMER.phone)
    rider.button("Sign up").click()
    expect(rider.heading(THANKS)).to_be_visible()


def test_other_country(rider):
    """R-11, L-16 a country that is not allowed is refused beside the number"""
    rider.register(number="+447400123456")

    rider.says("Numbers from this country are not supported. Use another number.")
    expect(rider.phone).to_be_focused()
    expect(rider.name_field).to_have_value("Asha Rao")


def test_rate_limit(rider):
    """R-11 after too many sign-ups the form says how long to wait and counts down"""
    refused = {"status": 429, "json": {"error": "rate_limited", "retry_in": 30}}
    rider.page.route("**/accounts", lambda route: route.fulfill(**refused))
    rider.register()

    rider.says(re.compile(r"Too many attempts\. Try again in (30|29|28) seconds\."))
    rider.page.clock.fast_forward(10_000)
    rider.says(re.compile(r"Try again in (20|19|18) seconds\."))
    expect(rider.name_field).to_have_value("Asha Rao")


def test_no_network(rider):
    """R-11, T-07 without a network the form says so, keeps its details and can be sent again"""
    rider.context.set_offline(True)
    rider.register()

    rider.says(web.NO_CONNECTION)
    rider.context.set_offline(False)
    rider.button("Sign up").click()
    expect(rider.heading(THANKS)).to_be_visible()


def test_back(rider):
    """R-11 Back, the app's and the system's, leads to the number and keeps it"""
    rider.phone.fill("9800000001")
    rider.button("Sign up").click()
    rider.button("Back").click()
    expect(rider.phone).to_have_value("9800000001")
    expect(rider.button("Send OTP")).to_be_enabled()
    rider.button("Sign up").click()
    expect(rider.name_field).to_be_visible()

    rider.page.go_back()

    expect(rider.name_field).to_have_count(0)
    expect(rider.phone).to_have_value("9800000001")


def test_keyboard_alone(rider):
    """R-11, T-15 the whole way works with the keyboard alone, and the focus is always visible"""
    keys = rider.page.keyboard
    expect(rider.phone).to_be_visible()
    tab_to(rider, rider.button("Sign up"))
    keys.press("Enter")
    expect(rider.name_field).to_be_focused()
    keys.type("Asha Rao")
    tab_to(rider, rider.phone)
    keys.type("9800000001")
    keys.press("Enter")

    expect(rider.heading(THANKS)).to_be_focused()
    tab_to(rider, rider.button("Back to sign in"))
    keys.press("Space")
    expect(rider.phone).to_be_focused()
