import JSONText
import SignInEngine
import SignInFlow
import SignInModel

extension Event {
  /// Returns `nil` if this core does not know the event.
  ///
  /// `attached` are the bytes that arrived with the event, such as the records of an offline copy.
  init?(json: JSON, attached: [[UInt8]] = [], of app: AppName) {
    let name = json.text("event") ?? ""
    switch name {
    case "started":
      self = .started(
        utcOffsetSeconds: json["utc_offset"]?.number(in: JSON.safeIntegers) ?? 0,
        app: AppProfile(app),
        page: json.text("page") ?? "", place: json.text("place") ?? "",
        locale: LocalePreferences(json: json),
        clockChanges: (json.elements("clock_changes") ?? []).compactMap { .init(json: $0) },
        providers: json.text("providers")
      )
    case "field_edited":
      guard let field = json.text("field"), let text = json.text("text"),
        let edited = Event(edited: field, text)
      else { return nil }
      self = edited
    case "button_pressed":
      guard let text = json.text("button"), let button = ButtonName(rawValue: text) else {
        return nil
      }
      if let item = json.text("item") {
        self = .home(.itemPressed(button, item: item))
      } else {
        self = .page(.buttonPressed(button))
      }
    case "password_reveal_toggled": self = .page(.passwordRevealToggled)
    case "banner_dismissed": self = .page(.bannerDismissed)
    case "verifier_made":
      guard let verifier = json.text("verifier"), let challenge = json.text("challenge") else {
        return nil
      }
      self = .signIn(.verifierMade(verifier: Secret(verifier), challenge: challenge))
    case "invitation_opened": self = .signIn(.invited(Secret(json.text("invitation") ?? "")))
    case "provider_returned": self = .signIn(.providerReturned(Secret(json.text("query") ?? "")))
    case "answered":
      guard let request = json.count("request") else { return nil }
      self = .answered(RequestID(request), Answer(json: json))
    case "ticked": self = .ticked
    case "screen_state_read":
      self = .home(.screenStateRead(json.text("value").map { Secret($0) }))
    case "place_opened": self = .home(.placeOpened(json.text("place") ?? ""))
    case "network_changed": self = .home(.networkChanged)
    case "rows_shown":
      guard let first = json.count("first") else { return nil }
      self = .home(.rowsShown(first: first))
    case "offline_copy_read":
      self = .home(.offlineCopy(.read(OfflineCopyReading(json: json, attached: attached))))
    case "offline_copy_written":
      self = .home(.offlineCopy(.written(OfflineCopyWriting(json: json))))
    default:
      guard let event = Event(ofDevice: name, json) else { return nil }
      self = event
    }
  }

  /// `field` is the name of a field, or `name:item` if there is one field per item.
  ///
  /// The item is then appended to the text, as `text:item`.
  private init?(edited field: String, _ text: String) {
    let parts = field.cut(at: ":")
    guard let name = FieldName(rawValue: parts?.before ?? field) else { return nil }
    self = .page(.fieldEdited(name, Secret(parts.map { text + ":" + $0.after } ?? text)))
  }

  /// An event of the storage, of the lock, or of the device itself.
  private init?(ofDevice name: String, _ json: JSON) {
    let failure = LockFailure(rawValue: json.text("failure") ?? "") ?? .cancelled
    switch name {
    case "storage_read":
      self = .storage(
        .read(
          StorageReading(json: json), seen: json.text("last_seen").map { Secret($0) },
          pending: json.text("pending").map { Secret($0) },
          username: json.text("username").map { Secret($0) }))
    case "renewal_claimed": self = .storage(.renewalClaimed(StorageReading(json: json)))
    case "session_save_failed": self = .storage(.saveFailed)
    case "session_changed": self = .storage(.sessionChanged(StorageReading(json: json)))
    case "stored_session_replaced":
      self = .storage(.storedSessionReplaced(StorageReading(json: json)))
    case "lockouts_read": self = .storage(.lockoutsRead(json.text("value").map { Secret($0) }))
    case "pending_sign_in_saved":
      self = .storage(.pendingSignInSaved(json.flag("saved") ?? false))
    case "lock_support_checked":
      self = .session(.lockSupportChecked(json.flag("supported") ?? false))
    case "lock_set": self = .session(.lockSet)
    case "lock_failed": self = .session(.lockFailed(failure))
    case "unlocked": self = .session(.unlocked(StorageReading(json: json)))
    case "unlock_failed": self = .session(.unlockFailed(failure))
    default:
      guard let event = DeviceEvent(rawValue: name) else { return nil }
      self = .device(event)
    }
  }
}

extension LocalePreferences {
  fileprivate init(json: JSON) {
    self.init(
      listed: (json.elements("languages") ?? []).compactMap { $0.text },
      chosen: json.text("language").flatMap { Language(rawValue: $0) }
    )
  }
}

extension WallClock.Change {
  fileprivate init?(json: JSON) {
    guard let seconds = json.unixSeconds("at"),
      let offset = json["utc_offset"]?.number(in: JSON.safeIntegers)
    else { return nil }
    self.init(at: Instant(seconds: seconds), utcOffsetSeconds: offset)
  }
}

extension StorageReading {
  fileprivate init(json: JSON) {
    switch json.text("storage") {
    case "value": self = json.text("value").map { .value(Secret($0)) } ?? .temporarilyUnreadable
    case "absent": self = .absent
    case "damaged": self = .damaged
    case "locked": self = .locked(card: Secret(json.text("account_summary") ?? ""))
    default: self = .temporarilyUnreadable
    }
  }
}

extension OfflineCopyReading {
  /// The bytes of the records are attached in the order of `keys`, or they are written as `texts`.
  fileprivate init(json: JSON, attached: [[UInt8]]) {
    switch json.text("storage") {
    case "value":
      var bytes = attached
      if let texts = json.elements("texts") { bytes = texts.map { Array(($0.text ?? "").utf8) } }
      let keys = json.elements("keys") ?? []
      var pieces: [SealedRecord] = []
      for (index, key) in keys.enumerated() where index < bytes.count {
        pieces.append(SealedRecord(key: key.text ?? "", bytes: bytes[index]))
      }
      self = pieces.count == keys.count ? .value(pieces) : .temporarilyUnreadable
    case "absent": self = .absent
    case "damaged": self = .damaged
    default: self = .temporarilyUnreadable
    }
  }
}

extension OfflineCopyWriting {
  fileprivate init(json: JSON) {
    switch json.text("outcome") {
    case "done": self = .done
    case "full": self = .full
    case "conflict": self = .conflict
    case "closed": self = .closed
    default: self = .refused
    }
  }
}

extension Answer {
  fileprivate init(json: JSON) {
    if let status = json.count("status") {
      self = .received(
        status: status, body: json["body"] ?? .null, serverSeconds: json.unixSeconds("date")
      )
    } else if json.flag("on_device") == true {
      self = .onDevice
    } else if json.flag("network") == false {
      self = .noNetwork
    } else if json.text("failure") == "timed_out" {
      self = .timedOut
    } else {
      self = .unreachable
    }
  }
}
