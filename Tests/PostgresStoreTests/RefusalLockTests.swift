import SignInService
import Testing

@testable import SQLStore

@Suite("Locks of repeated refusals in PostgreSQL")
struct RefusalLockTests {
  private let cluster: PostgresCluster

  init() throws { cluster = try PostgresCluster.shared.get() }

  @Test("sign-ins at providers wait only for the same one, or for one of the same device")
  func providerSignIns() throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    func lock(_ subject: Subject) throws -> PostgresConnection {
      let connection = try PostgresConnection(schema, limits: limits, damage: DamageLog())
      connection.begin(for: .writing)
      _ = try connection.lock([subject])
      _ = try connection.first("SELECT 1", read: { row in row.number() })
      return connection
    }
    let first = try lock(.providerJourney([1]))
    let device = try lock(.providerDevice("one"))

    try lock(.providerJourney([2])).rollBack()
    try lock(.providerDevice("two")).rollBack()
    #expect(throws: StoreFault.self) { try lock(.providerJourney([1])) }
    #expect(throws: StoreFault.self) { try lock(.providerDevice("one")) }
    first.rollBack()
    device.rollBack()
    store.close()
  }

  @Test("refusals of different sources do not wait for each other")
  func refusals() throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    func source(_ subject: String) -> RefusalSource {
      RefusalSource(
        code: .refusedTooOften, subject: subject, client: nil, network: nil, detail: nil)
    }
    func transaction() throws -> SQLTransaction {
      let connection = try PostgresConnection(schema, limits: limits, damage: DamageLog())
      connection.begin(for: .writing)
      return SQLTransaction(.postgres(connection), for: .writing)
    }
    let first = try transaction()
    _ = try first.refusalTally(source("one"))

    _ = try transaction().refusalTally(source("two"))
    #expect(throws: StoreFault.self) { try transaction().refusalTally(source("one")) }
    first.connection.rollBack()
    store.close()
  }
}
