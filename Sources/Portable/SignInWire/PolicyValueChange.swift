public import JSONText
import SignInModel

/// One value of a policy before and after a change, as an event of the security log has it.
public struct PolicyValueChange: Equatable, Sendable {
  /// The value that applied, and the one that applies instead.
  ///
  /// They have the form of the configuration. Null means that an organization has no value of its
  /// own, or that an app has no list of countries or no text of its own.
  public struct Values: Equatable, Sendable {
    public let old: JSON
    public let new: JSON

    public init(old: JSON, new: JSON) {
      self.old = old
      self.new = new
    }
  }

  /// The number of code points of a text in an event.
  ///
  /// A longer text is cut, and ends with `…`.
  public static let textLengthLimit = 64
  /// The number of elements of a list in an event.
  ///
  /// A longer list is cut, and its last element is `…`.
  public static let listLengthLimit = 32
  public static let cutMark = "…"

  /// The key in the configuration, which an older version may not know.
  public let key: String
  /// `nil` for a key that the server did not know.
  public let values: Values?

  public init(key: String, values: Values?) {
    self.key = key
    self.values = values
  }

  /// An object such as `{"lockout.failures":[5,3]}`, with the old value first.
  public static func json(_ changes: [PolicyValueChange]) -> JSON {
    var members: [JSONMember] = []
    for change in changes {
      members.append(
        JSONMember(change.key, .array(change.values.map { [$0.old, $0.new] } ?? [])))
    }
    return .object(members)
  }

  /// The changes in the object that `json` made; none if the text is no object.
  static func read(_ text: String) -> [PolicyValueChange] {
    do throws(JSONMalformed) {
      var changes: [PolicyValueChange] = []
      for member in try JSONReader.read([UInt8](text.utf8)).objectMembers ?? [] {
        let pair = member.value.elements ?? []
        changes.append(
          PolicyValueChange(
            key: member.key,
            values: pair.count == 2 ? Values(old: pair[0], new: pair[1]) : nil))
      }
      return changes
    } catch {
      return []
    }
  }
}
