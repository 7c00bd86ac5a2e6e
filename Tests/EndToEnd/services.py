"""A program of a company that authenticates as a service account."""
import base64
import json
import uuid

from cryptography.hazmat.primitives.asymmetric import ec

from device import base64url, es256, public_jwk
from harness import secret

SECRET = secret("e2e-service-secret-" + "x" * 20)
KEY = ec.generate_private_key(ec.SECP256R1())
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ALL = ["jobs:write", "deliveries:write", "activities:write", "products:write", "changes:read"]
# The demo's app for technicians and one for product owners, as in a configuration.
APPS = [
    {"id": "technician-app", "name": "Technician", "home": "assigned_jobs",
     "sign_in": "password_and_code", "roles": ["technician", "administrator"],
     "scopes": ["openid", "offline_access", "admin"]},
    {"id": "product-app", "name": "Products", "home": "products", "sign_in": "password_and_code",
     "roles": ["owner"], "scopes": ["openid", "offline_access"]},
]


def configuration(folder, *accounts):
    """A configuration with service accounts; `planning` has a secret, `robot` a key."""
    folder.mkdir(exist_ok=True)
    (folder / "planning.secret").write_text(SECRET + "\n")
    (folder / "planning.secret").chmod(0o600)
    (folder / "robot.jwks").write_text(json.dumps({"keys": [public_jwk(KEY)]}))
    known = [
        {"id": "planning", "name": "Planning", "scopes": ALL,
         "secret_file": str(folder / "planning.secret")},
        {"id": "robot", "name": "Robot", "scopes": ["jobs:write"], "organization": "north",
         "jwks_file": str(folder / "robot.jwks")},
    ]
    return {"clients": APPS, "organizations": [{"id": "north", "name": "North"}],
            "service_accounts": list(accounts) or known}


class Program:
    """Requests of one service account."""

    def __init__(self, server, name="planning"):
        self.server, self.name, self.token = server, name, None

    def ask(self, headers=(), **parameters):
        return self.server.post("/oauth/token", headers=headers, form={
            "grant_type": "client_credentials", **parameters})

    def ask_basic(self, text=SECRET, **parameters):
        pair = base64.b64encode(f"{self.name}:{text}".encode()).decode()
        return self.ask([("Authorization", f"Basic {pair}")], **parameters)

    def assertion(self, audience=None, **claims):
        now = int(self.server.now())
        claims = {"iss": self.name, "sub": self.name, "jti": uuid.uuid4().hex, "iat": now,
                  "exp": now + 60, "aud": audience or self.server.base} | claims
        head = base64url(json.dumps({"alg": "ES256", "typ": "JWT"}).encode())
        text = f"{head}.{base64url(json.dumps(claims).encode())}"
        return f"{text}.{es256(KEY, text)}"

    def ask_assertion(self, assertion):
        return self.ask(client_assertion_type=ASSERTION, client_assertion=assertion)

    def authenticate(self):
        answer = self.ask_basic()
        assert answer.status == 200, answer
        self.token = secret(answer.json["access_token"])
        return self

    def call(self, method, path, document=None, **fields):
        """Sends a request with the token; keywords such as `if_match` become header fields."""
        headers = [("Authorization", f"Bearer {self.token}")]
        headers += [(name.replace("_", "-"), value) for name, value in fields.items()]
        return self.server.call(method, path, document=document, headers=headers, timeout=60)


def job(account="tech@example.com", **members):
    """A job as a planning system writes it."""
    return {"account": account, "title": "Boiler", "customer": "Berg", "place": "Oslo",
            "starts_at": 1_800_000_000, "ends_at": 1_800_003_600} | members
