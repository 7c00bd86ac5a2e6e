/// Damaged requests.
///
/// The same seed damages a request in the same way.
package struct RequestMutation {
  private static let corpus = [
    "GET /ping?x=1 HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n",
    "POST /token HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 5\r\n\r\nhello",
    "PUT /t HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nExpect: 100-continue\r\nHost: x\r\nContent-Length: 2\r\n\r\nab",
    "HEAD /%41 HTTP/1.0\r\nConnection: close\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ].map { Array($0.utf8) }
  private static let fragments = [
    "\r\n", "\r", "\n", ":", " ", "\t", "%", "\0", ",", ";", "0\r\n", "FFFFFFFFFFFFFFFF", "/",
    "Content-Length: 99999999999999999999\r\n", "Content-Length: 3\r\n", "Host: y\r\n",
    "Transfer-Encoding: chunked\r\n", "Connection: ,close\r\n", "\u{FF}", "HTTP/1.1",
  ].map { Array($0.utf8) }

  private var state: UInt64

  package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number from 0 to below `bound`.
  package mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(max(1, bound)))
  }

  package mutating func next() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0...below(2) { bytes += Self.corpus[below(Self.corpus.count)] }
    for _ in 0..<below(5) { damage(&bytes) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let place = below(bytes.count)
    switch below(6) {
    case 0 where !bytes.isEmpty: bytes[place] = UInt8(below(256))
    case 1 where !bytes.isEmpty: bytes.remove(at: place)
    case 2: bytes.insert(contentsOf: Self.fragments[below(Self.fragments.count)], at: place)
    case 3: bytes.removeLast(min(bytes.count, below(20)))
    case 4:
      let end = min(bytes.count, place + below(30))
      bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
    default: bytes.insert(contentsOf: [UInt8](repeating: 0x61, count: below(200)), at: place)
    }
  }
}
