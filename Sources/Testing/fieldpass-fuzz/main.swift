import Glibc
import HTTPFuzzing
import ParserFuzzing

// Usage: fieldpass-fuzz [PARSER|all] [INPUTS] [SEED]
//
// Feeds INPUTS damaged inputs to a parser: `http`, or one of ParserFuzzing. A trap ends the
// program. The same seed makes the same inputs. Built with `-sanitize=fuzzer -D GUIDED`,
// `fieldpass-fuzz guided PARSER …` passes the other arguments to libFuzzer, which searches for
// inputs that reach new code.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "guided" { exit(Guided.run(Array(arguments.dropFirst()))) }

let name = arguments.first ?? "all"
let count = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 1_000_000
let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
let known = ["http"] + ParserTarget.allCases.map(\.rawValue)
guard name == "all" || known.contains(name), count > 0 else {
  print("fieldpass-fuzz: error: unknown parser or count")
  print("hint: fieldpass-fuzz [all|\(known.joined(separator: "|"))] [INPUTS] [SEED]")
  exit(2)
}

for parser in known where name == "all" || name == parser {
  let began = ContinuousClock.now
  let understood =
    parser == "http" ? tryRequests(count, seed: seed) : tryParser(parser, count, seed: seed)
  let seconds = (ContinuousClock.now - began).components.seconds
  print("\(parser): \(count) inputs of seed \(seed), \(understood) understood, \(seconds) s")
}

/// Reads damaged request streams, whole and in fragments.
///
/// It returns the number of valid requests.
func tryRequests(_ count: Int, seed: UInt64) -> Int {
  var fuzz = RequestFuzz(seed: seed)
  for _ in 0..<count {
    guard let found = fuzz.next() else { continue }
    print("fieldpass-fuzz: error: these bytes, cut at \(found.cuts), read in two ways:")
    print(found.bytes)
    print("hint: repeat it with seed \(seed)")
    exit(1)
  }
  return fuzz.readCount
}

/// Reads damaged inputs.
///
/// It returns the number of accepted ones.
func tryParser(_ name: String, _ count: Int, seed: UInt64) -> Int {
  guard let target = ParserTarget(rawValue: name) else { return 0 }
  let (seeds, words) = (target.seeds, target.words)
  var mutation = ByteMutation(seed: seed)
  var understood = 0
  for _ in 0..<count {
    let bytes = mutation.damaged(seeds, words: words)
    let took = processorSeconds { if target.read(bytes) { understood += 1 } }
    if took > 0.5 {
      print("fieldpass-fuzz: error: \(name) took \(took) s for \(bytes.count) bytes:")
      print(bytes)
      exit(1)
    }
  }
  return understood
}
