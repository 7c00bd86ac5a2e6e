import SignInEngine

/// Finds entries by their identifiers, with a hash table that uses linear probing.
///
/// A `Dictionary` needs a `String` for each identifier.
struct ChangeLogIndex: Equatable, Sendable {
  /// The number of the entry at each position, or -1.
  ///
  /// The count of positions is a power of two, and at most half of them are used.
  private var places: [Int32] = [Int32](repeating: -1, count: 64)
  /// The hash of each entry, so that a larger table needs no second look at the identifiers.
  private var hashes: [UInt32] = []

  func find(
    _ id: some Collection<UInt8>, in lines: [ChangeLogLine], of parts: [ChangeLogPart]
  ) -> Int? {
    let hash = Self.hash(id)
    var place = Int(hash) & (places.count - 1)
    while places[place] >= 0 {
      let entry = Int(places[place])
      if hashes[entry] == hash {
        let line = lines[entry]
        let bytes = parts[Int(line.part)].bytes[Int(line.start)..<Int(line.idEnd)]
        if bytes.elementsEqual(id) { return entry }
      }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Adds an entry.
  ///
  /// Its identifier is not in the table yet.
  mutating func insert(_ id: some Collection<UInt8>, _ entry: Int, count: Int) {
    hashes.append(Self.hash(id))
    if count * 2 > places.count { grow() }
    file(Int32(entry))
  }

  private mutating func grow() {
    places = [Int32](repeating: -1, count: places.count * 2)
    for entry in 0..<(hashes.count - 1) { file(Int32(entry)) }
  }

  private mutating func file(_ entry: Int32) {
    var place = Int(hashes[Int(entry)]) & (places.count - 1)
    while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
    places[place] = entry
  }

  /// The FNV-1a hash without its highest bit.
  private static func hash(_ id: some Collection<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in id { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash & 0x7FFF_FFFF
  }
}
