"""Starts Debian's LemonLDAP::NG as an identity provider."""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import time
import urllib.request

from cryptography.hazmat.primitives import serialization

from identity_provider import CLIENT_ID, CLIENT_SECRET, new_key
from production import free_port

# The folders that Debian's web servers map to the same paths.
APPLICATION = """
use Plack::Builder;
use Lemonldap::NG::Portal;
my $portal = Lemonldap::NG::Portal->run({});
builder {
  enable "Static", path => qr!^/static/!, root => "/usr/share/lemonldap-ng/portal/htdocs";
  enable "Static", path => qr!^/javascript/!, root => "/usr/share";
  mount "/" => sub { my $call = $_[0]; $call->{SCRIPT_NAME} = ""; $portal->($call) };
};
"""


def settings(folder, base, redirect_uri, signed_out):
    """Debian's configuration with one client of OpenID Connect, which must use PKCE."""
    key = new_key()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption()).decode()
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    found = json.loads(pathlib.Path("/var/lib/lemonldap-ng/conf/lmConf-1.json").read_text())
    option = "oidcRPMetaDataOptions"
    client = {
        "ClientID": CLIENT_ID, "ClientSecret": CLIENT_SECRET, "RedirectUris": redirect_uri,
        "IDTokenSignAlg": "RS256", "RequirePKCE": 1, "Public": 0, "UserIDAttr": "uid",
        "DisplayName": "Fieldpass", "IDTokenExpiration": 300, "AccessTokenExpiration": 300,
        "BypassConsent": 0, "PostLogoutRedirectUris": signed_out}
    return found | {
        "domain": "localhost", "portal": base + "/", "securedCookie": 0, "requireToken": 0,
        # These send mail, with further packages.
        "portalDisplayResetPassword": 0, "portalDisplayRegister": 0, "registerDB": "Null",
        "locationRules": {"localhost": {"default": "accept"}}, "reloadUrls": {},
        "demoExportedVars": {"cn": "cn", "mail": "mail", "uid": "uid"},
        "globalStorageOptions": found["globalStorageOptions"] | storage(folder / "sessions"),
        "persistentStorageOptions":
            found["persistentStorageOptions"] | storage(folder / "persistent-sessions"),
        "localSessionStorageOptions":
            found["localSessionStorageOptions"] | {"cache_root": str(folder / "cache")},
        "notificationStorageOptions": {"dirName": str(folder)},
        "issuerDBOpenIDConnectActivation": 1, "issuerDBOpenIDConnectPath": "^/oauth2/",
        "issuerDBOpenIDConnectRule": 1, "oidcServicePrivateKeySig": private,
        "oidcServicePublicKeySig": public, "oidcServiceKeyIdSig": "rsa-1",
        "oidcServiceMetaDataIssuer": base, "oidcServiceAllowAuthorizationCodeFlow": 1,
        "oidcRPMetaDataOptions": {
            "app": {option + name: value for name, value in client.items()}},
        "oidcRPMetaDataExportedVars": {
            "app": {"email": "mail", "name": "cn", "preferred_username": "uid"}}}


def storage(folder):
    (folder / "lock").mkdir(parents=True)
    return {"Directory": str(folder), "LockDirectory": str(folder / "lock")}


@contextlib.contextmanager
def lemonldap(folder, redirect_uri, signed_out=""):
    """The issuer of a new server. Its users are those of its demo, such as `dwho`."""
    port = free_port()
    # It sets a cookie for its domain, so it needs a name.
    base = f"http://localhost:{port}"
    folder = folder / "lemonldap"
    (folder / "conf").mkdir(parents=True)
    (folder / "conf/lmConf-1.json").write_text(
        json.dumps(settings(folder, base, redirect_uri, signed_out)))
    initial = pathlib.Path("/etc/lemonldap-ng/lemonldap-ng.ini").read_text()
    initial = initial.replace("/var/lib/lemonldap-ng/", f"{folder}/")
    initial = re.sub(
        r"^logLevel.*", "logLevel = warn\nlogger = Lemonldap::NG::Common::Logger::Std", initial,
        flags=re.MULTILINE)
    (folder / "lemonldap-ng.ini").write_text(initial)
    (folder / "app.psgi").write_text(APPLICATION)
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            ["plackup", "-E", "production", "--host", "127.0.0.1", "--port", str(port),
             str(folder / "app.psgi")],
            stdout=log, stderr=log,
            env=os.environ | {"LLNG_DEFAULTCONFFILE": str(folder / "lemonldap-ng.ini")})
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(base + "/.well-known/openid-configuration", timeout=5)
                break
            time.sleep(0.05)
        yield base
    finally:
        process.terminate()
        process.wait(10)
