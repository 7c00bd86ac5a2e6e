import SignInModel
import SignInService

/// Reads the numbers of people who can register without the approval of an administrator.
enum RegistrationNumberFiles {
  static let numberLimit = 1_000_000

  /// The apps of the configuration with their numbers.
  static func clients(_ configuration: Configuration) throws(StartFault) -> [AppRegistration] {
    var clients = configuration.clients
    for index in clients.indices {
      guard let path = clients[index].registrationNumbersFile else { continue }
      clients[index].registrationNumbers = try numbers(path)
    }
    return clients
  }

  /// The numbers of the file.
  ///
  /// Blank lines and lines that begin with `#` are skipped, and so is the mark of UTF-8 that
  /// spreadsheets write first.
  private static func numbers(_ path: String) throws(StartFault) -> Set<PhoneNumber> {
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try Files.read(path) } catch { throw StartFault(error) }
    var numbers: Set<PhoneNumber> = []
    let lines = FileText.withoutMark(bytes).split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "\n")
    }
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
