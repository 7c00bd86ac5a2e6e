import JSONText
public import SignInModel
public import SignInRules
public import SignInWire

/// The values that control sign-in, sessions and messages of one app.
///
/// `PolicyKey.field` has one row for each value, with its default.
public struct Policy: Equatable, Sendable {
  /// The values that differ from the defaults, in the form of the configuration.
  private var values: [PolicyKey: JSON] = [:]
  /// The calling codes of an organization, which restrict those of the app; `nil` if it has none.
  var organizationCountries: [String]?

  public init() {}

  /// A value in the form of the configuration; null if there is none.
  private(set) subscript(json key: PolicyKey) -> JSON {
    get { values[key] ?? key.field.standard }
    set { values[key] = newValue == key.field.standard ? nil : newValue }
  }

  /// A number.
  public subscript(key: PolicyKey) -> Int64 {
    get {
      guard case .int(let number) = self[json: key] else {
        preconditionFailure("\(key) is no number")
      }
      return number
    }
    set { self[json: key] = .int(newValue) }
  }

  private func word<Word: RawRepresentable<String>>(_ key: PolicyKey) -> Word {
    guard let word = self[json: key].text.flatMap({ Word(rawValue: $0) }) else {
      preconditionFailure("\(key) has an unknown word")
    }
    return word
  }
}

// MARK: - Values of other types

extension Policy {
  public var disclosure: AccountDisclosure {
    get { word(.disclosure) }
    set { self[json: .disclosure] = .string(newValue.rawValue) }
  }

  /// Who approves people who register.
  public var registrationApproval: RegistrationApproval {
    get { word(.registrationApproval) }
    set { self[json: .registrationApproval] = .string(newValue.rawValue) }
  }

  /// Who changes the address and the number of an account.
  public var contactChange: ContactChangeMode {
    get { word(.contactChange) }
    set { self[json: .contactChange] = .string(newValue.rawValue) }
  }

  public var unlock: UnlockMethod {
    get { word(.unlock) }
    set { self[json: .unlock] = .string(newValue.rawValue) }
  }

  /// How a forgotten password is replaced.
  ///
  /// Accounts of administrators always need another administrator.
  public var passwordReset: PasswordResetMode {
    get { word(.passwordReset) }
    set { self[json: .passwordReset] = .string(newValue.rawValue) }
  }

  /// Calling codes to which messages may go, such as `+47`.
  ///
  /// If it is empty, the code of the default country applies. Without a default country, messages
  /// may go to every country of a registered account.
  public var countries: [String] {
    get { (self[json: .countries].elements ?? []).compactMap(\.text) }
    set { self[json: .countries] = newValue.isEmpty ? .null : .array(newValue.map(JSON.string)) }
  }

  /// A text that replaces the standard text of a message.
  func text(_ key: PolicyKey) -> MessageTemplate? {
    self[json: key].text.map { MessageTemplate(text: $0) }
  }

  /// All texts that replace standard texts.
  var texts: [MessageTemplate] {
    values.keys.filter { $0.field.form == .message }.compactMap(text)
  }

  public var code: CodeChallenge.Policy {
    CodeChallenge.Policy(
      digits: self[.codeDigits], lifeSeconds: self[.codeLife], resendSeconds: self[.codeResend])
  }

  public var lockout: Lockout.Policy {
    Lockout.Policy(
      failureLimit: self[.lockoutFailures], lockSeconds: self[.firstLock],
      longestLockSeconds: self[.longestLock], stopLimit: self[.lockoutStop])
  }

  /// The lockout of an address or a number that is being proved for the first time.
  ///
  /// It has no account yet that an administrator or a reset could open, so it never stops.
  public var lockoutOfNewContact: Lockout.Policy {
    var policy = lockout
    policy.stopLimit = nil
    return policy
  }

  var sendsPerAddress: [Throttle.Limit] { [.hourly(self[.addressSends])] }
  var failuresPerAddress: [Throttle.Limit] { [.hourly(self[.addressFailures])] }
  var sendsPerDevice: [Throttle.Limit] { [.hourly(self[.deviceSends])] }
  var messagesPerNumber: [Throttle.Limit] {
    [.hourly(self[.numberHourly]), .daily(self[.numberDaily])]
  }
  /// A prefix is a number without its last four digits.
  ///
  /// SMS pumping uses such blocks of numbers.
  var messagesPerPrefix: [Throttle.Limit] { [.daily(self[.prefixDaily])] }
  var messagesPerOrganization: [Throttle.Limit] { [.daily(self[.organizationDaily])] }
  var messagesPerApp: [Throttle.Limit] { [.daily(self[.appDaily])] }
  /// The cost of messages, in millionths of the operator's currency.
  var costPerApp: [Throttle.Limit] { [.daily(self[.priceDaily])] }
  var lowConversionStop: LowConversionStop {
    LowConversionStop(
      afterSent: self[.conversionCheckedAfter], leastPercent: self[.minimumConversion])
  }
}

// MARK: - Documents

extension PolicyKey {
  /// The order of the configuration, in which the two general texts come first.
  static let inConfigurationOrder: [PolicyKey] = {
    let general: [PolicyKey] = [.signInText, .resetText]
    let start = allCases.prefix { $0 != .signInText }
    return start + general + allCases.dropFirst(start.count).filter { !general.contains($0) }
  }()

  /// The range of a number, without regard to other values.
  var range: ClosedRange<Int64> {
    guard case .number(let range) = field.form else { preconditionFailure("\(self) is no number") }
    return range
  }

  /// The value that the JSON means; `nil` if it is not a valid one.
  fileprivate func parsed(_ json: JSON) -> JSON? {
    switch field.form {
    case .number(let range): return json.number(in: range).map { .int($0) }
    case .choice(let words): return json.text.flatMap { words.contains($0) ? json : nil }
    case .callingCodes: return json.elements.flatMap { $0.isEmpty ? nil : json }
    case .message:
      return json.text.flatMap { TextFormat.message.problem($0) == nil ? json : nil }
    }
  }
}

extension Policy {
  /// The values in the keys of the configuration, without absent ones.
  var members: [JSONMember] {
    PolicyKey.inConfigurationOrder.filter { self[json: $0] != .null }.nested { key, name in
      JSONMember(name, self[json: key])
    } object: { name, members in
      JSONMember(name, .object(members))
    }
  }

  /// Applies the values of `json`, which has the keys of the configuration.
  ///
  /// Absent values do not change.
  ///
  /// A value of the wrong type is ignored. The check of the configuration reports it.
  mutating func apply(_ json: JSON) {
    var idle: JSON?
    for (key, value) in PolicyKey.values(in: json) {
      guard let value = key.parsed(value) else { continue }
      if key == .idle { idle = value } else { self[json: key] = value }
    }
    // An idle time that is not set here is limited to the session. One that is set must already
    // fit.
    self[json: .idle] = idle ?? .int(min(self[.idle], self[.session]))
  }

  /// This policy for the members of an organization.
  ///
  /// For values that protect accounts or cost money, the stricter of the two applies, so an
  /// organization can only be stricter. Only the organization decides how long its sessions last,
  /// how long its app may stay in the background (S-07), what its messages say and how many of them
  /// it pays for.
  func restricted(by organization: PolicyChanges) -> Policy {
    var policy = self
    policy.apply(organization.json)
    for (key, _) in PolicyKey.values(in: organization.json) {
      switch key.field.organization {
      case .anyValue: continue
      case .stricterValue where !key.isWeaker(policy[json: key], than: self[json: key]): continue
      case .secondList where policy.countries != countries:
        policy.organizationCountries = policy.countries
      case .stricterValue, .secondList, .noValue: break
      }
      policy[json: key] = self[json: key]
    }
    return policy
  }
}
