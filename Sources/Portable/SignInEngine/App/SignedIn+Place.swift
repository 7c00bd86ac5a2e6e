import SignInModel

/// The places of the signed-in account, which every app has besides those of its home.
enum AccountPlace {
  /// Where the person is signed in.
  static let sessions = "devices"
  static let password = "devices/password"
  static let ownAccount = "devices/account"

  static func form(at place: String) -> AccountForm? {
    switch place {
    case password: .password
    case ownAccount: .ownAccount
    default: nil
    }
  }
}

extension SignedIn {
  /// The shown place, as a path below the address of the app; empty for the first page.
  public var place: String {
    if let sessions = shown.sessions {
      switch sessions.openForm {
      case .password?: return AccountPlace.password
      case .ownAccount?: return AccountPlace.ownAccount
      case nil: return AccountPlace.sessions
      }
    }
    return shown.unknownPlace ?? home.place
  }

  /// Shows the place that the person opened, unless it is shown.
  ///
  /// A place that the app does not have gets a page that says so.
  mutating func openPlace(_ context: inout FlowContext) -> [FlowEffect] {
    let wanted = context.run.opened.takePlace(in: renewingSession.record)
    guard wanted != place else { return [] }
    shown.isMenuOpen = false
    shown.unknownPlace = nil
    switch wanted {
    case AccountPlace.sessions, AccountPlace.password, AccountPlace.ownAccount:
      if !shown.sessions.isPresent { openSessions(&context) }
      shown.sessions?.show(AccountPlace.form(at: wanted), &context)
      return []
    default:
      shown.sessions = nil
      if wanted == home.place {
        context.show(.heading)
        return []
      }
      if let effects = home.open(place: wanted, &context) { return effects }
      // A query that the first page does not know, such as one that a mail program adds.
      if wanted.utf8.first == UInt8(ascii: "?") { return home.open(place: "", &context) ?? [] }
      shown.unknownPlace = wanted
      context.show(.heading)
      return []
    }
  }

  /// Shows the first page instead of the one that does not exist.
  mutating func leaveUnknownPlace(_ context: inout FlowContext) -> [FlowEffect] {
    shown.unknownPlace = nil
    context.show(.heading)
    return home.place.isEmpty ? [] : home.open(place: "", &context) ?? []
  }
}

extension AppFlow {
  /// Remembers whether the session had a lock, whose passkey the device keeps.
  ///
  /// It opens nothing any more. Only the person can delete it.
  mutating func rememberPasskey() {
    switch stage {
    case .signedIn(let signedIn): context.hints.hasLeftPasskey = signedIn.hasLock
    case .confirming(let confirming): context.hints.hasLeftPasskey = confirming.hasLock
    case .starting, .readingStorage, .storageUnreadable, .signedOut, .riderSignedOut, .atProvider,
      .locked:
      break
    }
  }

  /// Keeps the place for the next sign-in if the session ended by itself, and forgets it if the
  /// person signed out.
  mutating func rememberPlace(_ ending: RenewingSession.Ending) {
    guard case .signedIn(let signedIn) = stage else { return }
    let isForgotten =
      switch ending {
      case .ended, .locked: false
      case .left(_, let notice): notice == .signedOut
      case .signedOutElsewhere: true
      }
    context.run.opened.reopen(
      place: isForgotten ? "" : signedIn.place, of: signedIn.renewingSession.record)
  }
}
