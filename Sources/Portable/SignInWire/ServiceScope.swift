/// What a service account may do: the scopes of its access tokens (RFC 6749, section 3.3).
///
/// No session has one of these: an app that lists such a word in its `scopes` opens no route
/// with it.
public enum ServiceScope: String, CaseIterable, Sendable {
  case writeJobs = "jobs:write"
  case writeDeliveries = "deliveries:write"
  case writeActivities = "activities:write"
  case writeProducts = "products:write"
  /// What people changed, in the order in which they did.
  case readChanges = "changes:read"
  /// Descriptions of access tokens (RFC 7662).
  case introspect
}
