/// Counts by day as lines, with the same counts as a table.
public struct Chart: Equatable, Sendable {
  public struct Line: Equatable, Sendable {
    public let name: String
    /// The colour.
    ///
    /// Shells also give each line its own pattern, for people who see no colours.
    public let tone: Severity
    public var values: [Int64] = []
  }

  public let id: String
  public let label: String
  public let lines: [Line]
  /// The value at the upper edge.
  public let top: Int64
  public let topText: String
  /// The names of the columns of the table; the first one is of the days.
  public let columns: [String]
  /// The table, the oldest day first.
  public let rows: [[String]]
  /// The text of the control that shows the table.
  public let tableLabel: String

  /// The smallest value of 1, 2 or 5 and zeros that is not below any value, and at least 5.
  static func top(of lines: [Line]) -> Int64 {
    var highest: Int64 = 5
    for line in lines {
      for value in line.values where value > highest { highest = value }
    }
    var unit: Int64 = 1
    while unit < Int64.max / 100, unit * 10 < highest { unit *= 10 }
    for factor: Int64 in [1, 2, 5] where unit * factor >= highest { return unit * factor }
    return unit * 10
  }
}
