"""Who approves people who register: the policy `registration_approval`, over HTTP."""
import pytest

from device import Device
from harness import Person

NEWCOMER = Person("", "", "+919800000001")
OTHER = Person("", "", "+919800000002")


def client(**more):
    return {
        "id": "rider-app", "name": "Riders", "home": "dashboard", "sign_in": "phone_code",
        "roles": ["rider"], "scopes": ["openid", "offline_access", "dashboard"],
        "disclosure": "disclosed", "default_country": "+91", "allow_registration": True} | more


@pytest.fixture
def riders(new_server):
    """Starts a server whose app for riders has these members."""
    servers = []

    def start(**more):
        server = new_server()
        (server.data.parent / "numbers.txt").write_text(
            f"# our riders\r\n\r\n{NEWCOMER.phone[:3]} {NEWCOMER.phone[3:]}\r\n")
        servers.append(server.start(configuration={"clients": [client(**more)]}))
        return Device(server, client="rider-app")
    yield start
    for server in servers:
        server.close()


def register(device, person=NEWCOMER):
    return device.send("POST", "/accounts", form={
        "client_id": "rider-app", "phone_number": person.phone, "name": "Asha Rao"})


def prove(device, person=NEWCOMER):
    """Registers and enters the code; returns the status of the account."""
    begun = register(device, person)
    assert (begun.status, begun.json["status"]) == (202, "code_sent"), begun
    answer = device.send("POST", "/accounts/verify", form={
        "registration_session": begun.json["registration_session"],
        "otp": device.server.code(person.phone)})
    assert answer.status == 200, answer
    return answer.json["status"]


def ask(device, person=NEWCOMER):
    return device.challenge(**device.first_call(phone_number=person.phone))


def test_administrator(riders):
    """R-11 by default an administrator approves, and no code is sent before"""
    device = riders()

    answer = register(device)

    assert (answer.status, answer.json) == (202, {"status": "pending"})
    assert device.server.messages(NEWCOMER.phone) == []
    assert ask(device).error == "account_not_registered"


def test_list(riders):
    """R-11 a number of the list needs no approval; another one waits, and its owner reads so"""
    device = riders(registration_approval="list", registration_numbers_file="numbers.txt")

    assert prove(device) == "active"
    assert ask(device).error == "insufficient_authorization"
    assert prove(device, OTHER) == "pending"
    assert ask(device, OTHER).error == "account_pending"
    assert ask(Device(device.server, client="rider-app"), OTHER).error == "account_not_registered"
