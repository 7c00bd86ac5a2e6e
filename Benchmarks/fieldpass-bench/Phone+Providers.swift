import Glibc
import JSONText
import SignInModel
import SignInWire

extension Phone {
  /// Signs a person in at an identity provider, as the app and its browser do; returns the seconds.
  ///
  /// At a provider that hangs, the app gets an error instead of a code.
  func signIn(
    at kind: LoadIdentityProvider.Kind, as person: Int
  ) throws(BenchFault) -> Double {
    let began = Stopwatch.seconds
    let first = try beginSignIn(at: kind.rawValue)
    guard let request = Refusal(json: first)?.requestURI else { throw unexpected(first) }
    let query = AuthorizationQuery {
      $0.clientID = app.rawValue
      $0.requestURI = request
    }.form
    let opened = try connection.send("GET", Endpoint.authorize.path + "?" + query.encoded)
    let atProvider = try Self.parameters(of: opened.location)
    let back = Form([
      .init(.state, atProvider["state"] ?? ""),
      .init(.code, LoadIdentityProvider.code(of: person, nonce: atProvider["nonce"] ?? "")),
    ])
    let cookie = opened.cookie.prefix { $0 != ";" }
    let returned = try connection.send(
      "GET", Endpoint.providerCallback(.init(kind.rawValue)).path + "?" + back.encoded,
      fields: ["Cookie: \(cookie)"])
    let result = try Self.parameters(of: returned.location)
    switch kind {
    case .answers:
      guard let code = result["code"] else {
        throw BenchFault("a sign-in at a provider failed: \(result["reason"] ?? "no result")")
      }
      let tokens = try redeem(code)
      guard tokens["access_token"] != nil else { throw unexpected(tokens) }
    case .hangs:
      guard result["reason"] == "provider_unavailable" else {
        throw BenchFault("a hanging provider gave \(result["reason"] ?? "no reason")")
      }
    }
    return Stopwatch.seconds - began
  }

  private static func parameters(of address: String) throws(BenchFault) -> Form {
    let query = address.drop { $0 != "?" }.dropFirst()
    do throws(Form.Fault) { return try Form(parsing: Array(query.utf8)) } catch {
      throw BenchFault("the server sent the browser to a malformed address")
    }
  }
}
