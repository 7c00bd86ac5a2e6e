/// What a service account may do: the scopes of its access tokens (RFC 6749, section 3.3).
///
/// No session has one of these scopes. If an app lists one in its `scopes`, the app still cannot
/// use such a route.
public enum ServiceScope: String, CaseIterable, Sendable {
  case writeJobs = "jobs:write"
  case writeDeliveries = "deliveries:write"
  case writeActivities = "activities:write"
  case writeProducts = "products:write"
  /// Reads the changes that people made, in their order.
  case readChanges = "changes:read"
  /// Token introspection (RFC 7662).
  case introspect
}
