import Cryptography
import SignInModel
import Testing

@Suite("Signing by ES256")
struct SigningKeyTests {
  @Test("the signature of RFC 7515, appendix A.3 verifies")
  func verifiesTheExample() throws {
    let key = try JOSEExample.publicKey()

    #expect(try key.verifies(JOSEExample.signature(), of: JOSEExample.signingInput))
  }

  @Test("a signature or text changed in any one byte does not verify")
  func refusesChanges() throws {
    let key = try JOSEExample.publicKey()
    let signature = try JOSEExample.signature()

    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1

      #expect(!key.verifies(changed, of: JOSEExample.signingInput))
    }
    #expect(!key.verifies(signature, of: JOSEExample.signingInput + [0]))
  }

  @Test("malformed signatures are invalid and never crash", arguments: oddSignatures)
  func refusesOddSignatures(_ signature: [UInt8]) throws {
    let key = try JOSEExample.publicKey()

    #expect(!key.verifies(signature, of: JOSEExample.signingInput))
  }

  static let oddSignatures: [[UInt8]] = [
    [],
    [UInt8](repeating: 1, count: 63),
    [UInt8](repeating: 1, count: 65),
    [UInt8](repeating: 0, count: 64),
    [UInt8](repeating: 255, count: 64),
    [UInt8](repeating: 0, count: 63) + [1],
    [1] + [UInt8](repeating: 0, count: 63),
  ]

  @Test("a public key verifies the signatures of its own private key and no others")
  func signsAndVerifies() {
    let key = SigningKey.generate()
    let other = SigningKey.generate()
    let text = Array("a visit on Tuesday".utf8)

    // Some of two hundred signatures have numbers with leading zero bytes, which are shorter in
    // DER.
    for _ in 0..<200 {
      let signature = key.sign(text)

      #expect(signature.count == PublicKey.signatureByteCount)
      #expect(key.publicKey.verifies(signature, of: text))
      #expect(!other.publicKey.verifies(signature, of: text))
    }
  }

  @Test("one key signs in many tasks at the same time")
  func signsConcurrently() async {
    let key = SigningKey.generate()

    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let text = Array("visit \(number)".utf8)
          return key.publicKey.verifies(key.sign(text), of: text)
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    #expect(right == 200)
  }

  @Test("one public key tells right from wrong in many tasks at the same time")
  func verifiesConcurrently() async {
    let key = SigningKey.generate()
    let text = Array("visit".utf8)
    let signature = key.sign(text)

    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let isRight = number.isMultiple(of: 2)
          var given = signature
          if !isRight { given[number % given.count] ^= 1 }
          return key.publicKey.verifies(given, of: text) == isRight
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    #expect(right == 200)
  }

  @Test("a key written as PEM is read as the same key")
  func roundTripsPEM() throws {
    let key = SigningKey.generate()

    let again = try SigningKey(pem: key.pem)

    #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    #expect(again.publicKey == key.publicKey)
    #expect(key.publicKey.verifies(again.sign([1, 2, 3]), of: [1, 2, 3]))
  }

  @Test("a key in SEC 1 form, as openssl ecparam writes it, is read")
  func readsSEC1() throws {
    let key = try SigningKey(pem: KeyExamples.sec1)

    #expect(key.publicKey.x.prefix(4) == [0xF1, 0xF1, 0x2D, 0xA6])
  }

  @Test("another kind of key is refused as another kind")
  func refusesOtherCurves() {
    #expect(throws: KeyFault.notP256) { try SigningKey(pem: KeyExamples.p384) }
    #expect(throws: KeyFault.notP256) { try SigningKey(pem: KeyExamples.ed25519) }
  }

  @Test("text that is not a readable private key is refused", arguments: KeyExamples.unreadable)
  func refusesUnreadable(_ pem: String) {
    #expect(throws: KeyFault.unreadable) { try SigningKey(pem: pem) }
  }
}

@Suite("Public keys")
struct PublicKeyTests {
  @Test("the thumbprint equals that of RFC 9449, section 6.1 (RFC 7638)")
  func computesThumbprint() throws {
    let key = try PublicKey(
      x: Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"),
      y: Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
    )

    #expect(
      Base64URL.encode(key.thumbprintDigest) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  @Test("a point off the curve is refused")
  func refusesOffCurve() throws {
    let point = SigningKey.generate().publicKey
    var y = point.y
    y[31] ^= 1

    #expect(throws: KeyFault.notP256) { try PublicKey(x: point.x, y: y) }
    #expect(throws: KeyFault.notP256) {
      try PublicKey(x: [UInt8](repeating: 0, count: 32), y: [UInt8](repeating: 0, count: 32))
    }
    #expect(throws: KeyFault.notP256) {
      try PublicKey(x: [UInt8](repeating: 255, count: 32), y: point.y)
    }
  }

  @Test("coordinates of another length are refused", arguments: [0, 31, 33])
  func refusesLengths(_ count: Int) {
    let point = SigningKey.generate().publicKey

    #expect(throws: KeyFault.unreadable) {
      try PublicKey(x: [UInt8](repeating: 1, count: count), y: point.y)
    }
    #expect(throws: KeyFault.unreadable) {
      try PublicKey(x: point.x, y: [UInt8](repeating: 1, count: count))
    }
  }
}
