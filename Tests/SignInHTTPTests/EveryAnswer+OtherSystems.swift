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
    await call(admin, .get, Endpoint.adminChanges.path, of: Endpoint.adminChanges.path)
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
