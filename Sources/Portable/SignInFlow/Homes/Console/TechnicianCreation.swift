import JSONText
public import SignInModel
import SignInWire

/// The form in which an administrator creates a technician (T-16).
///
/// The technician sets the password with Forgot password, so that no other person knows it.
public struct TechnicianCreation: Equatable, Sendable {
  public private(set) var name = ""
  public private(set) var email = ""
  public private(set) var phone = ""
  public private(set) var organizations: [OrganizationID] = []
  /// The fields with values that cannot be used, and the reasons.
  public private(set) var faults: [AccountEditor.Fault] = []
  public private(set) var waiting: Wait?
  public private(set) var notice: ConsoleNotice?

  /// The idempotency key.
  ///
  /// It is the same for each attempt with the same values, so that a lost answer does not lead to a
  /// second account.
  private var key: String?
  private let own: ConsoleAdministrator

  init(by own: ConsoleAdministrator) {
    self.own = own
    let granted = own.organizations(with: .administrator)
    if granted.count == 1, let only = granted[0] { organizations = [only] }
  }

  /// An administrator of single organizations can create accounts only in these.
  private var needsOrganization: Bool { !own.has(.administrator, in: nil) }

  public func mayToggle(_ organization: OrganizationID) -> Bool {
    own.has(.administrator, in: organization)
  }

  mutating func toggle(_ organization: OrganizationID) {
    guard waiting == nil, mayToggle(organization) else { return }
    if organizations.contains(organization) {
      organizations.removeAll { $0 == organization }
    } else {
      organizations.append(organization)
    }
    changed(.organizations)
  }

  mutating func edit(_ field: FieldName, _ text: String) {
    guard waiting == nil else { return }
    switch field {
    case .name: name = text
    case .email: email = text
    case .phone: phone = text
    default: return
    }
    changed(field)
  }

  public func fault(at field: FieldName) -> AccountEditor.Fault? {
    faults.first { $0.field == field }
  }

  private mutating func changed(_ field: FieldName) {
    key = nil
    notice = nil
    faults.removeAll { $0.field == field }
  }

  mutating func submit(_ context: inout FlowContext) -> [Effect] {
    guard waiting == nil else { return [] }
    notice = nil
    let (name, email) = (PersonName(typed: self.name), EmailAddress(typed: self.email))
    let phone = PhoneNumber(typed: self.phone)
    let lacksOrganization = organizations.isEmpty && needsOrganization
    guard let name, let email, let phone, !lacksOrganization else {
      faults = []
      if name == nil {
        faults.append(TypedText.isBlank(self.name) ? .nameNeeded : .nameTooLong)
      }
      if email == nil {
        faults.append(TypedText.isBlank(self.email) ? .emailEmpty : .emailMalformed)
      }
      if phone == nil { faults.append(.phoneMalformed) }
      if lacksOrganization { faults.append(.organizationNeeded) }
      return explainFault(&context)
    }
    let body = JSON.members([
      JSONMember("role", "technician"),
      JSONMember("name", name.text),
      JSONMember("email", email.text),
      JSONMember("phone_number", phone.e164),
      organizations.isEmpty
        ? nil : JSONMember("organizations", .array(organizations.map { JSON.string($0.text) })),
    ])
    let key = self.key ?? context.makeIdempotencyKey()
    self.key = key
    let apiRequest = APIRequest.post(Endpoint.adminAccounts, body, idempotencyKey: key)
    waiting = Wait(request: context.ask(apiRequest), since: context.now)
    return []
  }

  private func explainFault(_ context: inout FlowContext) -> [Effect] {
    guard let fault = faults.first else { return [] }
    context.moveFocus(to: FocusTarget(rawValue: fault.field.rawValue) ?? .phone)
    return [.announce(.accountFault(fault))]
  }

  /// Handles the answer, and returns the account if it was created.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (made: AccountEntry?, effects: [Effect]) {
    waiting = nil
    if case .received(201, let body, _) = answer, let made = AccountEntry(json: body) {
      return (made, [.announce(.console(.created))])
    }
    let said = ConsoleNotice(answer, at: context.now)
    notice = said
    context.moveFocus(to: .heading)
    return (nil, [.announce(.console(said))])
  }

  func isFor(_ id: RequestID) -> Bool { waiting?.isFor(id) ?? false }

  func tick(_ context: FlowContext) -> [Effect] { waiting?.announcements(context) ?? [] }
}
