import SignInEngine

/// The fields that were empty when the person pressed the button of a form (P-01).
///
/// A field is missing until the person types in it.
public struct MissingFields: Equatable, Sendable {
  private var names: [FieldName] = []

  public func contains(_ name: FieldName) -> Bool { names.contains(name) }

  mutating func typed(in name: FieldName) { names.removeAll { $0 == name } }

  /// Records which of the form's fields are empty.
  ///
  /// `fields` are in their order on the screen.
  mutating func check(_ fields: [(name: FieldName, isEmpty: Bool)]) {
    names = []
    for field in fields where field.isEmpty { names.append(field.name) }
  }

  /// Announces the missing fields, and moves the focus to the first one.
  func explain(_ context: inout FlowContext) -> [PageEffect] {
    guard let first = names.first else { return [] }
    context.moveFocus(to: PagePart(rawValue: first.rawValue))
    return [.announce(.fieldsMissing(names.map { PagePart(rawValue: $0.rawValue) }))]
  }
}
