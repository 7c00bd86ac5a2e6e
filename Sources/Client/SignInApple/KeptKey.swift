import SignInModel

/// What secure storage keeps of a device's key, and its public point.
enum KeptKey: Equatable, Sendable {
  /// Sealed by the Secure Enclave: of use to this device alone.
  case enclave([UInt8])
  /// The key itself, where there is no Secure Enclave, as on a simulator.
  case software([UInt8])

  private enum Name {
    static let enclave = "enclave"
    static let software = "software"
  }

  /// Nil for a text that is no key.
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

/// A point of P-256 in the form of SEC 1, section 2.3.3, uncompressed.
struct PublicPoint: Equatable, Sendable {
  static let coordinateCount = 32

  let x: [UInt8]
  let y: [UInt8]

  /// - Parameter bytes: A four, then both coordinates; the platform makes no other ones.
  init(uncompressed bytes: [UInt8]) {
    precondition(bytes.count == 1 + 2 * Self.coordinateCount && bytes[0] == 4, "a point of P-256")
    x = Array(bytes[1...Self.coordinateCount])
    y = Array(bytes[(1 + Self.coordinateCount)...])
  }
}
