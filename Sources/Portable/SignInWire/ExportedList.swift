/// A list that administrators can save as a table.
public enum ExportedList: String, CaseIterable, Sendable {
  case accounts
  case events
  case messages
}
