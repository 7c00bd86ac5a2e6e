/// One kind of store.
///
/// Its adapter says how a configuration names such a store, and the program says which kinds a
/// configuration may name.
public struct StoreKind: Equatable, Sendable {
  /// What follows after the name and a colon.
  public enum Form: Equatable, Sendable {
    /// The folder of the store.
    case folder
    /// Anything, because this version cannot use the store.
    ///
    /// - Parameter title: The name of the store for people.
    case notYet(title: String)
  }

  let name: String
  private let form: Form

  public init(_ name: String, _ form: Form) {
    self.name = name
    self.form = form
  }

  /// The text after the name and a colon; `nil` if the location names another kind.
  func detail(of location: String) -> String? {
    location.hasPrefix("\(name):") ? String(location.dropFirst(name.count + 1)) : nil
  }

  /// What is wrong with the text after the colon, as the rest of a sentence; `nil` if it is valid.
  func problem(_ detail: String) -> String? {
    switch form {
    case .folder: TextFormat.path.problem(detail) == nil ? nil : "names no folder"
    case .notYet(let title): "names \(title), which this version cannot use"
    }
  }

  /// How to write such a location, as an imperative; `nil` if this version cannot use the store.
  var remedy: String? {
    switch form {
    case .folder: "write \(name): and a folder, such as \(name):/var/lib/fieldpass"
    case .notYet: nil
    }
  }
}
