internal import SignInModel
public import SignInService

/// Servers compare their configurations in the database.
extension PostgresStore: NodeReportStore {
  public func exchange(
    node: String, digests: [String: String]
  ) async throws(StoreFault) -> NodeReportOutcome {
    try await transact(about: []) { (transaction) throws(StoreFault) in
      let records = Self.records(transaction)
      if try records.hasOtherKey() { return .otherKey }
      try records.saveReport(of: node, digests)
      try records.removeEndedReports()
      return .reports(try records.nodeReports())
    }
  }

  public func nodeReports() async throws(StoreFault) -> [NodeReport] {
    try await read { (transaction) throws(StoreFault) in
      try Self.records(transaction).nodeReports()
    }
  }

  public func removeReport(of node: String) async throws(StoreFault) {
    try await transact(about: []) { (transaction) throws(StoreFault) in
      try Self.records(transaction).writeLater("DELETE FROM node_reports WHERE node = ?") {
        $0.bind(node)
      }
    }
  }
}

extension SQLTransaction: NodeReportRecords {
  func nodeReports() throws(StoreFault) -> [NodeReport] {
    try connection.all(
      "SELECT node, at, digests FROM node_reports ORDER BY node",
      read: { row in
        NodeReport(node: row.text(), at: row.moment(), digests: Self.digests(row.text()))
      })
  }

  fileprivate func saveReport(
    of node: String, _ digests: [String: String]
  ) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO node_reports (node, at, digests)
      VALUES (?, CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint), ?)
      ON CONFLICT (node) DO UPDATE SET at = excluded.at, digests = excluded.digests
      """
    ) {
      $0.bind(node)
      $0.bind(Self.text(digests))
    }
  }

  fileprivate func removeEndedReports() throws(StoreFault) {
    try writeLater(
      """
      DELETE FROM node_reports
      WHERE at + ? <= CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)
      """
    ) { $0.bind(NodeReport.validSeconds * 1000) }
  }

  /// Lines, each with a key, a space and a digest.
  private static func text(_ digests: [String: String]) -> String {
    digests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
  }

  private static func digests(_ text: String) -> [String: String] {
    var digests: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2 { digests[String(words[0])] = String(words[1]) }
    }
    return digests
  }
}
