import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Approving several accounts")
struct BulkApprovalTests {
  private static func listed(
    _ ids: String..., for permissions: [PermissionEntry] = ConsoleDriver.everything
  ) -> ConsoleDriver {
    var driver = ConsoleDriver(permissions)
    driver.press(.consoleTab, "accounts?status=pending")
    let entries = ids.map {
      ConsoleDriver.entry($0, status: "pending", role: "rider", organizations: ["north"])
    }
    driver.answer("/admin/accounts?", 200, ConsoleDriver.page(entries))
    return driver
  }

  private static func approved(_ id: String) -> JSON {
    ConsoleDriver.entry(id, role: "rider", organizations: ["north"]).json
  }

  @Test("T-16 waiting accounts are selected one by one or all together, and the count is said")
  func selecting() {
    var driver = Self.listed("a", "b", "c")
    driver.press(.toggleAccount, "b")
    #expect(driver.home.bulk.selected.map(\.text) == ["b"])
    #expect(driver.announcements == [.console(.accountsSelected(1))])
    driver.press(.toggleAccounts, "all")
    #expect(driver.home.bulk.selected.map(\.text) == ["a", "b", "c"])
    driver.press(.toggleAccount, "unknown")
    #expect(driver.announcements.isEmpty)
    driver.press(.toggleAccounts, "all")
    #expect(driver.home.bulk.count == 0)
    driver.press(.approveSelected)
    #expect(!driver.home.bulk.isAsking)
  }

  @Test("T-16 one question, one request for each account, and a result for each of them")
  func approving() {
    var driver = Self.listed("a", "b", "c")
    driver.press(.toggleAccounts, "all")
    driver.press(.approveSelected)
    #expect(driver.home.bulk.isAsking)
    driver.press(.confirm)
    #expect(driver.asked.last?.apiRequest.path == "/admin/accounts/a")
    driver.press(.toggleAccount, "b")
    driver.press(.consoleTab, "events")
    #expect(driver.home.tab == .accounts && driver.home.bulk.count == 3)

    driver.answer("/admin/accounts/a", 200, Self.approved("a"))
    #expect(driver.home.bulk.approved == 1 && driver.home.bulk.total == 3)
    driver.refuse("/admin/accounts/b", .permissionDenied)
    let keys = driver.asked.compactMap(\.apiRequest.idempotencyKey)
    #expect(Set(keys).count == keys.count)
    driver.answer("/admin/accounts/c", 200, Self.approved("c"))

    #expect(driver.announcements == [.console(.notice(.approvedSeveral(2, of: 3)))])
    #expect(driver.home.notice == .approvedSeveral(2, of: 3))
    #expect(driver.home.bulk.selected.map(\.text) == ["b"])
    #expect(driver.home.bulk.failures.map(\.reason) == [.notPermitted])
    #expect(driver.home.accounts.entries?.map(\.status) == ["active", "pending", "active"])
    #expect(driver.context.focus?.part == .approveSelected)
  }

  @Test("T-16 without a connection the rest is not tried and stays selected")
  func offline() {
    var driver = Self.listed("a", "b", "c")
    driver.press(.toggleAccounts, "all")
    driver.press(.approveSelected)
    driver.press(.confirm)
    driver.answer("/admin/accounts/a", 503)

    #expect(driver.home.bulk.waiting == nil && driver.home.bulk.count == 3)
    #expect(driver.home.notice == .approvedSeveral(0, of: 3))
    #expect(driver.home.notice?.isSuccess == false)
    #expect(!driver.asked.contains { $0.apiRequest.path == "/admin/accounts/b" })
  }

  @Test("T-16 a cancelled question approves nothing, and the selection stays")
  func cancelled() {
    var driver = Self.listed("a")
    driver.press(.toggleAccount, "a")
    driver.press(.approveSelected)
    driver.press(.cancel)
    #expect(!driver.home.bulk.isAsking && driver.home.bulk.count == 1)
    driver.press(.confirm)
    #expect(!driver.asked.contains { $0.apiRequest.path == "/admin/accounts/a" })
  }

  @Test("T-16 only waiting accounts that the administrator may approve can be selected")
  func permission() {
    #expect(Self.listed("a", for: ConsoleDriver.local("support")).home.selectable.isEmpty)
    #expect(
      Self.listed("a", for: ConsoleDriver.local("administrator")).home.selectable.count == 1)
    var driver = Self.listed("a")
    driver.press(.toggleAccount, "a")
    driver.handle(.page(.fieldEdited(.status, "")))
    #expect(driver.home.selectable.isEmpty)
    driver.answer("/admin/accounts", 200, ConsoleDriver.page([ConsoleDriver.entry("z")]))
    #expect(driver.home.bulk.count == 0)
  }
}
