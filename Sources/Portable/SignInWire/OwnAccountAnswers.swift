public import JSONText
public import SignInModel

/// The answer to a request for another address or number: a code was sent there.
public struct ContactChangePrompt: Equatable, Sendable {
  /// The session is sent back with the code.
  public let session: Secret
  public let prompt: CodePrompt

  public init(session: Secret, prompt: CodePrompt) {
    self.session = session
    self.prompt = prompt
  }

  public var json: JSON {
    .members([
      JSONMember(.changeSession, session.revealed), JSONMember(.challenge, prompt.json),
    ])
  }

  public init?(json: JSON) {
    guard let session = json.text(.changeSession), let prompt = CodePrompt(json: json[.challenge])
    else { return nil }
    self.init(session: Secret(session), prompt: prompt)
  }
}

/// What a person can take back in the own account.
public struct OwnChangesAnswer: Equatable, Sendable {
  /// A change of the address or the number.
  public struct Contact: Equatable, Sendable {
    public let id: String
    /// `email` or `phone_number`.
    public let kind: String
    public let undoUntil: Instant

    public init(id: String, kind: String, undoUntil: Instant) {
      self.id = id
      self.kind = kind
      self.undoUntil = undoUntil
    }
  }

  public let contacts: [Contact]
  /// When the account is erased; `nil` if the person did not ask for it.
  public let erasureAt: Instant?

  public init(contacts: [Contact], erasureAt: Instant?) {
    self.contacts = contacts
    self.erasureAt = erasureAt
  }

  public init?(json: JSON) {
    guard let elements = json.elements(.contactChanges) else { return nil }
    contacts = elements.compactMap { element in
      guard let id = element.text(.id), let kind = element.text(.kind),
        let end = element.unixSeconds(.undoUntil)
      else { return nil }
      return Contact(id: id, kind: kind, undoUntil: Instant(seconds: end))
    }
    erasureAt = json[.erasure]?.unixSeconds(.dueAt).map { Instant(seconds: $0) }
  }
}
