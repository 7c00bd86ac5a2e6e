import SignInModel
public import SignInWire

/// Lists the identity providers of the configuration.
public func listProviders(in world: World) async -> [ProviderEntry] {
  guard let directory = world.providers else { return [] }
  var entries: [ProviderEntry] = []
  for provider in directory.providers {
    let clients = world.clients.values.filter { $0.providers.contains(provider.name) }
    entries.append(
      ProviderEntry(
        name: provider.name, label: provider.settings.label,
        issuer: provider.settings.identityIssuer,
        redirectURI: world.issuer + Endpoint.providerCallback(.init(provider.name)).path,
        clients: clients.map(\.id.text).sorted(),
        isAvailable: !(await directory.hasFailed(provider.name))))
  }
  return entries
}

/// Checks a provider by calling it; nothing stored is used or changed.
public func checkProvider(
  named name: String, in world: World
) async throws(Refusal) -> [ProviderCheckStep] {
  guard let directory = world.providers, let provider = directory.provider(name) else {
    throw Refusal.noSuchProvider
  }
  let fresh = ProviderDirectory(
    [provider], calls: directory.calls, store: nil, clock: world.clock)
  return await checkProvider(
    provider, redirectURI: world.issuer + Endpoint.providerCallback(.init(name)).path, in: fresh,
    randomness: world.randomness, clock: world.clock)
}
