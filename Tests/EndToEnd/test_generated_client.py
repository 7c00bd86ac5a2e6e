"""A client that openapi-python-client generates from the OpenAPI document works without changes.

It refuses every answer whose status the document does not list.
"""
import importlib
import subprocess
import sys

import httpx
import pytest

from device import Device, base64url, sha256
from harness import ADMINISTRATOR, ROOT, TECHNICIAN, secret

GENERATOR = ROOT / ".venv/bin/openapi-python-client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Finds a module of the generated client, such as `api.sign_in.sign_in`."""
    folder = tmp_path_factory.mktemp("generated")
    subprocess.run(
        [GENERATOR, "generate", "--path", ROOT / "docs/openapi.json", "--meta", "none",
         "--output-path", folder / "fieldpass_client"],
        cwd=folder, check=True, capture_output=True, timeout=120)
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module("fieldpass_client." + name)
    sys.path.remove(str(folder))


class Proofs(httpx.Auth):
    """Adds the proof of a device to each request, and the access token once there is one."""

    def __init__(self, device):
        self.device, self.token = device, None

    def auth_flow(self, request):
        url = str(request.url)
        request.headers["DPoP"] = self.device.proof(request.method, url, self.token)
        if self.token:
            request.headers["Authorization"] = f"DPoP {self.token}"
        yield request


class Program:
    """A program in another language ecosystem, with the generated client."""

    def __init__(self, generated, server, client):
        self.generated = generated
        self.server, self.device = server, Device(server, client)
        self.proofs = Proofs(self.device)
        self.connection = generated("client").Client(
            base_url=server.base, raise_on_unexpected_status=True,
            httpx_args={"auth": self.proofs})

    def call(self, operation, *arguments, status=200, **more):
        answer = self.generated("api." + operation).sync_detailed(
            *arguments, client=self.connection, **more)
        assert answer.status_code == status, (operation, answer.content)
        return answer.parsed

    def body(self, model, **members):
        folder = "models." + "".join(
            "_" + letter.lower() if letter.isupper() else letter for letter in model).strip("_")
        return getattr(self.generated(folder), model).from_dict(members)

    def sign_in(self, person):
        verifier = secret(base64url(b"v" * 32))
        sent = len(self.server.messages(person.phone))
        first = self.call("sign_in.sign_in", status=403, body=self.body(
            "SignInBody", client_id=self.device.client, response_type="code",
            scope=self.device.scope, code_challenge=base64url(sha256(verifier)),
            code_challenge_method="S256", username=person.email, password=person.password))
        assert first.error == "insufficient_authorization"
        secret(first.auth_session)
        done = self.call("sign_in.sign_in", body=self.body(
            "SignInBody", client_id=self.device.client, auth_session=first.auth_session,
            otp=self.server.code(person.phone, sent)))
        secret(done.authorization_code)
        tokens = self.call("sign_in.obtain_tokens", body=self.body(
            "ObtainTokensBody", client_id=self.device.client, grant_type="authorization_code",
            code=done.authorization_code, code_verifier=verifier))
        for name in ("access_token", "refresh_token", "id_token"):
            secret(getattr(tokens, name))
        self.proofs.token = tokens.access_token
        return self


def test_technician(generated, server):
    """A generated client signs a technician in, reads the jobs and ends the session"""
    program = Program(generated, server, "technician-app").sign_in(TECHNICIAN)

    me = program.call("apps_data.read_me")
    assert me.email == TECHNICIAN.email
    jobs = program.call("apps_data.list_jobs")
    assert jobs.jobs and jobs.jobs[0].title
    sessions = program.call("apps_data.list_my_sessions").sessions
    assert [session.current for session in sessions] == [True]
    refused = program.call("administration.list_accounts", status=403)
    assert refused.code == "insufficient_scope"
    program.call("apps_data.end_my_sessions", status=204)
    assert program.call("apps_data.read_me", status=401).code == "invalid_token"


def test_administrator(generated, server):
    """A generated client creates, changes and invites accounts, ends sessions and reads the log"""
    program = Program(generated, server, "console").sign_in(ADMINISTRATOR)
    area = "administration."

    made = program.call(area + "create_account", status=201, idempotency_key="nina", body=program.body(
        "CreateAccountBody", name="Nina Berg", role="technician", email="nina@example.com",
        phone_number="+15550107777", organizations=[]))
    assert program.call(area + "read_account", made.id).name == "Nina Berg"
    page = program.call(area + "list_accounts", query="nina", limit=10)
    assert [account.id for account in page.accounts] == [made.id]
    for status in ("deactivated", "active"):
        changed = program.call(
            area + "change_account", made.id, body=program.body("ChangeAccountBody", status=status))
        assert changed.status == status
    assert program.call(area + "invite_account", made.id, status=201).expires_at
    program.call(area + "unlock_account", made.id)
    assert program.call(area + "list_account_sessions", made.id).sessions == []
    program.call(area + "end_account_sessions", made.id, status=204)
    clients = program.call(area + "list_clients").clients
    assert "technician-app" in [client.id for client in clients]
    assert program.call(area + "read_client", "technician-app").id == "technician-app"
    assert program.call(area + "list_organizations").organizations
    assert program.call(area + "list_messages").messages
    events = program.call(area + "list_events").events
    assert "account.created" in [event.code for event in events]
    assert program.call(area + "read_account", "unknown", status=404).code == "account_not_found"
