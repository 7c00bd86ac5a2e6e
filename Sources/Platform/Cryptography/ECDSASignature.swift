internal import COpenSSL

/// The two forms of one signature: DER for OpenSSL, and for JOSE r and s of equal length (RFC 7518,
/// section 3.4).
enum ECDSASignature {
  /// The DER form of a raw signature.
  ///
  /// OpenSSL refuses numbers outside the curve.
  static func encoded(_ raw: [UInt8]) -> [UInt8] {
    let half = raw.count / 2
    precondition(
      raw.count == half * 2 && half <= P384PublicKey.coordinateByteCount,
      "a raw signature has 64 or 96 bytes")
    var sequence: [UInt8] = [0x30, 0]
    sequence.reserveCapacity(raw.count + 8)
    append(raw[..<half], to: &sequence)
    append(raw[half...], to: &sequence)
    // At most 102 bytes follow, so that the length has one byte.
    sequence[1] = UInt8(sequence.count - 2)
    return sequence
  }

  /// The raw form of a DER signature that OpenSSL has just made.
  static func raw(_ encoded: [UInt8], count: Int) -> [UInt8] {
    encoded.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &next, count) else {
        preconditionFailure("OpenSSL made a signature it cannot read")
      }
      defer { ECDSA_SIG_free(signature) }
      return number(ECDSA_SIG_get0_r(signature)) + number(ECDSA_SIG_get0_s(signature))
    }
  }

  private static func number(_ number: OpaquePointer?) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: PublicKey.coordinateByteCount)
    BN_bn2binpad(number, &bytes, Int32(bytes.count))
    return bytes
  }

  /// Appends a DER integer: without leading zeros, except one if the first bit would be a sign.
  private static func append(_ number: ArraySlice<UInt8>, to sequence: inout [UInt8]) {
    let digits = number.drop { $0 == 0 }
    let needsZero = digits.first.map { $0 >= 0x80 } ?? true
    sequence.append(0x02)
    sequence.append(UInt8(digits.count + (needsZero ? 1 : 0)))
    if needsZero { sequence.append(0) }
    sequence.append(contentsOf: digits)
  }
}
