public import SignInModel

/// Who decides about an account, and from where: an administrator, or a shell on the server.
public struct AccountKeeper: Equatable, Sendable {
  /// Nil for a shell.
  public let administrator: AccountID?
  public let caller: Caller

  /// Whoever has a shell on the server.
  public static let shell = AccountKeeper(
    administrator: nil, caller: Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
  )

  public init(administrator: AccountID?, caller: Caller) {
    self.administrator = administrator
    self.caller = caller
  }

  public init(_ access: Access, peer: String?) {
    self.init(administrator: access.account.id, caller: access.caller(peer: peer))
  }

  /// What the security log calls it.
  var name: String { administrator?.text ?? "shell" }
}

extension Access {
  func caller(peer: String?) -> Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: session.proofKeyThumbprint)
  }
}
