import Glibc
import JSONText
import SQLStore
import SignInModel
import SignInService
import SystemPorts
import Threads

/// `fieldpass events`: reads the security log of a data folder.
///
/// A server may run at the same time.
enum EventsCommand {
  enum Task {
    /// `from` is the first event with the log's current key.
    ///
    /// Older events were made with another key and cannot be checked.
    case verify(from: Int64?)
    /// `account` is an identifier, an e-mail address or a phone number.
    case list(account: String?, limit: Int)
  }

  struct Options {
    var task: Task
    var place: DataLocation
  }

  static let usage = """
    fieldpass events verify    check that the security log was not changed
    fieldpass events list      print it, newest first, one JSON object in each line

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder
      --account ACCOUNT       only events of this account: an identifier, an address or a number
      --limit N               print at most N events (default: \(EventLimits.listed))
      --from N                verify only event N and later ones; after `keys create`, N is the
                              first event with the present key
    """

  /// Returns the exit status: 1 if the log cannot be read or was changed.
  static func run(_ options: Options) -> Int32 {
    let keys: StoreKeys?
    let place: DataPlace
    let store: any OpenedStore
    do throws(StartFault) {
      place = try options.place.resolved().place
      let path = place.folder + "/fieldpass.db"
      guard place.server != nil || Files.exists(path) else {
        complain("`\(path)` does not exist", hint: "name the server's data folder with --data")
        return 1
      }
      keys = try Self.keys(in: place, for: options.task)
      store = try place.openWithAnyKey(nil)
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return 1
    }
    defer { store.close() }
    return read(store, options, place, keys)
  }

  /// The keys of the log.
  ///
  /// Only the check needs them. Without them, the list has only linked events.
  private static func keys(
    in place: DataPlace, for task: Task
  ) throws(StartFault) -> StoreKeys? {
    do throws(FileFault) { return try KeyFiles.storeKeys(in: place.folder) } catch {
      if case .list = task { return nil }
      throw StartFault(error)
    }
  }

  /// Links the newest events, so that the command sees everything that was decided.
  ///
  /// It does nothing if the log has another key, because a command must not change the key of a
  /// log.
  private static func link(
    _ place: DataPlace, _ store: any OpenedStore, _ keys: StoreKeys?
  ) async throws(StoreFault) {
    guard let keys else { return }
    let named = try await store.read { (transaction) throws(StoreFault) in
      try transaction.newestKeyID()
    }
    guard named == keys.events.id else { return }
    let linking: any OpenedStore
    do throws(StartFault) { linking = try place.openWithAnyKey(keys) } catch {
      for (what, _) in error.complaints { say(what) }
      return
    }
    defer { linking.close() }
    _ = try await linkEvents(in: linking, at: MachineClock().now())
  }

  private static func read(
    _ store: any OpenedStore, _ options: Options, _ place: DataPlace, _ keys: StoreKeys?
  ) -> Int32 {
    nonisolated(unsafe) var status: Int32 = 0
    BlockingCall.run {
      do throws(StoreFault) {
        let key = keys?.events
        // Read first, because the check is about what was not linked in time.
        let tail = try await readUnlinkedReport(in: store, key: key, at: MachineClock().now())
        try await link(place, store, keys)
        switch options.task {
        case .verify(let from):
          status = report(try await verifyEvents(in: store, key: key), from: from)
          if status == 0 { status = report(tail) }
        case .list(let name, let limit):
          guard let account = try await account(name, in: store) else {
            complain(
              "there is no account `\(name ?? "")`",
              hint:
                "for an erased account, and for a number of several accounts, give the identifier"
            )
            status = ExitStatus.refused
            return
          }
          for event in try await listEvents(of: account.id, limit: limit, in: store) {
            LineWriter.standardOutput.write(String(decoding: event.json.utf8, as: UTF8.self))
          }
        }
      } catch {
        status = answer(to: error)
      }
    }
    return status
  }

  /// The account for the list of events; its `id` is `nil` if no name was given, which means all
  /// accounts.
  ///
  /// `nil` if not exactly one account has this address or number, or if neither an account nor an
  /// event has this identifier.
  private static func account(
    _ name: String?, in store: any OpenedStore
  ) async throws(StoreFault) -> (id: AccountID?, Void)? {
    guard let name else { return (nil, ()) }
    return try await store.read { (transaction) throws(StoreFault) in
      let reference: AccountReference
      do throws(Malformed) { reference = try AccountReference(parsing: name) } catch {
        return nil
      }
      if case .id(let id) = reference {
        let isKnown = try transaction.account(id) != nil
        let isLogged = try transaction.events(of: id, before: nil, limit: 1).isEmpty == false
        return isKnown || isLogged ? (id, ()) : nil
      }
      let found = try transaction.accounts(namedBy: reference)
      guard found.count == 1 else { return nil }
      return (found[0].id, ())
    }
  }

  private static func report(_ chain: EventChain, from: Int64?) -> Int32 {
    switch chain {
    case .unbroken(let count, let head):
      reportIntact(count, head)
      return 0
    case .keyChanged(let at, let count, let head):
      if from == at {
        LineWriter.standardError.write(
          "Events before \(at) were linked with a key that is not here. They were not checked.")
        reportIntact(count, head)
        return 0
      }
      complain(
        "events before \(at) were linked with another key than `keys/master.key` and cannot "
          + "be checked; the \(count) events from \(at) on are unbroken",
        hint: "if `keys create` replaced a lost key at that time, add `--from \(at)`; otherwise "
          + "restore the keys that belong to this database"
      )
      return 1
    case .unkeyed(let count):
      complain(
        "\(count) events, none with a key: anyone who can write the database may have made them",
        hint: "start the server once, which gives the log its key; if it ran before, keep evidence"
      )
      return 1
    case .foreignKey(let sequence):
      complain(
        "the events from \(sequence) on were linked with another key than `keys/master.key`",
        hint: "restore the keys that belong to this database"
      )
      return 1
    case .broken(let sequence):
      complain(
        "the security log is broken at event \(sequence): it, or the one before, was changed",
        hint: "keep this database as evidence, and compare it with a backup"
      )
      return 1
    }
  }

  /// Reports the events that were not linked when the command began.
  private static func report(_ tail: UnlinkedReport) -> Int32 {
    if tail.refusedCount > 0 {
      complain(
        "\(tail.refusedCount) unlinked events were not written with `keys/master.key`: someone "
          + "who can write the database changed or made them",
        hint: "keep this database as evidence: the table unlinked_events has them")
      return 1
    }
    if tail.lateCount > 0 {
      complain(
        "\(tail.lateCount) events were not linked after \(tail.milliseconds) ms; they must be "
          + "linked within \(EventLimits.unlinkedMilliseconds) ms, because until then they can be "
          + "removed unnoticed",
        hint: "they are linked now; if no server crashed, read the log of the servers")
      return 1
    }
    guard tail.count > 0 else { return 0 }
    LineWriter.standardError.write(
      "\(tail.count) events were not linked yet, and were accepted; the oldest was "
        + "\(tail.milliseconds) ms old.")
    return 0
  }

  private static func reportIntact(_ count: Int64, _ head: [UInt8]) {
    LineWriter.standardOutput.write("\(count) events, unbroken; head \(hexadecimal(head))")
    LineWriter.standardError.write(
      "Keep the head elsewhere: a log that was cut off at its end still looks unbroken."
    )
  }

  private static func answer(to fault: StoreFault) -> Int32 {
    switch fault {
    case .unusable(let why), .unavailable(let why):
      complain(why, hint: "check the folder named with --data")
    case .conflict:
      complain("the store is in conflict", hint: "restore a backup")
    }
    return 1
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count < 2 ? "0" + text : text
    }.joined()
  }
}

extension EventsCommand.Options {
  /// Parses the arguments after `events`.
  static func parse(
    _ arguments: ArraySlice<String>
  ) -> Result<EventsCommand.Options, CommandMistake> {
    var rest = arguments
    var account: String?
    var limit = EventLimits.listed
    var from: Int64?
    var place = DataLocation()
    let name = rest.popFirst() ?? ""
    guard name == "verify" || name == "list" else {
      return .failure(CommandMistake("`events` takes `verify` or `list`"))
    }
    while let option = rest.popFirst() {
      guard
        DataLocation.optionNames.contains(option)
          || name == "list" && ["--account", "--limit"].contains(option)
          || name == "verify" && option == "--from"
      else { return .failure(CommandMistake("`events \(name)` does not take `\(option)`")) }
      guard let value = rest.popFirst() else {
        return .failure(CommandMistake("`\(option)` needs a value"))
      }
      switch option {
      case "--account": account = value
      case "--from":
        guard let number = WholeNumber.read(value, in: 1...Int64.max) else {
          return .failure(CommandMistake("`--from` takes the number of an event"))
        }
        from = number
      case "--limit":
        guard let number = WholeNumber.read(value, in: 1...Int64(EventLimits.listedAtMost)) else {
          return .failure(CommandMistake("`--limit` takes 1 to \(EventLimits.listedAtMost)"))
        }
        limit = Int(number)
      default: place.set(option, to: value)
      }
    }
    let task: EventsCommand.Task =
      name == "verify" ? .verify(from: from) : .list(account: account, limit: limit)
    return .success(EventsCommand.Options(task: task, place: place))
  }
}

/// A mistake in a command line.
struct CommandMistake: Error {
  let what: String

  init(_ what: String) { self.what = what }
}
