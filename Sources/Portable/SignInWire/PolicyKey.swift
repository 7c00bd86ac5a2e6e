public import JSONText
import SignInModel

/// Every value of a policy, by its key in the configuration.
public enum PolicyKey: String, Sendable, CaseIterable {
  case disclosure
  case codeDigits = "code.digits"
  case codeLife = "code.life_seconds"
  case codeResend = "code.resend_seconds"
  case lockoutFailures = "lockout.failures"
  case firstLock = "lockout.lock_seconds"
  case longestLock = "lockout.longest_lock_seconds"
  case lockoutStop = "lockout.stop_after"
  case addressSends = "throttle.sends_per_address_per_hour"
  case addressFailures = "throttle.failures_per_address_per_hour"
  case deviceSends = "throttle.sends_per_device_per_hour"
  case numberHourly = "messages.per_number_per_hour"
  case numberDaily = "messages.per_number_per_day"
  case prefixDaily = "messages.per_prefix_per_day"
  case organizationDaily = "messages.per_organization_per_day"
  case appDaily = "messages.per_day"
  case priceDaily = "messages.price_per_day"
  case brakeAfter = "messages.brake_after"
  case brakePercent = "messages.brake_percent"
  case countries
  case signInText = "texts.sign_in"
  case signInEnglish = "texts.sign_in_en"
  case signInHindi = "texts.sign_in_hi"
  case signInNorwegian = "texts.sign_in_nb"
  case resetText = "texts.password_reset"
  case resetEnglish = "texts.password_reset_en"
  case resetHindi = "texts.password_reset_hi"
  case resetNorwegian = "texts.password_reset_nb"
  case accessToken = "access_token_seconds"
  case session = "session_seconds"
  case idle = "idle_seconds"
  case background = "background_seconds"
  case unlock
  case offline = "offline_seconds"
  case passwordReset = "password_reset"
  case passwordResetWait = "password_reset_wait_seconds"

  /// The keys of the JSON objects that contain the value, the outermost first.
  public var steps: [String] {
    var steps: [[UInt8]] = [[]]
    for byte in rawValue.utf8 {
      if byte == UInt8(ascii: ".") { steps.append([]) } else { steps[steps.count - 1].append(byte) }
    }
    return steps.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value in an object with the keys of the configuration; null if it is absent.
  public func value(in json: JSON) -> JSON {
    var value = json
    for step in steps { value = value[step] ?? .null }
    return value
  }

  /// An object with the keys of the configuration that contains only this value.
  public func object(with value: JSON) -> JSON {
    var json = value
    for step in steps.reversed() { json = .members([JSONMember(step, json)]) }
    return json
  }
}

extension PolicyKey {
  /// The row of the value in the policy table.
  public var field: PolicyField {
    switch self {
    case .disclosure: .choice(["concealed", "disclosed"], stricter: .less, .accounts)
    case .codeDigits: .number(4...8, stricter: .more, .codes)
    // NIST SP 800-63B, section 5.1.3.2: at most ten minutes.
    case .codeLife: .time(60...600, stricter: .less, .codes)
    case .codeResend: .time(15...600, stricter: .more, .codes)
    case .lockoutFailures: .number(3...20, stricter: .less, .locks)
    case .firstLock: .time(60...Self.day, stricter: .more, .locks)
    case .longestLock: .time(60...7 * Self.day, stricter: .more, .locks)
    // NIST SP 800-63B, section 5.2.2: at most one hundred.
    case .lockoutStop: .number(10...100, stricter: .less, .locks)
    case .addressSends: .number(1...100_000, stricter: .less, .origins)
    case .addressFailures: .number(1...100_000, stricter: .less, .origins)
    case .deviceSends: .number(1...100_000, stricter: .less, .origins)
    // Up to 64, the moment of each message to a number is stored exactly.
    case .numberHourly: .number(1...64, stricter: .less, .messages)
    case .numberDaily: .number(1...64, stricter: .less, .messages)
    // With 0, no messages are sent.
    case .prefixDaily: .number(0...10_000_000, stricter: .less, .messages)
    case .organizationDaily: .number(0...10_000_000, stricter: .less, .messages)
    case .appDaily: .number(0...10_000_000, stricter: .less, .messages)
    case .priceDaily: .number(0...1_000_000_000_000, .millionths, stricter: .less, .messages)
    case .brakeAfter: .number(0...10_000_000, stricter: .less, .messages)
    case .brakePercent: .number(0...100, .percent, stricter: .more, .messages)
    case .countries: PolicyField(.callingCodes, stricter: .less, .messages)
    case .signInText, .signInEnglish, .signInHindi, .signInNorwegian, .resetText, .resetEnglish,
      .resetHindi, .resetNorwegian:
      PolicyField(.message, stricter: .neither, .texts)
    case .accessToken: .time(60...60 * 60, stricter: .less, .sessions)
    case .session: .time(300...365 * Self.day, stricter: .less, .sessions)
    case .idle: .time(60...365 * Self.day, stricter: .less, .sessions)
    case .background: .time(0...Self.day, stricter: .less, .sessions)
    case .unlock: .choice(["none", "biometric"], stricter: .more, .sessions)
    case .offline: .time(0...365 * Self.day, stricter: .less, .sessions)
    case .passwordReset:
      .choice(["code", "known_device", "administrator"], stricter: .more, .accounts)
    case .passwordResetWait: .time(60 * 60...30 * Self.day, stricter: .more, .accounts)
    }
  }

  /// The length of a message text in code points.
  ///
  /// In the longer encoding (UCS-2), two message parts have 134 UTF-16 units and three have 201.
  public static let textLengthLimit = 200

  private static let day: Int64 = 24 * 60 * 60

  /// Whether `new` allows more than `old`.
  ///
  /// A word that is not known counts as the weakest.
  public func isWeaker(_ new: JSON, than old: JSON) -> Bool {
    let field = self.field
    switch (field.form, field.stricter) {
    case (_, .neither): return false
    case (.choice(let words), let direction):
      let ascending: [String] = direction == .less ? words.reversed() : words
      return Self.rank(new, in: ascending) < Self.rank(old, in: ascending)
    case (_, .more): return (new.number ?? 0) < (old.number ?? 0)
    case (_, .less):
      if let now = new.number { return now > (old.number ?? now) }
      guard let wanted = new.elements else { return true }
      for code in wanted where !Self.holds(code.text, in: old) { return true }
      return false
    }
  }

  private static func rank(_ word: JSON, in words: [String]) -> Int {
    for (index, known) in words.enumerated() where word.text == known { return index }
    return -1
  }

  private static func holds(_ text: String?, in list: JSON) -> Bool {
    guard let prefix = text.flatMap({ NumberPrefix($0) }) else { return false }
    for element in list.elements ?? [] {
      if let listed = element.text.flatMap({ NumberPrefix($0) }), listed.covers(prefix) {
        return true
      }
    }
    return false
  }
}

extension [PolicyKey] {
  /// The nodes of a document with the keys of the configuration: one for each value, with the name
  /// of its last key, and one for each object that contains values.
  ///
  /// The values of one object must be together.
  public func nested<Node>(
    _ value: (PolicyKey, String) -> Node, object: (String, [Node]) -> Node
  ) -> [Node] {
    var nodes: [Node] = []
    var open: (name: String, nodes: [Node])?
    for key in self {
      let steps = key.steps
      let name = steps.count > 1 ? steps[0] : nil
      if let closed = open, closed.name != name {
        nodes.append(object(closed.name, closed.nodes))
        open = nil
      }
      let node = value(key, steps[steps.count - 1])
      if let name { open = (name, (open?.nodes ?? []) + [node]) } else { nodes.append(node) }
    }
    if let open { nodes.append(object(open.name, open.nodes)) }
    return nodes
  }
}
