import Cryptography
import SignInModel

/// The example of RFC 7515, appendix A.3.
enum JOSEExample {
  static let signingInput = Array(
    ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog"
      + "Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ").utf8)

  static func publicKey() throws -> PublicKey {
    try PublicKey(
      x: Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
      y: Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
    )
  }

  static func signature() throws -> [UInt8] {
    try Base64URL.decode(
      "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
  }
}

/// These keys exist for the tests only.
///
/// They protect nothing.
enum KeyExamples {
  static let sec1 = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIHJ8g1NEwH5Qih30UikplSRmf4NsjZCEm5AjMQIwdXm3oAoGCCqGSM49
    AwEHoUQDQgAE8fEtpmFpzb7VA95YvZbgGG22A355DUzZVI06sAQ72ME5VTyyuir0
    WzC5YqJgBRWgEt6gVzSnsyA++wA8YrBmCA==
    -----END EC PRIVATE KEY-----
    """

  static let p384 = """
    -----BEGIN EC PRIVATE KEY-----
    MIGkAgEBBDDjwJedBVOVMP29fT0oyr8l2Oa3A2uoY8OUusglFJytTpUFcjxXHSKC
    wMogfgnBYxagBwYFK4EEACKhZANiAAQXdgVNWsaB870ebBj8OebTTQ+vcG5CoLTJ
    TIMz59/vtSDOUg1CbAlfs1O5EPk2UE0/U9QkoIwLNxRUKJTk0DCp4PhnwTBcVCaW
    3PwJRJhJuAj8YlEXTMkGOzjCgugDz14=
    -----END EC PRIVATE KEY-----
    """

  static let ed25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIKD6oIAofFXUDtGf5Ys0ZuqHAEtREhPAG5Q+LTObly3/
    -----END PRIVATE KEY-----
    """

  /// An encrypted key, a key with the public half of another key, a truncated key, and text that is
  /// no key.
  static let unreadable = [
    """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiBhTwK27oycQICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECWWHTQzq985SDiuCbJiV9IEgZCE
    69jCAaVKkeOicfBPV6ZExiUbltAJk0PZuiZ5xCWLcVFB2RqGWOvoV7IZSY0lWsTQ
    S7O7a5gpqHQpx86j52PZM6lC7xPzi71BDfdVo5X2NipwEl/iU2acemDzfvCZ5VV4
    KxVESR1zfHKa39fu+daPHYpgl3A49+BEmZXndOYtMonSYnY0MogQlckkV+HTEE0=
    -----END ENCRYPTED PRIVATE KEY-----
    """,
    """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIHJ8g1NEwH5Qih30UikplSRmf4NsjZCEm5AjMQIwdXm3oAoGCCqGSM49
    AwEHoUQDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/
    m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
    -----END EC PRIVATE KEY-----
    """,
    String(sec1.prefix(120)),
    "no key",
    "",
  ]
}
