import SignInModel
import SignInRules
import SignInWire

/// What an app's requests from one place are held against before anything is sent or compared
/// (L-09, L-16).
///
/// It decides inside the transaction that records what it admits. Counts stand under keyed digests
/// of canonical values: E.164, a network, a key's thumbprint.
struct Throttling: Sendable {
  let client: AppClient
  let caller: Caller
  let keyring: Keyring
  /// False in development, where every check runs from one address and often with one key.
  let holdsOrigins: Bool
  var switchboard: Switchboard?
  /// The thumbprint of the device asking, if it signed in to the account before.
  ///
  /// Such a device has a share of its own in every limit that unknown devices could use up: of its
  /// number, of its network address, and of the budgets of a day.
  var knownDevice: String?

  /// The same for the device that this bucket belongs to.
  func held(by bucket: FailureBucket) -> Throttling {
    var throttling = self
    throttling.knownDevice = bucket.device
    return throttling
  }
}

extension World {
  func throttling(for client: AppClient, by caller: Caller) -> Throttling {
    Throttling(
      client: client, caller: caller, keyring: keyring, holdsOrigins: throttlesOrigins,
      switchboard: switchboard
    )
  }
}

/// A text message that somebody's request would lead to.
struct IntendedMessage: Sendable {
  let phone: PhoneNumber
  /// Nil when nobody has this number, which a concealed app must not tell: nothing will be sent.
  let account: AccountID?
  /// The organization that pays, when the account has one.
  let organization: OrganizationID?
  /// In millionths of the operator's currency, as far as it is known.
  var price: Int64?

  /// A decoy meets the same limits, but leaves the budgets alone: numbers nobody has must not eat
  /// up the messages of people who exist.
  var isDecoy: Bool { account == nil }

  /// The organization that was asked for pays only for its own people.
  init(to phone: PhoneNumber, for account: Account?, asked: OrganizationID?) {
    self.phone = phone
    self.account = account?.id
    let own = account?.organizations ?? []
    organization = asked.flatMap { own.contains($0) ? $0 : nil } ?? own.first
  }
}

extension Throttling {
  /// Counts one message, or says why it must not be sent; nothing is counted then.
  ///
  /// To be asked after lock and cooldown, and right before the message is recorded.
  func admit(
    _ message: IntendedMessage, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer? {
    if let why = client.neverSends(to: message.phone) {
      let tomorrow = now.adding(seconds: Throttle.Limit.daySeconds)
      try transaction.recordRefusal(
        of: source(.refusedTooOften, why.rawValue), meeting: message.account, by: caller, at: now
      )
      return .notServed(why, until: tomorrow, at: now)
    }
    // Known before anything is counted, and the same for a number that belongs to nobody.
    if let until = switchboard?.isOut(to: message.phone, at: now) {
      try transaction.recordRefusal(
        of: source(.refusedUndeliverable), meeting: message.account, by: caller, at: now
      )
      return .deliveryFailed(until: until, at: now)
    }
    return try admit(
      recipientRules(for: message) + originRules, about: message.account, at: now, transaction
    )
  }

  /// Counts one wish for a message against the place it comes from alone, or refuses it.
  ///
  /// To be asked where the answer may not depend on who is meant: `admitsQuietly` then decides
  /// whether anything is sent.
  func admitWish(
    about account: AccountID?, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer? {
    try admit(originRules, about: account, at: now, transaction)
  }

  /// Counts one message, unless it must not be sent; whoever asked is told nothing of it.
  func admitsQuietly(
    _ message: IntendedMessage, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> Bool {
    if let why = client.neverSends(to: message.phone) {
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
  /// `takeBackFailure` goes with it when the answer proves right.
  func admitAnswer(
    about account: AccountID?, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer? {
    try admit(failureRules, about: account, at: now, transaction)
  }

  /// The answer that was counted at `moment` was right, or was never compared.
  func takeBackFailure(
    countedAt moment: Instant, _ transaction: any Transaction
  ) throws(StoreFault) {
    for rule in failureRules { try rule.takeBack(countedAt: moment, transaction) }
  }

  /// The right answer came to the code sent to `phone` at `sentAt`.
  ///
  /// The message reached the person who asked for it, so it no longer counts against the number,
  /// the device and the address. Messages that unknown devices asked for still count, so that a
  /// sign-in changes nothing for others. Budgets do not change: the message was paid for.
  func completed(
    to phone: PhoneNumber, sentAt: Instant, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) {
    if knownDevice == nil {
      try numberRule(phone).takeBack(countedAt: sentAt, transaction)
    } else {
      try numberRule(phone).clear(transaction)
    }
    if let deviceRule { try deviceRule.clear(transaction) }
    for rule in addressRules("sends", client.throttle.addressSends) {
      try rule.takeBack(countedAt: sentAt, transaction)
    }
    var entered = try transaction.throttle(enteredKey(phone))
    let limits = client.messages.prefix
    entered.count(at: now, under: limits)
    try transaction.save(
      entered, for: enteredKey(phone), quietFrom: entered.quietFrom(now, under: limits)
    )
  }

  /// Where codes to numbers like this one are counted that were entered.
  private func enteredKey(_ phone: PhoneNumber) -> String {
    keyring.throttleKey("entered", phone.prefix)
  }
}

extension Throttling {
  private func recipientRules(for message: IntendedMessage) -> [Rule] {
    let budget = client.messages
    var rules = [
      numberRule(message.phone),
      rule("prefix", message.phone.prefix, budget.prefix, isRead: message.isDecoy),
      rule("client", client.id.text, budget.client, isRead: message.isDecoy),
    ]
    if let price = message.price {
      var rule = rule("price", client.id.text, budget.price, isRead: message.isDecoy)
      rule.weight = price
      rules.append(rule)
    }
    if let organization = message.organization {
      rules.append(rule("organization", organization.text, budget.organization))
    }
    guard knownDevice == nil else { return rules }
    // Only unknown devices leave codes unanswered on purpose, and only they are kept from the last
    // part of a budget.
    rules[1].brake = (budget.brake, enteredKey(message.phone))
    for index in rules.indices.dropFirst() { rules[index].keepShareForKnownDevices() }
    return rules
  }

  /// Others at the same address use up nothing of a known device's: its own limit is enough.
  private var originRules: [Rule] {
    let device = deviceRule.map { [$0] } ?? []
    guard knownDevice == nil else { return device }
    return device + addressRules("sends", client.throttle.addressSends)
  }

  /// A known device has a lockout of its own, which stops it sooner than its address would.
  private var failureRules: [Rule] {
    guard knownDevice == nil else { return [] }
    return addressRules("failures", client.throttle.addressFailures)
  }

  /// All unknown devices together have one share of the messages to a number, each known device one
  /// of its own.
  private func numberRule(_ phone: PhoneNumber) -> Rule {
    let share = knownDevice.map { "\(phone.e164)/\($0)" } ?? phone.e164
    var rule = rule("number", share, client.messages.number)
    rule.subject = rule.key
    return rule
  }

  private var deviceRule: Rule? {
    guard holdsOrigins, let thumbprint = caller.proofKeyThumbprint else { return nil }
    return rule("device", thumbprint, client.throttle.deviceSends)
  }

  /// One rule for the network, and for IPv6 one more for the /48 site, whose owner has many.
  private func addressRules(_ name: String, _ limits: [Throttle.Limit]) -> [Rule] {
    guard holdsOrigins, let network = caller.network else { return [] }
    let near = rule("address \(name)", network, limits)
    guard let site = caller.site else { return [near] }
    let wider = limits.map { limit in
      Throttle.Limit(limit.count * Throttle.siteShare, inSeconds: limit.windowSeconds)
    }
    return [near, rule("site \(name)", site, wider)]
  }

  private func rule(
    _ name: String, _ value: String, _ limits: [Throttle.Limit], isRead: Bool = false
  ) -> Rule {
    Rule(name: name, key: keyring.throttleKey(name, value), limits: limits, isRead: isRead)
  }

  private func admit(
    _ rules: [Rule], about account: AccountID?, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer? {
    var counted: [(rule: Rule, throttle: Throttle)] = []
    var until: Instant?
    var source = self.source(.refusedTooOften)
    for rule in rules {
      var throttle = try transaction.throttle(rule.key)
      if let refusal = throttle.refusal(at: now, under: rule.limits, weight: rule.weight),
        refusal > until ?? now
      {
        (until, source) = (refusal, self.source(.refusedTooOften, rule.name, rule.subject))
      }
      if try rule.isBraking(throttle, at: now, transaction), until == nil {
        until = now.adding(seconds: Throttle.Limit.hourSeconds)
        source = self.source(.refusedTooOften, "conversion")
      }
      if !rule.isRead { throttle.count(at: now, under: rule.limits, weight: rule.weight) }
      counted.append((rule, throttle))
    }
    if let until {
      return try refusal(until: until, from: source, about: account, at: now, transaction)
    }
    for (rule, throttle) in counted where !rule.isRead {
      try transaction.save(
        throttle, for: rule.key, quietFrom: throttle.quietFrom(now, under: rule.limits)
      )
    }
    return nil
  }

  private func refusal(
    until: Instant, from source: RefusalSource, about account: AccountID?, at now: Instant,
    _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer {
    try transaction.recordRefusal(of: source, meeting: account, by: caller, at: now)
    return .rateLimited(until: until, at: now)
  }

  /// Limits of the place a call comes from refuse it whatever account it names, so these refusals
  /// are equal for all accounts.
  private func source(
    _ code: SecurityEvent.Code, _ detail: String? = nil, _ subject: String = ""
  ) -> RefusalSource {
    RefusalSource(
      code: code, subject: subject, client: caller.client, network: caller.origin, detail: detail
    )
  }
}

/// One count and its limits.
private struct Rule {
  /// What a refusal is reported as.
  let name: String
  let key: String
  private(set) var limits: [Throttle.Limit]
  /// Looked at, never counted.
  let isRead: Bool
  /// How much one message counts.
  var weight: Int64 = 1
  /// What sets its refusals apart from those of other numbers; empty for limits of the caller and
  /// for budgets.
  var subject = ""
  /// What must have been entered of what was counted, and where that is counted.
  var brake: (brake: ConversionBrake, enteredKey: String)?

  mutating func keepShareForKnownDevices() {
    limits = limits.map { $0.leavingShare(weight: weight) }
  }

  func isBraking(
    _ sent: Throttle, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> Bool {
    guard let brake else { return false }
    let seconds = ConversionBrake.windowSeconds
    let count = sent.count(at: now, inSeconds: seconds)
    guard count >= brake.brake.afterSent else { return false }
    let entered = try transaction.throttle(brake.enteredKey)
    return brake.brake.isBraking(
      sent: count, entered: entered.count(at: now, inSeconds: seconds)
    )
  }

  func takeBack(
    countedAt moment: Instant, _ transaction: any Transaction
  ) throws(StoreFault) {
    var throttle = try transaction.throttle(key)
    throttle.takeBack(countedAt: moment)
    try transaction.save(
      throttle, for: key, quietFrom: throttle.quietFrom(moment, under: limits)
    )
  }

  func clear(_ transaction: any Transaction) throws(StoreFault) {
    try transaction.save(.quiet, for: key, quietFrom: Instant(milliseconds: 0))
  }
}

/// Why an app sends no message to a number, as the security log names it.
enum UnservedNumber: String, Sendable {
  case country
  case lineType = "line_type"
}

extension AppClient {
  /// What speaks against messages to this number, if anything does.
  ///
  /// Its country must be one of those listed, or else the one that stands in the number field, or
  /// else any, for only registered numbers are sent anything; of these, one that its organization
  /// names. And its kind of line must be allowed.
  func neverSends(to phone: PhoneNumber) -> UnservedNumber? {
    let allowed = countries.isEmpty ? defaultCountry.map { [$0] } ?? [] : countries
    let lists = [allowed, organizationCountries ?? []]
    let isAllowed = lists.allSatisfy { $0.isEmpty || phone.begins(withAny: $0) }
    if !isAllowed { return .country }
    return lineTypes.contains(LineType(of: phone)) ? nil : .lineType
  }
}

extension PhoneNumber {
  /// All but the last four digits: the block that a company, or a fraudster, has many numbers of.
  var prefix: String { String(e164.dropLast(4)) }
}

extension Caller {
  /// What one customer of a network has: an IPv4 address, or the first half of an IPv6 one.
  var network: String? {
    guard let peer else { return nil }
    do throws(Malformed) {
      let bytes = try NetworkAddress(parsing: peer).networkBytes
      return bytes.map(String.init).joined(separator: ".")
    } catch {
      return peer
    }
  }

  /// Under what refusals are folded: all the networks of one customer together.
  var origin: String? { site ?? network }

  /// What one customer of a network has at most, where that is more than `network`: the first 48
  /// bits of an IPv6 address (RFC 6177).
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

extension ErrorAnswer {
  static func deliveryFailed(until: Instant, at now: Instant) -> ErrorAnswer {
    var answer = ErrorAnswer(.deliveryFailed, "no messenger can take the message; nothing counted")
    answer.retryIn = max(1, now.wholeSeconds(until: until))
    return answer
  }

  /// The wire's code is that of every limit, which the contract fixes; the words say what it is.
  static func notServed(
    _ why: UnservedNumber, until: Instant, at now: Instant
  ) -> ErrorAnswer {
    let words =
      switch why {
      case .country: "the number's country is not served; nothing was sent or counted"
      case .lineType: "numbers of this kind are not served; nothing was sent or counted"
      }
    var answer = ErrorAnswer(.rateLimited, words)
    answer.reason = "\(why.rawValue)_not_served"
    answer.retryIn = max(1, now.wholeSeconds(until: until))
    return answer
  }

  static func rateLimited(until: Instant, at now: Instant) -> ErrorAnswer {
    var answer = ErrorAnswer(.rateLimited, "too often; nothing was sent or counted")
    answer.retryIn = max(1, now.wholeSeconds(until: until))
    return answer
  }
}
