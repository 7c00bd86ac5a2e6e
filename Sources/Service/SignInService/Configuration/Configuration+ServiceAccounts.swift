import JSONText
public import SignInModel
public import SignInWire

extension Configuration {
  /// A program that reads or writes data, and the place of its credential.
  public struct ServiceAccount: Equatable, Sendable {
    public enum CredentialLocation: Equatable, Sendable {
      case secret(SecretLocation)
      /// A JWK set with public keys.
      case keySet(file: String)
    }

    public let id: ClientID
    public let name: String
    public let scopes: [ServiceScope]
    /// The only organization that it may access; `nil` for all organizations.
    public let organization: OrganizationID?
    public let credential: CredentialLocation
    public let audiences: [String]
  }
}

extension ConfigurationShape {
  static let serviceAccount = ConfigurationShape.object([
    .required("id", .text(.identifier), "Its OAuth client_id"),
    .required("name", .text(.name), "Name of the service account that people see"),
    .required(
      "scopes", .list(of: .choice(ServiceScope.allCases.map(\.rawValue)), atLeast: 1),
      "Scopes that the service account may request"
    ),
    .optional(
      "organization", .text(.identifier),
      "The only organization whose people's data it may access; if absent, all organizations"
    ),
    .optional(
      "audiences",
      .list(of: .text(.resource), atLeast: 1, atMost: AppRegistration.audienceLimit),
      "Your APIs that its tokens may be for, in addition to this server (RFC 8707)"),
    .optional("secret_file", .text(.path), "The file that contains its secret of 32 bytes or more"),
    .optional(
      "secret_env", .text(.environmentVariable), "The environment variable that contains its secret"
    ),
    .optional(
      "jwks_file", .text(.path),
      "The file that contains its public keys as a JWK set, for private_key_jwt"
    ),
  ])
}

extension ConfigurationRules {
  func checkServiceAccounts(_ checker: inout ConfigurationChecker) {
    checkRepetition("service_accounts", "id", &checker)
    let clients = (root["clients"]?.elements ?? []).compactMap { $0["id"]?.text }
    let organizations = (root["organizations"]?.elements ?? []).compactMap { $0["id"]?.text }
    for (index, entry) in (root["service_accounts"]?.elements ?? []).enumerated() {
      let path = "service_accounts[\(index)]"
      let places = ["secret_file", "secret_env", "jwks_file"].filter { entry[$0] != nil }
      if entry.objectMembers != nil, places.count != 1 {
        checker.note(
          path, places.isEmpty ? "has no credential" : "has more than one credential",
          "write one of \"secret_file\", \"secret_env\" and \"jwks_file\""
        )
      }
      if let id = entry["id"]?.text, clients.contains(id) {
        checker.note(
          "\(path).id", "is the id of an app", "give each app and each service account its own id")
      }
      if let organization = entry["organization"]?.text, !organizations.contains(organization) {
        checker.note(
          "\(path).organization", "is not among the organizations",
          "write the id of an entry of \"organizations\""
        )
      }
    }
  }
}
