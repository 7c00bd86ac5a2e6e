internal import SignInService

/// What only SQLite has, and the steps that it takes when a file is opened.
enum SQLiteSchema {
  static let additions = [
    """
    CREATE INDEX accounts_for_search
      ON accounts (created_at, id, search_text, phone, role, status, organizations);
    CREATE INDEX products_for_search ON products (created_at, id, search_text);

    CREATE TRIGGER security_events_are_not_changed BEFORE UPDATE ON security_events
      BEGIN SELECT RAISE(ABORT, 'the security log is append-only'); END;
    CREATE TRIGGER security_events_are_not_removed BEFORE DELETE ON security_events
      WHEN OLD.sequence > (SELECT sequence FROM security_log_start)
      BEGIN SELECT RAISE(ABORT, 'the security log is append-only'); END;
    CREATE TRIGGER unlinked_events_are_not_changed
      BEFORE UPDATE OF id, at, code, account, client, session, peer, proof_key, detail, count,
        key_id, writer_code
      ON unlinked_events
      BEGIN SELECT RAISE(ABORT, 'an event is not changed'); END;
    """
  ]

  /// Applies the steps that the database lacks, in one transaction.
  ///
  /// Another process waits, and then finds nothing to do.
  ///
  /// - Throws: `.unusable` if a newer program wrote it, because this program cannot know its
  ///   meaning.
  static func apply(
    _ steps: [SchemaStep] = Schema.steps, to connection: SQLiteConnection, path: String
  ) throws(StoreFault) {
    let version = Int64(steps.count)
    try connection.execute("BEGIN IMMEDIATE")
    let found = try connection.first("PRAGMA user_version") { row in row.number() } ?? 0
    guard found <= version else {
      throw .unusable(
        """
        \(path) has schema \(found), newer than the \(version) this program knows: \
        install the program that wrote it, or restore a backup made before it ran
        """)
    }
    guard found >= 0 else {
      throw .unusable("\(path) has schema \(found), which no program wrote: restore a backup")
    }
    for step in steps[Int(found)...] {
      for statement in step.sqlite { try connection.execute(statement) }
    }
    if found < version { try connection.execute("PRAGMA user_version = \(version)") }
    try connection.execute("COMMIT")
  }
}
