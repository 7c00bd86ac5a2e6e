/// A record that decisions without a common subject change.
enum SharedCounter {
  /// The last linked event of the security log, because the hash of the next one depends on it.
  case eventLog
  /// The counts of repeated refusals.
  case refusals
  /// The count of a rate limit, by its key.
  case throttle(String)
}
