public import JSONText
public import SignInEngine
import SignInModel
public import SignInWire

/// One value of a policy while a person changes it.
///
///     typing ──save, as strict or stricter──▶ working ──answer──▶ typing, with the result
///        └────save, weaker──▶ asking ──confirmed──▶ working
///                                └────cancelled────▶ typing
public struct PolicyEditor: Equatable, Sendable {
  public enum Change: Equatable, Sendable {
    case write(JSON)
    /// Restores the value of the configuration.
    case restore
  }

  public typealias Fault = PolicyFault

  public private(set) var value: PolicyValue
  /// The text in the field.
  public private(set) var text: String
  /// The unit of the number in the field; `nil` if the value is not a duration.
  public private(set) var unit: TimeUnit?
  public private(set) var fault: Fault?
  /// The change that the person must confirm, or that the server is making.
  public private(set) var change: Change?
  public private(set) var working: Wait?
  public private(set) var notice: ConsoleNotice?

  /// The language that decides the decimal mark of an amount in the field.
  private let language: Language
  private var isAsking = false
  /// Whether something was typed or chosen that is not saved.
  private var isTouched = false
  /// The last attempt.
  ///
  /// The same change gets the same key, so that a retry after a lost answer changes nothing twice.
  private var tried: Attempt?

  private struct Attempt: Equatable, Sendable {
    let change: Change
    let key: String
  }

  init(_ value: PolicyValue, in language: Language = .english) {
    self.value = value
    self.language = language
    text = ""
    show(value)
  }

  /// Whether a typed or chosen value would be lost if the form was closed now.
  var isDirty: Bool { isTouched && working == nil && !isAsking }

  /// Fills the field with what a change would change.
  private mutating func show(_ value: PolicyValue) {
    isTouched = false
    unit = nil
    guard case .number = value.form else {
      text = Self.text(of: current)
      return
    }
    guard let number = current.number else {
      text = ""
      if value.key.field.unit == .seconds { unit = .seconds }
      return
    }
    switch value.key.field.unit {
    case .seconds:
      let unit = TimeUnit(expressing: number)
      self.unit = unit
      text = "\(number / unit.seconds)"
    case .millionths: text = MoneyText.write(number, in: language)
    case .count, .percent: text = "\(number)"
    }
  }

  public var asking: Change? { isAsking ? change : nil }

  /// Whether the change can be sent now.
  var isDecided: Bool { change != nil && !isAsking && working == nil }

  mutating func type(_ text: String) {
    guard working == nil, !isAsking, text != self.text else { return }
    self.text = text
    isTouched = true
    fault = nil
    notice = nil
  }

  /// The number in the field stays: it means another time.
  mutating func choose(_ unit: TimeUnit) {
    guard working == nil, !isAsking, self.unit != nil, unit != self.unit else { return }
    self.unit = unit
    isTouched = true
    fault = nil
    notice = nil
  }

  mutating func dismiss() { notice = nil }

  // MARK: Saving and restoring

  mutating func save(_ context: inout FlowContext) -> [PageEffect] {
    guard working == nil, !isAsking else { return [] }
    notice = nil
    let written = self.written
    guard let written, written != current else {
      let fault = written == nil ? malformed : .unchanged
      self.fault = fault
      context.moveFocus(to: .policyValue)
      return [.announce(.console(.policyValueRefused(fault)))]
    }
    fault = nil
    decide(.write(written), weakens: value.key.isWeaker(written, than: current), &context)
    return []
  }

  mutating func restore(_ context: inout FlowContext) {
    guard working == nil, !isAsking, value.isChanged else { return }
    notice = nil
    fault = nil
    decide(
      .restore, weakens: value.key.isWeaker(value.configured, than: value.value), &context
    )
  }

  private mutating func decide(
    _ change: Change, weakens: Bool, _ context: inout FlowContext
  ) {
    self.change = change
    isAsking = weakens
    if weakens { context.moveFocus(to: .question) }
  }

  mutating func cancel(_ context: inout FlowContext) {
    guard working == nil, isAsking else { return }
    isAsking = false
    change = nil
    context.moveFocus(to: .policyValue)
  }

  /// Sends the change.
  ///
  /// `inside` is the member of the document that contains the policy.
  mutating func send(
    _ endpoint: Endpoint, inside member: WireField?, _ tag: String, _ context: inout FlowContext
  ) {
    guard let change else { return }
    var patch: JSON
    switch change {
    case .write(let json): patch = json
    case .restore: patch = .null
    }
    patch = value.key.object(with: patch)
    if let member { patch = .members([JSONMember(member, patch)]) }
    let key = tried?.change == change ? tried?.key : nil
    let attempt = Attempt(change: change, key: key ?? context.makeIdempotencyKey())
    tried = attempt
    let apiRequest = APIRequest.patch(
      endpoint, patch, idempotencyKey: attempt.key, ifMatch: "\"" + tag + "\""
    )
    working = Wait(request: context.ask(apiRequest), since: context.now)
  }

  // MARK: Result

  func notice(of answer: Answer, at now: Instant) -> ConsoleNotice {
    if answer.success != nil { return change == .restore ? .policyRestored : .policySaved }
    switch answer.refusal {
    case .preconditionFailed: return .policyChangedElsewhere
    case .invalidPolicy: return .policyRefused(value.key)
    case .clientNotFound, .organizationNotFound: return .policyGone
    case .permissionDenied: return .notPermitted
    default: return .failed(answer.notice(at: now))
    }
  }

  /// Ends the change.
  ///
  /// `value` is the value as known now. The typed text stays unless it was saved.
  mutating func finish(_ notice: ConsoleNotice, _ value: PolicyValue?) {
    working = nil
    isAsking = false
    change = nil
    self.notice = notice
    if let value { self.value = value }
    if notice.isSuccess {
      show(self.value)
      tried = nil
    }
    // The value is now a different one, so the same change is a new request and needs a new key.
    if notice == .policyChangedElsewhere { tried = nil }
  }
}

// MARK: - Reading and comparing

extension PolicyEditor {
  /// The value that a change replaces: the organization's own one, or else the one that applies.
  public var current: JSON { value.own == .null ? value.value : value.own }

  private static func text(of json: JSON) -> String {
    guard let codes = json.elements else { return json.text ?? "" }
    var text = ""
    for code in codes { text += (text.isEmpty ? "" : ", ") + (code.text ?? "") }
    return text
  }

  private var malformed: Fault {
    switch value.form {
    case .number(let range):
      switch value.key.field.unit {
      case .seconds: .time(range)
      case .millionths: .amount(range)
      case .count, .percent: .number(range)
      }
    case .callingCodes: .callingCodes
    case .message: .message
    case .choice: .unchanged
    }
  }

  /// What the fields mean; nil when that may not be written.
  private var written: JSON? {
    guard case .number(let range) = value.form else { return Self.read(text, as: value.form) }
    let number =
      value.key.field.unit == .millionths
      ? MoneyText.read(text, in: language)
      : Self.number(text)?.timesClamping(unit?.seconds ?? 1)
    guard let number, range.contains(number) else { return nil }
    return .int(number)
  }

  /// The value of a field that is not for a number; `nil` if the text is not valid.
  static func read(_ text: String, as form: PolicyValue.Form) -> JSON? {
    switch form {
    case .number: return nil
    case .choice(let words):
      for word in words where word == text { return .string(word) }
      return nil
    case .callingCodes: return callingCodes(text)
    case .message:
      let length = text.unicodeScalars.count
      guard (1...PolicyKey.textLengthLimit).contains(length), hasCodePlace(text) else { return nil }
      return .string(text)
    }
  }

  /// Reads digits.
  ///
  /// Spaces between them are allowed, because people group digits with spaces.
  static func number(_ text: String) -> Int64? {
    var number: Int64?
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39:
        let digit = Int64(scalar.value) - 0x30
        let (tens, isTooLong) = (number ?? 0).multipliedReportingOverflow(by: 10)
        guard !isTooLong, tens <= Int64.max - digit else { return nil }
        number = tens + digit
      case 0x20, 0xA0, 0x202F: break
      default: return nil
      }
    }
    return number
  }

  /// Reads calling codes, or ranges inside one, separated by commas or spaces, without duplicates.
  private static func callingCodes(_ text: String) -> JSON? {
    var codes: [[UInt8]] = []
    var code: [UInt8] = []
    for byte in text.utf8 + [UInt8(ascii: ",")] {
      switch byte {
      case UInt8(ascii: ","), 0x20:
        if !code.isEmpty, !codes.contains(code) { codes.append(code) }
        code = []
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        code.append(byte)
      default: return nil
      }
    }
    var texts: [JSON] = []
    for code in codes {
      let text = String(decoding: code, as: UTF8.self)
      guard NumberPrefix(text) != nil else { return nil }
      texts.append(.string(text))
    }
    return texts.isEmpty ? nil : .array(texts)
  }

  private static func hasCodePlace(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.contains(Array("{code}".utf8)[...], in: 0..<bytes.count)
  }
}
