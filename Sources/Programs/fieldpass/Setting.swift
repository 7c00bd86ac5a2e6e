import SignInService
import TextMessengers

/// What the command line and the configuration file say together, checked.
struct Setting {
  let configuration: Configuration
  let data: String
  let web: String
  let isDevelopment: Bool

  init(_ options: ServeOptions) throws(StartFault) {
    isDevelopment = options.isDevelopment
    var configuration = try Self.configuration(options)
    if let text = options.listen {
      guard let listen = ListenAddress(parsing: text) else {
        throw StartFault("`--listen \(text)` is no address", hint: "write it as 127.0.0.1:8080")
      }
      configuration.listen = listen
    }
    guard configuration.listen.isLoopback || configuration.tls != nil else {
      throw StartFault(
        "plain HTTP is refused outside this machine",
        hint: "listen on 127.0.0.1, or name a certificate under `tls` in the configuration"
      )
    }
    guard configuration.listen.isLoopback || !options.isDevelopment else {
      throw StartFault(
        "--development shows every code, and \(configuration.listen.address) can be reached by "
          + "other machines",
        hint: "listen on 127.0.0.1, or leave --development out"
      )
    }
    if options.isDevelopment {
      configuration.metricsListen = configuration.metricsListen.withAnyPort
    }
    if let tls = configuration.tls {
      do throws(FileFault) { try Files.checkPrivate(tls.keyFile) } catch {
        throw StartFault("tls.key: \(error.what)", hint: error.hint)
      }
    }
    self.configuration = configuration
    switch (options.data, configuration.store) {
    case (let data?, _): self.data = data
    case (nil, .sqlite(let directory)): data = directory
    }
    web = options.web ?? WebFolder.standard
  }

  private static func configuration(_ options: ServeOptions) throws(StartFault) -> Configuration {
    guard let path = options.config else {
      guard options.isDevelopment else {
        throw StartFault(
          "a configuration is needed", hint: "name it with --config, or try --development"
        )
      }
      return .demo
    }
    return try read(path, isDevelopment: options.isDevelopment)
  }

  static func read(
    _ path: String, isDevelopment: Bool
  ) throws(StartFault) -> Configuration {
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try Files.read(path) } catch { throw StartFault(error) }
    switch Configuration.parse(
      bytes, development: isDevelopment, messengers: MessengerKinds.all
    ) {
    case .success(let configuration): return configuration
    case .failure(let mistakes): throw StartFault(mistakes)
    }
  }
}
