extension PostgresSchema {
  /// Gives two changed values the later names of their keys.
  ///
  /// A server of the version before ignores them, so the configured values apply there until it is
  /// updated. The escape format can represent every byte, so a damaged record stays as it is.
  static let conversionKeys = """
    UPDATE policies SET changes = decode(replace(replace(encode(changes, 'escape'),
      '"brake_after":', '"conversion_checked_after":'),
      '"brake_percent":', '"minimum_conversion_percent":'), 'escape');
    """
}
