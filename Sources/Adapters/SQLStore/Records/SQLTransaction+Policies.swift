internal import JSONText
internal import SignInModel
internal import SignInService

extension SQLTransaction: PolicyRecords {
  func policyChanges(of subject: PolicyChanges.Subject) throws(StoreFault) -> PolicyChanges {
    let (kind, name) = subject.place
    return try connection.first(
      Self.policyBySubject,
      bind: {
        $0.bind(kind)
        $0.bind(name)
      },
      read: { row throws(StoreFault) in
        do throws(JSONMalformed) {
          return PolicyChanges(try JSONReader.read(row.bytes()))
        } catch {
          throw row.unreadable()
        }
      }) ?? .none
  }

  func save(
    _ changes: PolicyChanges, of subject: PolicyChanges.Subject
  ) throws(StoreFault) {
    let (kind, name) = subject.place
    if changes.isEmpty {
      try write("DELETE FROM policies WHERE kind = ? AND subject = ?") {
        $0.bind(kind)
        $0.bind(name)
      }
      return
    }
    try write(
      """
      INSERT INTO policies (kind, subject, changes) VALUES (?, ?, ?)
      ON CONFLICT (kind, subject) DO UPDATE SET
        changes = excluded.changes
      """
    ) {
      $0.bind(kind)
      $0.bind(name)
      $0.bind(changes.json.utf8)
    }
  }
}

extension PolicyChanges.Subject {
  fileprivate var place: (kind: String, name: String) {
    switch self {
    case .client(let id): ("client", id.text)
    case .organization(let id): ("organization", id.text)
    }
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let policyBySubject: StaticString =
    "SELECT changes FROM policies WHERE kind = ? AND subject = ?"
}
