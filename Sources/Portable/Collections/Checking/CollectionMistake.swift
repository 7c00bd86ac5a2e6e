import SignInModel

/// A mistake in a definition, or in the values of a record.
///
/// It never contains a value of a record.
public struct CollectionMistake: Error, Equatable, Sendable {
  /// The place of the mistake, such as `collections[0].fields[2].type`, or `values.starts_at`.
  public let path: String
  /// What is wrong, as the rest of a sentence that begins with the path.
  public let problem: String
  /// How to correct it, as an imperative.
  public let remedy: String

  init(_ path: String, _ problem: String, _ remedy: String) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }
}

/// All mistakes of a definition or of a record.
///
/// Never empty.
public struct CollectionMistakes: Error, Equatable, Sendable {
  public let mistakes: [CollectionMistake]
}

/// The mistakes that were found until now.
struct MistakeList {
  private(set) var mistakes: [CollectionMistake] = []

  mutating func note(_ path: String, _ problem: String, _ remedy: String) {
    note(CollectionMistake(path, problem, remedy))
  }

  mutating func note(_ mistake: CollectionMistake) {
    if mistakes.count < CollectionLimits.mistakes { mistakes.append(mistake) }
  }

  func hasMistake(at path: String) -> Bool {
    mistakes.contains { $0.path.hasSameBytes(as: path) }
  }

  func finish() throws(CollectionMistakes) {
    if !mistakes.isEmpty { throw CollectionMistakes(mistakes: mistakes) }
  }
}

/// Paths of mistakes.
extension String {
  func member(_ name: String) -> String { isEmpty ? name : self + "." + name }
  func member(_ key: DefinitionKey) -> String { member(key.rawValue) }
  func element(_ index: Int) -> String { "\(self)[\(index)]" }

  /// The name of a member from outside in a form that is safe to repeat: short, without characters
  /// that could forge a line of a log.
  static func shown(_ name: String) -> String {
    var shown: [UInt8] = []
    for byte in name.utf8.prefix(CollectionLimits.nameBytes * 2) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "$"):
        shown.append(byte)
      default: continue
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The remedy for a name that is none of the known ones.
  static func remedy(for name: String, among known: [String], otherwise: String) -> String {
    guard let meant = SpellingSuggestion.nearest(to: name, among: known) else { return otherwise }
    return "did you mean \"\(meant)\"?"
  }
}
