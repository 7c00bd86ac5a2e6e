import Glibc

// One run measures the machine and the server on it, so that every figure has its limit beside it.
// Figures are printed and not asserted, because other machines have other figures.
//
//   fieldpass-bench SERVER FOLDER SECONDS|short [PART [RIDERS]]
//
// SERVER is the program to measure, FOLDER is an empty folder for its data on the disk to measure,
// and SECONDS is the length of each phase; `short` is a short run. PART limits the run to one part:
// technicians, riders, messages, hostile, providers, administrators or client. RIDERS is the number
// of riders' sign-ins. The environment variable FIELDPASS_BENCH_STORE can have the `store` of a
// configuration.

let arguments = CommandLine.arguments
let part = arguments.count > 4 ? arguments[4] : nil
let riders = arguments.count > 5 ? Int(arguments[5]) : nil
guard (4...6).contains(arguments.count),
  [
    "technicians", "riders", "messages", "hostile", "providers", "administrators", "client", nil,
  ].contains(part),
  var size = BenchSize(text: arguments[3]), riders ?? 1 > 0, riders != nil || arguments.count < 6
else {
  complain("a server, a folder and a number of seconds are needed", hint: "run make bench")
  exit(2)
}

if let riders { size.riderSignIns = riders }

do throws(BenchFault) {
  let bench = Bench(server: arguments[1], folder: arguments[2], size: size)
  switch part {
  case "technicians": try bench.runTechnicians()
  case "messages": try bench.runMessages()
  case "riders": try bench.runRiders()
  case "hostile": try bench.runHostile()
  case "providers": try bench.runProviders()
  case "administrators": try bench.runAdministrators()
  case "client": try bench.runClient()
  default: try bench.run()
  }
} catch {
  complain(error.what, hint: error.hint)
  exit(1)
}
