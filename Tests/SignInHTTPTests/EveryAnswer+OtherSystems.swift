import HTTPServer
import SignInService
import SignInTesting
import SignInWire

@testable import SignInHTTP

extension EveryAnswer {
  /// Calls the routes for other systems, here with an administrator's session.
  func takeOtherSystems(_ admin: Person) async {
    for kind in DataKind.allCases {
      let (record, batch) = (
        Endpoint.adminRecord(kind, .id).path,
        Endpoint.adminBatch(kind).path
      )
      let path = "/admin/\(kind.rawValue)/written"
      let body = WritingProgram.bodies[kind] ?? ""
      await call(admin, .get, path, of: record)
      for text in ["{}", body, body, body.replacing("example", with: "unknown")] {
        await call(admin, .put, path, of: record, text)
      }
      await call(admin, .get, path, of: record)
      for text in [
        "{}", #"{"items": []}"#, #"{"items": [{"id": "written", "deleted": true, "version": 1}]}"#,
        #"{"items": [{"id": "written", "deleted": true}, {}]}"#,
      ] {
        await call(admin, .post, batch, of: batch, text)
      }
      await call(admin, .delete, path, of: record)
      await call(admin, .put, path, of: record, body)
      await call(admin, .delete, path, of: record)
    }
    await takePhotos(admin)
    await call(admin, .get, Endpoint.adminChanges.path, of: Endpoint.adminChanges.path)
  }

  /// The photo of a product, with an administrator's session.
  private func takePhotos(_ admin: Person) async {
    let template = Endpoint.adminProductPhoto(.id).path
    let path = "/admin/products/product-003/photo"
    await call(admin, .get, path, of: template)
    let tooLong = "RIFF0000WEBP" + String(repeating: "a", count: ProductPhoto.byteLimit)
    for body in ["RIFF0000WEBP", "<svg/>", tooLong] {
      await call(admin, .put, path, of: template, body)
    }
    await call(admin, .put, "/admin/products/none/photo", of: template, "RIFF0000WEBP")
    note(await admin.call(.put, path, bytes: SamplePicture.content(.png)), .put, template)
    await call(admin, .get, path, of: template)
    for _ in 0..<2 { await call(admin, .delete, path, of: template) }
  }

  /// The photo of a product, as its owner reads it.
  func takeOwnPhotos(_ owner: Person) async {
    for id in ["product-002", "product-004", "none"] {
      await call(
        owner, .get, Endpoint.productPhoto(.init(id)).path, of: Endpoint.productPhoto(.id).path)
    }
  }

  func takeJobs(_ technician: Person) async {
    let job = Demo.jobs(at: server.clock.now()).last?.id ?? ""
    for body in ["{}", #"{"status": "done"}"#, #"{"status": "scheduled"}"#] {
      await call(technician, .patch, "/api/jobs/\(job)", of: Endpoint.job(.id).path, body)
    }
    await call(
      technician, .patch, "/api/jobs/none", of: Endpoint.job(.id).path, #"{"status": "done"}"#)
  }

  func takeDeliveries(_ rider: Person) async {
    let deliveries = Demo.deliveries(at: server.clock.now())
    let delivery = deliveries.first { $0.status == .assigned }?.id ?? ""
    for body in ["{}", #"{"status": "picked_up"}"#, #"{"status": "assigned"}"#] {
      await call(
        rider, .patch, "/api/deliveries/\(delivery)", of: Endpoint.delivery(.id).path, body)
    }
    await call(
      rider, .patch, "/api/deliveries/none", of: Endpoint.delivery(.id).path,
      #"{"status": "failed"}"#)
  }
}
