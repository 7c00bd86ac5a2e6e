import Foundation
import SignInClient

/// Signs in at an identity provider: prints the address for the browser, and reads the address that
/// the browser came back to.
///
/// `RESUME` is the address if an earlier run of the sample began the sign-in.
func signIn(
  at provider: String, with client: SignInClient
) async throws(SignInError) -> SignInClient.State {
  if let text = ProcessInfo.processInfo.environment["RESUME"], let address = URL(string: text) {
    return try await client.resume(address)
  }
  print("Providers: \(try await client.providers().map(\.displayName).joined(separator: ", "))")
  let state = try await client.signIn(with: .provider(provider))
  guard case .browserRequired(let address) = state else { return state }
  print("Open \(address.absoluteString)")
  fflush(nil)
  guard let line = readLine(), let result = URL(string: line) else { exit(1) }
  return try await client.resume(result)
}
