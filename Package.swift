// swift-tools-version:6.2
import PackageDescription

// MARK: - House settings

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A target that also compiles as Embedded Swift: no Foundation, clock, randomness, input or
/// output.
func portable(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/Portable/\(name)",
    swiftSettings: house + [.treatWarning("EmbeddedRestrictions", as: .error)]
  )
}

func library(_ folder: String, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/\(folder)/\(name)",
    swiftSettings: house
  )
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: "Sources/Programs/\(name)",
    swiftSettings: house
  )
}

/// The functions that a web app calls in its core, with the home of that app.
///
/// `Scripts/build-web` builds it as WebAssembly. Here the compiler only checks it.
func web(_ app: String) -> Target {
  .target(
    name: "\(app)-web",
    dependencies: ["SignInEngine", "SignInFlow", "SignInScreens", "WebCore"],
    path: "Sources/Programs/\(app)-web",
    swiftSettings: house + [.treatWarning("EmbeddedRestrictions", as: .error)]
  )
}

func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(
    name: name,
    path: "Sources/Platform/\(name)",
    pkgConfig: pkgConfig,
    providers: [.apt([apt])]
  )
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: house)
}

let package = Package(
  name: "fieldpass",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [
    .library(name: "SignInClient", targets: ["SignInClient"]),
    .library(name: "SignInLinux", targets: ["SignInLinux"]),
    .library(name: "SignInApple", targets: ["SignInApple"]),
    .library(name: "SignInClientTesting", targets: ["SignInClientTesting"]),
  ],
  targets: [
    // MARK: Portable: decisions and data
    portable("SignInModel"),
    portable("JSONText"),
    portable("CSVText", ["JSONText"]),
    portable("Collections", ["SignInModel", "JSONText"]),
    portable("SignInWire", ["SignInModel", "JSONText"]),
    portable("SignInRules", ["SignInModel"]),
    portable("SignInEngine", ["SignInModel", "SignInWire", "JSONText"]),
    portable("SignInFlow", ["SignInModel", "SignInWire", "SignInEngine", "JSONText"]),
    portable(
      "SignInScreens", ["SignInModel", "SignInWire", "SignInEngine", "SignInFlow", "JSONText"]),
    portable("WebCore", ["SignInScreens"]),

    // MARK: Platform: what the machine offers
    .systemLibrary(name: "CLinux", path: "Sources/Platform/CLinux"),
    .systemLibrary(name: "CCrypt", path: "Sources/Platform/CCrypt"),
    cLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    cLibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    cLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
    cLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    cLibrary("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
    cLibrary("CMaxMind", pkgConfig: "libmaxminddb", apt: "libmaxminddb-dev"),
    cLibrary("CSecret", pkgConfig: "libsecret-1", apt: "libsecret-1-dev"),
    cLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    cLibrary("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
    cLibrary("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    cLibrary("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    library("Platform", "HTTPServer", ["CLinux", "COpenSSL"]),
    library("Platform", "HTTPClient", ["CCurl", "Threads"]),
    library("Platform", "StreamClient", ["CLinux", "COpenSSL"]),
    library("Platform", "Threads", []),
    library("Platform", "Compression", ["CZlib"]),
    library("Platform", "Pictures", ["CJPEG", "CPNG", "CWebP"]),
    library("Platform", "Cryptography", ["CCrypt", "COpenSSL", "CSodium", "Threads"]),

    // MARK: Service: use cases, ports and routes
    library(
      "Service",
      "SignInService",
      [
        "SignInModel", "SignInRules", "SignInWire", "JSONText", "CSVText", "Cryptography",
        "Pictures", "Threads",
      ]
    ),
    library(
      "Service",
      "SignInHTTP",
      [
        "SignInModel", "SignInRules", "SignInWire", "JSONText", "CSVText", "SignInService",
        "HTTPServer", "Cryptography", "Compression",
      ]
    ),

    // MARK: Adapters: implementations of ports
    library(
      "Adapters",
      "SQLStore",
      [
        "SignInModel", "SignInRules", "SignInWire", "SignInService", "JSONText", "CPostgres",
        "CSQLite", "Cryptography", "Threads",
      ]
    ),
    library(
      "Adapters",
      "SystemPorts",
      ["SignInModel", "SignInRules", "SignInService", "Cryptography", "CLinux"]
    ),
    library("Adapters", "ProofFiles", ["SignInHTTP"]),
    library("Adapters", "ProviderClient", ["SignInModel", "SignInService", "HTTPClient"]),
    library("Adapters", "BreachedPasswordFiles", ["SignInService"]),
    library("Adapters", "PlaceFiles", ["SignInService", "SignInWire", "CMaxMind"]),
    library(
      "Adapters",
      "TextMessengers",
      [
        "SignInModel", "SignInRules", "SignInWire", "SignInService", "JSONText", "Cryptography",
        "HTTPClient", "StreamClient", "Threads",
      ]
    ),

    // MARK: Client: what an app embeds
    library("Client", "SignInClient", ["SignInModel", "SignInWire", "SignInEngine", "JSONText"]),
    library(
      "Client",
      "SignInLinux",
      ["SignInClient", "SignInModel", "SignInEngine", "Cryptography", "HTTPClient", "CSecret"]
    ),
    library("Client", "SignInApple", ["SignInClient", "SignInModel", "SignInEngine"]),
    library(
      "Client", "SignInClientTesting",
      ["SignInClient", "SignInEngine", "SignInModel", "SignInWire", "JSONText"]
    ),

    // MARK: Programs
    program(
      "fieldpass",
      [
        "SignInModel", "SignInRules", "SignInWire", "JSONText", "CSVText", "SignInService",
        "SignInHTTP", "HTTPServer", "BreachedPasswordFiles", "Cryptography", "SQLStore",
        "PlaceFiles", "ProofFiles", "ProviderClient", "SystemPorts", "TextMessengers",
        "HTTPClient", "Threads",
      ]
    ),

    program("fieldpass-replay", ["SignInEngine", "SignInFlow", "SignInScreens"]),
    web("technician"),
    web("rider"),
    web("mentor"),
    web("product"),
    web("console"),

    // MARK: Benchmarks
    .executableTarget(
      name: "fieldpass-bench",
      dependencies: [
        "SignInModel", "SignInWire", "SignInEngine", "SignInFlow", "SignInScreens", "JSONText",
        "Cryptography",
        "CLinux", "CSQLite", "HTTPServer", "Threads", "SignInService", "SQLStore",
        "TextMessengers", "SignInClient", "SignInClientTesting", "SignInLinux",
      ],
      path: "Benchmarks/fieldpass-bench",
      swiftSettings: house
    ),

    // MARK: Testing
    library("Testing", "HTTPFuzzing", ["HTTPServer"]),
    library(
      "Testing",
      "ParserFuzzing",
      [
        "SignInModel", "JSONText", "CSVText", "SignInWire", "SignInEngine", "SignInFlow",
        "SignInScreens",
        "SignInService", "SignInHTTP", "SignInTesting", "TextMessengers", "Cryptography",
        "Pictures",
      ]
    ),
    tests("ParserFuzzing", ["ParserFuzzing"]),
    .executableTarget(
      name: "fieldpass-fuzz",
      dependencies: ["HTTPFuzzing", "ParserFuzzing"],
      path: "Sources/Testing/fieldpass-fuzz",
      swiftSettings: house
    ),
    library("Testing", "EngineTesting", ["SignInModel", "JSONText", "SignInWire", "SignInEngine"]),
    library("Testing", "ShellContract", ["SignInModel", "JSONText", "SignInEngine", "SignInFlow"]),
    tests(
      "ShellContract",
      [
        "ShellContract", "SignInClient", "SignInLinux", "SignInEngine", "SignInModel", "SignInWire",
        "JSONText",
      ]
    ),
    library(
      "Testing",
      "SignInTesting",
      [
        "ShellContract", "SignInModel", "JSONText", "SignInWire", "SignInRules", "SignInEngine",
        "SignInFlow",
        "SignInService", "SignInHTTP", "HTTPServer", "Cryptography",
      ]
    ),
    library(
      "Testing", "SignInExploration",
      ["ShellContract", "SignInModel", "JSONText", "SignInWire", "SignInRules", "SignInEngine"]
    ),
    .executableTarget(
      name: "fieldpass-explore",
      dependencies: ["SignInExploration"],
      path: "Sources/Testing/fieldpass-explore",
      swiftSettings: house
    ),
    tests("SignInExploration", ["SignInExploration"]),
    .executableTarget(
      name: "fieldpass-soak",
      dependencies: ["SignInTesting"],
      path: "Sources/Testing/fieldpass-soak",
      swiftSettings: house
    ),
    library(
      "Testing",
      "StoreContract",
      ["SignInModel", "SignInRules", "SignInWire", "SignInService", "SignInTesting"]
    ),
    tests(
      "SignInClient",
      [
        "SignInClient", "SignInLinux", "SignInEngine", "SignInHTTP", "SignInModel", "SignInService",
        "SignInTesting", "SignInWire", "Cryptography", "HTTPServer", "JSONText",
      ]
    ),
    // Tests as an adopter writes them, with the code of the articles: only the public products.
    tests("SignInClientTesting", ["SignInClient", "SignInClientTesting", "SignInLinux"]),
    tests(
      "SignInApple",
      [
        "SignInApple", "SignInClient", "SignInEngine", "SignInModel", "SignInWire", "SignInTesting",
        "SignInLinux",
      ]
    ),
    // Signs in from a terminal. It is a sample for adopters; a test runs it against the real
    // server.
    .executableTarget(
      name: "sign-in-sample",
      dependencies: ["SignInClient", "SignInLinux"],
      path: "Tests/SignInSample",
      swiftSettings: house
    ),
    tests(
      "TextMessengers",
      ["TextMessengers", "SignInService", "SignInModel", "SignInTesting", "JSONText", "HTTPClient"]
    ),
    tests("HTTPClient", ["HTTPClient", "HTTPServer", "CLinux"]),
    tests("HTTPServer", ["HTTPServer", "HTTPFuzzing", "CLinux", "COpenSSL"]),
    tests("House"),
    .testTarget(name: "SimulationTests", dependencies: ["SignInTesting"], swiftSettings: house),
    tests("SignInModel", ["SignInModel"]),
    tests("JSONText", ["JSONText"]),
    tests("CSVText", ["CSVText"]),
    .testTarget(
      name: "CollectionsTests",
      dependencies: ["Collections", "SignInModel", "JSONText"],
      exclude: ["demo.json"],
      swiftSettings: house
    ),
    tests("SignInWire", ["SignInWire", "SignInModel", "JSONText"]),
    tests(
      "SignInEngine", ["SignInEngine", "SignInModel", "EngineTesting", "SignInWire", "JSONText"]),
    tests(
      "SignInFlow",
      ["SignInEngine", "SignInFlow", "SignInModel", "EngineTesting", "SignInWire", "JSONText"]),
    tests(
      "SignInScreens",
      ["SignInScreens", "SignInEngine", "SignInFlow", "SignInModel", "SignInWire", "JSONText"]
    ),
    tests("SignInRules", ["SignInRules", "SignInModel"]),
    tests("SystemPorts", ["SystemPorts", "CLinux"]),
    tests("ProofFiles", ["ProofFiles", "SignInHTTP"]),
    tests("BreachedPasswordFiles", ["BreachedPasswordFiles", "SignInService"]),
    .testTarget(
      name: "PlaceFilesTests",
      dependencies: ["PlaceFiles", "SignInWire"],
      exclude: ["make_places.py", "places.mmdb"],
      swiftSettings: house
    ),
    tests("Compression", ["Compression", "CZlib"]),
    tests("Pictures", ["Pictures", "SignInTesting", "SignInWire"]),
    tests("Threads", ["Threads", "CLinux"]),
    tests("Cryptography", ["Cryptography", "Threads", "SignInModel"]),
    tests(
      "SignInTesting",
      ["SignInTesting", "StoreContract", "SignInModel", "SignInService"]
    ),
    tests(
      "SQLiteStore",
      [
        "SQLStore", "CSQLite", "Threads", "StoreContract", "SignInTesting", "SignInModel",
        "SignInRules", "SignInService", "store-crash-child",
      ]
    ),
    .testTarget(
      name: "PostgresStoreTests",
      dependencies: [
        "SQLStore", "StoreContract", "SignInTesting", "SignInModel", "SignInRules",
        "SignInService", "SignInHTTP", "SignInWire", "HTTPServer", "JSONText", "Cryptography",
        "Threads", "SystemPorts",
      ],
      exclude: ["postgres-server"],
      swiftSettings: house
    ),
    // A test of the store kills this program while it writes. It is not installed.
    .executableTarget(
      name: "store-crash-child",
      dependencies: ["SQLStore", "SignInModel", "SignInService"],
      path: "Tests/StoreCrashChild",
      swiftSettings: house
    ),
    tests(
      "SignInHTTP",
      [
        "SignInHTTP", "SignInService", "SignInTesting", "SignInModel", "SignInRules", "SignInWire",
        "JSONText", "Cryptography", "HTTPServer",
      ]
    ),
    tests(
      "SignInService",
      [
        "SignInService", "SignInTesting", "SignInModel", "SignInRules", "SignInWire", "JSONText",
        "Cryptography", "TextMessengers",
      ]
    ),
  ]
)

// `Scripts/client-tests` compiles only the tests that need no server.
if Context.environment["FIELDPASS_TESTS"] == "client" {
  let targets = package.targets
  package.targets.removeAll { $0.isTest && needs("SignInService", $0, among: targets) }
}

func needs(_ name: String, _ target: Target, among targets: [Target]) -> Bool {
  target.dependencies.contains {
    guard case .byNameItem(let dependency, _) = $0 else { return false }
    return dependency == name
      || targets.contains { $0.name == dependency && needs(name, $0, among: targets) }
  }
}
