import SignInEngine
import SignInModel
import SignInWire

/// The places of a list with the entries that matter last.
enum ListPlace {
  static let finished = "?finished"
  static let earlier = "?earlier"
}

/// The places of the items of one list: `jobs/J-4711` for the item `J-4711`.
struct PlaceList {
  let name: String

  init(_ name: String) { self.name = name }

  func place(of item: String) -> String { name + "/" + Form.percentEncoded(item) }

  /// The item that the place shows; `nil` if it is no place of this list.
  func item(at place: String) -> String? {
    guard let parts = place.cut(at: "/"), parts.before == name, !parts.after.isEmpty else {
      return nil
    }
    return Form.percentDecoded(parts.after)
  }
}
