import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The lists of products and of service requests.
extension Localizer {
  /// The most Unicode scalars of a description in the list.
  ///
  /// The record beside the list has the whole description.
  static let listedDescriptionLimit = 80

  /// The beginning of a description.
  static func listed(_ description: String) -> String {
    var (text, count) = ("", 0)
    for scalar in description.unicodeScalars {
      if count == listedDescriptionLimit { return text + "…" }
      text.unicodeScalars.append(scalar)
      count += 1
    }
    return text
  }

  private func holder(of product: HeldProductEntry, _ names: KnownNames) -> TableRow.Cell {
    switch product.holder {
    case .owner(let id): return cell(id, names)
    case .awaiting(let address): return TableRow.Cell(text: Phrase(awaiting(address)))
    }
  }

  private func awaiting(_ address: String) -> String {
    Template.fill(tell(.awaiting), [(name: "email", value: address)])
  }

  /// The search, and whose products are listed, with a way to all products.
  func parts(of filter: ProductFilter, owner: String?) -> [Part] {
    let search = Field(
      id: FieldName.search.rawValue, kind: .search, label: tell(.searchProducts),
      value: filter.text, autofill: "off")
    let fields = Part.fields(id: "filters", [search])
    guard let owner else { return [fields] }
    var all = Button(
      id: ButtonName.consoleTab.rawValue, kind: .secondary, label: tell(.allProducts))
    all.item = ConsoleHome.Tab.products.rawValue
    return [.toolbar(id: "owner", text: Phrase(products(of: owner)), button: all), fields]
  }

  private func products(of name: String) -> String {
    Template.fill(tell(.productsOf), [(name: "name", value: name)])
  }

  /// Leads from the page of an account to its products.
  func linkToProducts(of account: AccountEntry) -> Button {
    var button = Button(
      id: ButtonName.consoleTab.rawValue, kind: .secondary, label: products(of: account.name))
    button.item = ConsoleHome.place(ofProductsOf: account.id)
    return button
  }

  /// The words for a list without products.
  ///
  /// `searched` is the text of the search; `nil` until its answer has arrived.
  func noProducts(
    _ filter: ProductFilter, searched: String?
  ) -> (title: String, text: String) {
    if let searched {
      return (
        Template.fill(tell(.noProductWith), [(name: "text", value: searched)]),
        tell(.noProductAdvice)
      )
    }
    if filter.text.isEmpty { return (tell(.noProducts), say(.noneAdvice)) }
    return (label(.none), label(.noneAdvice))
  }

  /// The products, with fewer columns beside an `opened` one.
  func table(_ entries: [HeldProductEntry], _ names: KnownNames, opened: ProductID?) -> Part {
    let today = self.today
    var rows: [TableRow] = []
    for product in entries {
      let entry = product.entry
      let badges = [badge(entry.status(on: today))]
      var cells = [TableRow.Cell(text: Phrase(entry.name))]
      if opened == nil {
        cells += [
          TableRow.Cell(text: Phrase(entry.model)),
          TableRow.Cell(text: Phrase(entry.serialNumber)), holder(of: product, names),
          TableRow.Cell(text: warranty(entry, on: today), badges: badges),
        ]
      } else {
        cells += [
          holder(of: product, names), TableRow.Cell(text: Phrase(""), badges: badges),
        ]
      }
      rows.append(
        TableRow(
          id: product.id.text, cells: cells,
          action: RowAction(button: ButtonName.openRecord.rawValue, item: product.id.text),
          isCurrent: product.id == opened))
    }
    let columns =
      opened == nil
      ? [say(.name), say(.model), say(.serialNumber), tell(.owner), tell(.warranty)]
      : [say(.name), tell(.owner), tell(.warranty)]
    return .table(Table(id: "products", label: say(.products), columns: columns, rows: rows))
  }

  /// The service requests, with fewer columns beside an `opened` one.
  func table(_ entries: [ServiceRequestEntry], _ names: KnownNames, opened: String?) -> Part {
    var rows: [TableRow] = []
    for entry in entries {
      var cells = [
        TableRow.Cell(text: Phrase(entry.productName)), TableRow.Cell(text: stamp(entry.createdAt)),
        cell(entry.account, names),
      ]
      if opened == nil {
        cells += [
          TableRow.Cell(text: Phrase(Self.listed(entry.description))),
          TableRow.Cell(text: Phrase(entry.id)),
        ]
      }
      rows.append(
        TableRow(
          id: entry.id, cells: cells,
          action: RowAction(button: ButtonName.openRecord.rawValue, item: entry.id),
          isCurrent: entry.id == opened))
    }
    var columns = [tell(.product), say(.when), tell(.owner)]
    if opened == nil { columns += [tell(.description), tell(.requestNumber)] }
    return .table(Table(id: "requests", label: say(.requests), columns: columns, rows: rows))
  }
}

/// One product or one service request, opened beside its list.
extension Localizer {
  func parts(
    of product: HeldProductEntry, _ names: KnownNames, notice: ConsoleNotice?, mayTransfer: Bool
  ) -> [Part] {
    let owner = names.account(product.owner)
    let holder: String =
      switch product.holder {
      case .owner(let id): owner?.name ?? id.text
      case .awaiting(let address): awaiting(address)
      }
    var parts: [Part] = [.actions(id: "close", [backButton])]
    if let notice { parts.append(.banner(banner(notice))) }
    parts.append(
      card(
        product.entry, on: today,
        first: [Detail(label: tell(.owner), text: Phrase(holder))],
        last: [Detail(label: say(.createdAt), text: stamp(product.createdAt))]))
    var links = owner.map { [link(to: $0)] } ?? []
    if mayTransfer { links.append(button(.transferOwnership, .transferOwnership, .secondary)) }
    if !links.isEmpty { parts.append(.actions(id: "links", links)) }
    return parts
  }

  func parts(of request: ServiceRequestEntry, _ names: KnownNames) -> [Part] {
    let owner = names.account(request.account)
    let details = [
      detail(tell(.owner), owner?.name ?? request.account.text),
      detail(say(.when), request.createdAt),
      detail(tell(.description), request.description),
      detail(tell(.requestNumber), request.id),
    ]
    var product = Button(
      id: ButtonName.consoleTab.rawValue, kind: .secondary, label: tell(.showProduct))
    product.item = ConsoleHome.place(of: request.product)
    return record(
      request.productName, [], details, (owner.map { [link(to: $0)] } ?? []) + [product])
  }

  /// The question before a transfer, which also asks for the address.
  func sheet(_ transfer: ProductTransfer, _ product: ProductEntry) -> Part {
    let isBusy = transfer.waiting.isPresent
    var confirm = button(.confirm, isBusy ? .transferring : .confirmTransfer, .dangerous)
    confirm.isBusy = isBusy
    var cancel = button(.cancel, .cancel, .quiet)
    cancel.isEnabled = !isBusy
    return .sheet(
      id: PagePart.question.rawValue,
      title: Template.fill(tell(.transferTitle), [(name: "name", value: product.name)]),
      text: Phrase(tell(.transferText)),
      form: SheetForm(
        paragraphs: [],
        field: Field(
          id: FieldName.receiver.rawValue, kind: .email, label: say(.receiver),
          value: transfer.receiver, placeholder: say(.emailPlaceholder),
          error: transfer.fault.map { refused($0) }, isEnabled: !isBusy, autofill: "off")),
      buttons: [confirm, cancel])
  }

  func refused(_ fault: TransferFault) -> String {
    switch fault {
    case .addressNeeded: say(.receiverMissing)
    case .addressMalformed: say(.emailMalformed)
    case .alreadyOwner: tell(.alreadyOwner)
    case .accountUnknown: tell(.accountUnknown)
    }
  }
}
