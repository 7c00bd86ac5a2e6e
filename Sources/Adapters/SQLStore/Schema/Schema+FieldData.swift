extension Schema {
  /// The work that other systems write for people.
  ///
  /// The id of a record of an organization has the organization in front, as `RecordKey` writes it.
  /// An index finds the records by the sender's id alone. `status_note` is what the person wrote
  /// about the status.
  static let fieldData = """
    CREATE TABLE jobs (
      id           TEXT    NOT NULL PRIMARY KEY,
      organization TEXT,
      account      TEXT    NOT NULL,
      title        TEXT    NOT NULL,
      customer     TEXT    NOT NULL,
      phone        TEXT,
      place        TEXT    NOT NULL,
      instructions TEXT,
      starts_at    INTEGER NOT NULL,
      ends_at      INTEGER NOT NULL,
      status       TEXT    NOT NULL,
      status_note  TEXT,
      version      INTEGER NOT NULL DEFAULT 1
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX jobs_by_id ON jobs (substr(id, instr(id, '~') + 1));
    CREATE INDEX jobs_of_account ON jobs (account, starts_at);

    CREATE TABLE deliveries (
      id           TEXT    NOT NULL PRIMARY KEY,
      organization TEXT,
      account      TEXT    NOT NULL,
      recipient    TEXT    NOT NULL,
      phone        TEXT,
      place        TEXT    NOT NULL,
      instructions TEXT,
      parcels      INTEGER NOT NULL,
      starts_at    INTEGER NOT NULL,
      ends_at      INTEGER NOT NULL,
      status       TEXT    NOT NULL,
      status_note  TEXT,
      version      INTEGER NOT NULL DEFAULT 1
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deliveries_by_id ON deliveries (substr(id, instr(id, '~') + 1));
    CREATE INDEX deliveries_of_account ON deliveries (account, starts_at);

    CREATE TABLE activities (
      id           TEXT    NOT NULL PRIMARY KEY,
      organization TEXT    NOT NULL,
      account      TEXT    NOT NULL,
      title        TEXT    NOT NULL,
      place        TEXT    NOT NULL,
      companion    TEXT    NOT NULL,
      starts_at    INTEGER NOT NULL,
      ends_at      INTEGER NOT NULL,
      status       TEXT    NOT NULL,
      notes        TEXT    NOT NULL,
      version      INTEGER NOT NULL DEFAULT 1
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX activities_by_id ON activities (substr(id, instr(id, '~') + 1));
    CREATE INDEX activities_of_account ON activities (account, organization, starts_at);
    """

  /// The versions of records that other systems write, and the log of changes by people.
  static let dataChanges = """
    -- The last version of the records without an organization. Records of the demo have version 1.
    CREATE TABLE record_versions (
      id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO record_versions (id, last) VALUES (1, 1);

    -- The last version of the records of each other organization.
    CREATE TABLE organization_versions (
      organization TEXT    NOT NULL PRIMARY KEY,
      last         INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- `organization` is the part of `record` before the id.
    CREATE TABLE data_changes (
      sequence     INTEGER NOT NULL PRIMARY KEY,
      at           INTEGER NOT NULL,
      kind         TEXT    NOT NULL,
      record       TEXT    NOT NULL,
      act          TEXT    NOT NULL,
      account      TEXT    NOT NULL,
      status       TEXT,
      version      INTEGER,
      organization TEXT    GENERATED ALWAYS AS
        (CASE WHEN instr(record, '~') > 0 THEN substr(record, 1, instr(record, '~') - 1) END)
        VIRTUAL
    ) STRICT;
    CREATE INDEX data_changes_by_time ON data_changes (at);
    CREATE INDEX data_changes_of_organization ON data_changes (organization, sequence);

    -- The number of the last change, and of the last one that was removed because of its age.
    CREATE TABLE data_change_bounds (
      id      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      removed INTEGER NOT NULL,
      last    INTEGER NOT NULL
    ) STRICT;
    INSERT INTO data_change_bounds (id, removed, last) VALUES (1, 0, 0);

    -- The last removed change of each organization.
    CREATE TABLE removed_changes (
      organization TEXT    NOT NULL PRIMARY KEY,
      last         INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The number of the last change that each receiver has accepted.
    CREATE TABLE change_receivers (
      name  TEXT    NOT NULL PRIMARY KEY,
      taken INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
