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

  /// Finds texts that are the path of an endpoint, or begin with one.
  ///
  /// `Endpoint` defines each path once.
  static func paths(_ file: SourceFile) -> [Finding] {
    let isProduct = file.isSource || file.path.hasPrefix("Benchmarks/")
    guard file.isSwift, isProduct, !file.path.hasSuffix("SignInWire/Endpoint.swift"),
      !foreignContracts.contains(where: file.path.contains)
    else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      let isComment = line.drop { $0 == " " }.hasPrefix("//")
      guard !isComment, line.contains("\"/") else { return nil }
      let texts = line.matches(of: /"(\/[^"]*)/).map { $0.output.1 }
      guard texts.contains(where: { isPath(String($0)) }) else { return nil }
      return Finding(line: index + 1, advice: "name the endpoint: Endpoint defines the path")
    }
  }

  private static func isPath(_ text: String) -> Bool {
    let path = String(text.prefix { $0 != "?" && $0 != "\\" })
    return serverPaths.beginnings.contains { text.hasPrefix($0) }
      || serverPaths.fixed.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  /// Contracts of others: identity providers and messengers.
  private static let foreignContracts = [
    "Practice/", "PracticeProvider", "Service/SignInService/Providers/", "TextMessengers/",
    "IdentityProviderLoad",
  ]

  /// Names that are not of the HTTP interface, each with its definition.
  private static let ownNames = [
    // Keys of the configuration: `ConfigurationShape+Keys.swift`.
    "Configuration/Configuration", "Configuration/MessengerKind", "Configuration/ProviderPreset",
    // Fields of the log: `docs/operate/log.md`.
    "LogLine",
    // Members of an OpenAPI document and of a JSON schema.
    "Description/OpenAPI", "Description/Schema.swift", "Description/Schema+Limits",
    // Records that an app stores. Each file writes and reads one kind.
    "ActivitiesHome", "AppLock", "LastActivity", "OfflineCopyStorage", "PartialSync",
    "PendingCodeSignIn", "PendingProviderSignIn", "ProviderMenu", "StoredSession",
  ]

  /// Finds names of fields of requests and answers in texts, which `WireField` defines.
  static func fields(_ file: SourceFile) -> [Finding] {
    let isProduct = file.isSource || file.path.hasPrefix("Benchmarks/")
    guard file.isSwift, isProduct, !foreignContracts.contains(where: file.path.contains) else {
      return []
    }
    let parameter = #/(form\??\[|Form\.Field\(|Parameter\(name: )"[a-z]/#
    let member = #/JSONMember\("|isNamed\("[a-z_]+"\)|[\w)?\]]\["[a-z_]+"\]/#
    let pair = #/\("[a-z_]+", ?\.[a-z]|^ *"[a-z_]+", \.[a-z]/#
    let hasMembers = ["/SignInHTTP/", "/SignInService/", "/SignInFlow/"]
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
