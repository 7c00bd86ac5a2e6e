import JSONText
import SignInModel
import SignInWire

/// A sign-in that waits for a code (L-27, L-47).
///
/// It is stored while the code screen is open, because the app may be closed when the person reads
/// the code in another app. It never contains a password.
public struct PendingCodeSignIn: Equatable, Sendable {
  static let version: Int64 = 1

  let person: CodeVerification.Person
  /// The secret of the code challenge that the sign-in began with (RFC 7636).
  let verifier: Secret
  let stored: Stored

  /// Reads a stored sign-in; `nil` if the text is something else.
  static func read(_ text: Secret) -> (PendingCodeSignIn, serverAheadMilliseconds: Int64?)? {
    guard let json = JSON(storedText: text), let pending = PendingCodeSignIn(json: json) else {
      return nil
    }
    return (pending, json.unixMilliseconds("server_ahead"))
  }

  private init?(json: JSON) {
    guard json.count("code_version") == Self.version, let verifier = json.text("verifier"),
      let stored = Stored(json: json)
    else { return nil }
    if let email = json.text("email") {
      person = .email(email)
    } else if let phone = json.text("phone") {
      do throws(Malformed) { person = .phone(try PhoneNumber(stored: phone)) } catch {
        return nil
      }
    } else {
      guard let provider = json.text("at").flatMap({ PendingProviderSignIn(text: $0) }) else {
        return nil
      }
      person = .provider(provider)
    }
    self.verifier = Secret(verifier)
    self.stored = stored
  }

  /// `nil` for the code of a reset, which is not stored.
  init?(_ verification: CodeVerification) {
    guard case .signIn(let person, let verifier) = verification.purpose else { return nil }
    self.person = person
    self.verifier = verifier
    stored = Stored(verification)
  }

  /// The stored text, with how far the server's time is ahead of the device's clock.
  func text(serverAheadMilliseconds: Int64) -> Secret {
    let who =
      switch person {
      case .email(let email): JSONMember("email", email)
      case .phone(let phone): JSONMember("phone", phone.e164)
      case .provider(let provider): JSONMember("at", provider.text.revealed)
      }
    let json = JSON.members(
      [
        JSONMember("code_version", Self.version), who, JSONMember("verifier", verifier.revealed),
        JSONMember("server_ahead", serverAheadMilliseconds),
      ] + stored.members)
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }
}

extension PendingCodeSignIn {
  /// What is stored of the verification.
  struct Stored: Equatable, Sendable {
    let code: OpenCode
    /// When the message was sent.
    let sentAt: Instant
    let isConcealed: Bool

    fileprivate init(_ verification: CodeVerification) {
      code = verification.code
      sentAt = verification.watch.sentAt
      isConcealed = verification.watch.isConcealed
    }

    fileprivate init?(json: JSON) {
      guard let session = json.text("session"), let prompt = json["prompt"],
        let prompt = CodePrompt(json: prompt), let sent = json.unixSeconds("sent_at"),
        let until = json.unixSeconds("open_until")
      else { return nil }
      code = OpenCode(
        session: Secret(session), prompt: prompt,
        authorizationCode: json.text("authorization_code").map { Secret($0) },
        openUntil: Instant(seconds: until))
      sentAt = Instant(seconds: sent)
      isConcealed = json.flag("concealed") ?? false
    }

    fileprivate var members: [JSONMember?] {
      [
        JSONMember("session", code.session.revealed), JSONMember("prompt", code.prompt.json),
        JSONMember("authorization_code", ifPresent: code.authorizationCode?.revealed),
        JSONMember("sent_at", sentAt.seconds), JSONMember("open_until", code.openUntil.seconds),
        JSONMember("concealed", isConcealed),
      ]
    }
  }
}
