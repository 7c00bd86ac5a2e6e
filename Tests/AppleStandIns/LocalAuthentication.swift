// swift-format-ignore-file

// The declarations of LocalAuthentication that `SignInApple` uses. They only compile and never run.

public import Foundation

public enum LAPolicy: Int, Sendable { case deviceOwnerAuthenticationWithBiometrics = 1 }

public enum LAError { public enum Code: Int, Sendable { case biometryLockout = -8 } }

public final class LAContext {
  public var localizedReason = ""
  public var localizedFallbackTitle: String?
  public var interactionNotAllowed = false
  public var evaluatedPolicyDomainState: Data? { nil }

  public init() {}

  public func canEvaluatePolicy(
    _ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?
  ) -> Bool { false }
}
