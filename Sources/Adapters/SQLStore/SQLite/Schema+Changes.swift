extension Schema {
  /// A version for each record that other systems write, and the log of changes by people.
  ///
  /// Records of earlier versions get version 1.
  static let recordVersions = """
    CREATE TABLE record_versions (
      id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO record_versions (id, last) VALUES (1, 1);

    ALTER TABLE jobs ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE deliveries ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE activities ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE products ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

    CREATE TABLE data_changes (
      sequence INTEGER NOT NULL PRIMARY KEY,
      at       INTEGER NOT NULL,
      kind     TEXT    NOT NULL,
      record   TEXT    NOT NULL,
      act      TEXT    NOT NULL,
      account  TEXT    NOT NULL,
      status   TEXT,
      version  INTEGER
    ) STRICT;
    CREATE INDEX data_changes_by_time ON data_changes (at);

    CREATE TABLE data_change_bounds (
      id      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      removed INTEGER NOT NULL,
      last    INTEGER NOT NULL
    ) STRICT;
    INSERT INTO data_change_bounds (id, removed, last) VALUES (1, 0, 0);
    """
}
