import HTTPServer
import JSONText
import SignInService
import SignInWire

extension Route {
  static func me(_ call: Call) async -> HTTPResponse {
    switch await access(of: call) {
    case .success(let access): .json(readAccount(access, in: call.world).json)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }

  static func jobs(_ call: Call) async -> HTTPResponse {
    switch await access(of: call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let access):
      switch await listJobs(access, in: call.world) {
      case .success(let jobs):
        return .json(.members([JSONMember("jobs", .array(jobs.map { $0.json }))]))
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  static func dashboard(_ call: Call) async -> HTTPResponse {
    switch await access(of: call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let access):
      switch await readDashboard(access, in: call.world) {
      case .success(let answer): return .json(answer.json)
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  static func activities(_ call: Call) async -> HTTPResponse {
    switch await access(of: call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let access):
      switch await listActivities(access, in: call.world) {
      case .success(let activities):
        let entries = JSON.array(activities.map { $0.json })
        return .json(.members([JSONMember("activities", entries)]))
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  static func changeActivity(_ call: Call) async -> HTTPResponse {
    let access: Access
    switch await self.access(of: call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let granted): access = granted
    }
    let notes: String
    switch JSONBody.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let body):
      do throws(JSONBody.Wrong) { notes = try body.needed("notes", try body.text("notes")) } catch {
        return .dataRefusal(error.refusal)
      }
    }
    switch await writeNotes(notes, about: call.parameter("id"), access, in: call.world) {
    case .success(let entry): return .json(entry.json)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  static func access(of call: Call) async -> Outcome<Access> {
    await authorizeAccess(
      authorization: call.request.values(of: "authorization"), proof: call.proof, in: call.world
    )
  }
}
