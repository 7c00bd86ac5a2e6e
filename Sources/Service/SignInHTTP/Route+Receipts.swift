import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Accepts receipts for messages.
  ///
  /// The provider proves them in its own way.
  static func messageReceipts(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let world = call.world
    let name = call.parameter(.messenger)
    let lines = world.router?.lines ?? []
    guard let reader = lines.first(where: { $0.messenger.name == name })?.messenger.receipts else {
      return .problem(.notFound)
    }
    let query = call.request.query ?? ""
    let post = ReceiptPost(
      url: world.issuer + call.request.path + (query.isEmpty ? "" : "?" + query), query: query,
      body: call.request.body, receivedAt: world.clock.now(),
      fields: { call.request.values(of: $0) }
    )
    switch reader.read(post) {
    case .unproved: return .problem(.unprovedReceipt)
    case .malformed: throw Refusal.invalidRequest("the receipt is malformed")
    case .handshake(let answer):
      return HTTPResponse(
        status: 200, fields: [HTTPField("Content-Type", "application/json")], body: answer
      )
    case .reports(let reports):
      for report in reports {
        // Unknown messages get the same answer. Otherwise the provider would repeat the receipt for
        // days.
        _ = await recordReport(report, of: name, in: world)
      }
      return HTTPResponse(status: 204, fields: [], body: [])
    }
  }
}
