"""A certificate authority for tests. It signs the certificates of the test servers."""
import datetime
import ipaddress
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Authority:
    def __init__(self, folder):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test authority")])
        self.file = folder / "authority.pem"
        certificate = self.signed(
            self.name, self.key.public_key(), -1, 3650,
            (x509.BasicConstraints(ca=True, path_length=0), True))
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def signed(self, name, key, first, last, *extensions):
        today = datetime.datetime.now(datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(self.name)
            .public_key(key).serial_number(x509.random_serial_number())
            .not_valid_before(today + datetime.timedelta(days=first))
            .not_valid_after(today + datetime.timedelta(days=last)))
        for extension, is_critical in extensions:
            builder = builder.add_extension(extension, critical=is_critical)
        return builder.sign(self.key, hashes.SHA256())

    def issue(self, folder, host="login.example.com", first=-1, last=90):
        """Writes a certificate and its key; `first` and `last` are days from today."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([
            x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
        certificate = self.signed(name, key.public_key(), first, last, (names, False))
        certificate_file, key_file = folder / "certificate.pem", folder / "certificate-key.pem"
        certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        key_file.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        key_file.chmod(0o600)
        return certificate_file, key_file

    @property
    def context(self):
        """A TLS context that trusts only this authority."""
        return ssl.create_default_context(cafile=self.file)
