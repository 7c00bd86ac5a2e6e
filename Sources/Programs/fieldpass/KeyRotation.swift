import Cryptography
import SQLStore
import SignInModel
import SignInService
import SystemPorts
import Threads

/// `fieldpass keys rotate`: a new key signs tokens.
///
/// The old key is accepted until its last token has expired.
struct KeyRotation {
  static let range =
    "\(SigningKeys.publishedSecondsLimits.lowerBound) to "
    + "\(SigningKeys.publishedSecondsLimits.upperBound)"

  /// How long the new key is published before it signs; `nil` for the default time.
  var publishedSeconds: Int64?
  /// Whether tokens of earlier keys are refused immediately.
  var distrustsOld = false

  static func seconds(_ text: String) -> Int64? {
    WholeNumber.read(text, in: SigningKeys.publishedSecondsLimits)
  }

  /// Returns the exit status.
  func run(at place: DataPlace) throws(StartFault) -> Int32 {
    let data = place.folder
    let (world, store) = try AccountAdministration.open(place)
    defer { AccountAdministration.close(store, of: world) }
    if let table = store.signingKeyStore {
      try RunningServer.checkClock(of: store, place, MachineClock())
      return try run(in: SharedSigningKeys(in: table, keys: world.keyring.store))
    }
    // Opening takes time, which must not be missing from the time before the new key signs.
    let now = MachineClock().now()
    do throws(FileFault) {
      let lock = try FolderLock(data + "/keys")
      defer { withExtendedLifetime(lock) {} }
      try KeyFiles.removeLeftovers(in: data)
      try KeyFiles.removeEnded(in: data, at: now)
      let key: SigningKeys.Key
      let start: Instant
      if distrustsOld {
        key = SigningKeys.Key(try KeyFiles.replaceSigningKeys(in: data))
        start = now
      } else {
        if let earlier = KeyFiles.earlierKeys(in: data).last, earlier.signsUntil > now {
          return refused(until: earlier.signsUntil)
        }
        // The name of a key file has whole seconds. A moment in the past would end the old key too
        // early, so it is rounded up.
        start = Instant(seconds: now.seconds + 1)
          .adding(seconds: publishedSeconds ?? SigningKeys.publishedSeconds)
        key = SigningKeys.Key(try KeyFiles.rotate(in: data, from: start))
      }
      let earlier = KeyFiles.earlierKeys(in: data).last?.endsAt
      report(key, from: start, earlierEndsAt: earlier)
      LineWriter.standardError.write(
        "A running server loads the key automatically. Make a new backup of `\(data)/keys`.")
      return try record(key, at: now, in: world)
    } catch {
      throw StartFault(error)
    }
  }

  /// Rotates the keys of all servers of a database.
  private func run(in shared: SharedSigningKeys) throws(StartFault) -> Int32 {
    let seconds = publishedSeconds ?? SigningKeys.publishedSeconds
    let least = SharedSigningKeys.minimumPublishedSeconds
    guard distrustsOld || seconds >= least else {
      return KeysCommand.refused(
        "with PostgreSQL a new key is published for at least \(least) seconds, so that every "
          + "server knows it before it signs",
        hint: "use --publish-seconds \(least) or more, or --distrust-old if a key leaked")
    }
    let isReplacement = distrustsOld
    let clock = MachineClock()
    let outcome = BlockingCall.run { () -> Result<SharedSigningKeys.Rotation, StoreFault> in
      do throws(StoreFault) {
        guard isReplacement else {
          return .success(try await shared.rotate(publishedSeconds: seconds, clock: clock))
        }
        let (key, start) = try await shared.replace(clock: clock)
        return .success(.rotated(key, start: start, earlierEndsAt: nil))
      } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .success(.rotated(let key, let start, let earlierEndsAt)):
      report(key, from: start, earlierEndsAt: earlierEndsAt)
      LineWriter.standardError.write("Running servers load the key within seconds.")
      return ExitStatus.done
    case .success(.tooEarly(let until)): return refused(until: until)
    case .failure(let fault):
      throw StartFault(
        "it is not certain that the keys were changed: \(fault)",
        hint: "check the database server, then look at `/jwks.json`")
    }
  }

  private func refused(until start: Instant) -> Int32 {
    KeysCommand.refused(
      "the newest key does not sign before \(AccountOutput.moment(start))",
      hint: "rotate again after that, or add --distrust-old if a key leaked")
  }

  private func report(_ key: SigningKeys.Key, from start: Instant, earlierEndsAt: Instant?) {
    var lines = ["key         \(key.id)", "signs from  \(AccountOutput.moment(start))"]
    if distrustsOld {
      lines.append("earlier     refused")
    } else if let earlierEndsAt {
      lines.append("earlier     accepted until \(AccountOutput.moment(earlierEndsAt))")
    }
    LineWriter.standardOutput.write(lines.joined(separator: "\n"))
  }

  private func record(
    _ key: SigningKeys.Key, at now: Instant, in world: World
  ) throws(FileFault) -> Int32 {
    let name = key.id
    let store = world.store
    let isRecorded = BlockingCall.run { () -> Bool in
      do throws(StoreFault) {
        try await store.transact(about: []) { (transaction) throws(StoreFault) in
          try transaction.record(
            .signingKeyRotated, about: nil, detail: name,
            by: AccountEditingRules.operatorCommand.caller,
            at: now
          )
        }
        return true
      } catch {
        return false
      }
    }
    guard isRecorded else {
      throw FileFault(
        "the key was changed, but the security log does not record it",
        hint: "check the disk; the new key is in use"
      )
    }
    return ExitStatus.done
  }
}

extension KeyFiles {
  /// Removes the remains of an interrupted rotation: a copy of the newest key under the name of an
  /// earlier key.
  static func removeLeftovers(in data: String) throws(FileFault) {
    let newest = try signingKey(at: path(of: .signing, in: data)).publicKey.thumbprint
    for earlier in earlierKeys(in: data)
    where try signingKey(at: earlier.path).publicKey.thumbprint == newest {
      try Files.remove(earlier.path)
    }
  }
}
