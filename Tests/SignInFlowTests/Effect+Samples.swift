import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

extension Effect {
  enum Kind: CaseIterable {
    case call, makeVerifier, readSession, saveSession, replaceSession, savePendingRevocation
    case eraseSession, saveLastSeen, setLock, removeLock, saveAccountSummary, saveScreenState
    case readScreenState, eraseScreenState, cancelCall, lock, unlock, eraseSessionIfUnchanged
    case claimRenewal, releaseRenewal, saveLanguage, saveProviderMenu, savePendingSignIn
    case erasePendingSignIn, saveUsername, saveLockouts, openBrowser, openSignOutPage
    case startTicking, stopTicking, report, offlineCopy
  }

  /// Effects of each kind, with this text in each place for a secret.
  static func samples(with text: String) -> [Effect] {
    Kind.allCases.flatMap { samples(of: $0, Secret(text)) }
  }

  private static func samples(of kind: Kind, _ secret: Secret) -> [Effect] {
    switch kind {
    case .call: calls(with: secret)
    case .makeVerifier: [.makeVerifier]
    case .readSession: [.readSession]
    case .saveSession: [.saveSession(secret)]
    case .replaceSession: [.replaceSession(secret, with: secret)]
    case .savePendingRevocation: [.savePendingRevocation(secret)]
    case .eraseSession: [.eraseSession]
    case .saveLastSeen: [.saveLastSeen(secret)]
    case .setLock: [.setLock(session: secret, card: secret)]
    case .removeLock: [.removeLock(session: secret)]
    case .saveAccountSummary: [.saveAccountSummary(secret)]
    case .saveScreenState: [.saveScreenState("s", secret)]
    case .readScreenState: [.readScreenState("s")]
    case .eraseScreenState: [.eraseScreenState]
    case .cancelCall: [.cancelCall(RequestID(1))]
    case .lock: [.lock]
    case .unlock: [.unlock]
    case .eraseSessionIfUnchanged: [.eraseSessionIfUnchanged(secret)]
    case .claimRenewal: [.claimRenewal]
    case .releaseRenewal: [.releaseRenewal]
    case .saveLanguage: [.saveLanguage(.english)]
    case .saveProviderMenu: [.saveProviderMenu("login")]
    case .savePendingSignIn: [.savePendingSignIn(secret)]
    case .erasePendingSignIn: [.erasePendingSignIn]
    case .saveUsername: [.saveUsername(secret), .saveUsername(nil)]
    case .saveLockouts: [.saveLockouts(secret), .saveLockouts(nil)]
    case .openBrowser: [.openBrowser("/oauth/authorize")]
    case .openSignOutPage: [.openSignOutPage("https://login.example.com")]
    case .startTicking: [.startTicking]
    case .stopTicking: [.stopTicking]
    case .report: [.report(.signingIn)]
    case .offlineCopy: [.offlineCopy(.erase(name: "products"))]
    }
  }

  private static func calls(with secret: Secret) -> [Effect] {
    let form = Form([.init("password", secret.revealed), .init("otp", secret.revealed)])
    let body = JSON.members([JSONMember("new_password", secret.revealed)])
    return [
      .call(RequestID(1), .post(.token, form, .proofWithToken(secret))),
      .call(RequestID(2), Call(APIRequest(.post, path: "/data", body: body), token: secret)),
    ]
  }

  /// The compiler requires a kind for a new effect, and then a sample.
  var kind: Kind {
    switch self {
    case .call: .call
    case .makeVerifier: .makeVerifier
    case .readSession: .readSession
    case .saveSession: .saveSession
    case .replaceSession: .replaceSession
    case .savePendingRevocation: .savePendingRevocation
    case .eraseSession: .eraseSession
    case .saveLastSeen: .saveLastSeen
    case .setLock: .setLock
    case .removeLock: .removeLock
    case .saveAccountSummary: .saveAccountSummary
    case .saveScreenState: .saveScreenState
    case .readScreenState: .readScreenState
    case .eraseScreenState: .eraseScreenState
    case .cancelCall: .cancelCall
    case .lock: .lock
    case .unlock: .unlock
    case .eraseSessionIfUnchanged: .eraseSessionIfUnchanged
    case .claimRenewal: .claimRenewal
    case .releaseRenewal: .releaseRenewal
    case .saveLanguage: .saveLanguage
    case .saveProviderMenu: .saveProviderMenu
    case .savePendingSignIn: .savePendingSignIn
    case .erasePendingSignIn: .erasePendingSignIn
    case .saveUsername: .saveUsername
    case .saveLockouts: .saveLockouts
    case .openBrowser: .openBrowser
    case .openSignOutPage: .openSignOutPage
    case .startTicking: .startTicking
    case .stopTicking: .stopTicking
    case .report: .report
    case .offlineCopy: .offlineCopy
    }
  }
}

@Suite struct EffectSampleTests {
  @Test("Each kind of effect has a sample")
  func complete() {
    let kinds = Effect.samples(with: "secret").map(\.kind)

    for kind in Effect.Kind.allCases { #expect(kinds.contains(kind), "\(kind)") }
  }
}
