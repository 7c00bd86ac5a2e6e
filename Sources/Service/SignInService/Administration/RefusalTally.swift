public import SignInModel
public import SignInRules

/// The values that two refusals must share so that one event can report both.
public struct RefusalSource: Hashable, Sendable {
  public let code: SecurityEvent.Code
  /// The subject of the refusal: an account, a digest of an unknown identifier, or a limit.
  ///
  /// It is empty if the refusal is only about the caller.
  public let subject: String
  /// As in the event.
  public let client: ClientID?
  /// An IPv4 address, or the first 48 bits of an IPv6 address; nil for a local call.
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

/// The number of equal refusals since the last report.
public struct RefusalTally: Equatable, Sendable {
  public let source: RefusalSource
  /// The account that the events name; nil if there is none, or if the refusals can be about
  /// several.
  public let account: AccountID?
  /// The address of the last refused request.
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

/// The refusals that no event reports yet, summed over all sources.
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
