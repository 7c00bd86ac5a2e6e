public import SignInWire

/// Adds scopes to sessions that began before every route checked scopes, so that they can still
/// read the same: the person's own sessions, and the data of their app's home.
///
/// `admin` was checked before, so a session without it could not read the console's lists.
///
/// - Returns: How many sessions and sign-ins under way were changed; each is changed only once.
public func grantEarlierScopes(in world: World) async -> Outcome<Int> {
  let clients = Array(world.clients.values)
  return await world.decide { (transaction) throws(StoreFault) in
    var count = 0
    for client in clients {
      let scopes = client.ownScopes.filter { $0 != .admin }
      count += try transaction.grantEarlier(scopes, toClient: client.id)
    }
    return .success(count)
  }
}
