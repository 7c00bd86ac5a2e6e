import JSONText
public import SignInModel
public import SignInWire

extension Configuration {
  /// A program that writes or reads data, and where what it proves itself with is.
  public struct ServiceAccount: Equatable, Sendable {
    public enum CredentialPlace: Equatable, Sendable {
      case secret(SecretPlace)
      /// A JWK set of public keys.
      case keySet(file: String)
    }

    public let id: ClientID
    public let name: String
    public let scopes: [ServiceScope]
    /// The only organization whose data it may touch; nil for all.
    public let organization: OrganizationID?
    public let credential: CredentialPlace
    public let audiences: [String]
  }
}

extension ConfigurationShape {
  static let serviceAccount = ConfigurationShape.object([
    .required("id", .text(.identifier), "Its OAuth client_id"),
    .required("name", .text(.line), "How people name it"),
    .required(
      "scopes", .list(of: .choice(ServiceScope.allCases.map(\.rawValue)), atLeast: 1),
      "What it may do"
    ),
    .optional(
      "organization", .text(.identifier),
      "The only organization whose people's data it may touch; all without it"
    ),
    .optional(
      "audiences", .list(of: .text(.resource), atLeast: 1),
      "Your APIs that its tokens may be for, besides this server (RFC 8707)"),
    .optional("secret_file", .text(.path), "The file that holds its secret of 32 bytes or more"),
    .optional(
      "secret_env", .text(.environmentVariable), "The environment variable that holds its secret"),
    .optional(
      "jwks_file", .text(.path),
      "The file that holds its public keys as a JWK set, for private_key_jwt"
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
      let audiences = entry["audiences"]?.elements?.count ?? 0
      if audiences > AppClient.audienceLimit {
        checker.note(
          "\(path).audiences", "has \(audiences) entries",
          "keep at most \(AppClient.audienceLimit)")
      }
      let places = ["secret_file", "secret_env", "jwks_file"].filter { entry[$0] != nil }
      if entry.objectMembers != nil, places.count != 1 {
        checker.note(
          path, places.isEmpty ? "has no credential" : "has more than one credential",
          "write one of \"secret_file\", \"secret_env\" and \"jwks_file\""
        )
      }
      if let id = entry["id"]?.text, clients.contains(id) {
        checker.note(
          "\(path).id", "is the id of an app", "give apps and service accounts ids of their own")
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
