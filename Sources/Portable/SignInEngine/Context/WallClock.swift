public import SignInModel

/// The person's local time: how far it differs from UTC, and when the difference changes.
public struct WallClock: Equatable, Sendable {
  /// From `at` on, the difference has this value, because daylight saving time begins or ends.
  public struct Change: Equatable, Sendable {
    public let at: Instant
    public let utcOffsetSeconds: Int64

    public init(at: Instant, utcOffsetSeconds: Int64) {
      self.at = at
      self.utcOffsetSeconds = utcOffsetSeconds
    }
  }

  /// The most changes that are used.
  ///
  /// The years that the app shows have fewer.
  public static let changeLimit = 16

  static let daySeconds: Int64 = 24 * 60 * 60
  /// The largest plausible difference.
  ///
  /// No place on Earth differs more from UTC.
  static let offsetLimit: Int64 = 18 * 60 * 60

  private let utcOffsetSeconds: Int64
  private let changes: [Change]

  /// Creates the local time.
  ///
  /// `changes` are in chronological order. Before the first one, the difference is
  /// `utcOffsetSeconds`.
  public init(utcOffsetSeconds: Int64 = 0, changes: [Change] = []) {
    self.utcOffsetSeconds = Self.plausible(utcOffsetSeconds)
    self.changes = Array(changes.prefix(Self.changeLimit))
  }

  /// Seconds since 1 January 1970, 0:00 local time.
  public func seconds(of moment: Instant) -> Int64 {
    var offset = utcOffsetSeconds
    for change in changes where change.at <= moment {
      offset = Self.plausible(change.utcOffsetSeconds)
    }
    return moment.seconds + offset
  }

  /// Days since 1 January 1970 in local time.
  public func day(of moment: Instant) -> Int64 {
    let seconds = seconds(of: moment)
    return seconds >= 0
      ? seconds / Self.daySeconds : (seconds - Self.daySeconds + 1) / Self.daySeconds
  }

  /// The person's calendar day.
  public func calendarDay(of moment: Instant) -> CalendarDay {
    CalendarDay(number: day(of: moment))
  }

  /// Seconds since midnight in local time.
  public func timeOfDay(of moment: Instant) -> Int64 {
    seconds(of: moment) - day(of: moment) * Self.daySeconds
  }

  private static func plausible(_ offset: Int64) -> Int64 {
    min(max(offset, -offsetLimit), offsetLimit)
  }
}
