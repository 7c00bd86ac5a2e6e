public import SignInModel

public protocol MessageCostRecords: DailyCountRecords {
  /// Adds the numbers to those of the same day, messenger, country and organization.
  ///
  /// The numbers may be negative.
  func add(_ cost: MessageCost) throws(StoreFault)
  /// The costs of these days, both included, in order of day, messenger, country and organization.
  func messageCosts(
    from first: CalendarDay, through last: CalendarDay
  ) throws(StoreFault) -> [MessageCost]
  /// Removes at most `limit` records of days before this one, and returns how many.
  func removeMessageCosts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int
}
