import JSONText
public import SignInFlow
import SignInModel

/// The app as a shell in another language meets it: one event as JSON in, one screen and the
/// effects as JSON out.
///
///     {"event":"button_pressed","button":"login","at":1700000000000,"steady":4711}
///     {"screen":{…},"effects":[{"effect":"make_verifier"}]}
public struct CrossingApp: Sendable {
  public private(set) var flow = AppFlow()
  private var attached: [[UInt8]] = []

  public init() {}

  /// Takes bytes that belong to the next event and are too many to be written into it.
  public mutating func attach(_ bytes: [UInt8]) { attached.append(bytes) }

  /// Answers `{"error":"…"}`, and stays as it was, when the event cannot be read.
  public mutating func handle(_ bytes: [UInt8]) -> [UInt8] {
    let beside = attached
    attached = []
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(bytes) } catch {
      return Self.fault("not JSON")
    }
    guard let event = Event(json: json, attached: beside) else {
      return Self.fault("unknown event")
    }
    guard let milliseconds = json["at"]?.unixMilliseconds else { return Self.fault("no time") }
    let effects = flow.handle(
      event, at: Instant(milliseconds: milliseconds), steady: json["steady"]?.unixMilliseconds
    )
    var written: [JSON] = []
    for effect in effects {
      written.append(effect.json(in: flow.context))
    }
    return JSON.members([
      JSONMember("screen", flow.screen.json),
      JSONMember("effects", .array(written)),
    ]).utf8
  }

  private static func fault(_ text: String) -> [UInt8] {
    JSON.members([JSONMember("error", text)]).utf8
  }
}
