import SignInModel
import SignInWire

// Sessions that ended on this device end at the server too, however late it can be reached.
extension AppFlow {
  /// The session that is open, even if nothing is shown yet.
  var openSession: RenewingSession? {
    switch stage {
    case .signedIn(let signedIn): signedIn.renewingSession
    case .confirming(let confirming): confirming.renewingSession
    case .starting, .readingStorage, .storageUnreadable, .signedOut, .riderSignedOut, .atProvider,
      .locked:
      nil
    }
  }

  mutating func sendRevocations() -> [FlowEffect] {
    revocations.send(with: openSession?.record.revocations, &context).inApp()
  }

  /// Ends the session that a new session or a revocation replaced in storage.
  mutating func addRevocations(_ replaced: StorageReading) -> [FlowEffect] {
    _ = revocations.takeReplaceable()
    let left: PendingRevocations
    switch StoredSession(replaced) {
    case .none, .unavailable, .ofLaterVersion, .damaged: return sendRevocations()
    case .sealed(let card): left = PendingRevocations(unreadableSession: card.session)
    case .signedOut(let revocations): left = revocations
    case .session(let record): left = record.ownRevocations
    }
    guard case .signedIn(var signedIn) = stage else {
      return revocations.add(left).inApp() + sendRevocations()
    }
    revocations.keep(left.tokens)
    let rewriting = signedIn.addRevocations(left, &context)
    stage = .signedIn(signedIn)
    return rewriting + sendRevocations()
  }

  /// Removes the revocation of the session that another tab stored, because storage refused the new
  /// session and still contains that one.
  mutating func dropReplaceableRevocations() {
    let tokens = revocations.takeReplaceable()
    guard case .signedIn(var signedIn) = stage else { return }
    signedIn.removeRevocations(of: tokens)
    stage = .signedIn(signedIn)
  }

  /// Adds the pending revocations to the record of the open session.
  ///
  /// Another tab may have changed the record before the revocations were stored. This tab has then
  /// read a record without them.
  mutating func storeRevocations() -> [FlowEffect] {
    guard !revocations.pending.isEmpty, case .signedIn(var signedIn) = stage else { return [] }
    let rewriting = signedIn.addRevocations(revocations.pending, &context)
    stage = .signedIn(signedIn)
    return rewriting
  }

  mutating func revocationAnswered(_ id: RequestID, _ answer: Answer) -> [FlowEffect] {
    guard let (token, effects) = revocations.answered(id, answer, at: context.now) else {
      return []
    }
    guard case .signedIn(var signedIn) = stage else {
      return effects.inApp() + leaveProvider(answer)
    }
    let forgotten = signedIn.confirmRevocation(of: token)
    stage = .signedIn(signedIn)
    return effects.inApp() + forgotten
  }

  /// Leads the person to the sign-out of the identity provider, unless they have begun to type.
  private mutating func leaveProvider(_ answer: Answer) -> [FlowEffect] {
    defer { isSigningOut = false }
    guard isSigningOut, let address = answer.signOutPage else { return [] }
    switch stage {
    case .signedOut(let signIn) where signIn.isUntouched:
      return [.engine(.openSignOutPage(address))]
    case .riderSignedOut(let signIn) where signIn.isUntouched:
      return [.engine(.openSignOutPage(address))]
    default: return []
    }
  }
}
