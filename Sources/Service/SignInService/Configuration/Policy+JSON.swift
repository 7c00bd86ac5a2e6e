import JSONText
import SignInWire

extension Policy {
  /// The values in the keys of the configuration, without absent ones.
  var members: [JSONMember] {
    PolicyRow.table.filter { $0.read(self) != .null }.map(\.key).nested { key, name in
      JSONMember(name, PolicyRow.of(key).read(self))
    } object: { name, members in
      JSONMember(name, .object(members))
    }
  }

  /// Applies the values of `json`, which has the keys of the configuration.
  ///
  /// Absent values do not change.
  ///
  /// A value of the wrong type is ignored. The check of the configuration reports it.
  mutating func apply(_ json: JSON) {
    for row in PolicyRow.table {
      let value = row.value(in: json)
      if value != .null { row.write(value, &self) }
      // An idle time that is not set here is limited to the session. One that is set must already
      // fit.
      if row.key == .session { idleSeconds = min(idleSeconds, sessionSeconds) }
    }
  }

  /// This policy for the members of an organization.
  ///
  /// For values that protect accounts or cost money, the stricter of the two applies, so an
  /// organization can only be stricter. Only the organization decides how long its sessions last,
  /// how long its app may stay in the background (S-07), what its messages say and how many of them
  /// it pays for.
  func restricted(by organization: PolicyChanges) -> Policy {
    var policy = self
    policy.apply(organization.json)
    for row in PolicyRow.table where row.value(in: organization.json) != .null {
      switch row.organization {
      case .anyValue: continue
      case .stricterValue:
        if row.key.isWeaker(row.read(policy), than: row.read(self)) { row.copy(self, &policy) }
      case .noValue: row.copy(self, &policy)
      case .secondList:
        if policy.countries != countries { policy.organizationCountries = policy.countries }
        row.copy(self, &policy)
      }
    }
    return policy
  }
}
