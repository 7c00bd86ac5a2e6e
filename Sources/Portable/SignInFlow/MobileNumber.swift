import SignInEngine
public import SignInModel

/// A mobile number as a person types it.
///
/// It is a country with the digits used inside it, or a whole number that begins with `+` or `00`.
///
/// A whole number is never read as a number of another country (L-44).
public struct MobileNumber: Equatable, Sendable {
  /// More characters than any number needs, and few enough to read the text again at every key
  /// press.
  static let textLimit = 32

  public private(set) var country = Country.standard
  public private(set) var text = ""
  /// Whether the person has chosen the country or typed.
  private var isTouched = false

  var isEmpty: Bool { text.isEmpty }

  /// `nil` until the number is complete.
  var parsed: PhoneNumber? {
    do throws(Malformed) { return try read() } catch { return nil }
  }

  /// Whether it is not known if a zero after the calling code belongs to the number.
  public var hasDoubtfulZero: Bool {
    do throws(Malformed) {
      _ = try read()
      return false
    } catch {
      return error.value == .phoneZero
    }
  }

  /// What an app says about a number that is not complete.
  var refusal: Announcement {
    hasDoubtfulZero ? .numberZeroDoubtful : .numberMalformed(region: country.region)
  }

  /// Reads a whole number as every other part of the product does, and a number without a calling
  /// code as one of the country.
  private func read() throws(Malformed) -> PhoneNumber {
    guard let written = WrittenNumber(text) else { throw Malformed(.phoneNumber) }
    guard written.isWhole else {
      guard let inside = country.national(written.digits) else { throw Malformed(.phoneNumber) }
      return try PhoneNumber(stored: country.callingCode + String(decoding: inside, as: UTF8.self))
    }
    let phone = try PhoneNumber(parsing: text)
    // If the table does not contain the calling code, only the general limits are known.
    let digits = Array(phone.e164.utf8.dropFirst())
    if let known = Country.of(digits, near: country) {
      let inside = Array(digits.dropFirst(known.code.count))
      guard known.national(inside) == inside else { throw Malformed(.phoneNumber) }
    }
    return phone
  }

  /// The digits after the sign of a whole number; `nil` for other texts.
  private var whole: [UInt8]? {
    guard let written = WrittenNumber(text), written.isWhole else { return nil }
    return written.digits
  }

  /// The calling code and the digits dialled after it; empty until the number is complete.
  public var written: String {
    guard let parsed else { return "" }
    if whole.isPresent { return parsed.e164 }
    let inside = parsed.e164.utf8.dropFirst(country.callingCode.utf8.count)
    return country.callingCode + " " + String(decoding: inside, as: UTF8.self)
  }

  /// Fills in the country of the server's configuration, unless the person has already typed or
  /// chosen.
  mutating func fillIn(_ callingCode: String) {
    guard !isTouched, let country = Country.named(callingCode) else { return }
    self.country = country
  }

  /// Chooses the country of this region or calling code; an unknown text changes nothing.
  mutating func choose(_ name: String) {
    guard let chosen = Country.named(name) else { return }
    isTouched = true
    // Removes the calling code of the other country, and keeps the rest.
    if let whole, let other = Country.of(whole, near: country) {
      text = String(decoding: whole.dropFirst(other.code.count), as: UTF8.self)
    }
    country = chosen
  }

  /// Keeps the characters that numbers are written with.
  ///
  /// A whole number also chooses its country.
  mutating func edit(_ typed: String) {
    isTouched = true
    var kept: [UInt8] = []
    for scalar in typed.unicodeScalars where kept.count < Self.textLimit {
      if let byte = WrittenNumber.ascii(scalar) { kept.append(byte) }
    }
    text = String(decoding: kept, as: UTF8.self)
    guard let whole, let found = Country.of(whole, near: country) else { return }
    country = found
    if let parsed {
      let inside = parsed.e164.utf8.dropFirst(found.callingCode.utf8.count)
      text = String(decoding: inside, as: UTF8.self)
    }
  }
}
