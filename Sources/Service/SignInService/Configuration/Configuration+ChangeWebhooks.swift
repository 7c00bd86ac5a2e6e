import JSONText
import SignInModel

extension Configuration {
  /// An address of the operator that receives the changes made by people.
  public struct ChangeWebhook: Equatable, Sendable {
    public let name: String
    public let url: String
    public let secret: SecretLocation
  }
}

extension ConfigurationShape {
  static let changeWebhook = ConfigurationShape.object([
    .required(
      "name", .text(.identifier),
      "Name in log and metrics; the position in the changes is stored under this name"),
    .required("url", .text(.secureURL), "URL to which the server posts changes"),
    .optional(
      "secret_file", .text(.path),
      "The file that contains the secret of 32 bytes or more that signs the requests"),
    .optional(
      "secret_env", .text(.environmentVariable), "The environment variable that contains the secret"
    ),
  ])
}

extension ConfigurationRules {
  func checkChangeWebhooks(_ checker: inout ConfigurationChecker) {
    let list = "change_webhooks"
    checkRepetition(list, "name", &checker)
    let entries = root[list]?.elements ?? []
    for (index, entry) in entries.enumerated() where entry.objectMembers != nil {
      let places = ["secret_file", "secret_env"].filter { entry[$0] != nil }
      guard places.count != 1 else { continue }
      checker.note(
        "\(list)[\(index)]", places.isEmpty ? "has no secret" : "has more than one secret",
        "write one of \"secret_file\" and \"secret_env\"")
    }
  }
}
