public import JSONText
import SignInModel
public import SignInWire

/// One value of a policy while it is changed.
///
///     typing ──save, as strict or stricter──▶ working ──answer──▶ typing, with what came of it
///        └────save, weaker──▶ asking ──confirmed──▶ working
///                                └────cancelled────▶ typing
public struct PolicyEditor: Equatable, Sendable {
  public enum Wish: Equatable, Sendable {
    case write(JSON)
    /// Back to what the configuration says.
    case restore
  }

  /// Why what was typed cannot be saved.
  public enum Fault: Equatable, Sendable {
    case number(ClosedRange<Int64>)
    case callingCodes
    case message
    case unchanged
  }

  /// What a text message may be long.
  public static let messageLengthLimit = 200
  /// A plus and 1 to 3 digits (ITU-T E.164, section 6.2.1).

  public private(set) var value: PolicyValue
  /// What stands in the field.
  public private(set) var text: String
  public private(set) var fault: Fault?
  /// What the person is asked whether they mean it, or what is being done.
  public private(set) var wish: Wish?
  public private(set) var working: Wait?
  public private(set) var notice: ConsoleNotice?

  private var isAsking = false
  /// The same key for every try with the same wish, so that a lost answer changes nothing twice.
  private var tried: Try?

  private struct Try: Equatable, Sendable {
    let wish: Wish
    let key: String
  }

  init(_ value: PolicyValue) {
    self.value = value
    text = Self.text(of: value)
  }

  public var asking: Wish? { isAsking ? wish : nil }

  /// Whether something may be sent at once.
  var isDecided: Bool { wish != nil && !isAsking && working == nil }

  mutating func type(_ text: String) {
    guard working == nil, !isAsking, text != self.text else { return }
    self.text = text
    fault = nil
    notice = nil
  }

  mutating func dismiss() { notice = nil }

  // MARK: Deciding

  mutating func save(_ context: inout FlowContext) -> [Effect] {
    guard working == nil, !isAsking else { return [] }
    notice = nil
    let written = Self.read(text, as: value.form)
    guard let written, written != current else {
      let fault = written == nil ? Self.fault(of: value.form) : .unchanged
      self.fault = fault
      context.moveFocus(to: .policyValue)
      return [.announce(.policyValueRefused(fault))]
    }
    fault = nil
    decide(.write(written), weakens: Self.isWeaker(written, than: current, value.key), &context)
    return []
  }

  mutating func restore(_ context: inout FlowContext) {
    guard working == nil, !isAsking, value.isChanged else { return }
    notice = nil
    fault = nil
    decide(
      .restore, weakens: Self.isWeaker(value.configured, than: value.value, value.key), &context
    )
  }

  private mutating func decide(
    _ wish: Wish, weakens: Bool, _ context: inout FlowContext
  ) {
    self.wish = wish
    isAsking = weakens
    if weakens { context.moveFocus(to: .question) }
  }

  mutating func cancel(_ context: inout FlowContext) {
    guard working == nil, isAsking else { return }
    isAsking = false
    wish = nil
    context.moveFocus(to: .policyValue)
  }

  /// `inside` is the member of the document that the policy stands in.
  mutating func send(
    _ path: String, inside member: String?, _ tag: String, _ context: inout FlowContext
  ) {
    guard let wish else { return }
    var patch: JSON
    switch wish {
    case .write(let json): patch = json
    case .restore: patch = .null
    }
    for step in value.key.steps.reversed() { patch = .members([JSONMember(step, patch)]) }
    if let member { patch = .members([JSONMember(member, patch)]) }
    let key = tried?.wish == wish ? tried?.key : nil
    let attempt = Try(wish: wish, key: key ?? context.makeIdempotencyKey())
    tried = attempt
    let apiRequest = APIRequest.patch(
      path, patch, idempotencyKey: attempt.key, ifMatch: "\"" + tag + "\""
    )
    working = Wait(request: context.ask(apiRequest), since: context.now)
  }

  // MARK: What came of it

  func notice(of answer: Answer, at now: Instant) -> ConsoleNotice {
    if answer.success != nil { return wish == .restore ? .policyRestored : .policySaved }
    switch answer.refusal {
    case .preconditionFailed: return .policyChangedMeanwhile
    case .invalidPolicy: return .policyRefused(value.key)
    case .clientNotFound, .organizationNotFound: return .policyGone
    case .permissionDenied: return .notPermitted
    default: return .failed(answer.notice(at: now))
    }
  }

  /// `value` is what is known of it now; what was typed stays unless it was saved.
  mutating func finish(_ notice: ConsoleNotice, _ value: PolicyValue?) {
    working = nil
    isAsking = false
    wish = nil
    self.notice = notice
    if let value { self.value = value }
    if notice.isSuccess {
      text = Self.text(of: self.value)
      tried = nil
    }
    // The value is another one now: who means it still asks for something new.
    if notice == .policyChangedMeanwhile { tried = nil }
  }
}

// MARK: - Reading and comparing

extension PolicyEditor {
  /// What a change would change: an organization's own word, or else what holds.
  public var current: JSON { value.own == .null ? value.value : value.own }

  /// What was typed, where it is a number that may be written.
  public var typedNumber: Int64? { Self.read(text, as: value.form)?.number }

  private static func text(of value: PolicyValue) -> String {
    let json = value.own == .null ? value.value : value.own
    switch value.form {
    case .number: return json.number.map { String($0) } ?? ""
    case .choice, .message: return json.text ?? ""
    case .callingCodes:
      var text = ""
      for code in json.elements ?? [] { text += (text.isEmpty ? "" : ", ") + (code.text ?? "") }
      return text
    }
  }

  private static func fault(of form: PolicyValue.Form) -> Fault {
    switch form {
    case .number(let range): .number(range)
    case .callingCodes: .callingCodes
    case .message: .message
    case .choice: .unchanged
    }
  }

  /// Nil when it cannot be what was asked for.
  static func read(_ text: String, as form: PolicyValue.Form) -> JSON? {
    switch form {
    case .number(let range):
      guard let number = number(text), range.contains(number) else { return nil }
      return .int(number)
    case .choice(let words):
      for word in words where word == text { return .string(word) }
      return nil
    case .callingCodes: return callingCodes(text)
    case .message:
      let length = text.unicodeScalars.count
      guard (1...messageLengthLimit).contains(length), hasCodePlace(text) else { return nil }
      return .string(text)
    }
  }

  /// Digits, which people may group by spaces.
  private static func number(_ text: String) -> Int64? {
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

  /// Calling codes, or ranges inside one, with commas or spaces between them, each once.
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
    let place = Array("{code}".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count >= place.count else { return false }
    for start in 0...(bytes.count - place.count)
    where Array(bytes[start..<start + place.count]) == place { return true }
    return false
  }

  /// Whether `new` lets in more than `old`; where nothing is said about `old`, it may.
  static func isWeaker(_ new: JSON, than old: JSON, _ key: PolicyKey) -> Bool {
    switch key.stricter {
    case .neither: return false
    case .words(let words): return place(of: new, in: words) < place(of: old, in: words)
    case .more: return (new.number ?? 0) < (old.number ?? 0)
    case .less:
      if let now = new.number { return now > (old.number ?? now) }
      guard let wanted = new.elements else { return true }
      for code in wanted where !holds(code.text, in: old) { return true }
      return false
    }
  }

  /// A word that is not known is the loosest.
  private static func place(of word: JSON, in words: [String]) -> Int {
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
