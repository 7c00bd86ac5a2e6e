// Reads events as JSON, one per line of standard input, and writes the app's result for each as one
// line. It is the native part of the proof that the browser makes the same decisions. The argument
// is the name of the app.

import Glibc
import SignInEngine
import SignInFlow
import SignInScreens

let homes: [AppName: any HomeScreen.Type] = [
  .technician: JobsHome.self,
  .rider: DashboardHome.self,
  .mentor: ActivitiesHome.self,
  .product: ProductsHome.self,
  .console: ConsoleHome.self,
]

func print(_ bytes: [UInt8], to file: Int32) {
  // The bytes are written at once and not buffered, because the next event may depend on them.
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count > 0 else { exit(1) }
    rest = rest.dropFirst(count)
  }
}

func replay<Home: HomeScreen>(_: Home.Type) {
  var app = JSONApp<Home>()
  while let line = readLine(strippingNewline: true) {
    print(app.handle([UInt8](line.utf8)) + [UInt8(ascii: "\n")], to: 1)
  }
}

let name = CommandLine.arguments.dropFirst().first.flatMap { AppName(rawValue: $0) }
guard let name, let home = homes[name] else {
  let message = """
    fieldpass-replay: error: the name of an app is missing
    hint: fieldpass-replay technician-app

    """
  print([UInt8](message.utf8), to: 2)
  exit(2)
}
replay(home)
