import JSONText
import SignInModel
import SignInWire
import Testing

@Suite("Requests")
struct RequestTests {
  private static let bodies: [any RequestBody.Type] = [
    PasswordChangeBody.self, NotesBody.self, WorkStatusBody.self, StatusChangeBody.self,
    TransferBody.self,
    ServiceRequestBody.self, InvitationBody.self, PasswordApprovalBody.self, IdentityBody.self,
    AccountBody.self, PermissionBody.self, FirstPasswordBody.self, ProductImportBody.self,
    DataBatchBody.self, ClockBody.self, LoadAccountsBody.self, OwnNameBody.self,
    ContactChangeBody.self, ContactCodeBody.self, CurrentPasswordBody.self,
  ]
  private static let forms: [any RequestForm.Type] = [
    ChallengeForm.self, TokenForm.self, ClientCredentials.self, RevocationForm.self,
    IntrospectionForm.self, AuthorizationQuery.self, AuthorizationResult.self,
    ForgotPasswordForm.self, ResetPasswordForm.self, InvitationForm.self, RegistrationForm.self,
    RegistrationCodeForm.self, UndoForm.self,
    PageQuery.self, AccountsQuery.self, EventsQuery.self, OwnedRecordsQuery.self,
    PolicySheetQuery.self, RecordQuery.self, ChangesQuery.self,
    SyncQuery.self,
    SessionEventsQuery.self, InboxQuery.self,
  ]

  @Test("Every body that is written is read with the same members")
  func bodies() throws {
    for type in Self.bodies {
      var body = type.init()
      #expect(body.json == .object([]))
      var filler = Filler()
      body.visit(&filler)

      let read = try type.init(body.json)

      #expect(read.json == body.json)
      #expect(body.json.objectMembers?.map(\.key) == filler.names)
    }
  }

  @Test("Every form that is written is read with the same fields")
  func forms() throws {
    for type in Self.forms {
      var form = type.init()
      #expect(form.form == Form())
      var filler = Filler()
      form.visit(&filler)

      let read = type.init(try Form(parsing: Array(form.form.encoded.utf8)))

      #expect(read.form == form.form)
      #expect(form.form.fields.map(\.name) == filler.names)
    }
  }

  @Test("A member of another type is refused, and the refusal names it")
  func otherTypes() throws {
    for type in Self.bodies {
      var body = type.init()
      var filler = Filler()
      body.visit(&filler)
      for name in filler.names.filter({ !filler.freeNames.contains($0) }) {
        let json = JSON.object([JSONMember(name, .decimal("0.5"))])
        #expect(throws: Refusal.wrongMember(name)) { try type.init(json) }
      }
    }
  }

  @Test("All members of another type are found, and the others are read")
  func allWrong() {
    var wrong: [WireField] = []

    let body = AccountBody(
      .members([
        JSONMember(.name, .int(1)), JSONMember(.role, "rider"), JSONMember(.email, .bool(true)),
        JSONMember(.permissions, .object([])),
      ]), wrong: &wrong)

    #expect(wrong == [.name, .email, .permissions])
    #expect(body.role == "rider")
    #expect(body.name == nil && body.email == nil && body.permissions == nil)
  }

  @Test("Null differs from an absent member only if it has a meaning")
  func null() throws {
    let body = try AccountBody(
      .members([
        JSONMember(.name, JSON.null), JSONMember(.email, JSON.null),
        JSONMember(.organizations, JSON.null),
      ]))

    #expect(body.name == nil && body.organizations == nil)
    #expect(body.email == .null && body.phone == nil)
    #expect(body.json == .members([JSONMember(.email, JSON.null)]))
    #expect(try DataBatchBody(.members([JSONMember(.items, JSON.null)])).items == .null)
  }

  @Test(
    "A list is refused if one of its elements is wrong",
    arguments: [
      #"{"organizations":["north",1]}"#, #"{"organizations":[null]}"#,
      #"{"permissions":[{"level":"viewer"},"viewer"]}"#, #"{"permissions":[{"level":1}]}"#,
      #"{"permissions":[null]}"#, #"{"permissions":[[]]}"#,
    ])
  func elements(_ text: String) throws {
    let json = try JSONReader.read(Array(text.utf8))

    #expect(throws: Refusal.self) { try AccountBody(json) }
  }

  @Test("An empty list and a list with unknown members are read")
  func lists() throws {
    let text = #"{"organizations":[],"permissions":[{"level":"viewer","more":1},{}]}"#

    let body = try AccountBody(try JSONReader.read(Array(text.utf8)))

    #expect(body.organizations == [])
    #expect(body.permissions?.map(\.level) == ["viewer", nil])
  }

  @Test(
    "A count has a limit",
    arguments: [
      (-1, false), (0, true), (JSON.highestCount - 1, true), (JSON.highestCount, true),
      (JSON.highestCount + 1, false),
    ])
  func count(_ number: Int64, _ isRead: Bool) {
    let json = JSON.members([JSONMember(.count, .int(number))])

    #expect((try? LoadAccountsBody(json))?.count == (isRead ? number : nil))
  }

  @Test(
    "A moment has a limit",
    arguments: [
      (-1, false), (0, true), (JSON.latestUnixSeconds, true), (JSON.latestUnixSeconds + 1, false),
    ])
  func moment(_ seconds: Int64, _ isRead: Bool) {
    let json = JSON.members([JSONMember(.availableAt, .int(seconds))])

    let moment = (try? PasswordApprovalBody(json))?.availableAt

    #expect(moment == (isRead ? Instant(seconds: seconds) : nil))
  }
}

/// A visit that fills every field with a value that can be read.
private struct Filler: FormFields, BodyMembers {
  private(set) var names: [String] = []
  /// The members that may have any value.
  private(set) var freeNames: [String] = []

  mutating func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?
  ) {
    names.append(field.rawValue)
    value = read("true")
  }

  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?
  ) {
    names.append(field.rawValue)
    if Value.self == JSON.self { freeNames.append(field.rawValue) }
    let samples: [JSON] = [
      .string("text"), .int(7), .bool(true), .array([.string("text")]),
      .array([.members([JSONMember(.level, "viewer"), JSONMember(.organization, "north")])]),
    ]
    value = samples.lazy.compactMap(read).first
  }
}
