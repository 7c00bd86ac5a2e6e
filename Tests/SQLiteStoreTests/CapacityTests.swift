import Foundation
import SignInModel
import SignInTesting
import Testing

@testable import SQLStore
@testable import SignInService

/// The plan for the size of a store follows from measured costs (L-58).
@Suite("Capacity")
struct CapacityTests {
  private static let master = [UInt8](repeating: 7, count: 32)
  private static let hash = "$argon2id$v=19$m=19456,t=2,p=1$" + String(repeating: "a", count: 65)

  private func workload(_ folder: TemporaryFolder) throws -> (SQLiteStore, CapacityWorkload) {
    let store = try SQLiteStore(
      directory: folder.path, keys: Keyring.storeKeys(master: Self.master))
    let workload = CapacityWorkload(
      store: store, master: Self.master, randomness: SeededRandomness(seed: 1),
      passwords: FastPasswordHashing(), decoyPasswordHash: "decoy")
    return (store, workload)
  }

  private func costs(people: Int) async throws -> CapacityCosts {
    let folder = TemporaryFolder()
    let (store, workload) = try workload(folder)
    defer { store.close() }
    return try await CapacityCosts(
      measuring: workload, people: people, passwordHash: Self.hash, written: { 0 })
  }

  @Test("L-58 a renewal adds no record, and all renewals of a session on a day add one event")
  func renewals() async throws {
    let costs = try await costs(people: 40)

    #expect(costs.renewal == [:])
    #expect(costs.renewedDay == ["security_events": 1])
    #expect(costs.signIn["sessions"] == 1)
    #expect(costs.account["accounts"] == 1)
  }

  @Test("L-58 the plan has room for the counts of rate limits of each later sign-in")
  func throttles() async throws {
    let costs = try await costs(people: 40)
    let plan = CapacityPlan(costs: costs, day: CapacityDay())

    // Those that many people share are not added again by each of them.
    let first = try #require(costs.signIn["throttles"])
    let later = try #require(costs.laterSignIn["throttles"])
    #expect(later >= 1 && abs(later - first) < 0.5)
    // 3 % of the accounts sign in on a day, and the counts are stored for a day.
    #expect(abs(plan.records("throttles") - 0.03 * later) < 0.001)
    #expect(plan.bytes("throttles", accounts: 1_000_000) > 0)
  }

  @Test("L-58 the plan for a day agrees with a simulated day")
  func simulatedDay() async throws {
    let (accounts, days) = (300, 3)
    var day = CapacityDay()
    day.daysBetweenSignIns = 2
    day.renewals = 4
    day.eventDays = Int64(days)
    let plan = CapacityPlan(costs: try await costs(people: 200), day: day)
    let folder = TemporaryFolder()
    let (store, people) = try workload(folder)
    defer { store.close() }

    try await people.addAccounts(0..<accounts, passwordHash: Self.hash)
    // Each day the next third of the people is active. All of them have a session already.
    try await people.signIn(Array(0..<accounts))
    let active = accounts * Int(day.activePercent) / 100
    await people.world.linkEvents()
    let before = try await people.sizes()
    // The first day only begins the counts that the days after it report.
    for number in 0...days {
      people.advance(seconds: 24 * 60 * 60)
      let today = (0..<active).map { (number * active + $0) % accounts }
      for _ in 0..<day.renewals { try await people.renew(today) }
      try await people.signIn(Array(today.prefix(active / Int(day.daysBetweenSignIns))))
    }
    await people.world.linkEvents()
    let after = try await people.sizes()

    func added(_ table: String) -> Int64 {
      (after[table]?.records ?? 0) - (before[table]?.records ?? 0)
    }
    for table in ["security_events", "sessions"] {
      let planned = plan.recordsOfDay(table) * Double(accounts * (days + 1))
      let found = Double(added(table))
      #expect(abs(found - planned) <= planned * 0.25, "\(table): \(planned), found \(found)")
      let bytes = Double(after[table]?.bytes ?? 0) / Double(after[table]?.records ?? 1)
      let plannedBytes = plan.costs.recordBytes[table] ?? 0
      #expect(abs(bytes - plannedBytes) <= plannedBytes * 0.25, "\(table): \(bytes) bytes")
    }
    #expect(Double(added("security_events")) < Double(accounts * (days + 1)) * 4)
  }

  @Test("L-58 records with a retention are planned for that time, others for each account")
  func arithmetic() async throws {
    let costs = try await costs(people: 40)
    var day = CapacityDay()
    let plan = CapacityPlan(costs: costs, day: day)
    day.eventDays *= 2

    let longer = CapacityPlan(costs: costs, day: day)

    #expect(plan.bytes("accounts", accounts: 10) == longer.bytes("accounts", accounts: 10))
    #expect(
      plan.bytes("security_events", accounts: 10) * 2
        == longer.bytes("security_events", accounts: 10))
    #expect(
      plan.bytes("security_events", accounts: 20) == longer.bytes("security_events", accounts: 10))
    // 0.3 of the accounts are active, and a tenth of them signs in.
    let perDay = 0.3 + 0.03 * (costs.laterSignIn["security_events"] ?? 0)
    #expect(abs(plan.records("security_events") - 400 * perDay) < 0.001)
    #expect(plan.keptDays("accounts") == nil && plan.keptDays("security_events") == 400)
  }

  @Test(
    "L-58 numbers and sizes have two digits or more",
    arguments: [
      (0.04, "0"), (0.3, "0.3"), (1, "1"), (9.96, "10"), (12.4, "12"), (999.6, "1,000"),
      (1_234_567, "1,234,567"),
    ])
  func numbers(_ value: Double, _ text: String) {
    #expect(CapacityPlan.number(value) == text)
    #expect(CapacityPlan.size(value * 1000).hasSuffix("B"))
  }
}
