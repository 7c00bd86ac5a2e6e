public import JSONText
import SignInModel

/// What holds for one app, of which the console shows the numbers that are asked for most.
public struct PolicyCard: Equatable, Sendable {
  public let id: String
  public let name: String
  public let isConcealed: Bool
  public let failures: Int64
  public let lockSeconds: Int64
  public let codeDigits: Int64
  public let codeSeconds: Int64
  public let resendSeconds: Int64
  public let messagesPerHour: Int64
  public let sessionSeconds: Int64
  public let idleSeconds: Int64
  public let backgroundSeconds: Int64
  /// Whether administrators changed anything of it since the server started from its file.
  public let isChanged: Bool

  public init?(json: JSON) {
    guard let id = json["id"]?.text, let name = json["name"]?.text,
      let disclosure = json["disclosure"]?.text,
      let failures = json["lockout"]?["failures"]?.number,
      let lockSeconds = json["lockout"]?["lock_seconds"]?.number,
      let codeDigits = json["code"]?["digits"]?.number,
      let codeSeconds = json["code"]?["life_seconds"]?.number,
      let resendSeconds = json["code"]?["resend_seconds"]?.number,
      let messagesPerHour = json["messages"]?["per_number_per_hour"]?.number,
      let sessionSeconds = json["session_seconds"]?.number,
      let idleSeconds = json["idle_seconds"]?.number,
      let backgroundSeconds = json["background_seconds"]?.number
    else { return nil }
    self.id = id
    self.name = name
    isConcealed = disclosure == "concealed"
    self.failures = failures
    self.lockSeconds = lockSeconds
    self.codeDigits = codeDigits
    self.codeSeconds = codeSeconds
    self.resendSeconds = resendSeconds
    self.messagesPerHour = messagesPerHour
    self.sessionSeconds = sessionSeconds
    self.idleSeconds = idleSeconds
    self.backgroundSeconds = backgroundSeconds
    isChanged = json["changes"]?.objectMembers?.isEmpty == false
  }
}
