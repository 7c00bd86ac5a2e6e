public import SignInModel
public import SignInRules

/// What makes two refusals equal, so that one event can report both.
public struct RefusalSource: Hashable, Sendable {
  public let code: SecurityEvent.Code
  /// What the refusal is about: an account, a digest of an unknown identifier, or a limit.
  ///
  /// Empty when it concerns only the caller.
  public let subject: String
  /// As in the event.
  public let client: ClientID?
  /// An IPv4 address, or the first 48 bits of an IPv6 one; nil for a local call.
  public let network: String?
  /// As in the event.
  public let detail: String?

  public init(
    code: SecurityEvent.Code, subject: String, client: ClientID?, network: String?,
    detail: String?
  ) {
    self.code = code
    self.subject = subject
    self.client = client
    self.network = network
    self.detail = detail
  }
}

/// How often equal refusals came since they were last reported.
public struct RefusalTally: Equatable, Sendable {
  public let source: RefusalSource
  /// The account of the events; nil when there is none, or when it may be any.
  public let account: AccountID?
  /// The address that the last of them came from.
  public var peer: String?
  public var refusals: RepeatedRefusals

  public init(
    source: RefusalSource, account: AccountID?, peer: String?, refusals: RepeatedRefusals
  ) {
    self.source = source
    self.account = account
    self.peer = peer
    self.refusals = refusals
  }
}

/// Refusals that no event reports yet, of all sources together.
public struct UnreportedRefusals: Equatable, Sendable {
  public let code: SecurityEvent.Code
  public let detail: String?
  public let count: Int64

  public init(code: SecurityEvent.Code, detail: String?, count: Int64) {
    self.code = code
    self.detail = detail
    self.count = count
  }
}
