import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInClient

/// A person changes the own account with the client library.
@Suite("The own account in the client")
struct OwnAccountTests {
  private static let password = "demo-Technician-1"

  @Test("T-16 the client changes name and number, takes the number back, and asks for an erasure")
  func changes() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient(.technician)
    _ = try await stage.signIn(client)
    stage.clock.advance(seconds: 61)

    try await client.changeName(to: "Tessa Lund")
    #expect(try await client.account().name == "Tessa Lund")
    await #expect(throws: SignInError.invalidCredentials) {
      try await client.changePhone(to: "+15550101555", password: "wrong")
    }
    let change = try await client.changePhone(to: "+1 555 010 1555", password: Self.password)
    #expect(change.challenge.digits == 6)
    let code = await stage.code()
    #expect(try await client.confirm(change, code: code) != nil)
    let made = try #require(try await client.accountChanges().contacts.first)
    #expect(made.kind == "phone_number")
    await #expect(throws: SignInError.invalidCredentials) {
      try await client.undoContactChange(id: made.id, password: nil)
    }
    try await client.undoContactChange(id: made.id, password: Self.password)
    #expect(try await client.accountChanges().contacts.isEmpty)
    await #expect(throws: SignInError.requestMalformed) {
      try await client.undoContactChange(id: "../me", password: Self.password)
    }

    let due = try await client.requestErasure(password: Self.password)
    #expect(try await client.accountChanges().erasureAt == due)
    try await client.cancelErasure()
    #expect(try await client.accountChanges().erasureAt == nil)
    await #expect(throws: SignInError.emailMalformed) {
      try await client.changeEmail(to: "x", password: nil)
    }
  }
}
