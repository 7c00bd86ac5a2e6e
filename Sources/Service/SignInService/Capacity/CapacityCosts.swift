import SignInRules

/// What people add to a store, measured (L-58).
public struct CapacityCosts: Sendable {
  /// The bytes of one record with its part of the indexes, by table.
  public private(set) var recordBytes: [String: Double] = [:]
  /// The records that one account adds, by table.
  public private(set) var account: [String: Double] = [:]
  /// The records that the first sign-in on a device adds.
  public private(set) var signIn: [String: Double] = [:]
  /// The records that each later sign-in on it adds.
  ///
  /// It also ends the session before it.
  public private(set) var laterSignIn: [String: Double] = [:]
  /// The records that one renewal adds, when it is not the first of its day.
  public private(set) var renewal: [String: Double] = [:]
  /// The records that report the renewals of one session on one day.
  public private(set) var renewedDay: [String: Double] = [:]
  /// The bytes that the process writes to files for one sign-in, from the request to the tokens.
  public private(set) var signInWrites: Double = 0
  /// The bytes that it writes for one renewal.
  public private(set) var renewalWrites: Double = 0
  /// The number of people with whom this was measured.
  public let people: Int

  /// Fewer records for each person are shared by many people, so they do not grow with them.
  static let sharedBelow = 0.05

  /// Measures an empty store.
  ///
  /// `written` returns the bytes that the process has written to files.
  ///
  /// - Throws: The fault of a step or of the store.
  public init(
    measuring workload: CapacityWorkload, people: Int, passwordHash: String,
    written: @Sendable () -> Int64
  ) async throws {
    self.people = people
    let everyone = Array(0..<people)
    var sizes = try await workload.sizes()
    func added() async throws -> [String: Double] {
      await workload.world.linkEvents()
      let now = try await workload.sizes()
      defer { sizes = now }
      return Self.difference(from: sizes, to: now, for: people)
    }

    try await workload.addAccounts(0..<people, passwordHash: passwordHash)
    account = try await added()
    var before = written()
    try await workload.signIn(everyone)
    signIn = try await added()
    signInWrites = Double(written() - before) / Double(people)
    // The first renewal of a day changes an index, the next ones do not.
    try await workload.renew(everyone)
    _ = try await added()
    before = written()
    try await workload.renew(everyone)
    renewalWrites = Double(written() - before) / Double(people)
    renewal = try await added()
    workload.advance(seconds: Throttle.Limit.daySeconds)
    try await workload.renew(everyone)
    renewedDay = try await added()
    workload.advance(seconds: Throttle.Limit.daySeconds)
    // A server has removed the counts of the first sign-in by now, so this one adds its own.
    try await workload.removeQuietThrottles()
    _ = try await added()
    try await workload.signIn(everyone)
    // It also reports the renewals of the session that it ends.
    laterSignIn = try await added().merging(renewedDay) { $0 - $1 }
    for size in sizes.values where size.records * 2 >= Int64(people) {
      recordBytes[size.table] = Double(size.bytes) / Double(size.records)
    }
  }

  private static func difference(
    from before: [String: TableSize], to after: [String: TableSize], for people: Int
  ) -> [String: Double] {
    var records: [String: Double] = [:]
    for (table, size) in after {
      let count = Double(size.records - (before[table]?.records ?? 0)) / Double(people)
      if count >= sharedBelow { records[table] = count }
    }
    return records
  }
}

extension CapacityWorkload {
  /// The sizes of the store's tables, by name.
  public func sizes() async throws -> [String: TableSize] {
    Dictionary(
      try store.tableSizes().map { ($0.table, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
