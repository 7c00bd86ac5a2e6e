import JSONText
import SignInModel
import SignInWire

/// A sign-in at a provider that the browser has not completed yet (L-27, L-47).
///
/// It is stored before the browser opens, because the app may be closed in the meantime.
public struct PendingProviderSignIn: Equatable, Sendable {
  static let version: Int64 = 1
  /// How long the server waits for the browser, in seconds.
  static let seconds: Int64 = 30 * 60

  /// The name of the provider; `nil` if the e-mail address decided.
  let provider: String?
  /// The provider's name for people; `nil` if the e-mail address decided.
  public let label: String?
  /// The secret of the code challenge that the sign-in began with (RFC 7636).
  var verifier = Secret("")
  /// The `state` that the result must repeat (RFC 6749, section 4.1.2).
  var state = ""
  let expiresAt: Instant
  /// Whether it is stored, and the browser may complete it.
  var isStored = false

  init(provider: String?, label: String?, expiresAt: Instant) {
    self.provider = provider
    self.label = label
    self.expiresAt = expiresAt
  }

  /// Reads a stored sign-in; `nil` if the text is something else.
  init?(text: String) {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read([UInt8](text.utf8)) } catch {
      return nil
    }
    guard json.count("version") == Self.version, let verifier = json.text("verifier"),
      let state = json.text("state"), let expiry = json.unixSeconds("expires_at")
    else { return nil }
    self.init(
      provider: json.text("provider"), label: json.text("label"),
      expiresAt: Instant(seconds: expiry))
    self.verifier = Secret(verifier)
    self.state = state
    isStored = true
  }

  var text: Secret {
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("provider", ifPresent: provider),
      JSONMember("label", ifPresent: label), JSONMember("verifier", verifier.revealed),
      JSONMember("state", state), JSONMember("expires_at", expiresAt.seconds),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }
}

/// What the address that the browser came back to contains (RFC 6749, section 4.1.2).
enum ProviderResult: Equatable, Sendable {
  case code(Secret)
  case failed(Notice)
  /// It does not belong to this sign-in.
  case foreign

  init(query: Secret, of pending: PendingProviderSignIn) {
    let form = Form(query: query.revealed)
    guard form.hasAtMostOne(of: [.state, .code, .error, .reason]), let state = form[.state],
      state.hasSameBytes(as: pending.state)
    else {
      self = .foreign
      return
    }
    if let code = form[.code], form[.error] == nil {
      self = .code(Secret(code))
      return
    }
    switch form[.reason].flatMap({ JourneyError(rawValue: $0) }) {
    case .cancelled: self = .failed(.atProvider(.cancelled))
    case .providerUnavailable: self = .failed(.atProvider(.unavailable))
    case .providerMisconfigured: self = .failed(.atProvider(.misconfigured))
    case .untrustedAnswer: self = .failed(.atProvider(.untrusted))
    case .accountNotRegistered: self = .failed(.atProvider(.notRegistered))
    case .accountExists: self = .failed(.atProvider(.accountExists))
    case .accountDeactivated: self = .failed(.accountDeactivated)
    case .wrongRole: self = .failed(.atProvider(.wrongRole))
    case .phoneMissing: self = .failed(.atProvider(.phoneMissing))
    case .serverUnavailable: self = .failed(.serviceBusy)
    case nil: self = .failed(.serverFault)
    }
  }
}
