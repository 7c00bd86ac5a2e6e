extension HouseRule {
  /// Finds paths of the server in texts.
  ///
  /// `Endpoint` defines each path once. The pages of the apps and the practice providers have paths
  /// of their own.
  static func paths(_ file: SourceFile) -> [Finding] {
    let isProduct = file.isSource || file.path.hasPrefix("Benchmarks/")
    guard file.isSwift, isProduct, !file.path.hasSuffix("SignInWire/Endpoint.swift") else {
      return []
    }
    let path = #/"/(oauth|api|admin|password|providers|apps|messages)\//#
    let document =
      #/"/(accounts"|jwks\.json|openapi\.json|livez|readyz|metrics|dev/(messages|clock|accounts))/#
    return file.lines.enumerated().compactMap { index, line in
      let isComment = line.drop { $0 == " " }.hasPrefix("//")
      guard !isComment, line.contains(path) || line.contains(document) else { return nil }
      return Finding(line: index + 1, advice: "name the endpoint: Endpoint defines the path")
    }
  }

  /// Contracts of others: identity providers and messengers.
  private static let foreignContracts = [
    "Practice/", "PracticeProvider", "Service/SignInService/Providers/", "TextMessengers/",
    "IdentityProviderLoad",
  ]

  /// Finds names of request fields in texts, which `RequestField` defines.
  static func fields(_ file: SourceFile) -> [Finding] {
    let isProduct = file.isSource || file.path.hasPrefix("Benchmarks/")
    guard file.isSwift, isProduct, !foreignContracts.contains(where: file.path.contains) else {
      return []
    }
    let name = #/(form\??\[|Form\.Field\(|Parameter\(name: )"[a-z]/#
    return file.lines.enumerated().compactMap { index, line in
      line.contains(name)
        ? Finding(line: index + 1, advice: "name the field: RequestField defines it") : nil
    }
  }
}
