import SignInModel

/// What stands for a device's key where an app needs no proof of one (`dpop_required: false`).
///
/// Each sign-in gets a name of its own, in the place of the RFC 7638 thumbprint: such a device is
/// never a known one later, and its handles, codes and tokens work for every caller that has them.
/// A proof is never made with such a name, because a thumbprint has no colon.
public enum UnboundDevice {
  private static let prefix = "unbound:"

  /// A name for one sign-in.
  public static func name(in world: World) -> String {
    prefix + Base64URL.encode(world.randomness.bytes(12))
  }

  static func isNamed(_ key: String) -> Bool { key.hasPrefix(prefix) }

  /// Whether a request with this thumbprint, or with an empty one because it had no proof, may use
  /// what was made for `key`.
  static func isOwner(_ presented: String, of key: String) -> Bool {
    presented.isEmpty ? isNamed(key) : presented == key
  }
}

extension Session {
  /// Whether its tokens are bound to the key of a device (RFC 9449).
  public var isBound: Bool { !UnboundDevice.isNamed(proofKeyThumbprint) }
}
