import Foundation
import SignInClient
import Synchronization

@testable import SignInApple

/// A phone as Apple documents it: a keychain that survives the removal of apps, a lock screen, an
/// enrolment, and the container of one app.
///
/// One switch is not in the documentation: a locked keychain that answers "no such item".
final class StandInPhone: Sendable {
  enum Screen { case neverUnlocked, locked, unlocked }

  /// The person's reaction to a prompt.
  enum Owner { case there, away, unknownPerson, cancels }

  private struct Item {
    let attributes: [KeychainAttribute]
    var data: [UInt8]
    let isForOwner: Bool
    let enrolment: Int
  }

  private struct Key: Hashable {
    let service: String
    let account: String
  }

  private struct State {
    var items: [Key: Item] = [:]
    var screen = Screen.unlocked
    var owner = Owner.there
    var enrolment: Int? = 1
    var hasPasscode = true
    var isLockedOut = false
    /// Whether a locked keychain answers "no such item" (L-20).
    var lies = false
    /// Whether the system deletes an item of another enrolment, or refuses to read it.
    var throwsChangedAway = true
    var isEntitled = true
    var container: String?
    var isContainerReadable = true
    var isContainerFull = false
    var prompts: [String] = []
  }

  private let state = Mutex(State())

  init() {}

  // MARK: Changes from outside

  func turn(_ screen: Screen, lies: Bool = false) {
    state.withLock {
      $0.screen = screen
      $0.lies = lies
    }
  }

  func set(owner: Owner) { state.withLock { $0.owner = owner } }

  func enrol(throwsAway: Bool = true) {
    state.withLock {
      $0.enrolment = ($0.enrolment ?? 0) + 1
      $0.throwsChangedAway = throwsAway
    }
  }

  /// Removes all enrolled fingers and faces.
  func forgetOwner() { state.withLock { $0.enrolment = nil } }

  /// Removes the passcode; the system then deletes items that need one.
  func removePasscode() {
    state.withLock { state in
      state.hasPasscode = false
      state.enrolment = nil
      state.items = state.items.filter { !$0.value.isForOwner }
    }
  }

  func setLockedOut(_ isLockedOut: Bool) { state.withLock { $0.isLockedOut = isLockedOut } }

  /// Deletes and installs the app again: its container is removed, the keychain stays.
  func reinstall() { state.withLock { $0.container = nil } }

  func setContainer(readable: Bool = true, full: Bool = false) {
    state.withLock {
      $0.isContainerReadable = readable
      $0.isContainerFull = full
    }
  }

  func takeEntitlement() { state.withLock { $0.isEntitled = false } }

  /// Restores a backup on another phone, without the items that belong to this device alone.
  func restoreToAnotherPhone() {
    state.withLock {
      $0.items = [:]
      $0.container = nil
    }
  }

  // MARK: Observations

  var prompts: [String] { state.withLock { $0.prompts } }

  var accounts: Set<String> { state.withLock { Set($0.items.keys.map { $0.account }) } }

  func attributes(of account: String) -> [KeychainAttribute] {
    state.withLock { state in
      state.items.first { $0.key.account == account }?.value.attributes ?? []
    }
  }

  func bytes(of account: String) -> [UInt8]? {
    state.withLock { state in state.items.first { $0.key.account == account }?.value.data }
  }
}

// MARK: - The keychain

extension StandInPhone: SecurityFunctions {
  func copyMatching(_ query: [KeychainAttribute]) -> (status: KeychainStatus, data: [UInt8]?) {
    state.withLock { state in
      if let refusal = Self.refusal(state) { return (refusal, nil) }
      guard let key = Self.key(query), let item = state.items[key] else {
        return (.itemNotFound, nil)
      }
      guard item.isForOwner else { return (.success, item.data) }
      return Self.askOwner(&state, key, item, query)
    }
  }

  private static func askOwner(
    _ state: inout State, _ key: Key, _ item: Item, _ query: [KeychainAttribute]
  ) -> (status: KeychainStatus, data: [UInt8]?) {
    var reason: String?
    for case .showsPrompt(let text) in query { reason = text }
    guard let reason, state.screen == .unlocked else { return (.interactionNotAllowed, nil) }
    guard item.enrolment == state.enrolment else {
      if state.throwsChangedAway { state.items[key] = nil }
      return (state.throwsChangedAway ? .itemNotFound : .authFailed, nil)
    }
    state.prompts.append(reason)
    switch state.owner {
    case .there: return (.success, item.data)
    case .cancels: return (.userCanceled, nil)
    case .unknownPerson: return (.authFailed, nil)
    case .away: return (.interactionNotAllowed, nil)
    }
  }

  func add(_ item: [KeychainAttribute]) -> KeychainStatus {
    state.withLock { state in
      // An addition always gives a true answer: it fails if the item exists or the keychain is
      // locked.
      if state.screen == .neverUnlocked { return .interactionNotAllowed }
      if !state.isEntitled { return .missingEntitlement }
      guard let key = Self.key(item) else { return KeychainStatus(-50) }
      guard state.items[key] == nil else { return .duplicateItem }
      var data: [UInt8] = []
      for case .data(let bytes) in item { data = bytes }
      let isForOwner = item.contains(.biometryCurrentSet(.whenPasscodeSetThisDeviceOnly))
      if isForOwner, !state.hasPasscode || state.enrolment == nil { return .notAvailable }
      state.items[key] = Item(
        attributes: item, data: data, isForOwner: isForOwner, enrolment: state.enrolment ?? 0)
      return .success
    }
  }

  func update(_ query: [KeychainAttribute], to change: [KeychainAttribute]) -> KeychainStatus {
    state.withLock { state in
      if let refusal = Self.refusal(state) { return refusal }
      guard let key = Self.key(query), state.items[key] != nil else { return .itemNotFound }
      for case .data(let bytes) in change { state.items[key]?.data = bytes }
      return .success
    }
  }

  func delete(_ query: [KeychainAttribute]) -> KeychainStatus {
    state.withLock { state in
      if let refusal = Self.refusal(state) { return refusal }
      guard let key = Self.key(query) else { return .itemNotFound }
      return state.items.removeValue(forKey: key) == nil ? .itemNotFound : .success
    }
  }

  /// All these items are readable after the first unlock.
  private static func refusal(_ state: State) -> KeychainStatus? {
    if !state.isEntitled { return .missingEntitlement }
    guard state.screen == .neverUnlocked else { return nil }
    return state.lies ? .itemNotFound : .interactionNotAllowed
  }

  private static func key(_ query: [KeychainAttribute]) -> Key? {
    var (service, account): (String?, String?)
    for attribute in query {
      if case .service(let name) = attribute { service = name }
      if case .account(let name) = attribute { account = name }
    }
    guard let service, let account else { return nil }
    return Key(service: service, account: account)
  }
}

extension StandInPhone: UserVerification {
  func check() -> OwnerCheck {
    state.withLock { state in
      guard let enrolment = state.enrolment, state.hasPasscode else { return .impossible }
      return state.isLockedOut ? .lockedOut : .possible(enrolment: [UInt8(enrolment)])
    }
  }
}

extension StandInPhone: InstallMarker {
  func read() -> MarkerReading {
    state.withLock { state in
      guard state.isContainerReadable else { return .temporarilyUnreadable }
      return state.container.map { .value($0) } ?? .absent
    }
  }

  func write(_ name: String) -> Bool {
    state.withLock { state in
      guard state.isContainerReadable, !state.isContainerFull else { return false }
      state.container = name
      return true
    }
  }

  func writeFirst(_ name: String) -> Bool {
    if case .value = read() { return true }
    return write(name)
  }
}

extension StandInPhone {
  var vault: KeychainVault { KeychainVault(service: "app", security: self, marker: self) }
}

extension KeychainStatus {
  /// The keychain refuses an item for the owner (`errSecNotAvailable`).
  fileprivate static let notAvailable = KeychainStatus(-25291)
}
