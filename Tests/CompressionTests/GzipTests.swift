internal import CZlib
import Compression
import Testing

@Suite("Gzip")
struct GzipTests {
  /// Decompresses one gzip member with zlib.
  private func expand(_ bytes: [UInt8], capacity: Int) -> [UInt8]? {
    var stream = z_stream()
    // 15 selects the largest history (`windowBits`); adding 16 selects the gzip format.
    guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var status = Z_OK
    let output = input.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: capacity + 1) { output, count in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(capacity + 1)
        status = inflate(&stream, Z_FINISH)
        count = capacity + 1 - Int(stream.avail_out)
      }
    }
    return status == Z_STREAM_END ? output : nil
  }

  @Test("Compressed data can be read again", arguments: [0, 1, 2, 1199, 1200, 65_536, 300_001])
  func roundTrip(_ count: Int) {
    var state: UInt32 = 7
    let bytes = (0..<count).map { index -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      // Half of the bytes repeat, and half are noise that does not compress.
      return index % 2 == 0 ? 0x61 : UInt8(truncatingIfNeeded: state >> 24)
    }

    let compressed = Gzip.compress(bytes)

    #expect(compressed.prefix(2) == [0x1F, 0x8B])
    #expect(expand(compressed, capacity: count) == bytes)
  }

  @Test("O-09 a list of products becomes several times smaller")
  func size() {
    let entry = #"{"id":"product-001","name":"Dishwasher","status":"active"},"#
    let bytes = Array(String(repeating: entry, count: 500).utf8)

    #expect(Gzip.compress(bytes).count * 10 < bytes.count)
  }
}
