import Glibc
import HTTPFuzzing

// Usage: fieldpass-fuzz [streams] [seed]
//
// Reads so many damaged request streams, whole and in fragments. A trap ends the program by
// itself; a stream that reads in two ways is printed. Both are repeated by the same seed.

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.first.flatMap { Int($0) } ?? 1_000_000
let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1

var fuzz = RequestFuzz(seed: seed)
for _ in 0..<max(0, count) {
  guard let found = fuzz.next() else { continue }
  print("fieldpass-fuzz: error: these bytes, cut at \(found.cuts), read in two ways:")
  print(found.bytes)
  print("hint: repeat it with seed \(seed)")
  exit(1)
}
print("\(count) damaged streams of seed \(seed), \(fuzz.readCount) requests read, none in two ways")
