import SignInModel
import SignInWire
import Testing

@testable import SignInService

@Suite("Current rights")
struct CurrentRightTests {
  private static let names = ConfiguredNames(
    organizations: [OrganizationID("north"), OrganizationID("south")], providers: ["login"],
    owners: [:])

  private static func account(
    _ role: AccountRole = .technician, organizations: [String] = ["north"],
    _ permission: Permission = .none
  ) -> Account {
    Account(
      id: AccountID("a"), email: nil, phone: nil, name: "A", role: role, status: .active,
      passwordHash: nil, organizations: organizations.map { OrganizationID($0) },
      permission: permission, createdAt: TestWorld.start)
  }

  private static func app(
    _ edit: (inout AppRegistration) -> Void = { _ in }
  ) -> AppRegistration {
    var app = TestWorld.technicians
    app.roles = [.technician, .administrator]
    app.scopes = ["openid", "offline_access", "admin"]
    app.providers = ["login"]
    edit(&app)
    return app
  }

  private static func rights(
    _ scope: String = "openid offline_access account jobs admin", organization: String? = "north",
    provider: String? = nil, app: AppRegistration? = CurrentRightTests.app(),
    account: Account? = CurrentRightTests.account(), names: ConfiguredNames = names
  ) -> Result<String, MissingRight> {
    let granted = GrantedRights(
      scope: scope, organization: organization.map { OrganizationID($0) }, provider: provider)
    do throws(MissingRight) {
      return .success(try currentScope(of: granted, in: app, for: account, names))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "L-50 scopes are those that were granted, that the app may have and that the person may have")
  func intersection() {
    #expect(Self.rights() == .success("openid offline_access account jobs"))
    #expect(Self.rights("openid jobs") == .success("openid jobs"))
    #expect(
      Self.rights(app: Self.app { $0.scopes = ["openid"] }) == .success("openid account jobs"))
    #expect(
      Self.rights(app: Self.app { $0.home = .none })
        == .success("openid offline_access account"))
    #expect(
      Self.rights(account: Self.account(.administrator, .everything))
        == .success("openid offline_access account jobs admin"))
    let local = Permission([Permission.Grant(.viewer, in: OrganizationID("north"))])
    #expect(
      Self.rights("admin", account: Self.account(.administrator, local)) == .success("admin"))
    let former = Permission([Permission.Grant(.viewer, in: OrganizationID("east"))])
    #expect(
      Self.rights("admin", account: Self.account(.administrator, former)) == .failure(.scope))
  }

  @Test("L-50 a grant without any scope left has no rights, also if it could still be refreshed")
  func nothingLeft() {
    let app = Self.app { $0.home = .none }
    #expect(Self.rights("jobs offline_access", app: app) == .failure(.scope))
    #expect(Self.rights("jobs", app: app) == .failure(.scope))
    #expect(Self.rights("", app: app) == .success(""))
    #expect(Self.rights("offline_access", app: app) == .success("offline_access"))
  }

  @Test("L-50 an account that is gone, inactive or of another role has no rights")
  func person() {
    #expect(Self.rights(account: nil) == .failure(.activeAccount))
    for status in [AccountStatus.pending, .deactivated, .rejected] {
      var account = Self.account()
      account.status = status
      #expect(Self.rights(account: account) == .failure(.activeAccount))
    }
    #expect(Self.rights(account: Self.account(.mentor)) == .failure(.role))
    #expect(Self.rights(app: Self.app { $0.roles = [.mentor] }) == .failure(.role))
    #expect(Self.rights(app: nil) == .failure(.app))
  }

  @Test("L-50 an organization must be configured and the account's")
  func organizations() {
    #expect(Self.rights(organization: "south") == .failure(.membership))
    let east = Self.account(organizations: ["east"])
    #expect(Self.rights(organization: "east", account: east) == .failure(.organization))
    // A session without an organization reads the records of all organizations.
    #expect(Self.rights(organization: nil, account: east) == .failure(.organization))
    let both = Self.account(organizations: ["east", "south"])
    #expect(Self.rights("openid", organization: nil, account: both) == .success("openid"))
    let none = Self.account(organizations: [])
    #expect(Self.rights("openid", organization: nil, account: none) == .success("openid"))
  }

  @Test("L-50 a provider must be configured, and be one of the app's")
  func providers() {
    #expect(Self.rights("openid", provider: "login") == .success("openid"))
    #expect(Self.rights(provider: "other") == .failure(.provider))
    #expect(
      Self.rights(provider: "login", app: Self.app { $0.providers = [] }) == .failure(.provider))
    let names = ConfiguredNames(organizations: Self.names.organizations, providers: [], owners: [:])
    #expect(Self.rights(provider: "login", names: names) == .failure(.provider))
  }

  @Test("L-57 no person administers others after a sign-in at the provider of one organization")
  func administrators() {
    let (north, south) = (OrganizationID("north"), OrganizationID("south"))
    let names = ConfiguredNames(
      organizations: Self.names.organizations, providers: ["login"], owners: ["login": north])
    let cases: [(Permission, Bool)] = [
      (Permission([.init(.administrator, in: north)]), true), (.everything, false),
      (Permission([.init(.administrator, in: north), .init(.viewer, in: south)]), false),
    ]
    for (permission, isAllowed) in cases {
      let account = Self.account(.administrator, organizations: ["north", "south"], permission)
      let atOwn = Self.rights("openid admin", provider: "login", account: account, names: names)
      #expect(atOwn == .success(isAllowed ? "openid admin" : "openid"))
      let other = Self.rights("openid admin", provider: "login", account: account)
      #expect(other == .success("openid admin"))
    }
  }

  @Test("L-50 a session without rights ends with a reason that apps know")
  func reasons() {
    #expect(MissingRight.activeAccount.endReason == .accountDeactivated)
    #expect(MissingRight.membership.endReason == .revoked)
    for right in [MissingRight.organization, .app, .role, .provider, .scope] {
      #expect(right.endReason == .noRights && right.endReason.told == .revoked)
    }
  }
}
