import Glibc

// One run measures the machine and the server on it, so that every figure stands beside the limit
// it can be judged by. Figures are printed, never asserted: another machine has others.
//
//   fieldpass-bench PATH-OF-SERVER [SECONDS]
//
// SECONDS is the length of each measured phase, 5 unless told.

let arguments = CommandLine.arguments
guard arguments.count >= 2, let phase = Double(arguments.count > 2 ? arguments[2] : "5"), phase > 0
else {
  complain("a server is needed", hint: "fieldpass-bench .build/release/fieldpass [SECONDS]")
  exit(2)
}

do throws(BenchFault) {
  try Bench(server: arguments[1], phaseSeconds: phase).run()
} catch {
  complain(error.what, hint: error.hint)
  exit(1)
}
