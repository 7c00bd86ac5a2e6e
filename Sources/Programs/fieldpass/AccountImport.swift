import JSONText
import SignInModel
import SignInService
import SignInWire
import Threads

/// `fieldpass account import`: reads a file of accounts and reports all mistakes in it.
///
/// Accounts are written only if there is no mistake.
struct AccountImport: Sendable {
  /// The path in messages.
  let path: String
  let bytes: [UInt8]
  /// Only check the file.
  let isDryRun: Bool
  let isJSON: Bool
  let skipsExisting: Bool
  /// `nil` if no invitations are sent.
  let invitation: InvitationDelivery?

  /// Returns the exit status.
  func run(in world: World) -> Int32 {
    let table = AccountTable(csv: bytes, organizations: world.organizations.map(\.id))
    var terms = ImportTerms()
    terms.skipsExisting = skipsExisting
    terms.invitation = invitation
    let parsed = terms
    return AccountAdministration.status { () throws(Refusal) in
      let made = try BlockingCall.run { () throws(Refusal) in
        try await perform(table, parsed, in: world)
      }
      switch made {
      case .mistaken(let mistakes): return report(mistakes)
      case .checked: return report(ImportSummary(), checked: table.accounts.count)
      case .imported(let summary): return report(summary, checked: table.accounts.count)
      }
    }
  }

  private enum Report: Sendable {
    case mistaken([ImportMistake])
    case checked
    case imported(ImportSummary)
  }

  private func perform(
    _ table: AccountTable, _ terms: ImportTerms, in world: World
  ) async throws(Refusal) -> Report {
    let conflicts = try await checkImport(table.accounts, terms, in: world)
    let mistakes = (table.mistakes + conflicts).sorted {
      ($0.line, $0.column ?? 0) < ($1.line, $1.column ?? 0)
    }
    guard mistakes.isEmpty else { return .mistaken(mistakes) }
    if isDryRun { return .checked }
    return .imported(
      try await importAccounts(table.accounts, terms, rules: .operatorCommand, in: world))
  }

  /// Reports the mistakes on standard error in the format of a compiler.
  ///
  /// With `--json`, prints one object on standard output.
  private func report(_ mistakes: [ImportMistake]) -> Int32 {
    if isJSON {
      let list = JSON.array(mistakes.map(\.json))
      let json = JSON.members([JSONMember("mistakes", list)])
      LineWriter.standardOutput.write(String(decoding: json.utf8, as: UTF8.self))
    } else {
      for mistake in mistakes {
        let column = mistake.column.map { ":\($0)" } ?? ""
        let name = mistake.name.map { "\($0): " } ?? ""
        LineWriter.standardError.write(
          "\(path):\(mistake.line)\(column): \(name)\(mistake.problem)")
      }
    }
    complain(
      "\(counted(mistakes.count, "mistake")) in `\(path)`; nothing was imported",
      hint: mistakes.contains(where: \.isExisting)
        ? "correct them, or add --skip-existing to leave out people who have an account"
        : "correct them and import the file again"
    )
    return ExitStatus.refused
  }

  private func report(_ summary: ImportSummary, checked: Int) -> Int32 {
    if isJSON {
      let json = JSON.members([
        JSONMember("checked", Int64(checked)), JSONMember("created", Int64(summary.created)),
        JSONMember("skipped", Int64(summary.skipped)),
        JSONMember("invited", Int64(summary.invited)),
        JSONMember("not_invited", Int64(summary.notInvited)),
      ])
      LineWriter.standardOutput.write(String(decoding: json.utf8, as: UTF8.self))
    } else if isDryRun {
      LineWriter.standardOutput.write("\(counted(checked, "account")) can be imported")
    } else {
      LineWriter.standardOutput.write(
        "\(counted(summary.created, "account")) created, \(summary.skipped) skipped, "
          + "\(summary.invited) invited"
      )
    }
    return ExitStatus.done
  }
}

extension ImportMistake {
  fileprivate var json: JSON {
    .members([
      JSONMember("line", Int64(line)),
      column == nil ? nil : JSONMember("column", Int64(column ?? 0)),
      JSONMember("name", ifPresent: name), JSONMember("problem", problem),
    ])
  }
}
