internal import CZlib

/// The format of `Content-Encoding: gzip` (RFC 1952).
public enum Gzip {
  /// Speed is more important than size, because each answer is compressed again for each client.
  private static let level: Int32 = 4

  /// Compresses the bytes into one gzip member.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard fp_deflate_init_gzip(&stream, level) == Z_OK else {
      preconditionFailure("zlib cannot start: there is no memory left")
    }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(capacity)
        // The output has room for the worst case, so that one call is enough.
        guard deflate(&stream, Z_FINISH) == Z_STREAM_END else {
          preconditionFailure("zlib needs more room than it said")
        }
        count = capacity - Int(stream.avail_out)
      }
    }
  }
}
