import SignInModel
import SignInWire
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

  /// The mistakes, each as its member and problem.
  private func mistakes(_ change: (inout UnparsedAccount) -> Void) -> [String] {
    do throws(Refusal) {
      _ = try AccountCreation(parsing: Self.written(change))
      return []
    } catch {
      return error.mistakes.map { "\($0.member) \($0.problem)" }
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
    #expect(whole.name.text == "Nina" && whole.phone?.e164 == "+4790000001")
    #expect(whole.organizations == [OrganizationID("north")])
    #expect(short.email == nil && short.organizations.isEmpty)
  }

  @Test("T-16 A missing member is named")
  func missing() {
    #expect(mistakes { $0.name = nil } == ["name is missing"])
    #expect(mistakes { $0.role = nil } == ["role is missing"])
    #expect(mistakes { $0.phone = nil } == [])
    let rider: (inout UnparsedAccount) -> Void = {
      $0.phone = nil
      $0.role = "rider"
    }
    #expect(mistakes(rider) == ["phone_number is missing"])
  }

  @Test("T-16 A malformed member is named")
  func malformed() {
    #expect(mistakes { $0.name = "" } == ["name is malformed"])
    #expect(mistakes { $0.role = "king" } == ["role is malformed"])
    #expect(mistakes { $0.email = "nina" } == ["email is malformed"])
    #expect(mistakes { $0.email = "" } == ["email is malformed"])
    #expect(mistakes { $0.phone = "1" } == ["phone_number is malformed"])
    #expect(mistakes { $0.organizations.append("") } == ["organizations is malformed"])
  }

  @Test("T-16 All mistakes are named at once, in the order of the members")
  func allMistakes() {
    let found = mistakes {
      ($0.name, $0.role, $0.email, $0.phone) = ("", nil, "nina", "1")
      $0.permissions = Array(repeating: .init(.viewer), count: Permission.grantLimit + 1)
    }

    #expect(
      found == [
        "name is malformed", "role is missing", "email is malformed", "phone_number is malformed",
        "permissions is malformed",
      ])
  }

  @Test("T-16 Names, organizations and permissions are accepted up to their limits")
  func limits() {
    let name = String(repeating: "n", count: PersonName.lengthLimit)
    let ids = (0...Account.organizationLimit).map { "o\($0)" }
    let grants = (0...Permission.grantLimit).map { Permission.Grant(.viewer, in: .init("o\($0)")) }
    #expect(
      mistakes {
        ($0.name, $0.role) = (name, "administrator")
        ($0.organizations, $0.permissions) = (ids.dropLast(), grants.dropLast())
      } == [])
    #expect(mistakes { $0.name = name + "n" } == ["name is malformed"])
    #expect(mistakes { $0.organizations = ids } == ["organizations is malformed"])
    #expect(mistakes { $0.permissions = grants } == ["permissions is malformed"])
  }
}
