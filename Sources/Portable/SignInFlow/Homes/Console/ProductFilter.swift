import SignInEngine
public import SignInModel
import SignInWire

/// What an administrator looks for in the list of products.
public struct ProductFilter: Equatable, Sendable {
  /// The start of a serial number or of a name.
  public private(set) var text = ""
  /// The only owner whose products are listed, whom only an address can name.
  public let account: AccountID?
  /// Whether the text was edited and the list was not read since.
  private var isEdited = false
  /// When the list is read again after typing.
  private var searchAt: Instant?

  init() { account = nil }

  init(_ form: Form) {
    let query = OwnedRecordsQuery(form)
    text = query.text ?? ""
    let owner = query.account ?? ""
    account = owner.isEmpty ? nil : AccountID(owner)
  }

  /// Whether the list will be read again, because the text was edited.
  var isWaiting: Bool { searchAt.isPresent }

  mutating func type(_ text: String, at now: Instant) {
    self.text = text
    isEdited = true
    searchAt = now.adding(milliseconds: ConsoleHome.searchPauseMilliseconds)
  }

  mutating func clearText() { (text, isEdited) = ("", true) }

  /// Whether the list was read after an edit, for the first time.
  ///
  /// While a person types, an answer is one to the filter before, so the edit is not taken.
  mutating func takeEdit() -> Bool {
    let wasEdited = isEdited
    if !isWaiting { isEdited = false }
    return wasEdited
  }

  mutating func stopWaiting() { searchAt = nil }

  func isDue(at now: Instant) -> Bool { searchAt.map { $0 <= now } ?? false }

  /// The fields of a request, and of the address.
  var fields: [Form.Field] {
    OwnedRecordsQuery {
      $0.text = text.isEmpty ? nil : text
      $0.account = account?.text
    }.form.fields
  }
}

extension ConsoleHome {
  /// The place of the list of the products of one account.
  public static func place(ofProductsOf owner: AccountID) -> String {
    Tab.products.rawValue + "?" + OwnedRecordsQuery { $0.account = owner.text }.form.encoded
  }

  /// The text that the listed products match.
  ///
  /// `nil` without a search, and until the answer to it has arrived.
  public var searchedProducts: String? {
    let isListed =
      !productFilter.isWaiting && products.loading == nil && products.problem == nil
    return isListed && !productFilter.text.isEmpty ? productFilter.text : nil
  }

  mutating func loadProducts(_ context: inout FlowContext) {
    productFilter.stopWaiting()
    products.load(productFilter.fields, &context)
  }

  /// Lists the products without a search again.
  mutating func clearSearch(_ context: inout FlowContext) {
    guard tab == .products, !isBusy, !productFilter.text.isEmpty else { return }
    productFilter.clearText()
    loadProducts(&context)
    // The button for it is no longer shown.
    context.moveFocus(to: .search)
  }
}
