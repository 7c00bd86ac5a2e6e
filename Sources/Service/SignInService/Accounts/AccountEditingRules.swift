public import SignInModel
import SignInWire

/// The person who changes an account: an administrator, or an operator by a command on the server.
public struct AccountEditingRules: Equatable, Sendable {
  /// `nil` for an operator's command.
  public let administrator: AccountID?
  public let caller: Caller
  /// Whether the person of the account asked for the change, and its time has come.
  private(set) var isRequestOfPerson = false

  /// An operator who runs a command on the server.
  public static let operatorCommand = AccountEditingRules(
    administrator: nil, caller: Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
  )

  /// The erasure that the person of the account asked for.
  static let requestOfPerson: AccountEditingRules = {
    var rules = operatorCommand
    rules.isRequestOfPerson = true
    return rules
  }()

  public init(administrator: AccountID?, caller: Caller) {
    self.administrator = administrator
    self.caller = caller
  }

  public init(_ access: Access, peer: String?) {
    self.init(administrator: access.account.id, caller: access.caller(peer: peer))
  }

  /// The administrator, because a decision depends on the permission.
  ///
  /// An administrator who changes another account stays a global administrator. Commands have no
  /// administrator, so two of them could remove the last two global administrators at once.
  var subject: Subject { administrator.map { .account($0) } ?? .globalAdministrators }

  /// The name in the security log.
  var name: String { administrator?.text ?? (isRequestOfPerson ? "person" : "shell") }
}

extension Access {
  /// Refuses a request whose account was closed since it was authorized.
  func permit(_ transaction: any AccountRecords) throws {
    guard try transaction.account(account.id)?.status == .active else {
      throw Refusal.tokenOfEndedSession
    }
  }

  func caller(peer: String?) -> Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: session.proofKeyThumbprint)
  }
}
