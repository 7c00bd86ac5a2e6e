import SignInModel

/// A name in place of a device key, for apps that require no proof of a key
/// (`dpop_required: false`).
///
/// Each sign-in gets its own name where others have an RFC 7638 thumbprint. So such a device never
/// becomes a known device, and its handles, codes and tokens work for every caller that has them.
/// No proof can have such a name, because a thumbprint contains no colon.
public enum UnboundDevice {
  private static let prefix = "unbound:"

  /// A name for one sign-in.
  public static func name(in world: World) -> String {
    prefix + Base64URL.encode(world.randomness.bytes(12))
  }

  static func isNamed(_ key: String) -> Bool { key.hasPrefix(prefix) }

  /// Whether a request may use a value that was made for `key`.
  ///
  /// `presented` is the thumbprint of the request, or empty if the request had no proof.
  static func isOwner(_ presented: String, of key: String) -> Bool {
    presented.isEmpty ? isNamed(key) : presented == key
  }
}

extension Session {
  /// Whether its tokens are bound to the key of a device (RFC 9449).
  public var isBound: Bool { !UnboundDevice.isNamed(proofKeyThumbprint) }
}
