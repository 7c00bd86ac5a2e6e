import SignInModel
import SignInService
import SignInWire

@testable import SignInHTTP

extension PermissionRouteTests {
  /// The routes of data for other systems, by method and path.
  static let dataCases: [String: Case] = Dictionary(
    uniqueKeysWithValues: DataKind.allCases.flatMap { kind -> [(String, Case)] in
      let list = "/admin/\(kind.rawValue)"
      let missing = ClientEnvironment.hidden(kind.missing)
      return [
        ("GET \(list)/{id}", Case(path: "\(list)/ORG-1", outside: missing)),
        (
          "PUT \(list)/{id}",
          Case(path: "\(list)/new", body: "{\(kind.members)}", outside: account)
        ),
        (
          "DELETE \(list)/{id}",
          Case(path: "\(list)/\(kind == .activities ? "" : "~")ORG-1", outside: missing)
        ),
        (
          "POST \(list):batch",
          Case(
            path: "\(list):batch", body: "{\"items\":[{\"id\":\"new\",\(kind.members)}]}",
            outside: .refusedItem)
        ),
      ]
    } + [("GET /admin/changes", Case(path: "/admin/changes", outside: .narrowed))]
      + ["GET", "PUT", "DELETE"].map { method in
        let body = method == "PUT" ? photo : nil
        return (
          "\(method) /admin/products/{id}/photo",
          Case(
            path: "/admin/products/ORG-1/photo", body: body, outside: .hidden("product_not_found"))
        )
      }
  )
}

extension PermissionRouteTests {
  /// The beginning of a photo in the WebP format.
  private static let photo = "RIFF0000WEBPVP8 "
}

extension DataKind {
  fileprivate var missing: String {
    switch self {
    case .jobs: "job_not_found"
    case .deliveries: "delivery_not_found"
    case .activities: "activity_not_found"
    case .products: "product_not_found"
    }
  }

  /// The members of a valid record of an owner in an organization.
  fileprivate var members: String {
    let span = "\"starts_at\":1800000000,\"ends_at\":1800003600"
    let own =
      switch self {
      case .jobs: "\"title\":\"x\",\"customer\":\"x\",\"place\":\"x\",\(span)"
      case .deliveries: "\"recipient\":\"x\",\"place\":\"x\",\"parcels\":1,\(span)"
      case .activities:
        "\"organization\":\"ORG\",\"title\":\"x\",\"place\":\"x\",\"with\":\"x\",\(span)"
      case .products: "\"name\":\"x\",\"model\":\"x\",\"serial_number\":\"x\",\"category\":\"x\""
      }
    return "\"account\":\"ORG@example.com\",\(own)"
  }
}

extension Transaction {
  /// Saves a job, a delivery, an activity and a change of one organization's owner.
  func saveData(of owner: AccountID, in name: String, at now: Instant) throws(StoreFault) {
    let (id, end) = ("\(name)-1", now.adding(seconds: 3600))
    try save(
      Job(
        id: id, account: owner, title: "x", customer: "x", place: "x", startsAt: now, endsAt: end,
        status: .scheduled))
    try save(
      Delivery(
        id: id, account: owner, recipient: "x", place: "x", parcels: 1, startsAt: now,
        endsAt: end, status: .assigned))
    try save(
      Activity(
        id: id, account: owner, organization: OrganizationID(name), title: "x", place: "x",
        companion: "x", startsAt: now, endsAt: end, status: .planned))
    try append(
      DataChange(
        at: now, kind: .serviceRequest,
        key: RecordKey(OrganizationID(name), "\(name)-request"), act: .requested, account: owner))
  }
}
