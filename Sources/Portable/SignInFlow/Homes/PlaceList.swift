import SignInEngine
import SignInModel
import SignInWire

/// Whether a list shows the entries that matter last, as an option of a place.
///
/// An option has a value, such as `?finished=true`. A press of Back does not undo it.
enum ListOption {
  static let finished = "finished"
  static let earlier = "earlier"

  private static let on = "true"

  static func isOn(_ name: String, in query: String) -> Bool {
    Form(query: query)[name].map { $0.hasSameBytes(as: on) } ?? false
  }

  /// The query of a place.
  static func query(_ name: String, isOn: Bool) -> String { isOn ? "?" + name + "=" + on : "" }
}

/// The places of the items of one list: `jobs/J-4711` for the item `J-4711`.
struct PlaceList {
  let name: String

  init(_ name: String) { self.name = name }

  func place(of item: String) -> String { name + "/" + Form.percentEncoded(item) }

  /// A path with a query: the name of a part of the page, and the options of the list.
  ///
  /// The part has no value, because Back undoes it.
  static func place(_ path: String, part: String?, _ options: [Form.Field]) -> String {
    var place = path
    if let part { place += "?" + part }
    if !options.isEmpty { place += (part == nil ? "?" : "&") + Form(options).encoded }
    return place
  }

  /// The item that the place shows; `nil` if it is no place of this list.
  func item(at place: String) -> String? {
    guard let parts = place.cut(at: "/"), parts.before == name, !parts.after.isEmpty else {
      return nil
    }
    return Form.percentDecoded(parts.after)
  }
}
