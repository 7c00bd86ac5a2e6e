extension PostgresSchema {
  /// Triggers that prevent changes of the security log by this program.
  ///
  /// Events before the start of the log can be removed.
  static let triggers = """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION ''the security log is append-only''; END';
    CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN
        IF OLD.sequence > (SELECT sequence FROM security_log_start) THEN
          RAISE EXCEPTION ''the security log is append-only'';
        END IF;
        RETURN OLD;
      END';
    CREATE TRIGGER security_events_are_not_changed
      BEFORE UPDATE ON security_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER security_events_are_not_removed
      BEFORE DELETE ON security_events FOR EACH ROW EXECUTE FUNCTION refuse_removal();
    """
}
