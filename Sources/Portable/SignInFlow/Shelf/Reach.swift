import JSONText
import SignInModel
import SignInWire

/// Whether our own server can be reached: what it answers decides, not what the device believes of
/// its network, for a café's sign-in page answers too (L-25).
///
///     unknown ──any answer──▶ online ──none──▶ offline ──probe answered──▶ online
public struct Reach: Equatable, Sendable {
  /// The first pause before asking again, and the longest.
  static let firstSeconds: Int64 = 2
  static let lastSeconds: Int64 = 60
  /// While online, how long a silence may last before it is asked whether it still is.
  static let watchSeconds: Int64 = 30
  static let probeTimeoutSeconds: Int64 = 8
  /// What `GET /livez` says, and no other server.
  static let alive = "alive\n"

  private enum State: Equatable, Sendable { case unknown, online, offline }

  private var state = State.unknown
  private var pauseSeconds = Reach.firstSeconds
  private var probeAt: Instant?
  private var probe: RequestID?

  public var isOffline: Bool { state == .offline }

  func isFor(_ id: RequestID) -> Bool { probe == id }

  /// Learns from the answer to any request; true when the server came back.
  mutating func learn(_ answer: Answer, _ context: FlowContext) -> Bool {
    switch answer {
    // What is no JSON was said by somebody in between.
    case .noNetwork, .unreachable, .timedOut, .received(_, .null, _):
      state = .offline
      wait(context)
      return false
    case .received:
      probeAt = context.now.adding(seconds: Self.watchSeconds)
      pauseSeconds = Self.firstSeconds
      defer { state = .online }
      return state == .offline
    }
  }

  /// Takes the answer to the probe; true when the server came back.
  mutating func probed(_ answer: Answer, _ context: FlowContext) -> Bool {
    probe = nil
    guard case .received(200, .string(Self.alive), _) = answer else {
      return learn(.unreachable, context)
    }
    return learn(answer, context)
  }

  /// Something about the network changed: what was known is asked again at once.
  mutating func networkChanged(_ context: inout FlowContext) -> [Effect] {
    pauseSeconds = Self.firstSeconds
    return ask(&context)
  }

  mutating func tick(_ context: inout FlowContext) -> [Effect] {
    guard let probeAt, probeAt <= context.now else { return [] }
    return ask(&context)
  }

  private mutating func ask(_ context: inout FlowContext) -> [Effect] {
    guard probe == nil else { return [] }
    probeAt = nil
    let (id, effect) = context.start(.probe(Endpoint.alive, seconds: Self.probeTimeoutSeconds))
    probe = id
    return [effect]
  }

  /// Twice as long each time, and anything from half to the whole of it: devices that lost the
  /// server together do not come back together.
  private mutating func wait(_ context: FlowContext) {
    let whole = pauseSeconds * 1000
    let scatter = (context.now.milliseconds % 1000 + 1000) % 1000
    probeAt = context.now.adding(milliseconds: whole / 2 + whole / 2 * scatter / 1000)
    pauseSeconds = min(pauseSeconds * 2, Self.lastSeconds)
  }
}
