import SignInModel

/// The stored form of a device key.
enum StoredKey: Equatable, Sendable {
  /// Encrypted by the Secure Enclave.
  ///
  /// Only this device can use it.
  case enclave([UInt8])
  /// The key itself, if there is no Secure Enclave, for example on a simulator.
  case software([UInt8])

  private enum Name {
    static let enclave = "enclave"
    static let software = "software"
  }

  /// Returns `nil` if the text is not a key.
  init?(text: Secret) {
    let parts = text.revealed.split(separator: ".")
    guard parts.count == 2 else { return nil }
    let bytes: [UInt8]
    do throws(Malformed) { bytes = try Base64URL.decode(parts[1]) } catch { return nil }
    switch parts[0] {
    case Substring(Name.enclave): self = .enclave(bytes)
    case Substring(Name.software): self = .software(bytes)
    default: return nil
    }
  }

  var text: Secret {
    switch self {
    case .enclave(let bytes): Secret(Name.enclave + "." + Base64URL.encode(bytes))
    case .software(let bytes): Secret(Name.software + "." + Base64URL.encode(bytes))
    }
  }
}

/// A point of P-256 in the uncompressed form of SEC 1, section 2.3.3.
struct PublicPoint: Equatable, Sendable {
  static let coordinateCount = 32

  let x: [UInt8]
  let y: [UInt8]

  /// - Parameter bytes: The byte 4, then both coordinates.
  ///
  /// The platform gives no other form.
  init(uncompressed bytes: [UInt8]) {
    precondition(bytes.count == 1 + 2 * Self.coordinateCount && bytes[0] == 4, "a point of P-256")
    x = Array(bytes[1...Self.coordinateCount])
    y = Array(bytes[(1 + Self.coordinateCount)...])
  }
}
