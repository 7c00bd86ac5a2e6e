extension PostgresSchema {
  /// Renames the keys of two changed policy values.
  ///
  /// A server of the version before does not know the new names: the configured values apply there,
  /// and it refuses changes of these policies. The escape format can represent every byte, so a
  /// damaged record stays as it is.
  static let conversionKeys = """
    UPDATE policies SET changes = decode(replace(replace(encode(changes, 'escape'),
      '"brake_after":', '"conversion_checked_after":'),
      '"brake_percent":', '"minimum_conversion_percent":'), 'escape');
    """
}
