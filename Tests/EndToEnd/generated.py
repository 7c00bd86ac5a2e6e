"""Requests that schemathesis makes from docs/openapi.json, and the roles that send them."""
import dataclasses
import time

import hypothesis
import requests
import schemathesis
from hypothesis import strategies
from schemathesis.checks import not_a_server_error
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance, response_schema_conformance, status_code_conformance)

from device import Device
from harness import ADMINISTRATOR, MENTOR, ROOT, TECHNICIAN, Person

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance,
          response_schema_conformance]
hypothesis.configuration.set_hypothesis_home_dir(ROOT / ".build/hypothesis")

# The same requests in each run of the same test modules. Hypothesis also draws constants from the
# modules that are loaded, so that one file alone sends other requests than all files together.
SEED = 13
# Requests for each operation and role.
EXAMPLES = 15
# The same for operations that end the caller's own session: each of them costs a new sign-in.
EXAMPLES_THAT_END = 2
# After this time a role sends one request to each remaining operation, so that all roles together
# end within two minutes.
FULL_SECONDS = 14
# A sign-in sends a code. The next one may be sent after this time on the server's clock.
COOLDOWN_SECONDS = 61
# How far generated requests may move the server's clock, and how many accounts they may make.
LONGEST_ADVANCE_SECONDS = 60
MOST_ACCOUNTS = 3

ENDS_OWN_SESSION = {"DELETE /api/sessions"}
CLOCK = "POST /dev/clock"


@dataclasses.dataclass(frozen=True)
class Role:
    """One person of the demo data, that person's app, and the scope of its home screen."""
    person: Person
    client: str
    scope: str


ROLES = {
    "technician": Role(TECHNICIAN, "technician-app", "jobs"),
    "rider": Role(Person("", "", "+919812345678"), "rider-app", "dashboard"),
    "owner": Role(
        Person("owner@example.com", "demo-Owner-1", "+15550101236"), "product-app", "products"),
    "mentor": Role(MENTOR, "mentor-app", "activities"),
    "administrator": Role(ADMINISTRATOR, "console", "admin"),
}

# Existing values by the name of the parameter or member. Without them nearly every request would
# end at an unknown name. No role signs in with these accounts.
EMAILS = ["new-owner@example.com", "former@example.com", "load-0001@example.com",
          "unknown@example.com"]
PRODUCT = {"id": "pump-1", "name": "Pump", "model": "P", "serial_number": "1", "category": "Pump"}
KNOWN = {
    "client_id": [role.client for role in ROLES.values()],
    "username": EMAILS, "email": [*EMAILS, "new@example.com"], "to": EMAILS, "owner": EMAILS,
    "query": EMAILS, "password": ["mossy stones & lichen", "demo-Load-1"],
    "phone_number": ["+919812345679", "+919800000001", "+15550101235"],
    "response_type": ["code"], "scope": ["openid"], "code_challenge": ["A" * 43],
    "code_challenge_method": ["S256"], "grant_type": ["authorization_code", "refresh_token"],
    "organization": ["north", "south"], "organizations": [["north"], []], "account": ["load-0001"],
    "product_id": ["product-001", "product-002"], "messenger": ["inbox"], "name": ["Kari Nordmann"],
    "role": ["technician", "rider"], "limit": [1, 200, 201], "count": [1], "advance": [1],
    "description": ["It drips."], "products": [[PRODUCT]],
}
# The same for `{id}`, by the beginning of the path. No role signs in to this app or organization
# afterwards.
KNOWN_IDS = {
    "/admin/accounts": ["load-0001", "load-0002"], "/admin/organizations": ["south"],
    "/admin/clients": ["rider-app"], "/admin/products": ["product-003"],
    "/api/products": ["product-004", "product-005"], "/api/activities": ["north-1", "south-1"],
}


def load(description, *, credentials):
    """The operations of a description by label; `credentials`: whether to generate those too."""
    generation = GenerationConfig(with_security_parameters=credentials)
    projects = ProjectsConfig(default=ProjectConfig(generation=generation))
    config = SchemathesisConfig(seed=SEED, projects=projects)
    loaded = schemathesis.openapi.from_dict(description, config=config)
    return {found.ok().label: found.ok() for found in loaded.get_all_operations()}


@strategies.composite
def cases(draw, operation):
    """A request that fits the description, one that breaks it, or one that is likely to succeed."""
    kind = draw(strategies.sampled_from([*GenerationMode, None]))
    case = draw(operation.as_strategy(kind or GenerationMode.POSITIVE))
    ids = [known for start, known in KNOWN_IDS.items() if operation.path.startswith(start)]
    known = KNOWN | {"id": ids[0]} if ids else KNOWN
    members = described_members(operation)
    if kind is None and isinstance(case.body, dict):
        case.body |= {name: known[name][0] for name in members if name in known}
    for part in (case.path_parameters, case.query, case.body):
        for name in part if isinstance(part, dict) else ():
            if name in known and (kind is None or draw(strategies.booleans())):
                part[name] = draw(strategies.sampled_from(known[name]))
    restrain(case)
    return case


def described_members(operation):
    """The names of the members of a body, if the description lists them inline."""
    contents = operation.definition.raw.get("requestBody", {}).get("content", {}).values()
    return {name for content in contents for name in content["schema"].get("properties", {})}


def restrain(case):
    """Limits how much a request to a development route changes the shared server."""
    limits = {CLOCK: ("advance", LONGEST_ADVANCE_SECONDS),
              "POST /dev/accounts": ("count", MOST_ACCOUNTS)}
    name, most = limits.get(case.operation.label, (None, None))
    if isinstance(case.body, dict) and isinstance(case.body.get(name), (int, float)):
        case.body[name] = min(case.body[name], most)


class Caller(requests.auth.AuthBase):
    """Sends requests as one role. It signs in again when its session has ended."""

    def __init__(self, server, role=None):
        self.server, self.role = server, role
        self.device, self.session = None, requests.Session()
        self.session.trust_env = False
        if role:
            self.sign_in()

    def sign_in(self):
        """Signs in completely, after the end of a lockout that generated requests caused."""
        self.server.advance(COOLDOWN_SECONDS)
        role, person = self.role, self.role.person
        self.device = device = Device(
            self.server, client=role.client, scope=f"openid offline_access account {role.scope}")
        proved = person.credentials if person.email else {"phone_number": person.phone}
        sent = len(self.server.messages(person.phone))
        first = device.challenge(**device.first_call(**proved))
        if first.error == "account_locked":
            self.server.advance(first.json["retry_in"])
            first = device.challenge(**device.first_call(**proved))
        assert first.error == "insufficient_authorization", first
        done = device.verify(self.server.code(person.phone, sent))
        assert device.redeem(done.json["authorization_code"]).status == 200

    def renew(self):
        refreshed = self.device.refresh()
        if refreshed.status == 200:
            self.device.tokens = refreshed.json
        else:
            self.sign_in()

    def __call__(self, request):
        """Signs a request that is otherwise ready to send."""
        token = self.device.tokens["access_token"]
        request.headers["Authorization"] = f"DPoP {token}"
        request.headers["DPoP"] = self.device.proof(request.method, request.url, token)
        return request

    def send(self, case):
        answer = self.send_once(case)
        needs_token = any("token" in scheme for scheme in
                          case.operation.definition.raw.get("security", []))
        if self.role and needs_token and answer.status_code == 401:
            self.renew()
            answer = self.send_once(case)
            assert answer.status_code != 401, answer.text
        if case.operation.label == CLOCK and answer.status_code == 200:
            self.server.offset = answer.json()["now"] - time.time()
        return answer

    def send_once(self, case):
        return case.call(base_url=self.server.base, session=self.session, timeout=30,
                         allow_redirects=False, auth=self if self.role else None)


def explore(caller, operation, examples):
    """Sends requests to one operation; returns their statuses and the mistakes in answers."""
    statuses, mistakes = [], []

    @hypothesis.seed(SEED)
    @hypothesis.settings(
        max_examples=examples, deadline=None, database=None,
        phases=[hypothesis.Phase.generate], suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(case=cases(operation))
    def call(case):
        answer = caller.send(case)
        statuses.append(answer.status_code)
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as failures:
            mistakes.append(f"{operation.label}: {failures}")

    call()
    return statuses, mistakes


def explore_all(caller, description):
    """Explores all operations, with many requests each as long as there is time."""
    statuses, mistakes = {}, []
    until = time.monotonic() + FULL_SECONDS
    for label, operation in load(description, credentials=not caller.role).items():
        examples = EXAMPLES if time.monotonic() < until else 1
        if caller.role and label in ENDS_OWN_SESSION:
            examples = min(examples, EXAMPLES_THAT_END)
        statuses[label], found = explore(caller, operation, examples)
        mistakes += found
    return statuses, mistakes
