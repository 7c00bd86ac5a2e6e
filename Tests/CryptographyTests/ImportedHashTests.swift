import Testing

@testable import Cryptography

@Suite("Password hashes of other systems")
struct ImportedHashTests {
  /// The hash of `U*U`, as the authors of bcrypt publish it.
  private static let published = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

  @Test("A bcrypt hash matches its password and no other")
  func bcrypt() throws {
    #expect(try PasswordHash.matches("U*U", Self.published))
    #expect(try !PasswordHash.matches("U*V", Self.published))
    #expect(try !PasswordHash.matches("", Self.published))
    #expect(try !PasswordHash.matches("U*U\0", Self.published))
    #expect(PasswordHash.needsRehash(Self.published, of: "U*U"))
  }

  /// Hashes of `a`, repeated.
  private static let lettersOf71 = "$2b$04$CCCCCCCCCCCCCCCCCCCCC.ZP48wSDJeZC4KEEZRkahyfLke0vxZNC"
  private static let lettersOf72 = "$2b$04$CCCCCCCCCCCCCCCCCCCCC.mDyzbhj.9K0apb9O/AGMWwoLXiYAu6u"

  @Test(
    "T-03 a bcrypt hash is replaced only by a hash of a password that it determined",
    arguments: [
      (71, lettersOf71, true), (72, lettersOf72, false), (73, lettersOf72, false),
      (511, lettersOf72, false), (512, lettersOf72, false), (1024, lettersOf72, false),
    ])
  func determined(_ count: Int, _ hash: String, _ isReplaced: Bool) throws {
    let password = String(repeating: "a", count: count)

    #expect(try PasswordHash.matches(password, hash))
    #expect(PasswordHash.needsRehash(hash, of: password) == isReplaced)
    #expect(try PasswordHash.matches(password, hash, evenWith: [.bcrypt(cost: 4)]))
    #expect(
      try PasswordHash.matches(
        password, PasswordHash.make(password), evenWith: [.bcrypt(cost: 4)]))
    #expect(try !PasswordHash.matches("b" + password, hash))
  }

  @Test("A bcrypt hash stays if one of the forms of a password is too long, or has a NUL")
  func forms() {
    // 25 decomposed letters have 75 bytes, and 50 composed.
    let decomposed = String(repeating: "a\u{30A}", count: 25)
    #expect(!PasswordHash.needsRehash(Self.published, of: decomposed))
    #expect(!PasswordHash.needsRehash(Self.published, of: "U*U\0"))
    #expect(PasswordHash.needsRehash(Self.published, of: String(repeating: "å", count: 25)))
  }

  @Test("A hash also matches when the work of other kinds is done in addition")
  func even() throws {
    let kinds: Set<PasswordHashKind> = [
      .bcrypt(cost: 5), .bcrypt(cost: 4), .argon2id(kibibytes: 8, passes: 1),
    ]
    let ours = try PasswordHash.make("U*U")
    for hash in [Self.published, ours] {
      #expect(try PasswordHash.matches("U*U", hash, evenWith: kinds))
      #expect(try !PasswordHash.matches("other", hash, evenWith: kinds))
    }
    #expect(try !PasswordHash.matches("U*U", "no hash", evenWith: kinds))
  }

  @Test("A kind is read from a hash, within its limits, and from its own text form")
  func kinds() throws {
    func argon(_ kibibytes: Int, _ passes: Int, lanes: Int = 1) -> String {
      "$argon2id$v=19$m=\(kibibytes),t=\(passes),p=\(lanes)$bm9ib2R5LWlzLWJlaGluZA"
        + "$Oq29wp2NRUM3gNFfL55MvEaKqED7sRvZSppexESChIk"
    }
    #expect(PasswordHashKind(of: argon(19_456, 2)) == .current)
    #expect(PasswordHashKind(of: try PasswordHash.make("a")) == .current)
    for (value, isTaken) in [(7, false), (8, true), (65_536, true), (65_537, false)] {
      #expect((PasswordHashKind(of: argon(value, 3)) != nil) == isTaken, "\(value) KiB")
    }
    for (value, isTaken) in [(0, false), (1, true), (10, true), (11, false)] {
      #expect((PasswordHashKind(of: argon(64, value)) != nil) == isTaken, "\(value) passes")
    }
    #expect(PasswordHashKind(of: argon(64, 1, lanes: 4)) == nil)
    for (cost, isTaken) in [
      ("03", false), ("04", true), ("12", true), ("13", false), ("31", false),
    ] {
      let hash = Self.published.replacing("$05$", with: "$\(cost)$")
      #expect((PasswordHashKind(of: hash) != nil) == isTaken, "cost \(cost)")
    }
    for text in [
      "", "$2b$10$short", Self.published + "x", Self.published.replacing("$2a$", with: "$2x$"),
      Self.published.replacing("CCC", with: "C C"), "$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA",
    ] {
      #expect(PasswordHashKind(of: text) == nil, "\(text)")
    }
    for kind in [
      PasswordHashKind.current, .bcrypt(cost: 10), .argon2id(kibibytes: 65_536, passes: 3),
    ] {
      #expect(PasswordHashKind(word: kind.word) == kind)
    }
    for word in ["b3", "b13", "a1.1", "a64", "c", "b"] {
      #expect(PasswordHashKind(word: word) == nil, "\(word)")
    }
  }
}
