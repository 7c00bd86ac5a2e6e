@testable import HTTPServer

/// What a byte stream led to: the requests read, and how it ended.
struct Reading: Equatable {
  enum End: Equatable {
    case betweenRequests
    case inHead
    case inBody
    case refused(Int)
  }

  var requests: [String] = []
  var end = End.betweenRequests
}

/// Feeds `bytes` in the fragments that `cuts` make of them.
func read(
  _ bytes: [UInt8],
  cuts: [Int] = [],
  limits: HTTPServerConfiguration.Limits = .init()
) -> Reading {
  var parser = RequestParser(peer: "192.0.2.1")
  var reading = Reading()
  var start = 0
  for end in cuts + [bytes.count] where end >= start && end <= bytes.count {
    let fragment = Array(bytes[start..<end])
    var index = 0
    start = end
    while index < fragment.count {
      do throws(RequestFault) {
        let parsed = try parser.next(in: fragment.span, from: &index, limits: limits)
        if let parsed { reading.requests.append(summary(parsed)) }
      } catch {
        reading.end = .refused(error.status)
        return reading
      }
    }
  }
  switch parser.stage {
  case .untouched: reading.end = .betweenRequests
  case .head: reading.end = .inHead
  case .body: reading.end = .inBody
  }
  return reading
}

func read(_ text: String, limits: HTTPServerConfiguration.Limits = .init()) -> Reading {
  read(Array(text.utf8), limits: limits)
}

/// The requests a stream consists of, or none when it does not end between two requests.
func parse(_ text: String) -> [ParsedRequest] {
  var parser = RequestParser(peer: "192.0.2.1")
  let bytes = Array(text.utf8)
  var index = 0
  var requests: [ParsedRequest] = []
  while index < bytes.count {
    do throws(RequestFault) {
      let parsed = try parser.next(in: bytes.span, from: &index, limits: .init())
      if let parsed { requests.append(parsed) }
    } catch {
      return []
    }
  }
  return parser.stage == .untouched ? requests : []
}

private func summary(_ parsed: ParsedRequest) -> String {
  let request = parsed.request
  let fields = request.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
  return "\(request.method.rawValue) \(request.path) ?\(request.query ?? "-") {\(fields)} "
    + "\(request.body) \(parsed.keepsAlive)"
}
