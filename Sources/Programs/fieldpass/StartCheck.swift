import BreachedPasswordFiles
import HTTPServer
import JSONText
import PlaceFiles
import SignInModel
import SignInService
import SystemPorts
import TextMessengers

/// Collects all mistakes that prevent a start, so that they are reported together (P-09).
///
/// It reads files and creates none. Mistakes that only a start can find, such as a port in use, are
/// not included.
struct StartCheck {
  private(set) var complaints: [(what: String, hint: String)] = []
  private(set) var warnings: [String] = []
  private let options: ServeOptions
  private var configuration: Configuration?
  private var members: [JSONMember] = []
  private let now: Instant

  init(_ options: ServeOptions, now: Instant) {
    self.options = options
    self.now = now
    let reading = readConfiguration()
    if let configuration {
      takeOwner(of: dataFolder(configuration))
      checkListen(configuration)
      if let tls = configuration.tls { checkTLS(tls, configuration) }
      collect { () throws(StartFault) in
        try MessengerFactory.check(
          configuration, hasInbox: options.isDevelopment,
          areUsable: reading?.hasMistake(at: "messengers") != true)
      }
      if let path = configuration.authoritiesFile { checkAuthorities("authorities_file", path) }
      if let server = configuration.store?.server { checkDatabase(server) }
      checkBreachedPasswords(configuration)
      checkPlaces(configuration)
      if reading?.hasMistake(at: "clients") != true {
        collect { () throws(StartFault) in _ = try RegistrationNumberFiles.clients(configuration) }
      }
      if reading?.hasMistake(at: "service_accounts") != true {
        collect { () throws(StartFault) in _ = try ServiceAccountFiles.accounts(configuration) }
      }
      if reading?.hasMistake(at: "change_webhooks") != true {
        collect { () throws(StartFault) in
          _ = try ChangeWebhooks(configuration, clock: MachineClock())
        }
      }
      if reading?.hasMistake(at: "providers") != true {
        collect { () throws(StartFault) in _ = try ProviderFiles.providers(configuration) }
      }
      checkData(dataFolder(configuration))
      warnings += configuration.warnings
    }
    checkWeb()
  }

  /// The values with which the server starts.
  ///
  /// Throws if there are mistakes.
  func setting() throws(StartFault) -> ServerSettings {
    guard complaints.isEmpty, let configuration else { throw StartFault(complaints) }
    return ServerSettings(
      configuration: configuration,
      place: DataPlace(
        folder: dataFolder(configuration), server: configuration.store?.server),
      web: options.web ?? WebFolder.standard, isDevelopment: options.isDevelopment,
      members: members, warnings: warnings
    )
  }

  private func dataFolder(_ configuration: Configuration) -> String {
    options.data ?? configuration.store?.folder ?? DataLocation.usual
  }

  private mutating func note(_ what: String, hint: String) { complaints.append((what, hint)) }

  private mutating func collect(_ read: () throws(StartFault) -> Void) {
    do throws(StartFault) { try read() } catch { complaints += error.complaints }
  }
}

// MARK: - The configuration

extension StartCheck {
  private mutating func readConfiguration() -> ConfigurationReading? {
    var reading: ConfigurationReading?
    if let path = options.config {
      do throws(StartFault) {
        let bytes = try ServerSettings.bytes(of: path)
        members = ServerSettings.members(in: bytes)
        let found = ServerSettings.reading(
          bytes, at: path, isDevelopment: options.isDevelopment)
        complaints += StartFault(found.mistakes).complaints
        configuration = found.configuration
        reading = found
      } catch {
        complaints += error.complaints
      }
    } else if options.isDevelopment {
      configuration = .demo
    } else {
      note("a configuration is needed", hint: "name it with --config, or try --development")
    }
    if options.isDevelopment, let metrics = configuration?.metricsListen {
      configuration?.metricsListen = metrics.withAnyPort
    }
    guard let text = options.listen else { return reading }
    if let listen = ListenAddress(parsing: text) {
      configuration?.listen = listen
    } else {
      note("`--listen \(text)` is not an address", hint: "write it as 127.0.0.1:8080")
    }
    return reading
  }

  /// The configuration's rules for `listen` apply to `--listen` too.
  private mutating func checkListen(_ configuration: Configuration) {
    guard options.listen != nil, !configuration.listen.isLoopback else { return }
    if configuration.tls == nil, !configuration.listensSafely(at: configuration.listen) {
      note(
        "plain HTTP is allowed only on this machine, or on a private address behind a proxy",
        hint: "listen on 127.0.0.1, name a certificate under `tls` in the configuration, or set "
          + "`behind_tls_proxy` there and listen on a private address"
      )
    }
    if options.isDevelopment {
      note(
        "--development shows every code, and \(configuration.listen.address) can be reached by "
          + "other machines",
        hint: "listen on 127.0.0.1, or remove --development"
      )
    }
  }
}

// MARK: - The files it names

extension StartCheck {
  private mutating func checkTLS(_ tls: Configuration.TLS, _ configuration: Configuration) {
    // An empty path was already reported as a mistake in the configuration.
    guard !tls.keyFile.isEmpty, !tls.certificateFile.isEmpty else { return }
    let check = CertificateCheck(
      tls, configuration, isDevelopment: options.isDevelopment, now: now)
    complaints += check.complaints
    warnings += check.warnings
    // A running server warns about it again and again.
    guard options.isCheck, check.complaints.isEmpty, let last = check.validThrough,
      let warning = CertificateCheck.warning(validThrough: last, now: now)
    else { return }
    warnings.append(warning)
  }

  private mutating func checkBreachedPasswords(_ configuration: Configuration) {
    guard let path = configuration.breachedPasswordsFile else { return }
    do throws(BreachedPasswordFault) {
      _ = try BreachedPasswordFile(path) { _ in }
    } catch {
      let fault = FileFault(error)
      note(fault.what, hint: fault.hint)
    }
  }

  private mutating func checkAuthorities(_ key: String, _ path: String) {
    do throws(FileFault) {
      let text = String(decoding: try Files.read(path), as: UTF8.self)
      if !text.contains("-----BEGIN CERTIFICATE-----") {
        note(
          "\(key): `\(path)` contains no certificate",
          hint: "name a PEM file with the certificates of the authorities")
      }
    } catch {
      note("\(key): \(error.what)", hint: error.hint)
    }
  }

  /// Reads the password and the authorities; only a start connects to the database.
  private mutating func checkDatabase(_ server: Configuration.DatabaseServer) {
    collect { () throws(StartFault) in _ = try DataPlace.postgresServer(server) }
    if let path = server.authoritiesFile { checkAuthorities("store.authorities_file", path) }
  }

  private mutating func checkPlaces(_ configuration: Configuration) {
    guard let path = configuration.placesFile else { return }
    do throws(PlaceFileFault) { _ = try PlaceFile(path) } catch {
      let fault = FileFault(error)
      note(fault.what, hint: fault.hint)
    }
  }

  /// What follows is checked with the rights that the server will have.
  private mutating func takeOwner(of folder: String) {
    do throws(FileFault) { try Files.takeOwner(of: folder) } catch {
      note(error.what, hint: error.hint)
    }
  }

  private mutating func checkData(_ folder: String) {
    do throws(FileFault) {
      try Files.checkFolder(folder)
    } catch {
      note(error.what, hint: error.hint)
      return
    }
    complaints += KeyFiles.faults(in: folder).map { ($0.what, $0.hint) }
  }

  /// Checks the folder of the web apps.
  ///
  /// A folder that `--web` names must contain files.
  ///
  /// The default folder may be missing: a server with only native apps has no web apps.
  private mutating func checkWeb() {
    if let folder = options.web {
      guard Files.list(folder).isEmpty else { return }
      note(
        "there are no web apps in `\(folder)`",
        hint: "name the folder that `Scripts/build-web` made with --web"
      )
    } else if Files.list(WebFolder.standard).isEmpty {
      warnings.append(
        "no web apps are served: \(WebFolder.standard) has none; "
          + "--web names another folder"
      )
    }
  }
}

extension FileFault {
  init(_ fault: BreachedPasswordFault) {
    self.init(fault.what, hint: "name the list ordered by hash with breached_passwords_file")
  }

  init(_ fault: PlaceFileFault) {
    self.init(fault.what, hint: "name a file in the MaxMind DB format with places_file")
  }
}
