public import SignInEngine
import SignInModel
import SignInWire

extension ProductsHome {
  private static let list = PlaceList("products")

  public var place: String {
    switch view {
    case .list: listPlace
    case .card(let id): Self.list.place(of: id)
    case .request(let id, _): Self.list.place(of: id) + Action.request.rawValue
    case .transfer(let id, _): Self.list.place(of: id) + Action.transfer.rawValue
    case .confirmation(let id, _): Self.list.place(of: id) + Action.confirmation.rawValue
    }
  }

  /// The list with its search and its filter.
  private var listPlace: String {
    var fields: [Form.Field] = []
    if !query.isEmpty { fields.append(Form.Field(.query, query)) }
    if let status { fields.append(Form.Field(.status, status.rawValue)) }
    return fields.isEmpty ? "" : "?" + Form(fields).encoded
  }

  /// What follows the place of a product.
  private enum Action: String, CaseIterable {
    case request = "?request"
    case transfer = "?transfer"
    case confirmation = "?transfer=confirm"
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [PageEffect]? {
    // A form that is being sent stays until there is an answer.
    if isSending { return [] }
    let parts = place.cut(at: "?") ?? (place, "")
    if parts.before.isEmpty {
      let form = Form(query: parts.after)
      query = form[.query] ?? ""
      status = Self.filters.first { $0.rawValue == form[.status] }
      kept.search(query)
      showStatus(context)
      show(.list, &context)
      return []
    }
    guard let id = Self.list.item(at: parts.before) else { return nil }
    let typed = view.product == id ? form : nil
    switch Action(rawValue: "?" + parts.after) {
    case .request: show(.request(id, typed ?? ProductForm()), &context)
    // A transfer is confirmed only by the person who typed the address.
    case .transfer, .confirmation: show(.transfer(id, typed ?? ProductForm()), &context)
    case nil: show(.card(id), &context)
    }
    return []
  }

  var isSending: Bool { form?.sending != nil }

  private var form: ProductForm? {
    switch view {
    case .list, .card: nil
    case .request(_, let form), .transfer(_, let form), .confirmation(_, let form): form
    }
  }
}

extension ProductsHome.View {
  fileprivate var product: String? {
    switch self {
    case .list: nil
    case .card(let id), .request(let id, _), .transfer(let id, _), .confirmation(let id, _): id
    }
  }
}
