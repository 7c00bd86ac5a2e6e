import SignInModel
import Testing

@testable import SignInService

@Suite("Accounts as written in requests")
struct WrittenAccountTests {
  private static func written(
    _ change: (inout UnparsedAccount) -> Void = { _ in }
  ) -> UnparsedAccount {
    var written = UnparsedAccount()
    written.name = "Nina"
    written.role = "technician"
    written.email = " Nina@Example.com"
    written.phone = "+4790000001"
    written.organizations = ["north"]
    change(&written)
    return written
  }

  private func mistake(_ written: UnparsedAccount) -> UnparsedAccount.Mistake? {
    do throws(UnparsedAccount.Mistake) {
      _ = try AccountCreation(parsing: written)
      return nil
    } catch {
      return error
    }
  }

  @Test("T-16 Right members are parsed, and optional members may be absent")
  func right() throws {
    let whole = try AccountCreation(parsing: Self.written())
    let short = try AccountCreation(
      parsing: Self.written {
        $0.email = nil
        $0.organizations = []
      })

    #expect(whole.email?.text == "nina@example.com" && whole.role == .technician)
    #expect(whole.name.text == "Nina" && whole.phone.e164 == "+4790000001")
    #expect(whole.organizations == [OrganizationID("north")])
    #expect(short.email == nil && short.organizations.isEmpty)
  }

  @Test("T-16 A missing member is named")
  func missing() {
    #expect(mistake(Self.written { $0.name = nil }) == .init(member: .name, isMissing: true))
    #expect(mistake(Self.written { $0.role = nil }) == .init(member: .role, isMissing: true))
    #expect(
      mistake(Self.written { $0.phone = nil }) == .init(member: .phoneNumber, isMissing: true))
  }

  @Test("T-16 A malformed member is named")
  func malformed() {
    #expect(mistake(Self.written { $0.name = "" }) == .init(member: .name, isMissing: false))
    #expect(mistake(Self.written { $0.role = "king" }) == .init(member: .role, isMissing: false))
    #expect(mistake(Self.written { $0.email = "nina" }) == .init(member: .email, isMissing: false))
    #expect(mistake(Self.written { $0.email = "" }) == .init(member: .email, isMissing: false))
    #expect(
      mistake(Self.written { $0.phone = "1" }) == .init(member: .phoneNumber, isMissing: false))
    #expect(
      mistake(Self.written { $0.organizations.append("") })
        == .init(member: .organizations, isMissing: false))
  }
}
