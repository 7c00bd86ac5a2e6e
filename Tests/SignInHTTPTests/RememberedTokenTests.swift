import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP
@testable import SignInService

/// What happens between two requests with the same token.
struct TokenChange: Sendable, CustomTestStringConvertible {
  let name: String
  let status: Int
  let make: @Sendable (Device, String) async throws -> Void

  var testDescription: String { name }

  static let all: [TokenChange] = [
    TokenChange(name: "nothing", status: 200) { _, _ in },
    TokenChange(name: "the session is revoked", status: 401) { device, token in
      _ = await device.post(
        Endpoint.revoke.path, [("client_id", "technician-app"), ("token", token)])
    },
    TokenChange(name: "the account is deactivated", status: 401) { device, _ in
      try await TokenChange.change(device) { $0.status = .deactivated }
    },
    TokenChange(name: "the role changes", status: 401) { device, _ in
      try await TokenChange.change(device) { $0.role = .rider }
    },
    TokenChange(name: "the signing key is replaced", status: 401) { device, _ in
      device.server.world.keyring.signing.replace(
        with: [SigningKeys.Key(SigningKey.generate())])
    },
    TokenChange(name: "the token expires", status: 401) { device, _ in
      device.server.clock.advance(seconds: 300)
    },
  ]

  private static func change(
    _ device: Device, _ edit: @escaping @Sendable (inout Account) -> Void
  ) async throws {
    try await device.server.world.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("technician")) else {
        throw .conflict
      }
      edit(&account)
      try transaction.update(account)
    }
  }
}

@Suite("Remembered tokens and keys")
struct RememberedTokenTests {
  @Test("L-50 a token that was used before is checked at each request", arguments: TokenChange.all)
  func changed(_ change: TokenChange) async throws {
    let device = Device(server: try await TestServer())
    let token = try await device.signIn().access
    for _ in 0..<2 { #expect(await device.get(Endpoint.jobs.path, token: token).status == 200) }

    try await change.make(device, token)

    #expect(await device.get(Endpoint.jobs.path, token: token).status == change.status)
  }

  @Test("L-18 the signature of each proof is verified, also with a key that was used before")
  func signatures() async throws {
    let device = Device(server: try await TestServer())
    let token = try await device.signIn().access
    let path = Endpoint.jobs.path
    #expect(await device.get(path, token: token).status == 200)

    let forged = device.proof(
      "GET", path, token: token, Device.Flaws(signer: SigningKey.generate()))
    #expect(await device.get(path, token: token, proof: [forged]).status == 401)

    let other = Device(server: device.server)
    let foreign = other.proof("GET", path, token: token)
    #expect(await device.get(path, token: token, proof: [foreign]).status == 401)
    #expect(await device.get(path, token: token).status == 200)
  }
}
