"""A server with a host name, because passkeys belong to a host name and not to an address."""
import json

from harness import Person, Server
from production import free_port

MENTOR = Person("mentor@example.com", "demo-Mentor-1", "+4790000001")


def client(name, **more):
    """A registered app as in the demo, for people with a password."""
    home, role = {"technician-app": ("assigned_jobs", "technician"),
                  "mentor-app": ("activities", "mentor")}[name]
    scope = {"technician-app": "jobs", "mentor-app": "activities"}[name]
    return {"id": name, "name": name, "home": home, "sign_in": "password_and_code",
            "roles": [role], "scopes": ["openid", "offline_access", scope]} | more


class NamedServer(Server):
    """A server at `http://localhost` with apps of its own."""
    clients = (client("technician-app"), client("mentor-app", unlock="biometric"))
    organizations = ({"id": "north", "name": "North"}, {"id": "south", "name": "South"})
    more = {}

    def start(self):
        self.port = self.port or free_port()
        members = {
            "issuer": f"http://localhost:{self.port}", "listen": f"127.0.0.1:{self.port}",
            "organizations": list(self.organizations),
            "messengers": [{"name": "inbox", "kind": "inbox"}], "clients": list(self.clients)} | self.more
        path = self.data.with_suffix(".json")
        path.write_text(json.dumps(members))
        self.launch("--development", "--config", str(path))
        self.base = members["issuer"]
        self.meta = self.get("/.well-known/openid-configuration").json
        self.advance(max(0, round(self.offset)))
        return self


class Authenticator:
    """A simulated authenticator of Chromium that can verify the owner of the device."""

    def __init__(self, page, prf=True):
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("WebAuthn.enable")
        answer = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal",
            "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
            "hasPrf": prf, "automaticPresenceSimulation": True}})
        self.id = answer["authenticatorId"]

    def send(self, method, **members):
        return self.cdp.send(f"WebAuthn.{method}", {"authenticatorId": self.id} | members)

    @property
    def credentials(self):
        return self.send("getCredentials")["credentials"]

    def know_owner(self, is_owner):
        self.send("setUserVerified", isUserVerified=is_owner)

    def forget(self):
        """Simulates a new fingerprint or face: the device deletes its credentials."""
        self.send("clearCredentials")
