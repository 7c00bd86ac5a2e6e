internal import JSONText
internal import SignInModel

extension SearchWords {
  /// The words as a JSON array; `nil` if there are none.
  var list: String? {
    guard !isEmpty else { return nil }
    let json = JSON.array(words.map { JSON.string(String(decoding: $0, as: UTF8.self)) })
    return String(decoding: json.utf8, as: UTF8.self)
  }

  var joinedText: String? { joined.isEmpty ? nil : String(decoding: joined, as: UTF8.self) }
}
