import SignInClient
import SignInEngine
import SignInModel
import Testing

@testable import SignInApple

/// A lock that only the phone's owner opens.
@Suite struct KeychainLockTests {
  private func closed(_ phone: StandInPhone) async throws -> KeychainLock {
    let lock = KeychainLock(phone.vault, owner: phone, reason: "Open the app")
    try await lock.close(over: Secret("key"))
    return lock
  }

  private func failure(_ lock: KeychainLock) async -> LockFailure? {
    do throws(LockFault) {
      _ = try await lock.open()
      return nil
    } catch {
      return error.failure
    }
  }

  @Test(
    "P-02 P-07 only the currently enrolled person opens the lock, with a passcode, on this device")
  func attributes() async throws {
    let phone = StandInPhone()

    let lock = try await closed(phone)

    let attributes = phone.attributes(of: "lock")
    #expect(attributes.contains(.biometryCurrentSet(.whenPasscodeSetThisDeviceOnly)))
    #expect(!attributes.contains(.accessible(.afterFirstUnlockThisDeviceOnly)))
    #expect(attributes.contains(.notSynchronizable))
    #expect(phone.prompts.isEmpty)
    #expect(try await lock.open() == Secret("key"))
    #expect(phone.prompts == ["Open the app"])
  }

  @Test("L-30 a cancelled prompt, another finger or a busy sensor destroys nothing")
  func failures() async throws {
    let phone = StandInPhone()
    let lock = try await closed(phone)

    for (owner, expected) in [
      (StandInPhone.Owner.cancels, LockFailure.cancelled), (.unknownPerson, .cancelled),
      (.away, .busy),
    ] {
      phone.set(owner: owner)
      #expect(await failure(lock) == expected, "\(owner)")
    }
    phone.set(owner: .there)
    phone.turn(.locked)
    #expect(await failure(lock) == .busy)
    phone.turn(.neverUnlocked, lies: true)
    #expect(await failure(lock) == .busy)
    phone.turn(.unlocked)
    #expect(try await lock.open() == Secret("key"))
  }

  @Test(
    "L-30 a changed finger or face is reported as changed, whether its item is missing or refused")
  func enrolmentChanged() async throws {
    for throwsAway in [true, false] {
      let phone = StandInPhone()
      let lock = try await closed(phone)

      phone.enrol(throwsAway: throwsAway)

      #expect(await failure(lock) == .changed, "\(throwsAway)")
    }
  }

  @Test("L-30 A fingerprint that is not enrolled fails as cancelled, not as changed biometrics")
  func setAgain() async throws {
    let phone = StandInPhone()
    _ = try await closed(phone)
    phone.enrol()
    let lock = try await closed(phone)
    phone.set(owner: .unknownPerson)

    #expect(await failure(lock) == .cancelled)
  }

  @Test("L-30 removing the passcode removes the lock")
  func passcodeRemoved() async throws {
    let phone = StandInPhone()
    let lock = try await closed(phone)

    phone.removePasscode()

    #expect(await failure(lock) == .changed)
    #expect(await lock.isPossible() == false)
  }

  @Test("L-21 a lock of an earlier install opens nothing")
  func reinstall() async throws {
    let phone = StandInPhone()
    let lock = try await closed(phone)

    phone.reinstall()

    #expect(await failure(lock) == .changed)
  }

  @Test(
    "P-07 a phone without a sensor or enrolment has no lock; a phone that is locked out has one")
  func possible() async throws {
    let phone = StandInPhone()
    let lock = KeychainLock(phone.vault, owner: phone, reason: "r")
    #expect(await lock.isPossible())

    phone.setLockedOut(true)
    #expect(await lock.isPossible())
    await #expect(throws: LockFault(.busy)) { try await lock.close(over: Secret("key")) }
    phone.setLockedOut(false)
    phone.forgetOwner()

    #expect(await lock.isPossible() == false)
    await #expect(throws: LockFault(.impossible)) { try await lock.close(over: Secret("key")) }
  }

  @Test("S-04 a removed lock no longer exists")
  func remove() async throws {
    let phone = StandInPhone()
    let lock = try await closed(phone)

    await lock.remove()

    #expect(!phone.accounts.contains("lock"))
  }
}
