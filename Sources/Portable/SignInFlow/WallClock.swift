public import SignInModel

/// The clock on the person's wall: how far it differs from UTC, and when that changes.
public struct WallClock: Equatable, Sendable {
  /// From `at` on the difference is this one: summer time begins or ends.
  public struct Change: Equatable, Sendable {
    public let at: Instant
    public let utcOffsetSeconds: Int64

    public init(at: Instant, utcOffsetSeconds: Int64) {
      self.at = at
      self.utcOffsetSeconds = utcOffsetSeconds
    }
  }

  /// More than the years at hand have.
  public static let changeLimit = 16

  static let daySeconds: Int64 = 24 * 60 * 60
  /// No place on Earth is further from UTC.
  static let offsetLimit: Int64 = 18 * 60 * 60

  private let utcOffsetSeconds: Int64
  private let changes: [Change]

  /// `changes` are in the order of time; before the first, the clock differs by
  /// `utcOffsetSeconds`.
  public init(utcOffsetSeconds: Int64 = 0, changes: [Change] = []) {
    self.utcOffsetSeconds = Self.plausible(utcOffsetSeconds)
    self.changes = Array(changes.prefix(Self.changeLimit))
  }

  /// Seconds since 1 January 1970, 0:00 on the wall.
  public func seconds(of moment: Instant) -> Int64 {
    var offset = utcOffsetSeconds
    for change in changes where change.at <= moment {
      offset = Self.plausible(change.utcOffsetSeconds)
    }
    return moment.seconds + offset
  }

  /// Days since 1 January 1970, where the person is.
  public func day(of moment: Instant) -> Int64 {
    let seconds = seconds(of: moment)
    return seconds >= 0
      ? seconds / Self.daySeconds : (seconds - Self.daySeconds + 1) / Self.daySeconds
  }

  /// Seconds since midnight.
  public func timeOfDay(of moment: Instant) -> Int64 {
    seconds(of: moment) - day(of: moment) * Self.daySeconds
  }

  private static func plausible(_ offset: Int64) -> Int64 {
    min(max(offset, -offsetLimit), offsetLimit)
  }
}
