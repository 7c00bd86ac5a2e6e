import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The texts of a product: as a row, as a card, and as the subject of a form.
extension Localizer {
  /// A serial number is shown in groups of this many characters.
  private static let groupLength = 4

  /// A list is searched, filtered by status, or both.
  func products(found: Int, of count: Int, isSearched: Bool) -> String {
    if found == count { return productsListed(Int64(count)) }
    if found == 0 { return say(isSearched ? .noProductFound : .noProductWithStatus) }
    return say(
      .productsFound,
      [
        (name: "count", value: format.number(Int64(found))),
        (name: "total", value: format.number(Int64(count))),
      ]
    )
  }

  func productsListed(_ count: Int64) -> String {
    say(.productsListed, one: .productListed, count: count)
  }

  func row(_ product: ProductEntry, on today: CalendarDay) -> VirtualListRow {
    VirtualListRow(
      id: product.id.text, title: product.name, line: product.model,
      badge: badge(product.status(on: today)), note: warranty(product, on: today),
      photo: product.photo?.digest,
      action: RowAction(button: ButtonName.openProduct.rawValue, item: product.id.text)
    )
  }

  func badge(_ status: WarrantyStatus) -> Badge {
    switch status {
    case .active: Badge(text: say(.warrantyActive), severity: .success)
    case .expiring: Badge(text: say(.warrantyExpiring), severity: .warning)
    case .expired: Badge(text: say(.warrantyExpired), severity: .error)
    }
  }

  func warranty(_ product: ProductEntry, on today: CalendarDay) -> Phrase {
    guard let last = product.warrantyExpiresOn else { return Phrase(say(.warrantyWithoutEnd)) }
    let sentence = last < today ? Sentence.warrantyEnded : .warrantyEnds
    return Phrase(say(sentence), filling: .moment(moment(last)))
  }

  /// A calendar day is the same in every time zone.
  private func moment(_ day: CalendarDay) -> Moment {
    Moment(
      seconds: day.number * CalendarDay.daySeconds, style: .date, text: format.date(day)
    )
  }

  /// A long number is easier to read in groups of four characters.
  static func groups(of serialNumber: String) -> [String] {
    var groups: [String] = []
    var length = groupLength
    for scalar in serialNumber.unicodeScalars {
      if length == groupLength {
        groups.append("")
        length = 0
      }
      groups[groups.count - 1].unicodeScalars.append(scalar)
      length += 1
    }
    return groups
  }

  /// The warranty card, with further details before and after its own ones.
  func card(
    _ product: ProductEntry, on today: CalendarDay, first: [Detail] = [], last: [Detail] = []
  ) -> Part {
    let copy = Detail.Copy(
      groups: Self.groups(of: product.serialNumber), label: say(.copy),
      fullLabel: say(.copySerialNumber), done: say(.copied)
    )
    return .details(
      id: PagePart.record.rawValue, title: product.name,
      badges: [badge(product.status(on: today))],
      first + [
        Detail(label: say(.model), text: Phrase(product.model)),
        Detail(label: say(.serialNumber), text: Phrase(product.serialNumber), copy: copy),
        Detail(label: say(.category), text: text(product.category)),
        Detail(label: say(.purchasedOn), text: date(product.purchasedOn, without: .dateUnknown)),
        Detail(
          label: say(.warrantyExpiresOn),
          text: date(product.warrantyExpiresOn, without: .warrantyWithoutEnd)
        ),
        Detail(label: say(.warrantyProvider), text: text(product.warrantyProvider ?? "")),
      ] + last
    )
  }

  private func text(_ text: String) -> Phrase {
    Phrase(text.isEmpty ? say(.dateUnknown) : text)
  }

  private func date(_ day: CalendarDay?, without end: Sentence) -> Phrase {
    day.map { Phrase(moment($0)) } ?? Phrase(say(end))
  }

  func about(_ product: ProductEntry) -> Part {
    .subject(id: PagePart.record.rawValue, text: product.name, badge: nil)
  }

  var gone: Part {
    .empty(
      id: "gone", symbol: .parcel, title: say(.productGoneTitle), text: say(.productGone)
    )
  }

  func backButton(_ label: Sentence) -> Button {
    var button = button(.back, label, .quiet)
    button.symbol = .back
    return button
  }

  func mistake(_ mistake: ProductForm.Mistake) -> String {
    switch mistake {
    case .noDescription: say(.descriptionNeeded)
    case .descriptionTooLong: say(.descriptionTooLong)
    case .noAddress: say(.receiverMissing)
    case .addressMalformed: say(.emailMalformed)
    case .ownAddress: say(.ownAddress)
    }
  }

  /// A banner that stays as long as its text is true.
  func lasting(_ notice: Notice, id: String = "lasting") -> Banner {
    Banner(id: id, severity: severity(of: notice), text: self.notice(notice), dismissal: nil)
  }
}
