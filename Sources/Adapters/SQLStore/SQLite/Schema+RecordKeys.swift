extension Schema {
  /// Ids that are unique in one organization, and a version and removed changes for each.
  ///
  /// The id of a record of an organization has the organization in front, as `RecordKey` writes it.
  /// A product gets an id for its owner's app only if it differs.
  static let recordKeys = """
    UPDATE data_changes SET record =
      (SELECT organization || '~' || id FROM jobs WHERE id = record)
      WHERE kind = 'job' AND record IN (SELECT id FROM jobs WHERE organization IS NOT NULL);
    UPDATE data_changes SET record =
      (SELECT organization || '~' || id FROM deliveries WHERE id = record)
      WHERE kind = 'delivery'
        AND record IN (SELECT id FROM deliveries WHERE organization IS NOT NULL);
    UPDATE data_changes SET record =
      (SELECT organization || '~' || id FROM activities WHERE id = record)
      WHERE kind = 'activity' AND record IN (SELECT id FROM activities);
    UPDATE jobs SET id = organization || '~' || id WHERE organization IS NOT NULL;
    UPDATE deliveries SET id = organization || '~' || id WHERE organization IS NOT NULL;
    UPDATE activities SET id = organization || '~' || id;
    CREATE INDEX jobs_by_id ON jobs (substr(id, instr(id, '~') + 1));
    CREATE INDEX deliveries_by_id ON deliveries (substr(id, instr(id, '~') + 1));
    CREATE INDEX activities_by_id ON activities (substr(id, instr(id, '~') + 1));
    CREATE INDEX products_by_id ON products (substr(id, instr(id, '~') + 1));

    ALTER TABLE products ADD COLUMN shown_id TEXT;
    CREATE INDEX products_shown
      ON products (owner, coalesce(shown_id, id)) WHERE owner IS NOT NULL;

    ALTER TABLE data_changes ADD COLUMN organization TEXT GENERATED ALWAYS AS
      (CASE WHEN instr(record, '~') > 0 THEN substr(record, 1, instr(record, '~') - 1) END)
      VIRTUAL;
    CREATE INDEX data_changes_of_organization ON data_changes (organization, sequence);
    CREATE TABLE removed_changes (
      organization TEXT    NOT NULL PRIMARY KEY,
      last         INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE organization_versions (
      organization TEXT    NOT NULL PRIMARY KEY,
      last         INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
