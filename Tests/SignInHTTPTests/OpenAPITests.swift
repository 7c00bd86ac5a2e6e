import Foundation
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("The OpenAPI document")
struct OpenAPITests {
  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every route has its own place and name, and the routes of development their own chapter")
  func routes() {
    let places = Route.all.map { "\($0.method.rawValue) \($0.path)" }

    #expect(Set(places).count == places.count)
    #expect(Set(Route.all.map(\.operation.name)).count == places.count)
    for route in Route.all {
      #expect(route.isDevelopmentOnly == (route.operation.chapter == .development))
    }
  }

  /// Routes whose body follows from a table, which also is the source of the description.
  private static let tableOfBody = [
    "registerActivity": "the rows of DataField for activities",
    "putJob": "the rows of DataField for jobs",
    "putDelivery": "the rows of DataField for deliveries",
    "putActivity": "the rows of DataField for activities",
    "putProduct": "the rows of DataField for products",
    "changeClient": "the rows of PolicyKey, as a merge patch",
    "changeOrganization": "the rows of PolicyKey in the member policy, as a merge patch",
  ]

  @Test("Each route describes the fields that it reads")
  func fields() {
    for route in Route.all {
      let read = Set(route.operation.readPaths)
      // A table describes what is in a free-form value.
      let free = read.filter { $0.hasSuffix(".*") }
      let described = Set(route.operation.describedPaths).filter { path in
        !free.contains { path.hasPrefix($0.dropLast()) }
      }
      let isEqual = described == read.subtracting(free)
      if route.path == Endpoint.pushedRequest.path {
        // A pushed request has no password and no code.
        #expect(described.isSubset(of: read))
      } else if Self.tableOfBody[route.operation.name] != nil {
        #expect(
          !isEqual && read.isSubset(of: described), "\(route.operation.name) needs no exception")
      } else {
        #expect(isEqual, "\(route.operation.name): \(described.sorted()), \(read.sorted())")
      }
    }
  }

  @Test("The server publishes docs/openapi.json, which also describes its own route")
  func served() async throws {
    let server = try await TestServer()
    let file = Self.repository.appending(path: "docs/openapi.json")

    let answer = await server.get(Endpoint.description.path)

    let published = try [UInt8](Data(contentsOf: file))
    // The expectation does not compare the bytes directly, because a failure would print them all.
    let isUpToDate = answer.body == published
    #expect(isUpToDate, "run `swift run fieldpass openapi > docs/openapi.json`")
    #expect(answer.json["openapi"]?.text == "3.1.0")
    #expect(answer.json["paths"]?[Endpoint.description.path]?["get"] != nil)
    #expect(answer.json == OpenAPI.document)
  }

  @Test("Every error code is described by a route, or is reserved")
  func codes() {
    let described = Set(Route.all.flatMap { $0.refusalsByStatus.flatMap { $0.codes } })

    // The contract reserves these for planned features or for standards.
    let reserved: Set<ErrorCode> = [
      .unsupportedTokenType, .serverError,
    ]

    #expect(described == Set(ErrorCode.allCases).subtracting(reserved))
  }

  @Test("Real answers of every route match their schemas and have only described members")
  func answers() async throws {
    let walk = try await EveryAnswer()

    try await walk.takeAll()

    #expect(walk.mistakes.all == [])
    let taken = Set(walk.successes.all)
    #expect(taken == Set(Route.all.map(\.operation.name)))
  }

  @Test("The checker finds mismatches")
  func checker() throws {
    let check = SchemaCheck(document: OpenAPI.document)
    let schema = Schema.refined(.problem, member: .code, ["a"]).json
    func count(_ text: String) throws -> Int {
      check.mistakes(in: try JSONReader.read(Array(text.utf8)), under: schema).count
    }

    let whole = "\"type\":\"t\",\"title\":\"t\",\"status\":400"
    #expect(try count("{\(whole),\"code\":\"a\"}") == 0)
    #expect(try count("{\(whole),\"code\":\"b\"}") == 1)
    #expect(try count("{\(whole)}") == 2)
    #expect(try count("{\(whole),\"code\":1}") == 3)
    #expect(try count("[]") > 0)
    let odd = JSON.members([JSONMember("oneOf", .array([]))])
    #expect(check.mistakes(in: .null, under: odd).count == 1)
    let lost = JSON.members([JSONMember("$ref", "#/components/schemas/Lost")])
    #expect(check.mistakes(in: .null, under: lost).count == 1)
  }
}
