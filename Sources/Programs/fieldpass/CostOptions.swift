import SignInModel
import SignInService

/// The options of `fieldpass messages cost`.
struct CostOptions {
  /// The default number of days, today included.
  static let usualDays: Int64 = 30

  static let usage = """
    fieldpass messages cost    print the cost of messages, separated by tabs

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder
      --from DAY              the first day, in UTC, such as 2026-11-01
                              (default: \(usualDays) days up to the last)
      --to DAY                the last day (default: today)
      --by COLUMNS            one line for each value of: \(CostColumn.allCases.map(\.rawValue)
        .joined(separator: ","))
                              (default: messenger,country)
    """

  var place = DataLocation()
  var first: CalendarDay?
  var last: CalendarDay?
  var columns: [CostColumn] = [.messenger, .country]

  static func parse(_ arguments: ArraySlice<String>) -> Result<CostOptions, CommandMistake> {
    var options = CostOptions()
    var rest = arguments
    while let name = rest.popFirst() {
      guard DataLocation.optionNames.union(["--from", "--to", "--by"]).contains(name) else {
        return .failure(CommandMistake("`messages cost` does not take `\(name)`"))
      }
      guard let value = rest.popFirst() else {
        return .failure(CommandMistake("`\(name)` needs a value"))
      }
      switch name {
      case "--data", "--config": options.place.set(name, to: value)
      case "--by":
        let columns = value.split(separator: ",", omittingEmptySubsequences: false)
          .map { CostColumn(rawValue: String($0)) }
        let known = columns.compactMap { $0 }
        guard known.count == columns.count, Set(known).count == known.count else {
          return .failure(CommandMistake("`\(value)` is not a list of columns for the costs"))
        }
        options.columns = known
      default:
        do throws(Malformed) {
          let day = try CalendarDay(parsing: value)
          if name == "--from" { options.first = day } else { options.last = day }
        } catch {
          return .failure(CommandMistake("`\(value)` is not a date; write it as 2026-11-21"))
        }
      }
    }
    if let first = options.first, let last = options.last, last < first {
      return .failure(CommandMistake("`--from` is after `--to`"))
    }
    return .success(options)
  }

  /// The range of days.
  ///
  /// Fills in the days that the options leave out.
  func days(today: CalendarDay) -> (first: CalendarDay, last: CalendarDay) {
    let last = last ?? max(today, first ?? today)
    return (first ?? last.adding(days: 1 - Self.usualDays), last)
  }
}
