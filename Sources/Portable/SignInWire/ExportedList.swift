/// A list that administrators can save as a table.
public enum ExportedList: String, CaseIterable, Sendable {
  case accounts
  case events
  case messages

  /// The most rows of one table, without its header.
  ///
  /// The rows are the newest.
  public static let rowLimit = 10_000
}
