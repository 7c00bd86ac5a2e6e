/// The paths both ends agree on.
public enum Endpoint {
  public static let challenge = "/oauth/challenge"
  public static let token = "/oauth/token"
  public static let revoke = "/oauth/revoke"
  public static let keys = "/jwks.json"
  public static let openIDConfiguration = "/.well-known/openid-configuration"
  public static let serverMetadata = "/.well-known/oauth-authorization-server"
  public static let me = "/api/me"
  public static let jobs = "/api/jobs"
  public static let alive = "/livez"
  public static let ready = "/readyz"
  public static let metrics = "/metrics"
  public static let developmentMessages = "/dev/messages"
  public static let developmentClock = "/dev/clock"
  public static let developmentAccounts = "/dev/accounts"
}
