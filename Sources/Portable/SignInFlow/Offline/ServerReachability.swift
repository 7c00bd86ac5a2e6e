import JSONText
import SignInEngine
import SignInModel
import SignInWire

/// Whether the server can be reached.
///
/// Only its own answers decide this, not the state of the network, because the sign-in page of a
/// café also answers (L-25).
///
///     unknown ──any answer──▶ online ──no answer──▶ offline ──probe answered──▶ online
public struct ServerReachability: Equatable, Sendable {
  /// The first pause before the next probe, and the longest one.
  static let firstSeconds: Int64 = 2
  static let lastSeconds: Int64 = 60
  /// How long the server may send no answer while online, before a probe is sent.
  static let watchSeconds: Int64 = 30
  static let probeTimeoutSeconds: Int64 = 8
  /// The body of the answer to `GET /livez`.
  ///
  /// A captive portal answers with another body.
  static let alive = "alive\n"

  private enum State: Equatable, Sendable { case unknown, online, offline }

  private var state = State.unknown
  private var pauseSeconds = ServerReachability.firstSeconds
  private var probeAt: Instant?
  private var probe: RequestID?

  public var isOffline: Bool { state == .offline }

  func isFor(_ id: RequestID) -> Bool { probe == id }

  /// Learns from the answer to any request.
  ///
  /// Returns true if the server can be reached again.
  mutating func learn(_ answer: Answer, _ context: FlowContext) -> Bool {
    switch answer {
    // An answer that is not JSON came from another machine between the device and the server.
    case .noNetwork, .unreachable, .timedOut, .received(_, .null, _):
      state = .offline
      wait(context)
      return false
    case .received:
      probeAt = context.now.adding(seconds: Self.watchSeconds)
      pauseSeconds = Self.firstSeconds
      defer { state = .online }
      return state == .offline
    case .onDevice: return false
    }
  }

  /// Handles the answer to the probe.
  ///
  /// Returns true if the server can be reached again.
  mutating func probed(_ answer: Answer, _ context: FlowContext) -> Bool {
    probe = nil
    guard case .received(200, .string(Self.alive), _) = answer else {
      return learn(.unreachable, context)
    }
    return learn(answer, context)
  }

  /// Sends a probe at once, because the network has changed.
  mutating func networkChanged(_ context: inout FlowContext) -> [PageEffect] {
    pauseSeconds = Self.firstSeconds
    return ask(&context)
  }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    guard let probeAt, probeAt <= context.now else { return [] }
    return ask(&context)
  }

  private mutating func ask(_ context: inout FlowContext) -> [PageEffect] {
    guard probe == nil else { return [] }
    probeAt = nil
    let (id, effect) = context.start(.probe(.alive, seconds: Self.probeTimeoutSeconds))
    probe = id
    return [.engine(effect)]
  }

  /// Schedules the next probe after half to all of the pause, and doubles the pause.
  ///
  /// Devices that lost the server together then do not send their probes together.
  private mutating func wait(_ context: FlowContext) {
    let whole = pauseSeconds * 1000
    let scatter = (context.now.milliseconds % 1000 + 1000) % 1000
    probeAt = context.now.adding(milliseconds: whole / 2 + whole / 2 * scatter / 1000)
    pauseSeconds = min(pauseSeconds * 2, Self.lastSeconds)
  }
}
