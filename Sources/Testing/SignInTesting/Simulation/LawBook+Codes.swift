internal import Cryptography
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension LawBook {
  /// The account whose code this transaction accepted, or `nil`.
  func acceptedCode(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) -> AccountID? {
    guard case .verify(let digest, let typed) = operation.kind,
      let attempt = before.attempts[digest], attempt.progress == .awaitingCode,
      let now = after.attempts[digest], case .proved = now.progress
    else { return nil }
    let account = attempt.account
    expectUnlocked(account, before, operation, "accepted a code")
    expect(
      before.accounts[account]?.status == .active, .activeOnly, "accepted a code of \(account.text)"
    )
    if before.accounts[account]?.role != .rider {
      expect(provedPassword.contains(digest), .bothFactorsRequired, "a code without its password")
    }
    expectOwnDevice(attempt, operation)
    provedCode.insert(digest)
    let place = CodePlace(
      account: account, purpose: .signIn, holder: Self.holder(of: account, operation, before))
    answeredMessages(of: account, for: place.holder, after)
    judge(typed, at: place, boundTo: operation.device, operation)
    return account
  }

  /// Checks the allowed changes of a sent code: it is used, replaced by its own holder, moved with
  /// its own device, ended by a sign-out, or removed with a forgotten device.
  func challengesChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) {
    // The code of a forgotten device is removed with it, so its next code needs no wait.
    for place in before.challenges.keys where after.challenges[place] == nil {
      guard case .knownDevice(let key) = place.holder else { continue }
      let isKnown = after.knownDevices.values.contains {
        $0.account == place.account && $0.proofKeyThumbprint == key
      }
      if !isKnown, let id = newest[place] { codes[id]?.isForgotten = true }
    }
    for (place, challenge) in after.challenges where before.challenges[place] != challenge {
      if var code = codes[challenge.id] {
        expect(
          code.key == challenge.proofKeyThumbprint, .ownDevice,
          "a code of \(place.account.text) moved to another device"
        )
        if code.place != place, place.holder != .unknownDevices {
          code.place = place
          codes[challenge.id] = code
          newest[place] = challenge.id
        }
      }
      if isEnded(place, before, after) { continue }
      expect(
        place.holder == .unknownDevices || place.holder == .knownDevice(operation.device),
        .codesApart, "another device changed a code of \(place.account.text)"
      )
    }
  }

  /// Notes the codes that a sign-out of their account ended, after the accepted code was checked.
  func signOutsEndCodes(_ before: MemoryTables, _ after: MemoryTables) {
    for (place, challenge) in after.challenges where isEnded(place, before, after) {
      codes[challenge.id]?.isEnded = true
    }
  }

  private func isEnded(
    _ place: CodePlace, _ before: MemoryTables, _ after: MemoryTables
  ) -> Bool {
    guard let earlier = before.challenges[place], let challenge = after.challenges[place],
      before.accounts[place.account]?.signedOutAt != after.accounts[place.account]?.signedOutAt
    else { return false }
    return challenge != earlier && challenge == earlier.consumed()
  }

  /// Checks an accepted code: it must be the newest one and bound to `key`.
  func judge(
    _ typed: String, at place: CodePlace, boundTo key: String, _ operation: SimulatedOperation
  ) {
    let account = place.account
    let unproved = place.purpose == .signIn ? Law.bothFactorsRequired : .resetNeedsCode
    let digits = typed.filter { $0 != " " }
    guard let id = newest[place], var code = codes[id], !code.isDecoy else {
      return broken(unproved, "\(account.text) was accepted without a code")
    }
    guard code.text == digits else {
      let isOlder = codes.values.contains { $0.place == place && $0.text == digits }
      return broken(
        isOlder ? .oneLiveCode : unproved, "\(account.text) was accepted with another code"
      )
    }
    expect(code.key == key, .ownDevice, "a code of \(account.text) worked on another device")
    expect(!code.isConsumed, .acceptedOnce, "the code of \(account.text) was accepted again")
    expect(!code.isEnded, .acceptedOnce, "a code of \(account.text) outlived a sign-out")
    let age = operation.readClock.milliseconds - code.madeAt.milliseconds
    expect(age < 300_000, .fiveMinutes, "accepted a code \(age) ms old")
    code.isConsumed = true
    codes[id] = code
  }

  // MARK: Messages

  func messagesChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) {
    for (id, message) in after.messages {
      guard let earlier = before.messages[id] else {
        recorded(message, before, after, operation)
        continue
      }
      if message.tries > earlier.tries {
        takeUps[id] = message.tries
        expect(
          earlier.leasedUntil <= operation.readClock, .oneHandOver, "a leased message was taken up"
        )
      }
    }
  }

  private func recorded(
    _ message: OutboxMessage, _ before: MemoryTables, _ after: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    if message.kind == .notice { return noticed(message, before, after) }
    operation.messageCount += 1
    expect(operation.messageCount == 1, .oneMessage, "a request recorded a second message")
    if let place = after.challenges.first(where: { $1.id == message.id })?.key,
      place.purpose == .contactChange
    {
      return contactCodeRecorded(message, at: place, operation)
    }
    let isDecoy = message.state == .decoy
    if !isDecoy {
      expectWanted(message, before, after, operation)
    }
    guard
      let text = SimulatedKeys.keyring.outbox.open(message.sealedText, context: message.id)
    else { return broken(.oneMessage, "a message that cannot be opened") }
    guard let place = after.challenges.first(where: { $1.id == message.id })?.key else {
      return broken(.oneLiveCode, "the code sent to \(message.to.text) is not the newest one")
    }
    if !isDecoy, let phone = message.to.phone {
      countMessage(to: phone, for: place.holder, operation)
    }
    let asker = Self.holder(of: place.account, operation, before)
    expect(
      place.holder == asker, .codesApart,
      "a code of \(place.account.text) was sent under another holder"
    )
    let isTheirs = after.accounts[place.account].map { $0.phone == message.to.phone } ?? isDecoy
    expect(isTheirs, .oneLiveCode, "a code of \(place.account.text) went to another number")
    if let id = newest[place], let earlier = codes[id], !Self.wasNotDelivered(before.messages[id]) {
      let rest = operation.readClock.milliseconds - earlier.madeAt.milliseconds
      expect(
        rest >= 60_000 || earlier.isConsumed || earlier.isForgotten, .cooldown,
        "\(place.account.text) got a code \(rest) ms after another"
      )
    }
    codes[message.id] = IssuedCode(
      place: place, text: String(decoding: text.prefix(6), as: UTF8.self),
      key: after.challenges[place]?.proofKeyThumbprint ?? "", madeAt: operation.readClock,
      isDecoy: isDecoy
    )
    newest[place] = message.id
  }

  /// A notice must go to an account's own address, or to one that it had before and can restore.
  ///
  /// It contains no code.
  private func noticed(
    _ message: OutboxMessage, _ before: MemoryTables, _ after: MemoryTables
  ) {
    let accounts = Array(before.accounts.values) + Array(after.accounts.values)
    let isTheirs = accounts.contains {
      $0.phone.map { .phone($0) } == message.to || $0.email.map { .email($0) } == message.to
    }
    let isRestorable = before.revocableChanges.values.contains {
      $0.before?.value == message.to && $0.undoneAt == nil
    }
    expect(
      isTheirs || isRestorable, .oneMessage,
      "a notice to \(message.to.text), which no account has")
    guard
      let text = SimulatedKeys.keyring.outbox.open(message.sealedText, context: message.id)
    else { return broken(.oneMessage, "a notice that cannot be opened") }
    // The secret of a link is random.
    let parts = String(decoding: text, as: UTF8.self).split { $0.isWhitespace }
      .filter { !$0.contains(Endpoint.undoContactChange.path) }
    let words = parts.flatMap { part in part.split { !$0.isNumber } }
    expect(
      !words.contains { $0.count == 6 }, .oneMessage, "a notice contains a possible code"
    )
  }

  /// Whether a message failed, so that no wait is needed.
  private static func wasNotDelivered(_ message: OutboxMessage?) -> Bool {
    message?.state == .failed || message?.receipt == .undelivered
  }

  private func expectWanted(
    _ message: OutboxMessage, _ before: MemoryTables, _ after: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    // Accounts of several roles can have one number.
    let sent = after.challenges.first { $1.id == message.id }?.key.account
    let owner =
      sent.flatMap { after.accounts[$0] }
      ?? after.accounts.values.first { $0.phone.map { .phone($0) } == message.to }
    guard let owner, owner.status == .active else {
      return broken(.noMessageWhenLocked, "a message to \(message.to.text), who is not active")
    }
    let counter: LockoutKey
    if case .forgot = operation.kind {
      counter = Self.resetCounter(
        of: owner.id, heldBy: Self.holder(of: owner.id, operation, before))
    } else {
      counter = Self.counter(of: owner.id, operation, before)
    }
    if let until = before.lockouts[counter]?.lockedUntil, operation.readClock < until {
      broken(.noMessageWhenLocked, "a message to \(owner.id.text), who is locked")
    }
  }

  /// A provider accepted a message.
  ///
  /// Without `isRepeatable` it cannot recognise a repetition, so few are allowed.
  func handedOver(_ message: TextMessage, isRepeatable: Bool) {
    let text = message.text.revealed
    expect(texts[message.id] ?? text == text, .oneText, "two texts under \(message.id)")
    texts[message.id] = text
    ownMessageHandedOver(message)
    let count = (handOvers[message.id] ?? 0) + 1
    handOvers[message.id] = count
    let taken = takeUps[message.id] ?? 0
    expect(count <= taken, .oneHandOver, "handed over \(count) times, taken up \(taken) times")
    expect(
      isRepeatable || count <= HandOver.unclearLimit, .oneHandOver, "handed over \(count) times")
    if let code = codes[message.id] {
      expect(!code.isDecoy, .noMessageWhenLocked, "the message of a decoy was handed over")
      expect(text.hasPrefix(code.text), .oneText, "another code than the one recorded")
    }
  }
}
