/// Detects two members of one object with the same name.
///
/// The time grows with the bytes of the names. Up to `comparedLimit` names are compared
/// immediately, each with those before it. More names are sorted when the object ends, first by a
/// hash. So the bytes of two names are compared only if their hashes are equal. The hash needs no
/// secret key: many names with equal hashes only cost a sort of their bytes.
struct MemberNames {
  /// Up to this number of names, each name is compared with those before it.
  static let comparedLimit = 8

  private struct Mark {
    let hash: UInt64
    let index: Int
    /// The offset after the name.
    let end: Int
  }

  private var marks: [Mark] = []

  /// Adds the name of the next member.
  ///
  /// Returns `false` if the name is already known to be repeated.
  mutating func add(_ name: String, after members: [JSONMember], endingAt end: Int) -> Bool {
    if members.count < Self.comparedLimit {
      for member in members where member.isNamed(name) { return false }
      return true
    }
    if marks.isEmpty {
      for (index, member) in members.enumerated() {
        marks.append(Mark(hash: Self.hash(member.key), index: index, end: 0))
      }
    }
    marks.append(Mark(hash: Self.hash(name), index: members.count, end: end))
    return true
  }

  /// The offset after the first repeated name, or `nil` if all names are different.
  mutating func endOfRepeated(in members: [JSONMember]) -> Int? {
    guard !marks.isEmpty else { return nil }
    marks.sort { left, right in
      if left.hash != right.hash { return left.hash < right.hash }
      let (name, other) = (members[left.index].key, members[right.index].key)
      if name.equalsBytes(of: other) { return left.index < right.index }
      return name.utf8.lexicographicallyPrecedes(other.utf8)
    }
    var earliest: Int?
    for next in marks.indices.dropFirst() {
      let (left, right) = (marks[next - 1], marks[next])
      guard left.hash == right.hash,
        members[left.index].isNamed(members[right.index].key)
      else { continue }
      earliest = min(earliest ?? right.end, right.end)
    }
    return earliest
  }

  /// FNV-1a.
  private static func hash(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
