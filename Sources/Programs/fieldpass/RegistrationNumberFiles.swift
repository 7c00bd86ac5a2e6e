import SignInModel
import SignInService

/// Reads the numbers of people who can register without the approval of an administrator.
enum RegistrationNumberFiles {
  static let numberLimit = 1_000_000
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The apps of the configuration with their numbers.
  static func clients(_ configuration: Configuration) throws(StartFault) -> [AppRegistration] {
    var clients: [AppRegistration] = []
    for client in configuration.clients {
      var client = client
      if let path = client.registrationNumbersFile {
        client.registrationNumbers = try numbers(path)
      }
      clients.append(client)
    }
    return clients
  }

  /// The numbers of the file.
  ///
  /// Blank lines and lines that begin with `#` are skipped, and so is the mark of UTF-8 that
  /// spreadsheets write first.
  private static func numbers(_ path: String) throws(StartFault) -> Set<PhoneNumber> {
    var bytes: [UInt8]
    do throws(FileFault) { bytes = try Files.read(path) } catch { throw StartFault(error) }
    if bytes.starts(with: byteOrderMark) { bytes.removeFirst(byteOrderMark.count) }
    var numbers: Set<PhoneNumber> = []
    let lines = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
    for (index, line) in lines.enumerated() {
      var text = String(decoding: line, as: UTF8.self)[...]
      while text.last?.isWhitespace == true { text.removeLast() }
      if text.isEmpty || text.hasPrefix("#") { continue }
      do throws(Malformed) {
        numbers.insert(try PhoneNumber(parsing: String(text)))
      } catch {
        throw StartFault(
          "`\(path)` line \(index + 1) is no phone number",
          hint: "write one number with its calling code in each line, such as +919812345678")
      }
      guard numbers.count <= numberLimit else {
        throw StartFault(
          "`\(path)` has more than \(numberLimit) numbers", hint: "leave some of them out")
      }
    }
    return numbers
  }
}
