import Glibc
import JSONText
import SQLStore
import SignInService
import SignInWire
import Threads

/// `fieldpass import KIND FILE`: reports all mistakes in a file, then writes its records.
enum ImportCommand {
  struct Options {
    var kind = DataKind.jobs
    var path = ""
    var format: ImportFile.Format?
    var place = DataLocation()
    /// Only report what an import would do.
    var isPreview = false
    /// Write the valid records even if others have mistakes.
    var skipsMistakes = false
    var isJSON = false
  }

  static let usage = """
    fieldpass import KIND FILE [--dry-run] [--skip-mistakes] [--format FORMAT] [--json]
                       write the jobs, deliveries, activities or products of a file, also while the
                       server runs on the data folder; writes nothing if the file has a mistake

      KIND                    jobs, deliveries, activities or products
      FILE                    a table (CSV, RFC 4180) whose first row names the members, or one
                              JSON list of records; `-` is standard input
      --dry-run               print every mistake and what would change, and write nothing
      --skip-mistakes         write the records that have no mistake
      --format FORMAT         csv or json (default: as the name of FILE ends)
      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder
      --json                  one JSON object on standard output

    Each mistake is printed with its line and column. A record that is the same in the file and in
    the store does not change, so the same import can be repeated.

    """

  static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
    var options = Options()
    var rest = arguments
    var words: [String] = []
    while let argument = rest.popFirst() {
      switch argument {
      case "--dry-run": options.isPreview = true
      case "--skip-mistakes": options.skipsMistakes = true
      case "--json": options.isJSON = true
      case "--format":
        guard let word = rest.popFirst(), let format = ImportFile.Format(rawValue: word) else {
          return .failure(CommandMistake("`--format` must be csv or json"))
        }
        options.format = format
      case _ where DataLocation.optionNames.contains(argument):
        guard let value = rest.popFirst() else {
          return .failure(CommandMistake("`\(argument)` needs a value"))
        }
        options.place.set(argument, to: value)
      case _ where argument.hasPrefix("--"):
        return .failure(CommandMistake("`import` does not take `\(argument)`"))
      default: words.append(argument)
      }
    }
    guard words.count == 2, let kind = DataKind(rawValue: words[0]) else {
      let kinds = DataKind.allCases.map(\.rawValue).joined(separator: ", ")
      return .failure(CommandMistake("`import` needs a KIND of \(kinds), and a FILE"))
    }
    (options.kind, options.path) = (kind, words[1])
    if options.format == nil { options.format = ImportFile.Format(suffixOf: options.path) }
    guard options.format != nil else {
      return .failure(CommandMistake("`\(options.path)` is neither .csv nor .json: add --format"))
    }
    return .success(options)
  }

  /// Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      let bytes: [UInt8]
      do throws(FileFault) {
        bytes = try Files.read(options.path == "-" ? "/dev/stdin" : options.path)
      } catch {
        throw StartFault(error)
      }
      var file = ImportFile(bytes, options.kind, options.format ?? .csv)
      let (world, store) = try AccountAdministration.open(try options.place.resolved().place)
      defer { AccountAdministration.close(store, of: world) }
      return try importing(&file, options, in: world)
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func importing(
    _ file: inout ImportFile, _ options: Options, in world: World
  ) throws(StartFault) -> Int32 {
    var counts = ImportCounts()
    var rest = file.entries[...]
    while !rest.isEmpty {
      let chunk = Array(rest.prefix(DataLimits.batchItems))
      rest = rest.dropFirst(chunk.count)
      let outcomes = try outcomes(of: { () throws(Refusal) in
        try await previewData(chunk.map(\.draft), by: .operatorCommand, in: world)
      })
      for (entry, outcome) in zip(chunk, outcomes) {
        if case .refused(let refusal) = outcome {
          file.note(refusal, of: entry)
        } else {
          counts.count(outcome)
        }
      }
    }
    for line in file.complaints(named: options.path) { LineWriter.standardError.write(line) }
    let isWritten = !options.isPreview && (file.mistakeCount == 0 || options.skipsMistakes)
    if isWritten { counts = try write(file.drafts, in: world) }
    counts.mistakes = file.mistakeCount
    LineWriter.standardOutput.write(
      options.isJSON ? counts.json(isWritten) : counts.words(options.kind, isWritten))
    if file.mistakeCount == 0 { return ExitStatus.done }
    if !options.isPreview, !options.skipsMistakes {
      complain(
        "nothing was written, because the file has mistakes",
        hint: "correct them, or add --skip-mistakes to write the other records")
    }
    return ExitStatus.refused
  }

  private static func write(
    _ drafts: [DataDraft], in world: World
  ) throws(StartFault) -> ImportCounts {
    var counts = ImportCounts()
    var rest = drafts[...]
    while !rest.isEmpty {
      let chunk = Array(rest.prefix(DataLimits.batchItems))
      rest = rest.dropFirst(chunk.count)
      let outcomes = try outcomes(of: { () throws(Refusal) in
        try await writeData(chunk, by: .operatorCommand, in: world)
      })
      for outcome in outcomes { counts.count(outcome) }
    }
    return counts
  }

  private static func outcomes(
    of act: @escaping @Sendable () async throws(Refusal) -> [DataOutcome]
  ) throws(StartFault) -> [DataOutcome] {
    do throws(Refusal) { return try BlockingCall.run(act) } catch {
      throw StartFault(
        error.description ?? error.code.rawValue,
        hint: "run the same import again: records that are already written do not change")
    }
  }
}

/// The number of records that an import created, changed or did not change.
private struct ImportCounts {
  var created = 0
  var changed = 0
  var unchanged = 0
  var mistakes = 0
  /// Refused after the preview, because the store changed in the meantime.
  var refused = 0

  mutating func count(_ outcome: DataOutcome) {
    switch outcome {
    case .written(_, .created): created += 1
    case .written(_, .changed): changed += 1
    case .written(_, .unchanged): unchanged += 1
    case .removed: break
    case .refused: refused += 1
    }
  }

  func words(_ kind: DataKind, _ isWritten: Bool) -> String {
    let what = isWritten ? "" : "would be "
    return "\(kind.rawValue): \(created) \(what)created, \(changed) \(what)changed,"
      + " \(unchanged) unchanged, \(mistakes) mistakes"
      + (refused > 0 ? ", \(refused) refused after the preview" : "")
  }

  func json(_ isWritten: Bool) -> String {
    let json = JSON.members([
      JSONMember("written", isWritten), JSONMember("created", Int64(created)),
      JSONMember("changed", Int64(changed)), JSONMember("unchanged", Int64(unchanged)),
      JSONMember("mistakes", Int64(mistakes)), JSONMember("refused", Int64(refused)),
    ])
    return String(decoding: json.utf8, as: UTF8.self)
  }
}
