"""A mail server of another project (aiosmtpd) with TLS and a password."""
import email
import email.policy
import ssl

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from production import free_port, write_certificate

USER, PASSWORD = "fieldpass", "mail-password"


class Mailbox:
    """Stores messages, or refuses them with the replies that a test sets."""

    def __init__(self, is_implicit=False):
        self.is_implicit = is_implicit
        self.messages = []
        self.refusals = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.refusals:
            return self.refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        message.envelope = (envelope.mail_from, envelope.rcpt_tos)
        message.was_encrypted = session.ssl is not None or self.is_implicit
        message.user = session.login_data
        message.raw = envelope.content
        self.messages.append(message)
        return "250 OK"


class MailServer:
    """`protection` is `starttls`, `implicit` or `none`."""

    def __init__(self, folder, protection="starttls", password=PASSWORD):
        folder.mkdir(exist_ok=True)
        self.box = Mailbox(is_implicit=protection == "implicit")
        self.certificate, key = write_certificate(folder)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, key)

        def check(server, session, envelope, mechanism, data):
            name, given = data.login.decode(), data.password.decode()
            return AuthResult(success=(name, given) == (USER, password), auth_data=name)

        class Encrypted(Controller):
            def factory(self):
                return SMTP(self.handler, authenticator=check, auth_required=password is not None,
                            auth_require_tls=protection == "starttls",
                            require_starttls=protection == "starttls",
                            tls_context=context if protection == "starttls" else None)

        self.controller = Encrypted(
            self.box, hostname="127.0.0.1", port=free_port(),
            ssl_context=context if protection == "implicit" else None)
        self.controller.start()
        self.port = self.controller.server.sockets[0].getsockname()[1]

    @property
    def messages(self):
        return self.box.messages

    def close(self):
        self.controller.stop()
