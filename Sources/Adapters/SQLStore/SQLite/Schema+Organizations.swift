extension Schema {
  /// The successor of a session after a switch of the organization, and the activities of a person
  /// in each organization.
  static let organizations = """
    ALTER TABLE sessions ADD COLUMN successor TEXT;

    CREATE TABLE activities (
      id           TEXT    NOT NULL PRIMARY KEY,
      account      TEXT    NOT NULL,
      organization TEXT    NOT NULL,
      title        TEXT    NOT NULL,
      place        TEXT    NOT NULL,
      companion    TEXT    NOT NULL,
      starts_at    INTEGER NOT NULL,
      ends_at      INTEGER NOT NULL,
      status       TEXT    NOT NULL,
      notes        TEXT    NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX activities_of_account ON activities (account, organization, starts_at);
    """
}
