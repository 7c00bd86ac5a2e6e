/// Finds entries by their identifiers: a table of places, probed from the hash on.
///
/// The library's own would make a text of every identifier to find it by.
struct ShelfIndex: Equatable, Sendable {
  /// The number of an entry, or -1; a power of two of them, at most half in use.
  private var places: [Int32] = [Int32](repeating: -1, count: 64)
  /// The hash of each entry, so that growing need not read them again.
  private var hashes: [UInt32] = []

  func find(
    _ id: some Collection<UInt8>, in lines: [ShelfLine], of parts: [ShelfPart]
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

  /// Files one more entry; its identifier is not in the table.
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

  /// FNV-1a.
  private static func hash(_ id: some Collection<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in id { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash & 0x7FFF_FFFF
  }
}
