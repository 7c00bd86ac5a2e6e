import SignInClient
import SignInEngine
import SignInModel
import Testing

@testable import SignInApple

/// The meaning of the keychain's answers, on a phone that behaves as documented and on others.
@Suite struct KeychainVaultTests {
  @Test("S-01 T-14 an item stays on this device and is readable after the first unlock")
  func attributes() throws {
    let phone = StandInPhone()

    try phone.vault.write("secret", to: "session")

    let attributes = phone.attributes(of: "session")
    for wanted in [
      KeychainAttribute.genericPassword, .service("app"), .account("session"), .notSynchronizable,
      .dataProtection, .accessible(.afterFirstUnlockThisDeviceOnly),
    ] {
      #expect(attributes.contains(wanted), "\(wanted)")
    }
    #expect(phone.vault.name(of: "session").reading.contains(.failsInsteadOfPrompt))
    #expect(phone.vault.read("session") == .value("secret"))
  }

  @Test("S-01 an access group is in every query if one is configured")
  func accessGroup() {
    let name = KeychainItemName(service: "s", account: "a", accessGroup: "team.group")

    for query in [
      name.query, name.reading, name.readingByOwner(reason: "r"), name.adding([1]),
      name.addingForOwner([1]),
    ] {
      #expect(query.contains(.accessGroup("team.group")))
      #expect(query.contains(.notSynchronizable) && query.contains(.dataProtection))
    }
  }

  @Test(
    "L-20 a phone that was never unlocked is temporarily unreadable, with errors -25308 and -25300"
  )
  func locked() throws {
    for lies in [false, true] {
      let phone = StandInPhone()
      try phone.vault.write("secret", to: "session")
      phone.turn(.neverUnlocked, lies: lies)

      #expect(phone.vault.read("session") == .temporarilyUnreadable, "lies: \(lies)")

      phone.turn(.unlocked)
      #expect(phone.vault.read("session") == .value("secret"))
    }
  }

  @Test("L-20 a false report of a missing item is not believed at the first launch either")
  func lockedAtFirstLaunch() {
    let phone = StandInPhone()
    phone.turn(.neverUnlocked, lies: true)

    #expect(phone.vault.read("session") == .temporarilyUnreadable)

    phone.turn(.unlocked)
    #expect(phone.vault.read("session") == .absent)
  }

  @Test("L-20 an existing item that the keychain denies is found by adding it")
  func duplicate() throws {
    let phone = StandInPhone()
    #expect(phone.vault.read("session") == .absent)

    phone.turn(.locked)

    #expect(phone.vault.read("session") == .absent)
    #expect(phone.accounts == ["witness"])
  }

  @Test("S-01 a write changes an item in place and fails on a locked phone")
  func write() throws {
    let phone = StandInPhone()
    try phone.vault.write("one", to: "session")

    try phone.vault.write("two", to: "session")
    #expect(phone.vault.read("session") == .value("two"))
    for lies in [false, true] {
      phone.turn(.neverUnlocked, lies: lies)
      #expect(throws: KeychainVault.Refusal.failed(.interactionNotAllowed)) {
        try phone.vault.write("three", to: "session")
      }
    }
    phone.turn(.unlocked)
    #expect(phone.vault.read("session") == .value("two"))
  }

  @Test("L-34 an app without keychain access learns that there is no secure storage")
  func noEntitlement() async throws {
    let phone = StandInPhone()
    phone.takeEntitlement()
    let storage = KeychainStorage(phone.vault)

    await #expect(throws: StorageFault.noSafePlace) {
      try await storage.write(Secret("secret"), to: .session)
    }
    #expect(await storage.read(.session) == .temporarilyUnreadable)
  }

  // MARK: Reinstall

  @Test("P-12 L-21 after a reinstall no data of the earlier install is read")
  func reinstall() throws {
    let phone = StandInPhone()
    try phone.vault.write("secret", to: "session")

    phone.reinstall()

    #expect(phone.vault.read("session") == .absent)
    #expect(!phone.accounts.contains("session"))
  }

  @Test("L-21 a reinstall is recognized although the phone was locked at the first launch")
  func reinstallWhileLocked() throws {
    for lies in [false, true] {
      let phone = StandInPhone()
      try phone.vault.write("secret", to: "session")
      phone.reinstall()
      phone.turn(.neverUnlocked, lies: lies)
      #expect(phone.vault.read("session") == .temporarilyUnreadable)

      phone.turn(.unlocked)

      #expect(phone.vault.read("session") == .absent)
    }
  }

  @Test("L-21 an app container that cannot be read or written proves no reinstall")
  func containerUnreadable() throws {
    let phone = StandInPhone()
    try phone.vault.write("secret", to: "session")

    phone.setContainer(readable: false)
    #expect(phone.vault.read("session") == .temporarilyUnreadable)
    phone.setContainer()
    #expect(phone.vault.read("session") == .value("secret"))

    phone.reinstall()
    phone.setContainer(full: true)
    #expect(phone.vault.read("session") == .temporarilyUnreadable)
  }

  @Test("L-21 a backup restored on another phone starts signed out")
  func anotherPhone() throws {
    let phone = StandInPhone()
    try phone.vault.write("secret", to: "session")

    phone.restoreToAnotherPhone()

    #expect(phone.vault.read("session") == .absent)
  }

  @Test("L-26 items of version 1 are read; items of a later version are not treated as absent")
  func versions() {
    let known = Array("1\ninstall-1\nthe text\nand more".utf8)

    #expect(InstalledText(known) == InstalledText(install: "install-1", text: "the text\nand more"))
    #expect(InstalledText(known)?.bytes == known)
    for bytes in ["2\ninstall-1\ntext", "1\n\ntext", "1\ntext", ""] {
      #expect(InstalledText(Array(bytes.utf8)) == nil, "\(bytes)")
    }
  }

  // MARK: Erasing

  @Test("L-32 P-12 an item that a locked phone cannot delete counts as left over and is never read")
  func erase() throws {
    for lies in [false, true] {
      let phone = StandInPhone()
      try phone.vault.write("secret", to: "session")
      phone.turn(.neverUnlocked, lies: lies)

      try phone.vault.erase("session")

      phone.turn(.unlocked)
      #expect(phone.vault.read("session") == .absent)
      #expect(!phone.accounts.contains("session"))
    }
  }

  @Test("L-32 erasing a missing item succeeds and leaves the other items")
  func eraseNothing() throws {
    let phone = StandInPhone()
    try phone.vault.write("key", to: "key")

    try phone.vault.erase("session")

    #expect(phone.vault.read("key") == .value("key"))
  }

  @Test("L-22 the clients of one process renew one at a time")
  func gate() async {
    let gate = ClientGate()
    await gate.claim()

    let second = Task { await gate.claim() }
    await Task.yield()
    await gate.release()
    await second.value

    let third = Task { await gate.claim() }
    await gate.release()
    await third.value
  }
}
