import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("The description of a policy")
struct PolicySheetTests {
  private static let technicians = Endpoint.adminClients.path + "/technician-app"
  private static let riders = Endpoint.adminClients.path + "/rider-app"
  private static let north = Endpoint.adminOrganizations.path + "/north"

  private func sheet(
    _ path: String, for organization: String? = nil, _ admin: Person
  ) async throws -> PolicySheet {
    let answer = await admin.call(
      .get, path + "/policy", query: organization.map { "organization=" + $0 }
    )
    return try #require(PolicySheet(json: answer.json))
  }

  private func value(_ key: PolicyKey, _ sheet: PolicySheet) throws -> PolicyValue {
    try #require(sheet.values.first { $0.key == key })
  }

  /// A patch such as `{"lockout":{"failures":3}}`.
  private func patch(_ key: PolicyKey, _ value: JSON) -> String {
    let json = key.steps.reversed().reduce(value) { inner, step in
      .members([JSONMember(step, inner)])
    }
    return String(decoding: json.utf8, as: UTF8.self)
  }

  @Test("T-16 a policy sheet has each value of an app and the source of that value")
  func sources() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let before = try await sheet(Self.riders, admin)
    _ = await admin.call(.patch, Self.riders, #"{"lockout":{"failures":3}}"#)
    let after = try await sheet(Self.riders, admin)

    #expect(before.values.map { $0.key } == PolicyKey.allCases)
    #expect(before.client == ClientID("rider-app") && before.organization == nil)
    #expect(try value(.lockoutFailures, before).source == .standard)
    #expect(try value(.disclosure, before).source == .configuration)
    #expect(try value(.disclosure, before).value == .string("disclosed"))
    #expect(try value(.countries, before).value == .null)
    let changed = try value(.lockoutFailures, after)
    #expect(changed.source == .changed && changed.isChanged)
    #expect(changed.value == .int(3) && changed.configured == .int(5))
    #expect(before.tag != after.tag)
  }

  @Test(
    "T-16 a sheet for an organization has its own value, and says where the app's value applies")
  func organization() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    _ = await admin.call(
      .patch, Self.north, #"{"policy":{"lockout":{"failures":9,"lock_seconds":1800}}}"#
    )

    let sheet = try await sheet(Self.technicians, for: "north", admin)

    #expect(sheet.organization?.name == "North")
    let looser = try value(.lockoutFailures, sheet)
    #expect(looser.source == .client && looser.value == .int(5) && looser.own == .int(9))
    #expect(looser.isChanged)
    let stricter = try value(.firstLock, sheet)
    #expect(stricter.source == .changed && stricter.value == .int(1800))
    #expect(stricter.configured == .int(900))
    let silent = try value(.codeDigits, sheet)
    #expect(silent.source == .client && silent.own == .null && !silent.isChanged)
    #expect(!sheet.values.contains { $0.key == .appDaily || $0.key == .conversionCheckedAfter })
  }

  @Test(
    "T-16 a value at either end of the range in a sheet is accepted, and just outside it is refused"
  )
  func edges() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    var numbers = 0

    for entry in try await sheet(Self.technicians, admin).values {
      guard case .number(let range) = entry.form else { continue }
      numbers += 1
      for (number, isRight) in [
        (range.lowerBound - 1, false), (range.lowerBound, true), (range.upperBound, true),
        (range.upperBound + 1, false),
      ] {
        let answer = await admin.call(.patch, Self.technicians, patch(entry.key, .int(number)))
        #expect(answer.status == (isRight ? 200 : 422), "\(entry.key) \(number)")
        _ = await admin.call(.patch, Self.technicians, patch(entry.key, .null))
      }
    }

    let expected = PolicyKey.allCases.count { key in
      if case .number = key.field.form { true } else { false }
    }
    #expect(numbers == expected)
  }

  @Test("T-16 the ranges in a sheet depend on the other changed values")
  func neighbours() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    _ = await admin.call(
      .patch, Self.technicians,
      #"{"code":{"life_seconds":120},"session_seconds":7200,"idle_seconds":3600}"#
    )

    let sheet = try await sheet(Self.technicians, admin)

    #expect(try value(.codeResend, sheet).form == .number(15...120))
    #expect(try value(.idle, sheet).form == .number(60...7200))
    #expect(try value(.session, sheet).form == .number(3600...31_536_000))
  }

  @Test("T-16 a change sent twice with one key is made once, with the same answer")
  func onceOnly() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let tag = HTTPField("If-Match", "\"\(try await sheet(Self.riders, admin).tag)\"")
    let body = #"{"lockout":{"failures":3}}"#

    let first = await admin.call(.patch, Self.riders, body, key: "one", more: [tag])
    _ = await admin.call(.patch, Self.riders, #"{"lockout":{"failures":4}}"#)
    let again = await admin.call(.patch, Self.riders, body, key: "one", more: [tag])
    let other = await admin.call(.patch, Self.riders, #"{"unlock":"none"}"#, key: "one")

    #expect(first.status == 200 && again.body == first.body)
    #expect(try value(.lockoutFailures, await sheet(Self.riders, admin)).value == .int(4))
    #expect(other.status == 422 && other.code == "idempotency_key_reused")
  }

  @Test("T-16 a mistake is not remembered: the same key may be used again with a correct value")
  func mistakeUnderKey() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let wrong = await admin.call(.patch, Self.riders, #"{"lockout":{"failures":2}}"#, key: "one")
    let right = await admin.call(.patch, Self.riders, #"{"lockout":{"failures":3}}"#, key: "one")

    #expect(wrong.status == 422 && right.status == 200)
  }
}
