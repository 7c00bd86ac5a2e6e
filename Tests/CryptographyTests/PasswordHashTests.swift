import Cryptography
import Glibc
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
  /// Made by another implementation of Argon2id with the same parameters.
  private let encoded =
    "$argon2id$v=19$m=19456,t=2,p=1$ZmllbGRwYXNzLXRlc3RzIQ"
    + "$oeArsvZFDZbtZYxQStSaNTMavF/74atfzQjeBSlbM1w"

  @Test("a hash from another implementation matches its password and no other")
  func matchesForeignHash() throws {
    #expect(try PasswordHash.matches("correct horse battery staple", encoded))
    #expect(try !PasswordHash.matches("correct horse battery stapler", encoded))
    #expect(try !PasswordHash.matches("", encoded))
  }

  @Test("a new hash names its parameters, matches, and differs each time")
  func makes() throws {
    let first = try PasswordHash.make("päßword")
    let second = try PasswordHash.make("päßword")

    #expect(first.hasPrefix("nfc:$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(first != second)
    #expect(try PasswordHash.matches("päßword", first))
    #expect(try !PasswordHash.matches("passwort", first))
  }

  @Test("an unreadable hash matches no password and takes as long as a readable one")
  func refusesUnreadable() throws {
    for unreadable in ["", "password", "$argon2id$v=19$m=19456,t=2,p=1$", "\0"] {
      let started = ContinuousClock.now
      #expect(try !PasswordHash.matches("password", unreadable))
      let unreadableTime = ContinuousClock.now - started

      // Without the work an answer takes microseconds. The work takes many milliseconds.
      #expect(unreadableTime > .milliseconds(2))
    }
  }

  @Test(
    "A password matches in every Unicode form of its accents",
    arguments: [
      ("bl\u{E5}b\u{E6}rsyltet\u{F8}y", "bla\u{30A}b\u{E6}rsyltet\u{F8}y"),
      ("\u{958}\u{932}\u{92E} 1234", "\u{915}\u{93C}\u{932}\u{92E} 1234"),
    ]
  )
  func normalized(_ composed: String, _ decomposed: String) throws {
    #expect(Array(composed.utf8) != Array(decomposed.utf8))
    for (chosen, typed) in [(composed, decomposed), (decomposed, composed)] {
      let hash = try PasswordHash.make(chosen)
      #expect(try PasswordHash.matches(typed, hash))
      #expect(try PasswordHash.matches(chosen, hash))
      #expect(try !PasswordHash.matches(chosen + "x", hash))
    }
  }

  /// Made by another implementation of Argon2id, of "bla\u{30A}b\u{E6}r 2026" in exactly this
  /// Unicode form.
  private let decomposed =
    "$argon2id$v=19$m=19456,t=2,p=1$ZmllbGRwYXNzLXRlc3QhIQ"
    + "$3I3/IB95XXUxJkFoHOyb+PuoTjkHss2Mn39/WCHYCx4"

  @Test("A password matches an old hash of its exact Unicode form")
  func raw() throws {
    #expect(try PasswordHash.matches("bla\u{30A}b\u{E6}r 2026", decomposed))
    #expect(try !PasswordHash.matches("bl\u{E5}b\u{E6}r 2026", decomposed))
    #expect(try !PasswordHash.matches("bla\u{30A}b\u{E6}r 2026", "nfc:" + decomposed))
  }

  @Test("A hash with other parameters, or of text that was not normalized, is replaced")
  func rehash() throws {
    #expect(try !PasswordHash.needsRehash(PasswordHash.make("a password"), of: "a password"))
    #expect(PasswordHash.needsRehash(encoded, of: "a password"))
    #expect(!PasswordHash.needsRehash("nfc:" + encoded, of: "a password"))
    let weaker = encoded.replacing("m=19456", with: "m=9216")
    #expect(PasswordHash.needsRehash("nfc:" + weaker, of: "a password"))
    #expect(PasswordHash.needsRehash("nfc:", of: "a password"))
  }

  @Test("A hash that needs more memory than available is a fault, not a wrong password")
  func outOfMemory() {
    // The hash needs four tebibytes. The limit makes the allocation fail on every machine.
    var limit = rlimit()
    #expect(getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    limit.rlim_cur = min(limit.rlim_max, 1 << 40)
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    let huge = "nfc:" + encoded.replacing("m=19456", with: "m=4294967295")
    #expect(throws: PasswordHashFault.outOfMemory) {
      try PasswordHash.matches("correct horse battery staple", huge)
    }
  }
}
