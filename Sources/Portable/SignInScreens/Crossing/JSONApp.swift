import JSONText
public import SignInEngine
import SignInFlow
import SignInModel

/// The app for a shell in another language: one event in, one screen and its effects out, as JSON.
///
///     {"event":"button_pressed","button":"login","at":1700000000000,"monotonic":4711}
///     {"screen":{…},"effects":[{"effect":"make_verifier"}]}
public struct JSONApp<Home: HomeScreen>: Sendable {
  public private(set) var flow = AppFlow<Home>()
  private var attached: [[UInt8]] = []

  public init() {}

  /// Adds bytes to the next event that are too many to be written inside its JSON.
  public mutating func attach(_ bytes: [UInt8]) { attached.append(bytes) }

  /// Returns `{"error":"…"}` and does not change the state if the event cannot be read.
  public mutating func handle(_ bytes: [UInt8]) -> [UInt8] {
    let beside = attached
    attached = []
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(bytes) } catch {
      return Self.fault("not JSON")
    }
    guard let event = Event(json: json, attached: beside, of: Home.app) else {
      return Self.fault("unknown event")
    }
    guard let milliseconds = json.unixMilliseconds("at") else { return Self.fault("no time") }
    let effects = flow.handle(
      event, at: Instant(milliseconds: milliseconds), steady: json.unixMilliseconds("monotonic")
    )
    var written: [JSON] = []
    for effect in effects {
      written.append(effect.json(in: flow.context, of: Home.self))
    }
    return JSON.members([
      JSONMember("screen", flow.screen.json(writing: Home.json(ofOwn:))),
      JSONMember("effects", .array(written)),
    ]).utf8
  }

  private static func fault(_ text: String) -> [UInt8] {
    JSON.members([JSONMember("error", text)]).utf8
  }
}
