import Glibc
import ParserFuzzing

/// Fuzzing with libFuzzer, if the program is built for it.
enum Guided {
  #if GUIDED
    nonisolated(unsafe) fileprivate static var target = ParserTarget.json

    /// The other arguments are for libFuzzer.
    ///
    /// Seeds are written into the first named folder.
    static func run(_ arguments: [String]) -> Int32 {
      guard let name = arguments.first, let known = ParserTarget(rawValue: name) else {
        print("fieldpass-fuzz: error: unknown parser")
        return 2
      }
      target = known
      if let folder = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) {
        for (index, seed) in known.seeds.enumerated() { write(seed, to: "\(folder)/seed-\(index)") }
        for (index, found) in FoundCase.all.enumerated() where found.target == known {
          write(found.bytes, to: "\(folder)/found-\(index)")
        }
      }
      let words = ["fieldpass-fuzz"] + arguments.dropFirst()
      let list = UnsafeMutablePointer<Word?>.allocate(capacity: words.count + 1)
      list.initialize(repeating: nil, count: words.count + 1)
      for (index, word) in words.enumerated() { list[index] = strdup(word) }
      var start: UnsafeMutablePointer<Word?>? = list
      var count = Int32(words.count)
      return runDriver(&count, &start, readOne)
    }

    private static func write(_ bytes: [UInt8], to path: String) {
      guard let file = fopen(path, "w") else { return }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
  #else
    static func run(_ arguments: [String]) -> Int32 {
      print("fieldpass-fuzz: error: this build has no libFuzzer")
      print("hint: Scripts/fuzz builds one that has")
      return 2
    }
  #endif
}

#if GUIDED
  private typealias Word = UnsafeMutablePointer<CChar>

  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<Word?>?>,
    _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32

  /// libFuzzer's own `main`, which is linked too, needs this name.
  @c(LLVMFuzzerTestOneInput)
  public func readOne(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    Guided.target.read(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  }
#endif
