import Cryptography
import Testing

@Suite("Digests")
struct DigestTests {
  @Test(
    "SHA-256 of the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func digests(_ text: String, _ expected: String) {
    #expect(hexadecimal(SHA256Digest.of(text)) == expected)
    #expect(hexadecimal(SHA256Digest.of(Array(text.utf8))) == expected)
  }

  @Test("SHA-384 and SHA-1 of the examples of FIPS 180-4")
  func otherDigests() {
    #expect(
      hexadecimal(SHA384Digest.of(Array("abc".utf8)))
        == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7")
    #expect(
      hexadecimal(SHA384Digest.of([]))
        == "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
        + "274edebfe76f65fbd51ad2f14898b95b")
    #expect(hexadecimal(SHA1Digest.of("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hexadecimal(SHA1Digest.of("")) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
  }

  @Test("a text of several scripts has the digest of its bytes")
  func textAndBytes() {
    let text = String(repeating: "कोड · kode · code ", count: 50)

    #expect(SHA256Digest.of(text) == SHA256Digest.of(Array(text.utf8)))
  }

  @Test(
    "HMAC-SHA-256 of RFC 4231, test cases 1, 2 and 6",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func authenticates(_ key: [UInt8], _ text: String, _ expected: String) {
    #expect(hexadecimal(HMACSHA256.code(for: Array(text.utf8), key: key)) == expected)
  }

  @Test(
    "HMAC-SHA-1 of RFC 2202, test cases 1 and 2",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b617318655057264e28bc0b6fb378c8ef146be00"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
      ),
    ])
  func authenticatesSHA1(_ key: [UInt8], _ text: String, _ expected: String) {
    #expect(hexadecimal(HMACSHA1.code(for: Array(text.utf8), key: key)) == expected)
  }

  @Test("a code has its own key also after a call with another one, and the empty key is one")
  func keysOfCalls() {
    let long = [UInt8](repeating: 7, count: 200)
    let first = HMACSHA256.code(for: [1], key: long)

    #expect(
      hexadecimal(HMACSHA256.code(for: [], key: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    #expect(HMACSHA256.code(for: [1], key: [7]) != first)
    #expect(HMACSHA256.code(for: [1], key: long) == first)
  }

  @Test("codes made in many tasks at the same time have the keys of their own calls")
  func authenticatesConcurrently() async {
    let expected = (0..<200).map { number in
      HMACSHA256.code(for: [1, 2, 3], key: [UInt8(number)])
    }

    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          HMACSHA256.code(for: [1, 2, 3], key: [UInt8(number)]) == expected[number]
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    #expect(right == 200)
    #expect(Set(expected).count == 200)
  }

  @Test("constant-time comparison agrees with equality")
  func compares() {
    #expect(ConstantTime.equal([], []))
    #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
    #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
    #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
  }

  @Test("random bytes have the requested length and differ")
  func randomises() {
    #expect(SecureRandom.bytes(0).isEmpty)
    #expect(SecureRandom.bytes(33).count == 33)
    #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
