import BreachedPasswordFiles
import Glibc
import JSONText
import SQLStore
import SignInModel
import SignInService
import SignInWire
import Synchronization
import SystemPorts
import Threads

/// `fieldpass account …`: opens the store, performs one use case and prints the result.
///
/// A server may use the store at the same time.
enum AccountAdministration {
  /// Returns the exit status.
  static func run(_ command: AccountCommand) -> Int32 {
    do throws(StartFault) {
      let parsed: ParsedAccountCommand
      let password = try command.password()
      do throws(InvalidArguments) { parsed = try command.parsed(password) } catch {
        complain(error.what, hint: error.hint)
        return ExitStatus.misused
      }
      let table = try parsed.importedBytes()
      let (place, configuration) = try command.place.resolved()
      guard !command.namesOrganizations || configuration != nil else {
        complain(
          "the organizations are not known without the configuration",
          hint: "name it with --config, or say --development for the demo's organizations"
        )
        return ExitStatus.misused
      }
      let (world, store) = try open(place, configuration)
      defer { close(store, of: world) }
      switch parsed {
      case .invite(let name, let app):
        return InvitationCommand(
          name: name, app: app, isJSON: command.isJSON,
          isSent: command.flags.contains(.send) ? try delivery(app, configuration) : nil
        ).run(in: world)
      case .export(let name): return PersonExport(name: name).run(in: world)
      case .erase(let name): return ErasureCommand(name: name).run(in: world)
      case .importFile(let path, let app):
        return AccountImport(
          path: path, bytes: table, isDryRun: command.flags.contains(.dryRun),
          isJSON: command.isJSON,
          skipsExisting: command.flags.contains(.skipExisting),
          invitation: command.flags.contains(.invite) ? try delivery(app, configuration) : nil
        ).run(in: world)
      case .create, .list, .one, .edit: break
      }
      return status { () throws(Refusal) in
        let entries = try BlockingCall.run { () throws(Refusal) in
          try await perform(parsed, in: world)
        }
        AccountOutput(entries: entries, isJSON: command.isJSON, isList: command.verb == .list)
          .print()
        return ExitStatus.done
      }
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  /// How invitations are sent.
  ///
  /// The configuration names the messengers.
  private static func delivery(
    _ app: String?, _ configuration: Configuration?
  ) throws(StartFault) -> InvitationDelivery {
    guard let configuration, app != nil || configuration.issuer != nil else {
      throw StartFault(
        "invitations need the configuration: it has the messengers and the addresses of the apps",
        hint: "add --config FILE; if the configuration has no issuer, also add --app URL")
    }
    let sendsMail = configuration.messengers.contains { $0.kind == Configuration.Messenger.mail }
    return .sent(app: app, byTextMessage: !sendsMail)
  }

  static func open(
    _ place: DataPlace, _ configuration: Configuration? = nil
  ) throws(StartFault) -> (World, any OpenedStore) {
    try place.checkDatabase()
    let keyring: Keyring
    do throws(FileFault) { keyring = try KeyFiles.existingKeyring(of: place) } catch {
      throw StartFault(error)
    }
    var breached: BreachedPasswordFile?
    if let path = configuration?.breachedPasswordsFile {
      do throws(BreachedPasswordFault) {
        breached = try BreachedPasswordFile(path) { say($0) }
      } catch {
        throw StartFault(FileFault(error))
      }
    }
    let store = try RunningServer.open(place, keys: keyring.store)
    let world = World(
      issuer: configuration?.issuer ?? "",
      clients: configuration?.issuer == nil ? [] : configuration?.clients ?? [],
      pages: WebFolder.standardApps, organizations: configuration?.organizations ?? [],
      keyring: keyring, store: store, clock: MachineClock(),
      randomness: SystemRandomness(), passwords: PooledPasswordHashing(threads: 1),
      proofs: NoProofs(), breachedPasswords: breached, messageRecorded: {}, reportFault: { say($0) }
    )
    return (world, store)
  }

  /// Links the events of the command and closes the store.
  ///
  /// No server may be running that links them.
  static func close(_ store: any OpenedStore, of world: World) {
    BlockingCall.run { await world.linkEvents() }
    store.close()
  }

  private static func perform(
    _ parsed: ParsedAccountCommand, in world: World
  ) async throws(Refusal) -> [AccountEntry] {
    switch parsed {
    case .create(let creation):
      return [try await createAccount(creation, rules: .operatorCommand, in: world)]
    case .list(let query): return try await all(query, in: world)
    case .invite, .export, .erase, .importFile:
      preconditionFailure("this command does not return accounts")
    case .edit(let name, let change):
      let id = try await identify(name, in: world)
      return [try await editAccount(id, change, rules: .operatorCommand, in: world)]
    case .one(let name, let verb, let password):
      let id = try await identify(name, in: world)
      switch verb {
      case .change(let transition):
        return [try await changeStatus(of: id, by: transition, rules: .operatorCommand, in: world)]
      case .unlock: return [try await unlockAccount(id, rules: .operatorCommand, in: world)]
      case .reset:
        return [try await resetAccount(id, password: password, rules: .operatorCommand, in: world)]
      case .approveReset:
        return [
          try await approveWaitingPassword(
            of: id, availableAt: nil, rules: .operatorCommand, in: world)
        ]
      case .show, .create, .list, .invite, .edit, .export, .erase, .importFile:
        return [try await showAccount(id, rules: .operatorCommand, in: world)]
      }
    }
  }

  static func identify(_ name: String, in world: World) async throws(Refusal) -> AccountID {
    let reference: AccountReference
    do throws(Malformed) { reference = try AccountReference(parsing: name) } catch {
      throw Refusal.invalidRequest(
        "`\(name)` is no identifier, e-mail address or phone number")
    }
    return try await findAccount(reference, in: world)
  }

  private static func all(
    _ query: AccountQuery, in world: World
  ) async throws(Refusal) -> [AccountEntry] {
    var entries: [AccountEntry] = []
    var cursor: ListCursor?
    repeat {
      let page = try await listAccounts(
        query, try PageRequest(after: cursor, limit: PageLimits.longest), rules: .operatorCommand,
        in: world)
      entries += page.entries
      cursor = page.cursor
    } while cursor != nil
    return entries
  }

  /// The exit status of a command that a use case may refuse.
  static func status(of command: () throws(Refusal) -> Int32) -> Int32 {
    do throws(Refusal) { return try command() } catch { return refused(error) }
  }

  static func refused(_ refusal: Refusal) -> Int32 {
    complain(refusal.description ?? refusal.code.rawValue, hint: refusal.code.operatorHint)
    return refusal.code.status >= 500 ? ExitStatus.failed : ExitStatus.refused
  }
}

extension ParsedAccountCommand {
  /// The bytes of the file to import; empty for another command.
  fileprivate func importedBytes() throws(StartFault) -> [UInt8] {
    guard case .importFile(let path, _) = self else { return [] }
    do throws(FileFault) { return try Files.read(path == "-" ? "/dev/stdin" : path) } catch {
      throw StartFault(error)
    }
  }
}

extension AccountCommand {
  /// Whether the configuration is needed to check the command.
  fileprivate var namesOrganizations: Bool {
    !organizations.isEmpty || permissions.contains { $0.contains(":") }
  }
}

/// A command receives no requests with proofs.
private struct NoProofs: ProofLedger {
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict { .repeated }
}

/// The exit status, for scripts.
enum ExitStatus {
  static let done: Int32 = 0
  /// A fault of the environment, such as a file or the store.
  static let failed: Int32 = 1
  /// A refusal, such as an unknown account, an illegal transition or an address that is in use.
  static let refused: Int32 = 2
  /// The command line is not valid (`EX_USAGE`).
  static let misused: Int32 = 64

  static let usage = """
    Exit status: 0 done, 1 a file, the network or the database failed, 2 refused, 64 the command
    line is wrong.

    """
}

extension ErrorCode {
  /// The hint for the operator after a refusal.
  fileprivate var operatorHint: String {
    switch self {
    case .lastAdministrator: "first create another one with `fieldpass account create`"
    case .accountNotFound: "run `fieldpass account list --data DIR` to see all accounts"
    case .accountExists: "find it with `fieldpass account list --data DIR --query TEXT`"
    case .illegalTransition: "approve a pending or rejected account; reactivate a deactivated one"
    case .appPageMissing: "name the page at which the person chooses a password with --app URL"
    case .passwordAlreadySet: "run `fieldpass account reset` first, then invite again"
    case .passwordResetNotFound: "it took effect, was cancelled, or was never requested"
    case .passwordTooShort, .passwordTooLong, .passwordTooCommon:
      "choose another password, or remove --password-file"
    case .temporarilyUnavailable: "try again in a moment; look at the server's log"
    default: "correct the value and run the command again"
    }
  }
}
