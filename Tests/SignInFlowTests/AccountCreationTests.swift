import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

extension ConsoleDriver {
  /// The open form for a new account, with the organizations that the administrator may see.
  static func creating(
    for permissions: [PermissionEntry] = everything, seeing organizations: [String] = ["north"]
  ) -> ConsoleDriver {
    var driver = listed(entry("tara"), for: permissions)
    driver.press(.newAccount)
    let known = organizations.map {
      JSON.members([JSONMember("id", $0), JSONMember("name", "Name of " + $0)])
    }
    driver.answer(
      "/admin/organizations", 200, .members([JSONMember("organizations", .array(known))]))
    return driver
  }

  mutating func fill(_ fields: (FieldName, String)...) {
    for (field, text) in fields { handle(.page(.fieldEdited(field, text))) }
  }

  static func grants(_ grants: (String, String?)...) -> JSON {
    .array(
      grants.map {
        PermissionEntry(level: $0.0, organization: $0.1.map { OrganizationID($0) }).json
      })
  }
}

@Suite("Creating an account in the console")
struct AccountCreationTests {
  @Test("T-16 each role needs a name and a number; only a rider needs no e-mail")
  func roles() {
    for role in AccountEditor.roles {
      var driver = ConsoleDriver.creating()
      driver.fill((.role, role), (.name, "Nina"), (.phone, "+4790000042"))
      if role == "administrator" { driver.fill((.permissions, "viewer:")) }
      driver.press(.saveAccount)

      let isRider = role == "rider"
      #expect(driver.home.creation?.faults == (isRider ? [] : [.emailNeeded]), "\(role)")
      guard isRider else { continue }
      #expect(
        driver.body
          == .members([
            JSONMember("name", "Nina"), JSONMember("phone_number", "+4790000042"),
            JSONMember("role", "rider"),
          ]))
    }
  }

  @Test("T-16 a rider with an e-mail is created with it, and needs no password")
  func rider() {
    var driver = ConsoleDriver.creating()
    driver.fill(
      (.role, "rider"), (.name, "Rani"), (.email, "rani@example.com"), (.phone, "+4790000042"))
    driver.press(.saveAccount)
    #expect(driver.body?["email"]?.text == "rani@example.com")

    let made = ConsoleDriver.entry("rani", role: "rider", hasPassword: false)
    driver.answer("/admin/accounts", 201, made.json)
    #expect(driver.home.account?.notice == .created(needsPassword: false))
    #expect(driver.home.account?.actions == [.deactivate])
  }

  @Test("T-16 an administrator is created with the chosen permissions, at least one")
  func administrator() {
    var driver = ConsoleDriver.creating(seeing: ["north", "south"])
    driver.fill(
      (.role, "administrator"), (.name, "Nia"), (.email, "nia@example.com"),
      (.phone, "+4790000042"))
    driver.press(.saveAccount)
    #expect(driver.home.creation?.faults == [.permissionNeeded])
    #expect(driver.context.focus?.part == .permissions)

    driver.fill((.permissions, "viewer:"), (.permissions, "support:north"))
    driver.fill((.permissions, "administrator:south"), (.permissions, ":south"))
    driver.press(.saveAccount)
    #expect(driver.body?["role"]?.text == "administrator")
    #expect(
      driver.body?["permissions"] == ConsoleDriver.grants(("viewer", nil), ("support", "north")))
  }

  @Test("T-16 permissions are only sent for an administrator")
  func otherRole() {
    var driver = ConsoleDriver.creating()
    driver.fill((.role, "administrator"), (.permissions, "viewer:"), (.role, "mentor"))
    driver.fill((.name, "Maja"), (.email, "m@example.com"), (.phone, "+4790000042"))
    driver.press(.saveAccount)

    #expect(driver.body?["role"]?.text == "mentor" && driver.body?["permissions"] == nil)
  }

  @Test("T-16 another account can be opened while an empty form is open")
  func openAnother() {
    var driver = ConsoleDriver.creating()
    driver.press(.openAccount, "tara")

    #expect(driver.home.creation == nil && driver.home.account?.entry.id.text == "tara")
  }
}

@Suite("Permissions in the console")
struct PermissionEditingTests {
  private static func nia(_ permissions: [PermissionEntry]) -> AccountEntry {
    var entry = ConsoleDriver.entry("nia", role: "administrator", organizations: ["north"])
    entry.permissions = permissions
    return entry
  }

  @Test("T-16 a changed level is sent with the other permissions")
  func change() {
    var driver = ConsoleDriver.editing(
      Self.nia([
        PermissionEntry(level: "viewer", organization: nil),
        PermissionEntry(level: "support", organization: OrganizationID("north")),
      ]))
    #expect(driver.form?.level(in: nil) == "viewer" && driver.form?.hasPermissions == true)
    #expect(driver.form?.level(in: OrganizationID("north")) == "support")
    #expect(driver.form?.level(in: OrganizationID("south")) == "")
    driver.fill((.permissions, "administrator:north"))
    driver.press(.saveAccount)

    #expect(
      driver.body
        == .members([
          JSONMember(
            "permissions", ConsoleDriver.grants(("viewer", nil), ("administrator", "north")))
        ]))
  }

  @Test("T-16 the same permissions in another order are no change")
  func same() {
    var driver = ConsoleDriver.editing(
      Self.nia([
        PermissionEntry(level: "viewer", organization: nil),
        PermissionEntry(level: "support", organization: OrganizationID("north")),
      ]))
    driver.fill((.permissions, ":"), (.permissions, "viewer:"))
    driver.press(.saveAccount)

    #expect(driver.form?.notice == .nothingChanged)
  }

  @Test("T-16 the last permission of an administrator cannot be removed here")
  func last() {
    var driver = ConsoleDriver.editing(Self.nia(ConsoleDriver.local("viewer")))
    driver.fill((.permissions, ":north"))
    driver.press(.saveAccount)

    #expect(driver.form?.faults == [.permissionNeeded])
    driver.fill((.permissions, "support:north"))
    #expect(driver.form?.faults == [])
  }

  @Test("T-16 a role that becomes administrator needs a permission")
  func newAdministrator() {
    var driver = ConsoleDriver.editing(ConsoleDriver.entry("tara"))
    #expect(driver.form?.hasPermissions == false)
    driver.fill((.permissions, "viewer:"), (.role, "administrator"))
    driver.press(.saveAccount)
    #expect(driver.form?.faults == [.permissionNeeded])

    driver.fill((.permissions, "viewer:"))
    driver.press(.saveAccount)
    #expect(
      driver.body
        == .members([
          JSONMember("role", "administrator"),
          JSONMember("permissions", ConsoleDriver.grants(("viewer", nil))),
        ]))
  }

  @Test("T-16 an administrator of one organization grants levels only there")
  func local() {
    var driver = ConsoleDriver.editing(
      Self.nia([]), for: ConsoleDriver.local("administrator"), seeing: ["north"])
    driver.fill((.permissions, "viewer:"), (.permissions, "viewer:south"))
    #expect(driver.form?.permissions == [])
    #expect(driver.form?.mayGrant(.administrator, in: OrganizationID("north")) == true)
    #expect(driver.form?.mayGrant(.viewer, in: nil) == false)
    driver.fill((.permissions, "owner:north"), (.permissions, "support"))
    #expect(driver.form?.permissions == [])
    driver.fill((.permissions, "support:north"))
    #expect(driver.form?.permissions == ConsoleDriver.local("support"))
  }

  @Test("T-16 administrators do not change their own permissions")
  func own() {
    var ada = ConsoleDriver.entry("ada", role: "administrator")
    ada.permissions = ConsoleDriver.everything
    var driver = ConsoleDriver.editing(ada)
    driver.fill((.permissions, "viewer:"))

    #expect(
      driver.form?.permissions == ConsoleDriver.everything && driver.form?.hasPermissions == false)
  }
}
