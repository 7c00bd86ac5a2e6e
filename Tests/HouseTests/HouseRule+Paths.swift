extension HouseRule {
  /// The fixed paths of the server, and the beginnings of those with a segment that varies, as
  /// `Endpoint.swift` defines them.
  static let serverPaths: (fixed: Set<String>, beginnings: [String]) = {
    let table = SourceFile.sources.first { $0.path.hasSuffix("SignInWire/Endpoint.swift") }
    let texts = (table?.text ?? "").matches(of: /\"(\/[^"]+)"\n/).map { String($0.output.1) }
    let fixed = Set(texts.filter { !$0.contains("\\(") })
    let beginnings = texts.compactMap { $0.split(separator: "\\(").first.map(String.init) }
    return (fixed, Set(beginnings).subtracting(fixed).sorted())
  }()

  /// The files that define the addresses of the server.
  private static let addressTables = ["SignInWire/Endpoint.swift", "SignInWire/PageAddress.swift"]

  /// The layers in which a text that begins with a slash can only be an address of the server.
  ///
  /// Other layers also have paths of files.
  private static let layersWithoutFiles: Set = ["Portable", "Service", "Client"]

  /// The folders of the system, which are not of the server.
  private static let systemFolders = ["/proc/", "/dev/", "/etc/"]

  /// Finds texts that are an address of the server, or begin with one, also after the name of a
  /// host.
  ///
  /// `Endpoint` and `PageAddress` define each address once.
  static func paths(_ file: SourceFile) -> [Finding] {
    let isProduct = file.isSource || file.path.hasPrefix("Benchmarks/")
    guard file.isSwift, isProduct, !addressTables.contains(where: file.path.hasSuffix),
      !foreignAddresses.contains(where: file.path.contains)
    else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      let isComment = line.drop { $0 == " " }.hasPrefix("//")
      guard !isComment, line.contains("/") else { return nil }
      let texts = line.matches(of: /"(?:https?:\/\/[^\/"]+)?(\/[^"]*)/).map { String($0.output.1) }
      let hasUnknown =
        file.layer.map { layersWithoutFiles.contains($0) } == true
        && line.matches(of: /"(\/[a-z.][^"]*)/).contains { match in
          !systemFolders.contains { match.output.1.hasPrefix($0) }
        }
      guard hasUnknown || texts.contains(where: { isPath($0) }) else { return nil }
      return Finding(line: index + 1, advice: "name the address: Endpoint or PageAddress has it")
    }
  }

  private static func isPath(_ text: String) -> Bool {
    let path = String(text.prefix { $0 != "?" && $0 != "\\" })
    return serverPaths.beginnings.contains { text.hasPrefix($0) }
      || serverPaths.fixed.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  /// Files with addresses of others: identity providers and messengers.
  private static let foreignAddresses = [
    "Practice/", "PracticeProvider", "Providers/IdentityProvider.swift",
    "Providers/ProviderExchange", "TextMessengers/", "IdentityProviderLoad",
  ]

  /// Files with fields of others: identity providers and messengers.
  private static let foreignFields = [
    "Practice/", "PracticeProvider", "Service/SignInService/Providers/", "TextMessengers/",
    "IdentityProviderLoad",
  ]

  /// Names that are not of the HTTP interface, each with its definition.
  private static let ownNames = [
    // Keys of the configuration: `ConfigurationShape+Keys.swift`.
    "Configuration/Configuration", "Configuration/MessengerKind", "Configuration/ProviderPreset",
    "Configuration/ProviderIssuerRules",
    // Fields of the log: `docs/operate/log.md`.
    "LogLine",
    // Members of an OpenAPI document and of a JSON schema.
    "Description/OpenAPI", "Description/Schema.swift", "Description/Schema+Limits",
    // Records that an app stores. Each file writes and reads one kind.
    "ActivitiesHome", "AppLock", "KnownLockouts", "LastActivity", "OfflineCopyEffect",
    "OfflineCopyHead", "PartialSync",
    "PendingCodeSignIn", "PendingProviderSignIn", "ProviderMenu", "StatusChangeQueue",
    "StoredSession",
  ]

  /// Finds names of fields of requests and answers in texts, which `WireField` defines.
  static func fields(_ file: SourceFile) -> [Finding] {
    let isProduct = file.isSource || file.path.hasPrefix("Benchmarks/")
    guard file.isSwift, isProduct, !foreignFields.contains(where: file.path.contains) else {
      return []
    }
    let parameter = #/(form\??\[|Form\.Field\(|Parameter\(name: )"[a-z]/#
    let member = #/JSONMember\("|isNamed\("[a-z_]+"\)|[\w)?\]]\["[a-z_]+"\]/#
    let pair = #/\("[a-z_]+", ?\.[a-z]|^ *"[a-z_]+", \.[a-z]/#
    let hasMembers = ["/SignInHTTP/", "/SignInService/", "/SignInEngine/", "/SignInFlow/"]
      .contains(where: file.path.contains)
    let isOwn = ownNames.contains(where: file.path.contains)
    return file.lines.enumerated().compactMap { index, line in
      guard line.contains("\"") else { return nil }
      let isComment = line.drop { $0 == " " }.hasPrefix("//")
      let isMember =
        hasMembers && !isOwn && !isComment && (line.contains(member) || line.contains(pair))
      return line.contains(parameter) || isMember
        ? Finding(line: index + 1, advice: "name the field: WireField defines it") : nil
    }
  }
}
