/// A record that decisions without a common subject change.
enum SharedCounter {
  /// The last event of the security log, because the next event contains its hash.
  case eventLog
  /// The counts of repeated refusals.
  case refusals
  /// The count of a rate limit, by its key.
  case throttle(String)
}
