internal import SignInService

/// A record that decisions without a common subject change.
enum SharedCounter {
  /// The last linked event of the security log, because the hash of the next one depends on it.
  case eventLog
  /// The count of repeated refusals of a source, by the name of the source.
  case refusals(String)
  /// The count of a rate limit, by its key.
  case throttle(ThrottleKey)
}
