import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension PageEffect {
  func json<Home: HomeScreen>(in context: FlowContext, of home: Home.Type) -> JSON {
    switch self {
    case .engine(let effect): effect.json(in: context, of: home)
    case .page(let announcement): .announce(announcement, in: context, of: home)
    }
  }
}

extension Effect {
  fileprivate func json<Home: HomeScreen>(
    in context: FlowContext, of home: Home.Type
  ) -> JSON {
    switch self {
    case .call(let id, let call): return call.json(id)
    case .makeVerifier: return .effect("make_verifier")
    case .readSession: return .effect("read_session")
    case .saveSession(let record):
      return .effect("save_session", [JSONMember("value", record.revealed)])
    case .replaceSession(let old, let new):
      return .effect(
        "replace_session", [JSONMember("old", old.revealed), JSONMember("value", new.revealed)]
      )
    case .savePendingRevocation(let text):
      return .effect("save_pending_revocation", [JSONMember("value", text.revealed)])
    case .saveLastSeen(let text):
      return .effect("save_last_seen", [JSONMember("value", text.revealed)])
    case .setLock(let session, let card):
      return .effect(
        "set_lock",
        [
          JSONMember("value", session.revealed), JSONMember("account_summary", card.revealed),
        ]
      )
    case .removeLock(let session):
      return .effect("remove_lock", [JSONMember("value", session.revealed)])
    case .saveAccountSummary(let card):
      return .effect("save_account_summary", [JSONMember("value", card.revealed)])
    case .saveScreenState(let session, let text):
      return .effect(
        "save_screen_state", [JSONMember("session", session), JSONMember("value", text.revealed)]
      )
    case .readScreenState(let session):
      return .effect("read_screen_state", [JSONMember("session", session)])
    case .eraseScreenState: return .effect("erase_screen_state")
    case .cancelCall(let id): return .effect("cancel_request", [JSONMember("request", id.number)])
    case .lock: return .effect("lock")
    case .unlock: return .effect("unlock")
    case .eraseSession: return .effect("erase_session")
    case .eraseSessionIfUnchanged(let record):
      return .effect("erase_session_if_unchanged", [JSONMember("value", record.revealed)])
    case .claimRenewal: return .effect("claim_renewal")
    case .releaseRenewal: return .effect("release_renewal")
    case .erasePendingSignIn: return .effect("erase_pending_sign_in")
    case .saveLanguage, .saveProviderMenu, .savePendingSignIn, .saveUsername, .saveLockouts,
      .openBrowser, .openSignOutPage:
      return nextStartJSON
    case .startTicking: return .effect("start_ticking")
    case .stopTicking: return .effect("stop_ticking")
    case .offlineCopy(let effect): return effect.json
    case .report(let report): return .announce(.report(report), in: context, of: home)
    }
  }
}

extension Effect {
  /// The effects that concern the next start of the app.
  private var nextStartJSON: JSON {
    switch self {
    case .saveLanguage(let language):
      return .effect("save_language", [JSONMember("language", language.rawValue)])
    case .saveProviderMenu(let text):
      return .effect("save_provider_menu", [JSONMember("value", text)])
    case .savePendingSignIn(let text):
      return .effect("save_pending_sign_in", [JSONMember("value", text.revealed)])
    case .saveUsername(let username):
      return .effect("save_username", [JSONMember("value", ifPresent: username?.revealed)])
    case .saveLockouts(let text):
      return .effect("save_lockouts", [JSONMember("value", ifPresent: text?.revealed)])
    case .openBrowser(let path), .openSignOutPage(let path):
      return .effect("open_browser", [JSONMember("path", path)])
    default: preconditionFailure("the effect does not concern the next start")
    }
  }
}

extension Call {
  private var jsonText: String? {
    if case .json(let json) = body { String(decoding: json.utf8, as: UTF8.self) } else { nil }
  }

  fileprivate func json(_ id: RequestID) -> JSON {
    var members: [JSONMember?] = [
      JSONMember("request", id.number),
      JSONMember("method", method.rawValue),
      JSONMember("path", path),
      JSONMember("form", ifPresent: form?.encoded),
      JSONMember("json", ifPresent: jsonText),
      JSONMember("idempotency_key", ifPresent: idempotencyKey),
      JSONMember("if_match", ifPresent: ifMatch),
      bodyTarget.map { JSONMember($0.kind.rawValue, $0.name) },
      JSONMember("timeout", timeoutSeconds),
      JSONMember("issued_at", issuedAt),
    ]
    switch authorization {
    case .none: members.append(JSONMember("authorization", "none"))
    case .proof: members.append(JSONMember("authorization", "proof"))
    case .proofWithToken(let token):
      members += [
        JSONMember("authorization", "proof_with_token"), JSONMember("token", token.revealed),
      ]
    }
    return .effect("send_request", members)
  }
}

extension OfflineCopyEffect {
  fileprivate var json: JSON {
    switch self {
    case .read(let place): return .effect("read_offline_copy", place.members)
    case .write(let place, let pieces, let kept):
      let written = pieces.map { piece in
        JSON.members([
          JSONMember("key", piece.key),
          JSONMember("text", String(decoding: piece.bytes, as: UTF8.self)),
        ])
      }
      return .effect(
        "write_offline_copy",
        place.members + [
          JSONMember("pieces", .array(written)),
          JSONMember("kept", .array(kept.map { JSON.string($0) })),
        ]
      )
    case .erase(let name): return .effect("erase_offline_copy", [JSONMember("copy", name)])
    case .keepPhotos(let digests):
      return .effect(
        "keep_photos", [JSONMember("digests", .array(digests.map { JSON.string($0) }))])
    }
  }
}

extension OfflineCopyName {
  fileprivate var members: [JSONMember?] {
    [JSONMember("copy", name), JSONMember("binding", binding)]
  }
}

extension JSON {
  fileprivate static func effect(_ name: String, _ members: [JSONMember?] = []) -> JSON {
    .members([JSONMember("effect", name)] + members)
  }
}

extension JSON {
  fileprivate static func announce<Home: HomeScreen>(
    _ announcement: Announcement, in context: FlowContext, of home: Home.Type
  ) -> JSON {
    let spoken = LocalizedAnnouncement(announcement, in: context, of: home)
    let politeness = JSONMember("politeness", spoken.politeness.rawValue)
    return .effect("announce", [JSONMember("text", spoken.text), politeness])
  }
}
