"""Answers the subrequests of a gateway: 204 for a request that may pass, 401 or 403 otherwise.

Takes the original request from fields that the gateway writes: X-Original-Method and
X-Original-URL. `python3 gateway_check.py ISSUER AUDIENCE PORT` serves it.
"""
import sys
from wsgiref.simple_server import make_server

from check_token import Refused, TokenCheck


def application(check):
    def answer(environ, start_response):
        proof = environ.get("HTTP_DPOP")
        try:
            claims = check.check(
                environ.get("HTTP_AUTHORIZATION"), [proof] if proof else [],
                environ["HTTP_X_ORIGINAL_METHOD"], environ["HTTP_X_ORIGINAL_URL"])
        except Refused as refusal:
            status = "403 Forbidden" if refusal.code == "insufficient_scope" else "401 Unauthorized"
            start_response(status, [("WWW-Authenticate", refusal.challenge)])
            return [b""]
        start_response("204 No Content", [
            ("X-Subject", claims["sub"]), ("X-Scope", claims.get("scope", ""))])
        return [b""]
    return answer


if __name__ == "__main__":
    issuer, audience, port = sys.argv[1:]
    server = make_server("127.0.0.1", int(port), application(TokenCheck(issuer, audience)))
    server.serve_forever()
