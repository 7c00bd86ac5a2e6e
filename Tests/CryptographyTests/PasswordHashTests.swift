import Cryptography
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
  /// Made by another implementation of Argon2id with the same parameters.
  private let encoded =
    "$argon2id$v=19$m=19456,t=2,p=1$ZmllbGRwYXNzLXRlc3RzIQ"
    + "$oeArsvZFDZbtZYxQStSaNTMavF/74atfzQjeBSlbM1w"

  @Test("a hash made elsewhere matches its password, and no other")
  func matchesForeignHash() {
    #expect(PasswordHash.matches("correct horse battery staple", encoded))
    #expect(!PasswordHash.matches("correct horse battery stapler", encoded))
    #expect(!PasswordHash.matches("", encoded))
  }

  @Test("a new hash names its parameters, matches, and differs each time")
  func makes() {
    let first = PasswordHash.make("päßword")
    let second = PasswordHash.make("päßword")

    #expect(first.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(first != second)
    #expect(PasswordHash.matches("päßword", first))
    #expect(!PasswordHash.matches("passwort", first))
  }

  @Test("a hash that cannot be read matches nothing, and takes as long")
  func refusesUnreadable() {
    for unreadable in ["", "password", "$argon2id$v=19$m=19456,t=2,p=1$", "\0"] {
      let started = ContinuousClock.now
      #expect(!PasswordHash.matches("password", unreadable))
      let unreadableTime = ContinuousClock.now - started

      // An answer without the work takes microseconds; the work takes many milliseconds.
      #expect(unreadableTime > .milliseconds(2))
    }
  }
}
