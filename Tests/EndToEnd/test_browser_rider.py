"""The rider's sign-in in a real browser: a number, a code, and the deliveries of the day."""
import re

import pytest
from playwright.sync_api import expect

from browser import (
    EXPIRED, NEWCOMER, NOT_REGISTERED, PENDING, RIDER, RIDER_LOCKED, RIDER_WRONG_CODE, RiderApp,
    in_every_look, wrong)
from harness import account, shown
from walks import rider_walk


def test_whole_way(rider):
    """R-01 number, code and Verify lead to the dashboard, which is there after a reload"""
    rider.verify(rider.reach_code())

    rider.at_dashboard()
    expect(rider.page.get_by_role("listitem").first).to_be_visible()
    expect(rider.page.get_by_text("To do")).to_be_visible()
    rider.page.reload()
    rider.at_dashboard()
    rider.button("Account").click()
    rider.button("Sign out").click()
    rider.says("You're signed out.")
    expect(rider.phone).to_be_visible()


def test_two_apps_on_one_device(rider):
    """R-01 a rider's session is separate from a technician's on the same device"""
    rider.verify(rider.reach_code())
    rider.at_dashboard()

    other = rider.context.new_page()
    other.goto(rider.server.base + "/app/technician-app/")

    expect(other.get_by_label("Email", exact=True)).to_be_visible()
    rider.page.reload()
    rider.at_dashboard()


def test_not_registered(rider):
    """R-02 a number that is not approved is refused with that reason, and nothing is sent"""
    rider.ask(PENDING)

    rider.says(NOT_REGISTERED)
    expect(rider.phone).to_be_focused()
    expect(rider.code).to_have_count(0)
    assert rider.server.messages(PENDING.phone) == []


def test_wrong_code(rider):
    """R-03 a wrong code shows its sentence, clears the field and can be corrected"""
    code = rider.reach_code()
    rider.verify(wrong(code))

    rider.says(RIDER_WRONG_CODE)
    expect(rider.code).to_have_value("")
    expect(rider.code).to_be_focused()
    rider.verify(code)
    rider.at_dashboard()


def test_lockout(rider):
    """R-04 the fifth wrong code starts a lockout, and the number is refused until it ends"""
    code = rider.reach_code()
    for _ in range(5):
        rider.verify(wrong(code))
        expect(rider.button("Checking the code")).to_have_count(0)
    rider.says(RIDER_LOCKED)

    rider.button("Use another number").click()
    rider.ask()
    rider.says("Account temporarily locked due to too many failed attempts.")
    rider.wait(15 * 60 + 1)

    expect(rider.phone).to_be_visible()
    assert len(rider.server.messages(RIDER.phone)) == 1


def test_lockout_on_another_device(chrome, rider):
    """R-04 a lockout that starts on another device stops Verify and Resend here too"""
    rider.reach_code()
    rider.wait(61)
    other = RiderApp(chrome, rider.server).open()
    code = other.reach_code()
    for _ in range(5):
        other.verify(wrong(code))
        expect(other.button("Checking the code")).to_have_count(0)
    other.says(RIDER_LOCKED)
    other.close()

    rider.verify(code)

    rider.says("Account temporarily locked due to too many failed attempts.")
    expect(rider.code).to_have_count(0)


def test_too_soon(rider):
    """R-05 a second request within a minute shows the seconds left, and sends nothing"""
    code = rider.reach_code()
    rider.wait(15)
    rider.button("Change").click()
    rider.button("Send OTP").click()

    rider.says(re.compile(r"Please wait 4[2-5] seconds before requesting a new OTP\."))
    assert len(rider.server.messages(RIDER.phone)) == 1
    rider.verify(code)
    rider.at_dashboard()


def test_resend(rider):
    """R-05, R-07 Resend counts down a minute visibly, then sends a new code"""
    old = rider.reach_code()
    resend = rider.button("Resend OTP")
    expect(resend).to_be_disabled()
    expect(rider.page.get_by_text(re.compile(r"in (1:00|0:5\d)")).first).to_be_visible()
    rider.wait(61)
    expect(resend).to_be_enabled()
    resend.click()

    new = rider.server.code(RIDER.phone, after=1)
    assert new != old
    rider.verify(new)
    rider.at_dashboard()


def test_expired_code(rider):
    """R-06 a code of five minutes has its own sentence, and another can be requested"""
    code = rider.reach_code()
    rider.wait(301)
    rider.verify(code)

    rider.says(EXPIRED)
    expect(rider.code).to_have_value("")
    rider.button("Resend OTP").click()
    rider.verify(rider.server.code(RIDER.phone, after=1))
    rider.at_dashboard()


def test_number_form(rider):
    """R-07 +91 is filled in, ten digits are checked, and other countries can be chosen"""
    country = rider.page.get_by_role("button", name="Country")
    expect(country).to_have_accessible_name("Country: India +91")
    expect(rider.phone).to_have_attribute("inputmode", "tel")
    expect(rider.button("Send OTP")).to_be_disabled()
    rider.phone.fill("98123")
    rider.button("Send OTP").click()

    rider.says("Enter all 10 digits of your mobile number.")
    assert rider.count("/oauth/challenge") == 0
    country.click()
    rider.page.get_by_role("option", name="Singapore").click()
    expect(country).to_have_accessible_name("Country: Singapore +65")
    expect(rider.phone).to_be_focused()
    expect(rider.page.get_by_text("Enter all 10 digits")).to_have_count(0)
    rider.phone.fill("+919812345678")
    expect(country).to_have_accessible_name("Country: India +91")
    expect(rider.phone).to_have_value("9812345678")


def test_country_search(rider):
    """R-07 the list has every country and is searched by name, region and calling code"""
    country = rider.page.get_by_role("button", name="Country")
    country.click()
    search = rider.page.get_by_role("combobox", name="Search for a country")
    options = rider.page.get_by_role("listbox", name="Country").get_by_role("option")
    chosen = rider.page.locator("#country-list [aria-selected=true]")
    expect(search).to_be_focused()
    assert options.count() > 240
    expect(chosen).to_contain_text("India")

    for text, name in [("norw", "Norway"), ("united arab", "United Arab"), ("SE", "Sweden"),
                       ("+880", "Bangladesh"), ("00977", "Nepal"), ("reunion", "Réunion")]:
        search.fill(text)
        expect(options.first).to_contain_text(name)
    search.fill("no such country")
    expect(rider.page.get_by_text("No matching country. Check the name or code.")).to_be_visible()
    search.press("Enter")
    # The first Escape empties the field, as in every search field. The second one closes the list.
    search.press("Escape")
    search.press("Escape")
    expect(country).to_be_focused()
    expect(country).to_have_accessible_name("Country: India +91")

    country.press("Enter")
    search.fill("united")
    search.press("ArrowDown")
    name = chosen.locator("span").inner_text()
    search.press("Enter")
    expect(country).not_to_have_accessible_name("Country: India +91")
    assert name in country.get_attribute("aria-label")


def test_number_of_another_country(rider):
    """R-07 a whole number is sent as typed, with any country filled in"""
    with rider.page.expect_request("**/oauth/challenge") as asked:
        rider.phone.fill("+47 900 00 055")
        expect(rider.page.get_by_role("button", name="Country")).to_have_accessible_name(
            "Country: Norway +47")
        rider.button("Send OTP").click()
    assert "phone_number=%2B4790000055" in asked.value.post_data


def test_default_country(chrome, new_server):
    """R-07 the configured country is filled in"""
    server = new_server()
    server.start(configuration={"clients": [{
        "id": "rider-app", "name": "Riders", "home": "dashboard", "sign_in": "phone_code",
        "roles": ["rider"], "scopes": ["openid", "offline_access", "dashboard"],
        "default_country": "+47"}]})
    app = RiderApp(chrome, server).open()

    country = app.page.get_by_role("button", name="Country")
    expect(country).to_have_accessible_name("Country: Norway +47")
    app.close()
    server.close()


def test_code_form(rider):
    """R-07 the code field is enabled and focused, and the number stays visible with Change"""
    rider.reach_code()

    expect(rider.code).to_be_focused()
    expect(rider.code).to_be_editable()
    expect(rider.phone).to_be_visible()
    expect(rider.phone).not_to_be_editable()
    rider.says("An OTP has been sent to ***-***-5678")
    rider.page.go_back()
    expect(rider.phone).to_be_editable()
    expect(rider.code).to_have_count(0)


def test_busy(rider):
    """R-07 while the number is sent the button says so, and sends once"""
    held = []
    rider.page.route("**/oauth/challenge", lambda route: held.append(route))
    with rider.page.expect_request("**/oauth/challenge"):
        rider.ask()

    expect(rider.button("Sending the code")).to_have_attribute("aria-busy", "true")
    rider.phone.press("Enter")
    assert len(held) == 1
    held[0].continue_()
    expect(rider.code).to_be_visible()


def test_renewal(rider):
    """R-10, P-06 a short-lived token is renewed automatically, without a change on the screen"""
    rider.verify(rider.reach_code())
    rider.at_dashboard()
    tokens = rider.count("/oauth/token")
    rider.wait(901)

    rider.page.reload()

    rider.at_dashboard()
    assert rider.count("/oauth/token") > tokens


def test_hostile_name(rider):
    """R-10, R-11 a name that contains HTML or SQL is shown letter for letter"""
    name = "<img src=x onerror=alert(1)> '); DROP TABLE accounts; --"
    rider.page.on("dialog", lambda dialog: rider.problems.append(dialog.message))
    rider.register(name)
    expect(rider.heading("Thank you for signing up")).to_be_visible()
    made = shown(account(rider.server, "list", "--query", NEWCOMER.phone, "--json"))["accounts"]
    assert [entry["name"] for entry in made] == [name]
    assert account(rider.server, "approve", made[0]["id"]).returncode == 0
    rider.button("Back to sign in").click()
    rider.verify(rider.reach_code(NEWCOMER))

    rider.button("Account").click()

    expect(rider.page.get_by_text(name, exact=True)).to_be_visible()


def test_four_digits(chrome, new_server):
    """R-08 if an operator configures four digits, the field and the message have four"""
    server = new_server()
    members = {"clients": [{
        "id": "rider-app", "name": "Riders", "home": "dashboard", "sign_in": "phone_code",
        "roles": ["rider"], "scopes": ["openid", "offline_access", "dashboard"],
        "disclosure": "disclosed", "default_country": "+91", "code": {"digits": 4},
        "allow_weak_codes": True}]}
    server.start(configuration=members)
    app = RiderApp(chrome, server).open()
    app.ask()
    field = app.page.get_by_label("4-digit code")
    expect(field).to_be_focused()
    code = server.code(RIDER.phone)
    assert re.fullmatch("[0-9]{4}", code)
    app.verify(code)
    app.at_dashboard()
    app.close()
    server.close()


def test_inbox(rider):
    """R-14 in development a page shows the messages, and its code signs in"""
    inbox = rider.context.new_page()
    inbox.goto(rider.server.base + "/dev/messages?to=%2B919812345678")
    expect(inbox.get_by_text("No messages yet.")).to_be_visible()
    rider.ask()
    expect(rider.code).to_be_visible()

    copy = inbox.get_by_role("button", name=re.compile(r"Copy [0-9]{6}"))
    expect(copy).to_be_visible()
    rider.verify(copy.inner_text().removeprefix("Copy "))

    rider.at_dashboard()


@in_every_look
def test_accessible(chrome, server, look):
    """R-07, T-15 axe finds nothing on any rider screen, light or dark, at 200 % text"""
    app = RiderApp(chrome, server, **look).open()

    rider_walk(app, lambda app, name: app.assert_accessible())

    app.close()
