"""Service accounts: programs of a company that get tokens without a person."""
import json
import uuid

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from device import read_token
from services import ASSERTION, SECRET, Program, configuration


@pytest.fixture
def served(new_server, folder):
    """A server with two service accounts."""
    server = new_server()
    server.configured = configuration(folder / f"{server.data.name}-services")
    yield server.start(server.configured)
    server.close()


def test_tokens(served):
    """A secret gets a token without a session in three ways, and the metadata names them"""
    program = Program(served)
    answers = [program.ask_basic(), program.ask(client_id="planning", client_secret=SECRET),
               Program(served, "robot").ask_assertion(Program(served, "robot").assertion())]
    keys = served.get("/jwks.json").json

    for answer in answers:
        assert answer.status == 200, answer
        assert answer.json["token_type"] == "Bearer" and answer.json["expires_in"] == 300
        assert not {"refresh_token", "session", "id_token"} & set(answer.json)
        header, claims = read_token(answer.json["access_token"], keys)
        assert header["typ"] == "at+jwt" and claims["sub"] == claims["client_id"]
    for name in ("openid-configuration", "oauth-authorization-server"):
        meta = served.get(f"/.well-known/{name}").json
        assert "client_credentials" in meta["grant_types_supported"]
        assert {"client_secret_basic", "client_secret_post", "private_key_jwt"} <= set(
            meta["token_endpoint_auth_methods_supported"])


def test_refusals(served):
    """A wrong secret, a wrong assertion and a repeated one get 401 with a scheme"""
    robot = Program(served, "robot")
    used = robot.assertion()
    assert robot.ask_assertion(used).status == 200
    wrong = [Program(served).ask_basic("y" * 40), Program(served, "unknown").ask_basic(),
             robot.ask_assertion(used), robot.ask_assertion(robot.assertion(sub="planning")),
             robot.ask_assertion(robot.assertion(audience="https://other.example"))]

    for answer in wrong:
        assert (answer.status, answer.error) == (401, "invalid_client"), answer
        assert answer["WWW-Authenticate"].startswith("Basic ")
    assert Program(served).ask_basic(scope="admin").error == "invalid_scope"


@pytest.mark.parametrize("named", [None, "RS256", "PS256"])
def test_rsa(new_server, folder, named):
    """An RSA key signs assertions in its own algorithm; `resource` sets the token's audience"""
    key = rsa.generate_private_key(65537, 4096 if named == "PS256" else 2048)
    jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    path = folder / f"rsa-{named}.jwks"
    path.write_text(json.dumps({"keys": [
        {name: jwk[name] for name in ("kty", "n", "e")} | ({"alg": named} if named else {})]}))
    server = new_server()
    account = {"id": "erp", "name": "ERP", "scopes": ["jobs:write"], "jwks_file": str(path),
               "audiences": ["https://api.example.com"]}
    server.start(configuration(folder / f"rsa-{named}", account))

    def ask(algorithm, **parameters):
        now = int(server.now())
        claims = {"iss": "erp", "sub": "erp", "aud": server.base, "iat": now, "exp": now + 60,
                  "jti": uuid.uuid4().hex}
        return Program(server, "erp").ask(
            client_assertion_type=ASSERTION,
            client_assertion=jwt.encode(claims, key, algorithm=algorithm), **parameters)

    try:
        right = named or "RS256"
        answer = ask(right)
        assert answer.status == 200, answer
        _, claims = read_token(answer.json["access_token"], server.get("/jwks.json").json)
        assert claims["aud"] == server.base
        one = ask(right, resource="https://api.example.com")
        _, claims = read_token(one.json["access_token"], server.get("/jwks.json").json)
        assert claims["aud"] == "https://api.example.com"
        assert ask(right, resource="https://other.example.com").error == "invalid_target"
        for wrong in {"RS256", "PS256", "RS512"} - {right}:
            assert (ask(wrong).status, ask(wrong).error) == (401, "invalid_client")
    finally:
        server.close()


def test_restart(served):
    """A repeated assertion is refused after a restart; a removed account gets no token"""
    robot = Program(served, "robot")
    used = robot.assertion()
    assert robot.ask_assertion(used).status == 200
    program = Program(served).authenticate()
    assert program.call("GET", "/admin/changes").status == 200

    served.stop()
    served.start(served.configured)
    assert robot.ask_assertion(used).status == 401
    assert program.call("GET", "/admin/changes").status == 200

    served.stop()
    remaining = served.configured["service_accounts"][1]
    served.start(served.configured | {"service_accounts": [remaining]})
    assert program.call("GET", "/admin/changes").status == 401


def test_mistakes(new_server, folder):
    """A short secret, a secret that others can read and a missing key file prevent the start"""
    server = new_server()
    config = configuration(folder / "mistaken")
    (folder / "mistaken" / "short").write_text("short")
    (folder / "mistaken" / "short").chmod(0o600)
    (folder / "mistaken" / "open").write_text(SECRET)
    (folder / "mistaken" / "open").chmod(0o644)
    entry = config["service_accounts"][0]
    entries = [entry | {"id": name, "secret_file": str(folder / "mistaken" / name)}
               for name in ("short", "open", "missing")]
    path = folder / "mistaken.json"
    path.write_text(json.dumps(config | {"service_accounts": entries}))

    result = server.run("--development", "--check", "--config", str(path))

    assert result.returncode == 1
    for words in ("contains a secret of 5 bytes", "other users can read", "cannot read"):
        assert words in result.stderr, result.stderr
    assert "short" in result.stderr and SECRET not in result.stderr
