import Cryptography
import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("Signing keys in PostgreSQL")
struct SigningKeyTableTests {
  private let cluster: PostgresCluster
  private let keys = Keyring.storeKeys(master: [UInt8](repeating: 7, count: 32))
  private let now = Instant(seconds: 1_800_000_000)

  init() throws { cluster = try PostgresCluster.shared.get() }

  private func nodes(_ count: Int) throws -> [PostgresStore] {
    let schema = cluster.emptySchema()
    return try (0..<count).map { _ in try PostgresStore(schema, limits: .small, keys: keys) }
  }

  @Test("servers that start at the same time with different keys use those of one of them")
  func begin() async throws {
    let nodes = try nodes(4)
    let own = nodes.map { _ in SigningKeys.Key(SigningKey.generate()) }

    let used = try await withThrowingTaskGroup(of: [String].self) { group in
      for (node, key) in zip(nodes, own) {
        group.addTask { [keys] in
          try await SharedSigningKeys(in: node, keys: keys).loadOrStore([key]).keys.map(\.id)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(used.count == 1 && used.first?.count == 1)
    #expect(own.map(\.id).contains(used.first?.first ?? ""))
    for node in nodes { node.close() }
  }

  @Test("one of several rotations at the same time succeeds, and the others wait")
  func rotate() async throws {
    let nodes = try nodes(2)
    let first = SharedSigningKeys(in: nodes[0], keys: keys)
    _ = try await first.loadOrStore([SigningKeys.Key(SigningKey.generate())])

    let rotations = try await withThrowingTaskGroup(of: SharedSigningKeys.Rotation.self) { group in
      for number in 0..<6 {
        group.addTask { [keys, now] in
          try await SharedSigningKeys(in: nodes[number % 2], keys: keys)
            .rotate(
              publishedSeconds: SharedSigningKeys.minimumPublishedSeconds,
              clock: SimulatedClock(now))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    let done = rotations.compactMap { rotation in
      if case .rotated(let key, _, _) = rotation { key.id } else { nil }
    }
    #expect(done.count == 1)
    let found = try await SharedSigningKeys(in: nodes[1], keys: keys).read()
    #expect(found.count == 2 && found.first { $0.signsUntil == nil }?.id == done.first)
    for node in nodes { node.close() }
  }
}
