import JSONText
import SignInModel
import SignInService
import SignInWire
import Threads

/// `fieldpass account invite`: sends an invitation, or prints it.
///
/// It can be printed only once.
struct InvitationCommand: Sendable {
  let name: String
  /// The address of the person's app.
  ///
  /// If it is `nil`, the configuration names the app, and without a configuration the invitation is
  /// printed without a link.
  let app: String?
  let isJSON: Bool
  /// How the invitation is sent; `nil` if it is printed.
  var isSent: InvitationDelivery?

  /// Returns the exit status.
  func run(in world: World) -> Int32 {
    let isNamed = app != nil || world.clients.isEmpty
    let (name, delivery) = (name, isSent ?? (isNamed ? .shownWithoutLink : .shown))
    return AccountAdministration.status { () throws(Refusal) in
      let answer = try BlockingCall.run { () throws(Refusal) in
        let id = try await AccountAdministration.identify(name, in: world)
        return try await invite(id, by: delivery, rules: .operatorCommand, in: world)
      }
      LineWriter.standardOutput.write(text(of: answer))
      return ExitStatus.done
    }
  }

  private func text(of answer: InvitationAnswer) -> String {
    guard let invitation = answer.invitation else {
      if isJSON { return String(decoding: answer.json.utf8, as: UTF8.self) }
      return "sent; expires at \(AccountOutput.moment(answer.expiresAt))"
    }
    let link = app.map { Secret("\($0)#invitation=\(invitation.revealed)") } ?? answer.link
    if isJSON {
      let shown = InvitationAnswer(
        invitation: invitation, link: link, expiresAt: answer.expiresAt
      )
      return String(decoding: shown.json.utf8, as: UTF8.self)
    }
    var lines = ["invitation  \(invitation.revealed)"]
    if let link { lines.append("link        \(link.revealed)") }
    lines.append("expires at  \(AccountOutput.moment(answer.expiresAt))")
    return lines.joined(separator: "\n")
  }
}
