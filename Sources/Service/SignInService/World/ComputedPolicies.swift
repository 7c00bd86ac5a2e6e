internal import SignInModel
internal import Synchronization

/// Remembers the policy of each app and organization, because computing one costs more than reading
/// its changes.
///
/// An entry is used only for the same changes, which each decision reads in its own transaction. So
/// a change applies to all later decisions, on every server. There is one entry for each configured
/// app and organization at most.
final class ComputedPolicies: Sendable {
  private struct Place: Hashable {
    let client: ClientID
    let organization: OrganizationID?
  }

  private struct Entry {
    let client: AppRegistration
    let changes: [PolicyChanges]
    let result: AppRegistration
  }

  private let entries = Mutex<[Place: Entry]>([:])

  /// The app for an organization after these changes, remembered or computed now.
  func registration(
    of client: AppRegistration, for organization: OrganizationID?, after changes: [PolicyChanges],
    _ compute: () -> AppRegistration
  ) -> AppRegistration {
    let place = Place(client: client.id, organization: organization)
    if let known = entries.withLock({ $0[place] }), known.changes == changes,
      known.client == client
    {
      return known.result
    }
    let result = compute()
    entries.withLock { $0[place] = Entry(client: client, changes: changes, result: result) }
    return result
  }
}
