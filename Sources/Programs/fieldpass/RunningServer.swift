import BreachedPasswordFiles
import Cryptography
import Glibc
import HTTPServer
import ProofFiles
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
  /// The address the server listens on, with the port that the system chose if it was 0.
  let address: String
  /// Where monitoring reads metrics.
  let metricsAddress: String
  private let server: HTTPServer
  private let metrics: HTTPServer
  private let store: SQLiteStore
  private let outbox: OutboxWorker
  private let changeWebhooks: ChangeWebhookWorker
  private let watch: SessionWatchWorker
  private let clockWorker: ClockWorker
  private let keyFolder: KeyFolderWatch
  /// Nil for a server without TLS of its own.
  private let certificate: CertificateInUse?
  private let fileWorker: FileWorker
  /// Held as long as the process lives.
  private let lock: ServerLock

  init(_ setting: Setting, log: LineQueue) throws(StartFault) {
    let clock = MachineClock()
    lock = try Self.lock(setting.data)
    let files = try Self.files(setting, clock: clock, log: log)
    let store = try Self.open(setting.data, keys: files.keyring.store)
    try Self.refuseOtherUse(of: store, setting)
    store.watchForDamage {
      log.write(LogLine.fault("the database is damaged: \($0); restore a backup", at: clock.now()))
    }
    let bell = OutboxBell()
    let reports = ReportBox()
    let switchboard = try MessengerDesk.switchboard(
      setting.configuration, inbox: files.inbox, clock: clock, reports: reports
    )
    let waiters = SessionWaiters()
    var handlerAtPort: FieldpassHandler?
    server = try Self.bind(setting, clock: clock) { port in
      let world = Self.world(
        issuer: setting.issuer(port: port), setting, files, store, clock, bell, switchboard, log
      )
      let handler = FieldpassHandler(
        world: world, assets: files.assets,
        development: files.inbox.map { DemoTools(inbox: $0, clock: clock, world: world) },
        proxies: TrustedProxies(setting.configuration.trustedProxies), waiters: waiters,
        log: { log.write($0) }
      )
      handlerAtPort = handler
      return handler
    }
    guard let handler = handlerAtPort else { preconditionFailure("a bound server has a handler") }
    let webhooks = try ChangeWebhooks(setting.configuration, clock: clock)
    let certificate = CertificateInUse(setting, on: server, clock: clock, log: log)
    self.certificate = certificate
    metrics = try Self.bindMetrics(
      setting, clock: clock,
      MetricsHandler(
        handler,
        readings: Self.readings(log, store, clock) + Self.readings(of: certificate)
          + webhooks.counts.readings,
        isLocal: setting.configuration.metricsListen.isLoopback
      ))
    metricsAddress = setting.metricsAddress(port: metrics.port)
    let world = handler.world
    self.store = store
    address = setting.address(port: server.port)
    try Self.prepare(world, setting, log)
    outbox = OutboxWorker(
      switchboard: switchboard, bell: bell, reports: reports, world: world
    )
    changeWebhooks = ChangeWebhookWorker(webhooks, log: log, world: world)
    clockWorker = ClockWorker(clock, log: log)
    keyFolder = KeyFolderWatch(
      files.keyring.signing, data: setting.data, clock: clock, log: log)
    fileWorker = FileWorker(keyFolder, certificate, clock: clock)
    watch = SessionWatchWorker(SessionWatch(waiters), world: world)
    server.start()
    metrics.start()
  }

  /// What is done once at each start, before the first request.
  private static func prepare(
    _ world: World, _ setting: Setting, _ log: LineQueue
  ) throws(StartFault) {
    Blocking.run { await keyEvents(in: world) }
    try upgrade(world)
    if setting.isDevelopment { Blocking.run { _ = await prepareDemo(in: world) } }
    for warning in setting.warnings {
      log.write(LogLine.info(warning, at: world.clock.now()))
    }
  }

  /// Keeps other servers off the folder, before anything in it is read or made.
  private static func lock(_ data: String) throws(StartFault) -> ServerLock {
    do throws(FileFault) { try Files.makePrivateDirectory(data) } catch { throw StartFault(error) }
    return try ServerLock.taken(on: data)
  }

  /// The demo's passwords are published, so production serves no store that holds its accounts, and
  /// development adds them to no store of production.
  private static func refuseOtherUse(
    of store: SQLiteStore, _ setting: Setting
  ) throws(StartFault) {
    let data = setting.data
    let (hasAccounts, hasDemo) = try Self.look(into: store) { (look) throws(StoreFault) in
      (try look.hasAccounts(), try look.hasDemoAccounts())
    }
    if setting.isDevelopment, hasAccounts, !hasDemo {
      throw StartFault(
        "`\(data)` was used in production: --development would add accounts whose passwords are "
          + "published, and show every code",
        hint: "name another folder with --data"
      )
    }
    if !setting.isDevelopment, hasDemo {
      throw StartFault(
        "`\(data)` was used with --development: it holds demo accounts, and their passwords are "
          + "published",
        hint: "name another folder with --data or `store`, or remove them with "
          + "`fieldpass demo remove --data \(data)`"
      )
    }
  }

  /// What the data was made with cannot be opened with another key: every password would fail.
  private static func refuseOtherKey(
    of store: SQLiteStore, _ data: String
  ) throws(StartFault) {
    guard
      try Self.look(into: store, { (look) throws(StoreFault) in try look.isKeyedOtherwise() })
    else { return }
    store.close()
    throw StartFault(
      "`\(data)/keys/master.key` is not the key that the data in `\(data)` was made with",
      hint: "restore the `keys` that were backed up with this database; if they are lost, move "
        + "master.key away, and `fieldpass keys create --data \(data)` tells what a new one loses"
    )
  }

  private static func look<Value: Sendable>(
    into store: SQLiteStore,
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Value
  ) throws(StartFault) -> Value {
    let found = Blocking.run { () -> Result<Value, StoreFault> in
      do throws(StoreFault) { return .success(try await store.read(body)) } catch {
        return .failure(error)
      }
    }
    switch found {
    case .success(let value): return value
    case .failure:
      throw StartFault("the store cannot be read", hint: "check the disk, or restore a backup")
    }
  }

  /// What the process counts outside its handler.
  private static func readings(
    _ log: LineQueue, _ store: SQLiteStore, _ clock: MachineClock
  ) -> [MetricReading] {
    [
      MetricReading("fieldpass_log_lines_dropped_total", .counter) { log.droppedCount },
      MetricReading("fieldpass_store_damage", .gauge) { Int64(store.damageCount) },
      MetricReading("fieldpass_store_unreadable_records_total", .counter) {
        store.unreadableRecords
      },
      MetricReading("fieldpass_clock_jumps_total", .counter) { clock.jumpCount },
      MetricReading("fieldpass_clock_difference_milliseconds", .gauge) {
        clock.differenceMilliseconds
      },
    ]
  }

  private static func readings(of certificate: CertificateInUse?) -> [MetricReading] {
    guard let certificate else { return [] }
    return [
      MetricReading("fieldpass_certificate_valid_through_seconds", .gauge) {
        certificate.validThrough
      },
      MetricReading("fieldpass_certificate_refusals_total", .counter) { certificate.refusalCount },
    ]
  }

  /// Reads the certificate and the signing keys again.
  ///
  /// What cannot be used is told in the log, and what was in use stays. No connection is closed.
  func reload() {
    keyFolder.look()
    certificate?.reload(also: [metrics])
  }

  /// The first is several times what the work takes, and the span a hundred times what is left.
  private static let evenMilliseconds: ClosedRange<Int64> = 5...24

  private static func world(
    issuer: String, _ setting: Setting, _ files: DataFiles, _ store: SQLiteStore,
    _ clock: MachineClock, _ bell: OutboxBell, _ switchboard: Switchboard,
    _ log: LineQueue
  ) -> World {
    World(
      issuer: issuer, clients: setting.configuration.clients,
      serviceAccounts: files.serviceAccounts,
      organizations: setting.configuration.organizations,
      prices: setting.configuration.prices, keyring: files.keyring, store: store,
      clock: clock, randomness: SystemRandomness(),
      passwords: PooledPasswordHashing(threads: Machine.coreCount),
      proofs: MemoryProofLedger(journal: files.proofs),
      breachedPasswords: files.breachedPasswords,
      throttlesOrigins: !setting.isDevelopment,
      eventsKeptSeconds: setting.configuration.eventDays * Throttle.Limit.daySeconds,
      switchboard: switchboard, evenMilliseconds: evenMilliseconds,
      outboxRung: { bell.ring() },
      faultSeen: { log.write(LogLine.fault($0, at: clock.now())) }
    )
  }

  /// Finishes what is under way, then closes the store.
  ///
  /// The store is last: a use of a closed store would be reported as a fault.
  func stop() {
    let (server, metrics, outbox, webhooks) = (server, metrics, outbox, changeWebhooks)
    let (watch, clockWorker, fileWorker) = (watch, clockWorker, fileWorker)
    watch.answerWaiters()
    Blocking.run {
      async let messages: Void = outbox.stop()
      async let changes: Void = webhooks.stop()
      async let looks: Void = watch.stop()
      async let readings: Void = clockWorker.stop()
      async let files: Void = fileWorker.stop()
      await server.stop()
      await metrics.stop()
      _ = await (messages, changes, looks, readings, files)
    }
    store.close()
  }

  /// Finishes what a migration could not: the configuration says what earlier sessions may read.
  private static func upgrade(_ world: World) throws(StartFault) {
    if case .refusal = Blocking.run({ await grantEarlierScopes(in: world) }) {
      throw StartFault(
        "the sessions of an earlier version cannot be upgraded",
        hint: "make sure that the disk has room and no other program holds the store; start again"
      )
    }
  }

  /// The store of a folder, whose data was made with these keys.
  ///
  /// Without a key the store can only be read, as far as its security log is concerned.
  static func open(
    _ folder: String, keys: StoreKeys? = nil
  ) throws(StartFault) -> SQLiteStore {
    let store = try openAnyway(folder, keys: keys)
    try refuseOtherKey(of: store, folder)
    return store
  }

  /// The same, also when the data was made with other keys, which are lost.
  static func openAnyway(_ folder: String, keys: StoreKeys?) throws(StartFault) -> SQLiteStore {
    do throws(StoreFault) { return try SQLiteStore(directory: folder, keys: keys) } catch {
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
      address: listen.address, port: listen.port, tls: setting.tls,
      unixSeconds: { clock.now().seconds }
    )
    configuration.loops = Machine.coreCount
    // In development every check runs from one address.
    configuration.limits.connectionsPerAddress =
      setting.isDevelopment ? .max : Int(setting.configuration.connectionsPerAddress)
    configuration.limits.largeBodyPaths = FieldpassHandler.largeBodyPaths
    let proxies = TrustedProxies(setting.configuration.trustedProxies)
    configuration.isUnlimitedPeer = { proxies.trusts($0) }
    do throws(HTTPServerFault) {
      return try HTTPServer(configuration, handlerForPort: handlerForPort)
    } catch {
      throw StartFault(error, remedy: "choose another port with --listen")
    }
  }

  /// Plain HTTP on loopback; elsewhere under the server's certificate.
  private static func bindMetrics(
    _ setting: Setting, clock: MachineClock, _ handler: MetricsHandler
  ) throws(StartFault) -> HTTPServer {
    let listen = setting.configuration.metricsListen
    var configuration = HTTPServerConfiguration(
      address: listen.address, port: listen.port, tls: listen.isLoopback ? nil : setting.tls,
      unixSeconds: { clock.now().seconds }
    )
    configuration.limits.connections = MetricsHandler.connectionLimit
    do throws(HTTPServerFault) {
      return try HTTPServer(configuration, handler: handler)
    } catch {
      throw StartFault(error, remedy: "choose another address with metrics_listen")
    }
  }

  private static func files(
    _ setting: Setting, clock: MachineClock, log: LineQueue
  ) throws(StartFault) -> DataFiles {
    let serviceAccounts = try ServiceAccountFiles.accounts(setting.configuration)
    do throws(FileFault) {
      // The inbox shows codes to anyone who asks, so outside development it is not even made.
      let inbox = setting.isDevelopment ? try inbox(in: setting.data, clock: clock) : nil
      return DataFiles(
        keyring: try KeyFiles.keyring(in: setting.data), assets: try WebFolder.load(setting.web),
        inbox: inbox,
        proofs: try proofs(in: setting.data, clock: clock, log: log),
        serviceAccounts: serviceAccounts,
        breachedPasswords: try breachedPasswords(setting, clock: clock, log: log)
      )
    } catch {
      throw StartFault(error)
    }
  }

  private static func breachedPasswords(
    _ setting: Setting, clock: MachineClock, log: LineQueue
  ) throws(FileFault) -> BreachedPasswordFile? {
    guard let path = setting.configuration.breachedPasswordsFile else { return nil }
    do throws(BreachedPasswordFault) {
      return try BreachedPasswordFile(path) {
        log.write(LogLine.fault($0, at: clock.now()))
      }
    } catch {
      throw FileFault(error)
    }
  }

  private static func proofs(
    in data: String, clock: MachineClock, log: LineQueue
  ) throws(FileFault) -> ProofFile {
    let folder = data + "/proofs"
    try Files.makePrivateDirectory(folder)
    do throws(ProofFileFault) {
      return try ProofFile(in: folder) {
        log.write(LogLine.fault($0, at: clock.now()))
      }
    } catch {
      throw FileFault(error.what, hint: "check that the path exists and that this user may use it")
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
      append: { file.write($0) },
      replace: { lines in
        guard truncate(path, 0) == 0 else { return say("`\(path)` could not be emptied") }
        for line in lines { file.write(line) }
      }
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
  let serviceAccounts: [ServiceAccount]
  /// Nil when none is configured.
  let breachedPasswords: BreachedPasswordFile?
}

extension Setting {
  func issuer(port: UInt16) -> String {
    configuration.issuer ?? address(port: port)
  }

  /// Where the server can be reached on this machine, whatever the issuer is.
  func address(port: UInt16) -> String {
    (configuration.tls == nil ? "http://" : "https://") + configuration.listen.authority(port: port)
  }

  func metricsAddress(port: UInt16) -> String {
    let listen = configuration.metricsListen
    return (listen.isLoopback ? "http://" : "https://") + listen.authority(port: port)
  }

  fileprivate var tls: HTTPServerConfiguration.TLS? { configuration.tls.map(Self.files) }

  static func files(of tls: Configuration.TLS) -> HTTPServerConfiguration.TLS {
    .init(
      certificateFile: tls.certificateFile, keyFile: tls.keyFile, allowsTLS12: tls.allowsTLS12
    )
  }
}

extension StartFault {
  /// Tells what is wrong; `remedy` says what to change when the address cannot be used.
  init(_ fault: HTTPServerFault, remedy: String) {
    switch fault {
    case .addressMalformed(let address):
      self.init("`\(address)` is no address", hint: "write it as 127.0.0.1:8080")
    case .addressUnavailable(let address, let port, let code):
      self.init(
        "cannot listen on \(address):\(port): \(String(cString: strerror(code)))",
        hint: "\(remedy), or stop what uses this one"
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
