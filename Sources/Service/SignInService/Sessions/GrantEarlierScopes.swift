public import SignInWire

/// Adds scopes to sessions that began before every route checked scopes, so that they can still
/// read the same data: the account's own sessions, and the data of their app's home.
///
/// `admin` is not added, because it was always checked. A session without it could not read the
/// console's lists.
///
/// - Returns: The number of changed sessions and sign-in attempts. Each is changed only once.
public func grantEarlierScopes(in world: World) async throws(Refusal) -> Int {
  let clients = Array(world.clients.values)
  return try await world.decide(about: [.installation]) {
    (transaction: any SessionRecords) throws in
    var count = 0
    for client in clients {
      let scopes = client.ownScopes.filter { $0 != .admin }
      count += try transaction.grantEarlier(scopes, toClient: client.id)
    }
    return count
  }
}
