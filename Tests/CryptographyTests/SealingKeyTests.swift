import Cryptography
import Testing

@Suite("Sealing")
struct SealingKeyTests {
  private let key = SealingKey(SecureRandom.bytes(SealingKey.byteCount))

  @Test("L-49 with a given nonce, the same bytes are sealed in the same way")
  func givenNonce() {
    let nonce = SecureRandom.bytes(SealingKey.nonceByteCount)
    let sealed = key.seal([1, 2], context: "a", nonce: nonce)

    #expect(key.seal([1, 2], context: "a", nonce: nonce) == sealed)
    #expect(Array(sealed.prefix(nonce.count)) == nonce && key.seal([1, 2], context: "a") != sealed)
    #expect(key.open(sealed, context: "a") == [1, 2] && key.open(sealed, context: "b") == nil)
  }

  @Test("sealed data opens in its context", arguments: [0, 1, 1000])
  func opens(_ count: Int) {
    let bytes = SecureRandom.bytes(count)

    let sealed = key.seal(bytes, context: "outbox/1")

    #expect(key.open(sealed, context: "outbox/1") == bytes)
  }

  @Test("the same bytes are sealed differently each time")
  func neverRepeats() {
    #expect(key.seal([1, 2, 3], context: "") != key.seal([1, 2, 3], context: ""))
  }

  @Test("another context or another key does not open sealed data")
  func isBound() {
    let sealed = key.seal([1, 2, 3], context: "outbox/1")
    let other = SealingKey(SecureRandom.bytes(SealingKey.byteCount))

    #expect(key.open(sealed, context: "outbox/2") == nil)
    #expect(other.open(sealed, context: "outbox/1") == nil)
  }

  @Test("a change in any byte, or one byte less, does not open")
  func detectsTampering() {
    let sealed = key.seal([1, 2, 3], context: "outbox/1")

    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x80

      #expect(key.open(changed, context: "outbox/1") == nil)
      #expect(key.open(Array(sealed[..<index]), context: "outbox/1") == nil)
    }
  }
}
