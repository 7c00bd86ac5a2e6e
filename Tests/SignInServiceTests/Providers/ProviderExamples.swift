/// Keys and tokens that another library made: PyJWT with the cryptography package.
enum ProviderExamples {
  static let accessToken = "an-access-token"

  static let keys = """
    {"keys":[{"kty":"RSA","kid":"r","use":"sig","n":"tq3LhnYLPPY7Rca92QA_aB5gg4VjMlsqdzrx9ovKcO_p\
    LPpS1Z0KTQf_bWR_NJiB0gUFPRHHbFWcD70ztek5OIaqWbEJnYDk4mhE7cE_m4Ojrdd5-1ClxBDPl4dgmoIbaQ01R5PIv\
    dj1m7zJ57acF8Zqg3fsJHYmV3q0XBH-krON4bm7x-6OzaF0o9lVAlmwzTKY6QKZKkqMwjHdZ-Fh5XX9qKvpLJvBVKroEn\
    4sNKO0osC4ON4S3D-6LLHkYrsmyiAODgyYi0JvCgq6FN-KKauQf41070Ox-KqoLi7vC17taUJXOl-JzL3Wwr8oRRhRSGF\
    BFIdYFgmSQsmf3H0UQw","e":"AQAB"},{"kty":"EC","crv":"P-256","kid":"e","alg":"ES256","x":"TI5aI\
    xb2UBwwAbgD7hGjygxRpqzyFR5ye4yI-qeyPrE","y":"Gi3De0BqHw4TuKtKQebFAicLX386zDHkIlPy2BA9kAQ"},{"\
    kty":"EC","crv":"P-384","kid":"f","use":"sig","x":"OcJ2WSjbJS1T4KWJQ6HfyDUXOeX7OPPZqOCb0OqmaL\
    nGI5slc5Z5efePS19JAHyU","y":"gB4yZGfuqk5s-i0y5RSIgRetRm6NMETbtsFJ60b1BSKtc8KBjBXSMVwJxr_FXCbB\
    "}]}
    """

  /// One token for each algorithm, valid from second 1,800,000,000 on for 300 seconds.
  static let tokens: [String: String] = [
    "RS256": """
    eyJhbGciOiJSUzI1NiIsImtpZCI6InIiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUu\
    Y29tIiwiYXVkIjoiY2xpZW50LTEiLCJzdWIiOiJzIiwibm9uY2UiOiJuIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE\
    4MDAwMDAzMDAsImF0X2hhc2giOiJZaUhQRDJUOURhWDVCODM3WEpYdG93In0.j6P_W32JzyUw-ZNxQ7aF0Xj8CRGX4l\
    oz-pZdBZHIrGkF3eABUJoWKfz-rVt4qSxgxKsa5tEofrAjZOo5ua04uteDdA9i5ZlR1lCotdcI-gbUTzezwmjPUd6fD\
    tD-Z6xJAAVXaBMkzohp7h7MgLxlEQhEKsz3urRYg6oMxxrO0GKZAhsK6Le497f3ePEdouhN-nmF4gQBFk0k1zw3CLji\
    _L5Kbwx1ZFVPW-rW4wl6uBnwZ0lJNqoNPaT74MEl_e8laiHF-ELZ_q7hAf5vEsuNToMRjimp2jtUnemaKaCogwlbvqi\
    7mm6p1Cv8vD3AfIuyFWRSApfTYvIux8qNTWV1Dg
    """,
    "PS256": """
    eyJhbGciOiJQUzI1NiIsImtpZCI6InIiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUu\
    Y29tIiwiYXVkIjoiY2xpZW50LTEiLCJzdWIiOiJzIiwibm9uY2UiOiJuIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE\
    4MDAwMDAzMDAsImF0X2hhc2giOiJZaUhQRDJUOURhWDVCODM3WEpYdG93In0.pyRpzX7gHidh06p1b1co5NjeeNjchd\
    Hob8UyIasG-Q_LG4ujUiH2rmr2auGxSZbOLHmuxn06ynS_cluODpsV6u3NBY-ynwTvVeQbiGNAzq0aX7Gh7RHurmrd1\
    d5pIXRl0IwMK9zWGju1FvwZ7RVmWbJaOuWPh-06QH2WhBXlN1CcDMl4k42Pr_3yyumxrfIZT7Dy_Uh0wk5PwdvCCrTs\
    VaLFXiNdGjUfPRVRMpqaL3SV-RgwBZQjhYgdbTvluxkpl8a483XsHTslb_SfP3nINs32-nyCs_06SI2jbdWeGIHdU91\
    I2VUfJ0d3DpZgUEVzLZ_PEkzvK61c4FrP2nyUgQ
    """,
    "ES256": """
    eyJhbGciOiJFUzI1NiIsImtpZCI6ImUiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUu\
    Y29tIiwiYXVkIjoiY2xpZW50LTEiLCJzdWIiOiJzIiwibm9uY2UiOiJuIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE\
    4MDAwMDAzMDAsImF0X2hhc2giOiJZaUhQRDJUOURhWDVCODM3WEpYdG93In0.b1tg8poes_hWYricv3VVKmB-p6Uo-A\
    ArIP__kOk9twNAZLxjlT29ADodE4RVcVwyiKOjrvvNMgvHvqOaFgZAuA
    """,
    "ES384": """
    eyJhbGciOiJFUzM4NCIsImtpZCI6ImYiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUu\
    Y29tIiwiYXVkIjoiY2xpZW50LTEiLCJzdWIiOiJzIiwibm9uY2UiOiJuIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE\
    4MDAwMDAzMDAsImF0X2hhc2giOiJwM2lBTmloeTFNYW1jdWxOUFVyUThIc0Jrb3VPLXEySSJ9.kfW3SY8qnXH6alRjz\
    hne97NI5WXNE4tgoO-iQfcVfv9fO6NXUxjX0usrevwA1ngZ_5eVhv3IjCQLaGczx2ng_iUIzhBSLIKeClv-tjfEhf0a\
    zt9FH54OKySqrm4x7QEY
    """,
  ]
}
