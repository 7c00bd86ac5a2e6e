import Glibc

// One run measures the machine and the server on it, so that every figure has its limit beside it.
// Figures are printed and not asserted, because other machines have other figures.
//
//   fieldpass-bench SERVER FOLDER SECONDS [messages|riders|hostile|providers]
//
// SERVER is the program to measure, FOLDER is an empty folder for its data on the disk to measure,
// and SECONDS is the length of each phase. A fourth argument limits the run to one part.

let arguments = CommandLine.arguments
let part = arguments.count == 5 ? arguments[4] : nil
guard arguments.count == 4 || arguments.count == 5,
  ["messages", "riders", "hostile", "providers", nil].contains(part),
  let phase = Double(arguments[3]), phase > 0
else {
  complain("a server, a folder and a number of seconds are needed", hint: "run make bench")
  exit(2)
}

do throws(BenchFault) {
  let bench = Bench(server: arguments[1], folder: arguments[2], phaseSeconds: phase)
  switch part {
  case "messages": try bench.runMessages()
  case "riders": try bench.runRiders()
  case "hostile": try bench.runHostile()
  case "providers": try bench.runProviders()
  default: try bench.run()
  }
} catch {
  complain(error.what, hint: error.hint)
  exit(1)
}
