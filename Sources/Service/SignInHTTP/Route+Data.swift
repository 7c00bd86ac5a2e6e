import HTTPServer
import JSONText
import SignInService
import SignInWire

extension Route {
  static func me(_ call: Call) async -> HTTPResponse {
    switch await access(of: call) {
    case .success(let access): .json(readAccount(access).json)
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

  private static func access(of call: Call) async -> Outcome<Access> {
    await authorizeAccess(
      authorization: call.request.values(of: "authorization"), proof: call.proof, in: call.world
    )
  }
}
