/// One kind of store.
///
/// Its adapter says how a configuration names such a store, and the program says which kinds a
/// configuration may name.
public struct StoreKind: Equatable, Sendable {
  /// What follows after the name and a colon.
  public enum Form: Equatable, Sendable {
    /// The folder of the store.
    case folder
    /// Nothing, because an object with the name as `kind` describes the server of the store.
    case server
  }

  let name: String
  let form: Form

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
    case .server: "names a server in a text"
    }
  }

  /// How to write such a location, as an imperative.
  var remedy: String {
    switch form {
    case .folder: "write \(name): and a folder, such as \(name):/var/lib/fieldpass"
    case .server:
      "write {\"kind\": \"\(name)\", \"host\": …, \"database\": …, \"user\": …, \"folder\": …}"
    }
  }
}
