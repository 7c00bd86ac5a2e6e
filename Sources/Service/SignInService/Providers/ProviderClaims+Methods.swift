import SignInModel

extension ProviderClaims {
  /// The methods that our tokens repeat after `fed`: registered names, each once.
  ///
  /// `fed` says that a provider stated them. Words of the provider's own have no meaning for an API
  /// of ours. `pwd` is left out, because it means that the person gave the password of this server.
  var registeredMethods: [String] {
    var found: [String] = []
    for method in methods
    where Self.registeredNames.contains(method) && method != Session.passwordMethod
      && !found.contains(method)
    {
      found.append(method)
    }
    return found
  }

  /// The registered names (RFC 8176, sections 2 and 6.1).
  private static let registeredNames: Set<String> = [
    "face", "fpt", "geo", "hwk", "iris", "kba", "mca", "mfa", "otp", "pin", "pop", "pwd", "rba",
    "retina", "sc", "sms", "swk", "tel", "user", "vbm", "wia",
  ]
}
