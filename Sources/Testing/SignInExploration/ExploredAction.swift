/// One possible next step of a world.
enum ExploredAction: Equatable, CustomStringConvertible {
  case open(Int)
  case close(Int)
  /// The shell of the tab runs its next task.
  case work(Int)
  /// As `work`, but storage refuses the write.
  case refuseWrite(Int)
  /// As `work`, but storage cannot be read.
  case refuseRead(Int)
  /// The server handles the message.
  case arrive(Int)
  case loseRequest(Int)
  case loseAnswer(Int)
  /// The tab gets the answer.
  case answer(Int)
  /// The access tokens expire.
  case passTime
  case signOut(Int)
  case switchOrganization(Int)
  /// A thief copies the stored refresh token.
  case steal
  case useStolenToken

  var description: String {
    switch self {
    case .open(let tab): "tab \(tab) is opened"
    case .close(let tab): "tab \(tab) is closed"
    case .work(let tab): "the shell of tab \(tab) runs its next task"
    case .refuseWrite(let tab): "storage refuses the next write of tab \(tab)"
    case .refuseRead(let tab): "storage cannot be read by tab \(tab)"
    case .arrive(let message): "the server handles message \(message)"
    case .loseRequest(let message): "message \(message) is lost"
    case .loseAnswer(let message): "the answer to message \(message) is lost"
    case .answer(let message): "message \(message) is answered"
    case .passTime: "the access tokens expire"
    case .signOut(let tab): "the person signs out in tab \(tab)"
    case .switchOrganization(let tab): "the person changes the organization in tab \(tab)"
    case .steal: "a thief copies the stored refresh token"
    case .useStolenToken: "the thief uses the token"
    }
  }
}
