internal import JSONText
internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

/// A thief with a copy of a device's refresh token.
///
/// `@unchecked Sendable`: only the world's one thread uses it.
final class SimulatedThief: @unchecked Sendable {
  let device: SimulatedDevice
  var token: String
  /// Whether the copy gave tokens, so that the theft must be detected.
  var hasUsedCopy = false
  var isRefused = false

  init(_ device: SimulatedDevice, token: String) {
    self.device = device
    self.token = token
  }
}

extension Simulation {
  /// A thief copies a token, or uses a copy with or without the key of the device.
  func actAsThief() {
    guard !haveConditionsEnded else { return }
    plan(.thief, in: 10_000...100_000)
    guard server.isUp else { return }
    if !thieves.isEmpty, chance.isOne(in: 2) { return use(chance.pick(thieves)) }
    let device = chance.pick(devices)
    guard let stored = device.disk.session.flatMap(Self.json),
      let token = stored["refresh_token"]?.text, let access = stored["access_token"]?.text
    else { return }
    switch chance.below(3) {
    case 0:
      note("a thief copies a token", device.number)
      thieves.append(SimulatedThief(device, token: token))
    case 1: serve(request(refresh(token, device.person), from: Self.foreignKey)) { _, _ in }
    default: serve(request(read(access), from: Self.foreignKey)) { _, _ in }
    }
  }

  /// A key that no device has.
  private static let foreignKey = SimulatedKeys.devices[7]

  private func use(_ thief: SimulatedThief) {
    guard !thief.isRefused else { return }
    note("a thief uses a token", thief.device.number, 0, String(thief.token.prefix(14)))
    laws.stolenTokenUsed(thief.token, server.store.tables)
    serve(request(refresh(thief.token, thief.device.person), from: thief.device.key)) {
      answer, _ in
      if let token = answer.body["refresh_token"]?.text {
        thief.token = token
        thief.hasUsedCopy = true
      } else {
        // A request that a crash has lost says nothing.
        thief.isRefused = (400...499).contains(answer.status)
      }
    }
  }

  private func refresh(_ token: String, _ owner: SimulatedPeople.Person) -> Call {
    let form = Form([
      .init(.clientID, profile.client(of: owner).id.text), .init(.grantType, "refresh_token"),
      .init(.refreshToken, token),
    ])
    var call = Call.post(.token, form, .proof)
    call.issuedAt = clock.now().seconds
    return call
  }

  private func read(_ token: String) -> Call {
    var call = Call.post(.userInfo, Form([]), .proofWithToken(Secret(token)))
    call.issuedAt = clock.now().seconds
    return call
  }

  /// Moves every thief two generations ahead of the owner, so that the owner's next refresh is
  /// detected as reuse, or the thief's is.
  func settleThefts() {
    for thief in thieves where thief.hasUsedCopy {
      for _ in 1...3 {
        use(thief)
        settle()
      }
    }
  }

  /// After the owner has used the app again, no thief gets tokens.
  func expectThievesStopped() {
    for thief in thieves where thief.hasUsedCopy && thief.device.disk.session != "{torn" {
      use(thief)
      settle()
      laws.expect(
        thief.isRefused, .reuseEndsSession,
        "the thief of \(thief.token.prefix(14)) still gets tokens")
      if thief.isRefused { note("a thief is refused", thief.device.number) }
    }
  }
}
