internal import SignInModel
internal import SignInService

extension SQLTransaction: MessageCostRecords {
  func add(_ cost: MessageCost) throws(StoreFault) {
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
    ) {
      $0.bind(cost.place.day.number)
      $0.bind(cost.place.messenger)
      $0.bind(cost.place.country)
      $0.bind(cost.place.organization?.text ?? "")
      $0.bind(cost.messages)
      $0.bind(cost.parts)
      $0.bind(cost.delivered)
      $0.bind(cost.undelivered)
      $0.bind(cost.price)
      $0.bind(cost.unpriced)
    }
  }

  func messageCosts(
    from first: CalendarDay, through last: CalendarDay
  ) throws(StoreFault) -> [MessageCost] {
    try connection.all(
      """
      SELECT day, messenger, country, organization, messages, parts, delivered, undelivered,
        price, unpriced
      FROM message_costs WHERE day BETWEEN ? AND ?
      ORDER BY day, messenger, country, organization
      """,
      bind: {
        $0.bind(first.number)
        $0.bind(last.number)
      }, read: MessageCost.init)
  }

  func removeMessageCosts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int {
    try write(
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
