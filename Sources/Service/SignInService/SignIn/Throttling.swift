import SignInModel
import SignInRules
import SignInWire

/// The limits for an app's requests from one origin, checked before anything is sent or compared
/// (L-09, L-16).
///
/// It decides in the transaction that records the admitted request. Counts are stored under keyed
/// digests of canonical values: an E.164 number, a network, a key's thumbprint.
struct Throttling: Sendable {
  typealias Records = EventRecords & RefusalRecords & ThrottleRecords

  let client: AppRegistration
  let caller: Caller
  let keyring: Keyring
  /// False in development, where all test requests come from one address and often have one key.
  let limitsOrigins: Bool
  var router: MessengerRouter?
  /// The thumbprint of the requesting device's key, if the device is known to the account.
  ///
  /// The limits of the network address do not apply to a known device. It has its own limit for the
  /// number, and can use the reserved part of the budgets.
  var knownDevice: String?
  /// Whether the messages go to an address or a number that the person does not have yet.
  private(set) var isForNewContact = false

  /// The limits of codes to an address or a number that the person does not have yet.
  ///
  /// The message may go to any person, so a known device has no limits of its own. All who ask for
  /// such messages share one limit for the address or number.
  func forNewContact() -> Throttling {
    var throttling = self
    (throttling.knownDevice, throttling.isForNewContact) = (nil, true)
    return throttling
  }

  /// The same limits for the device of this bucket.
  func held(by bucket: FailureBucket) -> Throttling {
    var throttling = self
    throttling.knownDevice = bucket.device
    return throttling
  }
}

extension World {
  func throttling(for client: AppRegistration, by caller: Caller) -> Throttling {
    Throttling(
      client: client, caller: caller, keyring: keyring, limitsOrigins: throttlesOrigins,
      router: router
    )
  }
}

/// A text message that a request would cause.
struct IntendedMessage: Sendable {
  let phone: PhoneNumber
  /// Nil if the number has no account, which a concealed app must not reveal.
  ///
  /// Then nothing is sent.
  let account: AccountID?
  /// The organization that pays; nil if the account has none.
  let organization: OrganizationID?
  /// The price in millionths of the operator's currency, if it is known.
  var price: Int64?
  /// Whether the message is sent although the number has no account yet.
  var isForRegistration = false

  /// A decoy has the same limits, but does not use up the budgets.
  ///
  /// Otherwise messages to unknown numbers would use up the budgets of existing accounts.
  var isDecoy: Bool { account == nil && !isForRegistration }

  /// The requested organization pays only for its own members.
  init(to phone: PhoneNumber, for account: Account?, asked: OrganizationID?) {
    self.phone = phone
    self.account = account?.id
    let own = account?.organizations ?? []
    organization = asked.flatMap { own.contains($0) ? $0 : nil } ?? own.first
  }
}

extension Throttling {
  /// Counts one message, or returns the reason why it must not be sent.
  ///
  /// A refused message is not counted.
  ///
  /// Call it after the checks for lockout and cooldown, and directly before the message is
  /// recorded.
  func admit(
    _ message: IntendedMessage, at now: Instant, _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    if let why = client.reasonNotToSend(to: message.phone) {
      return try refusal(because: why, about: message.account, at: now, transaction)
    }
    // This is checked before anything is counted, and also for an unknown number.
    if let until = router?.outageEnd(for: message.phone, at: now) {
      try transaction.recordRefusal(
        of: source(.refusedUndeliverable), meeting: message.account, by: caller, at: now
      )
      return .deliveryFailed(until: until, at: now)
    }
    return try admit(
      recipientRules(for: message) + originRules, about: message.account, at: now, transaction
    )
  }

  /// Records that the app sends nothing to a number, and returns the refusal.
  func refusal(
    because why: UnsupportedNumberReason, about account: AccountID?, at now: Instant,
    _ transaction: any EventRecords & RefusalRecords
  ) throws(StoreFault) -> Refusal {
    try transaction.recordRefusal(
      of: source(.refusedTooOften, why.rawValue), meeting: account, by: caller, at: now)
    return .notServed(why, until: now.adding(seconds: Throttle.Limit.daySeconds), at: now)
  }

  /// Counts one e-mail with a code, or refuses it.
  ///
  /// The limits of a number apply to the address, and the app has one budget for all messages.
  func admitMail(
    to address: EmailAddress, about account: AccountID, at now: Instant,
    _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    var budget = appRule()
    budget.keepShareForKnownDevices()
    return try admit(
      [recipientRule(.email(address)), budget] + originRules, about: account, at: now, transaction)
  }

  /// Counts one request for a message against its origin only, or refuses it.
  ///
  /// Use it if the answer must not depend on the account. `admitsWithoutRefusal` then decides
  /// whether a message is sent.
  func admitMessageRequest(
    about account: AccountID?, at now: Instant, _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    try admit(originRules, about: account, at: now, transaction)
  }

  /// Counts one message, unless it must not be sent.
  ///
  /// The answer to the request must not depend on the result.
  func admitsWithoutRefusal(
    _ message: IntendedMessage, at now: Instant, _ transaction: any Records
  ) throws(StoreFault) -> Bool {
    if let why = client.reasonNotToSend(to: message.phone) {
      try transaction.recordRefusal(
        of: source(.refusedTooOften, why.rawValue), meeting: message.account, by: caller, at: now
      )
      return false
    }
    return try admit(
      recipientRules(for: message), about: message.account, at: now, transaction
    ) == nil
  }

  /// Counts one answer as a failure before it is compared, or refuses to compare it.
  ///
  /// If the answer is right, call `takeBackFailure`. If a right answer then causes a message, a
  /// refusal also states the time until the limits of its sender admit that.
  func admitAnswer(
    about account: AccountID?, causingMessage: Bool = false, at now: Instant,
    _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    try admit(
      failureRules, before: causingMessage ? originRules : [], about: account, at: now, transaction)
  }

  /// Counts one registration, or refuses it.
  ///
  /// It has a count of its own, because people who register behind one address must not stop those
  /// who mistype there, and wrong answers must not stop registrations.
  func admitRegistration(
    at now: Instant, _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    try admit(registrationRules, about: nil, at: now, transaction)
  }

  /// Takes back the failure that was counted at `moment`, because the answer was right or was never
  /// compared.
  func takeBackFailure(
    countedAt moment: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    try failureRules.removeOccurrence(countedAt: moment, transaction)
  }

  /// Counts one sign-in at a provider that is not complete, or refuses to begin it.
  ///
  /// It has a limit of its own: a web page that makes browsers begin sign-ins must not use up the
  /// network's limit for wrong passwords, and wrong passwords must not stop sign-ins at a provider.
  /// If the sign-in is completed, call `completedProviderSignIn`.
  func admitProviderSignIn(
    at now: Instant, _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    try admit(providerRules, about: nil, at: now, transaction)
  }

  /// Takes back the sign-in at a provider that was counted at `moment`, because it was completed.
  func completedProviderSignIn(
    of account: AccountID, begunAt moment: Instant, at now: Instant,
    _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    try transaction.prepareThrottles(providerRules.map(\.key) + earningKeys(account))
    try providerRules.removeOccurrence(countedAt: moment, transaction)
    try earnRoom(from: account, at: now, transaction)
  }

  /// Locks and reads the counters of an answer and of its completed sign-in together.
  ///
  /// Call it before `admitAnswer`, if `completed` may follow. The count of entered codes is not
  /// among them, because many numbers share it and only a right code needs it.
  func prepareAnswer(
    from account: Account?, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    try prepareAnswer(
      from: account?.phone.map { .phone($0) },
      earning: account.map { earningKeys($0.id) } ?? [], transaction)
  }

  /// The same for an address or a number that may have no account yet, which earns no room for the
  /// network.
  func prepareAnswer(
    from recipient: Recipient?, earning: [ThrottleKey] = [], _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    let rules =
      failureRules + (deviceRule.map { [$0] } ?? []) + messageAddressRules
      + (recipient.map { [recipientRule($0)] } ?? [])
    try transaction.prepareThrottles(rules.flatMap(\.keys) + earning)
  }

  /// Updates the counts after a right answer to the code that was sent to the account at `sentAt`.
  ///
  /// Call `prepareAnswer` first.
  ///
  /// The message reached the person who requested it, so it no longer counts against the number,
  /// the device and the address. Messages that unknown devices requested still count, so that a
  /// sign-in changes nothing for others. Budgets do not change, because the message was paid for.
  /// The address gets room for more unfinished sign-ins.
  func completed(
    _ account: Account, sentAt: Instant, at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    try earnRoom(from: account.id, at: now, transaction)
    guard let phone = account.phone else { return }
    try completed(to: .phone(phone), sentAt: sentAt, at: now, transaction)
  }

  /// The same for an address or a number that may have no account yet, which earns no room for the
  /// network.
  func completed(
    to recipient: Recipient, sentAt: Instant, at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    if knownDevice == nil {
      try recipientRule(recipient).removeOccurrence(countedAt: sentAt, transaction)
    } else {
      try recipientRule(recipient).clear(transaction)
    }
    if let deviceRule { try deviceRule.clear(transaction) }
    // A message of a known device was not counted against the address.
    for rule in messageAddressRules where knownDevice == nil {
      try rule.removeOccurrence(countedAt: sentAt, transaction)
    }
    guard let phone = recipient.phone else { return }
    var entered = try transaction.throttle(enteredKey(phone))
    let limits = client.policy.messagesPerPrefix
    entered.count(at: now, under: limits)
    try transaction.save(
      entered, for: enteredKey(phone), quietFrom: entered.quietFrom(now, under: limits)
    )
  }

  /// The key for counting entered codes of numbers with the same prefix.
  private func enteredKey(_ phone: PhoneNumber) -> ThrottleKey {
    keyring.throttleKey(.budget, "entered", phone.prefix)
  }
}

extension Throttling {
  private func recipientRules(for message: IntendedMessage) -> [ThrottleRule] {
    let policy = client.policy
    var rules = [
      recipientRule(.phone(message.phone)),
      rule(
        .budget, "prefix", message.phone.prefix, policy.messagesPerPrefix, isRead: message.isDecoy),
      appRule(isRead: message.isDecoy),
    ]
    if let price = message.price {
      var rule = rule(.budget, "price", client.id.text, policy.costPerApp, isRead: message.isDecoy)
      rule.weight = price
      rules.append(rule)
    }
    if let organization = message.organization {
      rules.append(rule(.budget, "organization", organization.text, policy.messagesPerOrganization))
    }
    guard knownDevice == nil else { return rules }
    // Only unknown devices request codes without entering them, and only they may not use the last
    // part of a budget.
    rules[1].conversionLimit = (policy.lowConversionStop, enteredKey(message.phone))
    for index in rules.indices.dropFirst() { rules[index].keepShareForKnownDevices() }
    return rules
  }

  /// A known device needs only its own limit.
  ///
  /// So other devices at the same address use up nothing of it.
  private var originRules: [ThrottleRule] {
    let device = deviceRule.map { [$0] } ?? []
    guard knownDevice == nil else { return device }
    return device + messageAddressRules
  }

  private var messageAddressRules: [ThrottleRule] {
    addressRules(.origin, "sends", client.policy.sendsPerAddress)
  }

  /// A known device has its own lockout, which begins sooner than the limit of its address.
  private var failureRules: [ThrottleRule] {
    guard knownDevice == nil else { return [] }
    return addressRules(.failures, "failures", client.policy.failuresPerAddress)
  }

  private var providerRules: [ThrottleRule] {
    addressRules(.failures, "providers", [.hourly(ProviderJourney.Limits.openPerAddress)])
  }

  /// As many as wrong answers, because one address does not need more accounts in an hour.
  private var registrationRules: [ThrottleRule] {
    addressRules(.failures, "registrations", client.policy.failuresPerAddress)
  }

  /// All unknown devices together have one share of the messages to a number.
  ///
  /// Each known device has its own. Those who want to have the number share another one, so that
  /// they use up no code to sign in. An address has the same limits.
  private func recipientRule(_ recipient: Recipient) -> ThrottleRule {
    let share = isForNewContact ? "change" : knownDevice
    let value = share.map { "\(recipient.text)/\($0)" } ?? recipient.text
    let name = recipient.phone == nil ? "email" : "number"
    var rule = rule(.recipient, name, value, client.policy.messagesPerNumber)
    rule.subject = rule.key.text
    return rule
  }

  private func appRule(isRead: Bool = false) -> ThrottleRule {
    rule(.budget, "client", client.id.text, client.policy.messagesPerApp, isRead: isRead)
  }

  private var deviceRule: ThrottleRule? {
    guard limitsOrigins, let thumbprint = caller.proofKeyThumbprint else { return nil }
    return rule(.origin, "device", ofThisApp(thumbprint), client.policy.sendsPerDevice)
  }

  /// People who use one app must not use up the limits of another app, such as the console.
  private func ofThisApp(_ value: String) -> String { "\(client.id.text) \(value)" }

  /// One rule for the network, and for IPv6 a second one for the /48 site, because one customer has
  /// many networks.
  private func addressRules(
    _ kind: ThrottleKind, _ name: String, _ limits: [Throttle.Limit]
  ) -> [ThrottleRule] {
    addresses.map { address in
      let limits = limits.map { limit in
        Throttle.Limit(limit.count * address.share, inSeconds: limit.windowSeconds)
      }
      var rule = rule(kind, "\(address.kind) \(name)", ofThisApp(address.network), limits)
      rule.earnedKey = earnedKey(address)
      return rule
    }
  }

  private func rule(
    _ kind: ThrottleKind, _ name: String, _ value: String, _ limits: [Throttle.Limit],
    isRead: Bool = false
  ) -> ThrottleRule {
    ThrottleRule(
      name: name, key: keyring.throttleKey(kind, name, value), limits: limits, isRead: isRead)
  }

  /// Counts one occurrence under each rule, or none if a rule refuses it.
  ///
  /// The budgets are locked and checked only after the other rules have admitted the request.
  /// Otherwise a sender far above its own limit would make every request of the app wait.
  ///
  /// A refusal states the moment when all these rules, and those in `later`, admit the request.
  private func admit(
    _ rules: [ThrottleRule], before later: [ThrottleRule] = [], about account: AccountID?,
    at now: Instant, _ transaction: any Records
  ) throws(StoreFault) -> Refusal? {
    let budgets = rules.filter(\.isBudget)
    var counted = try transaction.counted(rules.filter { !$0.isBudget })
    if let source = source(of: counted, at: now) {
      let others = try transaction.countedWithoutLock(budgets + later)
      let until = (counted + others).firstAdmission(from: now)
      return try refusal(until: until, from: source, about: account, at: now, transaction)
    }
    let counts = counted
    let shared = try transaction.counted(budgets)
    for index in counted.indices { counted[index].count(at: now) }
    if let source = source(of: shared, at: now) {
      // A sender that a budget refuses uses up its own limit too. Otherwise it could lock the
      // budget without end.
      let own = counted.filter { $0.rule.key.kind == .origin }
      for count in own { try save(count, at: now, transaction) }
      let others = counts.filter { $0.rule.key.kind != .origin }
      let until = (own + others + shared).firstAdmission(from: now)
      return try refusal(until: until, from: source, about: account, at: now, transaction)
    }
    for var count in shared {
      count.count(at: now)
      counted.append(count)
    }
    for count in counted where !count.rule.isRead { try save(count, at: now, transaction) }
    return nil
  }

  private func save(
    _ counted: CountedRule, at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    try transaction.save(
      counted.throttle, for: counted.rule.key,
      quietFrom: counted.throttle.quietFrom(now, under: counted.rule.limits))
  }

  /// The source of a refusal by these rules; nil if they admit the request.
  private func source(of rules: [CountedRule], at now: Instant) -> RefusalSource? {
    if let rule = rules.refusing(at: now) {
      return source(.refusedTooOften, rule.name, rule.subject)
    }
    guard rules.contains(where: { $0.conversionStop(at: now) != nil }) else { return nil }
    return source(.refusedTooOften, "conversion")
  }

  private func refusal(
    until: Instant, from source: RefusalSource, about account: AccountID?, at now: Instant,
    _ transaction: any EventRecords & RefusalRecords
  ) throws(StoreFault) -> Refusal {
    try transaction.recordRefusal(of: source, meeting: account, by: caller, at: now)
    return .rateLimited(until: until, at: now)
  }

  /// The source of a refusal.
  ///
  /// The limits of an origin are the same for every account, so their refusals are equal for all
  /// accounts.
  private func source(
    _ code: SecurityEvent.Code, _ detail: String? = nil, _ subject: String = ""
  ) -> RefusalSource {
    RefusalSource(
      code: code, subject: subject, client: caller.client, network: caller.origin, detail: detail
    )
  }
}

extension PhoneNumber {
  /// The number without its last four digits.
  ///
  /// A company, or a fraudster, often has many numbers of one such block.
  var prefix: String { String(e164.dropLast(4)) }
}

extension Caller {
  /// The network of one customer: an IPv4 address, or the first half of an IPv6 address.
  var network: String? {
    guard let peer else { return nil }
    do throws(Malformed) {
      let bytes = try NetworkAddress(parsing: peer).networkBytes
      return bytes.map(String.init).joined(separator: ".")
    } catch {
      return peer
    }
  }

  /// The key by which refusals are grouped: all the networks of one customer together.
  var origin: String? { site ?? network }

  /// The largest network of one customer, if it is larger than `network`: the first 48 bits of an
  /// IPv6 address (RFC 6177).
  var site: String? {
    guard let peer else { return nil }
    do throws(Malformed) {
      let address = try NetworkAddress(parsing: peer)
      return address.isIPv6 ? address.siteBytes.map(String.init).joined(separator: ".") : nil
    } catch {
      return nil
    }
  }
}
