internal import SignInModel
internal import SignInService

extension SQLTransaction: MessageCostRecords {
  func add(_ cost: MessageCost) throws(StoreFault) {
    if isPostgres {
      try writeLater(
        """
        INSERT INTO unsummed_costs (day, messenger, country, organization, messages, parts,
          delivered, undelivered, price, unpriced)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
      ) { $0.bind(cost) }
      return
    }
    try writeLater(
      """
      INSERT INTO message_costs (day, messenger, country, organization, messages, parts,
        delivered, undelivered, price, unpriced)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (day, messenger, country, organization) DO UPDATE SET
        messages = message_costs.messages + excluded.messages,
        parts = message_costs.parts + excluded.parts,
        delivered = message_costs.delivered + excluded.delivered,
        undelivered = message_costs.undelivered + excluded.undelivered,
        price = message_costs.price + excluded.price,
        unpriced = message_costs.unpriced + excluded.unpriced
      """
    ) { $0.bind(cost) }
  }

  func messageCosts(
    from first: CalendarDay, through last: CalendarDay
  ) throws(StoreFault) -> [MessageCost] {
    try connection.all(
      isPostgres ? Self.costsWithUnsummed : Self.costs,
      bind: {
        $0.bind(first.number)
        $0.bind(last.number)
      }, read: MessageCost.init)
  }

  func removeMessageCosts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int {
    try addUpCosts()
    return try write(
      """
      DELETE FROM message_costs WHERE (day, messenger, country, organization) IN
        (SELECT day, messenger, country, organization FROM message_costs WHERE day < ?
        ORDER BY day, messenger, country, organization LIMIT ?)
      """
    ) {
      $0.bind(day.number)
      $0.bind(Int64(limit))
    }
  }
}

extension SQLTransaction {
  private static let costs: StaticString = """
    SELECT day, messenger, country, organization, messages, parts, delivered, undelivered,
      price, unpriced
    FROM message_costs WHERE day BETWEEN ?1 AND ?2
    ORDER BY day, messenger, country, organization
    """

  private static let costsWithUnsummed: StaticString = """
    SELECT day, messenger, country, organization, CAST(sum(messages) AS bigint),
      CAST(sum(parts) AS bigint), CAST(sum(delivered) AS bigint),
      CAST(sum(undelivered) AS bigint), CAST(sum(price) AS bigint),
      CAST(sum(unpriced) AS bigint)
    FROM (SELECT day, messenger, country, organization, messages, parts, delivered, undelivered,
        price, unpriced FROM message_costs
      UNION ALL SELECT day, messenger, country, organization, messages, parts, delivered,
        undelivered, price, unpriced FROM unsummed_costs) AS costs
    WHERE day BETWEEN ?1 AND ?2
    GROUP BY day, messenger, country, organization
    ORDER BY day, messenger, country, organization
    """
}

extension Parameters {
  /// Binds the columns from `day` to `unpriced`.
  fileprivate mutating func bind(_ cost: MessageCost) {
    bind(cost.place.day.number)
    bind(cost.place.messenger)
    bind(cost.place.country)
    bind(cost.place.organization?.text ?? "")
    bind(cost.messages)
    bind(cost.parts)
    bind(cost.delivered)
    bind(cost.undelivered)
    bind(cost.price)
    bind(cost.unpriced)
  }
}

extension MessageCost {
  fileprivate init(_ row: inout Row) {
    let day = CalendarDay(number: row.number())
    let (messenger, country, organization) = (row.text(), row.text(), row.text())
    self.init(
      Group(
        day: day, messenger: messenger, country: country,
        organization: organization.isEmpty ? nil : OrganizationID(organization)
      ))
    messages = row.number()
    parts = row.number()
    delivered = row.number()
    undelivered = row.number()
    price = row.number()
    unpriced = row.number()
  }
}
