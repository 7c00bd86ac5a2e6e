extension PostgresSchema {
  /// Ids that are unique in one organization, and a version and removed changes for each.
  ///
  /// The id of a record of an organization has the organization in front, as `RecordKey` writes it.
  /// A server of the version before writes an id without it, which the trigger adds before the
  /// record is compared with others. That server shows the stored ids to people, and it does not
  /// find such a record by the sender's id until it is updated. A product gets an id for its
  /// owner's app only if it differs.
  static let recordKeys = """
    UPDATE data_changes SET record = organization || '~' || id
      FROM jobs WHERE kind = 'job' AND id = record AND organization IS NOT NULL;
    UPDATE data_changes SET record = organization || '~' || id
      FROM deliveries WHERE kind = 'delivery' AND id = record AND organization IS NOT NULL;
    UPDATE data_changes SET record = organization || '~' || id
      FROM activities WHERE kind = 'activity' AND id = record;
    UPDATE jobs SET id = organization || '~' || id WHERE organization IS NOT NULL;
    UPDATE deliveries SET id = organization || '~' || id WHERE organization IS NOT NULL;
    UPDATE activities SET id = organization || '~' || id;
    CREATE FUNCTION add_organization() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN
        IF NEW.organization IS NOT NULL AND strpos(NEW.id, ''~'') = 0 THEN
          NEW.id := NEW.organization || ''~'' || NEW.id;
        END IF;
        RETURN NEW;
      END';
    CREATE TRIGGER jobs_have_organizations
      BEFORE INSERT OR UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION add_organization();
    CREATE TRIGGER deliveries_have_organizations
      BEFORE INSERT OR UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION add_organization();
    CREATE TRIGGER activities_have_organizations
      BEFORE INSERT OR UPDATE ON activities FOR EACH ROW EXECUTE FUNCTION add_organization();
    CREATE INDEX jobs_by_id ON jobs (substr(id, instr(id, '~') + 1));
    CREATE INDEX deliveries_by_id ON deliveries (substr(id, instr(id, '~') + 1));
    CREATE INDEX activities_by_id ON activities (substr(id, instr(id, '~') + 1));
    CREATE INDEX products_by_id ON products (substr(id, instr(id, '~') + 1));

    ALTER TABLE products ADD COLUMN shown_id text COLLATE "C";
    CREATE INDEX products_shown
      ON products (owner, coalesce(shown_id, id)) WHERE owner IS NOT NULL;

    ALTER TABLE data_changes ADD COLUMN organization text COLLATE "C" GENERATED ALWAYS AS
      (CASE WHEN strpos(record, '~') > 0 THEN split_part(record, '~', 1) END) STORED;
    CREATE INDEX data_changes_of_organization ON data_changes (organization, sequence);
    CREATE TABLE removed_changes (
      organization text COLLATE "C" NOT NULL PRIMARY KEY,
      last bigint NOT NULL
    );
    CREATE TABLE organization_versions (
      organization text COLLATE "C" NOT NULL PRIMARY KEY,
      last bigint NOT NULL
    )
    """
}
