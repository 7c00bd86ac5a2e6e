import Cryptography
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Importing accounts")
struct AccountImportTests {
  private static let organizations = [OrganizationID("north"), OrganizationID("south")]
  private static let bcrypt = "$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234"

  private func table(_ lines: String...) -> AccountTable {
    AccountTable(
      csv: Array(lines.joined(separator: "\r\n").utf8), organizations: Self.organizations)
  }

  @Test("A file is read with columns in any order and quoted text")
  func read() {
    let table = table(
      "email,name,role,phone_number,organizations,password_hash",
      "nina@example.com,\"Dahl, \"\"Nina\"\"\",technician,+4790000001,north south,\(Self.bcrypt)",
      "", ",Ola,rider,+4790000002,,", "")

    #expect(table.mistakes == [])
    #expect(table.accounts.map(\.line) == [2, 4])
    #expect(table.accounts.map(\.creation.name.text) == [#"Dahl, "Nina""#, "Ola"])
    #expect(table.accounts[0].creation.organizations == Self.organizations)
    #expect(table.accounts[0].passwordHash == Self.bcrypt)
  }

  @Test("L-54 a file with spellings, and the empty rows and columns of a spreadsheet, is read")
  func spellings() {
    let table = table(
      "name,role,email,phone_number,,", ",,,,,",
      "\u{A0}Nina,technician,<NINA@MÜNCHEN.example>,+44 (0)7700 900123,,", ",,,,,",
      "Ola,technician,ola@example.com,+39 (0)347 1234567,,", ",,,,,")

    #expect(table.accounts.map(\.creation.email?.text) == ["nina@xn--mnchen-3ya.example"])
    #expect(table.accounts.map(\.creation.phone?.e164) == ["+447700900123"])
    #expect(table.accounts.map(\.creation.name.text) == ["Nina"])
    #expect(table.mistakes.map { "\($0.line):\($0.column ?? 0)" } == ["5:4"])
    #expect(table.mistakes.first?.problem.contains("0 after its calling code") == true)
  }

  @Test("L-54 a header with semicolons between quoted names gets the hint about semicolons")
  func quotedSemicolons() {
    let table = table(#""name";"role";"email""#, #""Nina";"technician";"nina@example.com""#)

    #expect(table.mistakes.count == 1)
    #expect(table.mistakes.first?.problem.contains("has semicolons; write commas") == true)
  }

  @Test("L-54 a header with blanks and capitals, a line sep=, and rows of blanks are read")
  func headers() {
    let table = table(
      "sep=,", " Name ,ROLE,E-mail", "Nina,technician,nina@example.com")
    #expect(table.mistakes.map(\.column) == [3])

    let right = self.table(
      "sep=,", " Name ,ROLE,\u{A0}Email,Phone_Number, ", " , ,\u{A0},,", "Ola,rider, ,+4790000002,")
    #expect(right.mistakes == [])
    #expect(right.accounts.map(\.creation.name.text) == ["Ola"])
    #expect(right.accounts.map(\.creation.email) == [nil])
  }

  @Test(
    "L-54 a header with tabs or semicolons gets one hint",
    arguments: [
      ("name\trole\temail", "tabs", 1), ("name;role;email,x", "semicolons", 1),
      ("name,role;email", "semicolons", 2), ("\"name\"\t\"role\"", "tabs", nil),
    ] as [(String, String, Int?)])
  func separators(_ header: String, _ word: String, _ column: Int?) {
    let table = table(header, "Nina,technician")

    #expect(table.mistakes.count == 1)
    #expect(table.mistakes.first?.column == column)
    #expect(table.mistakes.first?.problem.contains("has \(word); write commas") == true)
  }

  @Test("T-16 a saved list of accounts can be imported, except accounts that are not active")
  func exported() {
    let table = table(
      "id,name,role,status,email,phone_number,organizations,locked_until,created_at",
      "a1,Nina,technician,active,nina@example.com,'+4790000001,north,,2026-01-01T00:00:00Z",
      "a2,Ola,rider,pending,,'+4790000002,,,2026-01-01T00:00:00Z")

    #expect(table.accounts.map(\.creation.phone?.e164) == ["+4790000001"])
    #expect(table.mistakes.map { "\($0.line):\($0.column ?? 0)" } == ["3:4"])
    #expect(table.mistakes.first?.problem.hasPrefix("only active accounts") == true)
  }

  @Test("Every mistake of a file is reported with its line and column")
  func mistakes() {
    let marks = "Zoe" + String(repeating: "\u{301}", count: 31)
    let table = table(
      "name,role,email,phone_number,organizations,permissions,password_hash",
      "Nina,technician,nina,4790000001,east,,plain",
      ",pilot,,,,,",
      "Ada,administrator,ada@example.com,+4790000003,,,",
      "Bea,technician,bea@example.com,+4790000004,,viewer,",
      "Cia,technician,bea@example.com,+4790000004",
      "Dag,technician,bea@example.com,+4790000004,,,",
      "\(marks),rider,,+4790000005,,,\(Self.bcrypt)")

    #expect(table.accounts.isEmpty)
    let found = table.mistakes.map { "\($0.line):\($0.column ?? 0) \($0.name ?? "")" }
    #expect(
      found == [
        "2:3 email", "2:4 phone_number", "2:5 organizations", "2:7 password_hash",
        "3:2 role", "3:1 name",
        "4:6 permissions", "5:6 permissions", "6:0 ",
        "7:3 email", "7:4 phone_number", "8:1 name", "8:7 password_hash",
      ])
    #expect(
      !table.mistakes.contains { $0.problem.contains("plain") || $0.problem.contains("nina") })
  }

  @Test("A header that cannot be used is the only reported mistake")
  func header() {
    #expect(table("name;role;phone_number").mistakes.first?.problem.contains("commas") == true)
    #expect(table("name,role,phone").mistakes.map(\.column) == [3])
    #expect(table("name,role", "A,rider").mistakes.map(\.name) == ["phone_number"])
    #expect(table("name,role,email", "A,owner,a@example.com").mistakes.isEmpty)
    #expect(table("name,name,role,phone_number").mistakes.map(\.column) == [2])
    #expect(table("name,role,phone_number").mistakes.count == 1)
    #expect(AccountTable(csv: [], organizations: []).mistakes.count == 1)
  }

  private func summary(created: Int = 0, skipped: Int = 0, invited: Int = 0) -> ImportSummary {
    var summary = ImportSummary()
    (summary.created, summary.skipped, summary.invited) = (created, skipped, invited)
    return summary
  }

  @Test("Accounts are created with an event each; a second time they are mistakes or skipped")
  func imported() async throws {
    let world = try await TestWorld()
    let table = table(
      "name,role,email,phone_number,password_hash",
      "Nina,technician,nina@example.com,+4790000001,\(Self.bcrypt)",
      "Ola,technician,ola@example.com,+4790000002,")
    var terms = ImportTerms()
    terms.invitation = .sent()

    let made = await result(
      try await importAccounts(table.accounts, terms, rules: .operatorCommand, in: world.world))

    #expect(made.value == summary(created: 2, invited: 1))
    #expect(try await world.events().filter { $0.code == .accountCreated }.count == 2)
    let (kinds, messages) = try await world.store.read { (transaction) throws(StoreFault) in
      (try transaction.passwordHashKinds(), try transaction.messages(after: nil, limit: 9))
    }
    #expect(kinds == [.bcrypt(cost: 10)])
    #expect(messages.map(\.to.text) == ["ola@example.com"])

    let again = await result(try await checkImport(table.accounts, terms, in: world.world))
    #expect(again.value?.map(\.line) == [2, 3])
    let refused = await result(
      try await importAccounts(
        table.accounts, terms, rules: .operatorCommand, in: world.world))
    #expect(refused.refusal?.code == .accountExists)
    terms.skipsExisting = true
    #expect(await success(try await checkImport(table.accounts, terms, in: world.world)) == [])
    let skipped = await result(
      try await importAccounts(
        table.accounts, terms, rules: .operatorCommand, in: world.world))
    #expect(skipped.value == summary(skipped: 2))
  }

  @Test("The kinds of hashes are limited, and a kind without accounts is forgotten")
  func kinds() async throws {
    let world = try await TestWorld()
    func accounts(_ costs: ClosedRange<Int>) -> [ImportedAccount] {
      let lines = costs.map { cost in
        let hash = Self.bcrypt.replacing("$10$", with: cost < 10 ? "$0\(cost)$" : "$\(cost)$")
        return "A\(cost),technician,a\(cost)@example.com,+47900000\(10 + cost),\(hash)"
      }
      let text = (["name,role,email,phone_number,password_hash"] + lines).joined(separator: "\n")
      return AccountTable(csv: Array(text.utf8), organizations: []).accounts
    }
    let limit = PasswordHashKind.storedLimit
    for count in limit - 1...limit + 1 {
      let found = await result(
        try await checkImport(accounts(4...3 + count), ImportTerms(), in: world.world))
      #expect(found.value?.count == (count > limit ? 1 : 0))
    }
    _ = try await importAccounts(
      accounts(4...4), ImportTerms(), rules: .operatorCommand, in: world.world)
    await removeExpiredRecords(in: world.world)
    #expect(try await stored(world) == [.bcrypt(cost: 4)])

    let id = try #require(
      await success(
        try await findAccount(.email(try EmailAddress(parsing: "a4@example.com")), in: world.world))
    )
    _ = try await eraseAccount(id, rules: .operatorCommand, in: world.world)
    await removeExpiredRecords(in: world.world)
    #expect(try await stored(world) == [])
  }

  private func stored(_ world: TestWorld) async throws -> Set<PasswordHashKind> {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.passwordHashKinds()
    }
  }
}
