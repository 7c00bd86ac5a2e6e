import JSONText
import SignInModel

/// The rules for the names and addresses that identify the issuer of a provider.
///
/// An issuer names one directory. An address that serves the people of several ones names
/// another issuer in each token, so none of them could be compared with the configuration.
struct ProviderIssuerRules {
  /// The names with which Microsoft serves the people of many tenants.
  private static let sharedTenants: Set<String> = ["common", "organizations", "consumers"]
  /// The hosts of Microsoft's issuers and of their metadata, also in national clouds.
  private static let tenantHosts = [
    "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn",
    "login.chinacloudapi.cn", "login.microsoftonline.de", "login.windows.net",
    "login.microsoft.com",
    "sts.windows.net",
  ]
  private static let tenantDomains = [".ciamlogin.com", ".b2clogin.com"]

  let entry: JSON
  let path: String

  func check(into checker: inout ConfigurationChecker) {
    checkTenant(&checker)
    checkUserPool(&checker)
    for key in ["issuer", "discovery"] {
      guard let text = entry[key]?.text, let address = WebAddress(parsing: text) else { continue }
      if let problem = problem(of: address, text) {
        checker.note("\(path).\(key)", problem.what, problem.remedy)
      }
    }
    checkRegions(&checker)
  }

  private func checkTenant(_ checker: inout ConfigurationChecker) {
    guard let preset = ProviderPreset.named(entry.string("kind")),
      preset.members.contains(where: { $0.key == "tenant" }), let tenant = entry["tenant"]?.text
    else { return }
    let remedy = "write the tenant's identifier, such as 11111111-2222-3333-4444-555555555555"
    if Self.sharedTenants.contains(tenant.lowercased()) {
      checker.note(
        "\(path).tenant", "names the people of many tenants, so it identifies no issuer",
        remedy + "; for several tenants, write one provider for each")
    } else if !Self.isTenant(tenant) {
      checker.note("\(path).tenant", "is not the identifier (GUID) of a tenant", remedy)
    }
  }

  /// Eight, four, four, four and twelve hexadecimal digits.
  private static func isTenant(_ text: some StringProtocol) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy {
        Host.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
      }
  }

  private func checkUserPool(_ checker: inout ConfigurationChecker) {
    guard entry["kind"]?.text == ProviderPreset.cognito.name, let region = entry["region"]?.text,
      let pool = entry["user_pool"]?.text, !Self.isPool(pool, of: region)
    else { return }
    checker.note(
      "\(path).user_pool", "is not a user pool of the region \(region)",
      "write the pool's identifier, which begins with its region, such as eu-north-1_AbCdEfGhI")
  }

  private static func isPool(_ pool: some StringProtocol, of region: String) -> Bool {
    let start = region + "_"
    return pool.hasPrefix(start) && pool.utf8.count > start.utf8.count
  }

  private func problem(
    of address: WebAddress, _ text: String
  ) -> (what: String, remedy: String)? {
    let placeholders = "{}<>$*"
    if text.contains(where: { placeholders.contains($0) }) {
      return ("contains a placeholder", "write the address of one directory")
    }
    let parts = address.rest.prefix { !"?#".contains($0) }.split(separator: "/").map {
      $0.lowercased()
    }
    let host = address.host.lowercased()
    let isOfTenants =
      Self.tenantHosts.contains(host) || Self.tenantDomains.contains { host.hasSuffix($0) }
    if isOfTenants, parts.contains(where: { Self.sharedTenants.contains($0) }) {
      return (
        "names the people of many tenants, so it identifies no issuer",
        "write the tenant's identifier (GUID) in its place, one provider for each tenant"
      )
    }
    if let region = Self.region(of: host), let pool = parts.first,
      !Self.isPool(pool, of: region)
    {
      return (
        "names a user pool that is not of the region \(region)",
        "write the region of the pool, with which its identifier begins"
      )
    }
    return nil
  }

  /// The metadata of a user pool are in the region of its issuer.
  private func checkRegions(_ checker: inout ConfigurationChecker) {
    let regions = ["issuer", "discovery"].map { key in
      entry[key]?.text.flatMap(WebAddress.init(parsing:)).flatMap {
        Self.region(of: $0.host.lowercased())
      }
    }
    guard let issuer = regions[0], let metadata = regions[1], issuer != metadata else { return }
    checker.note(
      "\(path).discovery", "is in another region than the issuer", "write the issuer's region")
  }

  /// The region in the host of Cognito; nil for every other host.
  private static func region(of host: String) -> String? {
    let labels = host.split(separator: ".")
    guard labels.count >= 4, labels[0] == "cognito-idp", labels[2] == "amazonaws" else {
      return nil
    }
    return String(labels[1])
  }
}
