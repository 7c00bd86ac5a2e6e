public import JSONText
public import SignInModel

/// What a provider says about how to reach a person.
public enum ContactChannel: String, CaseIterable, Sendable {
  case phone
  case email
}

/// What a person should know about the account, shown on a device that is signed in.
public struct AccountUpdate: Equatable, Sendable {
  /// A new password that was chosen on an unknown device and is not valid yet.
  public struct PasswordReset: Equatable, Sendable {
    public let requestedAt: Instant
    public let availableAt: Instant

    public init(requestedAt: Instant, availableAt: Instant) {
      self.requestedAt = requestedAt
      self.availableAt = availableAt
    }
  }

  public struct Notice: Equatable, Sendable {
    public let id: String
    /// `new_device`.
    public let kind: String
    public let at: Instant

    public init(id: String, kind: String, at: Instant) {
      self.id = id
      self.kind = kind
      self.at = at
    }
  }

  /// A number or an address that an identity provider has verified and that the account does not
  /// have.
  ///
  /// The person accepts or declines it.
  public struct Proposal: Equatable, Sendable {
    public let id: String
    public let channel: ContactChannel
    public let value: String
    /// The name of the provider for people.
    public let provider: String

    public init(id: String, channel: ContactChannel, value: String, provider: String) {
      self.id = id
      self.channel = channel
      self.value = value
      self.provider = provider
    }
  }

  public var passwordReset: PasswordReset?
  /// The newest first.
  public var notices: [Notice] = []
  /// At most one for each channel.
  public var proposals: [Proposal] = []

  public init() {}

  /// The members of an answer, or none if there is nothing to report.
  public var members: [JSONMember] {
    var members: [JSONMember] = []
    if let passwordReset {
      members.append(
        JSONMember(
          .passwordReset,
          .members([
            JSONMember(.requestedAt, passwordReset.requestedAt.seconds),
            JSONMember(.availableAt, passwordReset.availableAt.seconds),
          ])))
    }
    if !notices.isEmpty {
      members.append(
        JSONMember(
          .notices,
          .array(
            notices.map { notice in
              .members([
                JSONMember(.id, notice.id), JSONMember(.kind, notice.kind),
                JSONMember(.at, notice.at.seconds),
              ])
            })))
    }
    if !proposals.isEmpty {
      members.append(
        JSONMember(
          .contactProposals,
          .array(
            proposals.map { proposal in
              .members([
                JSONMember(.id, proposal.id), JSONMember(.channel, proposal.channel.rawValue),
                JSONMember(.value, proposal.value), JSONMember(.provider, proposal.provider),
              ])
            })))
    }
    return members
  }

  /// Reads the members of an answer that can also contain other data.
  public init(json: JSON) {
    if let requested = json[.passwordReset]?.unixSeconds(.requestedAt),
      let available = json[.passwordReset]?.unixSeconds(.availableAt)
    {
      passwordReset = PasswordReset(
        requestedAt: Instant(seconds: requested), availableAt: Instant(seconds: available)
      )
    }
    for entry in json.elements(.notices) ?? [] {
      guard let id = entry.text(.id), let kind = entry.text(.kind),
        let at = entry.unixSeconds(.at)
      else { continue }
      notices.append(Notice(id: id, kind: kind, at: Instant(seconds: at)))
    }
    for entry in json.elements(.contactProposals) ?? [] {
      guard let id = entry.text(.id), let value = entry.text(.value),
        let channel = entry.text(.channel).flatMap({ ContactChannel(rawValue: $0) }),
        let provider = entry.text(.provider)
      else { continue }
      proposals.append(Proposal(id: id, channel: channel, value: value, provider: provider))
    }
  }
}
