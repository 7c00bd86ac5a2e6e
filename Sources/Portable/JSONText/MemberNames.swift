/// Notices that an object names a member twice, in time that grows with the bytes of the names.
///
/// Few names are compared with one another at once. Many are sorted when the object ends: by a hash
/// first, so that the bytes of two names are compared only where the hashes agree. The hash needs
/// no secret, because names that are made to agree cost a sort of bytes and not more.
struct MemberNames {
  /// Up to so many names each is compared with those before it.
  static let comparedLimit = 8

  private struct Mark {
    let hash: UInt64
    let index: Int
    /// The offset behind the name.
    let end: Int
  }

  private var marks: [Mark] = []

  /// Notes the name of the member that comes next; false when it is known to be a repetition.
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

  /// The offset behind the first name that repeats another, or nil when all are different.
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
