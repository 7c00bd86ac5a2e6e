public import JSONText
public import SignInEngine
internal import SignInModel

/// One scenario of the shell contract, from `Tests/ShellContract/scenarios.json`.
///
/// The core is a script: a step says which effects it asks for.
public struct ShellScenario: Sendable, CustomStringConvertible {
  public enum Step: Sendable {
    case perform([Effect], screen: String?, tab: String)
    /// The log contains this line `count` times.
    case await(String, count: Int)
    case reads(String, tab: String)
    /// Storage is busy until it is free.
    case hold(String)
    case free(String)
    /// The next write of the tab fails.
    case refuse(String)
    /// Another tab says that it has changed storage.
    case tell(String)
    /// The tab is killed and opened again.
    case kill(String)
    case diskLacks(String)
    case copySession
    /// Whether a key on the disk opens the copied session.
    case copyOpens(Bool)
  }

  public struct Malformed: Error {
    public let description: String
  }

  public let name: String
  public let steps: [Step]
  /// The planted defect of the simulated shell that breaks this scenario.
  public let defect: String?
  /// The shells that cannot run it, each with the reason.
  let lacks: [String: String]
  let order: [(earlier: String, later: String)]
  let once: [String]
  let never: [String]

  public var description: String { name }

  public func applies(to shell: String) -> Bool { lacks[shell] == nil }

  /// Reads all scenarios.
  public static func all(in document: JSON) throws -> [ShellScenario] {
    let names = ShellNames(document["values"])
    return try (document["scenarios"]?.elements ?? []).map { try ShellScenario($0, names) }
  }

  private init(_ json: JSON, _ names: ShellNames) throws {
    name = json["name"]?.text ?? ""
    defect = json["defects"]?["simulated"]?.text
    lacks = Dictionary(
      uniqueKeysWithValues: (json["lacks"]?.objectMembers ?? []).map {
        ($0.key, $0.value.text ?? "")
      })
    order = (json["order"]?.elements ?? []).map { pair in
      let words = Self.texts(pair)
      return (words[0], words[1])
    }
    once = Self.texts(json["once"])
    never = Self.texts(json["never"])
    // A scenario for other shells may have steps that Swift does not know.
    guard lacks["client"] == nil || lacks["simulated"] == nil else {
      steps = []
      return
    }
    steps = try (json["steps"]?.elements ?? []).compactMap { step in
      step["only"] == nil ? try Self.step(step, names) : nil
    }
  }

  private static func texts(_ json: JSON?) -> [String] {
    (json?.elements ?? []).compactMap { $0.text }
  }

  private static func step(_ json: JSON, _ names: ShellNames) throws -> Step {
    guard let (action, value) = (json.objectMembers?.first).map({ ($0.key, $0.value) }) else {
      throw Malformed(description: "an empty step")
    }
    let (text, tab) = (value.text ?? "", json["tab"]?.text ?? "a")
    switch action {
    case "perform":
      let effects = try texts(value).map { try names.effect($0) }
      return .perform(effects, screen: json["screen"]?.text, tab: tab)
    case "await": return .await(text, count: Int(json["count"]?.count ?? 1))
    case "reads": return .reads(text, tab: tab)
    case "hold": return .hold(text)
    case "free": return .free(text)
    case "refuse": return .refuse(text)
    case "tell": return .tell(text)
    case "kill": return .kill(text)
    case "disk_lacks": return .diskLacks(text)
    case "copy_session": return .copySession
    case "copy_opens": return .copyOpens(value == .bool(true))
    default: throw Malformed(description: "unknown step \(action)")
    }
  }
}

/// The texts that the scenarios name, and the words for effects and events.
public struct ShellNames: Sendable {
  private let texts: [String: String]

  public init(_ values: JSON?) {
    texts = Dictionary(
      uniqueKeysWithValues: (values?.objectMembers ?? []).map {
        ($0.key, String(decoding: $0.value.utf8, as: UTF8.self))
      })
  }

  /// The effect that the words name, such as `replace_session first renewed`.
  func effect(_ words: String) throws -> Effect {
    let parts = words.split(separator: " ").map { String($0) }
    func text(_ index: Int) throws -> Secret {
      guard parts.count > index, let text = texts[parts[index]] else {
        throw ShellScenario.Malformed(description: "no value in \(words)")
      }
      return Secret(text)
    }
    switch parts[0] {
    case "read_session": return .readSession
    case "save_session": return .saveSession(try text(1))
    case "replace_session": return .replaceSession(try text(1), with: try text(2))
    case "save_pending_revocation": return .savePendingRevocation(try text(1))
    case "erase_session": return .eraseSession
    case "erase_session_if_unchanged": return .eraseSessionIfUnchanged(try text(1))
    case "save_last_seen": return .saveLastSeen(try text(1))
    case "set_lock": return .setLock(session: try text(1), card: Secret("Tara"))
    case "remove_lock": return .removeLock(session: try text(1))
    case "lock": return .lock
    case "unlock": return .unlock
    case "save_screen_state": return .saveScreenState(parts[1], try text(2))
    case "read_screen_state": return .readScreenState(parts[1])
    case "erase_screen_state": return .eraseScreenState
    case "save_pending_sign_in": return .savePendingSignIn(try text(1))
    case "erase_pending_sign_in": return .erasePendingSignIn
    case "save_lockouts": return .saveLockouts(try text(1))
    case "claim_renewal": return .claimRenewal
    case "release_renewal": return .releaseRenewal
    case "send_request":
      // A request without a token, whose path ends with this name.
      let app = AppProfile(
        clientID: String(parts[1].dropFirst()), signInKind: .passwordAndCode, scope: "")
      return .call(RequestID(1), .publicInformation(about: app))
    default: throw ShellScenario.Malformed(description: "unknown effect \(words)")
    }
  }

  /// The line of a log for an event, or `nil` if it is no answer to an effect of these scenarios.
  public func line<Page>(_ event: AppEvent<Page>) -> String? {
    switch event {
    case .storage(.read(let reading, let seen, let pending, username: _)):
      ["event storage_read", word(reading), seen.map(name), pending.map(name)].compactMap(\.self)
        .joined(separator: " ")
    case .storage(.lockoutsRead(let text)):
      ["event lockouts_read", text.map(name)].compactMap(\.self).joined(separator: " ")
    case .storage(.sessionChanged(let reading)): "event session_changed \(word(reading))"
    case .storage(.storedSessionReplaced(let reading)):
      "event stored_session_replaced \(word(reading))"
    case .storage(.renewalClaimed(let reading)): "event renewal_claimed \(word(reading))"
    case .storage(.saveFailed): "event session_save_failed"
    case .storage(.pendingSignInSaved(let isSaved)): "event pending_sign_in_saved \(isSaved)"
    case .session(.lockSet): "event lock_set"
    case .session(.lockFailed(let failure)): "event lock_failed \(failure.rawValue)"
    case .session(.unlocked(let reading)): "event unlocked \(word(reading))"
    case .session(.unlockFailed(let failure)): "event unlock_failed \(failure.rawValue)"
    case .home(.screenStateRead(let text)):
      ["event screen_state_read", text.map(name)].compactMap(\.self).joined(separator: " ")
    default: nil
    }
  }

  /// The log line for a request: the last segment of its path.
  public func line(sentTo path: String) -> String {
    "sent /" + (path.split(separator: "/").last.map { String($0) } ?? "")
  }

  private func word(_ reading: StorageReading) -> String {
    switch reading {
    case .value(let text): name(text)
    case .absent: "absent"
    case .temporarilyUnreadable: "unavailable"
    case .damaged: "damaged"
    case .locked: "locked"
    }
  }

  private func name(_ text: Secret) -> String {
    texts.first { $0.value == text.revealed }?.key ?? "unknown"
  }
}
