import BreachedPasswordFiles
import Cryptography
import Glibc
import HTTPServer
import ProofFiles
import SQLStore
import SignInHTTP
import SignInModel
import SignInRules
import SignInService
import SignInWire
import SystemPorts
import TextMessengers
import Threads

/// A server that accepts connections, sends messages, and can be stopped in order.
final class RunningServer {
  /// The URL of the server.
  ///
  /// If the configured port was 0, it has the port that the system chose.
  let address: String
  /// The URL of the metrics.
  let metricsAddress: String
  private let server: HTTPServer
  private let metrics: HTTPServer
  private let store: any OpenedStore
  private let outbox: OutboxWorker
  private let changeWebhooks: ChangeWebhookWorker
  private let providers: ProviderWorker?
  private let watch: SessionWatchWorker
  private let linker: EventLinker
  private let clockWorker: ClockWorker
  private let signingKeys: any SigningKeyWatch
  /// `nil` for a server without its own TLS configuration.
  private let certificate: CertificateInUse?
  private let fileWorker: FileWorker
  private let nodes: NodeWorker
  /// Locked as long as the server exists.
  private let lock: ServerLock

  init(_ setting: ServerSettings, log: LineQueue) throws(StartFault) {
    let clock = MachineClock()
    lock = try Self.lock(setting.data)
    let files = try DataFiles(setting, clock: clock, log: log)
    let store = try Self.store(setting, keys: files.keyring.store, clock: clock, log: log)
    signingKeys = try Self.signingKeys(files.keyring, store, setting, clock: clock, log: log)
    let signal = OutboxSignal()
    let reports = DeliveryReportQueue()
    let router = try MessengerFactory.router(
      setting.configuration, inbox: files.inbox, clock: clock, reports: reports)
    let parts = WorldParts(
      setting: setting, files: files, store: store, clock: clock, signal: signal, router: router,
      log: log)
    let waiters = SessionWaiters()
    let comparison = ConfigurationComparison(setting, files.keyring, store.nodeReportStore)
    var providers: ProviderConnections?
    var handlerAtPort: FieldpassHandler?
    server = try Self.bind(setting, clock: clock) { port in
      providers = ProviderConnections(files.providers, setting, port, store: store, clock: clock)
      let world = parts.world(issuer: setting.issuer(port: port), providers?.directory)
      let handler = FieldpassHandler(
        world: world, assets: files.assets,
        development: files.inbox.map { DemoTools($0, clock, world, providers?.practice) },
        proxies: TrustedProxies(setting.configuration.trustedProxies), waiters: waiters,
        readinessWarning: { comparison.publicWarning },
        securityContact: setting.configuration.securityContact, log: { log.write($0) })
      handlerAtPort = handler
      return handler
    }
    guard let handler = handlerAtPort else {
      preconditionFailure("binding the server did not create a handler")
    }
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
    try Self.report(comparison, setting.place, clock, log)
    Self.prepare(world, setting, log)
    outbox = OutboxWorker(router: router, signal: signal, reports: reports, world: world)
    changeWebhooks = ChangeWebhookWorker(webhooks, log: log, world: world)
    self.providers = providers.map { ProviderWorker($0, clock: clock, log: log) }
    clockWorker = ClockWorker(clock, log: log)
    fileWorker = FileWorker(signingKeys, certificate, clock: clock)
    watch = Self.watch(waiters, of: store, world)
    linker = EventLinker(world: world)
    nodes = NodeWorker(comparison, clock: clock, log: log, stopServer: Self.orderStop)
    server.start()
    metrics.start()
  }

  /// Sends the signal for which the main thread waits.
  @Sendable private static func orderStop() { _ = kill(getpid(), SIGTERM) }

  /// Opens the store and watches it for damage.
  private static func store(
    _ setting: ServerSettings, keys: StoreKeys, clock: MachineClock, log: LineQueue
  ) throws(StartFault) -> any OpenedStore {
    let store = try open(setting.place, keys: keys)
    try checkUse(of: store, setting)
    do throws(StartFault) { try checkClock(of: store, setting.place, clock) } catch {
      store.close()
      throw error
    }
    store.watchForDamage {
      log.write(LogLine.fault("the database is damaged: \($0); restore a backup", at: clock.now()))
    }
    return store
  }

  /// Watches the security log, and reads it at once after a notification of new events.
  private static func watch(
    _ waiters: SessionWaiters, of store: any OpenedStore, _ world: World
  ) -> SessionWatchWorker {
    let pause =
      store.isShared ? SessionWatch.notifiedPauseMilliseconds : SessionWatch.pauseMilliseconds
    let watch = SessionWatchWorker(
      SessionWatch(waiters), world: world, pauseMilliseconds: pause)
    store.followEvents { watch.wake() }
    return watch
  }

  /// The signing keys of the store, or of the folder of its only server.
  private static func signingKeys(
    _ keyring: Keyring, _ store: any OpenedStore, _ setting: ServerSettings,
    clock: MachineClock, log: LineQueue
  ) throws(StartFault) -> any SigningKeyWatch {
    guard let table = store.signingKeyStore else {
      return KeyFolderWatch(keyring.signing, data: setting.data, clock: clock, log: log)
    }
    return try SigningKeyTableWatch(
      keyring.signing, SharedSigningKeys(in: table, keys: keyring.store), folder: setting.data,
      clock: clock, log: log)
  }

  /// The steps of each start, before the first request.
  private static func prepare(
    _ world: World, _ setting: ServerSettings, _ log: LineQueue
  ) {
    BlockingCall.run { await startEventKey(in: world) }
    if setting.isDevelopment { prepareDemoData(in: world, log) }
    for warning in setting.warnings {
      log.write(LogLine.warning(warning, at: world.clock.now()))
    }
  }

  /// Locks the folder, so that no other server uses it, before any file in it is read or created.
  private static func lock(_ data: String) throws(StartFault) -> ServerLock {
    do throws(FileFault) {
      try Files.makePrivateDirectory(data)
      try Files.takeOwner(of: data)
    } catch {
      throw StartFault(error)
    }
    return try ServerLock.taken(on: data)
  }

  /// The passwords of the demo are published.
  ///
  /// So a production server refuses a store with demo accounts, and a development server does not
  /// add them to a production store.
  private static func checkUse(
    of store: any OpenedStore, _ setting: ServerSettings
  ) throws(StartFault) {
    let name = setting.place.databaseName
    let (hasAccounts, hasDemo) = try Self.read(from: store, setting.place) {
      (transaction) throws(StoreFault) in
      (try transaction.hasAccounts(), try transaction.hasDemoAccounts())
    }
    if setting.isDevelopment, hasAccounts, !hasDemo {
      throw StartFault(
        "\(name) was used in production: --development would add accounts with published "
          + "passwords, and would show every code",
        hint: "name another folder with --data"
      )
    }
    if !setting.isDevelopment, hasDemo {
      throw StartFault(
        "\(name) was used with --development: it contains demo accounts with published "
          + "passwords",
        hint: "name another folder with --data or `store`, or remove them with "
          + "`fieldpass demo remove \(setting.place.option)`"
      )
    }
  }

  /// Refuses a database with another time.
  ///
  /// A server that is ahead would take messages from other servers while they send them, and would
  /// remove records too early. A command would let a new key sign too early or too late.
  static func checkClock(
    of store: any OpenedStore, _ place: DataPlace, _ clock: MachineClock
  ) throws(StartFault) {
    let comparison = try read(from: store, place) { (transaction) throws(StoreFault) in
      try transaction.comparedClocks(with: clock)
    }
    guard let comparison, !comparison.isWithinLimit else { return }
    throw StartFault(
      comparison.text,
      hint: "check the time service of this machine and of \(place.databaseName)")
  }

  /// Refuses a store that was created with another key.
  ///
  /// Otherwise every password would fail.
  private static func checkKey(
    of store: any OpenedStore, _ place: DataPlace
  ) throws(StartFault) {
    guard
      try Self.read(
        from: store, place, { (transaction) throws(StoreFault) in try transaction.hasOtherKey() })
    else { return }
    store.close()
    throw otherKey(place)
  }

  private static func otherKey(_ place: DataPlace) -> StartFault {
    StartFault(
      "`\(place.folder)/keys/master.key` is not the key that the data in \(place.databaseName) was "
        + "made with",
      hint: "restore the `keys` that were backed up with this database; if they are lost, move "
        + "master.key away; `fieldpass keys create \(place.option)` shows what a new key would lose"
    )
  }

  /// Reports this server to the others before it writes anything with its key.
  ///
  /// So either `fieldpass keys create` finds this report, or this server finds the new key.
  private static func report(
    _ comparison: ConfigurationComparison, _ place: DataPlace, _ clock: MachineClock,
    _ log: LineQueue
  ) throws(StartFault) {
    let hasKey = try StoreContent.read(place) { () throws(StoreFault) in
      try await NodeWorker.report(comparison, clock: clock, log: log)
    }
    guard hasKey else { throw otherKey(place) }
  }

  private static func read<Value: Sendable>(
    from store: any OpenedStore, _ place: DataPlace,
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Value
  ) throws(StartFault) -> Value {
    try StoreContent.read(place) { () throws(StoreFault) in try await store.read(body) }
  }

  /// The metrics that are counted outside the handler.
  private static func readings(
    _ log: LineQueue, _ store: any OpenedStore, _ clock: MachineClock
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
  /// If a file cannot be used, the log says why and the old value stays in use. Connections stay
  /// open.
  func reload() {
    let keys = signingKeys
    BlockingCall.run { await keys.check() }
    certificate?.reload(also: [metrics])
  }

  /// Whether this server had to stop because the master key of its database was replaced.
  var hasOtherKey: Bool { nodes.hasOtherKey }

  /// Finishes the current work, then closes the store.
  ///
  /// The store is closed last, because using a closed store would be reported as a fault.
  func stop() {
    let (server, metrics, outbox, webhooks) = (server, metrics, outbox, changeWebhooks)
    let providers = providers
    let (watch, linker, clockWorker, fileWorker) = (watch, linker, clockWorker, fileWorker)
    let nodes = nodes
    watch.answerWaiters()
    BlockingCall.run {
      async let messages: Void = outbox.stop()
      async let changes: Void = webhooks.stop()
      async let documents: Void? = providers?.stop()
      async let looks: Void = watch.stop()
      async let readings: Void = clockWorker.stop()
      async let files: Void = fileWorker.stop()
      await server.stop()
      await metrics.stop()
      _ = await (messages, changes, documents, looks, readings, files)
      await linker.stop()
      // Until here the server may have used its key, so it still reports that it runs.
      await nodes.stop()
    }
    store.close()
  }

  /// The server starts without the demo data if they cannot be written.
  private static func prepareDemoData(in world: World, _ log: LineQueue) {
    do throws(Refusal) {
      _ = try BlockingCall.run { () throws(Refusal) in try await prepareDemo(in: world) }
    } catch {
      let text = "the demo data could not be prepared: \(error.code.rawValue)"
      log.write(LogLine.warning(text, at: world.clock.now()))
    }
  }

  /// Opens the store of a place.
  ///
  /// Throws if its data was made with other keys.
  ///
  /// Without `keys`, no event can be added to a security log that has a key.
  static func open(
    _ place: DataPlace, keys: StoreKeys? = nil
  ) throws(StartFault) -> any OpenedStore {
    let store = try place.openWithAnyKey(keys)
    try checkKey(of: store, place)
    return store
  }

  private static func bind(
    _ setting: ServerSettings, clock: MachineClock, handlerForPort: (UInt16) -> any HTTPHandler
  ) throws(StartFault) -> HTTPServer {
    let listen = setting.configuration.listen
    var configuration = HTTPServerConfiguration(
      address: listen.address, port: listen.port, tls: setting.tls,
      unixSeconds: { clock.now().seconds }
    )
    configuration.loops = Machine.coreCount
    // In development, all requests of a test come from one address.
    configuration.limits.connectionsPerAddress =
      setting.isDevelopment ? .max : Int(setting.configuration.connectionsPerAddress)
    if setting.isDevelopment { configuration.limits.largeBodiesPerAddress = .max }
    configuration.limits.largeBodyPaths = FieldpassHandler.largeBodyPaths
    configuration.limits.largeBodyTemplates = FieldpassHandler.largeBodyTemplates
    let proxies = TrustedProxies(setting.configuration.trustedProxies)
    configuration.isUnlimitedPeer = { proxies.trusts($0) }
    do throws(HTTPServerFault) {
      return try HTTPServer(configuration, handlerForPort: handlerForPort)
    } catch {
      throw StartFault(error, remedy: "choose another port with --listen")
    }
  }

  /// Plain HTTP on loopback.
  ///
  /// On other addresses, HTTPS with the server's certificate.
  private static func bindMetrics(
    _ setting: ServerSettings, clock: MachineClock, _ handler: MetricsHandler
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
}

extension ServerSettings {
  func issuer(port: UInt16) -> String {
    configuration.issuer ?? address(port: port)
  }

  /// The URL of the server on this machine.
  ///
  /// It is independent of the issuer.
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
  /// Describes a fault of the HTTP server.
  ///
  /// `remedy` says what to change if the address cannot be used.
  init(_ fault: HTTPServerFault, remedy: String) {
    switch fault {
    case .addressMalformed(let address):
      self.init("`\(address)` is not an address", hint: "write it as 127.0.0.1:8080")
    case .addressUnavailable(let address, let port, let code):
      self.init(
        "cannot listen on \(address):\(port): \(String(cString: strerror(code)))",
        hint: "\(remedy), or stop the program that uses this one"
      )
    case .certificateUnreadable(let path):
      self.init("`\(path)` contains no certificate", hint: "name a PEM file under tls.certificate")
    case .keyUnreadable(let path):
      self.init("`\(path)` contains no private key", hint: "name a PEM file under tls.key")
    case .keyDoesNotMatchCertificate:
      self.init(
        "tls.key and tls.certificate are not a pair",
        hint: "name a certificate and its own private key")
    }
  }
}
