public import SignInModel

public protocol MessageCostRecords {
  /// Adds the numbers to what is known of the same place; they may be below zero.
  func add(_ cost: MessageCost) throws(StoreFault)
  /// What is known of these days, both included: by day, messenger, country and organization.
  func messageCosts(
    from first: CalendarDay, through last: CalendarDay
  ) throws(StoreFault) -> [MessageCost]
  /// Removes what is known of days before this one, at most `limit` places; answers how many.
  func removeMessageCosts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int
}
