import Glibc
import SignInService

/// Lines of text in columns.
///
/// The first column is left-aligned, the others are right-aligned.
struct Table {
  private let title: String
  private var rows: [[String]] = []

  init(_ title: String, _ head: String...) {
    self.title = title
    rows.append(head)
  }

  mutating func add(_ cells: String...) { rows.append(cells) }

  func print() {
    let columns = rows.map { $0.count }.max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    var text = "\n\(title)\n"
    for row in rows {
      var line = " "
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += " " + (column == 0 ? cell + padding : " " + padding + cell)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      text += line + "\n"
    }
    _ = Array(text.utf8).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Numbers in the format of a table.
enum Figure {
  /// With one decimal below ten, and with thousands separators above.
  static func count(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    if value < 10 { return fixed(value, decimals: 1) }
    return CapacityPlan.grouped(value)
  }

  static func milliseconds(_ seconds: Double) -> String {
    let milliseconds = seconds * 1000
    if milliseconds < 10 { return fixed(milliseconds, decimals: 2) }
    return milliseconds < 100 ? fixed(milliseconds, decimals: 1) : count(milliseconds)
  }

  static func percent(_ share: Double) -> String { "\(count(share * 100)) %" }

  static func times(_ ratio: Double) -> String { "\(fixed(ratio, decimals: 1))×" }

  static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((abs(value) * Double(scale)).rounded())
    let digits = String(scaled % scale)
    let zeros = String(repeating: "0", count: decimals - digits.count)
    return "\(value < 0 ? "-" : "")\(scaled / scale).\(zeros)\(digits)"
  }
}
