/// The fields that were empty when the person pressed the button of a form (P-01).
///
/// Each is one until something is typed in it.
public struct MissingFields: Equatable, Sendable {
  private var names: [FieldName] = []

  public func contains(_ name: FieldName) -> Bool { names.contains(name) }

  mutating func typed(in name: FieldName) { names.removeAll { $0 == name } }

  /// Remembers the empty ones of a form's fields, which are given in their order on the screen.
  mutating func check(_ fields: [(name: FieldName, isEmpty: Bool)]) {
    names = []
    for field in fields where field.isEmpty { names.append(field.name) }
  }

  /// Explains at the fields, from the first one on.
  func explain(_ context: inout FlowContext) -> [Effect] {
    guard let first = names.first else { return [] }
    if let target = FocusTarget(rawValue: first.rawValue) { context.moveFocus(to: target) }
    return [.announce(.fieldsMissing(names))]
  }
}
