"""A server with its own configuration and certificate, as operators run it."""
import contextlib
import datetime
import http.client
import ipaddress
import json
import random
import socket
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness import Server

ISSUER = "https://login.example.com"


def write_certificate(folder, host="login.example.com", first=-1, last=30):
    """Writes a self-signed certificate and its key as PEM files, valid for these days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    today = datetime.datetime.now(datetime.timezone.utc)
    names = x509.SubjectAlternativeName([
        x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(today + datetime.timedelta(days=first))
        .not_valid_after(today + datetime.timedelta(days=last))
        .add_extension(names, critical=False).sign(key, hashes.SHA256()))
    certificate_file, key_file = folder / "certificate.pem", folder / "certificate-key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()))
    key_file.chmod(0o600)
    return certificate_file, key_file


def configuration(folder):
    """A configuration as an operator writes it."""
    certificate_file, key_file = write_certificate(folder)
    return {
        "issuer": ISSUER,
        "listen": "127.0.0.1:0",
        "metrics_listen": "127.0.0.1:0",
        "store": f"sqlite:{folder / 'production-store'}",
        "tls": {"certificate": str(certificate_file), "key": str(key_file)},
        "clients": [{
            "id": "technician-app", "name": "Technician", "home": "assigned_jobs",
            "sign_in": "password_and_code", "roles": ["technician"],
            "scopes": ["openid", "offline_access"]}],
        "messengers": [],
    }


# Below the ports that the system assigns to connections. A server must know its port before it
# listens, so no connection may take the port first.
LISTENING_PORTS = range(20_000, 32_000)


def free_port():
    """A port on which no server listens."""
    while True:
        with contextlib.suppress(OSError):
            with socket.create_server(("127.0.0.1", random.choice(LISTENING_PORTS))) as listener:
                return listener.getsockname()[1]


class ConfiguredServer(Server):
    """A server with TLS and a configuration file."""

    def begin(self, members, *arguments):
        self.port = free_port()
        path = self.data.with_suffix(".json")
        path.write_text(json.dumps(members | {"listen": f"127.0.0.1:{self.port}"}))
        self.certificate_file = members["tls"]["certificate"]
        self.launch("--config", str(path), *arguments)
        self.base = members["issuer"]
        self.meta = self.get("/.well-known/openid-configuration").json
        return self

    def context(self, newest=None):
        context = ssl.create_default_context(cafile=self.certificate_file)
        if newest:
            context.maximum_version = getattr(ssl.TLSVersion, newest)
        return context

    def tls_version(self, newest=None):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as plain:
            with self.context(newest).wrap_socket(plain, server_hostname="127.0.0.1") as session:
                return session.version()

    def connect(self, timeout):
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=timeout, context=self.context())
