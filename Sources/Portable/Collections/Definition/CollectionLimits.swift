import JSONText

/// The limits of definitions and of records.
///
/// A record with texts of the greatest length still fits into a request. So the limits have no key
/// in the configuration, except those that a field makes smaller.
public enum CollectionLimits {
  public static let collections = 64
  public static let roles = 64
  public static let fields = 64
  /// The values of one choice.
  public static let values = 64
  public static let sections = 32
  /// The lines of one row in a list.
  public static let lines = 4
  public static let languages = 64
  /// The bytes of the name of a collection, a field or a value.
  ///
  /// A scope and a column of a table have this name too.
  public static let nameBytes = 32
  /// The bytes of a title in one language.
  public static let titleBytes = 512
  /// The bytes that a text in one line can have, and those it has if its field does not say.
  public static let textBytes: ClosedRange<Int64> = 1...4096
  public static let usualTextBytes: Int64 = 800
  public static let linesBytes: ClosedRange<Int64> = 1...16_384
  public static let usualLinesBytes: Int64 = 4096
  public static let linkBytes: ClosedRange<Int64> = 1...2048
  public static let usualLinkBytes: Int64 = 2048
  /// The bytes of all values of one record, as JSON.
  public static let recordBytes = 32 << 10
  /// The whole numbers that every JSON parser reads exactly.
  public static let integers = JSON.safeIntegers
  /// Digits after the decimal point.
  public static let decimals: ClosedRange<Int64> = 0...9
  public static let usualDecimals: Int64 = 2
  /// Days in which a date is shown as expiring.
  public static let warnDays: ClosedRange<Int64> = 0...3650
  public static let usualWarnDays: Int64 = 30
  /// Further mistakes are not collected.
  public static let mistakes = 100
}
