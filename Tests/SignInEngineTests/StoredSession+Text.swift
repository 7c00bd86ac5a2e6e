import SignInModel

@testable import SignInEngine

extension SessionRecord {
  init?(text: Secret) {
    guard case .session(let record) = StoredSession(text: text) else { return nil }
    self = record
  }

  var text: Secret { StoredSession.text(of: self) }
}

extension PendingRevocations {
  init?(text: Secret) {
    guard case .signedOut(let revocations) = StoredSession(text: text) else { return nil }
    self = revocations
  }

  /// The text that is stored after a sign-out.
  var text: Secret {
    guard let text = StoredSession.signedOut(self).text else {
      preconditionFailure("Revocations have a text.")
    }
    return text
  }
}
