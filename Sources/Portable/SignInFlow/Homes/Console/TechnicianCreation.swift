import JSONText
import SignInModel
import SignInWire

/// The form an administrator makes a technician with (US-069).
///
/// The technician chooses a password by Forgot password: nobody else ever knows it.
public struct TechnicianCreation: Equatable, Sendable {
  public private(set) var name = ""
  public private(set) var email = ""
  public private(set) var phone = ""
  /// Which of them cannot be taken as they stand.
  public private(set) var faults: [FieldName] = []
  public private(set) var waiting: Wait?
  public private(set) var notice: ConsoleNotice?

  /// The same for every try with the same words, so that a lost answer makes no second account.
  private var key: String?

  mutating func edit(_ field: FieldName, _ text: String) {
    guard waiting == nil else { return }
    switch field {
    case .name: name = text
    case .email: email = text
    case .phone: phone = text
    default: return
    }
    key = nil
    notice = nil
    faults.removeAll { $0 == field }
  }

  mutating func submit(_ context: inout FlowContext) -> [Effect] {
    guard waiting == nil else { return [] }
    notice = nil
    let (name, email, phone) = (typedName, EmailAddress(typed: self.email), typedPhone)
    guard let name, let email, let phone else {
      faults = []
      if name == nil { faults.append(.name) }
      if email == nil { faults.append(.email) }
      if phone == nil { faults.append(.phone) }
      return [.announce(.fieldsMalformed(faults))] + focusFault(&context)
    }
    let body = JSON.members([
      JSONMember("role", "technician"),
      JSONMember("name", name.text),
      JSONMember("email", email.text),
      JSONMember("phone_number", phone.e164),
    ])
    let key = self.key ?? context.makeIdempotencyKey()
    self.key = key
    let errand = APIRequest.post(Endpoint.adminAccounts, body, idempotencyKey: key)
    waiting = Wait(request: context.ask(errand), since: context.now)
    return []
  }

  private func focusFault(_ context: inout FlowContext) -> [Effect] {
    switch faults.first {
    case .name: context.moveFocus(to: .name)
    case .email: context.moveFocus(to: .email)
    default: context.moveFocus(to: .phone)
    }
    return []
  }

  private var typedName: PersonName? {
    do throws(Malformed) { return try PersonName(parsing: name) } catch { return nil }
  }

  /// A number as people write it: with spaces, hyphens, dots and brackets, or `00` for the plus.
  private var typedPhone: PhoneNumber? {
    var digits: [UInt8] = []
    for byte in phone.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"): digits.append(byte)
      case 0x20, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"): break
      default: return nil
      }
    }
    if digits.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "0")]) {
      digits = [UInt8(ascii: "+")] + digits.dropFirst(2)
    }
    do throws(Malformed) {
      return try PhoneNumber(parsing: String(decoding: digits, as: UTF8.self))
    } catch {
      return nil
    }
  }

  /// The account, once it is made.
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
