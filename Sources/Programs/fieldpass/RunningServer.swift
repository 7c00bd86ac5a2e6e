import Cryptography
import Glibc
import HTTPServer
import SQLiteStore
import SignInHTTP
import SignInModel
import SignInRules
import SignInService
import SignInWire
import TextMessengers
import Threads

/// A server that listens, sends its messages, and stops in order.
final class RunningServer {
  let issuer: String
  private let server: HTTPServer
  private let store: SQLiteStore
  private let outbox: OutboxWorker
  private let watch: SessionWatchWorker

  init(_ setting: Setting) throws(StartFault) {
    let clock = MachineClock()
    let files = try Self.files(setting, clock: clock)
    let store = try Self.open(setting.data)
    let bell = OutboxBell()
    let reports = ReportBox()
    let switchboard = try MessengerDesk.switchboard(
      setting.configuration, inbox: files.inbox, clock: clock, reports: reports
    )
    let waiters = SessionWaiters()
    var worldAtPort: World?
    server = try Self.bind(setting, clock: clock) { port in
      let world = Self.world(
        issuer: setting.issuer(port: port), setting, files, store, clock, bell, switchboard
      )
      worldAtPort = world
      return FieldpassHandler(
        world: world, assets: files.assets,
        development: files.inbox.map { DemoTools(inbox: $0, clock: clock, world: world) },
        proxies: TrustedProxies(setting.configuration.trustedProxies), waiters: waiters,
        log: { LineWriter.standardError.write($0) }
      )
    }
    guard let world = worldAtPort else { preconditionFailure("a bound server asks its handler") }
    self.store = store
    issuer = world.issuer
    if setting.isDevelopment { Blocking.run { _ = await prepareDemo(in: world) } }
    for warning in setting.configuration.warnings {
      LineWriter.standardError.write(LogLine.info(warning, at: clock.now()))
    }
    outbox = OutboxWorker(
      switchboard: switchboard, bell: bell, reports: reports, world: world
    )
    watch = SessionWatchWorker(SessionWatch(waiters), world: world)
    server.start()
  }

  /// The first is several times what the work takes, and the span a hundred times what is left.
  private static let evenMilliseconds: ClosedRange<Int64> = 5...24

  private static func world(
    issuer: String, _ setting: Setting, _ files: DataFiles, _ store: SQLiteStore,
    _ clock: MachineClock, _ bell: OutboxBell, _ switchboard: Switchboard
  ) -> World {
    World(
      issuer: issuer, clients: setting.configuration.clients,
      organizations: setting.configuration.organizations,
      prices: setting.configuration.prices, keyring: files.keyring, store: store,
      clock: clock, randomness: SystemRandomness(),
      passwords: PooledPasswordHashing(threads: Machine.coreCount),
      proofs: MemoryProofLedger(journal: files.proofs),
      throttlesOrigins: !setting.isDevelopment,
      eventsKeptSeconds: setting.configuration.eventDays * Throttle.Limit.daySeconds,
      switchboard: switchboard, evenMilliseconds: evenMilliseconds,
      outboxRung: { bell.ring() },
      faultSeen: { LineWriter.standardError.write(LogLine.fault($0, at: clock.now())) }
    )
  }

  /// Finishes what is under way, then lets go of the store.
  func stop() {
    let server = server
    watch.stop()
    Blocking.run { await server.stop() }
    outbox.stop()
    store.close()
  }

  static func open(_ folder: String) throws(StartFault) -> SQLiteStore {
    do throws(StoreFault) { return try SQLiteStore(directory: folder) } catch {
      switch error {
      case .unusable(let why): throw StartFault(why, hint: "use another folder with --data")
      case .unavailable(let why):
        throw StartFault("the store cannot be opened: \(why)", hint: "check that disk and rights")
      case .conflict: throw StartFault("the store is in conflict", hint: "restore a backup")
      }
    }
  }

  private static func bind(
    _ setting: Setting, clock: MachineClock, handlerForPort: (UInt16) -> any HTTPHandler
  ) throws(StartFault) -> HTTPServer {
    let listen = setting.configuration.listen
    var configuration = HTTPServerConfiguration(
      address: listen.address, port: listen.port,
      tls: setting.configuration.tls.map {
        .init(
          certificateFile: $0.certificateFile, keyFile: $0.keyFile, allowsTLS12: $0.allowsTLS12
        )
      },
      unixSeconds: { clock.now().seconds }
    )
    configuration.loops = Machine.coreCount
    do throws(HTTPServerFault) {
      return try HTTPServer(configuration, handlerForPort: handlerForPort)
    } catch {
      throw StartFault(error)
    }
  }

  private static func files(
    _ setting: Setting, clock: MachineClock
  ) throws(StartFault) -> DataFiles {
    do throws(FileFault) {
      try Files.makePrivateDirectory(setting.data)
      // The inbox shows codes to anyone who asks, so outside development it is not even made.
      let inbox = setting.isDevelopment ? try inbox(in: setting.data, clock: clock) : nil
      return DataFiles(
        keyring: try KeyFiles.keyring(in: setting.data), assets: try WebFolder.load(setting.web),
        inbox: inbox,
        proofs: try ProofFile(in: setting.data + "/proofs") {
          LineWriter.standardError.write(LogLine.fault($0, at: clock.now()))
        }
      )
    } catch {
      throw StartFault(error)
    }
  }

  private static func inbox(
    in data: String, clock: MachineClock
  ) throws(FileFault) -> InboxMessenger {
    let path = data + "/inbox.jsonl"
    let lines = Files.exists(path) ? try Files.read(path) : []
    let file = try LineWriter(appendingTo: path)
    return InboxMessenger(
      clock: clock,
      lines: lines.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      },
      append: { file.write($0) }
    )
  }
}

/// What the server reads from its folders before it starts.
private struct DataFiles {
  let keyring: Keyring
  let assets: WebAssets
  /// Nil in production.
  let inbox: InboxMessenger?
  let proofs: ProofFile
}

extension Setting {
  func issuer(port: UInt16) -> String {
    configuration.issuer ?? "http://\(authority(port: port))"
  }

  /// The host and port people would type, an IPv6 address in brackets.
  func authority(port: UInt16) -> String {
    let address = configuration.listen.address
    return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

extension StartFault {
  init(_ fault: HTTPServerFault) {
    switch fault {
    case .addressMalformed(let address):
      self.init("`\(address)` is no address", hint: "write it as 127.0.0.1:8080")
    case .addressUnavailable(let address, let port, let code):
      self.init(
        "cannot listen on \(address):\(port): \(String(cString: strerror(code)))",
        hint: "choose another port with --listen, or stop what uses this one"
      )
    case .certificateUnreadable(let path):
      self.init("`\(path)` holds no certificate", hint: "name a PEM file under tls.certificate")
    case .keyUnreadable(let path):
      self.init("`\(path)` holds no private key", hint: "name a PEM file under tls.key")
    case .keyDoesNotMatchCertificate:
      self.init("tls.key does not belong to tls.certificate", hint: "name the pair that was issued")
    }
  }
}
