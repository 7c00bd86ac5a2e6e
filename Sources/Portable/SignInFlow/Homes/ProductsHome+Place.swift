public import SignInEngine
import SignInModel
import SignInWire

extension ProductsHome {
  private static let list = PlaceList("products")

  /// A page of a product or the list, with the search and the filter of the list.
  public var place: String {
    let path = view.product.map { Self.list.place(of: $0) } ?? ""
    let action: Action? =
      switch view {
      case .list, .card: nil
      case .request: .request
      case .transfer: .transfer
      case .confirmation: .confirmation
      }
    var fields: [Form.Field] = []
    if !query.isEmpty { fields.append(Form.Field(.query, query)) }
    if let status { fields.append(Form.Field(.status, status.rawValue)) }
    return PlaceList.place(path, part: action?.rawValue, fields)
  }

  /// What follows the place of a product.
  private enum Action: String {
    case request
    case transfer
    case confirmation = "confirm"
  }

  public mutating func open(place: String, _ context: inout FlowContext) -> [PageEffect]? {
    // A form that is being sent stays until there is an answer.
    if isSending { return [] }
    let parts = place.cut(at: "?") ?? (place, "")
    let options = Form(query: parts.after)
    // The list may have changed beside the open product.
    if view == .list {
      query = options[.query] ?? ""
      status = Self.filters.first { $0.rawValue == options[.status] }
      kept.search(query)
      showStatus(context)
    }
    if parts.before.isEmpty {
      show(.list, &context)
      return []
    }
    guard let id = Self.list.item(at: parts.before) else { return nil }
    let typed = view.product == id ? form : nil
    var action: Action?
    for field in options.fields { action = Action(rawValue: field.name) ?? action }
    switch action {
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
