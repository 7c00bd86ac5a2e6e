public import Foundation
import JSONText
import SignInEngine
import SignInModel
import SignInWire

extension SignInClient {
  /// A code that was sent to a new address or number.
  public struct ContactChange: Sendable {
    public let challenge: Challenge
    fileprivate let session: Secret
  }

  /// What the person has changed and can take back.
  public struct AccountChanges: Sendable {
    public struct Contact: Sendable {
      public let id: String
      /// `email` or `phone_number`.
      public let kind: String
      public let undoUntil: Date
    }

    public let contacts: [Contact]
    /// When the account is erased; `nil` if the person did not ask for it.
    public let erasureAt: Date?
  }

  /// Changes the name of the person who is signed in.
  public func changeName(to name: String) async throws(SignInError) {
    guard let name = PersonName(typed: name) else { throw .nameMalformed }
    let body = OwnNameBody { $0.name = name.text }
    try await success(of: APIRequest(.patch, path: Endpoint.me.path, body: body.json))
  }

  /// Sends a code to a new e-mail address of the person.
  ///
  /// Call `confirm(_:code:)` next. Without a password, the person must have signed in at most 15
  /// minutes ago.
  ///
  /// - Throws: `.invalidCredentials` if the password is wrong, and `.refused(code:)` with a code
  ///   such as `recent_sign_in_needed` or `contact_change_closed`.
  public func changeEmail(
    to email: String, password: String?
  ) async throws(SignInError) -> ContactChange {
    guard let address = EmailAddress(typed: email) else { throw .emailMalformed }
    return try await change(password) { $0.email = address.text }
  }

  /// Sends a code to a new phone number of the person.
  ///
  /// Call `confirm(_:code:)` next. It throws the same errors as `changeEmail(to:password:)`.
  public func changePhone(
    to phone: String, password: String?
  ) async throws(SignInError) -> ContactChange {
    guard let number = PhoneNumber(typed: phone) else { throw .phoneMalformed }
    return try await change(password) { $0.phoneNumber = number.e164 }
  }

  private func change(
    _ password: String?, _ edit: (inout ContactChangeBody) -> Void
  ) async throws(SignInError) -> ContactChange {
    let body = ContactChangeBody {
      edit(&$0)
      $0.currentPassword = password.map { Secret($0) }
    }
    let json = try await success(of: .post(.contactChange, body.json))
    guard let answer = ContactChangePrompt(json: json) else { throw .serverFault }
    return ContactChange(challenge: Challenge(answer.prompt), session: answer.session)
  }

  /// Gives the account the address or the number that the code proves.
  ///
  /// A new number ends the other sessions of the person.
  ///
  /// - Returns: Until when the person can take it back; `nil` if only the proof is new.
  /// - Throws: `.refused(code:)` with a code such as `invalid_otp` if the code is wrong, and
  ///   `otp_expired` if it is not valid any more.
  @discardableResult public func confirm(
    _ change: ContactChange, code: String
  ) async throws(SignInError) -> Date? {
    let body = ContactCodeBody {
      $0.changeSession = change.session
      $0.otp = Secret(code)
    }
    let json = try await success(of: .post(.contactChangeCode, body.json))
    return json.unixSeconds(.undoUntil).map { Date(Instant(seconds: $0)) }
  }

  /// Reads what the person can take back.
  public func accountChanges() async throws(SignInError) -> AccountChanges {
    guard let answer = OwnChangesAnswer(json: try await success(of: .get(.accountChanges))) else {
      throw .serverFault
    }
    return AccountChanges(
      contacts: answer.contacts.map { contact in
        AccountChanges.Contact(
          id: contact.id, kind: contact.kind, undoUntil: Date(contact.undoUntil))
      }, erasureAt: answer.erasureAt.map { Date($0) })
  }

  /// Takes a change of the address or the number back, and ends the other sessions.
  ///
  /// - Throws: `.invalidCredentials` if the password is wrong, and `.refused(code:)` with
  ///   `recent_sign_in_needed`, or with `change_not_found` if the change is unknown, cannot be
  ///   taken back any more, or was made before the session on this device began.
  public func undoContactChange(id: String, password: String?) async throws(SignInError) {
    guard Self.isIdentifier(id) else { throw .requestMalformed }
    let body = CurrentPasswordBody { $0.currentPassword = password.map { Secret($0) } }
    try await success(of: .post(.contactChangeUndo(Endpoint.Segment(id)), body.json))
  }

  /// Asks for the erasure of the account of the person.
  ///
  /// - Returns: When the account is erased, unless the person cancels it before.
  /// - Throws: `.invalidCredentials` if the password is wrong, and `.refused(code:)` with a code
  ///   such as `recent_sign_in_needed`.
  public func requestErasure(password: String?) async throws(SignInError) -> Date {
    let body = CurrentPasswordBody { $0.currentPassword = password.map { Secret($0) } }
    let json = try await success(of: .post(.erasure, body.json))
    guard let seconds = json.unixSeconds(.dueAt) else { throw .serverFault }
    return Date(Instant(seconds: seconds))
  }

  /// Cancels the erasure of the account.
  ///
  /// - Throws: `.refused(code: "change_not_found")` if there is none, or if it is due.
  public func cancelErasure() async throws(SignInError) {
    try await success(of: .delete(.erasure))
  }
}
