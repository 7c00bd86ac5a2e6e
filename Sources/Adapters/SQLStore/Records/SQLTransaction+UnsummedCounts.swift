internal import SignInService

/// Counts and costs that PostgreSQL has not added up yet.
///
/// Many decisions count on the same day for the same organization. Each of them adds a row of its
/// own, so that none waits for another. Reads sum up these rows, too. When old counts are removed,
/// the new rows are added to the sums, so that there are few of them. SQLite runs one decision
/// after another, so it needs no such rows.
extension SQLTransaction {
  /// The most rows of one table that one decision adds up.
  static let unsummedBatch = 10_000

  func addUpCounts() throws(StoreFault) {
    guard isPostgres else { return }
    try writeLater(
      """
      WITH counted AS (DELETE FROM unsummed_counts
        WHERE id IN (SELECT id FROM unsummed_counts ORDER BY id LIMIT ?)
        RETURNING day, kind, organizations, count)
      INSERT INTO daily_counts (day, kind, organizations, count)
      SELECT day, kind, organizations, CAST(sum(count) AS bigint) FROM counted
      GROUP BY day, kind, organizations ORDER BY day, kind, organizations
      ON CONFLICT (day, kind, organizations) DO UPDATE SET
        count = daily_counts.count + excluded.count
      """
    ) { $0.bind(Int64(Self.unsummedBatch)) }
  }

  func addUpCosts() throws(StoreFault) {
    guard isPostgres else { return }
    try writeLater(
      """
      WITH booked AS (DELETE FROM unsummed_costs
        WHERE id IN (SELECT id FROM unsummed_costs ORDER BY id LIMIT ?)
        RETURNING day, messenger, country, organization, messages, parts, delivered,
          undelivered, price, unpriced)
      INSERT INTO message_costs (day, messenger, country, organization, messages, parts,
        delivered, undelivered, price, unpriced)
      SELECT day, messenger, country, organization, CAST(sum(messages) AS bigint),
        CAST(sum(parts) AS bigint), CAST(sum(delivered) AS bigint),
        CAST(sum(undelivered) AS bigint), CAST(sum(price) AS bigint),
        CAST(sum(unpriced) AS bigint)
      FROM booked GROUP BY day, messenger, country, organization
      ORDER BY day, messenger, country, organization
      ON CONFLICT (day, messenger, country, organization) DO UPDATE SET
        messages = message_costs.messages + excluded.messages,
        parts = message_costs.parts + excluded.parts,
        delivered = message_costs.delivered + excluded.delivered,
        undelivered = message_costs.undelivered + excluded.undelivered,
        price = message_costs.price + excluded.price,
        unpriced = message_costs.unpriced + excluded.unpriced
      """
    ) { $0.bind(Int64(Self.unsummedBatch)) }
  }
}
