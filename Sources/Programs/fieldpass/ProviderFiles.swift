import Cryptography
import ProviderClient
import SignInHTTP
import SignInModel
import SignInService
import SystemPorts

/// Creates the identity providers of a configuration.
///
/// It reads their secrets and keys, and reports the mistakes of all of them in one fault. It calls
/// no provider.
enum ProviderFiles {
  static func providers(
    _ configuration: Configuration
  ) throws(StartFault) -> [IdentityProvider] {
    var providers: [IdentityProvider] = []
    var complaints: [(what: String, hint: String)] = []
    for provider in configuration.providers {
      do throws(StartFault) {
        providers.append(
          IdentityProvider(settings: provider.settings, credential: try credential(of: provider)))
      } catch {
        complaints += error.complaints
      }
    }
    if !complaints.isEmpty { throw StartFault(complaints) }
    return providers
  }

  private static func credential(
    of provider: Configuration.Provider
  ) throws(StartFault) -> IdentityProvider.Credential {
    let owner = "provider `\(provider.settings.name)`"
    switch provider.credential {
    case .none: return .none
    case .secret(let place, let method): return .secret(try place.read(for: owner), method)
    case .key(let place, let id):
      let pem = try place.read(for: owner, mayHaveLines: true).revealed
      do throws(KeyFault) { return .key(try SigningKey(pem: pem), id: id) } catch {
        throw StartFault(
          "\(owner): \(place.words) contains no P-256 key",
          hint: "make one with `openssl ecparam -name prime256v1 -genkey -noout`, and register its"
            + " public half at the provider")
      }
    }
  }
}

/// The identity providers of a server, and the HTTP client for their calls.
struct ProviderConnections: Sendable {
  let directory: ProviderDirectory
  let client: ProviderClient
  /// Nil in production, and if no app uses a practice provider.
  let practice: PracticeServer?

  /// Nil if no identity provider is configured and none is practised.
  ///
  /// `port` is the server's own, where the practice providers are.
  init?(
    _ configured: [IdentityProvider], _ setting: ServerSettings, _ port: UInt16, store: any Store,
    clock: any Clock
  ) {
    practice = setting.isDevelopment ? Self.practice(setting, port, clock) : nil
    let providers = configured + (practice?.providers ?? [])
    if providers.isEmpty { return nil }
    client = ProviderClient(isDevelopment: setting.isDevelopment)
    directory = ProviderDirectory(providers, calls: client, store: store, clock: clock)
  }

  private static func practice(
    _ setting: ServerSettings, _ port: UInt16, _ clock: any Clock
  ) -> PracticeServer? {
    let used = setting.configuration.practiceProviders
    if used.isEmpty { return nil }
    return PracticeServer(
      used, issuer: setting.issuer(port: port),
      organization: setting.configuration.organizations.first?.id, clock: clock,
      randomness: SystemRandomness())
  }
}
