public import JSONText
public import SignInModel
import SignInWire

/// A record of any kind that other systems write.
public enum DataRecord: Equatable, Sendable {
  case job(Job)
  case delivery(Delivery)
  case activity(Activity)
  case product(Product)

  /// The number of the last write.
  ///
  /// Each write of any record gets a greater number.
  public var version: Int64 {
    switch self {
    case .job(let job): job.version
    case .delivery(let delivery): delivery.version
    case .activity(let activity): activity.version
    case .product(let product): product.version
    }
  }

  func with(version: Int64) -> DataRecord {
    switch self {
    case .job(var job):
      job.version = version
      return .job(job)
    case .delivery(var delivery):
      delivery.version = version
      return .delivery(delivery)
    case .activity(var activity):
      activity.version = version
      return .activity(activity)
    case .product(var product):
      product.version = version
      return .product(product)
    }
  }

  /// The account of the record; `nil` for a product that waits for an address.
  public var account: AccountID? {
    switch self {
    case .job(let job): job.account
    case .delivery(let delivery): delivery.account
    case .activity(let activity): activity.account
    case .product(let product): product.owner
    }
  }

  /// The organization of the record, if its kind has one.
  var organization: OrganizationID? {
    switch self {
    case .job(let job): job.organization
    case .delivery(let delivery): delivery.organization
    case .activity(let activity): activity.organization
    case .product(let product): product.organization
    }
  }

  /// The members that other systems read: those that they write, and `version`.
  public var json: JSON {
    let version = JSONMember(.version, version)
    let owners = [
      account.map { JSONMember(.account, $0.text) },
      organization.map { JSONMember(.organization, $0.text) },
    ]
    let members: [JSONMember]
    switch self {
    case .job(let job): members = job.entry.json.objectMembers ?? []
    case .delivery(let delivery): members = delivery.entry.json.objectMembers ?? []
    case .activity(let activity): members = activity.entry.json.objectMembers ?? []
    case .product(let product):
      // The photo has its own URL, so that an answer can be sent back as a request.
      var entry = product.entry
      entry.photo = nil
      var own = entry.json.objectMembers ?? []
      if case .awaiting(let address) = product.holder {
        own.append(JSONMember(.awaiting, address.text))
      }
      members = own
    }
    return .object(members + [version] + owners.compactMap { $0 })
  }
}

extension DataDraft {
  /// The record that the draft describes.
  ///
  /// Absent members have the value of `old`.
  func record(
    of account: AccountID, in organization: OrganizationID?, replacing old: DataRecord?,
    at now: Instant
  ) -> DataRecord {
    switch kind {
    case .jobs:
      var status = text(.status).flatMap(Job.Status.init(rawValue:))
      var note = text(.statusNote)
      if case .job(let job)? = old {
        status = status ?? job.status
        if job.status == status, job.account == account { note = note ?? job.statusNote }
      }
      return .job(
        Job(
          id: id, account: account, title: text(.title) ?? "", customer: text(.customer) ?? "",
          place: text(.place) ?? "", startsAt: moment(.startsAt), endsAt: moment(.endsAt),
          status: status ?? .scheduled, phone: text(.phone), instructions: text(.instructions),
          organization: organization, statusNote: note
        ))
    case .deliveries:
      var status = text(.status).flatMap(Delivery.Status.init(rawValue:))
      var note = text(.statusNote)
      if case .delivery(let delivery)? = old {
        status = status ?? delivery.status
        if delivery.status == status, delivery.account == account {
          note = note ?? delivery.statusNote
        }
      }
      return .delivery(
        Delivery(
          id: id, account: account, recipient: text(.recipient) ?? "",
          place: text(.place) ?? "", parcels: count(.parcels), startsAt: moment(.startsAt),
          endsAt: moment(.endsAt), status: status ?? .assigned, phone: text(.phone),
          instructions: text(.instructions), organization: organization, statusNote: note
        ))
    case .activities: return .activity(activity(of: account, replacing: old))
    case .products:
      var (createdAt, position) = (now, Int64(0))
      var (photo, shownID): (ProductPhoto?, ProductID?)
      if case .product(let product)? = old {
        (createdAt, position) = (product.createdAt, product.position)
        photo = product.entry.photo
        if product.owner == account { shownID = product.shownID }
      }
      let entry = ProductEntry(
        id: ProductID(id), name: text(.name) ?? "", model: text(.model) ?? "",
        serialNumber: text(.serialNumber) ?? "", category: text(.category) ?? "",
        warrantyProvider: text(.warrantyProvider), purchasedOn: day(.purchasedOn),
        warrantyExpiresOn: day(.warrantyExpiresOn), photo: photo
      )
      return .product(
        Product(
          entry: entry, createdAt: createdAt, holder: .owner(account), position: position,
          organization: organization, shownID: shownID))
    }
  }

  private func activity(of account: AccountID, replacing old: DataRecord?) -> Activity {
    var status = text(.status).flatMap(Activity.Status.init(rawValue:))
    var notes = text(.notes)
    if case .activity(let activity)? = old {
      status = status ?? activity.status
      // A mentor must not read the notes of another mentor about a person.
      if activity.account == account { notes = notes ?? activity.notes }
    }
    return Activity(
      id: id, account: account, organization: OrganizationID(text(.organization) ?? ""),
      title: text(.title) ?? "", place: text(.place) ?? "", companion: text(.with) ?? "",
      startsAt: moment(.startsAt), endsAt: moment(.endsAt), status: status ?? .planned,
      notes: notes ?? ""
    )
  }
}
